"""Nothing that others wrote reaches a terminal as anything but text."""

import ast
import json
from pathlib import Path

import pytest
from rich.table import Table
from rich.text import Text
from tests.flows.command_line import copy_clinic, interplay

from interplay.flows.console.safe_console import open_console, print_json
from interplay.flows.console.visible_text import print_line, print_note
from interplay.schemas.words.hidden_characters import visible

HOSTILE = "\x1b[31mred\x1b]0;title\x07 \x9b2J \u202eback\u2066 \u200bzero \x7f \x00 \u2028 [bold]not markup[/bold] [/x]"
RAW = "\x1b\x07\x9b\u202e\u2066\u200b\x7f\x00\u2028"


@pytest.mark.parametrize("character", RAW)
def test_escapes_what_a_terminal_acts_on(character: str) -> None:
    assert json.loads(f'"{visible(character)}"') == character
    assert visible(character).isascii()
    assert visible(character).isprintable()


@pytest.mark.parametrize("text", ["plain", "Grüße\n\tan 東京", "می\u200cخواهم", "👩\u200d🔬", "עברית"])
def test_leaves_what_people_write(text: str) -> None:
    assert visible(text) == text


def test_half_a_character_can_be_printed() -> None:
    assert visible("\ud83d").encode() == b"\\ud83d"


def test_everything_printed_goes_through_the_gate(capsys: pytest.CaptureFixture[str]) -> None:
    console = open_console()
    table = Table("name")
    table.add_row(Text(HOSTILE))
    for shown in (HOSTILE, Text(HOSTILE), table):
        console.print(shown)
    console.print(HOSTILE, style="dim")
    print_json({HOSTILE: [HOSTILE]})
    print_line(HOSTILE)
    print_note(HOSTILE)
    written = capsys.readouterr()
    assert not set(written.out + written.err) & set(RAW)
    assert written.out.count("[bold]not markup[/bold]") >= 6
    assert written.err.count("\n") == 1


def test_a_document_stays_the_same_document(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"said": HOSTILE})
    assert json.loads(capsys.readouterr().out) == {"said": HOSTILE}


def test_nothing_is_printed_by_another_way() -> None:
    gates = {"visible_text.py", "safe_console.py", "progress_display.py"}
    for path in Path(__file__).parents[3].joinpath("flows").rglob("*.py"):
        calls = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
        fixed = [call for call in calls if call.args and all(isinstance(given, ast.Constant) for given in call.args)]
        names = {ast.unparse(call.func) for call in calls if call not in fixed}
        raw = {name for name in names if name == "print" or name.endswith((".echo", "stdout.write", "stderr.write"))}
        raw |= {name for name in names if name.split(".")[-1] == "Console"}
        assert not raw or path.name in gates, (path, raw)


@pytest.fixture
def hostile_tools(tmp_path: Path) -> Path:
    parameters = {
        "type": "object",
        "properties": {"note_id": {"type": "string", "description": HOSTILE, "enum": [HOSTILE, "a"]}},
        "required": ["note_id"],
    }
    tools = [
        {"name": f"get_note_{HOSTILE}", "description": HOSTILE, "parameters": parameters},
        {"name": "list_notes", "description": f"List notes {HOSTILE}", "parameters": {"type": "object", "properties": {}}},
        {"name": HOSTILE, "description": HOSTILE, "parameters": {"type": HOSTILE, "$ref": f"#/{HOSTILE}"}},
        {"name": "set_note", "description": HOSTILE, "parameters": {"type": "object", "properties": {HOSTILE: {"type": HOSTILE}}}},
    ]  # fmt: skip
    path = tmp_path / "tools.json"
    path.write_text(json.dumps(tools))
    return path


@pytest.mark.parametrize(
    "command",
    [
        ("import",),
        ("import", "--explain"),
        ("import", "--json"),
        ("import", "--resource", HOSTILE),
        ("graph",),
        ("init", "there"),
        ("preview", "-n", "1"),
        ("run", "small.yaml", "--records", "1", "--workspace", "w"),
        ("run", HOSTILE),
        ("show", HOSTILE),
        ("check", HOSTILE),
        ("export", "--to", HOSTILE, "--workspace", HOSTILE),
    ],
    ids=lambda command: (
        " ".join(command)[:20].encode("ascii", "ignore").decode().replace("\x1b", "").replace("\x00", "")
    ),
)
def test_no_command_prints_the_text_of_others_raw(
    command: tuple[str, ...],
    hostile_tools: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "small.yaml").write_text("shard_size: 4\n")
    named = [argument.replace("\x00", "") for argument in command]
    taken = (
        ("--toolset", f"json:{hostile_tools}") if command[0] in ("import", "graph", "init", "preview", "run") else ()
    )
    answer = interplay(monkeypatch, capsys, *named, *taken)
    assert not set(answer.out + answer.err) & set(RAW), answer
    assert "Traceback" not in answer.err


def test_errors_are_json_where_json_was_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told = interplay(monkeypatch, capsys, "show", 3, "--json", "--workspace", tmp_path)
    assert (told.code, json.loads(told.out)["error"]["kind"]) == (1, "ConfigError")
    assert json.loads(told.out)["error"]["message"] in told.err
    wrong = interplay(monkeypatch, capsys, "run", "--recrods", 3, "--json")
    assert (wrong.code, json.loads(wrong.out)["error"]["kind"]) == (2, "UsageError")
    copy_clinic(tmp_path, records=4)
    assert json.loads(interplay(monkeypatch, capsys, "show", 0, "--json", "--workspace", tmp_path).out)["index"] == 0
