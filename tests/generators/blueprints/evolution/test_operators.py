"""Evolution: easier, harder, sideways; each outcome runs, passes the gates, and goes where its operator says."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from functools import cache

import pytest
from tests.generators.worlds import generator, records

from interplay.flows.generation.generator import Generator
from interplay.flows.settings.config import RunConfig
from interplay.generators.blueprints.evolution.operators import OPERATORS
from interplay.generators.blueprints.recipes.recipe_settings import RecipeSettings
from interplay.outputs.store.splits import split_of
from interplay.schemas.json.canonical import at_pointer
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.recipe import Direction
from interplay.schemas.records.verdict import DatasetRecord, Issue
from interplay.validators.blueprints.gates import check_blueprint

CLINIC = "domain:clinic"
EVOLVED = [(direction, name) for direction, operators in OPERATORS.items() for name in operators]
NEEDS_MANY_TOOLS = ("fewer_distractors", "more_distractors")


def parents() -> list[Blueprint]:
    return [record.blueprint for record in records(CLINIC, 40) if record.blueprint and record.status == "accepted"]


@cache
def children(direction: Direction, name: str) -> tuple[tuple[Blueprint, Blueprint], ...]:
    """Return parents with what an operator made of them."""
    made_in, held = generator(CLINIC), parents()

    async def make() -> tuple[tuple[Blueprint, Blueprint], ...]:
        made = []
        for parent in held:
            evolution = made_in.workshop(parent.recipe.index).composer.evolution  # a child lives in its parent's world
            made.append((parent, await evolution.evolve(parent, direction, parent.recipe, name)))
        return tuple((parent, child) for parent, child in made if not isinstance(child, Issue))

    return asyncio.run(make())


def all_children() -> Iterator[tuple[Direction, str, Blueprint, Blueprint]]:
    for direction, name in [*EVOLVED, ("sideways", "elsewhere")]:
        for parent, child in children(direction, name):
            yield direction, name, parent, child


@pytest.mark.parametrize(("direction", "name"), [*EVOLVED, ("sideways", "elsewhere")])
def test_every_operator_fits_some_tasks_of_the_clinic(direction: Direction, name: str) -> None:
    assert name in NEEDS_MANY_TOOLS or children(direction, name)


def test_all_that_evolved_passes_the_gates_that_its_parent_passed() -> None:
    made_in = generator(CLINIC)

    found = list(all_children())

    async def check() -> None:
        for _, name, _, child in found:
            place = made_in.workshop(child.recipe.index)
            verdicts = await check_blueprint(child, place.blueprint_checks)
            assert verdicts[-1].passed, (name, child.recipe.index, verdicts[-1].issues)

    asyncio.run(check())


def test_goes_in_its_direction() -> None:
    for direction, name, parent, child in all_children():
        assert parent.difficulty is not None
        assert child.difficulty is not None
        if direction == "easier":
            assert child.difficulty.score < parent.difficulty.score, name
        if direction == "harder":
            assert child.difficulty.score > parent.difficulty.score, name


def test_keeps_where_it_comes_from() -> None:
    for _, name, parent, child in all_children():
        assert (child.lineage.parent, child.lineage.operator) == (parent.id, name)
        assert child.lineage.revision == parent.lineage.revision + 1
        assert child.id != parent.id


def test_retold_and_reworded_tasks_are_the_same_task_and_stand_in_the_same_split() -> None:
    for name in ("retell", "reword"):
        for parent, child in children("sideways", name):
            assert child.signature() == parent.signature()
            assert split_of(child) == split_of(parent)
            assert [fact.value for fact in child.scenario.facts] == [fact.value for fact in parent.scenario.facts]
    assert all(child.scenario.persona != parent.scenario.persona for parent, child in children("sideways", "retell"))
    assert all(child.goals != parent.goals for parent, child in children("sideways", "reword"))


def test_elsewhere_the_goals_are_the_same_and_the_task_is_another() -> None:
    for parent, child in children("sideways", "elsewhere"):
        assert [goal.tool for goal in child.goals] == [goal.tool for goal in parent.goals]
        assert child.signature() != parent.signature()


def test_an_added_goal_uses_what_came_out_before() -> None:
    for parent, child in children("harder", "add_goal"):
        new = {action.id for action in child.actions if action.goal >= len(parent.goals)}
        assert len(child.goals) > len(parent.goals)
        used = {o.action for a in child.actions if a.id in new for o in a.origins.values() if o.action}
        assert used - new


def test_a_trap_holds_back_what_its_rule_forbids_and_leaves_the_rest_as_it_was() -> None:
    for parent, child in children("harder", "add_trap"):
        held = [action for action in child.actions if action.withheld]
        assert [action.withheld.reason for action in held if action.withheld] == ["forbidden"]
        assert [a.tool for a in child.calls][: len(parent.calls)] == [a.tool for a in parent.calls]
        assert child.expected.difference == parent.expected.difference


def test_an_added_condition_holds() -> None:
    for _, child in children("harder", "add_condition"):
        conditions = [goal.condition for goal in child.goals if goal.condition]
        assert len(conditions) == 1
        assert child.calls


def test_dropping_a_goal_leaves_no_fact_behind_that_nothing_needs() -> None:
    for parent, child in children("easier", "drop_goal"):
        assert len(child.goals) < len(parent.goals)
        used = {origin.fact for action in child.actions for origin in action.origins.values()}
        for fact in child.scenario.facts:
            assert fact.id in used or any(other.instead_of == fact.id for other in child.scenario.facts)
            assert 0 <= fact.goal < len(child.goals)


def test_evolves_again_what_has_evolved() -> None:
    composer, grown = generator(CLINIC).workshop(0).composer, children("harder", "add_goal")[:6]

    async def grandchildren() -> list[tuple[Blueprint, Blueprint]]:
        made = []
        for _, child in grown:
            evolved = await composer.evolution.evolve(child, "harder", child.recipe, "add_goal")
            made += [] if isinstance(evolved, Issue) else [(child, evolved)]
        return made

    found = asyncio.run(grandchildren())
    assert found
    for child, blueprint in found:
        assert blueprint.lineage.revision == child.lineage.revision + 1
        assert len({fact.id for fact in blueprint.scenario.facts}) == len(blueprint.scenario.facts)
        for action in blueprint.actions:
            for pointer, origin in action.origins.items():
                if origin.kind == "user" and not action.withheld:
                    held = blueprint.scenario.fact(str(origin.fact)).value
                    assert held == at_pointer(action.arguments, pointer)


def test_is_a_pure_function_of_parent_and_recipe() -> None:
    composer = generator(CLINIC).workshop(0).composer
    again = asyncio.run(composer.evolution.evolve(parents()[3], "harder", parents()[3].recipe))
    assert again == asyncio.run(composer.evolution.evolve(parents()[3], "harder", parents()[3].recipe))


@cache
def run_of(evolved: float, retold: float) -> tuple[DatasetRecord, ...]:
    base = generator(CLINIC)
    settings = RecipeSettings(evolved=evolved, retold=retold)
    made = Generator(RunConfig(toolset=(CLINIC,), seed=7, recipes=settings), base.world, base.graph, "run")

    async def make() -> tuple[DatasetRecord, ...]:
        return tuple([await made.make_record(index) for index in range(60)])

    return asyncio.run(make())


def test_a_share_of_the_recipes_evolves_what_it_composes() -> None:
    found = Counter(made.blueprint.lineage.operator for made in run_of(0.5, 0.0) if made.blueprint)
    assert 12 <= sum(count for name, count in found.items() if name not in ("compose", "recombine")) <= 36
    assert sum(made.status == "accepted" for made in run_of(0.5, 0.0)) >= 57


def test_plays_a_task_as_often_as_is_asked_for_and_keeps_the_share_that_passes() -> None:
    base = generator(CLINIC)
    made = Generator(RunConfig(toolset=(CLINIC,), seed=7, attempts=3), base.world, base.graph, "run")
    records = asyncio.run(made.make_records(1))
    assert [(record.attempt, record.status) for record in records] == [
        (0, "accepted"),
        (1, "accepted"),
        (2, "accepted"),
    ]
    told = {"pass_rate": 1.0, "pass_low": 0.4385, "pass_high": 1.0, "attempts": 3.0}
    assert all(record.verdicts[-1].scores == told for record in records)
    assert records[0].trajectory == asyncio.run(base.make_record(1)).trajectory
    said = [[message.content for message in record.trajectory.messages] for record in records if record.trajectory]
    assert [said.count(words) for words in said] == [1, 1, 1]
    assert len({record.blueprint.id for record in records if record.blueprint}) == 1
    assert len({record.id for record in records}) == 3


def test_retold_indices_have_the_task_of_an_earlier_one_by_another_persona() -> None:
    made = run_of(0.0, 0.4)
    retold = [record for record in made if record.blueprint and record.blueprint.recipe.retells is not None]
    assert 15 <= len(retold) <= 30
    assert sum(record.status == "accepted" for record in retold) >= len(retold) - 1
    for record in retold:
        assert record.blueprint is not None
        other = made[record.blueprint.recipe.retells or 0].blueprint
        assert other is not None
        assert other.recipe.index < record.index
        assert record.blueprint.lineage.parent == other.id
        assert record.blueprint.signature() == other.signature()
        assert record.blueprint.scenario.persona != other.scenario.persona
        if record.trajectory and made[other.recipe.index].trajectory:
            said = [
                [m.content for m in t.messages if m.role == "user"]
                for t in (record.trajectory, made[other.recipe.index].trajectory)
                if t
            ]
            assert said[0] != said[1]
