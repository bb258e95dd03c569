"""The subject of an object, drawn once -> its name, and the texts that people write about it.

    Idea("project", "budget review")    name "Budget review"          description "Plan, costs and people for the budget review."
    Idea("hall", "garden plan")         name "Bergen hall"            note "Asked about this hall by phone."
    Idea("droplet", "kitchen survey")   name "billing-staging-2"

A thing that the catalogue of `things` has is drawn from there. For others, the last word of the noun gives its kind, and
that the form of its name; its texts are about the topic if such things are about one, else about the thing itself.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from random import Random
from typing import Any, NamedTuple

from interplay.generators.values.texts import sample_words
from interplay.generators.values.texts.standards import Entry, entries_of
from interplay.generators.values.texts.things import Concept, Thing, concept_of, draw_thing, fits, is_catalogued, means
from interplay.schemas.words.articles import UNCOUNTABLE, indefinite
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import beside, rows, table, word_set, words
from interplay.schemas.words.nouns import PERSON_NOUNS, singular

_LISTS = beside(__file__)
_TEXTS: Mapping[str, Mapping[str, Any]] = table(_LISTS, "texts")
"""Kind of text -> last words of fields that hold it, and its sentences about a topic or a noun, each also in German."""

_SERVING = ("things", "machines", "groups")
"""Kinds of things that serve a purpose."""

_KINDS = ("matters", "firms", "places", "groups", "goods", "machines", "labels")
_USES, _PHASES, _GROUPS = (tuple(rows(_LISTS, name)) for name in ("uses", "phases", "departments"))
_QUALIFIERS, _PLACED = words(_LISTS, "qualifiers"), 0.5
"""What distinguishes unknown things in their names, and the share of them whose name has a city too."""
_STUFFS, _GOODS = (tuple(rows(_LISTS, name)) for name in ("stuffs", "wares"))


class Idea(NamedTuple):
    """The subject of an object: its noun (`special event`), its topic, its name, and its person."""

    noun: str
    topic: str
    name: str
    person: str
    entry: Entry | None = None
    """What a standard says of it: the code of a currency."""
    thing: Thing | None = None
    """What the catalogue says of it: the allergies of a patient."""

    @property
    def is_matter(self) -> bool:
        """Whether such an object is about a topic, rather than a thing of its own."""
        return bool(self.topic) and (not self.noun or _kind(self.noun) == "matters")


def draw_idea(holder: str, rng: Random, fields: Iterable[str] = (), about: tuple[str, ...] = ()) -> Idea:
    """Return an idea for an object named `holder`, as a field or a resource: `special_event`, `parentTasks`.

    Its `fields`, and even more the words of what the whole API is `about`, resolve an ambiguous name.
    """
    noun, topic, fields = spoken_noun(holder), rng.choice(sample_words.TOPICS), tuple(fields)
    person, entries = sample_words.person(rng), entries_of(noun)
    concept = None if entries else _concept_in(holder, fields, about)
    if concept is not None:
        thing = draw_thing(concept, person, rng)
        return Idea(noun, thing.told("name"), thing.told("name"), person, thing=thing)
    if entries:
        entry = rng.choice(entries)
        return Idea(noun, topic, entry["name"], person, entry)
    kind = _kind_of_others(noun, about)
    if kind is not None and (said := draw_thing(kind, person, rng).told(noun)):
        return Idea(noun, said, said.capitalize() if said.islower() else said, person)
    of_person = _kind(noun) == "people" or _is_somebody(fields)
    kind_of_name = "placed" if _kind(noun) == "things" and _has_town(fields) else _kind(noun)
    name = person if of_person else _NAMES[kind_of_name](noun, topic, rng)
    return Idea(noun, "" if _is_sum(fields) else topic, name, person)


@lru_cache(maxsize=4_096)
def _concept_in(holder: str, fields: tuple[str, ...], about: tuple[str, ...]) -> Concept | None:
    """Return the concept of an object, by its name, its fields, and what the whole API is about."""
    noun = spoken_noun(holder)
    within_whole = " ".join((*about, noun))  # the item of a shopping list is not that of a shop
    nouns = (within_whole, noun) if is_catalogued(within_whole) else (whole_noun(holder), noun)
    found = (concept_of(said, fields, about) for said in nouns)
    concept = next((concept for concept in found if concept is not None), None)
    numbered = _numbered(noun, fields) or _called(noun, fields)
    own = tuple(field for field in fields if name_tokens(field)[-1:] != ["id"])  # ids only tell what a row belongs to
    plain = concept is None or " " not in whole_noun(holder) or not is_catalogued(whole_noun(holder))
    told = plain and numbered is not None and (concept is None or fits(numbered, own) > fits(concept, own))
    return numbered if told else concept


@lru_cache(maxsize=4_096)
def _numbered(noun: str, fields: tuple[str, ...]) -> Concept | None:
    """Return the concept of rows by the identity in their first field: books in a `library`, by `book_id`."""
    *thing, last = (name_tokens(fields[0]) if fields else []) or [""]
    if not thing or last not in _NUMBERS or set(thing) & set(noun.split()):
        return None
    called = any(map(is_called, (token for field in fields for token in name_tokens(field)[-1:])))
    return concept_of(" ".join([*thing[:-1], singular(thing[-1])]), fields) if called else None


@lru_cache(maxsize=4_096)
def _called(noun: str, fields: tuple[str, ...]) -> Concept | None:
    """Return the concept of rows by the field that holds their name: songs in a `library`, by `song_name`."""
    for field in fields:
        *thing, last = name_tokens(field) or [""]
        if last in _NAMES_OF and not set(thing) & set(noun.split()):
            return concept_of(" ".join(thing), fields) if thing and _kind(" ".join(thing)) != "people" else None
    return None


_NAMES_OF = ("name", "title")


@lru_cache(maxsize=4_096)
def _kind_of_others(noun: str, about: tuple[str, ...]) -> Concept | None:
    """Return the concept that an API is about if it has names for such objects: categories of events."""
    found = (concept_of(singular(word)) for word in about)
    return next((concept for concept in found if concept is not None and noun in concept.texts), None)


@lru_cache(maxsize=4_096)
def _is_sum(fields: tuple[str, ...]) -> bool:
    """Tell whether rows with such fields are amounts of money, which are about no topic."""
    return any(name_tokens(field) == ["amount"] for field in fields)


@lru_cache(maxsize=4_096)
def _is_somebody(fields: tuple[str, ...]) -> bool:
    """Tell whether rows with such fields are people: they have personal fields and contact details."""
    tokens = {token for field in fields for token in name_tokens(field)}
    return not tokens.isdisjoint(_PERSONAL) and not tokens.isdisjoint(_REACHED)


def words_about(title: str) -> tuple[str, ...]:
    """Return the words of an API's title that tell its subject: "Event Management Service" -> event, management."""
    return tuple(word for word in name_tokens(title) if word not in _TECHNICAL)


