"""The rows of a list call -> the same in the order that its sort parameters or its name (`recent`) ask for."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from interplay.generators.environments.inference.result_rows import flattened
from interplay.generators.environments.rows.clock import shows_time
from interplay.generators.environments.rows.filters import row_field
from interplay.generators.values.texts.past_events import has_happened
from interplay.schemas.json.fields import is_number
from interplay.schemas.records.tool import Tool
from interplay.schemas.words.identifiers import RECORDED, name_tokens, names_identity
from interplay.schemas.words.lists import beside, word_set

_SORTING = {"sort", "sorts", "sorting", "order", "orderby", "ordering", "sortby"}
_SMALL = {"by", "field", "key", "column", "property"}
_DIRECTING = {"direction", "dir", "order", "ascending", "descending", "desc", "asc"}
_ABOUT_ORDER = _SORTING | _SMALL | _DIRECTING
_DOWN = {"desc", "descending", "down", "reverse", "newest", "latest"}
_UP = {"asc", "ascending", "up", "oldest"}
_RECENT, _RANKED, _SCORES = (word_set(beside(__file__), name) for name in ("recent", "ranked", "scores"))
"""Words in names of tools that list the newest rows first, or the highest, and of the numbers that are compared."""

_STEM = 5
"""Leading letters that an adjective shares with the number that it is about: influential, influenceScore."""

Found = Sequence[tuple[str, Mapping[str, Any]]]
"""Pairs of key and row."""


def in_order(found: Found, arguments: Mapping[str, Any]) -> Found:
    """Return rows in the order that the arguments ask for; unchanged if they name no field of the rows."""
    if not found:
        return found
    words = {name: set(name_tokens(name)) for name, value in arguments.items() if value is not None}
    sorting = [name for name, said in words.items() if said & (_SORTING | {"direction"}) and said <= _ABOUT_ORDER]
    named = {name: arguments[name] for name in sorting}
    down = any(str(value).lower() in _DOWN for value in named.values())
    ordered = list(found)
    for field, reverse in reversed(list(_wanted(named, flattened(found[0][1]), down))):
        held = [item for item in ordered if _rank(flattened(item[1]).get(field)) is not None]
        held.sort(key=lambda item: _rank(flattened(item[1]).get(field)) or (0, "", 0.0), reverse=reverse)
        ordered = [*held, *(item for item in ordered if _rank(flattened(item[1]).get(field)) is None)]
    return ordered


def as_promised(found: Found, tool: Tool) -> Found:
    """Return rows in the order that the tool's name promises: the newest or the highest first; otherwise unchanged.

    The newest are those with the latest event: one that the name mentions (`recently_updated`), else one of the row's own, else
    its creation or update. The highest have the most of what the name mentions, else of a score.
    """
    said = {*name_tokens(tool.original_name), *name_tokens(tool.path.rstrip("/").rpartition("/")[2])}
    if found and said & _RANKED:
        scores = [name for name, value in found[0][1].items() if is_number(value) and not names_identity(name)]
        meant = [name for name in scores if any(_is_about(word, name) for word in said)]
        usual = [name for name in scores if not _SCORES.isdisjoint(name_tokens(name))]
        best = next(iter((*meant, *usual)), None)
        return found if best is None else in_order(found, {"sort": f"-{best}"})
    if not found or not said & _RECENT:
        return found
    moments = [
        name for name, value in found[0][1].items() if shows_time(value) and has_happened(tuple(name_tokens(name)))
    ]
    moments.sort(key=lambda name: (said.isdisjoint(name_tokens(name)), not RECORDED.isdisjoint(name_tokens(name))))
    return in_order(found, {"sort": f"-{moments[0]}"}) if moments else found


def _is_about(word: str, field: str) -> bool:
    """Tell whether a word of a tool's name means a number: the influence score of the most influential."""
    return any(len(token) >= _STEM and word[:_STEM] == token[:_STEM] for token in name_tokens(field))


def _wanted(named: Mapping[str, Any], row: Mapping[str, Any], down: bool) -> Iterator[tuple[str, bool]]:
    """Yield (field, descending) for the fields to sort by, in order of priority."""
    for value in named.values():
        for part in value if isinstance(value, list) else str(value).split(","):
            name, reverse = _parsed(part, down)
            field = row_field(name, row) if name else None
            if field is not None:
                yield field, reverse


def _parsed(part: Any, down: bool) -> tuple[str, bool]:
    """Read `-name`, `name:desc`, `name desc`, `name_desc`, `+name` or `{"property": "name", "direction": "descending"}`."""
    if isinstance(part, Mapping):
        texts = [str(value) for value in part.values()]
        names = [text for text in texts if text.lower() not in _UP | _DOWN]
        return (names[0] if names else ""), any(text.lower() in _DOWN for text in texts)
    text = str(part).strip()
    signed, reverse = text[:1] in ("-", "+"), text.startswith("-")
    tokens = name_tokens(text.lstrip("+-"))
    last = tokens[-1] if tokens else ""
    if last in _UP | _DOWN:
        return "_".join(tokens[:-1]), last in _DOWN
    return text.lstrip("+-"), reverse if signed else down


def _rank(value: Any) -> tuple[int, str, float] | None:
    """Return the sort key of a scalar; none for a value without an order."""
    if isinstance(value, bool):
        return 0, "", float(value)
    if isinstance(value, (int, float)):
        return 1, "", float(value)
    return (2, value.lower(), 0.0) if isinstance(value, str) else None
