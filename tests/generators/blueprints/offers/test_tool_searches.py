"""How the assistant searches for tools where all that it needs is offered."""

import json
from pathlib import Path

from tests.generators.worlds import records

from interplay.schemas.records.tool import SEARCH_TOOL


def test_nobody_searches_twice_for_the_same(tmp_path: Path) -> None:
    parameters = {"type": "object", "properties": {"shelf": {"type": "string"}}, "required": ["shelf"]}
    path = tmp_path / "boxes.json"
    path.write_text(json.dumps([{"name": "count_boxes", "description": "Count boxes", "input_schema": parameters}]))
    searched = 0
    for record in records(f"json:{path}", 90, recipes={"sense": 0, "tool_search": 0.2}):
        calls = record.trajectory.calls() if record.trajectory is not None and record.blueprint is not None else ()
        faulted = record.blueprint is not None and bool(record.blueprint.recipe.faults)
        queries = [call.arguments["query"] for call in calls if call.name == SEARCH_TOOL]
        searched += len(queries)
        assert faulted or len(queries) == len(set(queries))
    assert searched > 5
