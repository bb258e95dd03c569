"""The name or pointer of a field -> its label: `contactEmail` -> "contact email", `price_max` -> "maximum price"."""

import re
from collections.abc import Sequence
from functools import lru_cache

from interplay.generators.phrases.labels.address_parts import address_part
from interplay.schemas.words.identifiers import moment_tokens, name_tokens
from interplay.schemas.words.lists import beside, table, word_set
from interplay.schemas.words.nouns import UNCOUNTED, is_plural, singular
from interplay.schemas.words.word_classes import infinitives, is_known, is_participle, is_predicate

_LISTS = beside(__file__)

FAMILY_NAMES = ("last name", "family name", "surname", "lastname")
"""Labels of family names, for people whose first name is in a field of its own."""
WHOLE_NAMES = ("name", "full name")

SEARCH_TERM = "search term"
"""Label of what is looked for anywhere in a row."""

FIRST_NAMES = ("first name", "given name", "forename", "firstname")

OWN_NAMES = {"name", "full name", "display name", "title", "label", "subject", "username", "summary", "headline"}
"""Labels of the name of a row."""

MOMENTS = word_set(_LISTS, "moments")
"""Last words of the names of date and time fields."""

_ABBREVIATIONS = table(_LISTS, "abbreviations")
_HOLLOW, _CARRYING = (word_set(_LISTS, name) for name in ("hollow", "carrying"))
MONEY = {"price", "amount", "total", "balance", "cost", "fee", "rate"}

_CURRENCIES = word_set("money", "codes")
MINOR, _PERIODS, _SUMS = (
    word_set(_LISTS, "minor"),
    word_set(_LISTS, "periods"),
    word_set("money", "sums") | word_set(_LISTS, "summed"),
)
"""Units of amounts counted in cents, periods of rates that are prices, and words that may follow a sum."""

_FILTERING = word_set(_LISTS, "filtering")
"""First words of parameters that only mark a filter: `filter[status]`."""

_EXTREMES = table(_LISTS, "extremes")
_BOUNDS = {"before": "latest", "after": "earliest"}
_MEASURED = word_set("measures", "measured")
_UNITS = word_set("measures", "units")
"""Last words of names that give the unit of a measure: `duration_minutes`."""
_BY_STANDARD = re.compile(r"(country|currency|language)_?iso_?[23]?$", re.IGNORECASE)
"""Names of codes that mention their standard: `country_iso2`."""

_ENDS = table(_LISTS, "ends")
MOMENT_KINDS = table(_LISTS, "moment_kinds")
"""Words that give the kind of moment in the name of a span's start or end: `from_date`, `to_timestamp`."""

_PAIR, _DAYS = 2, ("date", "time")
"""Number of words in such a name, and words that only mark a date or time: "expires date", "date expires"."""


@lru_cache(maxsize=16_384)
def words_of(name: str) -> str:
    """Return an identifier as spoken words: `contactEmail` -> "contact email"."""
    tokens = moment_tokens(_BY_STANDARD.sub(r"\1_code", name))
    tokens = tokens[1:] if len(tokens) > 1 and tokens[0] in _FILTERING else tokens
    spoken = " ".join(_ABBREVIATIONS.get(token, token) for token in _with_digits(tokens, name)).split()
    spoken[-1:] = ["number" if word in ("no", "nr") else word for word in spoken[-1:]]
    spoken = [word for place, word in enumerate(spoken) if word and word not in spoken[place - 1 : place]]
    if len(spoken) > 1 and spoken[-1] in _UNITS and spoken[-2] in _MEASURED:
        return f"{' '.join(spoken[:-1])} in {spoken[-1]}"
    if len(spoken) > _PAIR and spoken[-1] in _BOUNDS:
        return f"{_BOUNDS[spoken[-1]]} {words_of('_'.join(spoken[:-1]))}"
    bound = next((word for word in spoken if word in _ENDS), None)
    kind = next((MOMENT_KINDS[word] for word in spoken if word in MOMENT_KINDS), None)
    if len(spoken) == _PAIR and bound is not None and kind is not None:
        return f"{_ENDS[bound]} {kind}"
    if len(spoken) == _PAIR and spoken[0] in _ENDS.values() and spoken[1] == "at":
        return f"{spoken[0]} time"
    acts = [word for word in spoken if word not in _DAYS]
    if len(spoken) == _PAIR and len(acts) == 1 and acts[0].removesuffix("s") in {*infinitives(acts[0])} - {acts[0]}:
        return f"{acts[0]} at"
    if len(spoken) > 1 and spoken[-1] in _EXTREMES:
        least, earliest = _EXTREMES[spoken[-1]]
        spoken = [earliest if spoken[-2] in MOMENTS else least, *spoken[:-1]]
    if spoken[1:] and spoken[-1] == "total" and is_plural(spoken[-2]):
        spoken = ["total", *spoken[:-1]]
    return " ".join(spoken) or name


