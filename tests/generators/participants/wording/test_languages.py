"""Grammars beside each other, and dialogues in a language other than English."""

import asyncio
import re
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import pytest
from tests.generators.worlds import supply

from interplay.flows.generation.generator import Generator
from interplay.flows.roles.listener import with_acts
from interplay.flows.roles.players import own_tools
from interplay.flows.settings.config_file import parse_config
from interplay.generators.graph.ports import result_leaves
from interplay.generators.participants.rules.agenda import AgendaUser
from interplay.generators.participants.wording.inflection import Wish, read_term
from interplay.generators.participants.wording.languages import (
    ENGLISH,
    LANGUAGES,
    addressed_to,
    fill,
    load_grammar,
    load_language,
)
from interplay.generators.participants.wording.lexicon import Lexicon
from interplay.generators.participants.wording.voice import Voice
from interplay.generators.values.texts.localised_texts import texts_in
from interplay.schemas.errors import ConfigError
from interplay.schemas.records.blueprint import Goal, Scenario
from interplay.schemas.records.dialogue import DialogueState, Message
from interplay.schemas.records.recipe import Persona
from interplay.schemas.records.translation import Translation
from interplay.schemas.records.verdict import DatasetRecord

OTHERS = [language for language in LANGUAGES if language != ENGLISH]
AGREEING = {"noun", "nouns", "label", "labels", "kind", "nth", "is"}
"""Slots that a language may use more often, for articles and endings; they say no value."""

FOREIGN = re.compile(
    r"\b(?:the|and|of|with|for|is|are|were|to|my|your|you|please|what|which|would|could|can't|don't|that's|it's|"
    r"this|have|has|from|about|there|here|not|yes|thanks|sorry|one|any|some)\b",
    re.IGNORECASE,
)


