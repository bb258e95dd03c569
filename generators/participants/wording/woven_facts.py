"""A wish and the facts told with it -> one phrase: "add a post called Plan with the alt text ..." for "add a post" and two facts.

The role of a value decides its wording, by the rules `told` in the clauses of the grammar.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from interplay.generators.participants.wording.deed_phrases import CHANGING, wish_kind
from interplay.generators.participants.wording.fact_phrases import has_own_saying, is_timed, own_fragment
from interplay.generators.participants.wording.languages import Filling, fill
from interplay.generators.participants.wording.value_phrases import clause_slots, is_period, kinds_of
from interplay.generators.participants.wording.voice import Voice
from interplay.generators.phrases.labels.address_parts import STREET, address_part, written_address
from interplay.generators.phrases.labels.field_labels import FAMILY_NAMES, FIRST_NAMES, MOMENT_KINDS, is_own_name
from interplay.generators.phrases.labels.identity_labels import is_coded
from interplay.generators.phrases.wish_grammar import parsed
from interplay.generators.values.lifetimes import tells_state
from interplay.generators.values.texts.sample_words import is_of_person
from interplay.schemas.records.blueprint import ExpectedOutput, Fact
from interplay.schemas.words.articles import DETERMINERS
from interplay.schemas.words.lists import alternatives, word_set
from interplay.schemas.words.nouns import is_plural, plural, singular
from interplay.schemas.words.word_classes import can_be_adverb, can_be_noun, is_predicate

AFTER = word_set("prepositions", "common", "other", "joining")
"""Words that end a noun phrase: "teams | from a group"."""

_MOST = 3
"""Maximum facts in one sentence; further ones follow in a sentence of their own."""


def weavable(words: Voice, facts: Sequence[Fact]) -> list[Fact]:
    """Return the facts that fit into the sentence of a wish: plain values without a complete wording of their own."""
    found = [fact for fact in facts if _is_plain(words, fact)]
    return found[:_MOST]


def weave(words: Voice, intent: str, topic: str, facts: Sequence[Fact]) -> Filling:
    """Return a wish with some facts in it, see `weavable`; in other languages they follow its object."""
    named: list[str] = []
    called: list[Any] = []
    phrases: list[str] = []
    beside: dict[str, str] = {}
    if words.lexicon is None:
        intent = _without_way(intent, facts)
    for fact in with_whole_name(facts) if words.lexicon is None else facts:
        owner, _, own = fact.label.rpartition("'s ")
        bare = own.removeprefix(f"{topic} ").removeprefix(f"{topic.rpartition(' ')[2]} ")
        own = bare if is_own_name(bare) else "name" if _is_called(words, own, topic, fact) else own
        named_so = is_own_name(own) and (own != "username" or topic.rpartition(" ")[2] in _SIGNED_IN)
        named_so = named_so and not _is_sentence(fact.value)
        if named_so and fact.value in called:
            continue  # a title and a name with the same value
        called += [fact.value] if named_so else []
        whose = owner or (fact.label if _names_other(fact, topic) else "")
        place = place_of(intent, whose) if whose and words.lexicon is None else None
        alone = not owner or (place is not None and place[2].startswith("'") and is_own_name(own))
        if place is not None and (alone or not place[2].startswith("'")):
            head, noun, rest = place
            said = words.value(fact.value, fact.label) if alone else ""
            intent = f"{head}the {noun} {said or _phrase(words, own, fact, called=True)}{rest}"
        elif named_so and words.lexicon is None and (sought := _sought_by_name(intent, topic, owner)):
            intent = f"{sought} {_phrase(words, own, fact, called=True)}"
        elif words.lexicon is None and (so := _being_so(intent, topic, fact)):
            intent = so
        elif words.lexicon is None and (thing := _numbered_thing(intent, fact)):
            intent = f"{thing} {words.value(fact.value, fact.label)}"
        elif words.lexicon is None and (stands := _ending_in(intent, fact)):
            said = words.value(fact.value, fact.label)
            intent = f"{stands[1]} {said}" if is_period(fact.value) else f"{stands[1]} the {fact.label} {said}"
        elif (
            named_so
            and not named
            and owner in ("", topic)
            and intent.endswith(topic)
            and wish_kind(intent) == "create"
            and words.lexicon is None
        ):
            named.append(_phrase(words, own, fact, called=True))
        elif owner not in ("", topic) and words.lexicon is None:
            beside[owner] = f"{beside.get(owner, f'the {owner}')} {_phrase(words, own, fact, called=True)}"
        else:
            phrases.append(_phrase(words, own if owner == topic else fact.label, fact))
    things = [words.filled(words.language.speech["for_thing"], {"thing": thing}) for thing in beside.values()]
    if words.lexicon is None and _SOUGHT.match(intent):  # avoids a second "for" after "search for players"
        phrases = [_SEEKING.sub("named ", phrase) for phrase in phrases]
    told = " ".join([*named, *things, *_joined(words, phrases)])
    if words.lexicon is None:
        return _on_one_day(f"{intent} {told}".rstrip())
    return words.lexicon.wish(intent).told(told)


def _without_way(intent: str, facts: Sequence[Fact]) -> str:
    """Return a wish without the words for how something is found, where a fact says it: "find a user by name"."""
    found = _BY.search(intent)
    told = found is not None and any(fact.label.endswith((found[1], singular(found[1]))) for fact in facts)
    return intent[: found.start()] if found is not None and told else intent


_BY = re.compile(r" by (?:(?:an?|the|its|their) )?(\w+)$")


def _ending_in(intent: str, fact: Fact) -> re.Match[str] | None:
    """Return a wish that ends with what a fact says, up to the preposition as its group: "see visits for | the month"."""
    labels = [fact.label, *(MOMENT_KINDS if is_period(fact.value) else ())]
    return re.fullmatch(rf"(.* (?:for|of|in|on|from)) (?:the|an?) (?:{alternatives(labels)})", intent)


def _numbered_thing(intent: str, fact: Fact) -> str:
    """Return a wish that ends with the thing of which a fact gives the number, without its article: "cancel order"; else empty."""
    found = re.fullmatch(rf"(.*) (?:an?|the|my) ({re.escape(fact.label)})", intent)
    numbered = isinstance(fact.value, int) or (isinstance(fact.value, str) and any(map(str.isdigit, fact.value)))
    plain = numbered and " " not in str(fact.value) and not is_period(fact.value)
    return f"{found[1]} {found[2]}" if found is not None and plain and wish_kind(intent) != "create" else ""


def _being_so(intent: str, topic: str, fact: Fact) -> str:
    """Return a wish to see rows with their state before the noun: "see the inactive products"; empty for other facts and wishes."""
    told = isinstance(fact.value, str) and fact.value.isalpha() and fact.value.islower() and is_predicate(fact.value)
    if not told or not tells_state(fact.label.rpartition(" ")[2]) or wish_kind(intent) != "look":
        return ""
    many, first = re.escape(plural(topic)), re.escape(intent.split()[0])
    found = re.search(
        rf"\b(?:(?:the|all|which|my|our)(?= (?:{re.escape(topic)}|{many})\b)|{first}(?= {many}\b))", intent
    )
    return f"{intent[: found.end()]} {fact.value}{intent[found.end() :]}" if found is not None else ""


def _names_other(fact: Fact, topic: str) -> bool:
    """Tell whether a fact is the name of a person other than the wished-for row: the customer of an order."""
    return fact.label != topic and isinstance(fact.value, str) and is_of_person(fact.value)


def _is_called(words: Voice, label: str, topic: str, fact: Fact) -> bool:
    """Tell whether a fact is the name of the row, since its label is the row's noun and its value no sentence."""
    return label == topic and not words.value(fact.value, fact.label).startswith(words.language.speech["quotes"][0])


