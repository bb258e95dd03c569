"""Which tools say no more than that it is done, and which texts do."""

import pytest

from interplay.generators.results.acknowledgement import as_text, documented, is_thought, says_nothing, text_within
from interplay.schemas.records.tool import Source, Tool

TEXT = {"type": "string"}


def tool(name: str, returns: dict[str, object] | None = None, /, **parameters: object) -> Tool:
    """Return a tool whose parameters are all needed."""
    schema = {"type": "object", "properties": parameters, "required": list(parameters)}
    return Tool(name=name, original_name=name, parameters=schema, returns=returns, source=Source(file="tools.json"))


@pytest.mark.parametrize(
    "thought",
    [
        tool("think", thought=TEXT),
        tool("think", TEXT, thought=TEXT),
        tool("scratchpad", text=TEXT),
        tool("log", message=TEXT),
        tool("sequentialthinking", thought=TEXT, thoughtNumber={"type": "integer"}),
    ],
)
def test_knows_what_notes_a_thought(thought: Tool) -> None:
    assert is_thought(thought)


@pytest.mark.parametrize(
    "other",
    [
        tool("add_note", text=TEXT),
        tool("get_log", id=TEXT),
        tool("log", service=TEXT, level=TEXT),
        tool("note", {"type": "object", "properties": {"id": TEXT, "text": TEXT}}, text=TEXT),
        tool("think_tank_list"),
    ],
)
def test_leaves_what_people_wish_for(other: Tool) -> None:
    assert not is_thought(other)


def test_finds_results_that_are_nothing_but_a_text() -> None:
    assert text_within(TEXT) == ""
    content = {"type": "object", "properties": {"content": TEXT}}
    assert (text_within(content), as_text(content, "Done.")) == ("content", {"content": "Done."})
    for other in (None, {"type": "string", "enum": ["a"]}, {"type": "string", "format": "date"}, {"type": "integer"}):
        assert text_within(other) is None
    assert text_within({"type": "object", "properties": {"name": TEXT}}) is None


def test_tells_an_acknowledgement_from_a_value() -> None:
    assert says_nothing("Successfully created directory reports/2026", {"path": "reports/2026"}, "create_directory")
    assert says_nothing("Transfer successful", {"summary": "Lost card"}, "transfer_to_human_agents")
    assert says_nothing("Done: notes.txt", {"path": "notes.txt"}, "write_file")
    assert not says_nothing("Roaming is enabled.", {"line_id": "L1"}, "set_option")
    assert not says_nothing("Ticket 4711 created", {"title": "Lost card"}, "create_ticket")


def test_a_service_acknowledges_in_its_own_words() -> None:
    parked = tool("park_car", {"type": "string", "description": "Parked successfully"}, car=TEXT)
    assert documented(parked.returns or {}, {"car": "A"}, parked) == "Parked successfully"
    made = tool("create_order", {"type": "string", "examples": ["Success"]}, name=TEXT)
    assert documented(made.returns or {}, {"name": "A"}, made) == "Success"


@pytest.mark.parametrize("said", ["The identity of the new order", "string", "orderId", "Заказ создан", ""])
def test_a_text_that_says_more_is_no_acknowledgement(said: str) -> None:
    made = tool("create_order", {"type": "string", "description": said}, name=TEXT)
    assert documented(made.returns or {}, {"name": "A"}, made) is None


def test_what_is_acknowledged_says_nothing_more() -> None:
    assert says_nothing("Done: 7672", {}, "create_order")
