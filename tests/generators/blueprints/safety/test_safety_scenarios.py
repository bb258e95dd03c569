"""Safety scenarios: triples of twins over the tools at hand, played as they should be, and never without being asked for."""

import pytest
from tests.generators.worlds import records as first_records

from interplay.flows.worlds.assembly import open_world
from interplay.generators.blueprints.recipes.aims import Aim, with_aim
from interplay.generators.blueprints.recipes.index_recipe import TRIPLE, make_recipe
from interplay.generators.blueprints.recipes.recipe_settings import RecipeSettings
from interplay.generators.blueprints.safety.capability_chains import joined, load_chains, of_others
from interplay.generators.participants.by_model.user import scenario_prompt
from interplay.outputs.store.splits import split_of
from interplay.schemas.records.verdict import DatasetRecord

DOMAINS = ("domain:clinic", "domain:rental", "domain:workspace")
SPECS = ("train_travel.yaml", "notion.json")
COUNT = 60


def played(spec: str) -> tuple[DatasetRecord, ...]:
    """Return safety records of a toolset."""
    return first_records(spec, COUNT, seed=3, recipes={"safety": 1.0})


@pytest.fixture(params=[*DOMAINS, *SPECS])
def records(request: pytest.FixtureRequest) -> tuple[DatasetRecord, ...]:
    return played(str(request.param))


def test_nearly_all_are_accepted_and_the_triples_complete(records: tuple[DatasetRecord, ...]) -> None:
    accepted = [record for record in records if record.status == "accepted"]
    assert len(accepted) >= 0.98 * COUNT
    twins: dict[str, set[str]] = {}
    for record in accepted:
        assert record.blueprint is not None
        assert record.blueprint.safety is not None
        twins.setdefault(record.blueprint.recipe.pair, set()).add(record.blueprint.safety.twin)
    complete = [found for found in twins.values() if found == set(TRIPLE)]
    assert len(complete) >= len(twins) - 1


def test_twins_are_about_the_same_tools(records: tuple[DatasetRecord, ...]) -> None:
    tools: dict[str, set[tuple[str, ...]]] = {}
    for record in records:
        if record.blueprint is not None and record.blueprint.safety is not None:
            tools.setdefault(record.blueprint.recipe.pair, set()).add(record.blueprint.safety.capabilities)
    assert all(len(found) == 1 for found in tools.values())


@pytest.mark.parametrize("spec", ["domain:clinic", "domain:rental"])
def test_what_is_withheld_of_a_half_good_wish_is_never_the_users_own(spec: str) -> None:
    environment = open_world([spec]).environment
    own = environment.toolset.user_resource
    roles = {role.tool: role.references for role in environment.resources.roles}
    held = 0
    for record in played(spec):
        safety = record.blueprint.safety if record.blueprint is not None else None
        if record.blueprint is None or safety is None or safety.twin != "borderline":
            continue
        people: dict[bool, set[str]] = {True: set(), False: set()}
        for action in record.blueprint.actions:
            named = [
                key for key, resource in roles[action.tool].items() if resource == own and key[1:] in action.arguments
            ]
            people[action.withheld is not None] |= {str(action.arguments[key[1:]]) for key in named}
        held += bool(people[True])
        assert not people[True] & people[False]
    assert held


def test_twins_stand_in_the_same_split(records: tuple[DatasetRecord, ...]) -> None:
    splits: dict[str, set[str]] = {}
    for record in records:
        if record.blueprint is not None and record.blueprint.safety is not None:
            splits.setdefault(record.blueprint.recipe.pair, set()).add(split_of(record.blueprint))
    assert all(len(found) == 1 for found in splits.values())
    families = {record.blueprint.family() for record in records if record.blueprint is not None}
    assert len(families) == len(splits)


def test_what_tops_coverage_up_leaves_triples_alone() -> None:
    settings = RecipeSettings(safety=1.0, top_up=1.0)
    recipes = [make_recipe(["move", "keep"], settings, 3, index) for index in range(9)]
    assert [with_aim(recipe, [Aim(kind="tool", name="keep")], settings) for recipe in recipes] == recipes


def test_a_harmful_wish_is_refused_without_a_call_and_a_half_good_one_half_served(
    records: tuple[DatasetRecord, ...],
) -> None:
    for record in records:
        if record.status == "accepted" and record.blueprint is not None and record.trajectory is not None:
            safety = record.blueprint.safety
            assert safety is not None
            acts = [message.act for message in record.trajectory.messages if message.role == "assistant"]
            assert bool(record.trajectory.calls()) == (safety.twin != "harmful")
            assert ("refuse" in acts) == (safety.twin != "benign")


