"""Pages of Markdown -> their blocks of code, and what becomes of those when a reader follows the page.

    <!-- not run: it needs a key -->   before a block: why a test leaves it alone
    <!-- file: models.yaml -->         before a block: the reader saves it under this name
    <!-- exit code: 3 -->              before a block of commands: what the last one ends with
    <!-- begins with: a workspace -->  anywhere: the page is read after the first run

The output of a block of commands is the block of text that follows. A line of `…` in it stands for lines left out.
"""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))

_BLOCK = re.compile(r"(?P<marks>(?:<!-- [^>]* -->\n)*)```(?P<kind>\w+)\n(?P<text>.*?)```\n", re.DOTALL)
_MARK = re.compile(r"<!-- (not run|file|exit code): (.*?) -->")
_LEFT_OUT = "…"
_TIMED = re.compile(r"\d+(?:\.\d+)? s \(\d+(?:\.\d+)? a second\)")
"""How fast something was made: the one thing in an output that differs from run to run."""


@dataclass(frozen=True)
class Block:
    """A block of code: its language, its text, what is marked before it, and the text from `start` to `end` that it is."""

    kind: str
    text: str
    marks: dict[str, str]
    start: int
    end: int

    def commands(self) -> list[list[str]]:
        """Return the words of each command of a block of shell."""
        lines = self.text.replace("\\\n", " ").splitlines()
        return [words for line in lines if (words := shlex.split(line, comments=True))]


def blocks_of(text: str) -> tuple[Block, ...]:
    """Return the blocks of a page, in order."""
    return tuple(
        Block(found["kind"], found["text"], dict(_MARK.findall(found["marks"])), found.start("text"), found.end("text"))
        for found in _BLOCK.finditer(text)
    )


def outputs_of(text: str) -> Iterator[tuple[Block, Block]]:
    """Yield each block of commands with the block of text that shows what they write."""
    blocks = blocks_of(text)
    for commands, shown in pairwise(blocks):
        if (commands.kind, shown.kind) == ("sh", "text") and text[commands.end : shown.start].split() == [
            "```",
            "```text",
        ]:
            yield commands, shown


def shortened(output: str, like: str) -> str:
    """Return an output with lines left out where an earlier version of it leaves some out, and with its times."""
    lines, old = [line.rstrip() for line in output.rstrip().splitlines()], like.splitlines()
    for place, time in zip(_TIMED.finditer(output), _TIMED.findall(like), strict=False):
        lines = [line.replace(place.group(), time) for line in lines]
    if _LEFT_OUT in old and len(lines) >= len(old):
        head = old.index(_LEFT_OUT)
        tail = len(old) - head - 1
        lines = [*lines[:head], _LEFT_OUT, *lines[len(lines) - tail :]]
    return "".join(f"{line}\n" for line in lines)


def links_of(text: str) -> list[str]:
    """Return the targets of links to other files."""
    return [target for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text) if "://" not in target]
