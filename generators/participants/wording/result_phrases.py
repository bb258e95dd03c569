"""Results -> what the assistant says of them: lists, options and clauses."""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from interplay.generators.participants.wording.deed_phrases import head_noun
from interplay.generators.participants.wording.fact_phrases import (
    comes_later,
    full_name,
    is_numeric,
    marked_fields,
    say_amount,
    say_field,
    with_currency,
)
from interplay.generators.participants.wording.languages import Filling, fill
from interplay.generators.participants.wording.value_phrases import capital, in_lines, kinds_of
from interplay.generators.participants.wording.voice import Voice
from interplay.generators.phrases.labels.field_labels import is_amount, label_of, words_of
from interplay.generators.phrases.speakable_values import (
    are_times,
    is_holdable,
    is_moment,
    is_of_a_record,
    is_own_moment,
    is_said_beside,
    speakable_leaves,
)
from interplay.generators.values.lifetimes import tells_state
from interplay.generators.values.texts.names.named_texts import says_kind
from interplay.generators.values.texts.past_events import BIRTH
from interplay.schemas.json.canonical import at_pointer, last_name, leaves, value_at
from interplay.schemas.records.blueprint import ExpectedOutput
from interplay.schemas.words.articles import with_article
from interplay.schemas.words.identifiers import name_tokens, names_identity
from interplay.schemas.words.lists import word_set
from interplay.schemas.words.nouns import singular
from interplay.schemas.words.word_classes import is_known

_PREPOSITIONS = word_set("prepositions", "common")


class Total(NamedTuple):
    """The number of items in total, as far as an answer states it, and whether it says that it goes on."""

    rows: int = 0
    goes_on: bool = False


NO_TOTAL = Total()


def listing(
    words: Voice,
    items: list[Any],
    outputs: Sequence[ExpectedOutput],
    resource: str | None,
    topic: str,
    total: Total = NO_TOTAL,
) -> str:
    """Return the assistant's report of a list: the number of items, and the names of those in `outputs`.

    Other values of an item follow its name: "consultation (65 EUR)". The list may be only a page of `total` items.
    """
    count = max(total.rows, len(items))
    asked: dict[str, list[ExpectedOutput]] = {}
    kind = words.noun(resource) if resource else singular(topic)
    several = [output for output in outputs if words_of(str(output.value)) != kind]
    for output in several or outputs:
        asked.setdefault(item_of(output.pointer), []).append(output)
    asked = _all(items if len(items) <= SHOWN else items[:SOME], asked)
    rows = {item: items[int(item.rpartition("/")[2])] for item in asked}
    said = {own[0].pointer.removeprefix(item) for item, own in asked.items()}
    alone = all(len(own) == 1 for own in asked.values())
    telling = particulars(list(rows.values()), kind, said) if alone else []
    if all(is_moment(own[0].value) for own in asked.values()):
        telling = [*_others_named(list(rows.values())), *telling][:MOST_PARTICULARS]
    later = any(is_moment(own[0].value) and comes_later(rows[item], own[0].value) for item, own in asked.items())
    moments = [value_at(row, at) for row in rows.values() for at in (*said, *telling)] if len(rows) > 1 else []
    with words.days_alike(moments):
        named = [
            _with_more(words, own, rows[item], [at for at in telling if at not in said], later)
            for item, own in asked.items()
        ]
    page = total.goes_on and len(named) == count
    frame = "listed_one" if count == 1 else "listed" if len(named) == count else "listed_many"
    frame = "listed_page" if page and count > 1 else frame
    words.spoken.append(str(count))
    spread, items_said = laid_out(words, _counted(words, named))
    slots: Mapping[str, Filling] = {
        "count": str(count),
        "noun": kind,
        "nouns": words.nouns(resource, count) if resource else words.many(singular(topic)),
        "items": items_said,
    }
    return words.draw(f"{frame}_lines" if spread else frame, **slots)


