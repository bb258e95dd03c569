"""Facts, choices and items -> how they are said: with their label, by a distinguishing value, or by their position."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from interplay.generators.participants.wording.inflection import Adjective
from interplay.generators.participants.wording.languages import Filling, fill
from interplay.generators.participants.wording.value_phrases import clause_slots, kinds_of
from interplay.generators.participants.wording.voice import Voice
from interplay.generators.phrases.labels.field_labels import (
    FAMILY_NAMES,
    FIRST_NAMES,
    is_amount,
    is_own_name,
    label_of,
    without_unit,
    words_of,
)
from interplay.generators.phrases.speakable_values import is_moment, is_named_after, is_of_a_record, name_parts
from interplay.schemas.json.canonical import leaves, value_at
from interplay.schemas.records.blueprint import Description, Fact
from interplay.schemas.words.articles import with_article
from interplay.schemas.words.calendar import month_names
from interplay.schemas.words.lists import word_set
from interplay.schemas.words.nouns import is_plural, singular
from interplay.schemas.words.word_classes import can_be_noun, can_be_verb, is_participle, is_predicate

_ONE_OF_MANY = re.compile(r"\b1 (\w+s)\b")
_NUMBERED = ("number", "code", "id")
"""Last words of labels that precede their value: "ticket number 8818"."""

_TIMED = re.compile(r"\S (?:since|before|after|until|on|at|by|from|to)$")
"""Labels that already relate a row to a moment: "completed since"."""

_LONG = 3
"""Words from which on a value is too long to precede a noun."""


def say_fact(words: Voice, fact: Fact, alone: bool = False, further: bool = False) -> str:
    """Say a fact of the user; a `further` one in a sentence needs no verb: "the phone number is 555, the city Brno"."""
    if fact.description is not None:
        return _described(words, fact.label, fact.description)
    if fact.choice is not None:
        return say_choice(words, fact)
    own = _own_sayings(words, fact)
    if own:
        said = words.value(fact.value, fact.label)
        said = fill(words.rng.choice(words.beginning(own, said)), {"value": said})
        if words.lexicon is not None:
            return words.quoted_once(_one_of_many(words, said) if fact.value == 1 else said)
        return _ONE_OF_MANY.sub(lambda found: f"1 {singular(found[1])}", said) if fact.value == 1 else said
    if isinstance(fact.value, bool):
        return say_flag(words, fact.label, fact.value)
    said = words.value(fact.value, fact.label)
    if words.lexicon is None and fact.value in ("yes", "no") and not alone:
        return words.draw(f"{fact.value}_flag", label=fact.label)
    label = singular(fact.label) if isinstance(fact.value, list) and len(fact.value) == 1 else fact.label
    if fact.label in words.own and not isinstance(fact.value, list):
        return words.draw("identity_own", label=fact.label, value=said)
    if fact.hint.get("type") == "identity" and fact.label.endswith(_NUMBERED):
        return words.draw("identity", label=fact.label, value=said)
    if words.lexicon is None and _is_date(fact.value) and _TIMED.search(fact.label):
        return _timed(words, fact, said)
    many = (
        len(fact.value) > 1 if isinstance(fact.value, list) else is_plural(without_unit(label)[0]) and fact.value != 1
    )
    if words.lexicon is not None:
        term = words.lexicon.term(fact.label)
        many = term.many or term.term.gender == "p"
    verb = words.language.speech["is"][many]
    if "'s " in label and words.lexicon is None and not alone:  # a field of a row that exists already
        return words.fixed("fact_held", label=label, value=said, **{"is": verb})
    if further:
        return words.fixed("fact_further", label=label, value=said)
    return words.draw("fact_alone" if alone else "fact", label=label, value=said, **{"is": verb})


def _timed(words: Voice, fact: Fact, said: str) -> str:
    """Say a moment with a label that relates the row to it: "expires at" -> "it should expire on 3 May"."""
    label = fact.label
    kinds, slots = kinds_of(label, fact.value), clause_slots(label, fact.value, said, words.language)
    own = words.language.clause("timed", label.rpartition("'s ")[2], kinds, slots)
    return own or " ".join((label.replace("'s ", " "), said))


def is_timed(label: str) -> bool:
    """Tell whether a label says what happens at a moment and is no noun: "expires at", "scheduled on"."""
    return label.endswith((" at", " on"))


def _own_sayings(words: Voice, fact: Fact) -> Sequence[str]:
    return words.sayings.get(fact.label, ()) if words.lexicon is None else words.lexicon.sayings(fact.label)


def has_own_saying(words: Voice, fact: Fact) -> bool:
    """Tell whether the tool's phrases or the translation have a wording for a fact."""
    return bool(_own_sayings(words, fact))


