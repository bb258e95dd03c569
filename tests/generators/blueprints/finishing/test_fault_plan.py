"""Planned faults: all kinds in every world, accepted when played right, with what is expected in spite of them."""

import asyncio
import re
from dataclasses import replace

import pytest
from tests.generators.faulty import faulty, faulty_records

from interplay.generators.blueprints.finishing.lasting_fault import asked_again_after
from interplay.generators.blueprints.recipes.index_recipe import make_recipe
from interplay.generators.blueprints.recipes.recipe_settings import RecipeSettings
from interplay.schemas.records.blueprint import Action, Blueprint
from interplay.schemas.records.fault import FAULTS

CLINIC = "domain:clinic"
COUNT = 80
WORLDS = (CLINIC, "domain:rental", "domain:workspace", "train_travel.yaml")


def spoiled(world: str = CLINIC) -> list[Blueprint]:
    made = [record.blueprint for record in faulty_records(world, COUNT)]
    return [blueprint for blueprint in made if blueprint is not None and blueprint.faults]


@pytest.mark.parametrize("world", WORLDS)
def test_accepts_each_kind_when_it_is_played_right(world: str) -> None:
    records = [record for record in faulty_records(world, COUNT) if record.blueprint is not None]
    assert sum(record.status == "accepted" for record in records) >= 0.98 * len(records)
    played = {message.fault for record in records if record.trajectory for message in record.trajectory.messages} - {
        None
    }
    assert played == set(FAULTS)


@pytest.mark.parametrize("world", WORLDS)
def test_lets_each_planned_fault_happen(world: str) -> None:
    for record in faulty_records(world, COUNT):
        if record.blueprint is None or record.trajectory is None:
            continue
        happened = [message.fault for message in record.trajectory.messages if message.fault]
        wanted = [
            fault.kind
            for fault in record.blueprint.faults
            for _ in range(2 if fault.lasting and fault.kind != "permission_denied" else 1)
        ]
        assert happened == wanted, record.index


def test_makes_the_same_records_twice() -> None:
    again = replace(faulty(CLINIC))

    async def make() -> list[str]:
        return [(await again.make_record(index)).model_dump_json() for index in range(40)]

    assert asyncio.run(make()) == [record.model_dump_json() for record in faulty_records(CLINIC, COUNT)[:40]]


def test_withholds_what_needs_an_action_that_fails_for_good() -> None:
    lasting = [blueprint for blueprint in spoiled() if blueprint.faults[0].recovery == "report"]
    assert any(any(action.withheld for action in blueprint.actions) for blueprint in lasting)
    for blueprint in lasting:
        hit = blueprint.action(blueprint.faults[0].action)
        assert hit.failed
        assert hit.withheld is None
        lost = {hit.id} | {
            action.id for action in blueprint.actions if action.withheld and action.withheld.action == hit.id
        }
        for action in blueprint.calls:
            assert not set(action.depends_on) & lost
        assert not lost & {output.action for output in blueprint.expected.outputs}


def test_expects_no_change_from_a_write_that_fails_for_good() -> None:
    writes = {tool.name for tool in faulty(CLINIC).world.toolset.tools if tool.effect == "write"}
    lost = [
        blueprint
        for blueprint in spoiled()
        if blueprint.faults[0].recovery == "report"
        and not any(action.tool in writes and not action.failed for action in blueprint.calls)
    ]
    assert lost
    assert all(not blueprint.expected.difference for blueprint in lost)


def test_takes_what_was_shown_before_where_that_says_enough() -> None:
    made = [record.blueprint for record in faulty_records(CLINIC, COUNT, seed=2)]
    round_about = [blueprint for blueprint in made if blueprint and blueprint.faults and blueprint.faults[0].source]
    assert round_about
    for blueprint in round_about:
        fault = blueprint.faults[0]
        assert fault.recovery == "other_way"
        assert fault.lasting
        assert not any(action.withheld and action.withheld.reason == "failed" for action in blueprint.actions)
        taken = [output.pointer for output in blueprint.expected.outputs if output.action == fault.source]
        taken += [
            str(origin.pointer)
            for action in blueprint.actions
            for origin in action.origins.values()
            if origin.action == fault.source and action.id != fault.action
        ]
        assert any(pointer.startswith(f"{fault.pointer}/") for pointer in taken)


def test_leaves_a_task_as_it_was_where_a_fault_passes() -> None:
    plain = {record.index: record.blueprint for record in faulty_records(CLINIC, COUNT)}
    passing = [made for made in plain.values() if made and made.faults and not made.faults[0].lasting]
    assert passing
    for blueprint in passing:
        assert not any(action.failed and blueprint.hit(action.id) for action in blueprint.actions)
        assert blueprint.faults[0].recovery == ("other_way" if blueprint.faults[0].kind == "schema_drift" else "retry")


def test_counts_faults_in_the_difficulty() -> None:
    assert all(blueprint.difficulty and blueprint.difficulty.faults >= 1 for blueprint in spoiled())


def test_draws_a_share_of_faults_with_all_kinds_alike() -> None:
    tools = [f"tool_{number}" for number in range(12)]
    drawn = [make_recipe(tools, RecipeSettings(safety=0.1), 3, index).faults for index in range(4000)]
    kinds = [kind for faults in drawn for kind in faults]
    assert 0.09 < len(kinds) / len(drawn) < 0.13
    assert set(kinds) == set(FAULTS)
    assert max(map(kinds.count, FAULTS)) < 1.3 * min(map(kinds.count, FAULTS))


@pytest.mark.parametrize("world", WORLDS)
def test_says_of_no_call_that_was_not_made_that_it_failed(world: str) -> None:
    told = {True: "", False: ""}
    for record in faulty_records(world, COUNT):
        made = record.blueprint
        for message in record.trajectory.messages if made and record.trajectory else ():
            if made and message.act == "report_error" and len(made.goals) == 1:
                told[bool(made.actions[-1].withheld)] += message.content
    assert re.search("before it|what it needs|something up first", told[True]) or (
        world in (CLINIC, "domain:workspace") and not told[True]
    )
    assert not re.search("no permission to|not permitted to do that|denies me access to this", told[True])
    assert not re.search("come first|what it needs", told[False])


def test_fails_for_good_no_write_after_which_something_is_read_again() -> None:
    calls = [
        Action(id=f"a{number}", goal=number, tool=tool, arguments=arguments)
        for number, (tool, arguments) in enumerate(
            [("list", {}), ("pay", {"id": "b1"}), ("list", {}), ("list", {"page": 2})]
        )
    ]
    assert asked_again_after(calls, {"a1"})
    assert not asked_again_after(calls, {"a2"})
    assert not asked_again_after(calls[1:], {"a1"})