def laid_out(words: Voice, items: Sequence[str]) -> tuple[bool, str]:
    """Return whether the items of a list get a line each, and the text of all.

    They do from three items on if they are long, have details, or are quoted names, which then lose their quotes.
    """
    inner = words.grammar["item"].partition("{first}")[2].partition("{rest}")[0]
    opening, closing = words.language.speech["quotes"]
    own = words.lexicon is None
    marked = any(inner in item or (own and item.startswith(opening)) for item in items)
    if len(items) < IN_LINES or not (marked or sum(map(len, items)) > IN_A_BREATH):
        return False, words.enumerate(items)
    plain = f"[^{re.escape(opening + closing)}]*"
    quoted = re.compile(rf"^{re.escape(opening)}({plain}){re.escape(closing)}(?=$|{re.escape(inner)})")
    return True, in_lines(quoted.sub(r"\1", item) if own else item for item in items)


IN_LINES, IN_A_BREATH = 3, 120
"""Minimum number of items for a list in lines, and maximum length of a list within a sentence."""


def _counted(words: Voice, named: Sequence[str]) -> list[str]:
    """Return item names as they are, or each once with its count if most are repeated: "3 pending"."""
    counts = Counter(named)
    if 2 * len(counts) > len(named):
        return list(named)
    if len(counts) == 1:
        return [f"{all_of(words, len(named))} {named[0]}"]
    return [f"{count} {name}" for name, count in counts.items()]


SHOWN, SOME = 20, 8
"""Maximum length of a list that is reported in full, and number of items reported of a longer one."""


def _all(items: list[Any], asked: Mapping[str, list[ExpectedOutput]]) -> dict[str, list[ExpectedOutput]]:
    """Return the outputs of some items of a list for all of them, if all have these values."""
    first, own = next(iter(asked.items()))
    above, told = first.rpartition("/")[0], dict(asked)
    for place, item in enumerate(items):
        alike = [
            output.model_copy(update={"pointer": f"{above}/{place}{field}", "value": value_at(item, field)})
            for output in own
            for field in (output.pointer.removeprefix(first),)
        ]
        if any(output.value in (None, "", [], {}) for output in alike):
            return dict(asked)
        told.setdefault(f"{above}/{place}", alike)
    return {f"{above}/{place}": list(told[f"{above}/{place}"]) for place in range(len(items))}


def particulars(rows: Sequence[Any], noun: str = "", named: Collection[str] = (), offered: bool = False) -> list[str]:
    """Return the fields to say of each row besides its name: a moment, an amount, a status, a kind; else what is counted of it.

    Of several moments, the one that shares a word with `noun` is taken: of found items, when they were found. The fields by which
    the rows are `named` are left out. Of rows `offered` for a choice, kinds and counts are not told: nobody chooses by them.
    """
    if not 1 <= len(rows) <= SHOWN or not all(isinstance(row, Mapping) for row in rows):
        return []
    told = [dict(speakable_leaves(row)) for row in rows]
    found: dict[str, str] = {}
    sums = [at for at in told[0] if is_amount(label_of(at))]
    whole = next(iter(sorted(sums, key=lambda at: _PARTS.isdisjoint(label_of(at).split()), reverse=True)), "")
    measured = not _UNITS.isdisjoint(rows[0])
    for at, value in told[0].items():
        label = label_of(at)
        moment = (is_moment(value) and _is_chosen_by(at) and is_own_moment(at)) or are_times(value)
        kinds = {
            "moment": moment,
            "money": at == whole and not (measured and "amount" in label.split()),
            "state": isinstance(value, str) and not _STATES.isdisjoint(label.split()),
            "sort": len(rows) > 1 and not offered and _sorts(value),
        }
        kind = "" if isinstance(value, bool) else next((kind for kind, holds in kinds.items() if holds), "")
        differs = all(at in own for own in told) and (len(rows) == 1 or len({str(own[at]) for own in told}) > 1)
        if kind and at.count("/") == 1 and differs and at not in named:
            found.setdefault(kind, at)
            if kind == "moment" and not set(label.split()).isdisjoint(noun.split()):
                found[kind] = at
    chosen = [found[kind] for kind in ("moment", "money", "state", "sort") if kind in found][:MOST_PARTICULARS]
    counted = (at for at in told[0] if not offered and at not in named and _is_counted(rows, at))
    chosen = chosen or [*counted][:MOST_PARTICULARS]
    return sorted(chosen, key=lambda at: is_moment(told[0][at]))  # an amount after a date would be read as its year


