"""CONTRIBUTING.md: a pattern and a behaviour added as it says, to a copy of the project, are used there."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.documents import ROOT, Block, blocks_of

RUN = "from interplay.flows.commands.cli import main; main()"
COPIED = ("flows", "generators", "outputs", "schemas", "validators", "tests", ".typing")


def section(title: str) -> str:
    """Return the text below a heading of CONTRIBUTING.md, up to the next one."""
    text = (ROOT / "CONTRIBUTING.md").read_text()
    return re.split(r"^## ", text.split(f"\n## {title}\n")[1], flags=re.MULTILINE)[0]


def add(block: Block, tree: Path) -> None:
    """Save a block as a file, or insert its lines marked by a plus after the line that stands before them."""
    path = tree / block.marks["file"]
    if block.kind != "diff":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text)
        return
    known, place = path.read_text().splitlines(), 0
    for line in block.text.splitlines():
        if line.startswith("+"):
            known.insert(place, line[1:])
            place += 1
        else:
            assert known.count(line[1:]) == 1, f"{path} must have one line {line[1:]!r}"
            place = known.index(line[1:]) + 1
    path.write_text("\n".join(known) + "\n")


@pytest.mark.parametrize(
    ("title", "name", "record"), [("A pattern", "look_first", "Recipe"), ("A behaviour", "thanks_ahead", "Behave")]
)
def test_what_is_added_as_contributing_says_is_made_and_shown(
    title: str, name: str, record: str, tmp_path: Path
) -> None:
    tree = tmp_path / "copy"
    for folder in COPIED:
        shutil.copytree(ROOT / folder, tree / folder, symlinks=True)
    shutil.copy(ROOT / "pyproject.toml", tree)
    blocks = [block for block in blocks_of(section(title)) if "file" in block.marks]
    for block in blocks:
        add(block, tree)
    test = next(block.marks["file"] for block in blocks if Path(block.marks["file"]).name.startswith("test_"))

    def python(*words: str) -> str:
        """Run Python in the copy, and return what it writes."""
        told = {**os.environ, "PYTHONPATH": str(tree / ".typing")}
        done = subprocess.run([sys.executable, *words], cwd=tree, env=told, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    python("-m", "pytest", "-q", "-p", "no:cacheprovider", test)
    python("-c", RUN, "schemas", "--to", "schemas/published")
    assert f'"{name}"' in (tree / f"schemas/published/{record}.schema.json").read_text()
    assert f'"{name}"' not in (ROOT / f"schemas/published/{record}.schema.json").read_text()
    asked = {"pattern": "patterns", "behaviour": "behaviours"}[title.split()[-1]]
    (tree / "interplay.yaml").write_text(f"toolset: domain:clinic\nrecipes: {{{asked}: {{{name}: 1.0}}}}\n")
    assert name in python("-c", RUN, "preview", "--count", "2", "--json")
