"""What is told of tools whose answers nothing backs."""

import json
from pathlib import Path

import pytest
from tests.flows.commands import interplay
from tests.flows.test_plain_answers import TOOLS, definition

from interplay.flows.fitness import fitness_of, warnings_of
from interplay.flows.sources import import_source

ROW = {"type": "object", "properties": {"id": {"type": "string"}, "title": {"type": "string"}}, "required": ["id"]}
SHOP = (
    *TOOLS,
    definition("get_book", "Get a book.", "book_id", result=ROW),
    definition("get_weather", "Get the weather.", "city"),
    definition(
        "judge_style", "Judge a style.", "text", result={"type": "object", "properties": {"score": {"type": "number"}}}
    ),
    definition("get_shelf", "Get a shelf.", "shelf_id"),
)


@pytest.fixture
def source(tmp_path: Path) -> str:
    """Return the specification of tools of all kinds."""
    (tmp_path / "shop.json").write_text(json.dumps({"tools": SHOP}))
    return f"json:{tmp_path / 'shop.json'}"


def test_tells_what_answers_rest_on(source: str) -> None:
    found = fitness_of(import_source(source))
    assert (found.answers, found.tools, found.stateful) == ("sandbox", 8, 3)
    assert found.unbacked == ("get_weather", "judge_style")
    assert (found.plain, found.silent, found.undescribed) == (3, 1, ("get_shelf",))
    first, remedy, last = warnings_of([found])
    assert "2 answer with values that nothing backs: get_weather, judge_style." in first
    assert "outputSchema" in remedy
    assert "get_shelf shows rows of which no schema says what they hold" in last


def test_says_nothing_where_code_answers() -> None:
    found = fitness_of(import_source("domain:clinic"))
    assert (found.answers, found.unbacked) == ("code", ())
    assert warnings_of([found]) == []


@pytest.mark.parametrize("command", ["import", "explain", "init", "run"])
def test_each_command_that_takes_tools_tells_it(
    command: str, source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = {
        "import": ["import", "--toolset", source],
        "explain": ["import", "--toolset", source, "--explain", "--no-run"],
        "init": ["init", str(tmp_path / "mine"), "--toolset", source],
        "run": ["run", "--toolset", source, "--records", "2", "--workspace", str(tmp_path / "workspace")],
    }[command]
    said = " ".join(interplay(monkeypatch, capsys, *arguments).out.split())
    assert "2 answer with values that nothing backs: get_weather, judge_style." in said


def test_machines_read_it_too(source: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    listed = json.loads(interplay(monkeypatch, capsys, "import", "--toolset", source, "--json").out)
    assert [item["unbacked"] for item in listed["fitness"]] == [["get_weather", "judge_style"]]