def _is_counted(rows: Sequence[Mapping[str, Any]], at: str) -> bool:
    """Tell whether a field holds another number for each of several rows than for all others: a rank, a speed.

    A kind given as a number, and a name that is no word, mean nothing to a person.
    """
    if says_kind(at[1:]) or not all(map(is_known, label_of(at).split())):
        return False
    numbers = [value_at(row, at) for row in rows]
    plain = all(isinstance(number, (int, float)) and not isinstance(number, bool) for number in numbers)
    return plain and at.count("/") == 1 and len(set(numbers)) > 1 and not names_identity(at[1:])


def _others_named(rows: Sequence[Any]) -> list[str]:
    """Return the fields with names of other rows that differ among all rows: doctor and patient of appointments."""
    told = [dict(speakable_leaves(row, naming=True)) for row in rows if isinstance(row, Mapping)]
    if len(told) < len(rows) or len(rows) > SHOWN:
        return []
    named = (at for at in told[0] if at.count("/") == IN_ANOTHER and words_of(last_name(at)).split()[-1] in _CALLED)
    return [at for at in named if all(at in own for own in told) and len({str(own[at]) for own in told}) > 1]


IN_ANOTHER = 2
"""Depth of the pointer of a field in an object within a row."""

_CALLED = {"name", "title"}


def _sorts(value: Any) -> bool:
    """Tell whether a value is a word or two, as a kind or a name is."""
    plain = isinstance(value, str) and value.replace(" ", "").replace("-", "").isalpha() and value not in _MONEYS
    return plain and len(value.split()) <= _A_WORD_OR_TWO


_A_WORD_OR_TWO = 2

_MONEYS = word_set("money", "codes")
"""Currency codes, which are no kinds of rows."""

MOST_PARTICULARS = 2
"""Maximum number of fields said of a row besides its name."""

_STATES = {"status", "state"}

_PARTS = word_set("money", "parts")
"""Words of amounts that are part of a price."""

_UNITS = {"unit", "units"}
"""Fields beside which an amount is a measure and no money."""


def _with_more(words: Voice, asked: Sequence[ExpectedOutput], item: Any, telling: Sequence[str], later: bool) -> str:
    """Say the name of an item, with its label if it is a moment that comes `later`, and its most telling other values."""
    first, *more = asked
    called = say_name(words, first, item)
    if later and is_moment(first.value):
        called = say_field(words, first.label, first.value, called)
    rest = [_beside(words, output, item) for output in more]
    rest += [told_beside(words, at, item) for at in telling]
    new = [said for said in dict.fromkeys(rest) if said != called]  # first and family name both give the full name
    return words.fixed("item", first=called, rest=", ".join(new)) if new else called


def told_beside(words: Voice, place: str, item: Mapping[str, Any]) -> str:
    """Say a field of an item that was not asked for; a moment with its label."""
    label, value = label_of(place), value_at(item, place)
    said = words.value(full_name(item, place) if isinstance(value, str) else value, label)
    if place.count("/") == IN_ANOTHER:
        return str(words.fixed("item_field", label=words_of(place.split("/")[1]), value=said))
    if are_times(value) or (isinstance(value, str) and not is_moment(value) and not is_numeric(value)):
        return said
    return say_amount(words, item, place, label, said)


def _beside(words: Voice, output: ExpectedOutput, item: Any) -> str:
    """Say a value besides the name of an item: texts and amounts alone, others with their label."""
    said = words.value(output.value, output.label)
    above, _, name = output.pointer.removeprefix(item_of(output.pointer)).rpartition("/")
    if isinstance(output.value, (int, float)) and is_amount(output.label):
        return with_currency(said, output.value, output.label, value_at(item, above) if above else item, name)
    noted = is_moment(output.value) and is_of_a_record(f"/{name}")
    plain = isinstance(output.value, str) and not is_numeric(output.value) and not comes_later(item, output.value)
    plain = plain and not noted
    return said if plain else say_field(words, output.label, output.value, said)


