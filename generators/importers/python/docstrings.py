"""A docstring in Google, NumPy or reST style -> its description, that of each parameter, and the schema of the result.

Book a free slot.                    Docstring(
                                         summary="Book a free slot.",
Args:                         ->         description="Book a free slot.",
    slot_id: Id of the slot.             parameters={"slot_id": "Id of the slot."})
"""

import inspect
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import docstring_parser
from docstring_parser.google import DEFAULT_SECTIONS, GoogleParser, Section, SectionType

from interplay.generators.importers.normalisation.type_expressions import read_type, without_null
from interplay.schemas.json.fields import schema_type

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
"""A parser of the sections that docstring_parser knows, and of those that it would take for description."""


@dataclass(frozen=True)
class Docstring:
    """A parsed docstring: first line, text without sections, parameters with their types, and result.

    `result` is the schema of the result, if the docstring names its fields.
    """

    summary: str = ""
    description: str = ""
    parameters: dict[str, str] = field(default_factory=dict)
    returns: str = ""
    types: dict[str, str] = field(default_factory=dict)
    result: dict[str, Any] | None = None


def parse_docstring(text: str | None) -> Docstring:
    """Split a docstring of any style into description, parameters and result."""
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
    """Return the schema of the result; None if no field of it is named."""
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
    """Parse a docstring in each style; return the parse with the most entries."""
    found = []
    for parse in (_GOOGLE.parse, docstring_parser.numpydoc.parse, docstring_parser.rest.parse):
        try:
            found.append(parse(text))
        except docstring_parser.ParseError:
            continue
    return max(found, key=lambda parsed: len(parsed.meta)) if found else docstring_parser.Docstring()


def _joined(text: str) -> str:
    return " ".join(line.strip() for line in text.splitlines() if line.strip())


LONGEST, FIELDS = 4_000, 60
"""Most characters read of a section, and most fields taken from it."""

_NAME = r"[`'\"]{0,2}(?P<name>[A-Za-z_]\w{0,59})[`'\"]{0,2}"
_ITEM = re.compile(
    rf"(?P<indent>[ \t]*)(?P<mark>[-*\u2022] ?)?\s*{_NAME}\s*(?:\((?P<kind>[^()\n]{{1,80}})\))?(?P<colon>\s*:)?(?P<rest>.*)"
)
_KEYS = re.compile(r"(?i)\b(?:keys?|fields?|with|containing|contains|including|includes|has|of)\b")
_QUOTED = re.compile(r"(``?|['\"])([A-Za-z_]\w{0,59})\1")
_LIST = re.compile(r"(?i)\s*(?:an? )?(?:list|array|sequence)\b")
_OBJECT = re.compile(r"(?i)\b(?:dict|dictionary|dictionaries|object|mapping|json)s?\b")


def result_schema(kind: str | None, text: str, named: Sequence[tuple[str, str, str]] = ()) -> dict[str, Any] | None:
    """Return the schema of a result from its documented type and text; None if no field is named.

    Returns:                                    {"type": "object", "properties": {
        dict: The account, with:                    "account_id": {"type": "string", "description": "Number of it."},
            - account_id (str): Number of it.       "balance": {"type": "number"}}}
            - balance (float)

    ":returns: dict with keys 'id' and 'total'"     {"type": "object", "properties": {"id": {}, "total": {}}}

    No field is required, since docstrings promise little; observed results take precedence (see result_schemas).
    `named` lists the results that the section names (NumPy): name, type and description of each.
    """
    told, text = str(kind or ""), text[:LONGEST]
    read = read_type(told) if told else None
    outer = schema_type(read.schema) if read is not None else None
    if outer not in (None, "object", "array"):
        return None
    fields = {name: _field(given, said) for name, given, said in named if name} or _listed(text)
    spoken = f"{told} {text.partition(chr(10))[0]}"
    if not fields and (outer == "object" or _OBJECT.search(spoken)) and _KEYS.search(text):
        fields = {name: {} for _, name in _QUOTED.findall(text)}
    typed = any(field.get("type") for field in fields.values())
    if not fields or (outer is None and not _OBJECT.search(spoken) and len(fields) < 2 and not typed):
        return None
    schema = {"type": "object", "properties": dict(list(fields.items())[:FIELDS])}
    listed = outer == "array" or (outer is None and _LIST.match(told or text))
    return {"type": "array", "items": schema} if listed else schema


def with_documented(schema: Mapping[str, Any] | None, documented: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Return the annotation's schema, completed by the documented fields if it has none itself."""
    if documented is None:
        return None if schema is None else dict(schema)
    if not schema:
        return dict(documented)
    if schema_type(schema) == "array" and schema_type(documented) == "array":
        items = with_documented(schema.get("items"), documented["items"])
        return {**schema, "items": items}
    fits = schema_type(schema) == schema_type(documented) == "object"
    return {**schema, **documented} if fits and not schema.get("properties") else dict(schema)


def _listed(text: str) -> dict[str, Any]:
    """Return the fields that the text describes one per line, with type and description; only those of least indent."""
    items = [found for line in text.splitlines() if (found := _ITEM.fullmatch(line)) and _is_item(found)]
    least = min((len(found["indent"]) for found in items), default=0)
    return {
        found["name"]: _field(found["kind"] or "", found["rest"] if found["colon"] else "")
        for found in items
        if len(found["indent"]) == least
    }


def _is_item(found: re.Match[str]) -> bool:
    """Tell whether a line describes a field rather than being a sentence: a bullet, a type, or a lower-case name."""
    if not found["colon"]:
        return bool(found["mark"]) and not found["rest"].strip()
    return bool(found["mark"] or found["kind"]) or found["name"].islower()


def _field(kind: str, said: str) -> dict[str, Any]:
    read = read_type(kind) if kind else None
    schema = without_null(dict(read.schema)) if read is not None else {}
    said = " ".join(said.split()).lstrip("-: ")
    return {**schema, "description": said} if said else schema
