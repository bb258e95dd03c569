"""The values of an object -> the same, with those that follow from others: sums, list lengths, ages, what depends on a flag.

{"subtotal": 40.0, "tax": 8.0, "total": 12.5}                      ->  "total": 48.0
{"items": [{"quantity": 2, "unit_price": 4.5}], "total": 12.5}     ->  "total": 9.0
{"weight_grams": 55, "quantity": 5, "total_weight_grams": 26}      ->  "total_weight_grams": 275
{"num_likes": 26, "likes": [{...}, {...}]}                         ->  "num_likes": 2
{"amount": 833, "currency": "USD", "amount_formatted": "text"}     ->  "amount_formatted": "8.33"
{"birth_date": "1990-05-02", "age": 75}                            ->  "age": 35
{"discount_type": "PERCENTAGE", "discount_value": 370.82}          ->  "discount_value": 5
{"completed": false, "completed_at": "2026-01-04"}                 ->  {"completed": false}, if `completed_at` is optional
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache
from typing import Any, NamedTuple

from interplay.generators.values.texts.formatted_texts import TODAY
from interplay.generators.values.texts.past_events import BIRTH
from interplay.schemas.json.fields import is_number
from interplay.schemas.words.calendar import currency_words
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import beside, word_set
from interplay.schemas.words.nouns import plural, singular

Fits = Callable[[Any, str], bool]
"""Whether a value is valid for the field of this name."""
Optional = Callable[[str], bool]
"""Whether the field of this name may be missing."""

_LISTS = beside(__file__)
_ADDED, TAKEN_OFF = (word_set(_LISTS, name) for name in ("added", "taken_off"))
_UNITS, _PRICES, _COUNTS = (word_set(_LISTS, name) for name in ("units", "prices", "counts"))
_AFTER_FLAGS = word_set(_LISTS, "after_flags")
_WRITTEN = word_set(_LISTS, "written")
_SUMS, _KINDS = word_set(_LISTS, "sums"), word_set(_LISTS, "kinds")
_PERCENT, _WHOLE = "percent", 100
_STEP, _STEPS = 5, 10
"""Step of made-up percentages, and how many such steps the largest has."""

_CENTS = 2

_CHARGED = 2
"""Maximum words in the name of a surcharge: "tax", "delivery fee"."""


class _Roles(NamedTuple):
    """The roles of an object's fields in such rules, by their names alone."""

    total: str = ""
    again: tuple[str, ...] = ()
    """Further fields with the same total: `total_amount`, beside `total`."""
    subtotal: str = ""
    added: tuple[str, ...] = ()
    taken_off: tuple[str, ...] = ()
    quantity: str = ""
    price: str = ""
    counts: tuple[tuple[str, str], ...] = ()
    """Count and the list that it counts."""
    age: str = ""
    birth: str = ""
    flags: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Flag and the fields that have a value only if it is set."""
    currency: str = ""
    written: tuple[tuple[str, str], ...] = ()
    """Formatted text and the number that it shows: `amount_formatted`, `amount`."""
    symbol: str = ""
    multiplied: tuple[tuple[str, str], ...] = ()
    """Total and the value of one item: `total_weight_grams`, `weight_grams`."""
    total_count: str = ""
    """Number of all items of the only list in an answer."""
    measured: tuple[tuple[str, str], ...] = ()
    """Amounts, each with the field that says whether it is a percentage: `discount_value`, `discount_type`."""


@lru_cache(maxsize=4_096)
def _roles(names: tuple[str, ...]) -> _Roles:
    tokens = {name: name_tokens(name) for name in names}
    bare = {name: [token for token in said if token not in _UNITS] for name, said in tokens.items()}
    total = next((name for name, said in bare.items() if said in (["total"], ["grand", "total"])), "")
    subtotal = next((name for name, said in bare.items() if said in (["subtotal"], ["sub", "total"], ["net"])), "")
    own = {name: said[1:] if said[:1] == ["total"] else said for name, said in bare.items()}
    by_words = {tuple(said): name for name, said in tokens.items() if said}
    counts = [
        (name, held)
        for name, said in tokens.items()
        if len(said) > 1 and (said[0] in _COUNTS or said[-1] in _COUNTS)
        for held in [_listed(said, by_words)]
        if held
    ]
    flags = []
    for name, said in tokens.items():
        stem = tuple(said[1:] if said[:1] in (["is"], ["was"]) else said)
        later = [
            other
            for words, other in by_words.items()
            if len(words) > 1 and words[:-1] == stem and words[-1] in _AFTER_FLAGS
        ]
        if later:
            flags.append((name, tuple(later)))
    again = tuple(name for name, said in bare.items() if said in (["total"], ["grand", "total"]) and name != total)
    return _Roles(
        total, again, subtotal,
        tuple(name for name, said in own.items() if 1 <= len(said) <= _CHARGED and said[-1] in _ADDED),
        tuple(name for name, said in own.items() if len(said) == 1 and said[0] in TAKEN_OFF),
        next((name for name, said in tokens.items() if said in (["quantity"], ["qty"])), ""),
        next((name for name, said in tokens.items() if " ".join(said) in _PRICES_SPOKEN), ""),
        tuple(counts),
        next((name for name, said in tokens.items() if said == ["age"]), ""),
        next((name for name, said in tokens.items() if not BIRTH.isdisjoint(said) and not {"place", "city", "country"} & {*said}), ""),
        tuple(flags),
        next((name for name, said in tokens.items() if said[-1:] == ["currency"] or said[-2:] == ["currency", "code"]), ""),
        tuple((name, by_words[stem]) for name, said in tokens.items() if (stem := _written(said)) in by_words),
        next((name for name, said in tokens.items() if said == ["currency", "symbol"]), ""),
        tuple((name, by_words[said[1:]]) for said, name in by_words.items() if said[:1] == ("total",) and said[1:] in by_words),
        next((name for name, said in tokens.items() if said in (["total", "count"], ["total", "items"], ["total", "results"])), ""),
        tuple((name, kind) for name, said in tokens.items() for words, kind in by_words.items() if _is_in_unit(said, words)),
    )  # fmt: skip


def _is_in_unit(said: Sequence[str], words: Sequence[str]) -> bool:
    """Tell whether a field gives the kind of the amount beside it: `discount_type` of `discount_value`, `type` of `amount`."""
    named = not _SUMS.isdisjoint(said[-1:]) and not _KINDS.isdisjoint(words[-1:])
    return named and tuple(said[:-1]) == tuple(words[:-1])


_PRICES_SPOKEN = {price.replace("_", " ") for price in _PRICES}


def _written(said: Sequence[str]) -> tuple[str, ...]:
    """Return the words of the number that a formatted text shows: amount of `amount_formatted` and of `formatted_amount`."""
    stem = tuple(token for token in said if token not in _WRITTEN)
    return stem if len(stem) < len(said) else ()


def _listed(said: Sequence[str], by_words: Mapping[tuple[str, ...], str]) -> str:
    """Return the list that a number counts: `likes` for `num_likes`, `like_count` and `likes_count`; else empty."""
    kind = [token for token in said if token not in _COUNTS and token != "of"]
    if not kind:
        return ""
    options = (tuple(kind), (*kind[:-1], plural(kind[-1])), (*kind[:-1], singular(kind[-1])))
    return next((by_words[option] for option in options if option in by_words), "")


def follow(made: dict[str, Any], fits: Fits, optional: Optional) -> None:
    """Set values that follow from others, if they fit; remove those that must be absent, or null them, where allowed."""
    roles = _roles(tuple(made))
    if roles.total or roles.subtotal:
        _add_up(made, roles, fits)
    for whole, part in roles.multiplied if roles.quantity and is_number(made.get(roles.quantity)) else ():
        if is_number(made[whole]) and is_number(made[part]):
            _settle(made, whole, _like(made[part] * made[roles.quantity], made[whole]), fits)
    if roles.total_count and sum(isinstance(value, list) for value in made.values()) == 1:
        _settle(made, roles.total_count, next(len(value) for value in made.values() if isinstance(value, list)), fits)
    for number, held in roles.counts:
        if is_number(made[number]) and isinstance(made[held], list) and fits(len(made[held]), number):
            made[number] = len(made[held])
    if roles.age and roles.birth and isinstance(made[roles.age], int):
        _settle(made, roles.age, _age(made[roles.birth], made[roles.age]), fits)
    for flag, later in roles.flags:
        for name in later if made.get(flag) is False else ():
            if optional(name):
                del made[name]
            elif name in made and fits(None, name):
                made[name] = None
    currency = made[roles.currency] if roles.currency else next(_currencies(made), None)
    if isinstance(currency, str):
        _in_one_currency(made, currency)
        if roles.symbol:
            _settle(made, roles.symbol, currency_words().get(currency.lower(), (currency, ""))[0], fits)
    for number, kind in roles.measured:
        if (
            is_number(made.get(number))
            and made[number] > _WHOLE
            and str(made.get(kind)).casefold().startswith(_PERCENT)
        ):
            _settle(made, number, _like(_STEP * (1 + int(made[number]) % _STEPS), made[number]), fits)
    for text, number in roles.written:
        if isinstance(made.get(text), str) and is_number(made.get(number)):
            _settle(made, text, _figure(made[number], isinstance(currency, str)), fits)


def without_reductions(made: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a new row with reductions at zero, since nobody asked for any."""
    return {
        name: 0 if is_number(value) and TAKEN_OFF.issuperset(_bare(name_tokens(name))) else value
        for name, value in made.items()
    }


