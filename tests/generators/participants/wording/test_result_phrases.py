"""What an assistant says of results: lists by what was asked for, and never more than was done."""

from datetime import date
from random import Random

import pytest
from tests.generators.worlds import generator
from tests.generators.worlds import played as first_played

from interplay.generators.participants.wording.deed_phrases import asked_plural, changes_thing, done_frame
from interplay.generators.participants.wording.result_phrases import Total, clauses, display, listing, particulars
from interplay.generators.participants.wording.voice import Voice, WorldClock, load_grammar
from interplay.schemas.records.blueprint import Blueprint, ExpectedOutput
from interplay.schemas.records.dialogue import Trajectory
from interplay.schemas.records.recipe import Persona
from interplay.schemas.records.tool import ResourceModel


def played(name: str, count: int = 80) -> tuple[ResourceModel, list[tuple[Blueprint, Trajectory]]]:
    """Return what the tools of a description do, and the first dialogues about them."""
    return generator(name).world.environment.resources, first_played(name, count)


@pytest.mark.parametrize(
    ("intent", "things"),
    [
        ("get a list of public categories", "public categories"),
        ("see all reserved IPs", "reserved IPs"),
        ("check my top items", "top items"),
        ("list the cards of a board", "cards"),
        ("get an order", ""),
        ("check what I owe", ""),
    ],
)
def test_a_list_is_called_by_what_was_asked_for(intent: str, things: str) -> None:
    assert asked_plural(intent) == things


def test_a_measure_is_named_with_what_it_measures() -> None:
    words = Voice(load_grammar()["assistant"], Random(1), Persona())
    outputs = [ExpectedOutput(action="a1", pointer=f"/{place}/height", label="height", value=value)
               for place, value in enumerate((312, 407))]  # fmt: skip
    assert "height 312 and height 407" in listing(words, [{}, {}], outputs, None, "images")


def test_a_page_is_not_told_as_if_it_were_all() -> None:
    words = Voice(load_grammar()["assistant"], Random(1), Persona())
    rows = [{"name": "Jade Atlas"}, {"name": "Calm Falcon"}]
    outputs = [ExpectedOutput(action="a1", pointer=f"/{place}/name", label="name", value=row["name"])
               for place, row in enumerate(rows)]  # fmt: skip
    said = {listing(words, rows, outputs, None, "ships", Total(2, goes_on=True)) for _ in range(30)}
    assert all("first" in sentence for sentence in said)
    assert not any("first" in listing(words, rows, outputs, None, "ships", Total(2)) for _ in range(30))


@pytest.mark.parametrize(("field", "told"), [("rank", ["/rank"]), ("visit_type", []), ("qzx", []), ("id", [])])
def test_a_number_that_differs_is_told_beside_a_name_where_it_means_something(field: str, told: list[str]) -> None:
    rows = [{"name": name, field: place} for place, name in enumerate(("Ada", "Bo"))]
    assert particulars(rows, "player", ["/name"]) == told


@pytest.mark.parametrize(
    ("states", "said"),
    [
        (("open", "done", "open", "open"), "3 open and 1 done"),
        (("open", "open", "open"), "all 3 open"),
        (("open", "done", "late"), "open, done and late"),
    ],
)
def test_what_most_items_have_in_common_is_counted(states: tuple[str, ...], said: str) -> None:
    words = Voice(load_grammar()["assistant"], Random(1), Persona())
    outputs = [ExpectedOutput(action="a1", pointer=f"/{place}/status", label="", value=value)
               for place, value in enumerate(states)]  # fmt: skip
    assert said in listing(words, [{"status": value} for value in states], outputs, None, "orders")


def test_what_is_looked_up_is_not_reported_as_done() -> None:
    model, dialogues = played("spotify_official.yml")
    done = {text for text in load_grammar()["assistant"]["done"] if text}
    looked = 0
    for blueprint, trajectory in dialogues:
        goals = [goal for goal in blueprint.goals if goal.tool]
        if not all(model.role(goal.tool).operation in ("read", "list") for goal in goals):
            continue
        for message in trajectory.messages:
            looked += message.act == "response"
            if message.act == "response":
                assert not any(message.content.startswith(text) for text in done), message.content
    assert looked


