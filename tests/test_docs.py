"""What the README and the pages under docs/ say is done: commands run, outputs are real, snippets load, links lead somewhere.

`DOCS=write pytest tests/test_docs.py -n 0` puts what commands write today in place of the outputs that are shown; `make docs`
does so before it builds the site.
"""

import asyncio
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from docs.reference import PAGES as GENERATED
from jsonschema import Draft202012Validator
from tests.documents import PAGES, ROOT, Block, blocks_of, links_of, outputs_of, shortened
from tests.flows.brains import Objection, ReplayingBrain, ReviewingBrain, heard_over_any_wire
from tests.flows.command_line import interplay
from tests.flows.runs.test_model_run import by_rules
from tests.flows.serving import serving
from tests.model_server.answers import Answer, Ask
from tests.model_server.misbehaviour import Settings
from tests.model_server.server import ModelServer
from typer.main import get_command

from interplay.flows.commands.cli import app
from interplay.flows.settings.config import RunConfig
from interplay.flows.settings.config_file import parse_config
from interplay.flows.settings.config_schema import config_schema
from interplay.flows.worlds.assembly import open_world
from interplay.outputs.store.dataset_store import DatasetStore
from interplay.schemas.json.canonical import canonical_json
from interplay.schemas.publish import schema_of
from interplay.schemas.records.behaviour import BEHAVIOURS
from interplay.schemas.records.dialogue import ToolCall
from interplay.schemas.records.fault import FAULTS
from interplay.schemas.records.override import Overrides
from interplay.schemas.records.tool import Requestor
from interplay.schemas.records.verdict import DatasetRecord

WRITE = os.environ.get("DOCS") == "write"
SCHEMA = Draft202012Validator(config_schema())
LOCAL, ANTHROPIC = "http://localhost:8000/v1", "https://api.anthropic.com"
MODELS = {"local": {"model": "m", "base_url": LOCAL}, "large": {"model": "n", "provider": "anthropic"}}
"""The models of the page on models, for settings shown elsewhere that name them."""

ROOMS = ("schemas", "generators", "validators", "outputs", "flows")
OWN_TEST = {"python-api.md"}
"""Pages that a test of their own follows: tests/flows/test_python_api.py."""


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


class Reader:
    """Follows a page in a folder: saves files, runs commands, asks the store."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], server: ModelServer
    ) -> None:
        self._monkeypatch, self._capsys, self._server = monkeypatch, capsys, server
        self._names: dict[str, object] = {"__name__": "__page__"}

    def follow(self, text: str) -> str:
        """Follow a page; return it with the outputs that its commands have today."""
        shown = {commands.start: block for commands, block in outputs_of(text)}
        today = text
        for block in blocks_of(text):
            output = self._take(block)
            if block.start in shown and "not run" not in block.marks:
                old = shown[block.start].text
                today = today.replace(f"```text\n{old}```", f"```text\n{shortened(output, old)}```", 1)
        return today

    def _take(self, block: Block) -> str:
        if "file" in block.marks:
            path = Path(block.marks["file"])
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(self._addressed(block.text), encoding="utf-8")
        if "not run" in block.marks:
            assert block.marks["not run"].strip()
            return ""
        if block.kind == "sh":
            return "".join(self._run(words, block) for words in block.commands())
        if block.kind == "yaml":
            check_yaml(block.text)
        elif block.kind == "json":
            yaml.safe_load(block.text)
        elif block.kind == "python" and "file" not in block.marks:
            exec(compile(block.text, "page", "exec"), self._names)
        elif block.kind == "sql":
            with DatasetStore(Path("workspace/dataset.duckdb")) as store:
                store.query(block.text)
        return ""

    def _run(self, words: list[str], block: Block) -> str:
        assert words[0] == "interplay", f"{words}: only `interplay` is run here; say why another command is not run"
        answer = interplay(self._monkeypatch, self._capsys, *words[1:])
        expected = int(block.marks.get("exit code", 0))
        assert answer.code in (0, expected), f"{' '.join(words)}: {answer.code} {answer.err}"
        output = answer.out + (answer.err if answer.code == 1 else "")
        return output.replace(self._server.openai_url, LOCAL).replace(self._server.anthropic_url, ANTHROPIC)

    def _addressed(self, text: str) -> str:
        """Return a file with the addresses of models on this machine."""
        text = text.replace(LOCAL, self._server.openai_url)
        return text.replace("provider: anthropic,", f'provider: anthropic, base_url: "{self._server.anthropic_url}",')


def check_yaml(text: str) -> None:
    """Check that a snippet is a configuration that is accepted, here and by editors, or a file of overrides."""
    content = yaml.safe_load(text)
    if not set(content) <= set(RunConfig.model_fields):
        Overrides.model_validate(content)
        return
    SCHEMA.validate(content)
    parse_config({"models": MODELS, **content} if "roles" in content else content, "snippet")


def finds_the_lie(question: str) -> list[Objection]:
    """Object to the deed of the page on reviews that no call did."""
    lie = "I have paid it."
    return [("deeds", 1, lie)] if f"[1] assistant: {lie}" in question else []


@pytest.fixture(scope="module")
def server() -> Iterator[ModelServer]:
    """A server that answers like the models of the pages."""
    with serving(Settings(), ReviewingBrain(Designer(ReplayingBrain(by_rules())), finds_the_lie)) as running:
        yield running


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A folder with the examples alone, and one in which the first run was made."""
    empty, ran = tmp_path_factory.mktemp("empty"), tmp_path_factory.mktemp("ran")
    for folder in (empty, ran):
        shutil.copytree(ROOT / "docs/examples", folder / "docs/examples")
    command = [Path(sys.executable).with_name("interplay"), "run", "--records", "30"]
    subprocess.run(command, cwd=ran, check=True, capture_output=True, timeout=600)
    return empty, ran