def _with_digits(tokens: Sequence[str], name: str) -> list[str]:
    """Join digits to a token that is no word by itself: "ns1" of `ns1`, but "line 1" of `line1`."""
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
    """Return the label of the field at a pointer: its own name, preceded by its owner's if that adds something."""
    whole = pointer.split("/")[1:]
    if whole[1:2] and _counts(whole[1]) and name_tokens(whole[0]) and not _is_many(name_tokens(whole[0])[-1]):
        whole = whole[2:] or whole  # the envelope of a list, not named after a resource: success
    parts = [part for part in whole if not _counts(part)]
    if not parts:
        return "value"
    own = words_of(parts[-1])
    if len(own) == 1 and own.isalpha():
        own = f"value {own}"
    head, _, last = own.rpartition(" ")
    if head and last in _BOUNDS:
        own = f"{_BOUNDS[last]} {head}"
    owner = next((words_of(part) for part in reversed(parts[:-1]) if not is_hollow(part)), "")
    if not owner or own.startswith(singular(owner)) or parts[-1].lower() in _HOLLOW:
        return own if parts[-1].lower() not in _HOLLOW or not owner else owner
    owner = singular(owner).removesuffix(" money")
    if owner == "address" and address_part(own.split()) is not None:
        return own
    if own == "amount" and is_amount(owner):
        return owner
    return (owner if owner.split()[-1] == own else f"{owner} {own}") if len(own.split()) == 1 else own


def _counts(part: str) -> bool:
    return part.isdigit() or part == "*"


def _is_many(word: str) -> bool:
    return is_plural(word) or word in UNCOUNTED


def is_hollow(part: str) -> bool:
    """Tell whether the name of a parent field adds nothing: `data`, `searchedData`, `orderDetails`."""
    return part.lower() in _HOLLOW or not _CARRYING.isdisjoint(name_tokens(part)[-1:])


def is_half_name(label: str) -> bool:
    """Tell whether a label means the first or the family name of a person, of which people tell both."""
    return label in FIRST_NAMES or label in FAMILY_NAMES


@lru_cache(maxsize=4_096)
def is_own_name(label: str) -> bool:
    """Tell whether a label means the name of the row itself: "name", "friendly name", "new title"; not a part of a name."""
    *before, last = label.split() or [""]
    return label in OWN_NAMES or (last in OWN_NAMES and not is_half_name(label) and all(map(is_predicate, before)))


def is_amount(label: str) -> bool:
    """Tell whether a label names an amount of money in whole units: "unit price", "total due"; not "total items"."""
    *before, last = label.split() or [""]
    sums = [place for place, word in enumerate((*before, last)) if word in MONEY]
    if not sums or not MINOR.isdisjoint(label.split()):
        return False
    after = [word.lower() for word in (*before, last)[sums[-1] + 1 :]]
    alone = last != "rate" or _PERIODS.issuperset(before)
    return alone and (after[:1] == ["per"] or all(word in _SUMS or _tells_sum(word) for word in after))


def without_unit(label: str) -> tuple[str, str]:
    """Split the label of an amount or a measure into label and unit: "amount cents" -> "amount", "cents".

    "duration in minutes" -> "duration", "minutes"; without a unit, the second is empty.
    """
    head, _, unit = label.rpartition(" ")
    if unit in _UNITS and head.endswith(" in"):
        return head.removesuffix(" in"), unit
    return (
        (head, unit)
        if head and not head.endswith(" in") and unit in MINOR and not MONEY.isdisjoint(head.split())
        else (label, "")
    )


@lru_cache(maxsize=1_024)
def _tells_sum(word: str) -> bool:
    return is_participle(word) or word.upper() in _CURRENCIES
