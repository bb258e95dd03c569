"""A docstring in Google, NumPy or reST style -> its description and what it says of each parameter.

Book a free slot.                    Docstring(
                                         summary="Book a free slot.",
Args:                         ->         description="Book a free slot.",
    slot_id: Id of the slot.             parameters={"slot_id": "Id of the slot."})
"""

import inspect
import re
from dataclasses import dataclass, field
from typing import Any

import docstring_parser
from docstring_parser.google import DEFAULT_SECTIONS, GoogleParser, Section, SectionType

from interplay.generators.importers.python.documented_results import result_schema

_MORE = ("Keyword Args", "Keyword Arguments", "Other Parameters")
_ASIDE = ("Note", "Notes", "See Also", "Warning", "Warnings", "Yield", "Return")
_GOOGLE = GoogleParser(
    [
        *DEFAULT_SECTIONS,
        *(Section(title, "param", SectionType.MULTIPLE) for title in _MORE),
        *(Section(title, "aside", SectionType.SINGULAR) for title in _ASIDE[:5]),
        *(Section(title, "returns", SectionType.SINGULAR_OR_MULTIPLE) for title in _ASIDE[5:]),
    ]
)
"""The sections that docstring_parser knows, and those that it takes for description."""


@dataclass(frozen=True)
class Docstring:
    """What a docstring says: its first line, its text without sections, each parameter (and its type), the result.

    `result` is the schema of what is returned, where its fields are named.
    """

    summary: str = ""
    description: str = ""
    parameters: dict[str, str] = field(default_factory=dict)
    returns: str = ""
    types: dict[str, str] = field(default_factory=dict)
    result: dict[str, Any] | None = None


def parse_docstring(text: str | None) -> Docstring:
    """Split `text` into description, parameters and result, whichever style it is written in."""
    parsed = _parsed(inspect.cleandoc(text or ""))
    paragraphs = [_joined(part) for part in re.split(r"\n\s*\n", parsed.description or "")]
    description = "\n\n".join(part for part in paragraphs if part)
    parameters: dict[str, str] = {}
    types: dict[str, str] = {}
    for parameter in parsed.params:
        if parameter.args[:1] == ["attribute"]:
            continue
        for name in re.split(r"\s*,\s*", parameter.arg_name.lstrip("*")):
            parameters[name] = _joined(parameter.description or "")
            types |= {name: parameter.type_name} if parameter.type_name else {}
    returns = _joined(parsed.returns.description or "") if parsed.returns else ""
    return Docstring(description.partition("\n")[0], description, parameters, returns, types, _result(parsed))


def _result(parsed: docstring_parser.Docstring) -> dict[str, Any] | None:
    """Return the schema of the result, as far as fields are named."""
    if parsed.returns is None:
        return None
    named = [
        (item.return_name or "", item.type_name or "", item.description or "")
        for item in parsed.many_returns
        if item.return_name
    ]
    text = (parsed.returns.description or "") if not named else ""
    return result_schema(parsed.returns.type_name if not named else None, text, named)


def _parsed(text: str) -> docstring_parser.Docstring:
    """Return what the style makes of a docstring that finds most in it."""
    found = []
    for parse in (_GOOGLE.parse, docstring_parser.numpydoc.parse, docstring_parser.rest.parse):
        try:
            found.append(parse(text))
        except docstring_parser.ParseError:
            continue
    return max(found, key=lambda parsed: len(parsed.meta)) if found else docstring_parser.Docstring()


def _joined(text: str) -> str:
    return " ".join(line.strip() for line in text.splitlines() if line.strip())