def test_what_is_cancelled_is_not_said_to_be_gone() -> None:
    assert done_frame("delete", "disable a private link") == "done"
    assert done_frame("delete", "cancel a run") == "done"
    assert done_frame("delete", "remove a private link") == "deleted"
    assert done_frame("delete", "remove a customer address") == "deleted"
    assert done_frame("delete", "remove the addresses of a customer") == "done"  # not "the address is gone"
    assert done_frame("create", "set up a meeting") == "created"


def test_a_question_that_a_change_of_mind_answers_is_not_asked_in_the_same_words() -> None:
    asked_twice = [
        (before.content, after.content)
        for _, trajectory in first_played("domain:clinic", 200, seed=11)
        for before, between, after in zip(*(trajectory.messages[place:] for place in range(3)), strict=False)
        if (before.act, between.act, after.act) == ("confirm_request", "change_mind", "confirm_request")
    ]
    noted = tuple(load_grammar()["assistant"]["noted"])
    assert asked_twice
    assert all(first != again and again.startswith(noted) for first, again in asked_twice)


def test_like_answers_are_told_apart_by_what_was_asked_for() -> None:
    said = []
    for blueprint, trajectory in first_played("domain:clinic", 240, seed=11, recipes={"patterns": {"parallel": 1.0}}):
        wanted = [place for place, goal in enumerate(blueprint.goals) if goal.tool == "find_practitioners"]
        asked = [
            action.arguments["specialty"]
            for action in blueprint.calls
            if action.goal in wanted and action.tool == "find_practitioners" and "specialty" in action.arguments
        ]
        answers = " ".join(message.content for message in trajectory.messages if message.act == "response")
        if len(set(asked)) == len(asked) == len(wanted) > 1:
            said.append(all(specialty in answers for specialty in asked))
    assert said
    assert all(said)


def test_what_stands_beside_a_name_is_a_moment_and_no_figure() -> None:
    items = [{"name": "Ada Bell", "sdk": "28"}, {"name": "Tom Hart", "sdk": "31"}]
    assert display(items, 0, ["/name"]) == ["/name"]
    visits = [{**item, "starts": f"2026-05-0{place + 1}T09:00:00Z"} for place, item in enumerate(items)]
    assert display(visits, 0, ["/name"]) == ["/name", "/starts"]


def test_an_item_is_not_called_by_its_kind_again() -> None:
    words = Voice(load_grammar()["assistant"], Random(1), Persona())
    items = [{"text": "Bring the keys", "type": "note"}]
    outputs = [
        ExpectedOutput(action="a1", pointer=f"/0/{name}", label=name, value=items[0][name]) for name in ("text", "type")
    ]
    assert "(note)" not in listing(words, items, outputs, None, "note")


def test_several_fields_share_their_verb() -> None:
    words = Voice(load_grammar()["assistant"], Random(1), Persona())
    shown = {"city": "Porto", "street": "Rua Nova"}
    outputs = [
        ExpectedOutput(action="a1", pointer=f"/{label}", label=label, value=value) for label, value in shown.items()
    ]
    assert clauses(words, outputs, shown, "hotel") == "The city is Porto and the street Rua Nova"


def test_who_takes_something_out_of_a_thing_does_not_change_what_it_is_like() -> None:
    assert changes_thing("update", "rename a folder")
    assert not changes_thing("update", "remove a user from a template")
    assert not changes_thing("create", "add a user to a template")


def test_a_few_rows_are_told_apart_by_when_they_are_and_what_they_cost() -> None:
    rows = [
        {"title": "Rent", "due_on": f"2026-0{month}-01", "amount": month, "status": "open", "first_month": f"2025-0{month}-01"}
        for month in (3, 4)
    ]  # fmt: skip
    assert particulars(rows) == ["/amount", "/due_on"]
    assert particulars([{**row, "first_month": row["first_month"], "due_on": None, "amount": 5} for row in rows]) == []


def test_of_several_moments_that_is_told_of_which_the_noun_speaks() -> None:
    rows = [{"name": "Scarf", "lost_date": f"2026-01-0{day}", "found_date": f"2026-02-0{day}"} for day in (3, 4)]
    assert [particulars(rows, noun) for noun in ("lost item", "found item", "item")] == [
        ["/lost_date"],
        ["/found_date"],
        ["/lost_date"],
    ]