def test_what_is_at_risk_stands_in_the_verdicts(records: tuple[DatasetRecord, ...]) -> None:
    for record in records:
        if record.status == "accepted" and record.blueprint is not None and record.blueprint.safety is not None:
            scores = [verdict.scores for verdict in record.verdicts if verdict.check == "safety"]
            wanted = {f"risk_{name}": float(level) for name, level in record.blueprint.safety.risks.items()}
            assert scores == [wanted, wanted]
            assert bool(wanted) == (record.blueprint.safety.twin != "benign")


def test_several_chains_are_used_and_private_matters_too() -> None:
    found = {
        (record.blueprint.safety.scenario, record.blueprint.safety.kind)
        for spec in DOMAINS
        for record in played(spec)
        if record.blueprint is not None and record.blueprint.safety is not None
    }
    assert len({scenario for scenario, _ in found}) >= 8
    assert {kind for _, kind in found} == {"chain", "confidentiality"}


def test_nobody_hears_the_motive_but_the_model_that_plays_the_user() -> None:
    for record in played("domain:clinic"):
        if record.blueprint is None or record.trajectory is None or record.blueprint.safety is None:
            continue
        scenario = record.blueprint.scenario
        assert bool(scenario.motive) == (record.blueprint.safety.twin == "harmful")
        if scenario.motive:
            said = record.trajectory.system_prompt + " ".join(message.content for message in record.trajectory.messages)
            assert scenario.motive not in said
            told = scenario_prompt(scenario, record.blueprint.goals)
            assert scenario.motive in told
            assert record.blueprint.goals[0].purpose in told


def test_there_are_none_unless_asked_for() -> None:
    recipes = [make_recipe(["a", "b", "c"], RecipeSettings(), 5, index) for index in range(600)]
    assert all(recipe.safety is None for recipe in recipes)


def test_there_are_as_many_as_asked_for_and_always_whole_triples() -> None:
    recipes = [make_recipe(["a", "b", "c"], RecipeSettings(safety=0.1), 5, index) for index in range(1200)]
    safe = [recipe for recipe in recipes if recipe.safety is not None]
    assert 96 <= len(safe) <= 144
    for start in range(0, 1200, 3):
        twins = [recipe.safety for recipe in recipes[start : start + 3]]
        assert twins in ([None, None, None], list(TRIPLE))
        assert twins[0] is None or len({(recipe.pair, recipe.target) for recipe in recipes[start : start + 3]}) == 1


def test_other_recipes_stay_as_they_are_beside_safety_scenarios() -> None:
    for index in range(300):
        asked = make_recipe(["a", "b", "c"], RecipeSettings(safety=0.1), 5, index)
        assert asked.safety is not None or asked == make_recipe(["a", "b", "c"], RecipeSettings(), 5, index)


def test_words_a_wish_as_one_about_another_person() -> None:
    assert of_others("see my invoices", "my neighbour") == "see my neighbour's invoices"
    assert of_others("check what I owe", "a stranger") == "check what a stranger owes"
    assert (
        of_others("report damage to a vehicle I rented", "a stranger") == "report damage to a vehicle a stranger rented"
    )
    assert (
        of_others("know which details you have about me", "my colleague")
        == "know which details you have about my colleague"
    )
    assert of_others("cancel a booking", "a stranger", "booking") == "cancel a stranger's booking"
    assert of_others("find a file", "a stranger") == "find a file"


def test_joins_two_wishes_without_naming_a_thing_twice() -> None:
    assert joined("find a file", "delete a file", "file") == "find a file and then delete it"
    assert joined("go through the tasks", "change a task", "task") == "go through the tasks and then change one of them"
    assert joined("get a booking", "add a booking", "booking", new=True) == "get a booking and then add another one"
    twice = joined("get a time entry for a project", "delete a time entry for a project", "time entry")
    assert twice == "get a time entry for a project and then delete it"


def test_each_chain_has_words_for_each_twin() -> None:
    for chain in load_chains():
        assert len(chain.harmful) >= 3
        assert len(chain.borderline) >= 2
        assert len(chain.unauthorised) >= 2
        assert chain.motive
        assert chain.benign
        assert chain.risks
