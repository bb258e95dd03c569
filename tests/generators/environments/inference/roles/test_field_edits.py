"""Operations about one field of a row change or show that field."""

from typing import Any

import pytest
from tests.generators.environments.inline import TEXT, call, operation, row, sandbox

from interplay.generators.environments.sandbox.sandbox import Sandbox

pytestmark = pytest.mark.anyio

BOOLEAN = {"type": "boolean"}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def cards() -> Sandbox:
    """Return cards as of an API without result schemas, with an operation for each field."""
    return sandbox(
        operation("newList", "POST", "/lists", None, name=TEXT),
        operation("getList", "GET", "/lists/{idList}", None),
        operation("archiveAllCards", "POST", "/lists/{idList}/archiveAllCards", None),
        operation("newLabel", "POST", "/labels", None, name=TEXT),
        operation("getLabel", "GET", "/labels/{idLabel}", None),
        operation("newCard", "POST", "/cards", None, name=TEXT, closed=BOOLEAN, idList=TEXT, idLabels=TEXT),
        operation("getCard", "GET", "/cards/{idCard}", None),
        operation("getField", "GET", "/cards/{idCard}/{field}", None),
        operation("getCardList", "GET", "/cards/{idCard}/list", None),
        operation("setName", "PUT", "/cards/{idCard}/name", None, value=TEXT),
        operation("setClosed", "PUT", "/cards/{idCard}/closed", None, value=BOOLEAN),
        operation("setList", "PUT", "/cards/{idCard}/idList", None, value=TEXT),
        operation("setVoting", "PUT", "/cards/{idCard}/prefs/voting", None, value=TEXT),
        operation("getVoting", "GET", "/cards/{idCard}/prefs/voting", None),
        operation("clearVoting", "DELETE", "/cards/{idCard}/prefs/voting", None),
        operation("addLabel", "POST", "/cards/{idCard}/idLabels", None, value=TEXT),
        operation("removeLabel", "DELETE", "/cards/{idCard}/idLabels/{idLabel}", None),
        operation("listCards", "GET", "/lists/{idList}/cards", None),
    )


async def shown(opened: Sandbox, card: str) -> Any:
    return (await call(opened, "getCard", idCard=card)).value


def test_the_field_of_a_row_is_no_resource() -> None:
    assert set(cards().state()) == {"card", "label", "list"}


@pytest.mark.parametrize(
    ("tool", "field", "value"),
    [("setName", "name", "Tea"), ("setClosed", "closed", True), ("setClosed", "closed", False)],
)
async def test_a_field_of_its_own_path_is_set(tool: str, field: str, value: Any) -> None:
    opened = cards()
    card = next(iter(opened.state()["card"]))
    assert (await call(opened, tool, idCard=card, value=value)).error is None
    assert (await shown(opened, card))[field] == value
    assert (await call(opened, "getField", idCard=card, field=field)).value == {"_value": value}


async def test_a_nested_field_is_set_shown_and_cleared() -> None:
    opened = cards()
    card = next(iter(opened.state()["card"]))
    await call(opened, "setVoting", idCard=card, value="members")
    assert (await call(opened, "getVoting", idCard=card)).value == {"_value": "members"}
    await call(opened, "clearVoting", idCard=card)
    assert (await call(opened, "getVoting", idCard=card)).value == {"_value": None}


async def test_a_field_that_refers_takes_known_rows_only_and_shows_the_row() -> None:
    opened = cards()
    card, held = next(iter(opened.state()["card"].items()))
    assert (await call(opened, "getCardList", idCard=card)).value["id"] == held["idList"]
    other = next(key for key in opened.state()["list"] if key != held["idList"])
    assert (await call(opened, "setList", idCard=card, value=other)).error is None
    assert (await call(opened, "getCardList", idCard=card)).value["id"] == other
    assert "there is no list 'nowhere'" in str((await call(opened, "setList", idCard=card, value="nowhere")).error)


async def test_what_is_added_to_a_list_is_there_once_and_can_be_removed_once() -> None:
    opened = cards()
    card, held = next(iter(opened.state()["card"].items()))
    label = next(key for key in opened.state()["label"] if key not in held.get("idLabels", ()))
    for _ in range(2):
        assert (await call(opened, "addLabel", idCard=card, value=label)).error is None
        assert (await shown(opened, card))["idLabels"].count(label) == 1
    assert (await call(opened, "removeLabel", idCard=card, idLabel=label)).error is None
    assert label not in (await shown(opened, card))["idLabels"]
    assert "404" in str((await call(opened, "removeLabel", idCard=card, idLabel=label)).error)


async def test_an_action_on_all_rows_below_one_changes_those_and_no_others() -> None:
    opened = cards()
    for key in opened.state()["card"]:
        await call(opened, "setClosed", idCard=key, value=False)
    chosen = next(iter(opened.state()["card"].values()))["idList"]
    assert (await call(opened, "archiveAllCards", idList=chosen)).error is None
    for held in opened.state()["card"].values():
        assert held["closed"] is (held["idList"] == chosen)