def say_name(words: Voice, output: ExpectedOutput, item: Any) -> str:
    """Say the name of an item; a bare number as "number 4", a measure with its label: "height 312", money as "30 EUR"."""
    own = output.pointer.removeprefix(item_of(output.pointer))
    above, _, name = own.rpartition("/")
    named = isinstance(output.value, str) and isinstance(item, Mapping) and value_at(item, own) == output.value
    said = words.value(full_name(item, own) if named else output.value, output.label)
    if is_amount(output.label):
        return with_currency(said, output.value, output.label, value_at(item, above) if above else item, name)
    if type(output.value) not in (int, float) or output.label == "result":
        return said
    if output.label.split()[-1] in _IDENTITIES:
        return str(words.fixed("numbered", value=said))
    return str(words.fixed("item_field", label=output.label, value=said))


_IDENTITIES = {"id", "number", "no", "iid", "nr"}


def clauses(words: Voice, outputs: Sequence[ExpectedOutput], result: Any, topic: str, tool: str = "") -> str:
    """Say the outputs of a result in one sentence."""
    said: list[str] = []
    flags: list[str] = []
    for output in outputs:
        output = output.model_copy(update={"label": own_label(output.label, topic)})
        value = words.value(output.value, output.label)
        rated = "exchange" in topic and output.label.endswith("rate")  # an exchange rate is no amount
        above, _, name = output.pointer.rpartition("/")
        if not rated and above != output.pointer:
            value = with_currency(value, output.value, output.label, value_at(result, above), name)
        clause = (
            _of_thing(words, output, topic) or words.state(output.label, output.value, value, tool)
            if output.label != "result"
            else words.fixed(
                "reported" if _is_quoted(output.value, value) else "result", noun=singular(topic), value=value
            )
        )
        clause = _elided(words, said[-1], clause, value) if said else clause
        if said and words.lexicon is None and clause[1:2].islower() and not clause.startswith(value):
            clause = clause[:1].lower() + clause[1:]  # a complete sentence becomes a clause
        (flags if isinstance(output.value, bool) else said).append(clause)
    # Each flag after an "and": a negation in the clause before must not reach it.
    speech = words.language.speech
    told = (words.enumerate(said), speech["and"].join(flags))
    return capital(speech["comma_and"].join(part for part in told if part))


def _elided(words: Voice, before: str, clause: str, value: str) -> str:
    """Return a clause without its verb if the previous one has the same: "the pet is Rex and the owner Ada"."""
    for verb in words.language.speech["is"]:
        ending = f" {verb} {value}"
        if clause.endswith(ending) and f" {verb} " in before and before.partition(" ")[0] == clause.partition(" ")[0]:
            return f"{clause.removesuffix(ending)} {value}"
    return clause


def _is_quoted(value: Any, said: str) -> bool:
    """Tell whether a result was said as a quotation, so that it is reported as an answer."""
    return isinstance(value, str) and said != value and value in said


def own_label(label: str, topic: str) -> str:
    """Return a field's label without the noun of its row: "order amount" of an order -> "amount".

    "inventory for premium" stays, since a preposition would be left at the beginning.
    """
    own = label.removeprefix(f"{singular(topic)} ") if topic else label
    return label if own.partition(" ")[0] in _PREPOSITIONS else own


def _of_thing(words: Voice, output: ExpectedOutput, topic: str) -> str:
    """Say a flag about what a row has or can do, with its noun: "the booking has a bicycle"; empty for its qualities."""
    if not topic or not isinstance(output.value, bool) or words.lexicon is not None:
        return ""
    noun, label = singular(topic), output.label.removeprefix("is ")
    slots: dict[str, Filling] = {"noun": noun}
    if head_noun(label) == head_noun(noun) and label != noun:
        return words.fixed("is_kind" if output.value else "is_no_kind", kind=with_article(label))
    return words.language.clause("depends", output.label, kinds_of(output.label, output.value), slots) or ""


def display(items: Sequence[Any], position: int, telling: Sequence[str]) -> list[str]:
    """Return the fields by which the items of a list are shown: their name, and what distinguishes them."""
    if not isinstance(items[position], Mapping):
        return []
    others = [dict(speakable_leaves(item, naming=True)) for item in items]
    values = others[position]
    varying = [pointer for pointer in values if len({str(other.get(pointer)) for other in others}) > 1]
    texts = [place for place in varying if isinstance(values[place], str) and not is_moment(values[place])]
    moments = [place for place in varying if is_moment(values[place]) and _is_chosen_by(place)]
    later = marked_fields(items, moments)
    dates = [place for place in moments if place not in later and all(place in other for other in others)]
    if len(telling) != 1:
        return list(telling) or texts[:1] or varying[:1] or list(values)[:1]
    if telling[0] in texts:
        return [*telling, *dates[:1]]
    called = [place for place in texts if not is_said_beside(place, values[place]) and not tells_state(place[1:])]
    states = [place for place in texts if place not in called and tells_state(place[1:])]
    return [*called[:1], *telling] if called else [*telling, *states[:1], *dates[:1]]


