"""Which values of a result people say aloud, and which of them name a row."""

import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import lru_cache
from operator import itemgetter
from typing import Any, NamedTuple

from interplay.generators.phrases.labels.field_labels import (
    FAMILY_NAMES,
    FIRST_NAMES,
    MINOR,
    MOMENTS,
    MONEY,
    is_half_name,
    words_of,
)
from interplay.generators.results.result_kinds import payload_of
from interplay.schemas.json.canonical import join_pointer, last_name, leaves, value_at
from interplay.schemas.json.fields import schema_type
from interplay.schemas.words.coded_values import codes_of
from interplay.schemas.words.identifiers import RECORDED, is_recorded, name_tokens
from interplay.schemas.words.lists import beside, word_set
from interplay.schemas.words.nouns import singular
from interplay.schemas.words.word_classes import is_participle

_LISTS = beside(__file__)

LABELS = ("name", "full name", "display name", "title", "subject", "label", "summary", "headline", "username", "email")
"""Labels of fields that name a row, best first."""

_ACTORS = word_set("people", "actors")
"""Who did something with a row: nobody calls a message by its author, if it has a text."""

_NOISE = word_set(_LISTS, "noise")
_PLACES = word_set(_LISTS, "places")
"""Names of fields that lead to other pages of a list."""

