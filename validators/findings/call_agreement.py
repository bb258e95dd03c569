"""The writes of a dialogue and what is shown after them -> arguments that a result or a later read contradicts.

Names are compared without case and separators: FriendlyName and friendly_name are both friendlyname. Only the separator before an
id is kept, so that petId and petid are pet_id, and paid is not an id. A field that is not shown, or empty, contradicts nothing.
"""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from interplay.schemas.json.canonical import canonical_json
from interplay.schemas.json.fields import object_properties, schema_type
from interplay.schemas.json.json_text import json_value
from interplay.schemas.records.dialogue import Message, ToolCall, Trajectory
from interplay.schemas.records.tool import Tool
from interplay.schemas.records.verdict import Issue
from interplay.schemas.words.identifiers import name_tokens, names_identity
from interplay.schemas.words.nouns import singular
from interplay.validators.findings.conformance import same
from interplay.validators.findings.shown_rows import only_row, rows_in

_SPELLING = re.compile(r"[\W_]+")
_ID = "_id"
"""The suffix of identities in normalised names."""

_CLOCK = re.compile(r"\d{2}:\d{2}")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_EMPTY: tuple[Any, ...] = (None, "", [], {})


@dataclass(frozen=True)
class _Written:
    """A write: its arguments by normalised name, and the identity by which its row is recognised later.

    `fields` are all names that it was given or showed; `seen` is the number of rows shown before it.
    """

    index: int
    call: ToolCall
    values: Mapping[str, Any]
    identity: Mapping[str, Any]
    fields: Set[str]
    seen: int

    def is_shown(self, shown: Mapping[str, Any]) -> bool:
        """Tell whether `shown` is the row that was written, and not one with its own id that only refers to it."""
        if not self.identity or not all(_agree(shown.get(name), own) for name, own in self.identity.items()):
            return False
        return next((name for name in shown if name.endswith(_ID)), "") in self.fields


def contradictions(trajectory: Trajectory, tools: Mapping[str, Tool]) -> Iterator[tuple[Issue, bool]]:
    """Yield an issue for each argument of a write that its result, or a later read of the row, shows differently.

    Each comes with a flag: whether the row had the shown value before the write, so that the write left no trace.
    """
    written: list[_Written] = []
    seen: list[Mapping[str, Any]] = []
    for index, call, answer in _answered(trajectory):
        value = json_value(answer.content)
        if value is None or (call.name in tools and _only_says(tools[call.name], tools)):
            continue
        if call.name in tools and tools[call.name].effect == "write":
            beside = _in_view(only_row(value) or {})
            row = _own_row(only_row(value) or {}, beside, call)
            shown = _plain(row)
            fixed = _fixed(tools[call.name])
            passed = {name: given for name, given in _passed(call.arguments).items() if name not in fixed}
            if tools[call.name].method == "DELETE":  # the items of a list that are to be taken away
                passed = {name: given for name, given in passed.items() if not isinstance(given, list)}
            fields = passed.keys() | shown.keys()
            made = _Written(index, call, passed, _identity(shown, call), fields, len(seen))
            fresh = {
                name
                for name in shown.keys() & made.values.keys()
                if name.endswith(_ID) and not any(_holds(before, shown[name]) for before in seen)
            }
            told = {name: one for name, one in shown.items() if name not in fresh}
            yield from _contradicted(made, told, call.name, seen)
            yield from _other_rows(made, beside)
            known = {name: given for name, given in made.values.items() if name in shown or not shown}
            written = [other for other in written if not (other.identity and other.identity == made.identity)]
            written.append(replace(made, values=known))
            seen.append(shown)
        else:
            rows = [_plain(row) for row in rows_in(value)]
            for made in written:
                own = [row for row in rows if made.is_shown(row) and not _is_other(made, row)]
                for row in own if not _several(own) else ():
                    yield from _contradicted(made, row, call.name, seen[: made.seen])
            seen += rows


