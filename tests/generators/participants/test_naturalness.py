"""What a person would find odd in a dialogue, kind by kind: each of these was heard once."""

import itertools
import re
from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from tests.generators.worlds import records as first_records
from tests.generators.worlds import shared_spec

from interplay.flows.worlds.assembly import open_world
from interplay.generators.participants.wording.fact_phrases import say_fact
from interplay.generators.participants.wording.languages import heard_as, load_language
from interplay.generators.participants.wording.lexicon import Lexicon
from interplay.generators.participants.wording.result_phrases import all_of
from interplay.generators.participants.wording.value_phrases import kinds_of, say, state
from interplay.generators.participants.wording.voice import Voice
from interplay.generators.participants.wording.wish_phrases import can_be_elliptical, say_condition
from interplay.generators.phrases.derived_wishes import know
from interplay.generators.phrases.labels.field_labels import MONEY
from interplay.generators.phrases.pronouns import pronominal
from interplay.generators.phrases.topic_nouns import hinted
from interplay.generators.results.result_kinds import says_only_that_it_went_well
from interplay.schemas.records.blueprint import Condition, Fact, Goal
from interplay.schemas.records.dialogue import Message
from interplay.schemas.records.recipe import Persona
from interplay.schemas.records.translation import Translation
from interplay.schemas.records.verdict import DatasetRecord

FAILED = ("response_fail", "refuse", "report_error")
SPECS = ("domain:clinic", "domain:rental", "domain:workspace")


def records(spec: str = "domain:clinic", language: str = "en", count: int = 60) -> tuple[DatasetRecord, ...]:
    return first_records(spec, count, language=language)


def dialogues(spec: str = "domain:clinic", language: str = "en") -> Iterator[tuple[Message, ...]]:
    for record in records(spec, language):
        if record.trajectory is not None:
            yield record.trajectory.messages


@pytest.mark.parametrize("spec", SPECS)
def test_nobody_asks_for_help_to_be_told_a_joke(spec: str) -> None:
    wished = [
        message.content
        for record in first_records(spec, 20, recipes={"patterns": {"no_call": 1.0}})
        if record.blueprint is not None and record.trajectory is not None and record.blueprint.pattern == "no_call"
        for message in record.trajectory.messages
        if message.role == "user"
    ]
    assert wished
    odd = re.compile(
        r"(?:help me|I need to|I want to|I have to|I'd like to|possible to) (?:tell|order|recommend|help) me", re.I
    )
    assert not [text for text in wished if odd.search(text)]


@pytest.mark.parametrize("language", ["en", "de"])
def test_an_assistant_that_could_not_help_is_not_glad_that_it_could(language: str) -> None:
    glad = re.compile("Glad|Happy to help|You're welcome|My pleasure|Gern geschehen|Freut mich|Vergnügen|Schön, dass")
    ends = [said for said in dialogues(language=language) if said[-3].act in FAILED and said[-1].act == "system_bye"]
    assert ends
    assert not [said[-1].content for said in ends if glad.search(said[-1].content)]


@pytest.mark.parametrize("language", ["en", "de"])
def test_dialogues_end_in_many_ways_short_and_often_without_thanks(language: str) -> None:
    ends = [said for said in dialogues(language=language) if said[-1].act == "system_bye"]
    for place, longest in ((-2, 12), (-1, 10)):
        told = [said[place].content for said in ends]
        assert max(Counter(told).values()) <= max(3, len(told) * 0.07), Counter(told).most_common(3)
        assert sum(len(text.split()) for text in told) / len(told) <= longest
    thanked = sum(heard_as("thanking").search(said[-2].content.lower()) is not None for said in ends)
    assert 0.2 < thanked / len(ends) < 0.8


def test_numbers_have_no_more_decimals_than_they_need_but_for_money() -> None:
    assert say(0.6, 0, "free gigabytes") == "0.6"
    assert say(68.25, 0, "square root") == "68.25"
    assert say(48.5, 0, "amount") == say(48.5, 0) == "48.50"


def test_what_is_counted_is_there_and_names_in_the_plural_are() -> None:
    assert state("waiting mails", 2, "2") == "there are 2 waiting mails"
    assert state("waiting mails", 1, "1") == "there is 1 waiting mail"
    assert state("last lines", "a, b", "a, b") == "the last lines are a, b"
    assert state("status", "open", "open") == "the status is open"
    assert state("covered until", "2027-08-31", "31 August 2027") == "it is covered until 31 August 2027"


