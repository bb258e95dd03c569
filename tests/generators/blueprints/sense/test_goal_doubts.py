"""Goals that have nothing to do with the goals before them are told apart before anything is called for them."""

import asyncio
from random import Random

from tests.generators.worlds import generator

from interplay.generators.blueprints.recipes.index_recipe import make_recipe
from interplay.generators.blueprints.recipes.recipe_settings import RecipeSettings
from interplay.generators.blueprints.sense.goal_doubts import is_scattered

LIST, DELETE = "get-bookings", "delete-booking"


def test_a_goal_that_needs_rows_of_which_none_came_up_is_scattered() -> None:
    context = generator("train_travel.yaml").workshop(0).composer.context
    draft, recipe = context.draft(), make_recipe([LIST], RecipeSettings(), 1, 0)
    growth = context.growth(draft, Random(1), None, recipe)
    assert not is_scattered(draft, growth.world, DELETE)
    shown = asyncio.run(growth.request(LIST))
    listed = [row["id"] for row in shown.value["data"]]
    astray = [name for name in ("get-trips", "get-stations", DELETE, LIST) if is_scattered(draft, growth.world, name)]
    assert astray == ["get-trips", "get-stations"]
    assert not is_scattered(draft, growth.world, DELETE, {"bookingId": listed[-1]})
    assert is_scattered(draft, growth.world, DELETE, {"bookingId": "of somebody else"})