_TECHNICAL = word_set("nouns", "technical")


def is_of_other(idea: Idea, fields: Iterable[str]) -> bool:
    """Tell whether a part of a person's object is about something else: the `topic` of a dissertation."""
    called = {last for field in fields for last in name_tokens(field)[-1:]} & _CALLED
    return idea.name == idea.person and bool(called) and "name" not in called


def within(idea: Idea, holder: str) -> Idea:
    """Return the idea for a part of an object: its texts are about that part if it is named after a thing."""
    noun = spoken_noun(holder)
    return idea._replace(noun=noun, entry=None, thing=None) if noun and noun != idea.noun else idea


def of_entry(idea: Idea, identity: Any) -> Idea:
    """Return an idea with the entry that an object's identity names: for a currency with the code `SEK`, that one."""
    entries = entries_of(idea.noun) if idea.entry is not None and identity not in idea.entry.values() else ()
    entry = next((entry for entry in entries if identity in entry.values()), None)
    return idea if entry is None else idea._replace(name=entry["name"], entry=entry)


def names_thing(holder: str) -> bool:
    """Tell whether the name of an object gives a kind of thing: `account`, not `attributes`."""
    return bool(spoken_noun(holder))


def called_by_slug(idea: Idea, slug: str) -> Idea:
    """Return an idea renamed after the slug of its object: `budget-review` is about the budget review."""
    said = " ".join(slug.replace("_", "-").split("-"))
    name = (
        slug if _kind(idea.noun) == "machines" else said.title() if _kind(idea.noun) == "people" else said.capitalize()
    )
    return idea._replace(topic=said, name=name, thing=None)