def test_german_days_have_their_article() -> None:
    german = load_language("de")
    told = german.clause(
        "state", "date", kinds_of("date", "2026-03-03"), {"label": "das Datum", "value": "3. März 2026"}
    )
    assert told is not None
    assert told.endswith("der 3. März 2026")
    said = [message.content for talk in dialogues(language="de") for message in talk if message.role == "assistant"]
    assert not [text for text in said if re.search(r"(?:datum|tag) ist \d", text)]


def test_flags_of_a_thing_are_said_as_what_it_has_or_can() -> None:
    english = load_language()
    slots = {"noun": "booking"}
    assert english.clause("depends", "has bicycle", kinds_of("has bicycle", True), slots) == "the booking has a bicycle"
    assert english.clause("depends", "has dog", kinds_of("has dog", False), slots) == "the booking has no dog"
    assert english.clause("depends", "open", kinds_of("open", True), slots) is None
    assert know("has dog", "booking", flag=True) == "know whether the booking has a dog"


@pytest.mark.parametrize("spec", SPECS)
def test_questions_are_about_something_that_has_a_name(spec: str) -> None:
    for record in records(spec):
        for goal in record.blueprint.goals if record.blueprint else ():
            assert not re.match("know the value of", goal.intent), goal.intent
            assert goal.intent != f"know the {goal.topic}" or goal.topic in MONEY


@pytest.mark.parametrize("spec", SPECS)
def test_a_wish_is_not_repeated_word_for_word_where_it_is_confirmed(spec: str) -> None:
    for talk in dialogues(spec):
        for message in talk:
            if message.act == "confirm_request":
                wishes = re.findall(r"to ([a-z ]+?) \(", message.content)
                assert len(wishes) == len(set(wishes)), message.content


@pytest.mark.parametrize("spec", SPECS)
def test_thanks_are_not_given_for_nothing(spec: str) -> None:
    for talk in dialogues(spec):
        for before, message in itertools.pairwise(talk):
            if before.act == "fail_inform" and message.act == "request":
                assert not re.match("Thank|Got it", message.content), message.content


def test_what_is_suggested_instead_is_something_else() -> None:
    for record in records():
        said = record.trajectory.messages if record.trajectory else ()
        blueprint = record.blueprint
        asked = [m.state.asked[0] for m in said if m.act == "suggest" and m.state and m.state.asked]
        goals = [int(name.removeprefix("goal:")) for name in asked if name.startswith("goal:")]
        tools = [blueprint.goals[goal].tool for goal in goals] if blueprint else []
        assert len(tools) == len(set(tools))


@pytest.mark.parametrize(
    ("wish", "said", "pronoun"),
    [
        ("list bookings", "die Buchungen anzusehen", ""),
        ("see a list of train stations", "die Bahnhöfe anzusehen", ""),
        ("check my invoices", "meine Rechnungen anzusehen", ""),
        ("pay for a booking", "eine Buchung zu bezahlen", "sie zu bezahlen"),
        ("update the card", "die Karte zu ändern", "sie zu ändern"),
        ("search files", "nach Dateien zu suchen", ""),
        ("send a message to a channel", "eine Nachricht an einen Kanal zu senden", ""),
        ("unlink dependencies from a task", "die Abhängigkeiten von einer Aufgabe zu lösen", ""),
        ("get my saved tracks", "meine gespeicherten Lieder anzusehen", ""),
        ("get artist's albums", "die Alben eines Künstlers anzusehen", ""),
        ("check comments for a tweet", "die Kommentare zu einem Tweet anzusehen", ""),
        ("see each task", "jede Aufgabe anzusehen", "sie anzusehen"),
        ("upload an attachment", "einen Anhang hochzuladen", "ihn hochzuladen"),
        ("sprocket a message to a channel", "die Funktion „sprocket a message to a channel“ zu nutzen", ""),
    ],
)
def test_german_has_its_own_words_for_what_many_interfaces_do(wish: str, said: str, pronoun: str) -> None:
    told = Lexicon(load_language("de"), Translation()).wish(wish)
    assert told.form("zu") == said
    assert (told.pronominal.form("zu") if told.pronominal else "") == pronoun


