"""A wish and the names of its rows -> the wish with these names: "delete a folder" -> 'delete the folder "hiring"'."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from interplay.generators.participants.wording.deed_phrases import CHANGING, wish_object
from interplay.generators.participants.wording.fact_phrases import say_choice, told_moment, with_full_name
from interplay.generators.participants.wording.inflection import OBJECT, Wish
from interplay.generators.participants.wording.languages import Filling, fill
from interplay.generators.participants.wording.result_phrases import own_label
from interplay.generators.participants.wording.voice import Voice
from interplay.generators.participants.wording.woven_facts import AFTER, is_asked, place_of, told_as
from interplay.generators.phrases.labels.field_labels import is_own_name, label_of, words_of
from interplay.generators.phrases.speakable_values import is_moment
from interplay.generators.phrases.wish_grammar import parsed
from interplay.schemas.records.blueprint import Fact
from interplay.schemas.words.articles import DETERMINERS
from interplay.schemas.words.lists import alternatives, word_set
from interplay.schemas.words.nouns import singular
from interplay.schemas.words.word_classes import can_be_adverb, can_be_noun

_KEPT = {"your", "our", "all", "each"}
"""Determiners that are kept before a noun with a name."""

_NAMED_AS_IS = re.compile(r"[\"“„]|@|[\d)]$|(?:[A-ZÄÖÜ]\S*\s)+[A-ZÄÖÜ]\S*$")
"""Texts that are recognised as names without quotes: quotations, addresses, numbers, capitalised words, names with brackets."""


@dataclass(frozen=True)
class Named:
    """One thing that a wish is about: its nouns, best first, and its name, or its description if not `own`.

    `main` marks the object of the action, `many` several things at once. `whose` gives the preposition if it is described by a
    person or a day: "with" for somebody whom one meets there, else "of".
    """

    nouns: tuple[str, ...]
    said: str
    own: bool = True
    main: bool = False
    many: bool = False
    whose: Literal["", "of", "with"] = ""


def named(words: Voice, wish: Filling, things: Sequence[Named]) -> tuple[Filling, list[Named]]:
    """Return a wish with the names of things in it, and the things that it does not mention."""
    if not isinstance(wish, str):
        return _in_other_language(words, wish, things)
    left: list[Named] = []
    for thing in things:
        placed = "" if thing.main or not thing.own else set_to(wish, thing.nouns, apposition(words, thing))
        placed = placed or next(
            (said for noun in thing.nouns if noun and (said := _placed(words, wish, noun, thing))), ""
        )
        if not placed and " somebody" in wish and _OF_SOMEBODY.fullmatch(thing.said):
            placed = wish.replace(" somebody", f" {thing.said}", 1)
        if not placed and thing.main:
            about = wish_object(wish)
            own = about.endswith(" something") or (thing.own and not parsed(wish).thing)
            name = apposition(words, thing) if own else f"({described_by(words, thing)})"
            about = about.removesuffix(" something")
            bare = " " not in about and not own  # "pay for a rental" has no direct object
            placed = f"{wish} {name}" if bare else f"{about} {name}{wish.removeprefix(wish_object(wish))}"
        wish, left = (placed, left) if placed else (wish, [*left, thing])
    return wish, left


def set_to(text: str, nouns: Sequence[str], name: str) -> str:
    """Return a wish to change a reference with the name of the new row: "change the epic of a ticket to Payments".

    Empty if it is no such wish.
    """
    bare = text.rstrip("?.!")
    changes = (re.search(rf"{_CHANGING} the {re.escape(noun)} of (?!.* to )", bare) for noun in nouns if noun)
    return f"{bare} to {name}{text[len(bare) :]}" if any(changes) else ""


_CHANGING = rf"\b(?:{alternatives(CHANGING)})"


def _in_other_language(words: Voice, wish: Filling, things: Sequence[Named]) -> tuple[Filling, list[Named]]:
    """Put the name of the main thing after the object of a wish, if it has one."""
    main = next((thing for thing in things if thing.main), None)
    if main is None or not isinstance(wish, Wish) or not OBJECT.search(wish.text):
        return wish, list(things)
    name = apposition(words, main) if main.own else f"({main.said})"
    text = OBJECT.sub(lambda found: f"<{found[1]} {name}|{found[2]}>", wish.text, count=1)
    return Wish(text, wish.know), [thing for thing in things if thing is not main]


def is_name_as_it_stands(said: str) -> bool:
    """Tell whether a text is recognised as a name without a noun: an address, a number."""
    return _NAMED_AS_IS.search(said) is not None


def apposition(words: Voice, thing: Named) -> str:
    """Return a name as it follows a noun: in quotes, unless it is recognised as a name without them."""
    return thing.said if _NAMED_AS_IS.search(thing.said) else words.quoted(thing.said)


def called(words: Voice, noun: str, thing: Named) -> str:
    """Return an English noun with a name: 'the folder "hiring"', "the Lyon sales team"."""
    head = singular(noun.rpartition(" ")[2].lower())
    if thing.many or not thing.own:
        frame = f"described_{thing.whose}" if thing.whose and not thing.many else "described"
        return fill(words.grammar[frame], {"noun": noun, "value": thing.said})
    if head == singular(thing.said.rpartition(" ")[2].lower()) and not thing.said.startswith(('"', "„")):
        return f"the {thing.said}"
    return f"the {noun} {apposition(words, thing)}"


def name_in(words: Voice, text: str, thing: Named) -> str:
    """Return a sentence with the name of a thing after its noun; unchanged if it does not contain the noun."""
    if thing.said in text or not text.endswith("."):
        return text
    placed = next((said for noun in thing.nouns if noun and (said := _placed(words, text[:-1], noun, thing))), "")
    return f"{placed}." if placed else text


def described_by(words: Voice, thing: Named) -> str:
    """Return the name of a thing, after its noun unless the name contains that: "plan Holiday update"."""
    noun = next((noun for noun in thing.nouns if noun), "")
    timed = any(moment in thing.said for moment in words.moments)
    plain = not noun or thing.many or timed or _OF_SOMEBODY.fullmatch(thing.said)
    held = noun.rpartition(" ")[2].lower() in thing.said.lower()
    said = thing.said.replace(" (", ", ", 1).removesuffix(")") if thing.said.endswith(")") else thing.said
    return said if plain or held else words.fixed("detail", label=noun, value=said)


_OF_SOMEBODY = re.compile(r"(?:[A-ZÄÖÜ][^\W\d]*\.? )+[A-ZÄÖÜ][^\W\d]*|\S+@\S+")
"""Texts that are recognised as the name or address of a person: "Ada Lovelace", "Dr. Jansen"."""


def _placed(words: Voice, wish: str, noun: str, thing: Named) -> str:
    """Return a wish with a name at the noun phrase for a thing; empty if there is none."""
    head, tokens, asked = singular(noun.rpartition(" ")[2].lower()), wish.split(), is_asked(wish)
    for at, token in enumerate(tokens):
        owns = _OWNS if token.endswith(_OWNS) else ""
        after = tokens[at + 1].lower() if at + 1 < len(tokens) else ""
        over = owns or after in AFTER | DETERMINERS or not after or (can_be_adverb(after) and not can_be_noun(after))
        over = over or (asked and tokens[at - 1].lower() in DETERMINERS)
        if not at or not over or singular(token.removesuffix(owns).lower()) != head or (owns and thing.many):
            continue
        begin = at
        while begin > 1 and (tokens[begin - 1].endswith(_OWNS) or tokens[begin - 1].lower() not in DETERMINERS | AFTER):
            begin -= 1
        before = tokens[begin - 1].lower()
        phrase = " ".join([*tokens[begin:at], token if thing.many else singular(token.removesuffix(owns))])
        somebody = owns and thing.own and _OF_SOMEBODY.fullmatch(thing.said)
        said = f"{thing.said if somebody else called(words, phrase, thing)}{owns}"
        if before in DETERMINERS - AFTER:
            begin -= 3 if tokens[max(begin - 3, 0) : begin - 1] == ["one", "of"] else 1
            said = f"{before} {said.removeprefix('the ')}" if before in _KEPT else said
        return " ".join([*tokens[:begin], said, *tokens[at + 1 :]])
    return ""


_OWNS = "'s"
"""The ending of a noun to which the next one belongs: "the user's assistant"."""


def is_named(fact: Fact) -> bool:
    """Tell whether a fact names an item of a list, and the user tells it at once."""
    return fact.choice is not None and fact.reveal == "opening" and fact.description is None and bool(fact.value)


def is_name_of_thing(fact: Fact) -> bool:
    """Tell whether a fact is the name of a thing that a wish may mention: "the device's name"."""
    owner, _, own = fact.label.rpartition("'s ")
    return bool(owner) and is_own_name(own) and fact.choice is None and isinstance(fact.value, str)


def put_name(words: Voice, text: str, fact: Fact) -> str:
    """Return a user's sentence with a thing named where it is mentioned; empty if it is not, and in other languages."""
    owner, _, own = fact.label.rpartition("'s ")
    kind, told = (owner, {f"/{own}": fact.value}) if owner else (own, fact.value)
    named_by = thing_named(words, fact) if words.lexicon is None and fact.choice is not None else ""
    if changed := named_by and set_to(text, (kind,), named_by.removeprefix(f"the {kind} ")):
        return changed
    nouns = (
        (kind, kind.rpartition(" ")[2]) if words.lexicon is None else ()
    )  # a mentor application, said as "application"
    place = next((place for noun in nouns if (place := place_of(text, noun)) is not None), None)
    return "" if place is None else f"{place[0]}{_told_apart(words, place[1], kind, told)}{place[2]}"


