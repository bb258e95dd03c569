"""The `handover` pattern: the user wants what only a person may do, and is handed over to one."""

from typing import Any

from interplay.generators.blueprints.drafting.draft import DeadEnd
from interplay.generators.blueprints.growth.growth import Growth
from interplay.generators.blueprints.growth.temptation import forbidden
from interplay.generators.blueprints.patterns.task_pattern import Grown, TaskPattern
from interplay.generators.phrases.escalation import hands_over
from interplay.generators.phrases.unserved_wishes import unserved_wishes
from interplay.generators.values.texts.localised_texts import not_served
from interplay.schemas.json.fields import schema_type
from interplay.schemas.json.validation import is_valid
from interplay.schemas.records.blueprint import Goal
from interplay.schemas.records.recipe import Recipe
from interplay.schemas.records.tool import Tool
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.nouns import singular

_SAID = {"message", "reason", "summary", "note", "description", "details", "issue", "request", "comment"}


def suits(growth: Growth, name: str) -> bool:
    """Tell whether a rule governs a tool, or whether a tool hands over to a person and no rule says when."""
    rules = growth.world.environment.toolset.rules
    if growth.policy is not None and any(name in rule.tools for rule in rules):
        return True
    if any(rule.kind == "handover_when" for rule in rules):
        return False
    return any(hands_over(tool) for tool in growth.callable())


def _wish_in_vain(growth: Growth) -> None:
    """Add a request for something that no tool does."""
    wish = growth.rng.choice(unserved_wishes(growth.world.environment.toolset))
    growth.draft.requests.append((len(growth.draft.goals),))
    growth.draft.goals.append(Goal(intent=wish, tool="", topic=" ".join(wish.split()[-2:])))


async def handover(growth: Growth, name: str, recipe: Recipe) -> None:
    """Grow a wish that only a person may fulfil, or that no tool serves, followed by a handover.

    Raises:
        DeadEnd: there is no such wish, or no tool that hands over.
    """
    tools = [tool.name for tool in growth.callable() if hands_over(tool)]
    if not tools:
        raise DeadEnd("no tool hands over to a person")
    if recipe.rule:
        await forbidden(growth, name, recipe.rule, tools)
    else:
        _wish_in_vain(growth)
    wish = growth.draft.goals[-1]
    chosen = growth.world.tools[growth.rng.choice(tools)]
    goal, request = growth.begin(chosen.name)
    arguments = growth.resolver.choose(chosen.name, growth.subject(chosen.name))
    complaint = not_served(wish.intent, bool(wish.tool), recipe.language, growth.world.environment.toolset)
    told = _about_the_matter(wish, chosen, arguments, complaint)
    growth.check_heard(await growth.do(await growth.resolver.prepare(chosen.name, goal, request, told)))


def _about_the_matter(wish: Goal, tool: Tool, arguments: dict[str, Any], text: str) -> dict[str, Any]:
    """Return the arguments of a handover with its options and texts adapted to the preceding wish."""
    words = {singular(token) for token in name_tokens(f"{wish.tool} {wish.topic}")}
    told = dict(arguments)
    for name in arguments:
        schema = tool.properties.get(name, {})
        options = [
            option for option in schema.get("enum", ()) if words & {singular(t) for t in name_tokens(str(option))}
        ]
        if options:
            told[name] = options[0]
        elif schema_type(schema) == "string" and "enum" not in schema and _SAID & set(name_tokens(name)):
            told[name] = text if is_valid(text, schema) else arguments[name]
    return told


def is_handed_over(grown: Grown) -> bool:
    """Tell whether a draft has a forbidden or unserved wish that is handed over to a person."""
    draft = grown.draft
    barred = any(step.withheld and step.withheld.reason == "forbidden" for step in draft.steps)
    tools = (draft.environment.toolset.tool(goal.tool) for goal in draft.goals if goal.tool)
    return (barred or not all(goal.tool for goal in draft.goals)) and any(map(hands_over, tools))


HANDOVER = TaskPattern("handover", is_handed_over, handover, suits)