_SIGNED_IN = word_set("people", "served", "actors", "staff") | {"account", "profile"}
"""Nouns of people and accounts that are identified by a username."""


_SOUGHT, _SEEKING = re.compile(r"(?:search|look) for "), re.compile(r"^for ")


def changed(words: Voice, intent: str, topic: str, facts: Sequence[Fact], named: str = "") -> str:
    """Return a wish to change a row with the new value: "update an epic" -> "change the title of an epic to Plan".

    `named` is the wish with the name of its row. The result is empty if the wish says more than that something is to change,
    if the facts are not one or two plain fields of the row, and in other languages.
    """
    wish = parsed(intent)
    labels = [_own_label(fact.label, topic) for fact in facts]
    several = not 0 < len(facts) <= _SET_AT_ONCE or len(set(labels)) < len(labels)
    if words.lexicon is not None or several or wish.verb not in CHANGING or not wish.thing:
        return ""
    if not all(labels) or any(is_timed(fact.label) or has_own_saying(words, fact) for fact in facts):
        return ""
    if any(is_coded(fact.label) and fact.label.rpartition(" ")[0] in (*wish.thing, *wish.rest) for fact in facts):
        return ""  # it says which one is changed, and is no new value: "update the maintenance of a slot"
    said = [words.value(fact.value, fact.label) for fact in facts]
    thing, own = " ".join(wish.thing), labels[0]
    beside = [f"the {label} to {value}" for label, value in zip(labels[1:], said[1:], strict=True)]
    if thing in (own, f"{topic} {own}"):
        return str(words.language.speech["and"].join([f"{named or intent} to {said[0]}", *beside]))
    if wish.rest and (wish.rest[0] not in _HOLDING or (wish.rest[0] == "of" and thing.rpartition(" ")[2] not in topic)):
        return ""
    whole = (named or intent).removeprefix(wish.verb).strip()
    set_to = [f"the {label} of {whole} to {value}" for label, value in zip(labels[:1], said, strict=False)]
    return f"change {words.language.speech['and'].join([*set_to, *beside])}"


