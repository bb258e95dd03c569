"""Recipes: pure, and even over every prefix."""

from collections import Counter

from interplay.generators.blueprints.recipes import RecipeSettings, make_recipe

TOOLS = ["a", "b", "c", "d", "e"]


def test_is_a_pure_function_of_seed_and_index() -> None:
    assert make_recipe(TOOLS, RecipeSettings(), 3, 17) == make_recipe(TOOLS, RecipeSettings(), 3, 17)
    assert make_recipe(TOOLS, RecipeSettings(), 3, 17) != make_recipe(TOOLS, RecipeSettings(), 4, 17)


def test_aims_at_every_tool_once_in_each_round() -> None:
    for start in (0, 5, 35):
        targets = [make_recipe(TOOLS, RecipeSettings(), 1, index).target for index in range(start, start + len(TOOLS))]
        assert sorted(targets) == TOOLS


def test_keeps_the_shares_of_patterns_in_every_prefix() -> None:
    settings = RecipeSettings()
    for size in (50, 200, 1000):
        counted = Counter(make_recipe(TOOLS, settings, 9, index).pattern for index in range(size))
        for pattern, weight in settings.patterns.items():
            assert abs(counted[pattern] / size - weight) < 0.06, (pattern, size, counted)


def test_draws_the_choices_independently_of_one_another() -> None:
    recipes = [make_recipe(TOOLS, RecipeSettings(), 2, index) for index in range(2000)]
    vague = Counter(recipe.pattern for recipe in recipes if recipe.vague)
    for pattern, weight in RecipeSettings().patterns.items():
        assert abs(vague[pattern] / sum(vague.values()) - weight) < 0.05
