"""The words of a field's name -> whether its moment is in the past, before `TODAY`.

assigned_at, invoicedDate, creation_date, created_at_max   past: a participle, or an action noun before "date"
start_date, due_date, scheduled_at, paused_until           possibly in the future
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
"""Leading letters that an action noun shares with its participle: creation, created."""


@lru_cache(maxsize=16_384)
def has_happened(tokens: tuple[str, ...]) -> bool:
    """Tell whether a field of this name holds the moment of a past event."""
    said = frozenset(tokens)
    if said & _AHEAD or ("until" in said and not said & RECORDED):
        return False
    return bool(said & PAST) or any(map(_is_done, tokens)) or _is_made(tokens)


def is_accounted(tokens: Sequence[str], about: Collection[str]) -> bool:
    """Tell whether a field holds a day, or an end, of the period of a report; `about` holds the words of the report's name."""
    return bool(tokens) and (_DAYS | _ENDS).issuperset(tokens) and not _ACCOUNTS.isdisjoint(about)


def tells_day(tokens: Sequence[str], noun: str) -> bool:
    """Tell whether a field holds the date of something that is over, by the noun of its object: of a payment, not of a visit.

    Whatever an entry of a log or a history tells of is over: the `action_time` of an audit log.
    """
    own = [token for token in tokens if token not in noun.split()]
    if own and own[-1] in _DAYS and not _ACCOUNTS.isdisjoint(noun.split()) and _AHEAD.isdisjoint(own):
        return True
    return bool(own) and bool(noun) and _DAYS.issuperset(own) and _PLANS.isdisjoint(map(singular, noun.split()))


def is_ahead(word: str) -> bool:
    """Tell whether a word marks a moment as possibly in the future: due."""
    return word in _AHEAD


def _is_done(word: str) -> bool:
    """Tell whether a word is a participle, including unknown words in "-ed": unsubscribed."""
    return is_other_form(word) or (word.endswith("ed") and not is_known(word))


def tells_event(tokens: tuple[str, ...]) -> bool:
    """Tell whether a field holds the moment of a past event other than a birth."""
    return has_happened(tokens) and BIRTH.isdisjoint(tokens)


def _is_made(tokens: tuple[str, ...]) -> bool:
    """Tell whether a name is that of the date of an action: `order_date`, `creationDate`."""
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
