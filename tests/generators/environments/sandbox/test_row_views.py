"""Results that show a row beside the rows that it refers to: each is the one that the row names, and holds what was given."""

import asyncio
from typing import Any

from interplay.generators.environments.sandbox.sandbox import Sandbox
from interplay.schemas.records.dialogue import ToolCall
from interplay.schemas.records.tool import HttpBinding, Source, Tool, Toolset

TEXT, WHOLE, FLAG = {"type": "string"}, {"type": "integer"}, {"type": "boolean"}


def thing(**fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields)}


PERSON = thing(id=WHOLE, name=TEXT, display_name=TEXT, bio=TEXT)
FORUM = thing(id=WHOLE, name=TEXT, title=TEXT)
TOPIC = thing(id=WHOLE, name=TEXT, creator_id=WHOLE, forum_id=WHOLE, deleted=FLAG, pinned=FLAG)
REPLY = thing(id=WHOLE, content=TEXT, creator_id=WHOLE, topic_id=WHOLE)
COUNTS = thing(topic_id=WHOLE, replies=WHOLE)
TOPIC_VIEW = thing(topic=TOPIC, creator=PERSON, forum=FORUM, counts=COUNTS, saved=FLAG)
REPLY_VIEW = thing(reply=REPLY, creator=PERSON, topic=TOPIC, topic_creator=PERSON, forum=FORUM)
FORUM_VIEW = thing(forum=FORUM, counts=thing(forum_id=WHOLE, topics=WHOLE))
PERSON_VIEW = thing(person=PERSON, counts=thing(person_id=WHOLE, topics=WHOLE))


def flagged(kind: str, row: dict[str, Any]) -> dict[str, Any]:
    report = thing(id=WHOLE, creator_id=WHOLE, reason=TEXT, **{f"{kind}_id": WHOLE})
    return thing(**{f"{kind}_report": report, kind: row, "creator": PERSON})


def tool(own: str, method: str, path: str, returns: Any, **fields: Any) -> Tool:
    where = "query" if method == "GET" else "body"
    return Tool(
        name=own, original_name=own, summary=own, description=own, effect="read" if method == "GET" else "write",
        parameters=thing(**fields), returns=returns, source=Source(file="forums"),
        http=HttpBinding(method=method, path=path, locations=dict.fromkeys(fields, where)),
    )  # fmt: skip


TOOLS = (
    tool("getPerson", "GET", "/person", thing(person_view=PERSON_VIEW, topics={"type": "array", "items": TOPIC_VIEW}), person_id=WHOLE),
    tool("createForum", "POST", "/forum", thing(forum_view=FORUM_VIEW), name=TEXT),
    tool("listForums", "GET", "/forum/list", thing(forums={"type": "array", "items": FORUM_VIEW})),
    tool("createTopic", "POST", "/topic", thing(topic_view=TOPIC_VIEW), name=TEXT, forum_id=WHOLE),
    tool("getTopic", "GET", "/topic", thing(topic_view=TOPIC_VIEW, forum_view=FORUM_VIEW), id=WHOLE),
    tool("listTopics", "GET", "/topic/list", thing(topics={"type": "array", "items": TOPIC_VIEW})),
    tool("deleteTopic", "POST", "/topic/delete", thing(topic_view=TOPIC_VIEW), topic_id=WHOLE, deleted=FLAG),
    tool("featureTopic", "POST", "/topic/feature", thing(topic_view=TOPIC_VIEW), topic_id=WHOLE, pinned=FLAG),
    tool("reportTopic", "POST", "/topic/report", thing(topic_report_view=flagged("topic", TOPIC)), topic_id=WHOLE, reason=TEXT),
    tool("createReply", "POST", "/reply", thing(reply_view=REPLY_VIEW), content=TEXT, topic_id=WHOLE),
    tool("listReplies", "GET", "/reply/list", thing(replies={"type": "array", "items": REPLY_VIEW})),
    tool("reportReply", "POST", "/reply/report", thing(reply_report_view=flagged("reply", REPLY)), reply_id=WHOLE, reason=TEXT),
)  # fmt: skip


