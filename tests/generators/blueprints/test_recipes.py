"""Recipes: pure, and even over every prefix."""

from collections import Counter

from interplay.generators.blueprints.recipes import REGISTRY, REGISTRY_FROM, RecipeSettings, make_recipe

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


def test_keeps_the_shares_of_ways_to_offer_tools_and_lets_them_not_overlap() -> None:
    settings = RecipeSettings(registry=0.2, tool_changes=0.3, tool_search=0.4)
    recipes = [make_recipe(TOOLS, settings, 3, index) for index in range(1000)]
    for name, share in (("registry", 0.2), ("tool_changes", 0.3), ("tool_search", 0.4)):
        assert abs(sum(getattr(recipe, name) for recipe in recipes) / len(recipes) - share) < 0.02
    assert all(recipe.registry + recipe.tool_changes + recipe.tool_search <= 1 for recipe in recipes)


def test_a_share_of_one_leaves_nothing_to_the_others() -> None:
    settings = RecipeSettings(registry=1.0, tool_changes=0.5, tool_search=0.5)
    assert all(make_recipe(TOOLS, settings, 3, index).registry for index in range(100))


def test_searches_a_registry_only_where_there_are_many_tools_unless_told_so() -> None:
    many = [f"tool{number}" for number in range(REGISTRY_FROM + 1)]
    for tools, share in ((many, REGISTRY), (many[1:], 0.0)):
        recipes = [make_recipe(tools, RecipeSettings(), 3, index) for index in range(500)]
        assert abs(sum(recipe.registry for recipe in recipes) / len(recipes) - share) < 0.02
