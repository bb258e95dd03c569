"""A JSON Schema -> a value that satisfies it and looks like what the field's name promises."""

import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from random import Random
from typing import Any

from interplay.generators.values import words
from interplay.generators.values.described import described_choices
from interplay.generators.values.naming import by_format, by_name
from interplay.generators.values.numerals import EPOCH
from interplay.generators.values.patterns import TEXT_LIMIT, by_pattern, matches
from interplay.generators.values.reconciling import reconciled
from interplay.generators.values.troubles import tells_trouble
from interplay.schemas.errors import InterplayError
from interplay.schemas.fields import name_tokens, schema_type, singular
from interplay.schemas.json_schema import is_valid

DEPTH_LIMIT = 6
INNER_FIELDS = 3
"""Fields of an inner object that requires none, where only the needed ones are made: an empty one says nothing."""

OPTIONAL_FIELDS = (200, 12, 6, 3, 2, 1)
"""Optional fields that are made of an object, by its depth: deep ones are rarely shown and would make rows huge."""

TRIES, BRIEF = 8, 3
"""Values that are tried, and how many of them with the fields that were not asked for: what is left out may be what tells."""

ITEM_LIMIT = 100
"""Items of a made-up list at most; a schema that wants more cannot be satisfied."""


class Unsatisfiable(InterplayError):
    """No value was found that satisfies a schema."""


def make_valid(schema: Mapping[str, Any], rng: Random, name: str = "", full: bool = True, depth: int = 0) -> Any:
    """Return a value that jsonschema accepts; `depth` says how deep it will stand in what it is made for.

    Raises:
        Unsatisfiable: nothing tried was valid, for instance because the schema contradicts itself.
    """
    for attempt in range(TRIES):
        value = make_value(schema, rng, name, attempt < BRIEF if full else attempt >= TRIES - BRIEF, depth)
        if is_valid(value, schema):
            return value
    for sample in [*schema.get("examples", ()), schema.get("default")]:
        if sample is not None and is_valid(sample, schema):
            return sample
    raise Unsatisfiable(f"no valid value found for {name or 'a field'}: {json.dumps(schema)[:200]}")


def make_value(schema: Mapping[str, Any], rng: Random, name: str = "", full: bool = True, depth: int = 0) -> Any:
    """Make a value by type and name; `full` fills optional properties too. It may violate unusual constraints."""
    if "const" in schema:
        return schema["const"]
    if schema.get("enum"):
        options = [item for item in schema["enum"] if item is not None] or schema["enum"]
        return rng.choice(options)
    for key in ("oneOf", "anyOf"):
        if schema.get(key):
            branches = [branch for branch in schema[key] if branch.get("type") != "null"] or schema[key]
            branch = rng.choice(branches)
            outer = {part: value for part, value in schema.items() if part not in ("oneOf", "anyOf", "title")}
            return make_value(_joined(outer, branch), rng, name, full, depth)
    if schema.get("allOf"):
        joined: dict[str, Any] = {part: value for part, value in schema.items() if part != "allOf"}
        for branch in schema["allOf"]:
            joined = _joined(joined, branch)
        return make_value(joined, rng, name, full, depth)
    if not schema.keys() - {"description", "title"} and name_tokens(name)[-1:] and name_tokens(name)[-1] in _MEASURED:
        schema = {**schema, "type": "integer"}  # untyped, as parameters of functions are that say nothing
    makers: dict[str, Callable[..., Any]] = {
        "object": _object,
        "array": _array,
        "integer": _number,
        "number": _number,
        "boolean": _boolean,
        "null": _null,
        "string": _string,
    }
    return makers.get(schema_type(schema), makers["string"])(schema, rng, name, full, depth)


_MEASURED = set(
    "temperature temp brightness volume humidity price amount quantity count age year percent percentage speed weight height".split()
)


def _joined(left: Mapping[str, Any], right: Mapping[str, Any]) -> dict[str, Any]:
    joined = {**left, **right}
    if "properties" in left and "properties" in right:
        joined["properties"] = {**left["properties"], **right["properties"]}
    if "required" in left and "required" in right:
        joined["required"] = [*left["required"], *(key for key in right["required"] if key not in left["required"])]
    return joined