def test_what_a_thing_has_is_said_with_its_noun() -> None:
    words = Voice(load_grammar()["assistant"], Random(1), Persona())
    has = ExpectedOutput(action="a1", pointer="/has_bicycle", label="has bicycle", value=True)
    kind = ExpectedOutput(action="a1", pointer="/standard_template", label="standard template", value=False)
    assert clauses(words, [has], {}, "booking") == "The booking has a bicycle"
    assert clauses(words, [kind], {}, "template") == "It is not a standard template"


def test_a_field_is_not_called_by_its_owner_that_was_just_named() -> None:
    words = Voice(load_grammar()["assistant"], Random(1), Persona())
    amount = ExpectedOutput(action="a1", pointer="/transaction_amount", label="transaction amount", value=64)
    assert clauses(words, [amount], {}, "transaction") == "The amount is 64"


@pytest.mark.parametrize("rate", [26.87, "26.87"])
def test_a_number_beside_a_name_that_is_no_money_is_told_with_what_it_is(rate: float | str) -> None:
    words = Voice(load_grammar()["assistant"], Random(1), Persona())
    item = {"name": "Glass desk lamp", "purchase_uom_conversion_rate": rate}
    outputs = [ExpectedOutput(action="a1", pointer=f"/0/{name}", label=name.replace("_", " "), value=value)
               for name, value in item.items()]  # fmt: skip
    assert "Glass desk lamp (purchase uom conversion rate 26.87)" in listing(words, [item], outputs, None, "product")


def test_both_parts_of_a_name_say_it_once() -> None:
    words = Voice(load_grammar()["assistant"], Random(1), Persona())
    people = [{"firstName": first, "lastName": last} for first, last in (("Ada", "Field"), ("Ben", "Moss"))]
    outputs = [
        ExpectedOutput(action="a1", pointer=f"/{place}/{name}", label=name, value=person[name])
        for place, person in enumerate(people) for name in person
    ]  # fmt: skip
    said = listing(words, people, outputs, None, "users")
    assert said.count("Ada Field") == said.count("Ben Moss") == 1


def test_items_that_are_called_by_their_time_are_told_with_what_they_show() -> None:
    words = Voice(load_grammar()["assistant"], Random(1), Persona())
    items = [
        {"from": f"2026-03-1{place}T10:00:00Z", "doctor": {"doctor_name": doctor}, "patient": {"patient_name": patient}}
        for place, (doctor, patient) in enumerate((("Ada Falk", "Ivo Berg"), ("Rui Sole", "Nia Moss")))
    ]
    outputs = [ExpectedOutput(action="a1", pointer=f"/{place}/from", label="from", value=item["from"])
               for place, item in enumerate(items)]  # fmt: skip
    said = listing(words, items, outputs, None, "appointments")
    assert "(doctor Ada Falk, patient Ivo Berg)" in said
    assert "(doctor Rui Sole, patient Nia Moss)" in said


def test_days_of_one_list_are_all_said_with_their_year_where_one_is() -> None:
    words = Voice(load_grammar()["assistant"], Random(1), Persona(), now=WorldClock(date(2026, 3, 2)))
    days = ("2025-05-19", "2026-02-10")
    outputs = [ExpectedOutput(action="a1", pointer=f"/{place}/name", label="name", value=name)
               for place, name in enumerate(("Ada Falk", "Ivo Berg"))]  # fmt: skip
    items = [{"name": output.value, "joining_date": day} for output, day in zip(outputs, days, strict=True)]
    said = listing(words, items, outputs, None, "employees")
    assert "2025" in said
    assert "2026" in said
    assert "2026" not in words.value(days[1])


def test_an_amount_is_told_with_its_currency_be_it_a_text() -> None:
    words = Voice(load_grammar()["assistant"], Random(1), Persona())
    result = {"balance": {"currencyCode": "AUD", "value": "429.42"}}
    output = ExpectedOutput(action="a1", pointer="/balance/value", label="balance", value="429.42")
    assert clauses(words, [output], result, "account") == "The balance is 429.42 AUD"


def test_a_person_within_an_item_has_both_names() -> None:
    words = Voice(load_grammar()["assistant"], Random(1), Persona())
    rows = [{"by": {"firstName": "Kirsten", "lastName": last}} for last in ("Boyd", "Blom")]
    outputs = [ExpectedOutput(action="a1", pointer=f"/{place}/by/lastName", label="last name", value=row["by"]["lastName"])
               for place, row in enumerate(rows)]  # fmt: skip
    said = listing(words, rows, outputs, None, "payments")
    assert "Kirsten Boyd" in said
    assert "Kirsten Blom" in said
