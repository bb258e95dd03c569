"""Recipes: pure, and even over every prefix."""

from collections import Counter
from itertools import pairwise

import pytest

from interplay.generators.blueprints.recipes.index_recipe import REGISTRY, REGISTRY_FROM, make_recipe
from interplay.generators.blueprints.recipes.pattern_order import CYCLE
from interplay.generators.blueprints.recipes.recipe_settings import RecipeSettings
from interplay.schemas.records.tool import PolicyRule

TOOLS = ["a", "b", "c", "d", "e"]
RULES = [
    PolicyRule(id="r1", kind="forbids", text="No a.", tools=("a", "b")),
    PolicyRule(id="r2", kind="handover_when", text="Hand c over.", tools=("c",)),
    PolicyRule(id="r3", kind="confirm_before", text="Ask before d.", tools=("d",)),
]


def test_is_a_pure_function_of_seed_and_index() -> None:
    assert make_recipe(TOOLS, RecipeSettings(), 3, 17) == make_recipe(TOOLS, RecipeSettings(), 3, 17)
    assert make_recipe(TOOLS, RecipeSettings(), 3, 17) != make_recipe(TOOLS, RecipeSettings(), 4, 17)


def test_aims_at_every_tool_once_in_each_round() -> None:
    settings = RecipeSettings()
    for start in (0, 5, 35):
        targets = [make_recipe(TOOLS, settings, 1, index).target for index in range(start, start + len(TOOLS))]
        assert sorted(targets) == TOOLS


def test_keeps_the_shares_of_patterns_in_every_prefix() -> None:
    settings = RecipeSettings()
    for size in (50, 200, 1000):
        counted = Counter(
            make_recipe(TOOLS, settings, 9, index, RULES, two_sided=True).pattern for index in range(size)
        )
        for pattern, weight in settings.patterns.items():
            assert abs(counted[pattern] / size - weight) < 0.05 + 2 / size, (pattern, size, counted)


def test_asks_for_refusals_and_handovers_only_where_a_rule_can_bring_them_about() -> None:
    without = {make_recipe(TOOLS, RecipeSettings(), 9, index).pattern for index in range(200)}
    assert not without & {"refusal", "handover"}
    about = [make_recipe(TOOLS, RecipeSettings(), 9, index, RULES) for index in range(1000)]
    assert {(recipe.pattern, recipe.rule) for recipe in about if recipe.rule} == {
        ("refusal", "r1"),
        ("refusal", "r2"),
        ("refusal", "r3"),
        ("handover", "r2"),
    }


def test_each_forbidden_wish_has_a_twin_that_is_allowed() -> None:
    about = [make_recipe(TOOLS, RecipeSettings(), 9, index, RULES) for index in range(1000)]
    twins = [(recipe.pair, recipe.rule, recipe.target) for recipe in about if recipe.pattern == "refusal"]
    assert len(twins) > 80
    assert set(Counter(twins).values()) == {2}
    sides = [recipe.twin for recipe in about if recipe.pattern == "refusal"]
    assert Counter(sides)["forbidden"] == Counter(sides)["allowed"]


def test_draws_the_choices_independently_of_one_another() -> None:
    settings = RecipeSettings(difficulty={"medium": 1.0})
    recipes = [make_recipe(TOOLS, settings, 2, index) for index in range(2000)]
    described = Counter(recipe.pattern for recipe in recipes if recipe.described)
    every = Counter(recipe.pattern for recipe in recipes)
    for pattern, count in every.items():
        assert abs(described[pattern] / sum(described.values()) - count / len(recipes)) < 0.03


def test_keeps_the_shares_of_ways_to_offer_tools_and_lets_them_not_overlap() -> None:
    settings = RecipeSettings(registry=0.2, tool_changes=0.3, tool_search=0.4)
    recipes = [make_recipe(TOOLS, settings, 3, index) for index in range(1000)]
    for name, share in (("registry", 0.2), ("tool_changes", 0.3), ("tool_search", 0.4)):
        assert abs(sum(getattr(recipe, name) for recipe in recipes) / len(recipes) - share) < 0.06
    assert all(recipe.registry + recipe.tool_changes + recipe.tool_search <= 1 for recipe in recipes)


def test_a_share_of_one_leaves_nothing_to_the_others() -> None:
    settings = RecipeSettings(registry=1.0, tool_changes=0.5, tool_search=0.5)
    assert all(make_recipe(TOOLS, settings, 3, index).registry for index in range(100))


def test_searches_a_registry_only_where_there_are_many_tools_unless_told_so() -> None:
    many = [f"tool{number}" for number in range(REGISTRY_FROM + 1)]
    for tools, share in ((many, REGISTRY), (many[1:], 0.0)):
        recipes = [make_recipe(tools, RecipeSettings(), 3, index) for index in range(500)]
        assert abs(sum(recipe.registry for recipe in recipes) / len(recipes) - share) < 0.02


def test_begins_with_the_common_patterns_whatever_the_seed() -> None:
    for settings in (RecipeSettings(), RecipeSettings().plainly()):
        common = sorted(settings.patterns.values(), reverse=True)[4]
        for seed in range(12):
            patterns = [make_recipe(TOOLS, settings, seed, index, RULES).pattern for index in range(8)]
            assert settings.patterns[patterns[0]] >= common
            assert not {"no_call", "missing_tool"} & set(patterns[:2])


@pytest.mark.parametrize("given", [{}, {"tool_changes": 0.2}])
def test_settings_that_were_written_and_read_again_give_the_same_recipes(given: dict[str, float]) -> None:
    settings = RecipeSettings(**given)
    again = RecipeSettings.model_validate_json(settings.model_dump_json())
    for index in range(300):
        recipe = make_recipe(TOOLS, settings.plainly(), 3, index)
        assert make_recipe(TOOLS, again.plainly(), 3, index) == recipe


def test_dialogues_without_a_call_never_stand_near_each_other() -> None:
    for settings in (RecipeSettings(), RecipeSettings().plainly()):
        for seed in range(4):
            patterns = [make_recipe(TOOLS, settings, seed, index, RULES).pattern for index in range(1000)]
            places = [place for place, pattern in enumerate(patterns) if pattern == "no_call"]
            assert min(after - before for before, after in pairwise(places)) > 6


def test_a_rare_pattern_comes_too_and_the_order_goes_on_beyond_a_cycle() -> None:
    settings = RecipeSettings(patterns={"single": 1.0, "ask": 0.0008})
    counted = Counter(make_recipe(TOOLS, settings, 5, index).pattern for index in range(10 * CYCLE))
    assert 2 <= counted["ask"] <= 20
