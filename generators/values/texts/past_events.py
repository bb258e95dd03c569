"""The words of a field's name -> whether it tells when something happened, which lies before the day of the world.

assigned_at, invoicedDate, creation_date, created_at_max   happened: a participle, or a noun of one before "date"
start_date, due_date, scheduled_at, paused_until           may be still to come
"""

from collections.abc import Collection, Sequence
from functools import lru_cache

from interplay.schemas.words.identifiers import RECORDED
from interplay.schemas.words.lists import beside, word_set
from interplay.schemas.words.nouns import singular
from interplay.schemas.words.word_classes import (
    can_be_noun,
    infinitives,
    is_known,
    is_other_form,
    participle_of,
)

_LISTS = beside(__file__)
PAST = word_set(_LISTS, "past")
_AHEAD = word_set(_LISTS, "ahead")
_DAYS = word_set(_LISTS, "days")
_PLANS = word_set(_LISTS, "plans")
BIRTH = word_set(_LISTS, "birth")
_ACCOUNTS, _ENDS = word_set(_LISTS, "accounts"), word_set(_LISTS, "ends")
_STEM = 5
"""First letters that a noun shares with the participle of its verb: creation, created."""


@lru_cache(maxsize=16_384)
def has_happened(tokens: tuple[str, ...]) -> bool:
    """Tell whether the moment in a field whose name has these words is one at which something happened."""
    said = frozenset(tokens)
    if said & _AHEAD or ("until" in said and not said & RECORDED):
        return False
    return bool(said & PAST) or any(map(_is_done, tokens)) or _is_made(tokens)


def is_accounted(tokens: Sequence[str], about: Collection[str]) -> bool:
    """Tell whether a field names a day, or an end of a span of days, of what is told by an account `about` these: a daily report."""
    return bool(tokens) and (_DAYS | _ENDS).issuperset(tokens) and not _ACCOUNTS.isdisjoint(about)


def tells_day(tokens: Sequence[str], noun: str) -> bool:
    """Tell whether a field names the day of what is over, a thing of this noun: the `date` of a payment, and not of a visit."""
    own = [token for token in tokens if token not in noun.split()]
    return bool(own) and bool(noun) and _DAYS.issuperset(own) and _PLANS.isdisjoint(map(singular, noun.split()))


def is_ahead(word: str) -> bool:
    """Tell whether a word says of a moment that it may be still to come: due."""
    return word in _AHEAD


def _is_done(word: str) -> bool:
    """Tell whether a word says what was done; one that English in general does not know by its ending: unsubscribed."""
    return is_other_form(word) or (word.endswith("ed") and not is_known(word))


def tells_event(tokens: tuple[str, ...]) -> bool:
    """Tell whether what has happened is an event in the life of a thing, and not the birth of somebody."""
    return has_happened(tokens) and BIRTH.isdisjoint(tokens)


def _is_made(tokens: tuple[str, ...]) -> bool:
    """Tell whether a name is that of the day of a deed: `order_date`, `creationDate`."""
    kept = tuple(token for token in tokens if token not in _DAYS)
    if kept == tokens or not kept:
        return False
    noun = kept[-1]
    if participle_of(noun) in PAST and not is_other_form(noun):  # `createDate`
        return True
    if not can_be_noun(noun):
        return False
    if noun.endswith("ing"):
        return noun not in _PLANS and any(participle_of(verb) in PAST for verb in infinitives(noun))
    return any(noun in infinitives(word) or (noun.endswith("ion") and noun[:_STEM] == word[:_STEM]) for word in PAST)