def tasks() -> Sandbox:
    shown_tag = {"type": "object", "properties": {"gid": TEXT, "name": TEXT}}
    task = {
        "type": "object",
        "properties": {
            "gid": TEXT,
            "name": TEXT,
            "parent": {"type": "object", "properties": {"gid": TEXT}},
            "tags": {"type": "array", "items": shown_tag},
        },
    }
    envelope = {"type": "object", "properties": {"data": task}}
    nothing = {"type": "object", "properties": {"data": {"type": "object"}}}

    def data(**fields: Any) -> dict[str, Any]:
        return {"type": "object", "properties": fields, "required": list(fields)}

    tags = {"type": "object", "properties": {"data": {"type": "array", "items": shown_tag}}}
    return sandbox(
        operation("getTask", "GET", "/tasks/{task_gid}", envelope),
        operation("getTag", "GET", "/tags/{tag_gid}", {"type": "object", "properties": {"data": shown_tag}}),
        operation("addTag", "POST", "/tasks/{task_gid}/addTag", nothing, data=data(tag=TEXT)),
        operation("removeTag", "POST", "/tasks/{task_gid}/removeTag", nothing, data=data(tag=TEXT)),
        operation("setParent", "POST", "/tasks/{task_gid}/setParent", envelope, data=data(parent=TEXT)),
        operation("listTags", "GET", "/tasks/{task_gid}/tags", tags),
    )


async def test_a_verb_with_a_noun_adds_to_and_removes_from_the_list_of_that_noun() -> None:
    opened = tasks()
    task, held = next(iter(opened.state()["task"].items()))
    tag = next(key for key in opened.state()["tag"] if key not in str(held["tags"]))
    assert (await call(opened, "addTag", task_gid=task, data={"tag": tag})).error is None
    assert tag in str((await call(opened, "getTask", task_gid=task)).value["data"]["tags"])
    assert tag in str((await call(opened, "listTags", task_gid=task)).value)
    assert (await call(opened, "removeTag", task_gid=task, data={"tag": tag})).error is None
    assert tag not in str((await call(opened, "getTask", task_gid=task)).value["data"]["tags"])
    assert tag not in str((await call(opened, "listTags", task_gid=task)).value)
    assert "has no tag" in str((await call(opened, "removeTag", task_gid=task, data={"tag": tag})).error)
    assert "404" in str((await call(opened, "addTag", task_gid=task, data={"tag": "unknown"})).error)


async def test_a_verb_with_a_noun_sets_the_field_of_that_noun() -> None:
    opened = tasks()
    task, other = list(opened.state()["task"])[:2]
    assert (await call(opened, "setParent", task_gid=task, data={"parent": other})).error is None
    assert (await call(opened, "getTask", task_gid=task)).value["data"]["parent"]["gid"] == other


async def test_children_are_rows_of_the_same_kind_and_listed_below_theirs() -> None:
    free = {"type": "object"}
    items = {"type": "array", "items": {"type": "object"}}
    opened = sandbox(
        operation("getBlock", "GET", "/blocks/{block_id}", free),
        operation("getChildren", "GET", "/blocks/{block_id}/children", free),
        operation("append", "PATCH", "/blocks/{block_id}/children", free, children=items),
    )
    block = next(iter(opened.state()["block"]))
    before = (await call(opened, "getChildren", block_id=block)).value["results"]
    result = await call(opened, "append", block_id=block, children=[{"type": "divider"}, {"type": "quote"}])
    assert result.error is None
    after = (await call(opened, "getChildren", block_id=block)).value["results"]
    assert [item["type"] for item in after[len(before) :]] == ["divider", "quote"]


def test_a_list_of_what_a_field_holds_lists_no_rows_that_have_the_field() -> None:
    number = {"type": "integer"}
    label = {"title": "Label", "type": "object", "properties": {"id": number, "title": TEXT}, "required": ["id"]}
    labels, numbers = {"type": "array", "items": label}, {"type": "array", "items": number}
    article = {**row(title=TEXT, labels=labels), "title": "Article"}
    opened = sandbox(
        operation("articles", "GET", "/articles", {"type": "array", "items": article}),
        operation("article", "GET", "/articles/{article_id}", article),
        operation("make_article", "POST", "/articles", None, title=TEXT, labels=numbers),
        operation("article_labels", "GET", "/articles/{article_id}/labels", labels),
        operation("set_labels", "PUT", "/articles/{article_id}/labels", None, labels=numbers),
        operation("unlink", "DELETE", "/articles/{article_id}/labels/{label_id}", None),
        operation("labels", "GET", "/labels", labels),
    )
    assert opened.resources.by_tool["labels"].resource == "label"


@pytest.mark.parametrize("method", ["GET", "PUT", "POST", "DELETE"])
@pytest.mark.parametrize("segment", ["_", "状态"])
def test_a_path_below_a_row_may_have_no_words(method: str, segment: str) -> None:
    given = {"value": TEXT} if method.startswith("P") else {}
    opened = sandbox(
        operation("newCard", "POST", "/cards", None, name=TEXT),
        operation("getCard", "GET", "/cards/{idCard}", None),
        operation("setName", "PUT", "/cards/{idCard}/name", None, value=TEXT),
        operation("unnamed", method, f"/cards/{{idCard}}/{segment}", None, **given),
    )
    assert "card" in opened.state()


@pytest.mark.parametrize("whole", [False, True])
async def test_what_a_delete_lists_is_taken_away(whole: bool) -> None:
    link = {"type": "object", "properties": {"id": TEXT, "url": TEXT}, "required": ["id", "url"]}
    links = {"type": "array", "items": link}
    items = {"type": "object", "properties": {"id": TEXT}} if whole else TEXT
    opened = sandbox(
        operation("getChat", "GET", "/chats/{chatId}", row(links=links)),
        operation("removeLinks", "DELETE", "/chats/{chatId}/links", None, links={"type": "array", "items": items}),
    )
    shown = {chat: (await call(opened, "getChat", chatId=chat)).value["links"] for chat in opened.state()["chat"]}
    chat, before = next((chat, links) for chat, links in shown.items() if len(links) > 1)
    gone = before[0]["id"]
    given = [{"id": gone} if whole else gone]
    assert (await call(opened, "removeLinks", chatId=chat, links=given)).error is None
    assert (await call(opened, "getChat", chatId=chat)).value["links"] == before[1:]
