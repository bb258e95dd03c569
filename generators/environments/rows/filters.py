"""The arguments of a list call -> the rows that pass, by the names and types of its parameters."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from interplay.generators.environments.inference.plans import ResourcePlan, is_technical
from interplay.generators.environments.inference.result_rows import at_path, flattened
from interplay.generators.environments.inference.tool_words import (
    FROM,
    SEARCH,
    UNTIL,
    bare_name,
    bounding,
    is_lower_bound,
)
from interplay.generators.environments.rows.ownership import Ownership
from interplay.generators.phrases.speakable_values import LABELS
from interplay.schemas.calls.first_page import is_paging
from interplay.schemas.json.canonical import leaves, split_pointer
from interplay.schemas.json.fields import is_number
from interplay.schemas.words.identifiers import RECORDED, name_tokens
from interplay.schemas.words.lists import beside, word_set
from interplay.schemas.words.nouns import singular

_STRICT = {"gt", "lt", "after", "before"}
_SAME = {"state": "status", "states": "status", "statuses": "status", "category": "type", "kind": "type"}
_IGNORED = word_set(beside(__file__), "presentation")

_PERIODS = {"date": slice(8, 10), "day": slice(8, 10), "month": slice(5, 7), "year": slice(0, 4)}
"""Words of parameters that name a period, with the part of a date that says it."""

DAY = "2026-03-09"

_CALLED = (["name"], ["title"])

_EVERY = ("all", "any", "*")
"""Values of a filter that admit all rows, unless they are options of its field."""


class Filters:
    """The filters of one list call; a parameter with an unknown meaning filters nothing."""

    def __init__(
        self,
        arguments: Mapping[str, Any],
        resource: ResourcePlan,
        references: Mapping[str, str],
        ownership: Ownership,
    ) -> None:
        self._resource = resource
        self._references = references
        self._ownership = ownership
        self._filters = [
            (name, name_tokens(bare_name(name)), value)
            for name, value in arguments.items()
            if value is not None
            and (
                not is_paging(name)
                or (isinstance(value, str) and value[:4].isdigit() and (value[4:5] == "-") and value[5:7].isdigit())
            )
            and not (set(name_tokens(bare_name(name))) & _IGNORED or is_technical(bare_name(name)))
        ]

    def pass_row(self, row: Mapping[str, Any]) -> bool:
        """Tell whether `row` passes all filters."""
        shown = flattened(row) if self._filters else row
        return all(self._passes(name, tokens, value, shown, row) for name, tokens, value in self._filters)

    def _passes(
        self, name: str, tokens: list[str], value: Any, row: Mapping[str, Any], whole: Mapping[str, Any]
    ) -> bool:
        referred = self._references.get(name)
        if referred is not None:
            return self._refers(name, value, whole, referred)
        name = bare_name(name)
        words = set(tokens)
        field = row_field(name, row)
        if words & SEARCH and (field is None or (isinstance(value, str) and not isinstance(row[field], str))):
            shown = leaves({key: item for key, item in row.items() if not key.startswith("_")})
            held = [
                item
                for at, leaf in shown
                if not at.endswith("id")
                for item in (leaf if isinstance(leaf, list) else [leaf])
            ]
            return any(str(value).lower() in text.lower() for text in held if isinstance(text, str))
        is_scalar = isinstance(value, (str, int, float)) and not isinstance(value, bool)
        within = _in_range(tokens, value, row) if is_scalar and words & (FROM | UNTIL) else None
        if within is not None:
            return within
        if field is None:
            return _is_called(tokens, value, row) and _in_period(tokens, value, row)
        held = row[field]
        if value in _EVERY and value not in self._resource.schema["properties"].get(field, {}).get("enum", ()):
            return True
        if isinstance(value, Mapping) and value and set(value) <= FROM | UNTIL:
            return all(_comparable(bound, held) and _beyond([word], bound, held) for word, bound in value.items())
        if isinstance(value, bool):
            return held is value if isinstance(held, bool) else True
        if isinstance(held, bool) and isinstance(value, str):
            return str(held).lower() == value.lower()
        if isinstance(value, str) and "," in value and not isinstance(held, Mapping) and not _same(value, held):
            return _same([part.strip() for part in value.split(",") if part.strip()], held)
        return _same(value, held)

    def _refers(self, name: str, value: Any, row: Mapping[str, Any], referred: str) -> bool:
        wanted = {str(item) for item in (value if isinstance(value, list) else [value])}
        if not wanted:
            return True
        resource = self._resource
        if referred == resource.name and resource.identity is not None:
            return str(resource.identity_of(row)) in wanted
        pointers = [pointer for pointer, target in resource.references.items() if target == referred]
        named = [
            pointer
            for pointer in pointers
            if _canonical(name) in map(_canonical, [part for part in split_pointer(pointer) if part != "*"][-2:])
        ]
        held = {str(leaf) for pointer in named or pointers for leaf in at_path(row, split_pointer(pointer))}
        held |= set() if named else self._ownership.owners(resource.name, row, referred) or set()
        return bool(held & wanted) if held else not pointers


def row_field(name: str, row: Mapping[str, Any]) -> str | None:
    """Return the field of a row that a parameter filters, matched by its words: `statuses` -> status."""
    return _field(name, tuple(row))


@lru_cache(maxsize=4096)
def _field(name: str, keys: tuple[str, ...]) -> str | None:
    wanted = _canonical(name)
    public = [key for key in keys if not key.startswith("_")]
    for key in public:
        if _canonical(key) == wanted:
            return key
    for key in public:
        if wanted and (_canonical(key)[: len(wanted)] == wanted or _canonical(key)[-len(wanted) :] == wanted):
            return key
    return None


@lru_cache(maxsize=4096)
def _canonical(name: str) -> tuple[str, ...]:
    tokens = name_tokens(name)
    kept = tokens[1:] if len(tokens) > 1 and tokens[0] in ("is", "has") else tokens
    return tuple(_SAME.get(token, singular(token)) for token in kept)


def _in_range(tokens: list[str], value: Any, row: Mapping[str, Any]) -> bool | None:
    """Tell whether a row is within a bound; none if no field matches."""
    bounds = bounding(tokens)
    stem = [token for token in tokens if token not in FROM | UNTIL | {"date", "time", "at"}]
    end = {token for token in tokens if token in FROM | UNTIL} - set(bounds)  # the `start` of `start_before`
    candidates = {key: held for key, held in row.items() if not key.startswith("_") and _comparable(value, held)}
    named = [key for key in candidates if stem and set(stem) <= set(name_tokens(key))]
    if not named and isinstance(value, str):
        sought = end or (FROM if is_lower_bound(tokens) else UNTIL)
        named = [key for key in candidates if set(name_tokens(key)) & sought] or list(candidates)[:1]
    return _beyond(bounds, value, candidates[named[0]]) if named else None


def _is_called(tokens: Sequence[str], value: Any, row: Mapping[str, Any]) -> bool:
    """Tell whether a row without a field of that name is called so: the `title` of a quiz, by `name`."""
    if [*tokens] not in _CALLED or not isinstance(value, str):
        return True
    called = [held for key, held in row.items() if " ".join(name_tokens(key)) in LABELS and isinstance(held, str)]
    return not called or any(_same(value, held) for held in called)


def _in_period(tokens: Sequence[str], value: Any, row: Mapping[str, Any]) -> bool:
    """Tell whether the first date of a row, if it has one, is in the day, month or year that a parameter names.

    When a row was recorded counts only for a day, and only where it has no other date.
    """
    asked = next((_PERIODS[token] for token in reversed(tokens) if token in _PERIODS), None)
    dated = [key for key, held in row.items() if key[:1] != "_" and isinstance(held, str) and _comparable(DAY, held)]
    lasting = [key for key in dated if RECORDED.isdisjoint(name_tokens(key))]
    dated = lasting or (dated if asked == _PERIODS["day"] else [])
    dated.sort(key=lambda key: _PERIODS.keys().isdisjoint(name_tokens(key)))
    day = str(row[dated[0]]) if dated else None
    if asked is None or day is None:
        return True
    if _comparable(DAY, f"{value}-01"[: len(DAY)]):  # `2026-03` as well as `2026-03-09T08:00`
        return day.startswith(str(value)[: len(DAY)])
    return not str(value).isdigit() or int(day[asked]) == int(value)


def _beyond(words: Sequence[str], value: Any, held: Any) -> bool:
    """Tell whether a value, or any of a list, is within a bound; `after`, `gt` and the like exclude the bound."""
    is_from, strict = is_lower_bound(words), bool(set(words) & _STRICT)
    for item in held if isinstance(held, list) else [held]:
        item, bound = (item[: len(value)], value[: len(item)]) if isinstance(item, str) else (item, value)
        if (item > bound if is_from else item < bound) or (item == bound and not strict):
            return True
    return False


def _comparable(value: Any, held: Any) -> bool:
    if isinstance(held, list):
        return bool(held) and _comparable(value, held[0])
    if isinstance(value, str):
        return (
            isinstance(held, str) and value[:4].isdigit() and held[:4].isdigit() and len(held) >= 8 and held[4:5] == "-"
        )
    return is_number(held)


def _same(value: Any, held: Any) -> bool:
    if isinstance(value, list):
        return any(_same(item, held) for item in value)
    if isinstance(held, list):
        return any(_same(value, item) for item in held)
    if isinstance(held, Mapping):
        return any(_same(value, item) for item in held.values() if isinstance(item, (str, int, float)))
    if isinstance(value, str) and isinstance(held, str):
        if _comparable(value, held) and (len(value) <= 10 or "T" in held):
            return value[:10] == held[:10]
        return value.lower() == held.lower() or (len(value) > 2 and _begins_words(value.lower(), held.lower()))
    return bool(value == held)


def _begins_words(part: str, text: str) -> bool:
    """Tell whether `part` occurs in a text at the start of a word: "ann" in "Mary Anne", but "male" not in "female"."""
    at = text.find(part)
    while at > 0 and text[at - 1].isalnum() and part[0].isalnum():
        at = text.find(part, at + 1)
    return at >= 0
