"""What the README says is run."""

import asyncio
import re
import shlex
from pathlib import Path

import pytest
import yaml
from tests.flows.brains import ReplayingBrain, heard_over_any_wire
from tests.flows.command_line import interplay
from tests.flows.commands.test_command_line import PETS
from tests.flows.runs.test_model_run import by_rules
from tests.flows.serving import serving
from tests.model_server.answers import Answer, Ask
from tests.model_server.misbehaviour import Settings
from tests.model_server.server import ModelServer
from typer.main import get_command

from interplay.flows.commands.cli import app
from interplay.flows.worlds.assembly import open_world
from interplay.outputs.store.dataset_store import DatasetStore
from interplay.schemas.json.canonical import canonical_json
from interplay.schemas.records.dialogue import ToolCall
from interplay.schemas.records.tool import Requestor

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SHELL = "\n".join(re.findall(r"```sh\n(.*?)```", README, re.DOTALL))
COMMANDS = [shlex.split(line, comments=True)[1:] for line in SHELL.splitlines() if line.startswith("interplay ")]

PRICES = """
date: 2026-01-01
prices:
  - {host: "*", model: "*", input: 1, output: 2}
"""


class Designer:
    """Designs one tool where tools are wanted; leaves all else to another brain."""

    def __init__(self, other: ReplayingBrain) -> None:
        self._other = other

    def __call__(self, ask: Ask) -> Answer | None:
        if "design the tools of an assistant" not in str(heard_over_any_wire(ask)[:1]):
            return self._other(ask)
        text = '{"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}'
        tool = {
            "name": "find_book",
            "description": "Find a book.",
            "parameters": text,
            "returns": text,
            "reads_only": True,
        }
        return Answer(text=canonical_json({"tools": [tool]}))


def models_file(server: ModelServer) -> str:
    """Return the configuration that the README shows, with all addresses on this machine."""
    [shown] = [block for block in re.findall(r"```yaml\n(.*?)```", README, re.DOTALL) if block.startswith("models:")]
    settings = yaml.safe_load(shown)
    settings["models"]["local"]["base_url"] = server.openai_url
    settings["models"]["large"]["base_url"] = server.anthropic_url
    return yaml.safe_dump(settings)


def subcommands() -> dict[str, object]:
    return getattr(get_command(app), "commands")  # noqa: B009  (typer's group is not typed)


def test_every_command_of_the_readme_works_and_every_query_answers(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "your_api.yaml").write_text(PETS)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "unused")
    with serving(Settings(), Designer(ReplayingBrain(by_rules()))) as server:
        (tmp_path / "models.yaml").write_text(models_file(server))
        (tmp_path / "prices.yaml").write_text(PRICES)
        (tmp_path / "house_rules.md").write_text("Be kind.")
        for command in COMMANDS:
            answer = interplay(monkeypatch, capsys, *command)
            assert answer.code == 0, f"interplay {' '.join(command)}: {answer.err}"
    with DatasetStore(tmp_path / "workspace/dataset.duckdb") as store:
        for query in re.findall(r"```sql\n(.*?)```", README, re.DOTALL):
            store.query(query)


def test_the_tools_of_the_readme_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    [shown] = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    (tmp_path / "readme_support.py").write_text(shown)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    environment = open_world(["python:readme_support:Support"]).environment
    sides: list[tuple[str, Requestor, dict[str, str]]] = [
        ("check_signal", "user", {}),
        ("enable_roaming", "assistant", {"line_id": "L1"}),
        ("check_signal", "user", {}),
    ]
    calls = [
        ToolCall(id=f"{index:09}", name=name, requestor=whose, arguments=given)
        for index, (name, whose, given) in enumerate(sides)
    ]
    assert [asyncio.run(environment.call(call)).value for call in calls] == [False, "Roaming is enabled.", True]


@pytest.mark.parametrize("name", sorted(subcommands()))
def test_a_command_is_shown_in_the_readme(name: str) -> None:
    assert name in {command[0] for command in COMMANDS}


@pytest.mark.parametrize("name", sorted(subcommands()))
def test_a_command_and_its_options_explain_themselves(name: str) -> None:
    command = subcommands()[name]
    assert getattr(command, "help", "")
    for parameter in getattr(command, "params", []):
        assert getattr(parameter, "help", "") or parameter.name == "help", parameter.name


def test_the_layout_names_what_is_there() -> None:
    layout = re.findall(r"## Layout\n\n```\n(.*?)```", README, re.DOTALL)[0]
    folder = ""
    for line in layout.splitlines():
        name = line.split()[0]
        folder = name if not line.startswith(" ") and name.endswith("/") else folder if line.startswith(" ") else ""
        place = name if name == folder else f"{folder}{name}"
        assert (ROOT / place).exists(), place


@pytest.mark.parametrize("room", ["flows", "schemas"])
def test_the_layout_leaves_no_file_out(room: str) -> None:
    for path in (ROOT / room).glob("*.py"):
        if path.name not in ("__init__.py", "record.py"):
            assert f"  {path.name}" in README, path


def test_links_lead_somewhere() -> None:
    for name in ("README.md", "CONTRIBUTING.md"):
        for target in re.findall(r"\]\(([^)#]+)\)", (ROOT / name).read_text(encoding="utf-8")):
            assert (ROOT / target).exists(), target
