"""Settings, seed and index -> the recipe of that index: every prefix of indices covers choices evenly, tools by what they do.

recipe_settings.py  what the recipes of a run are drawn from: shares of patterns, behaviours, difficulty
draws.py            (seed, dimension, index) -> numbers that fill every prefix evenly, without coordination
target_rounds.py    tools -> the round in which recipes aim at them, some of them more than once
pattern_order.py    shares of patterns -> the pattern of each index: common ones first, each as often as its share says
rule_targets.py     an index about a policy rule -> the rule, a tool that it governs, and which side of the rule
personas.py         draws -> how a user talks
index_recipe.py     all of it -> the recipe of an index
aims.py             a recipe and what earlier shards left out -> a recipe that aims at that

Order: recipe_settings, draws, target_rounds, pattern_order, rule_targets, personas, index_recipe, aims. To let recipes
differ in something new, add a dimension at the end of `DIMENSIONS`, so that no other draw moves, and a share in `RecipeSettings`.
"""
