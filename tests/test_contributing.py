"""CONTRIBUTING.md shows how to add one of each: its blocks are put into a copy of the repository, and its commands run there.

A block marked `file: PATH` is a file; a block of kind `diff` is a change of one: its lines without `+` stand there once.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.documents import ROOT, blocks_of, links_of

TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
COMMANDS = """
import json, os, sys
import pytest
from interplay.flows.commands.cli import command_line
for number, words in enumerate(json.loads(sys.argv[1])):
    os.dup2(os.open(f"{number}.told", os.O_CREAT | os.O_WRONLY), 1)
    try:
        if words[0] == "pytest":
            sys.exit(pytest.main(["-n", "0", "-p", "no:cacheprovider", *words[1:]]))
        sys.argv = words
        command_line()
    except SystemExit as ended:
        sys.stdout.flush()
        if ended.code:
            sys.exit(f"{words}: {ended.code}")
"""
"""Runs commands one after another in one process; what each writes is a file."""
LEFT_BEHIND = shutil.ignore_patterns(".*_cache", ".venv", ".git", ".hypothesis", "build")


@dataclass(frozen=True)
class Followed:
    """A copy of the repository in which a section was followed, and what its commands wrote."""

    folder: Path
    outputs: dict[str, str]

    def output(self, beginning: str) -> str:
        """Return what the one command wrote that begins so."""
        [found] = [text for command, text in self.outputs.items() if command.startswith(beginning)]
        return found


def section(heading: str) -> str:
    """Return the text below a heading."""
    return TEXT.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]


def follow(heading: str, folder: Path) -> Followed:
    """Do what a section says in a copy of the repository in `folder`."""
    copy = folder / "copy"
    shutil.copytree(ROOT, copy, symlinks=True, ignore=LEFT_BEHIND)
    blocks = blocks_of(section(heading))
    for block in blocks:
        if "file" in block.marks:
            file = copy / block.marks["file"]
            assert block.kind == "diff" or not file.exists(), (
                f"{file}: the example exists; take another in CONTRIBUTING.md"
            )
            known = file.read_text(encoding="utf-8") if block.kind == "diff" else ""
            file.write_text(changed(known, block.text) if block.kind == "diff" else block.text, encoding="utf-8")
    commands = [words for block in blocks if block.kind == "sh" for words in block.commands()]
    return Followed(copy, run(commands, copy))


def changed(text: str, diff: str) -> str:
    """Return a text with one change made."""
    lines = diff.splitlines(keepends=True)
    before = "\n" + "".join(line[1:] for line in lines if line[0] != "+")
    after = "\n" + "".join(line[1:] for line in lines if line[0] != "-")
    times = f"\n{text}".count(before)
    assert times == 1, f"stands there {times} times: {before}"
    return f"\n{text}".replace(before, after)[1:]


def run(commands: list[list[str]], copy: Path) -> dict[str, str]:
    """Run commands with the modules of the copy; return what each writes."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (copy / ".typing", copy))), "COLUMNS": "160"}
    environment.pop("PYTEST_ADDOPTS", None)
    command = [sys.executable, "-c", COMMANDS, json.dumps(commands)]
    done = subprocess.run(
        command, cwd=copy, env=environment, stderr=subprocess.PIPE, text=True, timeout=600, stdin=subprocess.DEVNULL
    )
    told = [path.read_text(encoding="utf-8") for path in sorted(copy.glob("*.told"))]
    assert done.returncode == 0, f"{done.stderr}\n{told[-1:]}"
    return {shlex.join(words): output for words, output in zip(commands, told, strict=True)}


@pytest.mark.parametrize(
    ("heading", "name", "record"),
    [("A pattern", "look_first", "Recipe"), ("A behaviour", "thanks_ahead", "PlannedBehaviour")],
)
def test_a_pattern_or_behaviour_that_is_added_is_drawn_played_and_published(
    heading: str, name: str, record: str, tmp_path: Path
) -> None:
    followed = follow(heading, tmp_path)
    assert f'"{name}"' in followed.output("interplay preview")
    published = f"schemas/published/{record}.schema.json"
    assert [f'"{name}"' in (folder / published).read_text() for folder in (ROOT, followed.folder)] == [False, True]


def test_a_check_that_is_added_judges_every_dialogue(tmp_path: Path) -> None:
    followed = follow("A check", tmp_path)
    record = json.loads(followed.output("interplay preview"))
    assert [verdict["check"] for verdict in record["verdicts"]].index("brevity") > 0
    assert record["status"] == "accepted"


def test_an_item_that_is_added_is_asked_of_every_dialogue(tmp_path: Path) -> None:
    followed = follow("An item for reviewers", tmp_path)
    assert " passed" in followed.output("pytest")


def test_a_fault_that_is_added_happens_and_is_recovered_from(tmp_path: Path) -> None:
    followed = follow("A fault", tmp_path)
    assert '"maintenance"' in (followed.folder / "schemas/published/Fault.schema.json").read_text(encoding="utf-8")
    figures = json.loads(followed.output("interplay stats"))
    assert figures["faults"]["maintenance"] > 0


def test_a_format_that_is_added_is_offered_described_and_loaded_again(tmp_path: Path) -> None:
    followed = follow("An export format", tmp_path)
    assert "transcript" in followed.output("interplay export --help")
    assert "reloaded 20/20 identical" in followed.output("interplay export --workspace")
    card = (followed.folder / "exported/README.md").read_text(encoding="utf-8")
    assert "`transcript`, as jsonl. Each dialogue as one text, a line for each message." in card
    assert re.search(r"^- calls of tools and their results: \d+$", card, re.MULTILINE)


def test_a_change_that_fits_nowhere_or_twice_is_refused() -> None:
    for text in ("b = 1\n", "a = 1\n\na = 1\n"):
        with pytest.raises(AssertionError, match="stands there"):
            changed(f"{text}\n", " a = 1\n+b = 2\n")


def test_the_files_that_are_named_exist() -> None:
    assert [link for link in links_of(TEXT) if not (ROOT / link).exists()] == []