_WELL = {"status", "success", "succeeded", "successful", "ok"}
"""Last words of flags that say how a call went, which a made-up one went well."""


def _boolean(_schema: Mapping[str, Any], rng: Random, name: str, *_rest: Any) -> bool:
    return rng.random() < 0.5 or not _WELL.isdisjoint(name_tokens(name)[-1:])


def _null(*_rest: Any) -> None:
    return None


def _object(schema: Mapping[str, Any], rng: Random, _name: str, full: bool, depth: int) -> dict[str, Any]:
    required = schema.get("required", [])
    wanted = _optional(schema, depth) if full else ()
    made = {}
    for key, subschema in schema.get("properties", {}).items():
        if key in required or key in wanted:
            nothing = tells_trouble(key) and is_valid(None, subschema)
            made[key] = None if nothing else make_value(subschema, rng, key, full, depth + 1)
    for key in required:
        if key not in made:
            made[key] = make_value({"type": "string"}, rng, key, full, depth + 1)
    if not made and not full and 0 < depth < DEPTH_LIMIT:
        plain = [
            key for key, sub in schema.get("properties", {}).items() if schema_type(sub) not in ("object", "array")
        ]
        made = {key: make_value(schema["properties"][key], rng, key, full, depth + 1) for key in plain[:INNER_FIELDS]}
    extra = schema.get("additionalProperties")
    if not made and isinstance(extra, dict) and full:
        keys = rng.sample(words.TAGS, 2)
        made = {key: make_value(extra, rng, key, full, depth + 1) for key in keys}
    missing = schema.get("minProperties", 0) - len(made)
    if missing > 0 and extra is not False:
        made |= dict.fromkeys(words.TAGS[: min(missing, len(words.TAGS))], "yes")
    return reconciled(made, schema.get("properties", {}))


def _optional(schema: Mapping[str, Any], depth: int) -> Collection[str]:
    """Return the optional fields that an object is to have: all where there are few, else plain ones first."""
    needed = schema.get("required", ())
    free = [key for key in schema.get("properties", {}) if key not in needed and not tells_trouble(key)]
    limit = OPTIONAL_FIELDS[depth] if depth < len(OPTIONAL_FIELDS) else 0
    if len(free) <= limit:
        return free
    return sorted(free, key=lambda key: _plainness(key, schema["properties"][key]))[:limit]


def _plainness(name: str, schema: Mapping[str, Any]) -> int:
    """Rank a field: identities and names before other plain ones, those that hold more fields last."""
    if schema_type(schema) in ("object", "array"):
        return 2
    return 0 if set(name_tokens(name)[-1:]) & _TELLING else 1


_TELLING = {"id", "gid", "uuid", "key", "name", "title", "status", "state", "type"}


def _array(schema: Mapping[str, Any], rng: Random, name: str, full: bool, depth: int) -> list[Any]:
    prefix = [make_value(item, rng, name, full, depth + 1) for item in schema.get("prefixItems", [])]
    items = schema.get("items", {"type": "string"})
    if not isinstance(items, dict) or (depth and tells_trouble(name) and not schema.get("minItems")):
        return prefix
    if "description" in schema and "description" not in items and schema_type(items) == "string":
        items = {**items, "description": schema["description"]}
    usual = min(1, schema.get("maxItems", 1)) if full or depth == 0 else 0
    low = max(schema.get("minItems", 0), usual)
    high = max(low, min(schema.get("maxItems", 3), max(low, 2 if depth else 3)))
    wanted = min(ITEM_LIMIT, rng.randint(low, high) if depth < DEPTH_LIMIT else low)
    if not full and schema_type(items) == "object":
        wanted = min(wanted, max(low, 1))
    made: list[Any] = list(prefix)
    seen: set[str] = set()
    for _ in range(wanted * 5):
        if len(made) >= wanted:
            break
        item = make_value(items, rng, singular(name), full, depth + 1)
        if (key := json.dumps(item, sort_keys=True)) not in seen:
            seen.add(key)
            made.append(item)
    return made


