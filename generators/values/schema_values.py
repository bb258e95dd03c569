"""A JSON Schema -> a value that satisfies it and looks like what the field's name promises."""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from interplay.generators.values.coded_choices import as_choice, is_choice
from interplay.generators.values.lifetimes import is_stayed_in, tells_trouble, usual_states
from interplay.generators.values.number_values import is_average, is_measured, make_number
from interplay.generators.values.reconciliation import reconciled, tells_moment
from interplay.generators.values.sibling_fields import is_person, shows_name, told_by_place
from interplay.generators.values.texts import sample_words
from interplay.generators.values.texts.described_values import described_choices
from interplay.generators.values.texts.formatted_texts import address_about, by_format, file_about, file_of, slug_of
from interplay.generators.values.texts.ideas import (
    Idea,
    draw_idea,
    is_of_other,
    lacks_words,
    names_thing,
    text_about,
    within,
)
from interplay.generators.values.texts.names.named_texts import by_name, is_counted, is_promised, is_shown, says_kind
from interplay.generators.values.texts.past_events import tells_day
from interplay.generators.values.texts.pattern_texts import TEXT_LIMIT, by_pattern, matches
from interplay.schemas.errors import InterplayError
from interplay.schemas.json.fields import schema_type
from interplay.schemas.json.object_cache import ObjectCache
from interplay.schemas.json.validation import is_valid
from interplay.schemas.words.identifiers import RECORDED, moment_tokens, name_tokens
from interplay.schemas.words.lists import beside, word_set
from interplay.schemas.words.nouns import PERSON_NOUNS, is_plural, singular
from interplay.schemas.words.word_classes import is_abbreviation

_LISTS = beside(__file__)

DEPTH_LIMIT = 6
INNER_FIELDS = 3
"""Fields made for a nested object that requires none if only required fields are wanted, since an empty one says nothing."""

OPTIONAL_FIELDS = (200, 12, 6, 3, 2, 1)
"""Maximum optional fields of an object, by its depth: deep ones are rarely shown and would make rows huge."""

TRIES, BRIEF = 8, 3
"""Attempts at a valid value, and how many of them fill optional fields: the first ones if `full`, else the last ones."""

ITEM_LIMIT = 100
"""Maximum items of a made-up list; a schema that requires more cannot be satisfied."""


class Unsatisfiable(InterplayError):
    """No value was found that satisfies a schema."""


def make_valid(
    schema: Mapping[str, Any], rng: Random, name: str = "", full: bool = True, depth: int = 0, idea: Idea | None = None
) -> Any:
    """Return a value that jsonschema accepts; `depth` is its depth in the whole value.

    A text is about the `idea` of the object that it belongs to; a nested object may have an idea of its own.

    Raises:
        Unsatisfiable: no attempt was valid, for instance because the schema contradicts itself.
    """
    for attempt in range(TRIES):
        value = make_value(schema, rng, name, attempt < BRIEF if full else attempt >= TRIES - BRIEF, depth, idea)
        if is_valid(value, schema):
            return value
    for sample in [*schema.get("examples", ()), schema.get("default")]:
        if sample is not None and is_valid(sample, schema):
            return sample
    raise Unsatisfiable(f"no valid value found for {name or 'a field'}: {json.dumps(schema)[:200]}")


def make_value(
    schema: Mapping[str, Any], rng: Random, name: str = "", full: bool = True, depth: int = 0, idea: Idea | None = None
) -> Any:
    """Make a value by type and name; `full` fills optional properties too. It may violate unusual constraints."""
    if "const" in schema:
        return schema["const"]
    if schema.get("enum"):
        options = _usual([item for item in schema["enum"] if item is not None] or schema["enum"])
        usual = usual_states(name, options)
        return rng.choice(options if len(usual) == len(options) or rng.random() < _UNUSUAL else usual)
    for key in ("oneOf", "anyOf"):
        if schema.get(key):
            return make_value(rng.choice(_branches(schema, key)), rng, name, full, depth, idea)
    if schema.get("allOf"):
        return make_value(_whole(schema), rng, name, full, depth, idea)
    if (
        "type" not in schema
        and not schema.keys() - {"description", "title"}
        and not _MEASURED.isdisjoint(name_tokens(name)[-1:])
    ):
        schema = {**schema, "type": "integer"}  # untyped, like a function parameter without annotation
    return _MAKERS.get(schema_type(schema), _MAKERS["string"])(schema, rng, name, full, depth, idea)