def _only_says(tool: Tool, tools: Mapping[str, Tool]) -> bool:
    """Tell whether the one text of a result reports on the call: writes that take no argument of its name return the same."""
    fields = object_properties(tool.returns or {})
    if (
        len(fields) != 1
        or schema_type(next(iter(fields.values()))) != "string"
        or not fields.keys() & tool.properties.keys()
    ):
        return False
    return any(
        other.effect == "write"
        and object_properties(other.returns or {}).keys() == fields.keys()
        and not fields.keys() & other.properties.keys()
        for other in tools.values()
    )


def _several(rows: Sequence[Mapping[str, Any]]) -> bool:
    """Tell whether rows with the same identity differ: then it is that of their owner, as a company's id in its contacts."""
    first, *others = rows or [{}]
    return any(not _agree(row[name], first[name]) for row in others for name in row.keys() & first.keys())


def _in_view(value: Mapping[str, Any], depth: int = 0) -> dict[str, Mapping[str, Any]]:
    """Return name -> row for a result without an identity that shows several rows side by side."""
    found: dict[str, Mapping[str, Any]] = {}
    for name, item in value.items() if depth < _DEEPEST and not _own_identity(value) else ():
        if isinstance(item, dict):
            found |= {name: item} if _own_identity(item) else _in_view(item, depth + 1)
    return found


_DEEPEST = 3
"""Maximum depth of nested objects searched for rows."""


def _own_identity(row: Mapping[str, Any]) -> str | None:
    return next((name for name in _OWN if isinstance(row.get(name), (str, int))), None)


_OWN = ("id", "uuid", "gid", "guid")


def _own_row(whole: Mapping[str, Any], beside: Mapping[str, Mapping[str, Any]], call: ToolCall) -> Mapping[str, Any]:
    """Return the row that a call is about: of several, the one whose name has most words in common with the tool's name."""
    if not beside:
        return whole
    spoken = {singular(word) for word in name_tokens(call.name)}
    said = {name: {singular(word) for word in name_tokens(name)} for name in beside}
    called = [name for name, words in said.items() if words and words <= spoken]
    return beside[max(called, key=lambda name: len(said[name]))] if called else {}


def _other_rows(made: _Written, beside: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[Issue, bool]]:
    """Yield an issue for each row beside the call's own whose identity is not the one passed: another `post` than `post_id`."""
    for name, row in beside.items():
        own = str(_own_identity(row))
        given = made.values.get(_unspelt(f"{name}_{own}"))
        if isinstance(given, (str, int)) and not _agree(given, row[own]) and not _holds(made.values, row[own]):
            text = f"{made.call.name} was given {name}_{own} {canonical_json(given)[:60]}; it shows {name} {canonical_json(row[own])[:60]}."
            yield Issue.of("result_contradicts", text, f"/messages/{made.index}"), False


def _answered(trajectory: Trajectory) -> Iterator[tuple[int, ToolCall, Message]]:
    for index, call, answer in trajectory.calls_with_results():
        if answer is not None and not answer.failed and answer.fault is None and not call.malformed:
            yield index, call, answer


