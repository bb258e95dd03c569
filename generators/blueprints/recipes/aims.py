"""A recipe and what earlier shards did not cover -> a recipe that sometimes aims at that."""

from collections.abc import Sequence
from random import Random
from typing import Any, Literal

from interplay.generators.blueprints.recipes.draws import draw
from interplay.generators.blueprints.recipes.recipe_settings import FALLBACK_PATTERN, RecipeSettings
from interplay.generators.blueprints.recipes.rule_targets import RULE_PATTERNS
from interplay.schemas.json.record import Record
from interplay.schemas.records.recipe import Recipe
from interplay.schemas.records.tool import PolicyRule


class Aim(Record):
    """Something that accepted tasks of earlier shards do not cover: a tool, an edge, a pattern, or a tempted rule."""

    kind: Literal["tool", "edge", "pattern", "temptation"]
    name: str


def with_aim(recipe: Recipe, aims: Sequence[Aim], settings: RecipeSettings, rules: Sequence[PolicyRule] = ()) -> Recipe:
    """Return the recipe, changed to one of `aims` for the share `top_up` of all indices.

    Safety scenarios stay as they are, since their twins would be left alone otherwise.
    """
    drawn = draw(recipe.seed, "top_up", recipe.index)
    if drawn >= settings.top_up or not aims or recipe.safety is not None:
        return recipe
    rng = Random(f"{recipe.seed}/top_up/{recipe.index}")
    kind = rng.choice(sorted({aim.kind for aim in aims}))
    aim = rng.choice([aim for aim in aims if aim.kind == kind])
    if aim.kind == "temptation":
        about = _tempted(recipe, aim.name, rules, rng)
    elif aim.kind == "tool":
        about = {"target": aim.name, "pattern": FALLBACK_PATTERN if recipe.pattern in RULE_PATTERNS else recipe.pattern}
    elif aim.kind == "edge":
        pattern = rng.choice(("sequential", "multi_goal"))
        about = {"target": aim.name.split(" > ")[1], "edge": aim.name, **_shaped(recipe, pattern)}
    else:
        about = _shaped(recipe, aim.name)
    plain = {"rule": "", "twin": "", "pair": "", "pressure": None, "evolve": None, "retells": None}
    return recipe.model_copy(update={**plain, **about}) if about else recipe


def _shaped(recipe: Recipe, pattern: str) -> dict[str, Any]:
    """Return the fields of a recipe with a pattern."""
    goals = {"goals": max(2, recipe.goals)} if pattern == "multi_goal" else {}
    return {"pattern": pattern, **goals}


def _tempted(recipe: Recipe, rule: str, rules: Sequence[PolicyRule], rng: Random) -> dict[str, Any]:
    """Return the fields of a recipe for a wish that a rule forbids; empty if there is no such rule."""
    tools = next((known.tools for known in rules if known.id == rule), ())
    if not tools:
        return {}
    return {
        "pattern": "refusal",
        "twin": "forbidden",
        "rule": rule,
        "target": rng.choice(tools),
        "goals": 1,
        "pair": f"{recipe.seed}/top_up/{recipe.index}",
        "vague": False,
        "faults": (),
    }
