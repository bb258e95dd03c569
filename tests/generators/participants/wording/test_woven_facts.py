"""A wish and the facts told with it are one phrase."""

from random import Random

import pytest

from interplay.generators.participants.wording.voice import Voice, load_grammar
from interplay.generators.participants.wording.woven_facts import changed, weave, with_whole_address
from interplay.schemas.records.blueprint import Fact
from interplay.schemas.records.recipe import Persona


@pytest.mark.parametrize(
    ("wish", "label", "value", "said"),
    [
        ("see visits for the month", "month", "2025-07", "see visits for July 2025"),
        ("see visits of a month", "month", "2025-07", "see visits of July 2025"),
        ("see visits for the day", "date", "2025-05-03", "see visits for 3 May 2025"),
        ("see figures for the metric", "metric", "revenue", "see figures for the metric revenue"),
        ("find a user by name", "username", "rhys96", "find a user with the username rhys96"),
        ("find pets by tags", "tag", "small", "find pets with the tag small"),
        ("cancel an order", "order", 13, "cancel order 13"),
        ("cancel the order", "order", "DR-3144", "cancel order DR-3144"),
        ("cancel an order", "reason", "late", "cancel an order with late as the reason"),
        ("find a user by name", "city", "Ulm", "find a user by name in Ulm"),
        ("add a visit", "length", 45, "add a visit with a length of 45"),
        ("add a visit", "width", 45, "add a visit with a width of 45"),
        ("add a visit", "number", 45, "add a visit with the number 45"),
        ("add a visit", "status", "pending", "add a visit with status pending"),
        ("add a visit", "category", "Dentist", "add a visit in the category Dentist"),
        ("see visits", "status", "pending", "see pending visits"),
        ("know which visit is the longest", "status", "pending", "know which pending visit is the longest"),
        ("see visits", "city", "Ulm", "see visits in Ulm"),
        ("see the month's visits", "month", "2025-07", "see the month's visits with the month July 2025"),
    ],
)
def test_a_wish_that_speaks_of_a_fact_says_it_there(wish: str, label: str, value: object, said: str) -> None:
    words = Voice(load_grammar()["user"], Random(1), Persona())
    words.style = 0
    assert weave(words, wish, "visit", [Fact(id="f1", goal=0, label=label, value=value)]) == said


@pytest.mark.parametrize(
    ("wish", "label", "value", "said"),
    [
        ("update the maintenance of a slot", "slot id", 2831, ""),
        ("update a contact", "phone number", "030 1234", "change the phone number of a contact to 030 1234"),
    ],
)
def test_what_says_which_one_is_changed_is_no_new_value(wish: str, label: str, value: object, said: str) -> None:
    words = Voice(load_grammar()["user"], Random(1), Persona())
    assert changed(words, wish, "contact", [Fact(id="f1", goal=0, label=label, value=value)]) == said


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"street": "8 Mill Lane", "city": "Ulm", "zip code": "89073"}, {"address": "8 Mill Lane, Ulm 89073"}),
        ({"city": "Ulm", "price": "5", "street": "8 Mill Lane"}, {"address": "8 Mill Lane, Ulm", "price": "5"}),
        ({"billing address street": "8 Mill Lane", "billing address state": "Ohio"}, {"billing address": "8 Mill Lane, Ohio"}),
        ({"billing street": "8 Mill Lane", "city": "Ulm"}, {"billing street": "8 Mill Lane", "city": "Ulm"}),
        ({"state": "pending", "city": "Ulm"}, {"state": "pending", "city": "Ulm"}),
    ],
)  # fmt: skip
def test_the_parts_of_an_address_are_said_as_one(told: dict[str, str], said: dict[str, str]) -> None:
    facts = [Fact(id=label, goal=0, label=label, value=value) for label, value in told.items()]
    assert {fact.label: fact.value for fact in with_whole_address(facts)} == said


@pytest.mark.parametrize(
    ("wish", "label", "said"),
    [
        ("see organisations", "name", "see the organisation called Parker LLC"),
        ("search for events", "title", "search for the event called Parker LLC"),
        ("see organisations", "building's name", "see organisations for the building called Parker LLC"),
    ],
)
def test_several_things_are_not_looked_for_by_the_name_of_one(wish: str, label: str, said: str) -> None:
    topic = wish.split()[-1].removesuffix("s")
    words = Voice(load_grammar()["user"], Random(1), Persona())
    assert weave(words, wish, topic, [Fact(id="f", goal=0, label=label, value="Parker LLC")]) == said