def _usual(options: Sequence[Any]) -> Sequence[Any]:
    """Return the well-known ones of many options: of all currencies, countries or languages; all options if they are few."""
    if len(options) < _MANY:
        return options
    return next((found for known in _WELL_KNOWN if (found := [item for item in options if item in known])), options)


_UNUSUAL = 0.4
"""Share of rows whose status is drawn from all options rather than from the usual ones."""

_MANY = 30
"""Number of options from which on a list counts as complete."""

_WELL_KNOWN = (
    frozenset(sample_words.CURRENCIES),
    frozenset(city[1] for city in sample_words.CITIES),
    frozenset(city[2] for city in sample_words.CITIES),
    frozenset(city[3] for city in sample_words.CITIES),
)

_MEASURED, _PICTURED = word_set(_LISTS, "measured"), word_set(_LISTS, "pictured")


def _branches_of(schema: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    """Return the schema joined with each of its branches, without those for null."""
    branches = [branch for branch in schema[key] if branch.get("type") != "null"] or schema[key]
    outer = {part: value for part, value in schema.items() if part not in ("oneOf", "anyOf", "title")}
    return [_joined(outer, branch) for branch in branches]


def _all_of(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a schema joined with all its `allOf` parts."""
    joined: dict[str, Any] = {part: value for part, value in schema.items() if part != "allOf"}
    for branch in schema["allOf"]:
        joined = _joined(joined, branch)
    return joined


_branches, _whole = ObjectCache(_branches_of), ObjectCache(_all_of)


def _joined(left: Mapping[str, Any], right: Mapping[str, Any]) -> dict[str, Any]:
    joined = {**left, **right}
    if "properties" in left and "properties" in right:
        joined["properties"] = {**left["properties"], **right["properties"]}
    if "required" in left and "required" in right:
        joined["required"] = [*left["required"], *(key for key in right["required"] if key not in left["required"])]
    return joined


_WELL = {"status", "success", "succeeded", "successful", "ok"}
"""Last words of flags that report success, which are true in made-up results."""


RARE, _SELDOM = word_set(beside(__file__), "rare"), 0.15
"""Words of flags that are seldom true, and how often they are."""


def _boolean(_schema: Mapping[str, Any], rng: Random, name: str, *_rest: Any) -> bool:
    tokens = name_tokens(name)
    often = _SELDOM if not RARE.isdisjoint(tokens) else 1 - _SELDOM if is_stayed_in(name) else 0.5
    return rng.random() < often or not _WELL.isdisjoint(tokens[-1:])


def _null(*_rest: Any) -> None:
    return None


def _object(
    schema: Mapping[str, Any], rng: Random, name: str, full: bool, depth: int, idea: Idea | None
) -> dict[str, Any]:
    required, properties, whole = schema.get("required", []), schema.get("properties", {}), idea
    if idea is None or (names_thing(name) and (_by_itself(schema, name) or is_of_other(idea, properties))):
        idea = draw_idea(name, rng, properties, tuple(idea.noun.split()) if idea is not None else ())
    elif depth:
        idea = within(idea, name)
    made = {
        field.name: None if field.is_empty else make_value(field.schema, rng, field.called, full, depth + 1, idea)
        for field in _told_of(idea, _fields(schema, name, full, depth), required)
    }
    extra = schema.get("additionalProperties")
    if not made and isinstance(extra, dict) and full and is_told(name, extra):
        keys = rng.sample(sample_words.TAGS, 2)
        made = {key: make_value(extra, rng, key, full, depth + 1) for key in keys}
    missing = schema.get("minProperties", 0) - len(made)
    if missing > 0 and extra is not False:
        made |= dict.fromkeys(sample_words.TAGS[: min(missing, len(sample_words.TAGS))], "yes")
    if depth and whole is not None and is_choice(name, properties):
        made = as_choice(made, properties, by_name(name_tokens(name), _NOTHING, rng, whole))
    return reconciled(made, properties, required)


def _is_by_itself(schema: Mapping[str, Any], name: str) -> bool:
    """Tell whether a nested object is a thing of its own, by its fields: `patient: {id}`, `patient: {patient_id}`.

    A name in a language, without an identity, is that of the thing around it: `translation: {locale, name}`.
    """
    own = name_tokens(singular(name))
    fields = (name_tokens(key) for key in schema.get("properties", ()))
    held = {"_".join(field[len(own) :] if field[: len(own)] == own else field) for field in fields}
    return not held.isdisjoint(_BY_ITSELF) and (held.isdisjoint(_LANGUAGES) or not held.isdisjoint(_IDENTIFIED))


_by_itself = ObjectCache(_is_by_itself)


def _told_of(idea: Idea, fields: Sequence["_Field"], required: Collection[str]) -> Sequence["_Field"]:
    """Return the fields of an object without optional texts of which nothing is known; all fields if none is left."""
    said = [
        field for field in fields if field.name in required or not (field.is_free and lacks_words(idea, field.tokens))
    ]
    return said or fields


class _Field(NamedTuple):
    """A field of an object, its schema, and the name under which its value is made."""

    name: str
    schema: Mapping[str, Any]
    called: str
    is_empty: bool = False
    is_free: bool = False
    """Whether it holds a text whose schema gives no more than its type."""

    @property
    def tokens(self) -> list[str]:
        """The words of its name."""
        return name_tokens(self.called)


def _fields_of(schema: Mapping[str, Any], name: str, full: bool, depth: int) -> list[_Field]:
    """Return the fields to make for an object of this schema and name, as far as they do not depend on chance."""
    required, properties = schema.get("required", []), schema.get("properties", {})
    needed, wanted = frozenset(required), frozenset(_optional(schema, depth) if full else ())
    holder = name_tokens(name)[-1:]
    somebody = is_person(properties)
    named = somebody or (bool(holder) and singular(holder[0]) in PERSON_NOUNS)
    untold = {key for key in wanted if key not in needed and not is_told(key, properties[key])}
    untold = untold if required or len(untold) < len(wanted) else set()  # the object has to hold something
    fields = []
    for key, declared in properties.items():
        if key in needed or (key in wanted and key not in untold):
            subschema = told_by_place(key, declared, name, properties)
            called = "full_name" if (named and key == "name") or (somebody and shows_name(key)) else key
            called = f"{name}_{key}" if is_average(key) else called
            called = _named(called, properties)
            empty = (tells_trouble(key) or not is_told(key, declared)) and is_valid(None, subschema)
            free = schema_type(subschema) == "string" and not is_shown(key, subschema)
            fields.append(_Field(key, subschema, called, empty, free))
    fields += [_Field(key, {"type": "string"}, key) for key in dict.fromkeys(required) if key not in properties]
    if fields or full or not 0 < depth < DEPTH_LIMIT:
        return fields
    told = ((key, sub) for key, sub in properties.items() if is_told(key, sub))
    told = (field for field in told if RECORDED.isdisjoint(name_tokens(field[0])))  # nobody states when it was recorded
    plain = [
        _Field(key, sub, _named(key, properties)) for key, sub in told if schema_type(sub) not in ("object", "array")
    ]
    return plain[:INNER_FIELDS]


def _named(name: str, properties: Collection[str]) -> str:
    """Return "name" for a label that is the only name of an object, and other names as they are."""
    return "name" if name == "label" and _NAMING.isdisjoint(properties) else name


_fields = ObjectCache(_fields_of)


def is_told(name: str, schema: Mapping[str, Any]) -> bool:
    """Tell whether anything is known of what a field or its items hold; other types than texts and objects need no more."""
    kind = schema_type(schema)
    if kind == "array" and isinstance(schema.get("items"), Mapping):
        described = {"description": schema["description"]} if isinstance(schema.get("description"), str) else {}
        return not _SAMPLED.isdisjoint(schema) or is_told(singular(name), {**described, **schema["items"]})
    if kind == "object":
        return not _DESCRIBED.isdisjoint(schema)
    return kind != "string" or is_promised(name, schema)


_SAMPLED = {"examples", "default", "enum", "const"}
_DESCRIBED = {*_SAMPLED, "properties", "additionalProperties", "patternProperties", "$ref", "allOf", "anyOf", "oneOf"}
"""Keywords that tell what an object contains."""


def _optional(schema: Mapping[str, Any], depth: int) -> Collection[str]:
    """Return the optional fields to make for an object: all if they are few, else the plain ones first."""
    needed = frozenset(schema.get("required", ()))
    free = [key for key in schema.get("properties", {}) if key not in needed and not tells_trouble(key)]
    limit = OPTIONAL_FIELDS[depth] if depth < len(OPTIONAL_FIELDS) else 0
    limit = max(0, min(limit, schema.get("maxProperties", limit + len(needed)) - len(needed)))
    if len(free) <= limit:
        return free
    return sorted(free, key=lambda key: _plainness(key, schema["properties"][key]))[:limit]


def _plainness(name: str, schema: Mapping[str, Any]) -> int:
    """Return the sort rank of a field: identities and names, then other leaves, then objects and lists."""
    if schema_type(schema) in ("object", "array"):
        return 2
    return 0 if set(name_tokens(name)[-1:]) & _TELLING else 1


_LANGUAGES = {"locale", "language", "language_code", "lang"}
_IDENTIFIED = {"id", "gid", "uuid", "key"}
_BY_ITSELF = _IDENTIFIED | {"name", "title"}
"""Fields of objects that are things of their own, and not part of their parent."""

_NAMING = {"name", "title"}
"""Fields that hold the name of a thing; beside them, a label is something else."""

_TELLING = {"id", "gid", "uuid", "key", "name", "title", "status", "state", "type"}


def _array(schema: Mapping[str, Any], rng: Random, name: str, full: bool, depth: int, idea: Idea | None) -> list[Any]:
    prefix = [make_value(item, rng, name, full, depth + 1, idea) for item in schema.get("prefixItems", [])[:ITEM_LIMIT]]
    items = schema.get("items", {"type": "string"})
    if not isinstance(items, dict) or (depth and tells_trouble(name) and not schema.get("minItems")):
        return prefix
    if "description" in schema and "description" not in items and schema_type(items) == "string":
        items = {**items, "description": schema["description"]}
    needed = full or depth < DEPTH_LIMIT  # with only required fields wanted, deeply nested lists are left empty
    untold = depth and schema_type(items) == "string" and not is_told(name, schema) and is_valid([], schema)
    usual = min(1, schema.get("maxItems", 1)) if needed and not untold else 0
    low = max(schema.get("minItems", 0), usual)
    high = max(low, min(schema.get("maxItems", 3), max(low, 2 if depth else 3)))
    wanted = min(ITEM_LIMIT, rng.randint(low, high) if depth < DEPTH_LIMIT else low)
    wanted = low if untold else wanted
    if not full and schema_type(items) == "object":
        wanted = min(wanted, max(low, 1))
    made: list[Any] = list(prefix)
    seen: set[str] = set()
    for _ in range(wanted * 5):
        if len(made) >= wanted:
            break
        item = make_value(items, rng, singular(name), full, depth + 1, idea)
        key = json.dumps(item, sort_keys=True) if wanted > 1 else ""
        if key not in seen:
            seen.add(key)
            made.append(item)
    timed = not prefix and all(isinstance(item, str) and tells_moment(item) for item in made)
    return sorted(made) if timed else made  # nobody lists the later time first


class _Text(NamedTuple):
    """What schema and name say of a text, independent of chance."""

    choices: list[str]
    """The values that its description lists."""
    tokens: list[str]
    is_small: bool
    """Whether it is a small number in a field of format `byte`."""
    is_endless: bool
    """Whether its pattern refuses letters, so that a long number may be its identity."""


def _text_of(schema: Mapping[str, Any], name: str) -> _Text:
    tokens, pattern = moment_tokens(name), schema.get("pattern")
    return _Text(
        [item for item in described_choices(schema, says_kind(name)) if is_valid(item, schema)],
        tokens,
        schema.get("format") == "byte" and bool({"minimum", "maximum"} & schema.keys()),
        pattern is not None and not matches(pattern, "a") and not is_counted(tokens),
    )


_text, _NOTHING, _WHOLE = ObjectCache(_text_of), dict[str, Any](), {"type": "integer"}


def _string(schema: Mapping[str, Any], rng: Random, name: str, _full: bool, _depth: int, idea: Idea | None) -> str:
    choices, tokens, is_small, is_endless = _text(schema, name)
    if choices:
        return rng.choice(choices)
    if is_small:
        return str(make_number({**schema, "type": "integer"}, rng, name))
    pattern, form = schema.get("pattern"), schema.get("format", "")
    if idea is not None and tells_day(tokens, idea.noun):
        tokens = ["recorded", *tokens]
    text = by_format(form, rng, tokens, idea.person if idea else "") or by_name(tokens, schema, rng, idea)
    text = text or schema.get("default") or ("" if pattern is not None else _untold(tokens, rng, idea))
    if idea is not None:
        pictured = text.endswith(".txt") and not _PICTURED.isdisjoint((*tokens, *idea.noun.split()))
        text = f"{slug_of(idea.name)}.jpg" if pictured and slug_of(idea.name) else text
        text = file_about(text, idea.name) if form == "binary" else address_about(text, tokens, idea.name)
    text = file_of(text, schema.get("contentMediaType", "")) if form == "binary" else text
    about = text or (idea or draw_idea("", rng)).topic
    if pattern is not None and not matches(pattern, text):
        number = str(rng.randint(10**17, 10**18 - 1))
        if is_endless and matches(pattern, number):
            much = is_measured(tokens) or any(map(is_plural, tokens))
            few = str(make_number(_WHOLE, rng, name, idea=idea)) if much else number
            return few if matches(pattern, few) else number
        spoken = tokens[-1:] in (["slug"], ["code"])
        text = by_pattern(pattern, schema, rng, by_name(["name"], _NOTHING, rng, idea) if spoken else about)
    low, high = min(schema.get("minLength", 0), TEXT_LIMIT), schema.get("maxLength")
    if len(text) < low:
        text = _lengthened(text, low, high, rng, idea)
    return text if high is None or len(text) <= high else _shortened(text, low, high)


def _lengthened(text: str, low: int, high: int | None, rng: Random, idea: Idea | None) -> str:
    """Return a text lengthened to the minimum: by sentences, or by digits; a short word is replaced by digits."""
    if low > _A_SENTENCE:
        more = text_about(idea or draw_idea("", rng), ["description"], rng)
        text += f" {more}" * ((low - len(text)) // len(more) + 1)
        return text[: max(low, min(len(text), high or low))]
    kept = text if any(map(str.isdigit, text)) else ""
    return kept + "".join(str(rng.randint(1, 9)) for _ in range(low - len(kept)))


def _shortened(text: str, low: int, high: int) -> str:
    """Return a text shortened to the maximum: to its first whole words if these are long enough; a moment to its digits."""
    digits = "".join(filter(str.isdigit, text))
    if len(digits) >= high and not any(map(str.isalpha, text.replace("T", "").replace("Z", ""))):
        return digits[:high] if "-" not in text else digits[:8][-high:]  # 09:30 as 0930, 2026-04-02 as 260402
    whole = text[: high + 1].rpartition(" ")[0].strip(" ,.-")
    cut = text[:high].strip()
    return whole if whole and len(whole) >= max(low, 1) else cut if len(cut) >= low else text[:high]


_A_SENTENCE = 40
"""Minimum lengths above this are reached by adding sentences."""


def _untold(tokens: list[str], rng: Random, idea: Idea | None) -> str:
    """Return a text for a required field of which nothing is known: the words of its name, or a code for an abbreviation."""
    if idea is not None and idea.noun and tokens[-1:] == ["object"]:
        return idea.noun.replace(" ", "_")
    letters = tokens[:1] if tokens and len(tokens[0]) == 1 else tokens[-1:]
    if any(map(is_abbreviation, letters)):
        return by_name(["code"], _NOTHING, rng)
    return " ".join(tokens) or "text"


_MAKERS: Mapping[str, Callable[..., Any]] = {
    "object": _object,
    "array": _array,
    "integer": make_number,
    "number": make_number,
    "boolean": _boolean,
    "null": _null,
    "string": _string,
}
"""Schema type -> the function that makes its values."""