@lru_cache(maxsize=4_096)
def whole_noun(holder: str) -> str:
    """Return the name of a resource or object as a singular noun: `pull_requests` -> "pull request"."""
    tokens = name_tokens(holder)
    return " ".join([*tokens[:-1], singular(tokens[-1])]) if tokens else ""


@lru_cache(maxsize=4_096)
def spoken_noun(holder: str) -> str:
    """Return the noun in the name of a resource or object, without filling words: `special_events` -> "special event"."""
    tokens = [token for token in name_tokens(holder) if token not in PARTS and not token.isdigit()]
    return " ".join([*tokens[:-1], singular(tokens[-1])]) if tokens else ""


PARTS = word_set(_LISTS, "parts") | word_set("prepositions", "common")
"""Words in the names of objects that do not give a kind of thing."""


_PERSONAL, _REACHED, _NUMBERS = (word_set(_LISTS, name) for name in ("personal", "reached", "numbers"))
_ABSTRACT = words(_LISTS, "abstract")
_PEOPLE = PERSON_NOUNS | word_set(_LISTS, "performers")


@lru_cache(maxsize=4_096)
def _kind(noun: str) -> str:
    last = noun.rsplit(" ", 1)[-1]
    if last in _PEOPLE:
        return "people"
    other = "matters" if not noun or last.endswith(_ABSTRACT) else "things"
    return next((kind for kind in _KINDS if last in word_set(_LISTS, kind)), other)


def _by_quality(noun: str, _topic: str, rng: Random) -> str:
    """Return the name of an unknown thing: a distinguishing word, and often a city."""
    name = f"{rng.choice(_QUALIFIERS).capitalize()} {noun}"
    return f"{name} {_city(rng)}" if rng.random() < _PLACED else name


@lru_cache(maxsize=4_096)
def _has_town(fields: tuple[str, ...]) -> bool:
    """Tell whether an object says itself in which town it is, so that its name need not."""
    return any(not _TOWNS.isdisjoint(name_tokens(field)) for field in fields)


_TOWNS = word_set(_LISTS, "towns")


def _city(rng: Random) -> str:
    return rng.choice(sample_words.CITIES)[0]


_NAMES: Mapping[str, Callable[[str, str, Random], str]] = {
    "matters": lambda _, topic, __: topic.capitalize(),
    "firms": lambda _, __, rng: sample_words.company(rng),
    "places": lambda noun, _, rng: f"{rng.choice((_city, sample_words.family_name))(rng)} {noun}",
    "groups": lambda noun, _, rng: f"{_city(rng)} {rng.choice(_GROUPS)} {noun}",
    "goods": lambda _, __, rng: f"{rng.choice(_STUFFS)} {rng.choice(_GOODS)}".capitalize(),
    "machines": lambda _, __, rng: f"{rng.choice(_USES)}-{rng.choice(_PHASES)}-{rng.randint(1, 9)}",
    "labels": lambda _, __, rng: rng.choice(sample_words.TAGS),
    "things": _by_quality,
    "placed": lambda noun, _, rng: f"{rng.choice(_QUALIFIERS).capitalize()} {noun}",
}


_HOLDING = word_set(_LISTS, "holding")
"""Last words of fields that hold the content of a thing."""

_KEPT = {"messages": "message", "notes": "note", "descriptions": "description"}
"""Kind of text -> its field in the catalogue."""


def told_of_thing(idea: Idea, tokens: Sequence[str]) -> str:
    """Return the catalogue's text for a field, by the words of its name; empty if it has none."""
    if idea.thing is None:
        return ""
    fields = _fields(idea.noun, idea.thing.concept.name, tuple(tokens))
    return next((told for field in fields if (told := idea.thing.told(field))), "")


@lru_cache(maxsize=16_384)
def _fields(noun: str, concept: str, tokens: tuple[str, ...]) -> tuple[str, ...]:
    """Return the catalogue's possible names of a field: singular, without the noun of its thing, or by its kind of text."""
    own = {*noun.split(), *concept.split()}
    said = [token for token in tokens[:-1] if token not in own] + [*tokens[-1:]]
    word = singular(said[-1]) if said else ""
    if word in _CALLED:
        return ("name",) if len(said) == 1 else (" ".join(said),)
    said = [*(token for token in said[:-1] if token not in PARTS), word]
    kind = _text_kind(word) if len(said) == 1 else ""
    held = ["content", "description"] if kind and word in _HOLDING else []  # the text of a book is no message about it
    alone = len(said) == 1 and word not in PRINTED
    named = ["name"] if alone and means(word, concept) else []  # the `position` of a job
    return (" ".join(said), *held, *([_KEPT[kind]] if kind in _KEPT else ()), *named)


