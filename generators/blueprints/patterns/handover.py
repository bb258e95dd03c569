"""What only a person may do: the user wants it, and is handed over."""

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
    """Tell whether a rule speaks of a tool, or whether some tool hands over and no rule says when."""
    rules = growth.world.environment.toolset.rules
    if growth.policy is not None and any(name in rule.tools for rule in rules):
        return True
    if any(rule.kind == "handover_when" for rule in rules):
        return False
    return any(hands_over(tool) for tool in growth.callable())


def _wish_in_vain(growth: Growth) -> None:
    """Let the user want what no tool serves."""
    wish = growth.rng.choice(unserved_wishes(growth.world.environment.toolset))
    growth.draft.requests.append((len(growth.draft.goals),))
    growth.draft.goals.append(Goal(intent=wish, tool="", topic=" ".join(wish.split()[-2:])))


async def handover(growth: Growth, name: str, recipe: Recipe) -> None:
    """Let the user want what only a person may do, or what no tool does, and then to be handed over.

    Raises:
        DeadEnd: there is no such wish, or nobody to hand over to.
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
    """Return the arguments of a handover that speak of what was wished for before."""
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
    """Tell whether a draft hands over to a person what is forbidden, or what no tool does."""
    draft = grown.draft
    barred = any(step.withheld and step.withheld.reason == "forbidden" for step in draft.steps)
    tools = (draft.environment.toolset.tool(goal.tool) for goal in draft.goals if goal.tool)
    return (barred or not all(goal.tool for goal in draft.goals)) and any(map(hands_over, tools))


HANDOVER = TaskPattern("handover", is_handed_over, handover, suits)