def _bare(tokens: Sequence[str]) -> list[str]:
    """Return the words of a name without the unit of an amount: `discount_amount`."""
    return [token for token in tokens if token not in _UNITS] or [*tokens]


def _figure(value: float, is_money: bool) -> str:
    """Format a number as text; integer amounts of money are in hundredths."""
    return f"{value / 100 if isinstance(value, int) else value:,.2f}" if is_money else f"{value:,}"


def _settle(made: dict[str, Any], name: str, value: Any, fits: Fits) -> None:
    if made[name] != value and fits(value, name):
        made[name] = value


def _add_up(made: dict[str, Any], roles: _Roles, fits: Fits) -> None:
    """Set the subtotal to the sum of the lines, and the total to the sum of its parts."""
    lines = next(
        (value for value in made.values() if isinstance(value, list) and value and isinstance(value[0], dict)), []
    )
    amounts = [_line(line) for line in lines]
    own = _line(made)
    if not amounts and own is not None and not (roles.subtotal and roles.total):
        amounts = [own]
    first = roles.subtotal or roles.total
    if amounts and None not in amounts and is_number(made[first]):
        _settle(made, first, _like(sum(filter(None, amounts)), made[first]), fits)
    if roles.subtotal and roles.total and is_number(made[roles.subtotal]) and is_number(made[roles.total]):
        parts = [made[name] for name in roles.added if is_number(made.get(name))]
        off = [made[name] for name in roles.taken_off if is_number(made.get(name))]
        whole = made[roles.subtotal] + sum(parts) - sum(min(item, made[roles.subtotal]) for item in off)
        for name in roles.taken_off:
            if is_number(made.get(name)) and made[name] > made[roles.subtotal]:
                _settle(made, name, made[roles.subtotal], fits)
        _settle(made, roles.total, _like(whole, made[roles.total]), fits)
    for name in roles.again if roles.total and is_number(made[roles.total]) else ():
        if is_number(made[name]):
            _settle(made, name, _like(made[roles.total], made[name]), fits)


def _line(line: Mapping[str, Any]) -> float | None:
    """Return quantity times price of a line item; None if it lacks either."""
    roles = _roles(tuple(line))
    if roles.quantity and roles.price and is_number(line[roles.quantity]) and is_number(line[roles.price]):
        return float(line[roles.quantity] * line[roles.price])
    return None


def _like(value: float, before: float) -> float:
    return round(value) if isinstance(before, int) else round(value, _CENTS)


def _age(birth: Any, before: int) -> int:
    try:
        born = date.fromisoformat(str(birth)[:10])
    except ValueError:
        return before
    return TODAY.year - born.year - ((TODAY.month, TODAY.day) < (born.month, born.day))


def _currencies(made: Mapping[str, Any]) -> Iterator[Any]:
    return (value["currency"] for value in made.values() if isinstance(value, dict) and "currency" in value)


def _in_one_currency(made: dict[str, Any], currency: str) -> None:
    """Set the currency of nested amounts to that of the object."""
    for value in made.values():
        inner = value if isinstance(value, list) else [value]
        for item in inner:
            if (
                isinstance(item, dict)
                and isinstance(item.get("currency"), str)
                and len(item["currency"]) == len(currency)
            ):
                item["currency"] = currency