def own_fragment(words: Voice, fact: Fact) -> str:
    """Return a tool's wording for a fact that fits within a sentence: "by {value}", "dated {value}"; empty without one."""
    if words.lexicon is not None:
        return ""
    found = [said for said in _own_sayings(words, fact) if _is_fragment(said)]
    return words.rng.choice(found) if found else ""


def _is_fragment(said: str) -> bool:
    first, *rest = said.split(" ")
    if any(word.endswith((",", ":")) for word in rest):  # "as the subject, {value}" is a complete answer
        return False
    short = rest[-1:] == ["{value}"] and len(rest) <= _FRAGMENT
    return short and (first in _PREPOSITIONS or is_participle(first))


_FRAGMENT = 4
"""Maximum further words of a wording that fits within a sentence."""


_PREPOSITIONS = word_set("prepositions", "common", "other")


def _one_of_many(words: Voice, said: str) -> str:
    """Return a text about one thing with its noun in the singular: "1 Tage" -> "1 Tag"."""
    for pattern, text in words.language.speech["one_of_many"]:
        said = re.sub(pattern, text, said)
    return said


def _described(words: Voice, noun: str, description: Description) -> str:
    """Describe one row of several: "my latest order", "the room with the lowest price", "the one in May".

    A row that the described one refers to is named through it: "the same doctor as for the appointment in May".
    """
    same, month = "same_" if description.same else "", ""
    if description.kind == "month":
        month = month_names(words.language.code)[int(description.month[5:]) - 1]
        words.spoken.append(month)
        frame = f"{same}described_month"
    else:
        frame = f"{same}described_amount" if description.label else f"{same}described_time"
    kind, one = _kind(words, noun, description), _in_a_word(words, noun, description)
    if one:
        frame, kind = f"{same}described_time", one
    return words.draw(
        frame,
        kind=kind,
        noun=noun,
        label=description.label,
        month=month,
        same=description.same,
    )


def _in_a_word(words: Voice, noun: str, description: Description) -> Filling:
    """Return a single word for having the most or least of something, if there is one: "the cheapest room"."""
    found = without_unit(description.label.partition(" per ")[0])[0].rpartition(" ")[2]
    if found not in words.grammar["superlatives"] or description.kind not in ("highest", "lowest"):
        return ""
    kind: str = words.grammar["superlatives"][found][description.kind == "lowest"]
    return kind if words.lexicon is None else Adjective(kind, words.lexicon.term(noun, "noun"))


def _kind(words: Voice, noun: str, description: Description) -> Filling:
    """Return "latest", "lowest" or the like in the form that fits its noun."""
    if description.kind == "month":
        return ""
    if words.lexicon is None:
        many = any(is_plural(word) for word in description.label.split())
        kind: str = words.grammar["kinds_many" if many else "kinds"][description.kind]
        return kind
    whose = words.lexicon.term(description.label) if description.label else words.lexicon.term(noun, "noun")
    many = whose.many or whose.term.gender == "p"
    return Adjective(words.grammar["kinds_many" if many else "kinds"][description.kind], whose)


def say_flag(words: Voice, label: str, value: bool) -> str:
    """Say a yes-or-no fact: "with a dog", "it is not complete"."""
    own = words.lexicon.flag("flag", label, value) if words.lexicon is not None else ""
    if own:
        return own
    if words.lexicon is None and is_command(label):
        return words.draw("flag_do" if value else "flag_not", label=label)
    slots = clause_slots(label, value, "", words.language)
    said = words.language.clause("flag", label, kinds_of(label, value), slots)
    return said or words.draw("yes_flag" if value else "no_flag", label=label)


def is_command(label: str) -> bool:
    """Tell whether a label says what to do rather than what exists: "block email", not "email" and not "open orders"."""
    verb, *rest = label.split()
    done = bool(rest) and can_be_verb(verb) and not is_predicate(verb) and all(map(can_be_noun, rest))
    return done and verb not in ("is", "are", "has", "have")


