"""Modules whose annotations say no more than `dict`: results are learnt by running, and grave calls are confirmed."""

import asyncio
from pathlib import Path

import pytest

from interplay.flows.generation.generator import Generator
from interplay.flows.settings.config import RunConfig
from interplay.flows.worlds.assembly import OpenedWorld, open_graph, open_world
from interplay.flows.worlds.corrections import explain_tools
from interplay.schemas.json.validation import is_valid

SPEC = "python:tests.flows.warehouse"


@pytest.fixture
def world() -> OpenedWorld:
    """Return the warehouse, opened."""
    return open_world([SPEC])


def test_learns_results_by_running_and_leaves_the_state_as_it_was(world: OpenedWorld) -> None:
    returns = {tool.name: tool.returns for tool in world.toolset.tools}
    assert (returns["list_products"] or {})["items"]["properties"]["product_id"] == {"type": ["string", "null"]}
    assert set((returns["place_order"] or {})["properties"]) == {"order_id", "product_id", "quantity", "status"}
    assert world.environment.changes() == ()
    unseen = {"order_id": 3, "product_id": None, "quantity": 1.5, "note": "new"}
    assert is_valid(unseen, returns["get_order"] or {})


def test_learnt_results_feed_what_takes_them(world: OpenedWorld) -> None:
    edges = asyncio.run(open_graph(world)).edges
    found = {(edge.producer, edge.consumer, edge.input) for edge in edges if edge.verified}
    assert ("place_order", "cancel_order", "/order_id") in found
    assert ("list_products", "place_order", "/product_id") in found


def test_a_result_that_no_call_shows_is_in_doubt() -> None:
    (account,) = asyncio.run(explain_tools([SPEC]))
    (doubt,) = [doubt for doubt in account.doubts if "what it returns is not known" in doubt.what]
    assert doubt.about == "get_stock"


def test_grave_calls_of_code_without_a_policy_are_confirmed(world: OpenedWorld) -> None:
    (rule,) = world.toolset.rules
    assert (rule.kind, rule.tools) == ("confirm_before", ("place_order", "cancel_order"))
    made = Generator(RunConfig(), world, asyncio.run(open_graph(world)), "run")
    records = [asyncio.run(made.make_record(index)) for index in range(40)]
    messages = [record.trajectory.messages for record in records if record.trajectory and record.status == "accepted"]
    cancelled = [
        talk for talk in messages for message in talk for call in message.tool_calls if call.name == "cancel_order"
    ]
    assert cancelled
    assert all("confirm_request" in {message.act for message in talk} for talk in cancelled)


def test_learns_what_a_text_holds_that_writes_an_object_down(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = (
        "import json\ndef get_room(room: str) -> str:\n"
        "    return json.dumps({'room': room, 'view': 'a garden', 'lit': True, 'fault': None})\n"
    )
    (tmp_path / "lit_rooms.py").write_text(source)
    monkeypatch.syspath_prepend(str(tmp_path))
    world = open_world(["python:lit_rooms"])
    returns = next(tool.returns for tool in world.toolset.tools if tool.name == "get_room") or {}
    assert returns["properties"]["lit"] == {"type": ["boolean", "null"]}
    assert returns["properties"]["fault"] == {}
    made = Generator(RunConfig(), world, asyncio.run(open_graph(world)), "run")
    assert [asyncio.run(made.make_record(index)).status for index in range(8)] == ["accepted"] * 8
