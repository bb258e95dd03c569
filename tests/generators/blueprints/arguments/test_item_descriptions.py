"""Descriptions: what singles an item out, and through what else a thing is meant."""

from random import Random

import pytest
from tests.generators.worlds import records

from interplay.generators.blueprints.arguments.item_descriptions import (
    Sort,
    comparable,
    descriptions,
    in_month,
    sorts,
    superlative,
)
from interplay.generators.participants.wording.fact_phrases import say_fact
from interplay.generators.participants.wording.voice import Voice, load_grammar
from interplay.schemas.records.blueprint import Blueprint, Description, Fact
from interplay.schemas.records.recipe import Persona

VISITS = [
    {"visit_id": "V-1", "starts_at": "2026-02-11T09:00", "ends_at": "2026-02-11T10:00", "price": 30},
    {"visit_id": "V-2", "starts_at": "2026-05-04T09:00", "ends_at": "2026-05-04T10:00", "price": 20},
    {"visit_id": "V-3", "starts_at": "2026-05-20T09:00", "ends_at": "2026-06-01T10:00", "price": 20},
    {"visit_id": "V-4", "starts_at": "2025-08-20T09:00", "ends_at": "2025-08-20T10:00", "price": 25},
]


def test_an_item_is_meant_by_its_month_where_no_other_has_to_do_with_that_month() -> None:
    months = [[found.month for found in in_month(VISITS, place, comparable(VISITS))] for place in range(len(VISITS))]
    assert months == [["2026-02"], [], [], ["2025-08"]]


def test_when_something_was_written_down_is_not_when_it_is() -> None:
    orders = [{"order_id": 1, "created_at": "2026-02-11T09:00"}, {"order_id": 2, "created_at": "2026-03-11T09:00"}]
    assert list(in_month(orders, 0, comparable(orders))) == []
    assert superlative(orders, 1) == Description(kind="latest", pointer="/created_at", label="")


def test_the_latest_of_all_is_the_latest_by_every_moment_or_says_by_which() -> None:
    tasks = [
        {"start_date": "2026-02-01", "due_date": "2026-02-20"},
        {"start_date": "2026-02-03", "due_date": "2026-02-10"},
    ]
    assert {found.label for found in descriptions(tasks, 1) if found.kind == "latest"} == {"start date"}
    assert {found.label for found in descriptions(VISITS, 2) if found.kind == "latest"} == {""}


def test_items_are_of_a_sort_by_what_their_schema_lets_one_choose() -> None:
    jobs = [
        {"title": f"J{n}", "status": "open" if n % 2 else "closed", "paid": n == 1, "city": "Ulm"} for n in range(4)
    ]
    fields = {
        "status": {"type": "string", "enum": ["open", "closed"]},
        "paid": {"type": "boolean"},
        "city": {"type": "string"},
    }
    found = sorts(jobs, {"type": "object", "properties": fields})
    assert found == [
        Sort("/status", "status", "closed", (0, 2)),
        Sort("/status", "status", "open", (1, 3)),
        Sort("/paid", "paid", True, (1,)),
    ]
    assert (
        sorts([{**job, "status": "open", "paid": True} for job in jobs], {"type": "object", "properties": fields}) == []
    )


def test_what_two_items_have_alike_describes_neither() -> None:
    assert not [found for place in (1, 2) for found in descriptions(VISITS, place) if found.pointer == "/price"]


@pytest.mark.parametrize("kind", ["latest", "highest", "month"])
@pytest.mark.parametrize("tone", ["plain", "terse", "chatty"])
def test_says_what_another_thing_refers_to(kind: str, tone: str) -> None:
    told = {"kind": kind, "pointer": "/at", "label": "deposit" if kind == "highest" else "", "month": "2026-05"}
    description = Description.model_validate({**told, "same": "doctor"})
    fact = Fact(id="f1", goal=0, label="visit", value={}, choice="/1", description=description)
    words = Voice(load_grammar()["user"], Random(3), Persona.model_validate({"tone": tone}))
    said = [say_fact(words, fact) for _ in range(12)]
    assert all("doctor" in text for text in said)
    assert all(("May" if kind == "month" else kind) in text for text in said)
    assert not any("{" in text for text in said)


def test_users_mean_things_by_others_that_refer_to_them() -> None:
    """They recall what is their own: where no row is anybody's, nobody finds a thing by way of others."""
    made = records("domain:rental", 80, recipes={"described": 1.0, "behaviours": {}, "faults": 0})
    assert all(record.status == "accepted" for record in made)
    meant = [found for record in made if record.blueprint is not None for found in _through(record.blueprint)]
    assert len(meant) >= 3
    for blueprint, fact in meant:
        taking = [
            (action, origin)
            for action in blueprint.actions
            for origin in action.origins.values()
            if origin.fact == fact.id
        ]
        assert taking
        assert all(str(origin.pointer).startswith(f"{fact.choice}/") for _, origin in taking)
        assert all(fact.action in action.depends_on for action, _ in taking)


def _through(blueprint: Blueprint) -> list[tuple[Blueprint, Fact]]:
    facts = blueprint.scenario.facts
    return [(blueprint, fact) for fact in facts if fact.description is not None and fact.description.same]


@pytest.mark.parametrize("field", ["thumb_720_w", "is_moved", "date_create", "updated", "position_ms", "retry_count"])
def test_nobody_means_a_thing_by_a_number_for_machines(field: str) -> None:
    assert superlative([{"name": "a", field: 3}, {"name": "b", field: 7}], 1) is None


@pytest.mark.parametrize(
    ("label", "kind", "said"),
    [
        ("price", "lowest", "cheapest visit"),
        ("duration in ms", "highest", "longest visit"),
        ("refills left", "highest", "the most refills left"),
        ("total tracks", "lowest", "the fewest total tracks"),
        ("deposit", "lowest", "the lowest deposit"),
    ],
)
def test_the_most_of_something_is_said_as_people_say_it(label: str, kind: str, said: str) -> None:
    description = Description.model_validate({"kind": kind, "pointer": "/x", "label": label})
    fact = Fact(id="f1", goal=0, label="visit", value={}, choice="/1", description=description)
    words = Voice(load_grammar()["user"], Random(3), Persona())
    told = [say_fact(words, fact).replace("the visit is the", "the").replace(" one", " visit") for _ in range(8)]
    assert all(said in text for text in told)