def say_quality(words: Voice, label: str, value: bool) -> str:
    """Say a flag in the description of an item: "active", "not active"."""
    if words.lexicon is None:
        frame = ("item_yes" if value else "item_no") if is_predicate(label) else "item_field"
        return words.fixed(frame, label=label.removeprefix("is "), value=words.value(value, label))
    known = words.lexicon.flag_word(label)
    if known:
        return fill(words.grammar["item_yes" if value else "item_no"], {"label": known})
    return words.fixed("item_field", label=label, value=words.value(value, label))


def name_nth(words: Voice, place: int, noun: str) -> Filling:
    """Return the ordinal of an item, counted from zero, for use before its noun: "the first"."""
    ordinals = words.language.speech["ordinals"]
    if place >= len(ordinals):
        return fill(words.language.speech["number"], {"place": str(place + 1)})
    if words.lexicon is not None:
        return Adjective(ordinals[place], words.lexicon.term(noun, "noun"))
    return fill(words.language.speech["nth"], {"nth": ordinals[place]})


def _nth_one(words: Voice, place: int, noun: str) -> str:
    """Name an item by its position, counted from zero: "the first one"."""
    speech = words.language.speech
    if place >= len(speech["ordinals"]):
        return fill(speech["number"], {"place": str(place + 1)})
    nth = name_nth(words, place, noun) if words.lexicon is not None else speech["ordinals"][place]
    return fill(speech["nth_one"], {"nth": nth})


def say_choice(words: Voice, fact: Fact) -> str:
    """Say which of several items is meant."""
    told = with_full_name(fact.value)
    if not told:
        words.spoken.append(_nth_one(words, int(str(fact.choice).rsplit("/", 1)[-1]), fact.label))
        return words.spoken[-1]
    parts = [
        _told(words, pointer, value, "" if index == 0 else "_also", fact.label)
        for index, (pointer, value) in enumerate(told)
    ]
    return " ".join(parts)


