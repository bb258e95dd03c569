"""Settings, seed and index -> the recipe of that index; every prefix of indices covers choices and tools evenly.

recipe_settings.py  the settings of recipes: shares of patterns, behaviours, difficulty
draws.py            (seed, dimension, index) -> numbers that fill every prefix evenly, without coordination
target_rounds.py    tools -> how often recipes aim at each of them in a round
pattern_order.py    shares of patterns -> the pattern of each index, by smooth weighted round-robin
rule_targets.py     an index about a policy rule -> the rule, a tool that it governs, and which side of the rule
personas.py         draws -> the persona of a user
index_recipe.py     all of these -> the recipe of an index
aims.py             a recipe and what earlier shards did not cover -> a recipe that aims at that

Order: recipe_settings, draws, target_rounds, pattern_order, rule_targets, personas, index_recipe, aims. To let recipes
differ in something new, add a dimension at the end of `DIMENSIONS`, so that no other draw moves, and a share in `RecipeSettings`.
"""
