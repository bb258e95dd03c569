"""Blueprints: every pattern, coherent, replayable, with an origin for each argument."""

import asyncio
from random import Random

import pytest
from tests.generators.worlds import SMALL_SPECS, generator, records, shared_spec

from interplay.generators.blueprints.composition.blueprint_composer import Composer
from interplay.generators.blueprints.composition.composition_context import CompositionContext
from interplay.generators.blueprints.drafting.draft import DeadEnd, Draft, Step
from interplay.generators.blueprints.evolution.reopened_draft import reopened
from interplay.generators.blueprints.patterns.pattern_table import pattern_of
from interplay.generators.blueprints.patterns.task_pattern import Grown
from interplay.generators.blueprints.recipes.index_recipe import make_recipe
from interplay.generators.blueprints.recipes.recipe_settings import RecipeSettings
from interplay.generators.domains.clinic import DOMAIN
from interplay.generators.environments.wrappers.tool_search import SearchableTools
from interplay.schemas.json.canonical import at_pointer, leaves
from interplay.schemas.records.blueprint import Blueprint, Goal, Lineage, with_identity
from interplay.schemas.records.dialogue import ToolCall, ToolResult
from interplay.schemas.records.recipe import PATTERNS
from interplay.schemas.records.verdict import Issue

CLINIC = "domain:clinic"


def blueprints() -> list[Blueprint]:
    return [record.blueprint for record in records(CLINIC, 150) if record.blueprint is not None]


def test_composes_nearly_every_recipe_of_the_clinic() -> None:
    assert len(blueprints()) >= 148


def test_has_all_patterns() -> None:
    rare = {"guided", "ask"}  # nobody has a device there, and few of its tools take what a user may lack
    assert {blueprint.pattern for blueprint in blueprints()} - rare == set(PATTERNS) - rare


def test_uses_the_tool_that_the_recipe_aims_at() -> None:
    for blueprint in blueprints():
        used = [action.tool for action in blueprint.actions]
        if blueprint.lineage.operator != "compose":
            continue  # an easier task may lack it
        for_good = any(done.for_good for done in blueprint.scenario.behaviours)
        assert (
            blueprint.recipe.target in used
            or blueprint.recipe.pattern in ("no_call", "single")
            or blueprint.scenario.behaviours
            or for_good
        )


def test_gives_every_argument_an_origin_that_holds_its_value() -> None:
    for blueprint in blueprints():
        for action in blueprint.actions:
            for pointer, value in leaves(action.arguments):
                if not pointer:
                    continue
                origin = action.origins[pointer]
                if origin.kind == "user" and (not action.withheld or origin.fact != action.withheld.fact):
                    assert blueprint.scenario.fact(str(origin.fact)).value == value


def test_lets_the_user_be_one_patient_throughout() -> None:
    for blueprint in blueprints():
        found = {action.arguments["patient_id"] for action in blueprint.actions if "patient_id" in action.arguments}
        assert len(found) <= 1


def test_describes_a_choice_by_what_only_the_chosen_item_has() -> None:
    made = generator(CLINIC)

    async def check(blueprint: Blueprint) -> None:
        results = {}
        environment = made.workshop(blueprint.recipe.index).world.environment  # the world of its records
        start = environment.snapshot()
        for action in blueprint.calls:
            from_call = await environment.call(ToolCall(id="abcdefghi", name=action.tool, arguments=action.arguments))
            results[action.id] = from_call.value
        environment.restore(start)
        for fact in blueprint.scenario.facts:
            if fact.choice is None or not fact.value or fact.action not in results:
                continue  # a list that a lasting fault keeps from being made offers no choice
            items = at_pointer(results[str(fact.action)], str(fact.choice).rsplit("/", 1)[0])
            fitting = [
                item for item in items if all(at_pointer(item, key) == value for key, value in fact.value.items())
            ]
            assert len(fitting) == 1

    first = blueprints()[:60]  # they are made in a loop of their own

    async def check_all() -> None:
        for blueprint in first:
            await check(blueprint)

    asyncio.run(check_all())