def with_full_name(told: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Return the values that describe a choice, with first and family name joined."""
    own = {words_of(pointer.rpartition("/")[2]): pointer for pointer in told}
    parts = [next((own[name] for name in names if name in own), "") for names in (FIRST_NAMES, FAMILY_NAMES)]
    if not all(parts):
        return list(told.items())
    name = " ".join(str(told[part]) for part in parts)
    return [
        (f"{parts[1].rpartition('/')[0]}/full_name", name),
        *((pointer, value) for pointer, value in told.items() if pointer not in parts),
    ]


def _told(words: Voice, pointer: str, value: Any, also: str, noun: str) -> str:
    label = label_of(pointer)
    said = words.value(value, label)
    is_quoted = said.startswith(words.language.speech["quotes"][0])
    if is_own_name(label) or is_named_after(pointer, noun.split()) or (label == noun and not is_quoted):
        chosen: str = words.rng.choice(words.grammar[f"called{also}"])
        return words.filled(chosen, {"value": said, "noun": noun})
    if _is_date(value):
        own = told_moment(words, label, value, said)
        frame, said = ("told_one", own) if own else ("on_day", said)
    elif is_quoted:
        frame = "with_text"
    elif isinstance(value, bool) and words.lexicon is None and is_predicate(label) and " " not in label:
        frame, said = "like" if value else "not_like", label
    elif isinstance(value, bool):
        frame = "with_flag" if value else "without_flag"
        held = label.removeprefix("has ") if words.lexicon is None else label
        label = with_article(held) if held != label and not is_plural(held) else held
    elif isinstance(value, str) and (label.endswith("name") or (value[:1].isupper() and words.lexicon is None)):
        frame = "with_name"
    elif isinstance(value, str) and not also and len(said.split()) < _LONG:
        frame = "like"
    else:
        frame = "with_value"
    return words.fixed(f"{frame}{also}", value=said, noun=noun, label=label)


def told_moment(words: Voice, label: str, value: Any, said: str) -> str:
    """Say a moment by what happens then: "due on 3 May"; empty for the date or start of a row, and in other languages."""
    if words.lexicon is not None:
        return ""
    told = words.language.clause(
        "told", label, kinds_of(label, value), clause_slots(label, value, said, words.language)
    )
    return "" if told is None or told.startswith(tuple(words.language.speech["its_day"])) else told


def say_item(
    words: Voice, item: Any, pointers: Sequence[str], position: int, marked: Collection[str] | None = None
) -> str:
    """Describe one item of a list by some of its fields; those in `marked` are said with their label."""
    if not isinstance(item, Mapping):
        return words.value(item)
    parts = []
    for pointer in pointers:
        value = value_at(item, pointer)
        if value not in (None, "", [], {}):
            label = label_of(pointer)
            if isinstance(value, bool):
                parts.append(say_quality(words, label, value))
                continue
            value = full_name(item, pointer) if isinstance(value, str) else value
            said = words.value(value, label)
            plain = (
                isinstance(value, str)
                and not is_numeric(value)
                and (not comes_later(item, value) if marked is None else pointer not in marked)
            )
            parts.append(said if plain else say_amount(words, item, pointer, label, said))
    parts = list(dict.fromkeys(parts))
    if len(parts) > 1:
        return words.fixed("item", first=parts[0], rest=", ".join(parts[1:]))
    return "".join(parts) or fill(words.language.speech["number"], {"place": str(position + 1)})


def is_numeric(text: str) -> bool:
    """Tell whether a text is a number, or several joined by dots, which needs its label to be understood."""
    return text.replace(".", "").isdigit()


def say_field(words: Voice, label: str, value: Any, said: str, frame: str = "item_field") -> str:
    """Say a field of an item with its label: "quantity 4", or a moment with what happens then: "due 3 May"."""
    if is_moment(value) and _BARE.issuperset(label.split()) and frame != "entry":
        return said
    if words.lexicon is None and is_moment(value):
        label = _MOMENTARY.sub("", label)
    return words.fixed(frame, label=label, value=said)


def say_amount(words: Voice, item: Mapping[str, Any], pointer: str, label: str, said: str) -> str:
    """Say a field that is no plain text: an amount with the currency beside it, others with their label."""
    value = value_at(item, pointer)
    above, _, name = pointer.rpartition("/")
    told = with_currency(said, value, label_of(f"/{name}"), _holder(item, above), name)
    return told if told != said else say_field(words, label, value, said)


def with_currency(said: str, value: Any, label: str, holder: Any, name: str) -> str:
    """Return an amount with the currency from its `holder`; unchanged if it is no amount or there is no currency."""
    counted = isinstance(value, (int, float)) or (isinstance(value, str) and is_numeric(value))
    return f"{said} {currency_beside(holder, name)}".strip() if counted and is_amount(label) else said


def currency_beside(row: Any, name: str) -> str:
    """Return the currency of a field of a row; of several, the one whose field shares a word with it or is unqualified."""
    found = {
        frozenset(words_of(key).split()) - {"currency", "code", "iso"}: value
        for key, value in (row.items() if isinstance(row, Mapping) else ())
        if "currency" in key.lower() and isinstance(value, str) and len(value) == _CURRENCY
    }
    own = next((of for of in found if not of.isdisjoint(words_of(name).split())), frozenset[str]())
    chosen = found.get(own) or (next(iter(found.values())) if len(found) == 1 else "")
    return chosen.upper()


_CURRENCY = len("EUR")

_BARE = {"date", "time", "timestamp", "datetime"}
"""Words of labels that only mark a moment."""

_MOMENTARY = re.compile(r"(?<=\S) (?:at|on)$")


def full_name(item: Mapping[str, Any], pointer: str) -> str:
    """Return the text at a pointer; if it is a first or family name, joined with the other one."""
    first, family = (value_at(item, part) if part else None for part in name_parts(item, pointer))
    own = value_at(item, pointer)
    return (
        f"{first} {family}" if own and isinstance(first, str) and isinstance(family, str) and first and family else own
    )


def _holder(item: Mapping[str, Any], above: str) -> Mapping[str, Any]:
    held = value_at(item, above) if above else item
    return held if isinstance(held, Mapping) else {}


def marked_fields(items: Sequence[Any], pointers: Sequence[str]) -> set[str]:
    """Return the fields of some items to say with their label: moments that could be mistaken for the start."""
    return {
        pointer
        for pointer in pointers
        for item in items
        if isinstance(item, Mapping)
        and isinstance(value := value_at(item, pointer), str)
        and (comes_later(item, value) or (is_moment(value) and is_of_a_record(pointer)))
    }


def comes_later(item: Mapping[str, Any], value: Any) -> bool:
    """Tell whether a value is a moment that follows another one of the same row, so that it is not its start.

    Such a moment is said with its label, to be told from the start.
    """
    own = (other for at, other in leaves(item) if is_moment(other) and not is_of_a_record(at))
    return is_moment(value) and any(other < value for other in own if not str(value).startswith(other))


def _is_date(value: Any) -> bool:
    return isinstance(value, str) and len(value) >= 10 and value[4:5] == "-" and value[:4].isdigit()