@pytest.mark.parametrize(
    ("label", "saying", "said"),
    [
        ("days", "für {value} Tage", "für 1 Tag"),
        ("hours", "{value} Stunden zu spät", "1 Stunde zu spät"),
        ("seats", "ich brauche {value} Sitzplätze", "ich brauche 1 Sitzplatz"),
        ("people", "für {value} Personen", "für 1 Person"),
    ],
)
def test_one_of_many_is_one_in_german_too(label: str, saying: str, said: str) -> None:
    german = load_language("de")
    lexicon = Lexicon(german, Translation(sayings={label: (saying,)}))
    words = Voice(german.grammar["user"], Random(1), Persona(), language=german, lexicon=lexicon)
    assert say_fact(words, Fact(id="f1", goal=0, label=label, value=1)) == said


def test_what_is_set_up_has_not_been_changed() -> None:
    for talk in dialogues("domain:workspace"):
        calls = {call.name for message in talk for call in message.tool_calls}
        if not calls & {"move_meeting", "add_attendee", "cancel_meeting"}:
            told = " ".join(message.content for message in talk if message.act == "response")
            assert not re.search("the meeting (?:has been changed|is up to date)|changed the meeting", told)


def test_a_wish_to_hear_something_is_about_its_noun() -> None:
    assert hinted("get_device_status", "check whether my laptop is in sync") == "laptop"
    assert hinted("gds", "find out who works in a department") == "department"


@pytest.mark.parametrize("spec", SPECS)
def test_what_is_the_same_for_all_is_said_once(spec: str) -> None:
    for talk in dialogues(spec):
        for message in talk:
            said = re.findall(r"For the \w+ [\w ]+: ([^.]+)\.", message.content)
            assert len(said) < 2 or len(set(said)) > 1, message.content


def test_a_question_off_the_point_is_not_answered_as_if_it_were_news() -> None:
    news = re.compile("Thanks for telling me|I see!|I can imagine|That happens|No problem")
    for spec in SPECS:
        for talk in dialogues(spec):
            for heard, message in itertools.pairwise(talk):
                if heard.act == "wander" and heard.content.endswith("?"):
                    assert not news.match(message.content), (heard.content, message.content)


def test_a_wish_that_names_nobody_is_about_its_answer() -> None:
    assert hinted("transfer_to_human_agents", "speak to somebody in person") == "answer"
    assert hinted("transfer_to_human_agents", "get through to a person") == "person"
    assert hinted("x", "add somebody to a meeting") == "meeting"


def test_german_flags_are_called_by_what_there_is() -> None:
    lexicon = Lexicon(load_language("de"), Translation())
    assert lexicon.term("has dog").form("den") == "den Hund"
    assert lexicon.term("bicycles").form("") == "Fahrräder"
    assert lexicon.term("destination's name").form("dem") == "dem Namen des Ziels"
    condition = Condition(action="", pointer="/has_dog", noun="booking", label="has dog", value=False)
    german = load_language("de")
    words = Voice(german.grammar["user"], Random(1), Persona(), language=german, lexicon=lexicon)
    assert say_condition(words, condition) == "zu der Buchung kein Hund gehört"
    assert "„has gizmo“" in lexicon.term("has gizmo").form("den")
    assert lexicon.term("board's filter").form("dem") == "dem Filter des Boards"
    assert lexicon.term("saved tracks").form("dem") == "den gespeicherten Liedern"
    assert lexicon.clause("is archived", True) == "archiviert: ja"
    archived = Condition(action="", pointer="/archived", noun="project", label="archived", value=False)
    assert say_condition(words, archived) == "das Projekt nicht archiviert ist"


@pytest.mark.parametrize(
    ("language", "wish", "said"),
    [
        ("en", "pay an invoice", "pay the invoice"),
        ("en", "move a file to a folder", "move the file to the folder"),
        ("en", "see a list of rooms", "see a list of rooms"),
        ("en", "put a meeting at another time", "put the meeting at another time"),
        ("de", "delete a booking", "die Buchung löschen"),
        ("de", "delete an appointment", "den Termin löschen"),
    ],
)
def test_what_one_is_asked_to_confirm_is_the_one_that_is_meant(language: str, wish: str, said: str) -> None:
    spoken = load_language(language)
    lexicon = None if language == "en" else Lexicon(spoken, Translation())
    words = Voice(spoken.grammar["assistant"], Random(1), Persona(), language=spoken, lexicon=lexicon)
    turned = words.turned(wish, known=True)
    assert (turned if isinstance(turned, str) else turned.form("")) == said