def entries(grammar: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in grammar.items():
        if isinstance(value, Mapping):
            yield from entries(value, f"{path}/{key}")
        else:
            yield f"{path}/{key}", value


def slots(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)", text))


def spoken(language: str) -> dict[str, Any]:
    grammar = load_grammar(language)
    return dict(entries({side: grammar[side] for side in ("user", "assistant")}))


@pytest.mark.parametrize("language", OTHERS)
def test_every_entry_is_there_with_the_same_slots(language: str) -> None:
    english, other = spoken(ENGLISH), spoken(language)
    assert english.keys() == other.keys()
    assert load_grammar(ENGLISH)["speech"].keys() == load_grammar(language)["speech"].keys()
    for key, said in english.items():
        here, there = ([text] if isinstance(text, str) else text for text in (said, other[key]))
        if "dispensable" in key:
            assert here == there
            continue
        own, theirs = (set().union(*map(slots, texts)) for texts in (here, there))
        assert own - AGREEING == theirs - AGREEING, key
        needed = set.intersection(*map(slots, here)) - AGREEING
        assert all(needed <= slots(text) for text in there if text), key


@pytest.mark.parametrize("language", OTHERS)
def test_every_entry_has_as_many_wordings(language: str) -> None:
    english, other = spoken(ENGLISH), spoken(language)
    assert {key: len(said) for key, said in english.items() if isinstance(said, list)} == {
        key: len(said) for key, said in other.items() if isinstance(said, list)
    }


def generator(language: str, spec: str = "domain:clinic") -> Generator:
    return supply(spec, language=language).source


def records(language: str, count: int, spec: str = "domain:clinic") -> tuple[DatasetRecord, ...]:
    return supply(spec, language=language).first(count)


def calls(record: DatasetRecord, texts: Mapping[str, str] | None = None) -> list[tuple[str, Any]]:
    """Return the calls of a record, with the texts that users make up as a language has them."""

    def told(value: Any) -> Any:
        if isinstance(value, str) and re.search("not possible|ging nicht", value):
            return "what was not possible"
        return texts.get(value, value) if texts and isinstance(value, str) else value

    made = record.trajectory.calls() if record.trajectory else ()
    return [(call.name, {name: told(value) for name, value in call.arguments.items()}) for call in made]


def test_german_dialogues_pass_the_checks() -> None:
    made = records("de", 150)
    assert sum(record.status == "accepted" for record in made) >= 147
    assert all(record.blueprint is None or record.blueprint.recipe.language == "de" for record in made)


def test_tasks_and_calls_are_those_of_the_english_twins_but_for_texts_that_users_make_up() -> None:
    texts, same, alike = texts_in("de", generator("de").world.toolset), 0, 0
    # people come from where a language is spoken, unless the same place is asked for
    twins = [supply("domain:clinic", language=name, worlds={"locale": "en_GB"}).first(80) for name in ("de", "en")]
    for german, english in zip(*twins, strict=True):
        assert (german.blueprint is None) == (english.blueprint is None)
        if german.blueprint is not None and english.blueprint is not None:
            same += german.blueprint.id == english.blueprint.id
            alike += sorted(map(str, calls(german))) == sorted(map(str, calls(english, texts)))
    assert same >= 30
    assert alike >= 74  # what is drawn anew of a task depends on its texts


def test_texts_that_german_users_make_up_are_german_in_calls_too() -> None:
    english = set(texts_in("de", generator("de").world.toolset))
    made = {value for record in records("de", 80) for _, arguments in calls(record) for value in arguments.values()}
    assert not {value for value in made if isinstance(value, str)} & english
    assert made & {"ein krankes Kind", "ein anderer Termin", "es geht mir schon besser"}
    written = [value for value in made if isinstance(value, str) and value.startswith("Ich wollte")]
    assert all("ging nicht" in value for value in written)


@pytest.mark.parametrize("spec", ["domain:clinic", "domain:rental", "domain:workspace"])
def test_the_texts_that_a_domain_gives_as_examples_are_known_in_german(spec: str) -> None:
    toolset = generator("de", spec).world.toolset
    known = texts_in("de", toolset)
    for tool in toolset.tools:
        for _, name, schema in result_leaves(tool.parameters):
            for example in schema.get("examples", ()):
                said = isinstance(example, str) and " " in example and example[0] not in "+0123456789"
                assert not said or name in ("name", "full_name", "return_town", "town") or example in known, (
                    name,
                    example,
                )


DOMAINS = [("domain:clinic", 150), ("domain:rental", 60), ("domain:workspace", 60)]


@pytest.mark.parametrize(("spec", "count"), DOMAINS[1:])
def test_dialogues_of_other_domains_pass_as_well(spec: str, count: int) -> None:
    assert sum(record.status == "accepted" for record in records("de", count, spec)) >= count - 1


@pytest.mark.parametrize(("spec", "count"), DOMAINS)
def test_the_words_of_bundled_domains_are_known(spec: str, count: int) -> None:
    for record in records("de", count, spec):
        for message in record.trajectory.messages if record.trajectory else ():
            assert not re.search("(?:Werte? für|Eintr[aä]ge?|Funktion) „|„[^“]*“ zutrifft", message.content), (
                message.content
            )


@pytest.mark.parametrize(("spec", "count"), DOMAINS)
def test_no_english_is_left_but_in_values(spec: str, count: int) -> None:
    for record in records("de", count, spec):
        for message in record.trajectory.messages if record.trajectory else ():
            if message.role != "tool" and message.content:
                text = re.sub(r"„[^“]*“", " ", message.content)
                for value in sorted(message.spoken, key=len, reverse=True):
                    text = text.replace(value, " ")
                assert not FOREIGN.search(text), message.content


def test_both_sides_use_one_form_of_address() -> None:
    formal, familiar = re.compile(r"\b(?:Ihnen|Ihr(?:e[nmrs]?)?)\b"), re.compile(r"\b(?:dir|dich|dein(?:e[nmrs]?)?)\b")
    for record in records("de", 150):
        if record.blueprint is None or record.trajectory is None:
            continue
        tone = record.blueprint.scenario.persona.tone
        wrong = formal if tone in load_grammar("de")["familiar"] else familiar
        for message in record.trajectory.messages:
            assert message.role == "tool" or not wrong.search(message.content), message.content


def test_nouns_bend_and_wishes_take_zu() -> None:
    lexicon = Lexicon(load_language("de"), Translation(terms={"patient": "der Patient, Patienten, Patienten"}))
    patient = lexicon.term("patient", "noun")
    assert [patient.form(form) for form in ("der", "den", "dem", "des", "=den", "-dem", "")] == [
        "der Patient", "den Patienten", "dem Patienten", "des Patienten", "den", "Patienten", "Patient",
    ]  # fmt: skip
    assert lexicon.many("invoice").form("dem") == "den Rechnungen"
    assert lexicon.adjective("latest", lexicon.term("invoice", "noun")).form("dem") == "der letzten"
    wish = Wish("<meinen Termin|ihn> ab~sagen")
    assert (wish.form(""), wish.form("zu")) == ("meinen Termin absagen", "meinen Termin abzusagen")
    assert Wish("einen Termin ~buchen").form("zu") == "einen Termin zu buchen"
    assert wish.pronominal == Wish("ihn ab~sagen")


def test_quotes_what_no_lexicon_knows() -> None:
    lexicon = Lexicon(load_language("de"), Translation())
    assert lexicon.term("flux capacity").form("den") == "den Wert für „flux capacity“"
    assert (
        lexicon.wish("calibrate a flux capacitor").form("zu") == "die Funktion „calibrate a flux capacitor“ zu nutzen"
    )


def test_who_is_asked_for_something_in_words_of_its_own_quotes_them_to_nobody() -> None:
    """A model that plays the assistant asks in German for what an imported API calls otherwise."""
    lexicon = Lexicon(load_language("de"), Translation())
    assert lexicon.knows("booking number")
    assert not lexicon.knows("nummer der buchung")
    persona, german = Persona(), load_language("de")
    words = Voice(german.grammar["user"], Random(1), persona, language=german, lexicon=lexicon)
    user = AgendaUser(
        Scenario(requests=((0,),), persona=persona), (Goal(intent="see a booking", tool="get"),), words, False
    )
    asked = Message(
        role="assistant", content="Haben Sie die Nummer der Buchung?", act="request",
        state=DialogueState(asked=("unknown:nummer der buchung",)),
    )  # fmt: skip
    opening = asyncio.run(user.respond(()))
    said = asyncio.run(user.respond((opening, asked)))
    assert said.act == "fail_inform"
    assert "nummer der buchung" not in said.content.lower()


def test_the_terms_that_ship_can_be_read() -> None:
    for term in load_grammar("de")["terms"].values():
        read_term(term)
    for translation in generator("de").world.toolset.translations.values():
        for term in translation.terms.values():
            read_term(term)


def test_an_imported_api_is_quoted_in_its_own_words() -> None:
    made = records("de", 12, "petstore_v3.yaml")
    assert all(record.status == "accepted" for record in made)
    messages = [message for record in made if record.trajectory for message in record.trajectory.messages]
    said = " ".join(message.content for message in messages if message.role != "tool")
    assert "„" in said


def test_the_tasks_of_a_session_are_held_in_one_language() -> None:
    config = parse_config({"language": ["en", "de"], "tasks_per_session": 3, "shard_size": 9}, "test")
    made = Generator(config, generator("en").world, generator("en").graph, "run")
    spoken_in = [made.tasks.recipe(index).language for index in range(90)]
    assert all(len(set(spoken_in[start : start + 3])) == 1 for start in range(0, 90, 3))
    assert set(spoken_in) == {"en", "de"}


def test_an_address_is_chosen_throughout() -> None:
    assert addressed_to({"a": ["[Sie|du]", {"b": "[Ihr|dein] Name"}]}, True) == {"a": ["du", {"b": "dein Name"}]}


def test_shares_of_languages_hold_and_are_recorded() -> None:
    config = parse_config({"language": {"en": 1, "German": 3}}, "test")
    made = Generator(config, generator("en").world, generator("en").graph, "run")
    assert sum(made.tasks.recipe(index).language == "de" for index in range(200)) == pytest.approx(150, abs=3)
    assert parse_config({"language": "en"}, "test").fingerprint() == parse_config({}, "test").fingerprint()


def test_a_language_that_the_rules_do_not_speak_is_refused_with_what_to_do() -> None:
    with pytest.raises(ConfigError, match=r"they speak en, de\. For any other language let a model find the words"):
        parse_config({"language": "French"}, "test")


def stripped(message: Message) -> Message:
    """Return a message as a model would have written it: words and calls alone."""
    return message if message.role == "tool" else message.model_copy(update={"act": None, "state": None, "spoken": ()})


def test_acts_are_found_again_in_german_words() -> None:
    world = generator("de").world
    total = right = 0
    for record in records("de", 80):
        if record.blueprint is None or record.trajectory is None:
            continue
        bare = record.trajectory.model_copy(update={"messages": tuple(map(stripped, record.trajectory.messages))})
        heard = with_acts(bare, record.blueprint, own_tools(world), world.toolset).messages
        acts = [(told.act, read.act) for told, read in zip(record.trajectory.messages, heard, strict=True) if told.act]
        total, right = total + len(acts), right + sum(told == read for told, read in acts)
    assert right >= 0.97 * total


@pytest.mark.parametrize("language", OTHERS)
def test_what_words_do_is_heard_in_every_language(language: str) -> None:
    assert load_grammar(ENGLISH)["hearing"].keys() == load_grammar(language)["hearing"].keys()


def test_says_what_belongs_to_something_that_no_lexicon_knows() -> None:
    lexicon = Lexicon(load_language("de"), Translation())
    assert lexicon.term("flux's last name").form("den") == "den Nachnamen des Eintrags „flux“"
    assert lexicon.term("patient's date of birth").form("der") == "das Geburtsdatum des Patienten"
    assert lexicon.wish("get a ticket with its comments").form("") == "ein Ticket mit Kommentaren ansehen"


def test_who_asks_somebody_else_wants_to_be_shown() -> None:
    assert fill("please {intent:you}", {"intent": "see all users"}) == "please show me all users"
    assert fill("I'd like to {intent}", {"intent": "see all users"}) == "I'd like to see all users"
    assert fill("it took {value} hours.", {"value": "3 hours"}) == "it took 3 hours."
    assert fill("it took {value} hourly steps", {"value": "3 hour"}) == "it took 3 hour hourly steps"
    assert fill("please {intent:you}", {"intent": "seed the pool"}) == "please seed the pool"