def _own_label(label: str, topic: str) -> str:
    """Return the label of a row's field without the row's noun; empty for a field of another row."""
    owner, _, own = label.rpartition("'s ")
    if owner not in ("", topic):
        return ""
    short = own.removeprefix(f"{topic} ").removeprefix(f"{topic.rpartition(' ')[2]} ").removeprefix("new ")
    return short if short and can_be_noun(short.rpartition(" ")[2]) else ""


_HOLDING = ("of", "in", "on", "for", "from")
"""Prepositions before the owner of a row."""
_SET_AT_ONCE = 2


def has_object(words: Voice, intent: str) -> bool:
    """Tell whether a wish has an object that facts can follow."""
    return words.lexicon is None or words.lexicon.wish(intent).pronominal is not None


def told_alone(words: Voice, facts: Sequence[Fact]) -> str:
    """Return facts in the form that follows a row which is not named again: "called Plan, with the alt text ..."."""
    plain = words.lexicon is None
    whole = with_whole_name(facts) if plain else facts
    phrases = [
        _phrase(words, fact.label, fact, called=_is_name(fact) and plain and fact.label != "username") for fact in whole
    ]
    return _on_one_day(" ".join(_joined(words, phrases)))


def _is_name(fact: Fact) -> bool:
    """Tell whether a fact is the name of a thing; a summary in a whole sentence is none."""
    return is_own_name(fact.label) and not _is_sentence(fact.value)


def _is_sentence(value: Any) -> bool:
    return isinstance(value, str) and " " in value and value.endswith((".", "!", "?"))


_FROM_UNTIL = re.compile(r"\bfrom (?P<day>.+?) at (?P<start>.+?) until (?P=day) at ")


def _on_one_day(text: str) -> str:
    """Return an English text in which a common day of start and end is said once: "from Sunday at 3 until 5"."""
    return _FROM_UNTIL.sub(r"from \g<day> at \g<start> until ", text)


def _sought_by_name(intent: str, topic: str, owner: str) -> str:
    """Return a wish to see several things as one to see the one that has a name: "see organisations" -> "see the organisation"."""
    wish = parsed(intent)
    own = owner in ("", topic) and singular(wish.head) == topic.rpartition(" ")[2]
    if wish_kind(intent) != "look" or not own or not is_plural(wish.head) or wish.rest:
        return ""
    return f"{wish.verb} the {' '.join([*wish.thing[:-1], singular(wish.head)])}"


def with_whole_name(facts: Sequence[Fact]) -> Sequence[Fact]:
    """Return facts with the first and last name of a person joined, if both are there."""
    first, last = (
        next((fact for fact in facts if fact.label.rpartition("'s ")[2] in names and isinstance(fact.value, str)), None)
        for names in (FIRST_NAMES, FAMILY_NAMES)
    )
    if first is None or last is None:
        return facts
    owner = "".join(first.label.rpartition("'s ")[:2])
    whole = first.model_copy(update={"label": f"{owner}name", "value": f"{first.value} {last.value}"})
    return [whole if fact is first else fact for fact in facts if fact is not last]


Told = TypeVar("Told", Fact, ExpectedOutput)


def with_whole_address(told: Sequence[Told]) -> Sequence[Told]:
    """Return facts or outputs with the parts of each address joined, if its street and another part are there."""
    found: dict[str, dict[str, Told]] = {}
    for item in told:
        if isinstance(item.value, str) and not (isinstance(item, Fact) and item.choice is not None):
            label, own = _in_address(item.label)
            found.setdefault(label, {}).setdefault(own, item)
    for label, parts in found.items():
        if STREET in parts and len(parts) > 1:
            told = _joined_address(told, label, parts)
    return told


