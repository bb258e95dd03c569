"""A made-up result and the arguments of its call -> the result with values and bounds of the arguments.

get_forecast(city="Oslo", days=2)                    ->  {"city_name": "Oslo", ...}
get_transactions(start_date=..., end_date=...)       ->  each transaction between these days
get_usage(start_date=..., end_date=...)              ->  {"period_start": ..., "period_end": ..., ...}, the same days
search_flights(destination="Perth", max_price=300)   ->  each flight goes to Perth, for 300 at most
"""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from interplay.generators.environments.inference.plans import ToolPlan
from interplay.generators.environments.inference.tool_words import FROM, UNTIL, is_lower_bound, stem_of
from interplay.generators.values.reconciliation import reconciled
from interplay.generators.values.texts import sample_words
from interplay.schemas.json.fields import is_number, object_properties
from interplay.schemas.json.validation import is_valid
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import beside, table, word_set, words
from interplay.schemas.words.word_classes import is_participle

DEEPEST = 3
"""Levels of nested objects that are changed."""

_LISTS = beside(__file__)
_SPELT: Mapping[str, str] = table(_LISTS, "spellings")
_PLACE = {"city", "town", "country", "state", "region", "currency", "airport", "station", "symbol", "ticker"}
"""Words of fields that may have a name or a code: `country` matches an argument `country_code`."""
_CALLED = (["name"], ["title"], ["description"])
_MOST = {tuple(name.split("_")) for name in words(_LISTS, "sizes")}
_NO_FIELD = word_set(_LISTS, "no_fields")
DAY, CODE = len("2026-03-09"), len("SFO")


def constrained(result: Any, arguments: Mapping[str, Any], returns: Mapping[str, Any] | None) -> Any:
    """Return a result that agrees with its call, as far as the result schema admits that."""
    asked = _Asked(arguments)
    changed = asked.told(result, returns or {}, 0)
    return changed if returns is None or changed is result or is_valid(changed, returns) else result


class _Asked:
    """The values and bounds that the arguments of one call set for its result."""

    def __init__(self, arguments: Mapping[str, Any]) -> None:
        plain = {
            name: value
            for name, value in arguments.items()
            if isinstance(value, (str, int, float)) and not isinstance(value, bool)
        }
        tokens = {name: name_tokens(name) for name in plain}
        self._values = {
            _word(tokens[name]): value for name, value in plain.items() if not _NO_FIELD & set(tokens[name])
        }
        self._bounds = [(said, plain[name]) for name, said in tokens.items() if set(said) & (FROM | UNTIL)]
        most = (value for name, value in plain.items() if tuple(tokens[name]) in _MOST and isinstance(value, int))
        self._most = next(most, None)

    def told(self, value: Any, schema: Mapping[str, Any], depth: int) -> Any:
        """Return a part of a result, changed to agree with the call."""
        if depth > DEEPEST:
            return value
        if isinstance(value, list):
            items = schema.get("items") if isinstance(schema.get("items"), Mapping) else {}
            shown = value[: self._most] if self._most else value
            told = [
                self._row(self.told(item, items or {}, depth + 1), number, len(shown))
                for number, item in enumerate(shown)
            ]
            return value if told == value else told
        return self._object(value, schema, depth) if isinstance(value, Mapping) else value

    def _object(self, value: Mapping[str, Any], schema: Mapping[str, Any], depth: int) -> Mapping[str, Any]:
        fields = object_properties(schema)
        told = {name: self.told(item, fields.get(name, {}), depth + 1) for name, item in value.items()}
        said = {name: self._said(name, item, fields.get(name, {}), depth) for name, item in told.items()}
        said |= self._period(said, fields) if depth == 0 else {}
        if said != told:
            own = {name: item for name, item in said.items() if item != told[name]}
            told = {**reconciled(dict(said), fields), **own}
        return value if told == value else told

    def _said(self, name: str, made: Any, schema: Mapping[str, Any], depth: int) -> Any:
        """Return the value that the call gives for a field, in the type of the field; else the made-up value."""
        tokens = name_tokens(name)
        if isinstance(made, (bool, Mapping, list)) or made is None or not tokens or tokens[-1] in _NO_FIELD:
            return made
        if depth and tokens in _CALLED:
            return made  # rows of a list keep their own names
        given = self._values.get(_word(tokens))
        if tokens[-1] == "code" and len(str(given)) > CODE:
            given = next((place[1] for place in sample_words.CITIES if place[2] == given), None)
        if given is None:
            return made
        options = (given, str(given) if isinstance(made, str) else _number(given))
        return next(
            (item for item in options if item is not None and isinstance(item, type(made)) and is_valid(item, schema)),
            made,
        )

    def _period(self, made: Mapping[str, Any], fields: Mapping[str, Any]) -> dict[str, Any]:
        """Return the first and last moment of a result, as the call gives both of them."""
        given = {is_lower_bound(said): bound for said, bound in self._bounds if _dated(bound)}
        told = [(name, name_tokens(name)) for name, held in made.items() if _dated(held)]
        span = {is_lower_bound(said): name for name, said in told if not (FROM | UNTIL).isdisjoint(said)}
        if not given.keys() == span.keys() == {True, False}:
            return {}
        moved = {name: str(given[first])[:DAY] + str(made[name])[DAY:] for first, name in span.items()}
        return moved if all(is_valid(moment, fields.get(name, {})) for name, moment in moved.items()) else {}

    def _row(self, row: Any, number: int, count: int) -> Any:
        """Return a row of a list moved within the bounds of the call, spread in order over them."""
        changed = row
        for early, late, field in self._spans(row) if isinstance(row, Mapping) else ():
            held = row[field]
            moved = _between(held, early, late, (number + 1) / (count + 1))
            changed = {**changed, field: moved}
        return changed

    def _spans(self, row: Mapping[str, Any]) -> list[tuple[Any, Any, str]]:
        """Return lower bound, upper bound and name of each bounded field."""
        found: dict[str, list[Any]] = {}
        for said, bound in self._bounds:
            field = _bounded(said, bound, row)
            if field is not None:
                found.setdefault(field, [None, None])[0 if is_lower_bound(said) else 1] = bound
        return [(low, high, field) for field, (low, high) in found.items()]


