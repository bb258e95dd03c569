"""Tools -> a wish that some of them serve, for a dialogue in which these are not offered."""

from collections.abc import Collection
from dataclasses import dataclass
from random import Random

from interplay.generators.phrases.intents import intents_of, why_unasked
from interplay.schemas.protocols import Environment
from interplay.schemas.records.recipe import Recipe

REST = 3
"""Tools that stay on offer, at least."""


@dataclass(frozen=True)
class BarredWish:
    """A wish, and the tools that could serve it and are therefore not offered."""

    intent: str
    tools: frozenset[str]


def barred_wish(environment: Environment, recipe: Recipe, used: Collection[str], rng: Random) -> BarredWish | None:
    """Return a wish to change a resource, with all tools that change that resource; none of them is `used`.

    The result is None where too few tools would be left, where the tools could still be found since they are searched for
    or come and go, and in languages other than English, since these wishes exist in English only.
    """
    if recipe.language != "en" or recipe.registry or recipe.tool_search or recipe.tool_changes:
        return None
    roles = environment.resources.by_tool
    named = [tool for tool in environment.toolset.tools if tool.requestor == "assistant" and tool.name in roles]
    changing = [tool for tool in named if tool.effect == "write" and roles[tool.name].resource]
    kinds: dict[str, list[str]] = {}
    for tool in changing:
        kinds.setdefault(str(roles[tool.name].resource), []).append(tool.name)
    free = {
        kind
        for kind, names in kinds.items()
        if not {*names} & {*used} and len(named) - len(names) >= max(REST, len(names))
    }
    wanted = [tool for tool in changing if roles[tool.name].resource in free and not why_unasked(tool)]
    if not wanted:
        return None
    tool = rng.choice(wanted)
    return BarredWish(rng.choice(intents_of(tool)), frozenset(kinds[str(roles[tool.name].resource)]))