def test_says_the_same_for_the_same_recipe() -> None:
    made = generator(CLINIC)
    recipe = make_recipe(made.tasks.targets, made.config.recipes, 7, 11)
    first, second = (asyncio.run(made.workshop(0).composer.compose(recipe)) for _ in range(2))
    assert first == second


def test_leaves_the_environment_as_it_was() -> None:
    made = generator(CLINIC)
    before = made.world.environment.digest()
    asyncio.run(made.workshop(0).composer.compose(make_recipe(made.tasks.targets, made.config.recipes, 7, 3)))
    assert made.world.environment.digest() == before


def test_names_the_blueprint_by_all_that_it_says() -> None:
    for blueprint in blueprints()[:20]:
        assert with_identity(blueprint) == blueprint


def test_gives_up_with_a_reason_where_a_tool_can_never_succeed() -> None:
    made = generator(CLINIC)

    class Deaf(SearchableTools):
        async def call(self, call: ToolCall) -> ToolResult:
            return ToolResult.failed(call, "Error: out of order")

    composer = Composer(CompositionContext(Deaf(DOMAIN.open()), made.graph))
    issue = asyncio.run(composer.compose(make_recipe(["get_price_estimate"], made.config.recipes, 7, 0)))
    assert isinstance(issue, Issue)
    assert issue.code == "no_blueprint"
    assert "out of order" in issue.message


def step(name: str, goal: int, request: int, level: int) -> Step:
    return Step(name, goal, request, level, name, {}, {}, (), None)


@pytest.mark.parametrize(
    ("levels", "requests", "pattern"),
    [
        ((0,), [(0,)], "single"),
        ((0, 0), [(0, 1)], "parallel"),
        ((0, 1), [(0, 1)], "sequential"),
        ((0, 0, 1), [(0, 1, 2)], "parallel_then_sequential"),
        ((0, 0), [(0,), (1,)], "multi_goal"),
        ((), [(0,)], "no_call"),
    ],
)
def test_names_the_pattern_that_the_steps_have(
    levels: tuple[int, ...], requests: list[tuple[int, ...]], pattern: str
) -> None:
    whose = {goal: request for request, goals in enumerate(requests) for goal in goals}
    steps = [step(f"a{index}", index, whose[index], level) for index, level in enumerate(levels)]
    goals = [Goal(intent="do it", tool=step.tool) for step in steps] or [Goal(intent="see it snow", tool="")]
    draft = Draft(DOMAIN.open(), steps, goals=goals, requests=requests)
    recipe = make_recipe(["a"], RecipeSettings(), 0, 0).model_copy(update={"pattern": "handover"})
    assert pattern_of(Grown(draft, Lineage(), early=False), recipe) == pattern


@pytest.mark.parametrize("name", SMALL_SPECS)
def test_composes_accepted_records_from_real_apis(name: str) -> None:
    made = records(shared_spec(name), 40)
    accepted = [record for record in made if record.status == "accepted"]
    assert len(accepted) >= 0.9 * len(made), [record.stage for record in made if record.stage]
    assert all(record.stage for record in made if record.status == "rejected")


def test_what_is_asked_of_a_list_holds_for_the_list_that_is_shown_in_the_end() -> None:
    made = generator("domain:workspace")
    place = made.workshop(0)
    finisher, environment = place.composer.context.finisher, place.world.environment
    start = environment.snapshot()

    async def finish_with_another_list(blueprint: Blueprint) -> None:
        draft = await reopened(blueprint, environment)
        step = next(step for step in draft.steps if draft.goals[step.goal].asks and step.asked)
        draft.revise(step, value=[step.value])
        environment.restore(start)
        with pytest.raises(DeadEnd, match="changes what is asked"):
            await finisher.finish(blueprint.recipe, draft, Random(1))
        environment.restore(start)

    composed = [asyncio.run(place.composer.compose(made.tasks.recipe(index))) for index in range(60)]
    asking = [task for task in composed if isinstance(task, Blueprint) and task.pattern == "question"]
    assert asking
    for blueprint in asking:
        asyncio.run(finish_with_another_list(blueprint))
