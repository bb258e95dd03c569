"""What a command prints -> standard output, in which nothing of others acts on the terminal."""

import json
import sys
from dataclasses import dataclass
from typing import Any

from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderHook, RenderResult
from rich.segment import Segment

from interplay.flows.console.visible_text import print_line
from interplay.schemas.words.hidden_characters import visible


def open_console() -> Console:
    """Return a console on standard output; lines are cut by the terminal, not by us, when nobody watches.

    What it prints of others is only ever shown: no markup is read in it, and `visible` escapes what a terminal acts on.
    """
    return gated(Console(soft_wrap=not sys.stdout.isatty(), highlight=False, markup=False, emoji=False))


def gated(console: Console) -> Console:
    """Return a console that shows characters which a terminal would act on."""
    console.push_render_hook(_Gate())
    return console


class _Gate(RenderHook):
    """Lets the text of everything that is drawn through `visible`; what rich itself tells the terminal stays."""

    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        return [_Shown(renderable) for renderable in renderables]


@dataclass(frozen=True)
class _Shown:
    renderable: ConsoleRenderable

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for segment in console.render(self.renderable, options):
            yield segment if segment.control else Segment(visible(segment.text), segment.style)


def print_json(value: Any) -> None:
    """Write one JSON document to standard output, for machines."""
    print_line(json.dumps(value, ensure_ascii=False, indent=2))