_NUMBER_RANGES: dict[str, tuple[float, float]] = {
    "year": (2026, 2030), "month": (1, 12), "day": (1, 28), "hour": (8, 18), "hours": (1, 8), "minute": (0, 59),
    "minutes": (15, 240), "age": (18, 80), "quantity": (1, 9), "count": (1, 20), "total": (1, 90), "rating": (1, 5),
    "percent": (1, 95), "percentage": (1, 95), "latitude": (-60, 60), "lat": (-60, 60), "longitude": (-150, 150),
    "lng": (-150, 150), "lon": (-150, 150), "page": (1, 3), "limit": (5, 50), "size": (1, 50), "offset": (0, 20),
    "price": (5, 400), "amount": (5, 900), "cost": (5, 400), "value": (5, 500), "rate": (10, 150), "fee": (2, 60),
    "balance": (10, 2000), "id": (1000, 9999), "number": (1000, 9999), "code": (100, 999), "duration": (10, 180),
    "adults": (1, 4), "children": (1, 3), "infants": (1, 2), "persons": (1, 6), "travelers": (1, 6), "travellers": (1, 6), "passengers": (1, 6),
    "baggages": (1, 4), "bags": (1, 4), "luggage": (1, 4), "suitcases": (1, 4), "tickets": (1, 6), "people": (1, 8), "attendees": (2, 12),
    "beds": (1, 4), "bedrooms": (1, 5), "bathrooms": (1, 3), "dogs": (1, 2), "pets": (1, 3), "stops": (1, 3), "copies": (1, 9),
    "temperature": (16, 28), "temp": (16, 28), "brightness": (10, 100), "volume": (5, 90), "humidity": (30, 70), "rooms": (1, 3), "position": (1, 20), "order": (1, 20), "rank": (1, 20), "score": (1, 100), "weight": (1, 90), "height": (1, 200),
    "width": (1, 200), "capacity": (2, 80), "seats": (1, 6), "guests": (1, 6), "nights": (1, 10), "timestamp": EPOCH, "ts": EPOCH, "epoch": EPOCH,
}  # fmt: skip
_MONEY = {"price", "amount", "cost", "fee", "balance", "rate", "value"}


_COUNTED = set("id number count year month day minute age quantity page limit offset position order rank seats guests nights capacity port "
               "timestamp epoch".split())  # fmt: skip
"""What is counted in whole numbers, be it that a schema admits fractions."""
_MEASURES = set(
    "hours minutes seconds days weeks degrees points credits miles meters metres kilometers kilometres grams kilos inches "
    "feet coordinates units rates prices amounts costs fees values scores weights totals sums percents lats lngs".split()
)
_MOMENT = re.compile(
    r"\b(?:unix (?:time|epoch|timestamp)|epoch (?:time|seconds)|seconds since|(?:unix|posix) time)", re.IGNORECASE
)
_MILLIS = re.compile(r"\bmilli-?seconds?\b|\bms\b", re.IGNORECASE)


def _is_counted(token: str, tokens: Sequence[str], schema: Mapping[str, Any]) -> bool:
    """Tell whether a number says how many there are, or which one it is, rather than how much."""
    last = tokens[-1] if tokens else ""
    many = singular(last) != last and last not in _MEASURES and token not in _MONEY
    numbered = last.endswith("id") and last not in ("paid", "bid")
    told = str(schema.get("description", "")).lower().startswith(("number of ", "the number of "))
    return token in _COUNTED or many or numbered or told


def _range_of(token: str, schema: Mapping[str, Any]) -> tuple[float, float]:
    """Return between which numbers a field usually lies, by what is told of it before its name."""
    description = str(schema.get("description", ""))
    if _MOMENT.search(description):
        return (EPOCH[0] * 1000, EPOCH[1] * 1000) if _MILLIS.search(description) else EPOCH
    low, high = _NUMBER_RANGES.get(token, (1, 100))
    samples = [
        item for item in schema.get("examples", ()) if isinstance(item, (int, float)) and not isinstance(item, bool)
    ]
    bounds = _BETWEEN.search(description[:200])
    if bounds is not None and float(bounds[1]) < float(bounds[2]):
        return float(bounds[1]), float(bounds[2])
    if samples and not any(low <= item <= high for item in samples) and min(samples) > 0:
        return min(samples) / 2, max(samples) * 3 / 2
    return low, high


