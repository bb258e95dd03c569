"""Which values people say aloud, and what they call them."""

import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any

from interplay.generators.results.result_kinds import payload_of
from interplay.schemas.json.canonical import join_pointer, last_name, leaves, value_at
from interplay.schemas.json.fields import schema_type
from interplay.schemas.words.coded_values import codes_of
from interplay.schemas.words.identifiers import RECORDED, name_tokens
from interplay.schemas.words.lists import beside, table, word_set
from interplay.schemas.words.nouns import UNCOUNTED, is_plural, singular
from interplay.schemas.words.word_classes import is_known, is_participle, verbs_of

_LISTS = beside(__file__)

LABELS = ("name", "full name", "display name", "title", "subject", "label", "summary", "headline", "username", "email")
"""Names of fields by which people call a thing, best first."""

_NOISE = word_set(_LISTS, "noise")
_PLACES = {"next", "previous", "prev", "after", "before"}
"""Names of fields that lead to other parts of a list."""

_UUID = re.compile(r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$", re.IGNORECASE)
_OPAQUE = re.compile(
    r"^(?=.*\d)[A-Za-z0-9_\-]{16,}$|^[A-Z]{1,4}[-_]?\d{3,}$|^[0-9a-f]{10,}$|^\d{9,}\.\d+$|^(?=.*\d)(?=.*[A-Z])[A-Z0-9]{5,}$"
)
_MOMENTS = word_set(_LISTS, "moments")
_PERSONAL = re.compile(r"^[a-z]{2,20}[_.-][a-z]{2,20}(?:[_.-]?\d{1,6})?$")
"""An identity made of a person's names, which its owner knows by heart."""

_SECONDS, _MILLISECONDS = range(10**8, 4 * 10**9), range(10**11, 4 * 10**12)
"""Numbers that are moments when their name says so: seconds since 1970, or thousandths of them."""

_WENT_WELL, _CODED, _FAILING = range(200, 300), {"status", "code"}, {"error", "errors"}
"""What says that a call went well: `{"status": 200, "error": false}`."""

_SAID_WELL = {"status", "result", "code", "state"}
_WELL = {"ok", "success", "succeeded", "successful"}
"""Words of a status that only say that the call went well."""
_TRUTH = _SAID_WELL | _WELL
"""Words of flags that only say that the call went well: `{"status": true}`."""
_TRUTHS = {"true", "false"}
"""Texts that stand for a yes or a no: "the closed is true" is no sentence."""

_ENDED = {"deleted", "removed"}
"""Words of moments that only tell of what is no more."""

_ARRIVED = {"received", "delivered", "seen", "opened"}
"""Words of what is not the case yet of anything that was just sent."""

_TECHNICAL = word_set(_LISTS, "technical")
_NEGATIVE = word_set(_LISTS, "negative")
_ABBREVIATIONS = table(_LISTS, "abbreviations")
_HOLLOW, _CARRYING = (word_set(_LISTS, name) for name in ("hollow", "carrying"))
MONEY = {"price", "amount", "total", "balance", "cost", "fee", "rate"}

_CURRENCIES = word_set("money", "codes")
_MINOR, _PERIODS, _SUMS = (
    word_set(_LISTS, "minor"),
    word_set(_LISTS, "periods"),
    word_set("money", "sums") | word_set(_LISTS, "summed"),
)
"""Words of amounts that are counted in cents, of rates that are prices, and of what may follow a total."""

_FILTERING = word_set(_LISTS, "filtering")
"""First words of parameters that only say that a list is narrowed by what follows: `filter[status]`."""

_EXTREMES = table(_LISTS, "extremes")
_BOUNDS = {"before": "latest", "after": "earliest"}
_MEASURED = word_set("measures", "measured")
_UNITS = word_set("measures", "units")
"""Last words of names that say in which unit something is measured: `duration_minutes`."""
_BY_STANDARD = re.compile(r"(country|currency|language)_?iso_?[23]?$", re.IGNORECASE)
"""Names of codes by the standard that lists them: `country_iso2`."""

LONGEST, DEEPEST = 80, 4
"""Characters of the longest text that is read out, and how deep a value may stand that is."""


_ENDS = {"from": "start", "since": "start", "start": "start", "to": "end", "until": "end", "end": "end"}
_MOMENT_KINDS = {"date": "date", "day": "date", "time": "time", "timestamp": "time", "datetime": "time"}
"""Words of names of which one says that a span begins or ends, and the other when: `from_date`, `to_timestamp`."""

_PAIR, _DAYS = 2, ("date", "time")
"""Words of what happens at a moment, and those that only say that it is one: "expires date", "date expires"."""


@lru_cache(maxsize=16_384)
def words_of(name: str) -> str:
    """Return an identifier as people would say it: `contactEmail` -> "contact email"."""
    tokens = name_tokens(_BY_STANDARD.sub(r"\1_code", name))
    tokens = tokens[1:] if len(tokens) > 1 and tokens[0] in _FILTERING else tokens
    spoken = " ".join(_ABBREVIATIONS.get(token, token) for token in _with_digits(tokens, name)).split()
    spoken[-1:] = ["number" if word in ("no", "nr") else word for word in spoken[-1:]]
    spoken = [word for place, word in enumerate(spoken) if word and word not in spoken[place - 1 : place]]
    if len(spoken) > 1 and spoken[-1] in _UNITS and spoken[-2] in _MEASURED:
        return f"{' '.join(spoken[:-1])} in {spoken[-1]}"
    bound = next((word for word in spoken if word in _ENDS), None)
    kind = next((_MOMENT_KINDS[word] for word in spoken if word in _MOMENT_KINDS), None)
    if len(spoken) == _PAIR and bound is not None and kind is not None:
        return f"{_ENDS[bound]} {kind}"
    if len(spoken) == _PAIR and spoken[0] in _ENDS.values() and spoken[1] == "at":
        return f"{spoken[0]} time"
    acts = [word for word in spoken if word not in _DAYS]
    if len(spoken) == _PAIR and len(acts) == 1 and acts[0].removesuffix("s") in verbs_of(acts[0]) - {acts[0]}:
        return f"{acts[0]} at"
    if len(spoken) > 1 and spoken[-1] in _EXTREMES:
        least, earliest = _EXTREMES[spoken[-1]]
        spoken = [earliest if spoken[-2] in _MOMENTS else least, *spoken[:-1]]
    return " ".join(spoken) or name


def _with_digits(tokens: Sequence[str], name: str) -> list[str]:
    """Return words with the digits that belong to one that is no word by itself: "ns 1" of `ns1`, and not of `line1`."""
    found: list[str] = []
    for token in tokens:
        joined = f"{found[-1]}{token}" if found and token.isdigit() and found[-1].isalpha() else ""
        if joined and joined in name.lower() and not is_known(found[-1]):
            found[-1] = joined
        else:
            found.append(token)
    return found


@lru_cache(maxsize=16_384)
def label_of(pointer: str) -> str:
    """Return what people call the field at a pointer: its own name, after its owner's where that says something."""
    whole = pointer.split("/")[1:]
    if whole[1:2] and _counts(whole[1]) and name_tokens(whole[0]) and not _is_many(name_tokens(whole[0])[-1]):
        whole = whole[2:] or whole  # the envelope of a list, which is called after no thing: success
    parts = [part for part in whole if not _counts(part)]
    if not parts:
        return "value"
    own = words_of(parts[-1])
    if len(own) == 1 and own.isalpha():
        own = f"value {own}"
    head, _, last = own.rpartition(" ")
    if head and last in _BOUNDS:
        own = f"{_BOUNDS[last]} {head}"
    owner = next((words_of(part) for part in reversed(parts[:-1]) if not _is_hollow(part)), "")
    if not owner or own.startswith(singular(owner)) or parts[-1].lower() in _HOLLOW:
        return own if parts[-1].lower() not in _HOLLOW or not owner else owner
    owner = singular(owner).removesuffix(" money")
    if own == "amount" and is_amount(owner):
        return owner
    return (owner if owner.split()[-1] == own else f"{owner} {own}") if len(own.split()) == 1 else own


def _counts(part: str) -> bool:
    return part.isdigit() or part == "*"


def _is_many(word: str) -> bool:
    return is_plural(word) or word in UNCOUNTED


def _is_hollow(part: str) -> bool:
    """Tell whether a field that holds others says nothing of them: `data`, `searchedData`, `orderDetails`."""
    return part.lower() in _HOLLOW or not _CARRYING.isdisjoint(name_tokens(part)[-1:])


def is_amount(label: str) -> bool:
    """Tell whether a label is that of an amount of money in whole units: "unit price", "total due"; not "total items"."""
    *before, last = label.split() or [""]
    sums = [place for place, word in enumerate((*before, last)) if word in MONEY]
    if not sums or not _MINOR.isdisjoint(label.split()):
        return False
    after = [word.lower() for word in (*before, last)[sums[-1] + 1 :]]
    alone = last != "rate" or _PERIODS.issuperset(before)
    return alone and (after[:1] == ["per"] or all(word in _SUMS or _tells_sum(word) for word in after))


def without_unit(label: str) -> tuple[str, str]:
    """Return the label of an amount without the unit in which it is told, and that: "amount cents" -> "amount", "cents".

    "duration in minutes" -> "duration", "minutes".
    """
    head, _, unit = label.rpartition(" ")
    if unit in _UNITS and head.endswith(" in"):
        return head.removesuffix(" in"), unit
    return (
        (head, unit)
        if head and not head.endswith(" in") and unit in _MINOR and not MONEY.isdisjoint(head.split())
        else (label, "")
    )


@lru_cache(maxsize=1_024)
def _tells_sum(word: str) -> bool:
    return is_participle(word) or word.upper() in _CURRENCIES


def is_opaque(value: Any) -> bool:
    """Tell whether a value is a code that nobody says or remembers: a UUID, a hash, an internal number."""
    return isinstance(value, str) and bool(_UUID.match(value) or (_OPAQUE.match(value) and not _PERSONAL.match(value)))


def is_technical(name: str, schema: Mapping[str, Any]) -> bool:
    """Tell whether a parameter only shapes what an API sends back, or wants a moment as machines count it."""
    tokens = name_tokens(name)
    if not tokens or set(tokens) & _TECHNICAL or tokens in (["raw"], ["debug"]) or tokens[0] in ("opt", "include"):
        return True
    if tokens[-1] == "fields" and "custom" not in tokens:
        return True
    return schema_type(schema) == "integer" and bool(set(tokens) & (RECORDED | {"timestamp"}))


def is_holdable(value: Any) -> bool:
    """Tell whether a person may hold an identity in hand, on a letter or a ticket: short or with names, and no UUID."""
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        return False
    return (len(str(value)) <= 12 or bool(_PERSONAL.match(str(value)))) and not _UUID.match(str(value))


def is_moment(value: Any) -> bool:
    """Tell whether a value is a day, with or without a time."""
    return isinstance(value, str) and _DATED.match(value) is not None


def repeats_name(name: str, value: str) -> bool:
    """Tell whether a text says no more than the name of its field: a placeholder, "otp" for `otp`, "data" in `data`."""
    return len(value) <= LONGEST and bool(said := _tokens(value)) and said <= _tokens(name) | _singular_tokens(name)


@lru_cache(maxsize=16_384)
def _singular_tokens(name: str) -> frozenset[str]:
    return frozenset(map(singular, _tokens(name)))


@lru_cache(maxsize=16_384)
def _tokens(name: str) -> frozenset[str]:
    return frozenset(name_tokens(name))


def is_noise(name: str) -> bool:
    """Tell whether a field is one that nobody reads out, whatever it holds: ids, addresses, marks of a page."""
    tokens = _tokens(name)
    return not tokens.isdisjoint(_NOISE) or (bool(tokens) and tokens <= _PLACES)


def speakable(name: str, value: Any) -> bool:
    """Tell whether one would read this field of a result out."""
    tokens = _tokens(name)
    if is_noise(name):
        return False
    if isinstance(value, str):
        well = tokens <= _SAID_WELL and bool(tokens) and value.lower() in _WELL
        ended = not tokens.isdisjoint(_ENDED) and _DATED.match(value) is not None
        told = not well and not ended and value.lower() not in _TRUTHS and not repeats_name(name, value)
        return told and 0 < len(value) <= LONGEST and _is_plain(value)
    if isinstance(value, bool):
        if value and tokens and tokens <= _TRUTH:
            return False
        arrived = value or tokens.isdisjoint(_ARRIVED)
        return arrived and not tokens & _NEGATIVE and not (tokens and tokens <= _FAILING)
    if isinstance(value, (int, float)):
        well = isinstance(value, int) and value in _WENT_WELL and bool(tokens) and tokens <= _CODED
        counted = math.isfinite(value) and (int(value) in _SECONDS or int(value) in _MILLISECONDS)
        return not well and not (counted and tokens & _MOMENTS)
    if isinstance(value, list):
        short = 0 < len(value) <= 5
        plain = short and all(isinstance(item, (str, int, float)) and speakable("", item) for item in value)
        return plain and not all(isinstance(item, str) and repeats_name(name, item) for item in value)
    return value is not None and not isinstance(value, Mapping)


@lru_cache(maxsize=65_536)
def _is_plain(text: str) -> bool:
    """Tell whether a short text is one that people read out: no code, no address, no markup."""
    marked = re.match(r"^(https?:|[\w.+-]+://|/|\{|\[|<|\*)", text)
    return not is_opaque(text) and not marked and text.isprintable()


def is_named_after(pointer: str, words: Collection[str]) -> bool:
    """Tell whether a field holds what a thing is called that people speak of by these words: `song_name`, of songs."""
    *thing, last = name_tokens(pointer.rpartition("/")[2]) or [""]
    return last in ("name", "title") and bool(thing) and set(thing) <= set(words)


def speakable_leaves(value: Any, naming: bool = False) -> Iterator[tuple[str, Any]]:
    """Yield pointer and value of what one would read out of a result, the most telling first.

    `naming` puts first what things are called by, rather than how they are.
    """
    found = []
    within = join_pointer(payload) if (payload := payload_of(value)) is not None else ""
    below = f"{within}/"
    for pointer, leaf in leaves(value):
        if within and not f"{pointer}/".startswith(below):
            continue
        if isinstance(leaf, str):
            rank = _rank_of_text(pointer, leaf, within, naming) if len(leaf) <= LONGEST else None
        elif isinstance(leaf, (list, dict)):
            rank = _rank_of(pointer, leaf, within, naming)
        else:
            rank = _rank_of_scalar(pointer, leaf, within, naming)
        if rank is not None:
            found.append((rank, pointer, leaf))
    titles = {at for _, at, _ in found if naming and at.lower().endswith("/title")}
    people = {at.rpartition("/")[0] for _, at, _ in found if titles and words_of(last_name(at)) in FAMILY_NAMES}
    if people:  # where somebody's family name stands, a title is none of a thing
        own = {at for at in titles if at.rpartition("/")[0] in people}
        found = [(_BY_KIND if at in own else rank, at, leaf) for rank, at, leaf in found]
    found.sort(key=itemgetter(0))
    for _, pointer, leaf in found:
        yield pointer, leaf


def _rank_of(pointer: str, leaf: Any, within: str, naming: bool) -> float | None:
    """Return how telling a value is, the less the more; none where nobody would read it out.

    Nobody calls a thing by a sentence, or by a code for its kind.
    """
    name = pointer.rpartition("/")[2]
    if _hidden(pointer.removeprefix(within)) or not speakable(name, leaf):
        return None
    if naming and not isinstance(leaf, str) and not _MINOR.isdisjoint(_tokens(name)):
        return None
    if naming and name in _STATES and pointer.removeprefix(within).count("/") > 1:
        return None  # how something else is: the mandate of a card
    rank = _rank(pointer, _form(leaf), naming)
    nameless = naming and isinstance(leaf, str) and rank > _AS_CALLED and _NAMELESS.search(leaf)
    return max(rank, _BY_KIND + pointer.count("/") * 0.8) if nameless else rank


_STATES = {"status", "state"}
_AS_CALLED, _BY_KIND = 2.0, 3.1
"""Ranks up to which a text is known for what a thing is called by its name, and of texts that say only what kind it is."""

_NAMELESS = re.compile(r"[.!?]$|^[A-Z]+(?:_[A-Z]+)+$|^[a-z]+(?:\d*[A-Z][a-z]+)+$")
"""A sentence, and codes of an enumeration: CANCELLED_BY_SELLER, everyOtherYear."""


_rank_of_text = lru_cache(maxsize=65_536)(_rank_of)
_rank_of_scalar = lru_cache(maxsize=16_384, typed=True)(_rank_of)


@lru_cache(maxsize=16_384)
def _hidden(pointer: str) -> bool:
    """Tell whether what stands at a pointer is too deep to be read out, or beside the matter."""
    if pointer.count("/") > DEEPEST:
        return True
    if pointer.endswith("/metadata/name"):
        return False
    owners = {token for part in pointer.split("/")[1:-1] for token in name_tokens(part)}
    return bool(owners & {"links", "link", "metadata", "pagination", "paging", "meta"})


def _form(value: Any) -> str:
    """Return what a value looks like, as far as it says how telling it is."""
    if isinstance(value, str):
        return _form_of_text(value)
    return "truth" if isinstance(value, bool) else "list" if isinstance(value, list) else "number"


@lru_cache(maxsize=65_536)
def _form_of_text(text: str) -> str:
    return "date" if _DATED.match(text) else "clock" if _CLOCK.match(text) else "text"


@lru_cache(maxsize=65_536)
def _rank(pointer: str, form: str, naming: bool) -> float:
    name = pointer.rsplit("/", 1)[-1]
    said, tokens = words_of(name), _tokens(name)
    if is_of_a_hand(pointer):
        rank = 3.4 if naming else 3.0
    elif said in LABELS:
        rank = LABELS.index(said) / 100 + (1.2 if naming and _LISTED.search(pointer) else 0)
    elif naming and said.endswith((" display name", " full name", " title")):
        rank = 0.2
    elif naming and said in FAMILY_NAMES:
        rank = 0.05
    elif naming and tokens & _SENTENCES:
        rank = 3.2
    elif naming and form in ("text", "number") and said.endswith(_IDENTIFYING):
        rank = 1.3 if said.endswith("name") else 1.5
    elif said in ("category", "locale", "language", "timezone", "time zone", "currency") or said.endswith(_KINDS):
        rank = 5.5
    elif naming and form == "clock":
        rank = 2.3
    elif form == "date":
        rank = 7.0 if tokens & RECORDED else 2.2 if naming else 1.6
    elif tokens & {"status", "state"}:
        rank = 3.5 if naming else 1.4
    elif tokens & MONEY:
        rank = 2.8 if naming else 1.2
    elif form == "truth":
        rank = 6.0
    elif form in ("text", "clock"):
        rank = 2.6 if said.endswith(("name", "title")) else 2.1 if naming else 2.5
    else:
        rank = 5.0 if form == "list" else 4.0
    return rank + pointer.count("/") * 0.8


def is_of_a_hand(pointer: str) -> bool:
    """Tell whether a field names who did something to a thing, rather than the thing: `created_by`, `updatedBy.name`."""
    return any(words_of(part).endswith(" by") for part in pointer.split("/")[-2:])


FAMILY_NAMES = ("last name", "family name", "surname", "lastname")
"""Fields by which people call somebody whose first name stands in a field of its own."""
WHOLE_NAMES = ("name", "full name")

FIRST_NAMES = ("first name", "given name", "forename", "firstname")
_KINDS, _IDENTIFYING = ("type", "kind"), (" name", "number", "reference")
_LISTED = re.compile(r"/\d+/")


def name_parts(item: Any, pointer: str) -> tuple[str, str]:
    """Return the pointers of the first and the family name of which one stands at a pointer in an item; empty where it is neither."""
    above, _, name = pointer.rpartition("/")
    held = value_at(item, above) if words_of(name) in (*FIRST_NAMES, *FAMILY_NAMES) else None
    own = {words_of(key): key for key in held} if isinstance(held, Mapping) else {}
    first, family = (next((own[known] for known in names if known in own), "") for names in (FIRST_NAMES, FAMILY_NAMES))
    return (f"{above}/{first}", f"{above}/{family}") if first and family else ("", "")


def is_of_a_record(pointer: str) -> bool:
    """Tell whether a moment tells of a record: when it was made or changed, or when something last happened to it."""
    tokens = _tokens(pointer.rpartition("/")[2])
    return bool(tokens & RECORDED) or "last" in tokens


def is_said_beside(pointer: str, value: Any) -> bool:
    """Tell whether a value is a sentence that was said beside a thing, by which nobody tells it: `special_instructions`."""
    sentence = isinstance(value, str) and " " in value.strip()
    return sentence and not _SENTENCES.isdisjoint(_tokens(pointer.rpartition("/")[2]))


def is_own_moment(pointer: str) -> bool:
    """Tell whether a moment is one of a thing itself, by its name: `date`, `due_on`, `starts_at`; not the `first_month` of a plan."""
    tokens = name_tokens(pointer.rpartition("/")[2])
    return bool(tokens) and (not _MOMENTS.isdisjoint(tokens) or is_participle(tokens[0]))


_SENTENCES = word_set(_LISTS, "sentences")
"""Words of fields that say something of a thing, and by which nobody calls it."""
_CLOCK = re.compile(r"\d{2}:\d{2}")
_DATED = re.compile(r"\d{4}-\d{2}-\d{2}")


def schema_at(schema: Mapping[str, Any] | None, pointer: str) -> dict[str, Any]:
    """Return the part of a schema that describes what stands at a pointer, not a copy; empty where it says nothing."""
    here: Any = schema or {}
    for part in pointer.split("/")[1:]:
        if (part == "*" or part.isdigit()) and schema_type(here) == "array":
            here = here.get("items", {})
        elif part in here.get("properties", ()):
            here = here["properties"][part]
        else:
            here = next((options[part] for options in _property_maps(here) if part in options), {})
        if not isinstance(here, (dict, Mapping)):
            return {}
    return here if isinstance(here, dict) else dict(here)


def _property_maps(schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield schema.get("properties", {})
    for key in ("oneOf", "anyOf", "allOf"):
        for branch in schema.get(key, ()):
            yield from _property_maps(branch)


def hint_of(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return what wording needs of a schema: its type and format, and what its numbers stand for."""
    hint: dict[str, Any] = {key: schema[key] for key in ("type", "format") if isinstance(schema.get(key), str)}
    codes = codes_of(schema)
    return {**hint, "oneOf": [{"const": code, "title": title} for code, title in codes.items()]} if codes else hint