def _word(tokens: list[str]) -> str:
    """Return a key that is equal for names with the same meaning: `lat` and `latitude`, `city` and `city_name`."""
    spelt = [_SPELT.get(token, token) if len(tokens) == 1 else token for token in tokens]
    if len(spelt) > 1 and spelt[-1] in ("name", "code") and spelt[-2] in _PLACE:
        spelt = spelt[:-1]
    return "_".join(spelt)


def _number(value: Any) -> int | float | None:
    try:
        return float(value) if "." in str(value) else int(value)
    except ValueError:
        return None


def _bounded(said: list[str], bound: Any, row: Mapping[str, Any]) -> str | None:
    """Return the field of a row that a bound applies to: by its words, or for a date the first date field."""
    stem = {word for word in said if word not in FROM | UNTIL | {"date", "time", "at"}}
    alike = [
        name for name, held in row.items() if _dated(bound) == _dated(held) and is_number(bound) == is_number(held)
    ]
    alike = [name for name in alike if _dated(row[name]) or is_number(row[name])]
    named = [name for name in alike if stem and stem <= set(name_tokens(name))]
    return next(iter(named or (alike if _dated(bound) else ())), None)


def _dated(value: Any) -> bool:
    return isinstance(value, str) and value[:4].isdigit() and value[4:5] == value[7:8] == "-"


_FEW_DAYS = timedelta(days=14)


def _between(held: Any, low: Any, high: Any, share: float) -> Any:
    """Return a date or number moved between two bounds, one of which may be open; a value within them is unchanged."""
    if is_number(held):
        if (low is None or held >= low) and (high is None or held <= high):
            return held
        low = (high * 0.5 if high is not None else 0) if low is None else low
        high = low + max(abs(low), 10) if high is None else high
        moved = low + (high - low) * share
        return round(moved) if isinstance(held, int) else round(moved, 2)
    try:
        first = date.fromisoformat(low[:DAY]) if low is not None else date.fromisoformat(high[:DAY]) - _FEW_DAYS
        last = date.fromisoformat(high[:DAY]) if high is not None else first + _FEW_DAYS
        if first <= date.fromisoformat(held[:DAY]) <= last:
            return held
    except ValueError:
        return held
    return (first + (last - first) * share).isoformat() + held[DAY:]


def has_no_row(plan: ToolPlan) -> bool:
    """Tell whether a tool reads something without naming a row: a single row, or a computed value."""
    return plan.operation == "read" and plan.target is None and not plan.parents


def _placed_where_named(plan: ToolPlan, result: dict[str, Any], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return a result with the identities in the path of the call: `user_id` for /users/{userId}/settings."""
    http = plan.tool.http
    named = {
        tuple(name_tokens(name)): value
        for name, value in arguments.items()
        if http is not None and http.locations.get(name) == "path" and name != plan.target and stem_of(name)
    }
    if not named:
        return result
    told = {name: named[said] for name in result if (said := tuple(name_tokens(name))) in named}
    changed = {**result, **{name: value for name, value in told.items() if type(value) is type(result[name])}}
    return changed if changed != result and is_valid(changed, plan.tool.returns or {}) else result


def echoed(plan: ToolPlan, result: Any, arguments: Mapping[str, Any], key: str = "", made_up: bool = False) -> Any:
    """Return a result whose fields outside of its rows repeat the arguments of the same names, as far as its schema admits.

    All fields do so in a result without rows, a single row, and a write by a function without a path: `source_timezone`
    repeats the `timezone` of `source`, and `stars_granted` repeats `stars`.
    """
    told_back = (
        made_up or plan.resource is None or has_no_row(plan) or (plan.tool.http is None and plan.tool.effect == "write")
    )
    around = plan.rows is None or bool(plan.rows.pointer) or told_back
    if not isinstance(result, dict) or plan.tool.returns is None:
        return result
    result = _placed_where_named(plan, result, arguments)
    if not around:
        return result
    at = plan.rows.pointer.split("/")[1] if plan.rows is not None and plan.rows.pointer else ""
    fields = object_properties(plan.tool.returns)
    told = {name: key for name in plan.repeats if key and name in fields}
    told |= {name: value for name, value in arguments.items() if name in result and name not in told}
    alike = {tuple(name_tokens(name)): value for name, value in arguments.items() if name not in result}
    told |= {name: alike[said] for name in result if name not in told and (said := tuple(name_tokens(name))) in alike}
    given = {tuple(name_tokens(name)): value for name, value in arguments.items()}
    for name, held in result.items():  # `stars_granted` repeats `stars`
        value = given.get(tuple(token for token in name_tokens(name) if not is_participle(token)))
        told |= {name: value} if name not in told and type(value) is type(held) else {}
    for name, value in told.items():
        plain = isinstance(value, (str, int, float)) and not isinstance(value, bool)
        if name != at and plain and result.get(name) != value:
            changed = {**result, name: value}
            result = changed if is_valid(changed, plan.tool.returns) else result
    for name, part in result.items() if told_back else ():
        if isinstance(part, dict):
            own = {field: alike.get((*name_tokens(name), *name_tokens(field)), held) for field, held in part.items()}
            changed = {**result, name: own}
            result = changed if own != part and is_valid(changed, plan.tool.returns) else result
    return result
