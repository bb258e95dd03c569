"""A docstring in Google, NumPy or reST style -> its description and what it says of each parameter.

Book a free slot.                    Docstring(
                                         summary="Book a free slot.",
Args:                         ->         description="Book a free slot.",
    slot_id: Id of the slot.             parameters={"slot_id": "Id of the slot."})
"""

import inspect
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import zip_longest

_GOOGLE = re.compile(
    r"^(Args|Arguments|Keyword Args|Keyword Arguments|Other Parameters|Parameters|Params|Returns?|Yields?|Raises|Examples?|Notes?|Attributes|See Also|Warnings?):\s*$"
)
_RULER = re.compile(r"^-{3,}\s*$")
_FIELD = re.compile(r"^:(\w+)\s*([^:]*):\s*(.*)$")
_GOOGLE_ITEM = re.compile(r"^\*{0,2}(?P<name>\w+)\s*(?:\((?P<type>(?:[^()]|\([^()]*\))*)\))?\s*:\s*(?P<text>.*)$")
_NUMPY_ITEM = re.compile(r"^\*{0,2}(?P<name>\w+(?:\s*,\s*\w+)*)\s*(?::(?P<type>.*))?(?P<text>)$")
_PARAMETERS = {"args", "arguments", "keyword args", "keyword arguments", "other parameters", "parameters", "params"}
_RETURNS = {"return", "returns", "yield", "yields"}


@dataclass(frozen=True)
class Docstring:
    """What a docstring says: its first line, its text without sections, each parameter (and its type), the result."""

    summary: str = ""
    description: str = ""
    parameters: dict[str, str] = field(default_factory=dict)
    returns: str = ""
    types: dict[str, str] = field(default_factory=dict)


def parse_docstring(text: str | None) -> Docstring:
    """Split `text` into description, parameters and result, whichever of the three styles it is written in."""
    lines = inspect.cleandoc(text or "").splitlines()
    body: list[str] = []
    parameters: dict[str, str] = {}
    types: dict[str, str] = {}
    returns = ""
    for title, style, section in _sections(lines):
        if not title:
            body = section
        elif title in _PARAMETERS:
            for name, written, words in _items(section, _GOOGLE_ITEM if style == "google" else _NUMPY_ITEM):
                parameters[name] = words
                types |= {name: written} if written else {}
        elif title in _RETURNS:
            returns = _returned(section, style)
    body, fields = _split_fields(body)
    for name, argument, words in fields:
        if name in ("param", "parameter", "arg", "argument") and argument:
            *kind, parameter = argument.split()
            parameters[parameter] = words
            types |= {parameter: " ".join(kind)} if kind else {}
        elif name == "type" and argument:
            types[argument] = words
        elif name in ("return", "returns"):
            returns = words
    paragraphs = [_joined(part.splitlines()) for part in re.split(r"\n\s*\n", "\n".join(body))]
    description = "\n\n".join(part for part in paragraphs if part)
    return Docstring(description.partition("\n")[0], description, parameters, returns, types)


def _sections(lines: list[str]) -> Iterator[tuple[str, str, list[str]]]:
    """Yield (lower-case title, style, lines) of each section; the untitled one comes first."""
    title, style, section = "", "", list[str]()
    skip = False
    for line, following in zip_longest(lines, lines[1:], fillvalue=""):
        google = _GOOGLE.match(line)
        numpy = bool(line.strip()) and _RULER.match(following)
        if skip:
            skip = False
        elif google or numpy:
            yield title, style, section
            title, style, section = line.strip().rstrip(":").lower(), "google" if google else "numpy", []
            skip = bool(numpy)
        else:
            section.append(line)
    yield title, style, section


def _items(section: list[str], pattern: re.Pattern[str]) -> Iterator[tuple[str, str, str]]:
    """Yield each parameter with its type and its text, which may go on over lines that are indented further."""
    indents = [len(line) - len(line.lstrip()) for line in section if line.strip()]
    first = min(indents, default=0)
    names, kind, words = "", "", list[str]()
    for line in section:
        indent = len(line) - len(line.lstrip())
        match = pattern.match(line.strip()) if line.strip() and indent == first else None
        if match:
            yield from _named(names, kind, words)
            names, kind, words = match["name"], (match["type"] or "").strip(), [match["text"]]
        else:
            words.append(line)
    yield from _named(names, kind, words)


def _named(names: str, kind: str, words: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    for name in filter(None, re.split(r"\s*,\s*", names)):
        yield name, kind, _joined(words)


def _returned(section: list[str], style: str) -> str:
    """Return the text on the result without the type that NumPy style puts on a line of its own."""
    written = [line for line in section if line.strip()]
    if style == "numpy" and len(written) > 1 and written[1].startswith(" "):
        written = written[1:]
    return _joined(written)


def _split_fields(body: list[str]) -> tuple[list[str], list[tuple[str, str, str]]]:
    """Take reST field lists (`:param name: text`) out of the body."""
    kept: list[str] = []
    fields: list[tuple[str, str, str]] = []
    for line in body:
        match = _FIELD.match(line)
        if match:
            fields.append((match.group(1), match.group(2).strip(), match.group(3).strip()))
        elif fields and line.startswith(" "):
            name, argument, words = fields[-1]
            fields[-1] = (name, argument, _joined([words, line]))
        else:
            kept.append(line)
    return kept, fields


def _joined(lines: Iterable[str]) -> str:
    return " ".join(line.strip() for line in lines if line.strip())