def _is_chosen_by(moment: str) -> bool:
    """Tell whether people choose a row by a moment: neither by when its record was made nor by the birth of a person."""
    return not is_of_a_record(moment) and BIRTH.isdisjoint(name_tokens(last_name(moment)))


def told_apart(items: Sequence[Any], shown: int, fields: Sequence[str]) -> list[str]:
    """Return fields, up to three, by which the first `shown` items can be told apart, beginning with the given ones.

    If nothing else distinguishes them, an identity that people may have at hand does.
    """
    if not all(isinstance(item, Mapping) for item in items[:shown]):
        return list(fields)
    told = [dict(speakable_leaves(item, naming=True)) for item in items[:shown]]
    held = [{place: value for place, value in leaves(item) if is_holdable(value)} for item in items[:shown]]
    chosen = list(fields)
    more = [place for place in told[0] if place not in chosen and all(place in own for own in told)]
    numbers = [
        place for place in held[0] if all(place in own for own in held) and len({own[place] for own in held}) == shown
    ]
    while (apart := _kinds(items[:shown], chosen)) < shown and len(chosen) < MOST_FIELDS:
        best = max(more, key=lambda place: _kinds(items[:shown], [*chosen, place]), default="")
        if not best or _kinds(items[:shown], [*chosen, best]) <= apart:
            return [*chosen, *numbers[:1]]
        chosen.append(best)
    return chosen if _kinds(items[:shown], chosen) == shown else [*chosen[: MOST_FIELDS - 1], *numbers[:1]]


def _kinds(items: Sequence[Any], fields: Sequence[str]) -> int:
    """Return the number of distinct items by some of their fields."""
    return len({str([value_at(item, place) for place in fields]) for item in items})


MOST_FIELDS = 3
"""Maximum number of fields by which an item is shown."""


def list_of(result: Any, outputs: Sequence[ExpectedOutput]) -> list[Any] | None:
    """Return the list that contains the outputs as items or their fields; None if there is no single one."""
    if not outputs:
        return None
    parts = outputs[0].pointer.split("/")[1:]
    items = {item_of(output.pointer) for output in outputs}
    if len(items) == 1 < len(outputs) and not _is_alone(result, outputs):
        return None  # several fields of one item of many
    if len({item.rpartition("/")[0] for item in items}) > 1:
        return None  # items of several lists
    for position, part in enumerate(parts[:3]):
        if part.isdigit():
            container = at_pointer(result, "".join(f"/{item}" for item in parts[:position]))
            return container if isinstance(container, list) else None
    return None


def _is_alone(result: Any, outputs: Sequence[ExpectedOutput]) -> bool:
    """Tell whether all outputs are fields of the only item of a list."""
    item = item_of(outputs[0].pointer)
    above, _, place = item.rpartition("/")
    alone = place.isdigit() and isinstance(listed := at_pointer(result, above), list) and len(listed) == 1
    return alone and all(item_of(output.pointer) == item for output in outputs)


def called_by(pointer: str) -> str:
    """Return the words for the object within a list item that holds the name at a pointer; empty for the item itself."""
    *_, holder, _ = ["", *pointer.removeprefix(item_of(pointer)).split("/")]
    return "" if holder.isdigit() else words_of(holder)


def all_of(words: Voice, count: int) -> str:
    """Return the word for all of `count` items: "both", "all 3"."""
    both, more = words.language.speech["all"]
    return str(both) if count == 2 else fill(more, {"count": str(count)})


def item_of(pointer: str) -> str:
    """Return the pointer of the first list item on the way to a value: `/threads/0/name` -> `/threads/0`."""
    found = re.match(r"(?:/[^/]*?)*?/\d+(?=/|$)", pointer)
    return found[0] if found else pointer