PRINTED = word_set("identities", "printed")
"""Last words of fields that hold what is printed on a thing."""

_CALLED = word_set(_LISTS, "called")
"""Last words of fields that hold a name."""


def text_about(idea: Idea, tokens: Sequence[str], rng: Random) -> str:
    """Return the text of a field that holds the object's name, or what people write about it; empty for other fields."""
    if tokens and tokens[-1] in _CALLED:
        return idea.name
    kind = _text_kind(tokens[-1]) if tokens else ""
    if not kind:
        return ""
    others = () if kind == "reasons" else _KEPT.values()  # a note on a thing is no reason
    about = ("description",) if tokens[-1] in _HOLDING and kind != "reasons" else ()
    for field in (singular(tokens[-1]), *about, _KEPT.get(kind, kind), *others):
        if idea.thing is not None and (told := idea.thing.told(field)):
            return told
    held = _TEXTS[kind]
    serves = "serving" if _kind(idea.noun) in _SERVING and "serving" in held else "noun"
    said = rng.choice(held["topic" if idea.is_matter and idea.topic else serves])[0]
    return _filled(said, idea.topic, idea.noun)


def says_why(tokens: Sequence[str]) -> bool:
    """Tell whether a field holds a reason, by the words of its name."""
    return bool(tokens) and _text_kind(tokens[-1]) == "reasons"


def lacks_words(idea: Idea, tokens: Sequence[str]) -> bool:
    """Tell whether a field holds a written text of which nothing is known: neither a topic nor the catalogue gives one."""
    if idea.is_matter and idea.thing is None:
        return False
    kind = _text_kind(tokens[-1]) if tokens else ""
    if not kind or told_of_thing(idea, tokens):
        return False
    fields = (singular(tokens[-1]), _KEPT.get(kind, kind))
    return idea.thing is None or not any(map(idea.thing.told, fields))


def is_called(word: str) -> bool:
    """Tell whether fields that end with a word hold a name or an identity."""
    return word in _CALLED or word in _TELLING


_TELLING = word_set(_LISTS, "telling")


def is_written_about(word: str) -> bool:
    """Tell whether fields that end with a word hold what people write about a thing."""
    return bool(_text_kind(word))


def is_message(word: str) -> bool:
    """Tell whether fields that end with a word hold messages between people."""
    return _text_kind(word) == "messages"


@lru_cache(maxsize=4_096)
def _text_kind(word: str) -> str:
    one = singular(word)
    return next((kind for kind, held in _TEXTS.items() if {word, one} & set(held["fields"].split())), "")


def _filled(said: str, topic: str, noun: str) -> str:
    text = said.format(topic=topic, noun=noun, a_noun=_one(noun) if noun else "")
    return text[:1].upper() + text[1:]


def _one(noun: str) -> str:
    return noun if noun.rsplit(" ", 1)[-1] in UNCOUNTABLE else indefinite(noun)


def sentences_in(language: str, nouns: Sequence[str]) -> Mapping[str, str]:
    """Return the texts about topics, and about things with these `nouns`, with their translations; none for English."""
    return (
        {**_about_topics(), **{text: told for noun in nouns for text, told in _about(noun)}} if language == "de" else {}
    )


@lru_cache(maxsize=1_024)
def _about(noun: str) -> tuple[tuple[str, str], ...]:
    spoken = spoken_noun(noun)
    return tuple((_filled(said, "", spoken), told) for held in _TEXTS.values() for said, told in held["noun"])


@cache
def _about_topics() -> Mapping[str, str]:
    found = {topic.capitalize(): told for topic, told in sample_words.german_topics().items()}
    for held in _TEXTS.values():
        for said, told in (*held["topic"], *held.get("serving", ())):
            found |= {
                _filled(said, topic, ""): told.format(topic=other)
                for topic, other in sample_words.german_topics().items()
            }
    return found