@pytest.mark.parametrize("language", ["en", "de"])
def test_no_sentence_is_said_in_every_other_dialogue(language: str) -> None:
    heard: Counter[tuple[str, str]] = Counter()
    talks = [talk for spec in SPECS for talk in dialogues(spec, language)]
    for talk in talks:
        heard.update({(message.role, part) for message in talk for part in re.split(r"(?<=[.!?]) ", message.content)})
    often = [said for said, count in heard.items() if count > 0.16 * len(talks) and " " in said[1]]
    assert not [said for said in often if said[0] in ("user", "assistant")]


def test_another_one_of_the_same_is_not_the_same_again_where_nothing_is_told_of_it() -> None:
    bare = re.compile(r"(?:the same again|same a second time|thing once more)[.!]+ ?(?:And|Also|Then|$)")
    told = [message.content for spec in SPECS for talk in dialogues(spec) for message in talk if message.role == "user"]
    assert not [text for text in told if bare.search(text)]


def test_what_is_said_of_several_things_names_each_once() -> None:
    twice = re.compile(r"(?:As for|Regarding|About|On) the (\w+): [^.]*\b\1\b[^.]*:", re.IGNORECASE)
    for talk in dialogues("domain:rental"):
        assert not [message.content for message in talk if twice.search(message.content)]


@pytest.mark.parametrize(
    ("label", "value", "said"),
    [
        ("project's archived", False, "the project is not archived"),
        ("goal's is workspace level", True, "the goal is workspace level"),
        ("group's is group for guests", False, "the group is not group for guests"),
        ("task's completed since", "2026-02-12", "task completed since"),
        ("start on", "2026-02-12", "start on"),
    ],
)
def test_what_a_filter_is_called_is_said_as_part_of_a_sentence(label: str, value: object, said: str) -> None:
    words = Voice(load_language().grammar["user"], Random(1), Persona())
    assert say_fact(words, Fact(id="f1", goal=0, label=label, value=value)).startswith(said)


def test_how_a_call_went_is_no_answer_and_who_lost_an_item_is_not_gone() -> None:
    assert says_only_that_it_went_well({"ok": True})
    assert not says_only_that_it_went_well({"ok": True, "team": "a"})
    assert state("sent status", True, "yes") == "it was sent"
    assert state("already closed", True, "yes") == "it was already closed"


def test_what_something_was_taken_from_is_not_gone() -> None:
    told = [
        message.content
        for talk in dialogues(f"{shared_spec('spotify_official.yml')}?only=remove-library-items")
        for message in talk
        if message.act == "response"
    ]
    assert told
    assert not [text for text in told if re.search("library (?:is|has been|no longer)|removed the library", text)]


def test_a_verb_keeps_its_particle_when_its_object_becomes_a_pronoun() -> None:
    assert pronominal("throw a file away") == "throw it away"
    assert pronominal("call off a visit") == "call it off"
    assert pronominal("delete a file") == "delete it"


def test_of_two_things_in_a_wish_the_one_that_it_is_about_becomes_a_pronoun() -> None:
    assert pronominal("pull up a time entry for a project", "time entry") == "pull it up"
    assert pronominal("request a refund for a booking", "booking") == "request a refund for it"
    assert pronominal("check the status of an order", "order") == "check the status of that one"


@pytest.mark.parametrize(
    ("domain", "intent", "topic", "said"),
    [
        ("rental", "check the details of a booking", "booking", "die Einzelheiten davon erfahren"),
        ("clinic", "check the details of an invoice", "invoice", "die Einzelheiten davon erfahren"),
        ("workspace", "send out the invitation for a meeting", "meeting", "die Einladung dazu versenden"),
        ("clinic", "cancel my appointment", "appointment", "ihn absagen"),
    ],
)
def test_a_german_wish_leaves_out_what_it_is_about(domain: str, intent: str, topic: str, said: str) -> None:
    toolset = open_world([f"domain:{domain}"]).toolset
    german = load_language("de")
    words = Voice(
        german.grammar["user"],
        Random(1),
        Persona(),
        language=german,
        lexicon=Lexicon(german, toolset.translations["de"]),
    )
    goal = Goal(intent=intent, tool="any", topic=topic)
    assert can_be_elliptical(words, goal)
    assert words.lexicon is not None
    assert words.lexicon.wish(intent).form("it") == said


@pytest.mark.parametrize(("language", "said"), [("en", ["both", "all 3"]), ("de", ["beide", "alle 3"])])
def test_two_are_both(language: str, said: list[str]) -> None:
    spoken = load_language(language)
    words = Voice(spoken.grammar["assistant"], Random(1), Persona(), language=spoken)
    assert [all_of(words, count) for count in (2, 3)] == said