@pytest.mark.parametrize("page", [page for page in PAGES if page.name not in OWN_TEST], ids=lambda page: page.name)
def test_who_follows_a_page_gets_what_it_shows(
    page: Path,
    folders: tuple[Path, Path],
    server: ModelServer,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    text = page.read_text(encoding="utf-8")
    shutil.copytree(folders["<!-- begins with: a workspace -->" in text], tmp_path / "here")
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.syspath_prepend(tmp_path / "here")
    monkeypatch.setenv("COLUMNS", "110")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "unused")
    today = Reader(monkeypatch, capsys, server).follow(text)
    if WRITE:
        page.write_text(today, encoding="utf-8")
    assert today == text or WRITE, "outputs have changed; `make docs` writes those of today"


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md"], ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in links_of(page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md"], ids=lambda page: page.name)
def test_paths_into_the_rooms_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    examples = set(re.findall(r"^<!-- file: (\S+) -->", text, re.MULTILINE))
    for path in re.findall(rf"`((?:{'|'.join(ROOMS)})/[\w/.]*)`", text):
        assert (ROOT / path).exists() or path in examples, path


@pytest.mark.parametrize("page", GENERATED, ids=lambda page: Path(page).name)
def test_a_generated_page_says_what_is_so_today(page: str) -> None:
    text = GENERATED[page]()
    assert (ROOT / "docs" / page).read_text(encoding="utf-8") == text, "`make docs` writes it anew"


def test_the_tools_of_the_page_on_own_code_keep_their_sides_in_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocks = blocks_of((ROOT / "docs/own-api.md").read_text(encoding="utf-8"))
    [shown] = [block.text for block in blocks if block.marks.get("file") == "support.py"]
    (tmp_path / "page_support.py").write_text(shown)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    environment = open_world(["python:page_support:Support"]).environment
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


def values(schema: Any) -> Iterator[str]:
    """Yield the words of which a field of a record holds one."""
    if isinstance(schema, dict):
        yield from (word for word in schema.get("enum", ()) if isinstance(word, str) and word)
        for inner in schema.values():
            yield from values(inner)
    elif isinstance(schema, list):
        for inner in schema:
            yield from values(inner)


def test_the_glossary_has_every_word_that_a_record_may_hold() -> None:
    glossary = (ROOT / "docs/glossary.md").read_text(encoding="utf-8")
    missing = [word for word in dict.fromkeys(values(schema_of(DatasetRecord))) if f"`{word}`" not in glossary]
    assert missing == []


def test_the_page_on_behaviours_has_every_behaviour_and_every_fault() -> None:
    page = (ROOT / "docs/behaviours.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
    assert {*BEHAVIOURS, *FAULTS} <= {word for row in rows for word in re.findall(r"`(\w+)`", row)}


NEEDS_A_SERVER = {"deploy"}
"""Commands that tests/flows/test_pipeline.py runs instead."""


def test_every_command_is_run_on_a_page() -> None:
    blocks = [block for page in PAGES for block in blocks_of(page.read_text(encoding="utf-8"))]
    shell = [block for block in blocks if block.kind == "sh" and "not run" not in block.marks]
    run = {words[1] for block in shell for words in block.commands()}
    assert set(getattr(get_command(app), "commands")) - run == NEEDS_A_SERVER  # noqa: B009  (typer's group is not typed)


def test_the_readme_names_targets_that_make_has() -> None:
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = set(re.findall(r"\bmake (\w+) *(?:#|`)", (ROOT / "README.md").read_text(encoding="utf-8")))
    assert {"demo", "test", "docs"} <= named <= targets


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 150


def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    pytest.importorskip("material", reason="the extra `docs` is not installed")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr


def test_lines_are_left_out_of_an_output_where_they_were() -> None:
    assert shortened("a\nb\nc\nd\n", "a\n…\nz\n") == "a\n…\nd\n"


def test_a_time_stays_as_it_was() -> None:
    assert (
        shortened("made in 2.5 s (8 a second).\n", "made in 3 s (7.1 a second).\n") == "made in 3 s (7.1 a second).\n"
    )