_UUID = re.compile(r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$", re.IGNORECASE)
_OPAQUE = re.compile(
    r"^(?=.*\d)[A-Za-z0-9_\-]{16,}$|^[A-Z]{1,4}[-_]?\d{3,}$|^[0-9a-f]{10,}$|^\d{9,}\.\d+$|^(?=.*\d)(?=.*[A-Z])[A-Z0-9]{5,}$"
)
_PERSONAL = re.compile(r"^[a-z]{2,20}[_.-][a-z]{2,20}(?:[_.-]?\d{1,6})?$")
"""An identity made of a person's names, which its owner remembers."""

_SECONDS, _MILLISECONDS = range(10**8, 4 * 10**9), range(10**11, 4 * 10**12)
"""Numbers that are timestamps if their name says so: seconds or milliseconds since 1970."""

_WENT_WELL = range(200, 300)
_CODED, _FAILING, _SAID_WELL, _WELL = (word_set(_LISTS, name) for name in ("coded", "failing", "said_well", "well"))
"""Words for success: `{"status": 200, "error": false}`, `{"result": "ok"}`."""

_TRUTH = _SAID_WELL | _WELL
"""Words of flags that only report success: `{"status": true}`."""
_TRUTHS = {"true", "false"}
"""Texts that stand for a boolean: "the closed is true" is no sentence."""

_ENDED, _ARRIVED = word_set(_LISTS, "ended"), word_set(_LISTS, "arrived")
"""Words of moments of things that have ended, and of flags that are false for anything just sent."""

_TECHNICAL = word_set(_LISTS, "technical")
_NEGATIVE = word_set(_LISTS, "negative")
_WRITTEN, _SENTENCES = word_set(_LISTS, "written"), word_set(_LISTS, "sentences")
"""Words of fields that describe a row but do not name it."""

_OF_A_KIND, _KINDS = word_set(_LISTS, "of_a_kind") | {"time zone"}, ("type", "kind")
_SAID = ("text", "number")
"""Forms of values that may name a row."""

LONGEST, DEEPEST = 80, 4
"""Maximum length of a text that is read out, and maximum depth of its field."""


def is_opaque(value: Any) -> bool:
    """Tell whether a value is a code that nobody says or remembers: a UUID, a hash, an internal number."""
    return isinstance(value, str) and bool(_UUID.match(value) or (_OPAQUE.match(value) and not _PERSONAL.match(value)))


def is_technical(name: str, schema: Mapping[str, Any]) -> bool:
    """Tell whether a parameter only shapes the API's answer, or takes a timestamp as a number."""
    tokens = name_tokens(name)
    if not tokens or set(tokens) & _TECHNICAL or tokens in (["raw"], ["debug"]) or tokens[0] in ("opt", "include"):
        return True
    if tokens[-1] == "fields" and "custom" not in tokens:
        return True
    return schema_type(schema) == "integer" and bool(set(tokens) & (RECORDED | {"timestamp"}))


def is_holdable(value: Any) -> bool:
    """Tell whether a person may have an identity at hand, on a letter or a ticket: short or made of names, and no UUID."""
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        return False
    return (len(str(value)) <= 12 or bool(_PERSONAL.match(str(value)))) and not _UUID.match(str(value))


def is_moment(value: Any) -> bool:
    """Tell whether a value is a date, with or without a time."""
    return isinstance(value, str) and _DATED.match(value) is not None


def repeats_name(name: str, value: str) -> bool:
    """Tell whether a text only repeats the name of its field, as a placeholder does: "otp" in `otp`, "data" in `data`."""
    return len(value) <= LONGEST and bool(said := _tokens(value)) and said <= _tokens(name) | _singular_tokens(name)


@lru_cache(maxsize=16_384)
def _singular_tokens(name: str) -> frozenset[str]:
    return frozenset(map(singular, _tokens(name)))


@lru_cache(maxsize=16_384)
def _tokens(name: str) -> frozenset[str]:
    return frozenset(name_tokens(name))


def is_noise(name: str) -> bool:
    """Tell whether a field is never read out, whatever its value: ids, URLs, paging fields."""
    tokens = _tokens(name)
    return not tokens.isdisjoint(_NOISE) or (bool(tokens) and tokens <= _PLACES)


def speakable(name: str, value: Any) -> bool:
    """Tell whether a person would read out this field of a result."""
    tokens = _tokens(name)
    if is_noise(name):
        return False
    if isinstance(value, str):
        well = tokens <= _SAID_WELL and bool(tokens) and value.lower() in _WELL
        ended = not tokens.isdisjoint(_ENDED) and _DATED.match(value) is not None
        told = not well and not ended and value.lower() not in _TRUTHS and not repeats_name(name, value)
        return told and 0 < len(value) <= LONGEST and (_is_plain(value) or _is_number(name, value))
    if isinstance(value, bool):
        if value and tokens and tokens <= _TRUTH:
            return False
        arrived = value or tokens.isdisjoint(_ARRIVED)
        return arrived and not tokens & _NEGATIVE and not (tokens and tokens <= _FAILING)
    if isinstance(value, (int, float)):
        well = isinstance(value, int) and value in _WENT_WELL and bool(tokens) and tokens <= _CODED
        counted = math.isfinite(value) and (int(value) in _SECONDS or int(value) in _MILLISECONDS)
        return not well and not (counted and tokens & MOMENTS)
    if isinstance(value, list):
        short = 0 < len(value) <= 5
        plain = short and all(isinstance(item, (str, int, float)) and speakable("", item) for item in value)
        return plain and not all(isinstance(item, str) and repeats_name(name, item) for item in value)
    return value is not None and not isinstance(value, Mapping)


@lru_cache(maxsize=16_384)
def _is_number(name: str, value: str) -> bool:
    """Tell whether a code is the number by which people call a thing: the `invoice_number` "IN41049"."""
    return words_of(name).endswith(_NUMBERED) and is_holdable(value)


_NUMBERED = ("number", "reference")


@lru_cache(maxsize=65_536)
def _is_plain(text: str) -> bool:
    """Tell whether a short text can be read out: no code, no URL, no markup."""
    return not is_opaque(text) and not is_marked(text) and text.isprintable()


def is_marked(text: str) -> bool:
    """Tell whether a text is made for programs: a URL, markup, a media type.

    Source: RFC 6838 and RFC 9695, the top-level media types.
    """
    return _MARKED.match(text) is not None


_MARKED = re.compile(
    r"https?:|[\w.+-]+://|[/{\[<*]|(?:application|audio|font|haptics|image|message|model|multipart|text|video)/[\w.+-]+$"
)


def is_named_after(pointer: str, words: Collection[str]) -> bool:
    """Tell whether a field holds the name or number of a row for which people use these `words`: `song_name`, of songs."""
    name = pointer.rpartition("/")[2]
    *thing, last = name_tokens(name) or [""]
    own = words_of(name) not in LABELS  # "username" is a label of its own
    return own and last in ("name", "title", "number") and bool(thing) and set(thing) <= set(words)


def speakable_leaves(value: Any, naming: bool = False) -> Iterator[tuple[str, Any]]:
    """Yield the pointers and values of a result that a person would read out, the most telling first.

    With `naming`, values that name the row come before those that describe it. A field with an identity of its own beside it
    counts as a name: `vehicle`, beside `vehicle_id`. Links to other calls, which have a relation (RFC 8288), are not read out.
    """
    found, related = [], set[str]()
    keyed = {at for at, _ in leaves(value) if at.endswith(("_id", "Id"))} if naming else set[str]()
    within = join_pointer(payload) if (payload := payload_of(value)) is not None else ""
    below = f"{within}/"
    for pointer, leaf in leaves(value):
        if within and not f"{pointer}/".startswith(below):
            continue
        if pointer.endswith("/rel"):
            related.add(pointer.removesuffix("rel"))
        if isinstance(leaf, str):
            named = f"{pointer}_name" if keyed and not keyed.isdisjoint((f"{pointer}_id", f"{pointer}Id")) else pointer
            rank = _rank_of_text(named, leaf, within, naming) if len(leaf) <= LONGEST else None
        elif isinstance(leaf, (list, dict)):
            rank = _rank_of(pointer, leaf, within, naming)
        else:
            rank = _rank_of_scalar(pointer, leaf, within, naming)
        if rank is not None:
            found.append((rank, pointer, leaf))
    if related:
        found = [(rank, at, leaf) for rank, at, leaf in found if at[: at.rindex("/") + 1] not in related]
    titles = {at for _, at, _ in found if naming and at.lower().endswith("/title")}
    people = {at.rpartition("/")[0] for _, at, _ in found if titles and words_of(last_name(at)) in FAMILY_NAMES}
    if people:  # beside a family name, "title" is a form of address
        own = {at for at in titles if at.rpartition("/")[0] in people}
        found = [(_BY_KIND if at in own else rank, at, leaf) for rank, at, leaf in found]
    found.sort(key=itemgetter(0))
    for _, pointer, leaf in found:
        yield pointer, leaf


def _rank_of(pointer: str, leaf: Any, within: str, naming: bool) -> float | None:
    """Return the rank of a value, the most telling lowest; None if nobody would read it out.

    Sentences, and codes for a kind, do not name a row.
    """
    name = pointer.rpartition("/")[2]
    if _hidden(pointer.removeprefix(within)) or not speakable(name, leaf):
        return None
    if naming and not isinstance(leaf, str) and not MINOR.isdisjoint(_tokens(name)):
        return None
    if naming and name in _STATES and pointer.removeprefix(within).count("/") > 1:
        return None  # the state of another thing: the mandate of a card
    rank = _rank(pointer, _form(leaf), naming)
    if not naming or not isinstance(leaf, str) or rank <= _AS_CALLED:
        return rank
    least = _BY_KIND if _CODED_KIND.match(leaf) else _AS_CONTENT if leaf.endswith((".", "!", "?")) else 0.0
    return max(rank, least + pointer.count("/") * 0.8)


_STATES = frozenset(("status", "state"))
_AS_CALLED, _AS_CONTENT, _BY_KIND = 2.0, 2.15, 3.1
"""Ranks: up to which a text is known as a name by its field's name; of sentences; of values that only give a kind."""

_CODED_KIND = re.compile(r"^[A-Z]+(?:_[A-Z]+)+$|^[a-z]+(?:\d*[A-Z][a-z]+)+$")
"""A code of an enumeration: CANCELLED_BY_SELLER, everyOtherYear."""


_rank_of_text = lru_cache(maxsize=65_536)(_rank_of)
_rank_of_scalar = lru_cache(maxsize=16_384, typed=True)(_rank_of)


@lru_cache(maxsize=16_384)
def _hidden(pointer: str) -> bool:
    """Tell whether the value at a pointer is too deep to be read out, or is metadata."""
    if pointer.count("/") > DEEPEST:
        return True
    if pointer.endswith("/metadata/name"):
        return False
    owners = {token for part in pointer.split("/")[1:-1] for token in name_tokens(part)}
    return bool(owners & {"links", "link", "metadata", "pagination", "paging", "meta"})


def _form(value: Any) -> str:
    """Return the form of a value, as far as the ranking depends on it."""
    if isinstance(value, str):
        return _form_of_text(value)
    return "truth" if isinstance(value, bool) else "list" if isinstance(value, list) else "number"


@lru_cache(maxsize=65_536)
def _form_of_text(text: str) -> str:
    return "date" if _DATED.match(text) else "clock" if _CLOCK.match(text) else "text"


@lru_cache(maxsize=65_536)
def _rank(pointer: str, form: str, naming: bool) -> float:
    """Return the rank of a field, the most telling lowest, by the first row of `_RANKS` that applies."""
    name = pointer.rsplit("/", 1)[-1]
    field = _Field(pointer, words_of(name), _tokens(name), form)
    ranks = (of_names if naming else rank for is_so, rank, of_names in _RANKS if is_so(field))
    rank = next(rank for rank in ranks if rank is not None)
    if rank == _LABELLED:
        rank = LABELS.index(field.said) / 100 + (1.2 if naming and _LISTED.search(pointer) else 0)
    return rank + pointer.count("/") * 0.8


class _Field(NamedTuple):
    """A field of a result: its pointer, its label, the words of its name, and the form of its value."""

    pointer: str
    said: str
    tokens: frozenset[str]
    form: str


_LABELLED = 0.0
"""Rank of fields in `LABELS`; their order there decides among them."""

_RANKS: tuple[tuple[Callable[[_Field], object], float | None, float | None], ...] = (
    (lambda field: is_of_a_hand(field.pointer), 3.0, 3.4),
    (lambda field: field.said in LABELS, _LABELLED, _LABELLED),
    (lambda field: field.said.endswith((" display name", " full name", " title")), None, 0.2),
    (lambda field: field.said in FAMILY_NAMES, None, 0.05),
    (lambda field: field.tokens & _SENTENCES, None, 3.2),
    (lambda field: field.tokens & _WRITTEN, None, 2.05),
    (lambda field: field.said.rpartition(" ")[2] in _ACTORS, None, 2.17),
    (lambda field: field.form in _SAID and field.said.endswith(" name"), None, 1.3),
    (lambda field: field.form in _SAID and field.said.endswith(_NUMBERED), None, 1.5),
    (lambda field: field.said in _OF_A_KIND or field.said.endswith(_KINDS), 5.5, 5.5),
    (lambda field: field.form == "clock", None, 2.3),
    (
        lambda field: field.form == "date" and (field.tokens & RECORDED or is_recorded(last_name(field.pointer))),
        7.0,
        7.0,
    ),
    (lambda field: field.form == "date", 1.6, 2.2),
    (lambda field: field.tokens & _STATES, 1.4, 3.5),
    (lambda field: field.tokens & MONEY, 1.2, 2.8),
    (lambda field: field.form == "truth", 6.0, 6.0),
    (lambda field: field.form in ("text", "clock") and field.said.endswith(("name", "title")), 2.6, 2.6),
    (lambda field: field.form in ("text", "clock"), 2.5, 2.1),
    (lambda field: field.form == "list", 5.0, 5.0),
    (lambda _: True, 4.0, 4.0),
)
"""Condition on a field -> its rank when a result is read out, and when a row is named; None if the row does not apply."""


def is_of_a_hand(pointer: str) -> bool:
    """Tell whether a field names who did something rather than the row itself: `created_by`, `updatedBy.name`."""
    return any(words_of(part).endswith(" by") for part in pointer.split("/")[-2:])


_LISTED = re.compile(r"/\d+/")


def name_parts(item: Any, pointer: str) -> tuple[str, str]:
    """Return the pointers of first and family name if `pointer` is one of them and both are there; else two empty texts."""
    above, _, name = pointer.rpartition("/")
    held = value_at(item, above) if is_half_name(words_of(name)) else None
    own = {words_of(key): key for key in held} if isinstance(held, Mapping) else {}
    first, family = (next((own[known] for known in names if known in own), "") for names in (FIRST_NAMES, FAMILY_NAMES))
    return (f"{above}/{first}", f"{above}/{family}") if first and family else ("", "")


def is_of_a_record(pointer: str) -> bool:
    """Tell whether a moment is about the record itself: when it was created, changed, or last used."""
    name = pointer.rpartition("/")[2]
    tokens = _tokens(name)
    recorded = is_recorded(name) or not RECORDED.isdisjoint(tokens)
    return recorded or ("last" in tokens and words_of(name) not in FAMILY_NAMES)


def is_said_beside(pointer: str, value: Any) -> bool:
    """Tell whether a value is a sentence that describes a row without naming it: `special_instructions`."""
    sentence = isinstance(value, str) and " " in value.strip()
    return sentence and not _SENTENCES.isdisjoint(_tokens(pointer.rpartition("/")[2]))


def is_own_moment(pointer: str) -> bool:
    """Tell whether a moment belongs to the row itself, by its name: `date`, `due_on`, `starts_at`; not a plan's `first_month`."""
    tokens = name_tokens(pointer.rpartition("/")[2])
    return bool(tokens) and (not MOMENTS.isdisjoint(tokens) or is_participle(tokens[0]))


def are_times(value: Any) -> bool:
    """Tell whether a value is a short list of times of the day: the times at which a medicine is taken."""
    few = isinstance(value, list) and 0 < len(value) <= _FEW_TIMES
    return few and all(isinstance(time, str) and _CLOCK.match(time) for time in value)


_FEW_TIMES = 4
_CLOCK = re.compile(r"\d{2}:\d{2}")
_DATED = re.compile(r"\d{4}-\d{2}-\d{2}")


def hint_of(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts of a schema that wording needs: type, format, and the titles of numeric codes."""
    hint: dict[str, Any] = {key: schema[key] for key in ("type", "format") if isinstance(schema.get(key), str)}
    codes = codes_of(schema)
    return {**hint, "oneOf": [{"const": code, "title": title} for code, title in codes.items()]} if codes else hint
