"""Functions that edit a list in rows that they name, and lists that show several resources."""

from typing import Any

import pytest
from tests.generators.environments.inline import TEXT, call, sandbox

from interplay.generators.environments.inference.resources.plan_inference import infer_plan
from interplay.schemas.records.tool import Source, Tool, Toolset

pytestmark = pytest.mark.anyio

TEXTS: dict[str, Any] = {"type": "array", "items": TEXT}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def thing(**fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def many(item: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": item}


def named(name: str, returns: dict[str, Any], effect: Any = "write", /, **arguments: Any) -> Tool:
    return Tool(
        name=name,
        original_name=name,
        description=name,
        parameters={"type": "object", "properties": arguments, "required": list(arguments)},
        returns=returns,
        effect=effect,
        source=Source(file="tools.json", pointer=f"/{name}"),
    )


ENTITY = thing(name=TEXT, notes=TEXTS)
END = {"type": "string", "description": "The name of the entity where the link ends"}
LINK = thing(**{"from": END, "to": END, "kind": TEXT})
GRAPH = thing(entities=many(ENTITY), links=many(LINK))
DONE = thing(success={"type": "boolean"})
NAMES = {**TEXTS, "description": "The entity names to open"}
TOOLS = (
    named("create_entities", thing(entities=many(ENTITY)), entities=many(ENTITY)),
    named("create_links", thing(links=many(LINK)), links=many(LINK)),
    named(
        "add_notes",
        thing(results=many(thing(entityName=TEXT, addedNotes=TEXTS))),
        additions=many(thing(entityName=TEXT, contents=TEXTS)),
    ),
    named("delete_notes", DONE, deletions=many(thing(entityName=TEXT, notes=TEXTS))),
    named("delete_entities", DONE, entityNames=TEXTS),
    named("read_graph", GRAPH, "read"),
    named("open_nodes", GRAPH, "read", names=NAMES),
)


async def test_items_of_a_batch_grow_and_shrink_the_lists_of_the_rows_that_they_name() -> None:
    opened = sandbox(*TOOLS)
    await call(opened, "create_entities", entities=[{"name": "Ada", "notes": ["tea"]}, {"name": "Bo", "notes": []}])
    more = [{"entityName": "Ada", "contents": ["tea", "chess"]}, {"entityName": "Bo", "contents": ["rowing"]}]
    assert (await call(opened, "add_notes", additions=more)).value == {
        "results": [{"entityName": "Ada", "addedNotes": ["chess"]}, {"entityName": "Bo", "addedNotes": ["rowing"]}]
    }
    assert (
        await call(opened, "delete_notes", deletions=[{"entityName": "Ada", "notes": ["tea", "golf"]}])
    ).error is None
    shown = (await call(opened, "open_nodes", names=["Ada", "Bo", "nobody"])).value["entities"]
    assert shown == [{"name": "Ada", "notes": ["chess"]}, {"name": "Bo", "notes": ["rowing"]}]
    before = opened.digest()
    refused = await call(opened, "add_notes", additions=[*more, {"entityName": "Cy", "contents": ["x"]}])
    assert "there is no entity 'Cy'" in str(refused.error)
    assert opened.digest() == before


async def test_a_list_of_several_resources_shows_their_rows_and_those_between_what_it_shows() -> None:
    opened = sandbox(*TOOLS)
    graph = (await call(opened, "read_graph")).value
    assert [row["name"] for row in graph["entities"]] == list(opened.state()["entity"])
    names = {row["name"] for row in graph["entities"]}
    assert graph["links"]
    assert all({link["from"], link["to"]} <= names for link in graph["links"])
    refused = await call(opened, "create_links", links=[{"from": "Ada", "to": "Bo", "kind": "knows"}])
    assert "there is no entity" in str(refused.error)
    await call(opened, "create_entities", entities=[{"name": "Ada", "notes": []}, {"name": "Bo", "notes": []}])
    link = {"from": "Ada", "to": "Bo", "kind": "knows"}
    assert (await call(opened, "create_links", links=[link])).value == {"links": [link]}
    assert (await call(opened, "open_nodes", names=["Ada", "Bo"])).value["links"] == [link]
    assert (await call(opened, "open_nodes", names=["Ada"])).value["links"] == []
    await call(opened, "delete_entities", entityNames=["Ada", "nobody"])
    assert link not in (await call(opened, "read_graph")).value["links"]


async def test_a_function_grows_a_list_of_the_one_row_that_it_names() -> None:
    issue = thing(issue_id=TEXT, title=TEXT, labels=TEXTS)
    opened = sandbox(
        named("get_issue", issue, "read", issue_id=TEXT),
        named("add_label", issue, issue_id=TEXT, label=TEXT),
        named("remove_label", issue, issue_id=TEXT, label=TEXT),
    )
    key, before = next(iter(opened.state()["issue"].items()))
    assert (await call(opened, "add_label", issue_id=key, label="urgent")).value["labels"] == [
        *before["labels"],
        "urgent",
    ]
    assert (await call(opened, "remove_label", issue_id=key, label="urgent")).error is None
    assert (await call(opened, "get_issue", issue_id=key)).value["labels"] == before["labels"]
    assert (await call(opened, "remove_label", issue_id=key, label="urgent")).error is not None


def test_names_in_lists_refer_to_the_rows_that_go_by_them() -> None:
    references = infer_plan(Toolset(name="graph", tools=TOOLS)).references
    assert references["open_nodes"] == {"/names": "entity"}
    assert references["delete_entities"] == {"/entityNames": "entity"}
    assert references["create_links"] == {"/links/*/from": "entity", "/links/*/to": "entity"}
