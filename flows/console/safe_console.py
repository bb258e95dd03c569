"""A rich console on standard output, on which no printed text can control the terminal."""

import json
import sys
from dataclasses import dataclass
from typing import Any

from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderHook, RenderResult
from rich.segment import Segment

from interplay.flows.console.visible_text import print_line
from interplay.schemas.words.hidden_characters import visible


def open_console() -> Console:
    """Return a console on standard output; if that is not a terminal, lines are not wrapped.

    Markup is off, and control and hidden characters are escaped, so that untrusted text is only ever displayed.
    """
    return gated(Console(soft_wrap=not sys.stdout.isatty(), highlight=False, markup=False, emoji=False))


def gated(console: Console) -> Console:
    """Return the console, changed to escape control and hidden characters."""
    console.push_render_hook(_Gate())
    return console


class _Gate(RenderHook):
    """Passes the text of everything that is rendered through `visible`; rich's own control codes are kept."""

    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        return [_Shown(renderable) for renderable in renderables]


@dataclass(frozen=True)
class _Shown:
    renderable: ConsoleRenderable

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for segment in console.render(self.renderable, options):
            yield segment if segment.control else Segment(visible(segment.text), segment.style)


def print_json(value: Any) -> None:
    """Print one JSON document on standard output, for programs."""
    print_line(json.dumps(value, ensure_ascii=False, indent=2))
