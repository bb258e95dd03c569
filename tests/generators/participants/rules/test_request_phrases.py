"""What a user tells with a wish: a flag narrows a list that it wants to see, and is a value of what it wants changed."""

from random import Random

import pytest

from interplay.generators.participants.rules.conduct import Conduct
from interplay.generators.participants.rules.request_phrases import RequestPhrases
from interplay.generators.participants.wording.voice import Voice, load_grammar
from interplay.schemas.records.blueprint import Fact, Goal, Question, Scenario
from interplay.schemas.records.recipe import Persona


def _said(intent: str, *facts: Fact) -> str:
    scenario = Scenario(persona=Persona(), requests=((0,),), facts=facts)
    words = Voice(load_grammar()["user"], Random(1), scenario.persona)
    goal = Goal(intent=intent, topic="project", tool="some_tool")
    return RequestPhrases(scenario, [goal], words, Conduct(scenario, words)).request(0)[0]


@pytest.mark.parametrize(("intent", "narrows"), [("list projects", True), ("update mail settings", False)])
def test_only_what_is_looked_for_is_narrowed_by_a_flag(intent: str, narrows: bool) -> None:
    said = _said(intent, Fact(id="f1", goal=0, label="archived", value=True, reveal="opening"))
    assert any(word in said for word in ("nly archived ones", "those that are archived")) is narrows


def test_a_value_behind_another_one_is_said_without_a_verb() -> None:
    facts = [
        Fact(id=f"f{place}", goal=0, label=label, value=value, reveal="opening")
        for place, (label, value) in enumerate({"locale": "French", "place": "Brno", "company": "Kade"}.items())
    ]
    assert ", and the company Kade" in _said("update the project", *facts)


def test_a_thing_that_two_lists_show_is_named_once() -> None:
    shown = [
        Fact(
            id=f"f{place}",
            goal=0,
            label="room",
            value={"/name": "Blue room"},
            reveal="opening",
            choice="/0",
            action=name,
        )
        for place, name in enumerate(("a1", "a2"))
    ]
    assert _said("delete the project", *shown).count("Blue room") == 1


def test_what_belongs_to_a_thing_and_goes_by_its_name_is_named_once() -> None:
    shown = [
        Fact(id=label, goal=0, label=label, value={"/name": "E-mails"}, reveal="opening", choice="/0", action=label)
        for label in ("policy", "policy assignment")
    ]
    assert _said("delete the project", *shown).count("E-mails") == 1


def test_what_is_asked_of_some_stands_in_the_question() -> None:
    said = _said("know which student has the lowest grade", _told("gender", "female"))
    assert "which student with the gender female has the lowest grade" in said


def test_people_and_numbers_stand_where_the_wish_speaks_of_them() -> None:
    said = _said("place an order for a customer", _told("customer", "Chelsea Skinner"), _told("guests", 6))
    assert "place an order for the customer Chelsea Skinner with 6 guests" in said


def _told(label: str, value: object, sets: bool = True) -> Fact:
    return Fact(id=label, goal=0, label=label, value=value, reveal="opening", sets=sets)


def test_what_is_changed_stands_in_the_wish() -> None:
    assert "change the owner of the project to Ada" in _said(
        "update the project", _told("owner", "Ada")
    ).lower().replace("ada", "Ada")
    two = _said("update the project", _told("owner", "Ada"), _told("priority", "high"))
    assert "the owner of the project to Ada and the priority to high" in two
    assert "the status of the project to closed" in _said("update the status of the project", _told("status", "closed"))
    assert "to Ada" not in _said("update the project", _told("owner", "Ada", sets=False))
    assert "list to" not in _said("move the project to another list", _told("list", "Done"))


def test_what_a_wish_does_not_speak_of_stands_behind_it() -> None:
    room = Fact(id="f0", goal=0, label="room", value={"/name": "Blue room"}, reveal="opening", choice="/0", action="a1")
    assert "invoices for the Blue room" in _said("list the invoices", room)
    project = room.model_copy(
        update={"id": "f1", "label": "project", "value": {"/name": "Roof repair"}, "action": "a2"}
    )
    assert 'delete the project "Roof repair" of the Blue room' in _said("delete the project", room, project)


def _asked(intent: str, *questions: str, pointers: tuple[str, ...] = ("/name",), own: str = "") -> str:
    facts = (Fact(id="f1", goal=0, label=own, value=4517, reveal="opening"),) if own else ()
    scenario = Scenario(persona=Persona(), requests=((0,),), facts=facts)
    words = Voice(load_grammar()["user"], Random(3), scenario.persona, own=frozenset([own]))
    asks_for = tuple(Question(action="a1", pointers=pointers, words=question) for question in questions or ("",))
    goal = Goal(intent=intent, topic="movie", tool="some_tool", asks_for=asks_for)
    return RequestPhrases(scenario, [goal], words, Conduct(scenario, words)).request(0)[0]


@pytest.mark.parametrize(
    ("intent", "questions", "said"),
    [
        ("see the details of a movie", ("know the rating of the movie",), "the rating of a movie"),
        ("look up a movie", ("know the rating of the movie",), "the rating of a movie"),
        ("see a movie", ("know the rating of the movie", "know the length of the movie"), "the rating and the length of a movie"),
    ],
)  # fmt: skip
def test_who_wants_to_know_something_of_a_thing_asks_for_that(
    intent: str, questions: tuple[str, ...], said: str
) -> None:
    assert said in _asked(intent, *questions)


def test_what_an_answer_shows_one_asks_to_be_shown() -> None:
    shown, done = _asked("see all movies"), _asked("see a doctor", pointers=())
    assert "show me" in shown or "to see all movies" in shown
    assert "help me see" not in shown
    assert "show me" not in done


def test_who_tells_its_own_number_speaks_of_its_own_things() -> None:
    said = _asked("see schedules", own="user ID")
    assert "my schedules" in said
    assert any(
        phrase in said
        for phrase in ("y user ID is 4517", "t's user ID 4517", "4517 is my user ID", "have the user ID 4517")
    )


def _named(intent: str, *facts: Fact, each: str = "") -> str:
    scenario = Scenario(persona=Persona(), requests=((0,),), facts=facts)
    words = Voice(load_grammar()["user"], Random(1), scenario.persona)
    goal = Goal(intent=intent, topic="meeting", tool="some_tool", each=each)
    return RequestPhrases(scenario, [goal], words, Conduct(scenario, words)).request(0)[0]


def test_whoever_is_meant_stands_in_the_wish() -> None:
    fact = _told("full name", "Ada Falk", sets=False)
    assert "find a time to meet Ada Falk" in _named("find a time to meet somebody", fact).replace("Find", "find")
    assert "find Ada Falk in the directory" in _named("find a person in the directory", fact).replace("Find", "find")


def test_what_all_of_several_are_called_is_said_once() -> None:
    said = _named("cancel each meeting", _told("meeting's title", "Catch-up with Sean", sets=False), each="a1")
    assert 'each meeting called "Catch-up with Sean"' in said
    assert said.count("meeting") == 1


def test_an_answer_of_several_values_may_be_a_mere_list() -> None:
    facts = [_told("locale", "French"), _told("company", "Kade")]
    words = Voice(load_grammar()["user"], Random(1), Persona())
    scenario = Scenario(persona=Persona(), requests=((0,),), facts=tuple(facts))
    goal = Goal(intent="update the project", topic="project", tool="some_tool")
    phrases = RequestPhrases(scenario, [goal], words, Conduct(scenario, words))
    said = {phrases.said(facts, alone=True) for _ in range(60)}
    assert {"locale French and company Kade", "French for the locale and Kade for the company"} < said
