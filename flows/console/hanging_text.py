"""A label and a text -> lines that fit the terminal, with a hanging indent: continuation lines start below the text."""

from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from interplay.schemas.words.hidden_characters import visible

NARROWEST = 16
"""The least columns given to the text; a narrower terminal cuts it."""


@dataclass(frozen=True)
class Hanging:
    """A label with a text wrapped beside it; lines stay whole if the output is not a terminal, for other programs to read."""

    beginning: Text
    text: Text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        beginning, text = _shown(self.beginning), _shown(self.text)
        indent = beginning.cell_len
        if console.soft_wrap:
            lines = list(text.split("\n", allow_blank=True)) or [Text()]
        else:
            lines = list(text.wrap(console, max(options.max_width - indent, NARROWEST), tab_size=4)) or [Text()]
        for place, line in enumerate(lines):
            line.rstrip()
            start = beginning if place == 0 else Text(" " * indent)
            whole = Text.assemble(start, line, end="\n")
            whole.rstrip()
            yield from whole.render(console, end="\n")


def _shown(text: Text) -> Text:
    """Return a text with hidden characters escaped, so that it can be measured; styles are kept."""
    if visible(text.plain) == text.plain:
        return text.copy()
    shown = Text(style=text.style)
    for part in text.divide(sorted({place for span in text.spans for place in (span.start, span.end)})):
        shown.append(visible(part.plain), part.spans[0].style if part.spans else None)
    return shown