_BETWEEN = re.compile(
    r"\b(?:(?:from|between) )?(-?\d{1,6}(?:\.\d+)?)(?: ?(?:to|and|-|–) ?)(-?\d{1,6}(?:\.\d+)?)(?![\d.:/-]*\d)(?! (?:days?|hours?|minutes?|characters|items)\b)"
)
"""Between which numbers a description says that a value lies: "Light level from 0 to 100"."""

_LEAST = -(2**31) + 1
"""A minimum at or below this is the least that a machine can hold, as Zod states it for each whole number, and meant by nobody."""


_COARSE = 10
"""From this width on, a range told in whole numbers is one of whole numbers."""


def _number(schema: Mapping[str, Any], rng: Random, name: str, *_rest: Any) -> int | float:
    tokens = name_tokens(name)
    token = next((part for part in reversed(tokens) if part in _NUMBER_RANGES), "")
    token = "page" if tokens[-2:] == ["page", "number"] else token
    low, high = (200, 200) if tokens[-2:] in (["status", "code"], ["http", "status"]) else _range_of(token, schema)
    told = _BETWEEN.search(str(schema.get("description", ""))[:200])
    whole = (
        schema_type(schema) == "integer"
        or (told is not None and "." not in told[0] and high - low >= _COARSE)
        or low >= EPOCH[0]
        or _is_counted(token, tokens, schema)
    )
    minimum, maximum = schema.get("minimum"), schema.get("maximum")
    step = 1 if whole else 0.01
    if schema.get("exclusiveMinimum") is not None and not isinstance(schema["exclusiveMinimum"], bool):
        minimum = max(schema["exclusiveMinimum"] + step, minimum if minimum is not None else float("-inf"))
    if schema.get("exclusiveMaximum") is not None and not isinstance(schema["exclusiveMaximum"], bool):
        maximum = min(schema["exclusiveMaximum"] - step, maximum if maximum is not None else float("inf"))
    minimum = None if minimum is not None and minimum <= _LEAST else minimum
    if minimum is not None and not low <= minimum <= high:
        low, high = minimum, max(high, minimum + (high - low))
    low = max(low, minimum) if minimum is not None else low
    high = min(high, maximum) if maximum is not None else high
    low = min(low, high) if minimum is None else low
    multiple = schema.get("multipleOf")
    if multiple:
        first = -(-low // multiple)
        value = multiple * rng.randint(int(first), max(int(first), int(high // multiple)))
        return int(value) if whole else round(value, 6)
    if whole:
        return rng.randint(int(-(-low // 1)), max(int(-(-low // 1)), int(high)))
    digits = (
        6
        if token == "ts"
        else 2
        if token in _MONEY or token == ""
        else 4
        if token in ("lat", "latitude", "lng", "lon", "longitude")
        else 1
    )
    return min(max(round(rng.uniform(low, high), digits), low), high)


def _string(schema: Mapping[str, Any], rng: Random, name: str, *_rest: Any) -> str:
    choices = [choice for choice in described_choices(schema) if is_valid(choice, schema)]
    if choices:
        return rng.choice(choices)
    pattern = schema.get("pattern")
    if schema.get("format") == "byte" and {"minimum", "maximum"} & schema.keys():  # a small number, not coded content
        return str(_number({**schema, "type": "integer"}, rng, name))
    text = by_format(schema.get("format", ""), rng, name_tokens(name)) or by_name(name_tokens(name), schema, rng)
    if pattern is not None and not matches(pattern, text):
        spoken = name_tokens(name)[-1:] in (["slug"], ["code"])
        text = by_pattern(pattern, schema, rng, by_name(["name"], {}, rng) if spoken else text)
    low, high = min(schema.get("minLength", 0), TEXT_LIMIT), schema.get("maxLength")
    if len(text) < low:
        filler = words.SENTENCES if low > 40 else ("x",)
        text += "".join(rng.choice(filler) for _ in range(low // len(min(filler, key=len)) + 1))
        text = text[: max(low, min(len(text), high or low))]
    if high is not None and len(text) > high:
        text = text[:high].strip() if len(text[:high].strip()) >= low else text[:high]
    return text
