"""A field and its siblings -> a format or value that its own name does not tell: a URL among links, an amount beside its
currency, a mail address beside a subject.

{"links": {"self": ...}}                                  ->  "https://www.example.com/atlas-31"
{"currencyCode": "EUR", "value": ..., "valueInCents": ...}  ->  "value": "18.40", "valueInCents": 1840
{"password": "Atlas-2211", "confirmPassword": ...}        ->  the same password again
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from mimetypes import MimeTypes
from typing import Any

from interplay.generators.values.dependent_fields import Fits
from interplay.generators.values.texts.formatted_texts import slug_of
from interplay.schemas.json.fields import schema_type
from interplay.schemas.json.validation import is_valid
from interplay.schemas.words.identifiers import last_word, name_tokens
from interplay.schemas.words.lists import word_set

_SHAPING = {"format", "pattern", "enum", "const", "examples"}
_OTHER_SHAPES = _SHAPING - {"format", "examples"}
_SUMS = {"value", "amount"}
_MAILED_TO = {"to", "from", "cc", "bcc", "sender", "recipient", "recipients"}
_MAIL = {"subject", "cc", "bcc", "html"}
"""Words of fields that only mails have, apart from sender and recipients."""
_MINOR = {"minor", "cents", "subunits", "pence"}
_REPEATING = {
    "confirm",
    "confirmation",
    "confirmed",
    "repeat",
    "repeated",
    "again",
    "retype",
    "verify",
    "verification",
    "2",
}
"""Words of fields that ask for a value a second time."""


_BORNE = word_set("people", "borne")


def is_person(fields: Iterable[str]) -> bool:
    """Tell whether an object is a person, by its fields: a `display_name` beside a `username`."""
    return sum("_".join(name_tokens(name)) in _BORNE for name in fields) > 1


def shows_name(field: str) -> bool:
    """Tell whether a field holds a person's full name: `display_name`."""
    return name_tokens(field) in (["display", "name"], ["name"])


