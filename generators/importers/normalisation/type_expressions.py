"""A type expression in a docstring or data set -> its JSON Schema, and whether the value is optional.

    List[int]                     {"type": "array", "items": {"type": "integer"}}
    Dict[str, Any], optional      {"type": "object"}, optional
    Optional[Union[int, str]]     {"type": ["integer", "string", "null"]}, optional
    {'asc', 'desc'}, default asc  {"enum": ["asc", "desc"]}, optional

An expression that is not understood gives None; an inner one, a schema that allows anything.
"""

import re
from dataclasses import dataclass
from typing import Any

from interplay.generators.importers.normalisation.keywords import ALIASES
from interplay.generators.importers.normalisation.samples import TYPES, types_of

MAX_TEXT = 300
_LEFT_OUT = re.compile(r"[,;(]?\s*\b(?:optional|default\b.{0,200}|defaults? to .{0,200})\)?$", re.IGNORECASE)
_GENERIC = re.compile(r"([A-Za-z_][\w.]*)\s*[\[<](.*)[\]>]", re.DOTALL)
_LIST_OF = re.compile(r"(?i)(?:list|array|sequence|set|tuple)s? of (.+)")
_ARRAYS = frozenset("list array sequence set frozenset tuple iterable iterator collection vector deque".split())
_MAPS = frozenset("dict map mapping mutablemapping defaultdict ordereddict hashmap record object".split())
_WRAPPERS = ("annotated", "required", "notrequired", "final", "readonly")
_EXACT = {"true": True, "false": False, "none": None, "null": None}
_OPENING, _CLOSING = "[({<", "])}>"


@dataclass(frozen=True)
class TypeExpression:
    """The schema that a type expression means, and whether it marks the value as optional."""

    schema: dict[str, Any]
    is_optional: bool = False


def read_type(text: str) -> TypeExpression | None:
    """Parse a type expression; None if it is not understood."""
    told = text.strip()[:MAX_TEXT]
    plain = _LEFT_OUT.sub("", told).strip(" ,")
    schema = _schema(plain or "any")
    if schema is None:
        return None
    return TypeExpression(schema, plain != told or "null" in types_of(schema))


def without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Return `schema` without the alternative `null`: an optional parameter is left out, not sent as null."""
    if isinstance(schema.get("type"), list):
        kept = [name for name in schema["type"] if name != "null"]
        return schema | {"type": kept[0] if len(kept) == 1 else kept} if kept else schema
    options = schema.get("anyOf")
    if not options:
        return schema
    kept = [option for option in options if option.get("type") != "null"]
    rest = {key: value for key, value in schema.items() if key != "anyOf"}
    return kept[0] | rest if len(kept) == 1 else rest | {"anyOf": kept}


def _schema(text: str) -> dict[str, Any] | None:
    text = text.strip().strip("`'\"") if not text.strip().startswith(("'", '"')) else text.strip()
    parts = _split(text, "|") if "|" in text else re.split(r"\s+or\s+", text)
    if len(parts) > 1:
        return _union(parts)
    if text.startswith("{") and text.endswith("}"):
        return _choices(text[1:-1])
    several = _LIST_OF.fullmatch(text)
    if several:
        items = _schema(several[1]) or _schema(several[1].removesuffix("s"))
        return {"type": "array", "items": items} if items else {"type": "array"}
    generic = _GENERIC.fullmatch(text)
    if generic:
        return _generic(generic[1].rpartition(".")[2].lower(), _split(generic[2], ","))
    word = text.rpartition(".")[2].lower()
    return {"type": word} if word in TYPES else {"type": "array"} if word in _ARRAYS else ALIASES.get(word)


def _generic(name: str, arguments: list[str]) -> dict[str, Any] | None:
    if name == "literal":
        return _choices(",".join(arguments))
    if name in ("optional", "union"):
        return _union([*arguments, *(["null"] if name == "optional" else [])])
    if name in _WRAPPERS:
        return _schema(arguments[0])
    if name in _ARRAYS:
        kinds = [_schema(each) for each in arguments if each.strip() not in ("...", "")]
        same = bool(kinds) and all(kind == kinds[0] for kind in kinds)
        return {"type": "array", "items": kinds[0]} if same and kinds[0] else {"type": "array"}
    if name in _MAPS:
        values = _schema(arguments[1]) if len(arguments) == 2 else None
        return {"type": "object", "additionalProperties": values} if values else {"type": "object"}
    return None


def _union(parts: list[str]) -> dict[str, Any] | None:
    """Return one schema for several types; a union with other than plain types allows anything."""
    read = [_schema(part) for part in parts]
    if all(part is None for part in read):
        return None
    filled = [part for part in read if part != {"type": "null"}]
    if len(filled) == 1 and filled[0] and "type" in filled[0]:
        names = [*types_of(filled[0]), *(["null"] if len(read) > 1 else [])]
        return filled[0] | {"type": names[0] if len(names) == 1 else names}
    if any(part is None or set(part) != {"type"} for part in read):
        return {}
    names = list(dict.fromkeys(name for part in read if part for name in types_of(part)))
    return {"type": names[0] if len(names) == 1 else names}


def _choices(text: str) -> dict[str, Any]:
    parts = [part.strip() for part in _split(text, ",") if part.strip()]
    whole = re.compile(r"-?[0-9]{1,18}")
    options = [int(part) if whole.fullmatch(part) else _EXACT.get(part.lower(), part.strip("'\"")) for part in parts]
    return {"enum": options} if options else {}


def _split(text: str, mark: str) -> list[str]:
    """Split at a mark outside of brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in _OPENING) - (letter in _CLOSING)
        if letter == mark and depth <= 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts
