"""Users name the thing that they mean with what they want of it; what is no part of its name stays where it is."""

from random import Random
from typing import Any

import pytest
from tests.generators.worlds import records, shared_spec

from interplay.generators.participants.wording.named_wishes import Named, described_by, name_alone, put_name
from interplay.generators.participants.wording.named_wishes import named as with_names
from interplay.generators.participants.wording.own_phrases import own_phrases
from interplay.generators.participants.wording.voice import Voice, load_grammar
from interplay.generators.participants.wording.woven_facts import place_of, weave
from interplay.schemas.records.blueprint import Fact
from interplay.schemas.records.phrases import ToolPhrases
from interplay.schemas.records.recipe import Persona
from interplay.schemas.records.tool import Source, Tool


def _voice() -> Voice:
    return Voice(load_grammar()["user"], Random(1), Persona())


def _named(label: str, value: dict[str, Any]) -> Fact:
    return Fact(id="f1", goal=0, label=label, value=value, reveal="opening", choice="/0", action="a1")


@pytest.mark.parametrize(
    ("text", "label", "told", "said"),
    [
        ("Delete a webhook, please.", "webhook", {"/name": "Customer webhook"}, "Delete the Customer webhook, please."),
        ("Change a plan.", "plan", {"/name": "Autumn offer"}, 'Change the plan "Autumn offer".'),
        (
            "What is the email of the customer?",
            "customer",
            {"/firstName": "Jip", "/lastName": "Koning"},
            "What is the email of the customer Jip Koning?",
        ),
        (
            "Could you change the epic of a ticket?",
            "epic",
            {"/title": "Payments"},
            'Could you change the epic of a ticket to "Payments"?',
        ),
        ("Show the epic of a ticket.", "epic", {"/title": "Payments"}, 'Show the epic "Payments" of a ticket.'),
        (
            "Delete an application to be a mentor.",
            "mentor application",
            {"/profile/lastName": "Browning", "/profile/firstName": "Russell"},
            "Delete the application of Russell Browning to be a mentor.",
        ),
        ("I want to share the device location.", "device", {"/name": "Van"}, ""),
        ("I want to see my bills.", "customer", {"/name": "Van"}, ""),
    ],
)
def test_a_thing_is_named_where_a_wish_speaks_of_it(text: str, label: str, told: dict[str, Any], said: str) -> None:
    assert put_name(_voice(), text, _named(label, told)) == said


def test_what_a_wish_does_not_speak_of_is_named_in_a_sentence_of_its_own() -> None:
    assert "the Blue room" in name_alone(_voice(), _named("room", {"/name": "Blue room"}))


def test_who_names_things_is_not_asked_which_is_meant() -> None:
    asked = {}
    for named in (0.0, 1.0):
        made = records(shared_spec("train_travel.yaml"), 40, recipes={"named": named, "described": 0.0})
        dialogues = [record.trajectory for record in made if record.trajectory is not None]
        asked[named] = sum(message.act == "suggest" for each in dialogues for message in each.messages)
        for record in made:
            opening = [
                fact
                for fact in (record.blueprint.scenario.facts if record.blueprint else ())
                if fact.choice is not None and fact.reveal == "opening" and fact.description is None
            ]
            assert not opening or named
            said = " ".join(message.content for message in record.trajectory.messages) if record.trajectory else ""
            texts = [value for fact in opening for value in fact.value.values() if str(value).isalpha()]
            assert all(value in said for value in texts if record.status == "accepted")
    assert asked[1.0] < asked[0.0] / 2


def test_what_belongs_to_another_thing_is_said_of_that_thing() -> None:
    facts = (
        Fact(id="f1", goal=0, label="amount", value=7),
        Fact(id="f2", goal=0, label="customer's name", value="Zac Devery"),
        Fact(id="f3", goal=0, label="customer's phone", value="555 0100"),
    )
    words = Voice(load_grammar()["user"], Random(1), Persona())
    said = weave(words, "set up a wallet", "wallet", facts)
    assert said == "set up a wallet for the customer called Zac Devery with the phone 555 0100 for 7"


def test_names_of_other_people_stand_beside_what_they_have_to_do_with() -> None:
    words = Voice(load_grammar()["user"], Random(1), Persona())
    told = Fact(id="f1", goal=0, label="visit", value={"/doctor_name": "Dr. Ada Jansen"}, choice="/0", action="a1")
    assert name_alone(words, told).endswith("the visit with Dr. Ada Jansen")


def test_who_has_a_first_and_a_last_name_is_called_by_both() -> None:
    first, last = (
        Fact(id=f"f{place}", goal=0, label=label, value=value)
        for place, (label, value) in enumerate((("first name", "Ada"), ("last name", "Byron")))
    )
    assert weave(_voice(), "add a new client", "client", [first, last]) == "add a new client called Ada Byron"
    assert weave(_voice(), "add a new client", "client", [last]) == "add a new client with the last name Byron"


def test_only_somebody_is_called_by_a_username() -> None:
    fact = Fact(id="f1", goal=0, label="username", value="ada83")
    assert weave(_voice(), "add a user", "user", [fact]) == "add a user called ada83"
    assert weave(_voice(), "add a registry", "registry", [fact]) == "add a registry with the username ada83"


def test_a_thing_is_called_by_the_field_that_bears_its_noun() -> None:
    def said(value: str) -> str:
        fact = Fact(id="f1", goal=0, label="song", value=value, reveal="opening", action="a1")
        return str(weave(_voice(), "add a song", "song", [fact]))

    assert said("Silver Postcards") == "add a song called Silver Postcards"
    assert "called" not in said("We sang it all night long.")


@pytest.mark.parametrize(
    ("wish", "noun", "parts"),
    [
        ("find out which series a league has", "league", ("find out which series ", "league", " has")),
        ("take an auction down", "auction", ("take ", "auction", " down")),
        ("write to one of my matches", "match", ("write to ", "match", "")),
        ("see the device location", "device", None),
        ("could you delete blog authors in one go", "author", ("could you delete ", "blog author", " in one go")),
        ("see all authors", "author", None),
    ],
)
def test_a_thing_has_a_place_where_its_noun_does_not_go_on(
    wish: str, noun: str, parts: tuple[str, str, str] | None
) -> None:
    assert place_of(wish, noun) == parts


def test_sentences_for_a_value_stand_among_others() -> None:
    said = ["My address is {value}.", "It's for {value}.", "I was born on {value}.", "with {value} as the name"]
    own = [{"label": f"fact {place}", "said": [text]} for place, text in enumerate(said)]
    phrases = ToolPhrases.model_validate({"arguments": {f"a{place}": one for place, one in enumerate(own)}})
    tool = Tool(
        name="add", original_name="add", parameters={"type": "object"}, phrases=phrases, source=Source(file="x")
    )
    told = own_phrases([tool]).sayings
    assert [told[f"fact {place}"][0] for place in range(4)] == [
        "my address is {value}", "it's for {value}", "I was born on {value}", "with {value} as the name"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("wish", "thing", "said"),
    [
        ("throw the file away", Named(("file",), "Budget 2026", own=True, main=True), "throw the file Budget 2026 away"),
        ("pay for the rental", Named(("charge",), "late return", own=False, main=True), "pay for the rental (charge late return)"),
    ],
)  # fmt: skip
def test_a_name_stands_behind_its_noun_or_at_the_end(wish: str, thing: Named, said: str) -> None:
    words = Voice(load_grammar()["assistant"], Random(1), Persona())
    assert str(with_names(words, wish, [thing])[0]).replace('"', "") == said


def test_what_belongs_to_a_named_thing_keeps_its_owner() -> None:
    words = Voice(load_grammar()["assistant"], Random(1), Persona())
    theirs = [Named(("assistant",), "liam.cook@example.com", main=True), Named(("user",), "Graham Hilton")]
    assert with_names(words, "delete the user's assistant", theirs) == (
        "delete Graham Hilton's assistant liam.cook@example.com",
        [],
    )
    assert with_names(words, "delete the user's assistant", theirs[:1])[0] == (
        "delete the user's assistant liam.cook@example.com"
    )
    branches = [Named(("repository",), "42 tools")]
    assert with_names(words, "see the repository's branches", branches)[0] == (
        'see the repository "42 tools"\'s branches'
    )


def test_brackets_in_a_name_are_part_of_it() -> None:
    thing = Named(("folder",), '"Complaints to Judy (or about Hector)"')
    words = Voice(load_grammar()["assistant"], Random(1), Persona())
    assert described_by(words, thing) == 'folder "Complaints to Judy (or about Hector)"'