def told_by_place(name: str, schema: Mapping[str, Any], holder: str, beside: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the schema of a text with the format that its context implies; unchanged if it implies none.

    `holder` is the name of the object that contains the field, `beside` the schemas of its fields.
    """
    items, kind = schema.get("items"), schema_type(schema)
    if kind == "array" and isinstance(items, Mapping):
        told = told_by_place(name, items, holder, beside)
        return schema if told is items else {**schema, "items": told}
    if kind != "string":
        return schema
    if _is_link(schema) and all(map(_is_link, beside.values())):
        return {**schema, "format": "uri"}
    if not _SHAPING.isdisjoint(schema):
        return schema
    if name_tokens(holder)[-1:] in (["links"], ["link"], ["urls"], ["uris"], ["hrefs"]):
        return {**schema, "format": "uri"}
    tokens = name_tokens(name)
    if tokens[-1:] == ["address"] and name_tokens(holder)[-1:] in (["email"], ["emails"], ["mail"], ["mails"]):
        return {**schema, "format": "email"}
    if tokens[-1:] and tokens[-1] in _SUMS and any("currency" in name_tokens(other) for other in beside):
        return {**schema, "format": "decimal"}
    if tokens[-1:] and tokens[-1] in _MAILED_TO and any(_MAIL & set(name_tokens(other)) for other in beside):
        return {**schema, "format": "email"}
    return schema


def _is_link(schema: Any) -> bool:
    """Tell whether a text is a URL, by its format, examples or description."""
    if not isinstance(schema, Mapping) or schema_type(schema) != "string" or not _OTHER_SHAPES.isdisjoint(schema):
        return False
    told = [schema.get("format"), *map(str, schema.get("examples", ())), str(schema.get("description", ""))[:_READ]]
    return any(_LINK.match(item) for item in told if isinstance(item, str))


_LINK = re.compile(r"uri$|https?://|(?:a |the )?(?:link|url|uri) (?:to|of|for|that)\b", re.IGNORECASE)
_READ = 80
"""Characters of a description that are searched for a link."""


def repeat_what_is_asked_twice(made: dict[str, Any], properties: Mapping[str, Any]) -> None:
    """Make a confirmation repeat its password or mail address, and an amount in minor units agree with the one in major units.

    A status also repeats the one with a longer name and the same choices: `status`, `status_internal`.
    """
    for key, longer in _told_twice(tuple(made)):
        if (options := properties.get(key, {}).get("enum")) and options == properties.get(longer, {}).get("enum"):
            made[key] = made[longer]
    if not _repeats(tuple(made)):
        return
    texts = {key: [*name_tokens(key)] for key, value in made.items() if isinstance(value, str)}
    for key, tokens in texts.items():
        if not _REPEATING & set(tokens) or not {"password", "passwd", "pin", "email"} & set(tokens):
            continue
        own = [token for token in tokens if token not in _REPEATING]
        first = next(
            (other for other, said in texts.items() if other != key and said in (own, [*own, "1"], ["new", *own])), None
        )
        if first is not None and is_valid(made[first], properties.get(key, {})):
            made[key] = made[first]
    for key, value in made.items():
        small = isinstance(value, int) and not isinstance(value, bool) and _is_minor(name_tokens(key))
        whole = _sum_of(key, made) if small else None
        if whole is not None and is_valid(round(whole * 100), properties.get(key, {})):
            made[key] = round(whole * 100)


@lru_cache(maxsize=4_096)
def _told_twice(names: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return pairs of status fields of which the second has all words of the first and more."""
    said = {name: tokens for name in names if not _STATE.isdisjoint(tokens := set(name_tokens(name)))}
    return tuple((name, other) for name in said for other in said if said[name] < said[other])


_STATE = {"status", "state"}


@lru_cache(maxsize=4_096)
def _repeats(names: tuple[str, ...]) -> bool:
    """Tell whether field names include one that may repeat another field."""
    tokens = [name_tokens(name) for name in names]
    return any(_is_minor(said) or not _REPEATING.isdisjoint(said) for said in tokens)


def _is_minor(tokens: list[str]) -> bool:
    return bool(_MINOR & set(tokens)) or tokens[-2:] == ["base", "units"]


def _sum_of(key: str, made: Mapping[str, Any]) -> float | None:
    """Return the amount in major units for a field in minor units: the value of the field named like its first word."""
    value = made.get(name_tokens(key)[0])
    try:
        return float(value) if isinstance(value, (str, int, float)) and not isinstance(value, bool) else None
    except ValueError:
        return None


_CALLED = (("title",), ("name",), ("label",))


_FILE_NAMES = (("extension",), ("filename",), ("file", "name"), ("name",), ("path",))
_MEDIA = {("mimetype",), ("mime", "type"), ("content", "type"), ("media", "type")}


def type_by_extension(made: dict[str, Any], fits: Fits) -> None:
    """Set the media type of a file to that of its extension or file name."""
    media, named = _files_in(tuple(made))
    ends = (f".{made[name].lstrip('.').rpartition('.')[2]}" for name in named if media and isinstance(made[name], str))
    known = next((told for end in ends if (told := _media_types().types_map[True].get(end.lower()))), None)
    for name in media if known is not None else ():
        if fits(known, name):
            made[name] = known


@lru_cache(maxsize=4_096)
def _files_in(names: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the fields for the media type of a file, and those for its extension or name, the likeliest first."""
    told = {tuple(name_tokens(name)): name for name in names}
    media = tuple(name for words, name in told.items() if words in _MEDIA)
    return media, tuple(told[words] for words in _FILE_NAMES if words in told)


@cache
def _media_types() -> MimeTypes:
    """Return Python's built-in media types, independent of the machine."""
    return MimeTypes()


def address_by_name(made: dict[str, Any], fits: Fits) -> None:
    """Derive a slug from the name or title beside it: `post_slug` from `post_title`."""
    for slug, names in _slugs_in(tuple(made)):
        called = next((made[name] for name in names if isinstance(made[name], str) and made[name]), None)
        if called is not None and (told := slug_of(called)) and fits(told, slug):
            made[slug] = told


@lru_cache(maxsize=4_096)
def _slugs_in(names: tuple[str, ...]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return each slug field with the fields that may hold the name of the same thing, the likeliest first."""
    held = {tuple(name_tokens(name)): name for name in names}
    slugs = ((tokens, name) for tokens, name in held.items() if tokens[-1:] == ("slug",))
    found = (
        (name, tuple(held[way] for end in _CALLED if (way := tokens[:-1] + end) in held)) for tokens, name in slugs
    )
    return tuple(pair for pair in found if pair[1])


_KINDS = {"type", "kind", "category"}
"""Last words of fields that say of what kind a thing is."""


def of_own_kind(made: dict[str, Any], properties: Mapping[str, Any], noun: str) -> dict[str, Any]:
    """Return values with the kind that a noun names, where it names exactly one of the options of a field.

    income       type: INCOME or EXPENSE     ->  INCOME
    bank_account type: CHECKING or SAVINGS   ->  as it was
    """
    said = {*name_tokens(noun)}
    found: dict[str, Any] = {}
    for name in (name for name in made if last_word(name) in _KINDS):
        options = [option for option in properties.get(name, {}).get("enum", ()) if isinstance(option, str)]
        named = [option for option in options if (words := {*name_tokens(option)}) and words <= said]
        found |= {name: named[0]} if len(named) == 1 else {}
    return {**made, **found}