class Forums:
    """A world behind these tools."""

    def __init__(self) -> None:
        self._sandbox = Sandbox(Toolset(name="forums", tools=TOOLS), seed=3)

    def __call__(self, tool_name: str, /, **given: Any) -> Any:
        result = asyncio.run(self._sandbox.call(ToolCall(id="call00001", name=tool_name, arguments=given)))
        return result.error or result.value

    def first(self, resource: str) -> dict[str, Any]:
        return dict(next(iter(self._sandbox.state()[resource].values())))


def test_a_new_row_holds_what_was_given_and_stands_beside_what_it_names() -> None:
    forums = Forums()
    forum = forums.first("forum")
    view = forums("createTopic", name="Security update", forum_id=forum["id"])["topic_view"]
    topic = view["topic"]
    assert (topic["name"], topic["forum_id"]) == ("Security update", forum["id"])
    assert view["forum"] == forum
    assert view["counts"]["topic_id"] == topic["id"]
    assert view["creator"] == forums("getPerson", person_id=topic["creator_id"])["person_view"]["person"]
    read = forums("getTopic", id=topic["id"])
    assert read["topic_view"] == view
    assert read["forum_view"]["forum"] == forum
    assert topic in [item["topic"] for item in forums("listTopics")["topics"]]


def test_rows_that_are_named_by_way_of_another_are_shown() -> None:
    for item in Forums()("listReplies")["replies"]:
        assert item["topic"]["id"] == item["reply"]["topic_id"]
        assert item["creator"]["id"] == item["reply"]["creator_id"]
        assert item["topic_creator"]["id"] == item["topic"]["creator_id"]
        assert item["forum"]["id"] == item["topic"]["forum_id"]


def test_a_report_is_of_what_was_reported() -> None:
    forums = Forums()
    reply, topic = forums.first("reply"), forums.first("topic")
    view = forums("reportReply", reply_id=reply["id"], reason="Advertisement")["reply_report_view"]
    assert view["reply"] == reply
    assert (view["reply_report"]["reply_id"], view["reply_report"]["reason"]) == (reply["id"], "Advertisement")
    view = forums("reportTopic", topic_id=topic["id"], reason="Rude")["topic_report_view"]
    assert (view["topic"], view["topic_report"]["reason"]) == (topic, "Rude")


def test_a_verb_that_nobody_knows_acts_on_what_its_view_shows() -> None:
    forums = Forums()
    topic = forums.first("topic")
    shown = forums("featureTopic", topic_id=topic["id"], pinned=not topic["pinned"])["topic_view"]["topic"]
    assert shown == {**topic, "pinned": not topic["pinned"]}
    assert forums("getTopic", id=topic["id"])["topic_view"]["topic"] == shown


def test_a_deleted_row_is_shown_as_deleted_and_is_gone() -> None:
    forums = Forums()
    topic = forums.first("topic")
    assert forums("deleteTopic", topic_id=topic["id"], deleted=False)["topic_view"]["topic"] == {
        **topic,
        "deleted": False,
    }
    assert forums("deleteTopic", topic_id=topic["id"], deleted=True)["topic_view"]["topic"] == {
        **topic,
        "deleted": True,
    }
    assert "404" in str(forums("getTopic", id=topic["id"]))


def test_a_thing_is_shown_by_the_name_that_it_has() -> None:
    called = {"type": "string", "description": "The name of the field. May include lowercase letters and digits."}
    shown = {"type": "string", "description": "The human-readable name of the field. This must be unique."}
    field = thing(id=TEXT, name=called, display_name=shown, description=TEXT)
    fields = tool("listFields", "GET", "/incidents/custom_fields", thing(fields={"type": "array", "items": field}))
    reads = tool("getField", "GET", "/incidents/custom_fields/{field_id}", thing(field=field), field_id=TEXT)
    sandbox = Sandbox(Toolset(name="fields", tools=(fields, reads)), seed=1)
    rows = asyncio.run(sandbox.call(ToolCall(id="call00001", name="listFields", arguments={}))).value["fields"]
    assert rows
    assert [row["name"] for row in rows] == [row["display_name"] for row in rows]