def name_alone(words: Voice, fact: Fact) -> str:
    """Say in a sentence of its own which thing a user means."""
    if words.lexicon is not None:
        return words.draw("means_one", noun=fact.label, thing=say_choice(words, fact))
    kind = fact.label.rpartition("'s ")[0] if fact.choice is None else fact.label
    return words.draw("means_one", noun=kind, thing=thing_named(words, fact))


def thing_named(words: Voice, fact: Fact) -> str:
    """Return the English noun for the thing that a fact names, with its values: "the room on 3 May"."""
    owner, _, own = fact.label.rpartition("'s ")
    kind, told = (owner, {f"/{own}": fact.value}) if fact.choice is None else (fact.label, fact.value)
    return _told_apart(words, kind, kind, told)


def is_served(role: str) -> bool:
    """Tell whether a role is one of customers rather than of providers: a guest, not a doctor."""
    return role.rpartition(" ")[2] in _SERVED


_SERVED = word_set("people", "served")


def _told_apart(words: Voice, noun: str, kind: str, told: Mapping[str, Any]) -> str:
    """Return a thing with its distinguishing values: its name, else others by their role: "the room on 3 May"."""
    thing, behind = f"the {noun}", list[str]()
    for pointer, value in with_full_name(told):
        label = label_of(pointer)
        said = words.value(value, label)
        own = label.rpartition(" ")[2]
        above, _, field = pointer.rpartition("/")
        inner = label != words_of(field) and kind.rpartition(" ")[2] not in words_of(above[1:]).split()
        if label == "full name" and pointer.count("/") > 1:  # the name of a person in it
            behind.append(f"of {said}")
        elif inner and is_own_name(own):  # the name of another thing in it
            behind.append(
                f"of {said}" if own in ("name", "username") else f"for {apposition(words, Named((kind,), said))}"
            )
        elif (
            not is_own_name(label)
            and label.endswith(" name")
            and label != f"{kind} name"
            and _OF_SOMEBODY.fullmatch(said)
        ):
            served = is_served(label.removesuffix(" name"))
            behind.append(f"of {said}" if served else words.fixed("with_name_also", value=said, noun=kind, label=label))
        elif (is_own_name(own) or label in ("number", f"{kind} number")) and thing == f"the {noun}":
            thing = called(words, noun, Named((kind,), said))
        elif is_moment(value):
            label = own_label(label, kind)
            own = told_moment(words, label, value, said)
            behind.append(own or words.fixed("on_day_also", value=said, noun=kind, label=label))
        else:
            behind.append(told_as(words, Fact(id="", goal=0, label=label, value=value), said))
    return " ".join((thing, *behind))
