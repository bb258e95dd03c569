"""Edges of the graph: what one goal shows is what the next one is about."""

import asyncio

import pytest
from tests.generators.worlds import generator, records

from interplay.generators.blueprints.recipes.index_recipe import make_recipe
from interplay.generators.blueprints.recipes.recipe_settings import RecipeSettings
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.recipe import Pattern, Recipe

RENTAL = "domain:rental"
EDGES = ("list_charges > get_booking", "find_branches > find_vehicles", "create_booking > extend_booking")


def led(blueprint: Blueprint) -> set[str]:
    """Return the edges by which one goal leads to another."""
    actions = {action.id: action for action in blueprint.actions}
    return {
        f"{actions[origin.action].tool} > {action.tool}"
        for action in blueprint.actions
        for origin in action.origins.values()
        if origin.action is not None and actions[origin.action].goal != action.goal
    }


def recipe(edge: str, pattern: Pattern, index: int) -> Recipe:
    plain = make_recipe(["a"], RecipeSettings(evolved=0, behaviours={}, faults=0, late=0), 1, index)
    goals = 2 if pattern == "multi_goal" else 1
    return plain.model_copy(
        update={
            "target": edge.split(" > ")[1],
            "edge": edge,
            "pattern": pattern,
            "goals": goals,
            "rule": "",
            "twin": "",
        }
    )


@pytest.mark.parametrize("edge", EDGES)
@pytest.mark.parametrize("pattern", ["sequential", "multi_goal"])
def test_a_recipe_that_aims_at_an_edge_gets_it(edge: str, pattern: Pattern) -> None:
    composer = generator(RENTAL).workshop(0).composer
    made = [asyncio.run(composer.compose(recipe(edge, pattern, index))) for index in range(6)]
    found = [blueprint for blueprint in made if isinstance(blueprint, Blueprint) and edge in led(blueprint)]
    assert len(found) >= 2
    assert all((len(blueprint.scenario.requests) > 1) == (pattern == "multi_goal") for blueprint in found)


@pytest.mark.parametrize(("spec", "fewest"), [(RENTAL, 20), ("domain:workspace", 20), ("museum.yaml", 4)])
def test_goals_lead_to_each_other_by_edges_and_are_played_like_all_others(spec: str, fewest: int) -> None:
    shares = {"patterns": {"sequential": 1, "multi_goal": 1}, "behaviours": {}, "faults": 0, "evolved": 0}
    settings = {**shares, "plain": 0.0, "sense": 0.4}
    made = records(spec, 70, recipes=settings)
    assert sum(record.status != "accepted" for record in made) <= 1
    edges = [edge for record in made if record.blueprint is not None for edge in led(record.blueprint)]
    assert len(edges) >= fewest
    assert len(set(edges)) >= min(fewest, 5)
