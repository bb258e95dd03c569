"""Figures, rows and dialogues -> HTML in which untrusted text can never act as markup or script.

Templates escape whatever they print, with hidden characters made visible, and never mark a text as safe. Pictures come as
`Drawn`, whose texts were escaped when they were drawn.
"""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from interplay.schemas.json.canonical import MISSING
from interplay.schemas.words.hidden_characters import visible

_HERE = Path(__file__).parent
ASSETS = {"viewer.css": "text/css; charset=utf-8", "viewer.js": "text/javascript; charset=utf-8"}
"""The static files of the pages -> their media types."""


def asset(name: str) -> bytes:
    """Return the bytes of one of `ASSETS`."""
    return (_HERE / name).read_bytes()


@dataclass(frozen=True)
class Drawn:
    """A picture of `report.drawings` that templates print unescaped; all untrusted text in it is escaped already."""

    picture: str

    def __html__(self) -> str:
        """Return the SVG, so that templates do not escape it."""
        return self.picture


def page(template: str, **told: Any) -> str:
    """Render the page with the template `template`, passing it the values `told`."""
    return _environment().get_template(f"{template}.html.j2").render(**told)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_HERE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
    )
    environment.filters["cut"] = _cut
    environment.filters["there"] = _there
    environment.filters["width"] = lambda part, whole: f"{100 * part / whole:.2f}" if whole else "0"
    environment.filters["commas"] = lambda number: "–" if number is None else f"{number:,.0f}"
    environment.filters["side"] = lambda value: "nothing" if value == MISSING else json.dumps(value, ensure_ascii=False)
    environment.filters["pretty"] = lambda value: json.dumps(value, ensure_ascii=False, indent=1)
    return environment


def _shown(value: Any) -> Any:
    return visible(value) if isinstance(value, str) and not hasattr(value, "__html__") else value


def _there(message: int, begin: int, step: int, prefix: str = "m") -> str:
    """Return the link to a message, from a page of the dialogue that shows `step` messages from `begin` on."""
    here = begin <= message < begin + step
    return f"{'' if here else f'?begin={message // step * step}'}#{prefix}{message}"


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[:length]} …"