def _in_address(label: str) -> tuple[str, str]:
    """Return the label of the address that a field belongs to, and its part of it; two empty texts for other fields."""
    owner, _, own = label.rpartition("'s ")
    part = address_part(own.split())
    return (" ".join([f"{owner}'s"] * bool(owner) + [*part[0], "address"]), part[1]) if part is not None else ("", "")


def _joined_address(told: Sequence[Told], label: str, parts: Mapping[str, Told]) -> Sequence[Told]:
    line = written_address({part: str(item.value) for part, item in parts.items()})
    first, *rest = parts.values()
    joined = first.model_copy(update={"label": label, "value": line})
    return [joined if item is first else item for item in told if not any(item is other for other in rest)]


def _is_plain(words: Voice, fact: Fact) -> bool:
    plain = fact.description is None and fact.choice is None and isinstance(fact.value, (str, int, float))
    timed = words.lexicon is None and is_timed(fact.label)
    stands = not has_own_saying(words, fact) or bool(own_fragment(words, fact))
    stands = stands and fact.label not in words.own
    return plain and stands and not timed and not isinstance(fact.value, bool) and not fact.instead_of


def _phrase(words: Voice, label: str, fact: Fact, called: bool = False) -> str:
    """Say a fact by the role of its value."""
    said = words.value(fact.value, fact.label)
    if own := own_fragment(words, fact):
        return fill(own, {"value": said})
    opening = words.language.speech["quotes"][0]
    if called and is_own_name(label):
        name = words.quoted(said) if not said.startswith(opening) and re.search(r"\s[a-zäöü]", said) else said
        return words.filled(words.language.speech["told_name"], {"value": name})
    return told_as(words, fact.model_copy(update={"label": label}), said)


def told_as(words: Voice, fact: Fact, said: str) -> str:
    """Say a fact by its label: "from 3 May", "saying ...", else "with the price 5"."""
    opening, label = words.language.speech["quotes"][0], fact.label
    kinds = kinds_of(label, fact.value) | ({"text"} if said.startswith(opening) else frozenset())
    slots: dict[str, Filling] = {**clause_slots(label, fact.value, said, words.language)}
    if words.lexicon is not None:
        slots["label"] = words.lexicon.term(label)
    return words.language.clause("told", label, kinds, slots) or ""


def _joined(words: Voice, phrases: Sequence[str]) -> list[str]:
    """Join phrases that begin alike: "with the price 3" and "with the colour red" -> "with the price 3 and the colour red"."""
    joint = words.language.speech["with"]
    alike = [phrase.removeprefix(joint) for phrase in phrases if phrase.startswith(joint)]
    others = [phrase for phrase in phrases if not phrase.startswith(joint)]
    quoted = [phrase for phrase in others if phrase.endswith(tuple('"“'))]
    plain = [phrase for phrase in others if phrase not in quoted]
    return [*plain, *([joint + words.enumerate(alike)] if alike else []), *quoted]


def is_asked(wish: str) -> bool:
    """Tell whether a wish is an indirect question, in which a verb may follow the noun: "know what an order costs"."""
    return _ASKED.match(wish) is not None


_ASKED = re.compile(r"(?:know|find out) (?:what|who|whether|how) ")


def place_of(intent: str, owner: str) -> tuple[str, str, str] | None:
    """Return the text before the row that a fact is about, its noun, and the text after it; None if the wish does not name it."""
    noun, several = rf"((?:[\w-]+ )?(?i:{re.escape(owner)}))", rf"one of (?:my|our|the) (?i:{re.escape(plural(owner))})"
    found = re.search(rf"\b(?:(?:an?|the|my|our|this|that) {noun}|{several})\b(?! called| with (?:an?|the) )", intent)
    if found is None:
        return _among_several(intent, owner)
    behind = re.match(r" ([a-z]\w*)", intent[found.end() :])
    goes_on = behind is not None and behind[1] not in AFTER | DETERMINERS and can_be_noun(behind[1])
    if goes_on and behind is not None and not can_be_adverb(behind[1]) and not is_asked(intent):
        return None  # the noun phrase continues: "the device location"
    return intent[: found.start()], found[1] or owner, intent[found.end() :]


def _among_several(text: str, owner: str) -> tuple[str, str, str] | None:
    """Return the parts of a wish to change or remove rows of which one is meant: "delete | blog authors | in one go"."""
    for found in re.finditer(rf"\b(\w+) ((?:[\w-]+ )?)(?i:{re.escape(plural(owner))})\b", text):
        if wish_kind(found[1]) in ("delete", "update") and found[2].strip() not in AFTER | DETERMINERS:
            return text[: found.start(2)], f"{found[2]}{owner}", text[found.end() :]
    return None