def _plain(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row's fields by normalised name; fields whose names coincide but whose values differ are left out."""
    found: dict[str, Any] = {}
    twice: set[str] = set()
    for name, value in row.items():
        plain = _unspelt(name)
        if plain in found and not _agree(found[plain], value):
            twice.add(plain)
        found[plain] = value
    return {name: value for name, value in found.items() if name not in twice and not isinstance(value, dict)}


@lru_cache(maxsize=4096)
def _unspelt(name: str) -> str:
    plain = _SPELLING.sub("", name).lower()
    return f"{plain.removesuffix('id')}{_ID}" if names_identity(name) else plain


def _passed(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments by normalised name, with the fields of body objects among them."""
    bodies = [value for value in arguments.values() if isinstance(value, dict)]
    found: dict[str, Any] = {}
    for part in (*bodies, arguments):
        found |= _plain(part)
    return {name: value for name, value in found.items() if value not in _EMPTY}


def _fixed(tool: Tool) -> Set[str]:
    """Return the normalised names of arguments that admit one value only, which is that of no row: the type of a reference."""
    parts = [tool.properties, *map(object_properties, tool.properties.values())]
    fields = [field for part in parts for field in part.items()]
    return {_unspelt(name) for name, schema in fields if "const" in schema or len(schema.get("enum", ())) == 1}


def _identity(shown: Mapping[str, Any], call: ToolCall) -> dict[str, Any]:
    """Return the identity of a row as {name: value}: its first field that is an id, else the first such argument."""
    for values in (shown, _plain(call.arguments)):
        for name, value in values.items():
            if name.endswith(_ID) and isinstance(value, (str, int)) and not isinstance(value, bool):
                return {name: value}
    return {}


def _is_other(made: _Written, shown: Mapping[str, Any]) -> bool:
    """Tell whether a row's identity differs from the one passed to the write: a task beside the deleted one."""
    own = next((name for name, value in shown.items() if name.endswith(_ID) and isinstance(value, (str, int))), None)
    return own is not None and own in made.values and own not in made.identity and made.values[own] != shown[own]


def _contradicted(
    made: _Written, shown: Mapping[str, Any], shower: str, before: list[Mapping[str, Any]]
) -> Iterator[tuple[Issue, bool]]:
    own = [
        row for row in before if made.identity and all(row.get(name) == value for name, value in made.identity.items())
    ]
    for name, given in made.values.items():
        value = shown[name] if name in shown else _by_longer_name(name, given, shown)
        other = name.endswith(_ID) and _holds(made.values, value)  # the id is that of another argument's row
        other = other or _is_coded(given, value)
        if value not in _EMPTY and not _agree(given, value) and not _holds(shown, given) and not other:
            text = f"{made.call.name} was given {name.replace('_', '')} {canonical_json(given)[:60]}; {shower} shows {canonical_json(value)[:60]}."
            stale = any(_agree(row.get(name), value) for row in own)
            yield Issue.of("result_contradicts", text, f"/messages/{made.index}"), stale


def _is_coded(given: Any, value: Any) -> bool:
    """Tell whether one of two values is a number and the other a text in words: 0 and "delivered"."""
    number, text = sorted((given, value), key=lambda one: isinstance(one, str))
    plain = isinstance(number, (int, float)) and not isinstance(number, bool) and isinstance(text, str)
    return plain and not any(map(str.isdigit, text))


def _by_longer_name(name: str, given: Any, shown: Mapping[str, Any]) -> Any:
    """Return the only text shown under a longer name, `phone_number` for the argument `phone`, if it differs."""
    longer = [value for other, value in shown.items() if other.startswith(name) and isinstance(value, str)]
    told = len(longer) == 1 and isinstance(given, str) and not name.endswith(_ID)
    apart = told and given.casefold() not in longer[0].casefold() and longer[0].casefold() not in given.casefold()
    return longer[0] if apart else None


def _holds(shown: Mapping[str, Any], given: Any) -> bool:
    """Tell whether a row has a value in any field: `reason` may be shown as `cancellation_reason`."""
    return any(value not in _EMPTY and not _holds_rows(value) and _agree(given, value) for value in shown.values())


def _holds_rows(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(item, (dict, list)) for item in value)


def _agree(given: Any, value: Any) -> bool:
    if same(given, value):
        return True
    if isinstance(given, list) or isinstance(value, list):
        many, others = (item if isinstance(item, list) else [item] for item in (given, value))
        return (
            _holds_rows(many)
            or _holds_rows(others)
            or all(any(_agree(item, other) for other in others) for item in many)
        )
    if isinstance(given, bool) or isinstance(value, bool):
        return str(given).lower() == str(value).lower()
    left, right = str(given), str(value)
    if _DAY.match(left) and _DAY.match(right):
        return left[:10] == right[:10] and (len(left) <= 10 or len(right) <= 10 or left[11:16] == right[11:16])
    if any(_DAY.match(moment) and _CLOCK.match(clock) for moment, clock in ((left, right), (right, left))):
        return left[:5] == right[11:16] or right[:5] == left[11:16]
    try:
        return abs(float(left) - float(right)) < 1e-9
    except ValueError:
        return _SPELLING.sub("", left).casefold() == _SPELLING.sub("", right).casefold()
