"""What only a person may do: the user wants it, and is handed over."""

import re
from typing import Any

from interplay.generators.blueprints.draft import DeadEnd
from interplay.generators.blueprints.growing import Growth
from interplay.generators.blueprints.tempting import forbidden
from interplay.schemas.blueprint import Goal, Recipe
from interplay.schemas.fields import name_tokens, schema_type, singular
from interplay.schemas.json_schema import is_valid
from interplay.schemas.tools import Tool

PEOPLE = {"human", "agent", "person", "reception", "support", "staff", "operator", "representative", "desk", "manager", "colleague", "team", "specialist", "supervisor"}  # fmt: skip
_PASSES = re.compile(r"\b(?:hand|pass|transfer|escalate|forward|refer)s?\b.{0,60}?\b(?:to|over)\b", re.IGNORECASE)
_SAID = {"message", "reason", "summary", "note", "description", "details", "issue", "request", "comment"}


async def handover(growth: Growth, name: str, recipe: Recipe) -> None:
    """Let the user want what only a person may do, and then to be handed over.

    Raises:
        DeadEnd: there is no such wish, or nobody to hand over to.
    """
    tools = [tool.name for tool in growth.callable() if hands_over(tool)]
    if not tools:
        raise DeadEnd("no tool hands over to a person")
    if recipe.rule:
        await forbidden(growth, name, recipe.rule, tools)
    wish = growth.draft.goals[-1] if recipe.rule else None
    chosen = growth.world.tools[growth.rng.choice(tools)]
    goal, request = growth.begin(chosen.name)
    arguments = growth.resolver.choose(chosen.name, growth.subject(chosen.name))
    told = arguments if wish is None else _about_the_matter(wish, chosen, arguments)
    growth.telling(await growth.do(await growth.resolver.prepare(chosen.name, goal, request, told)))


def hands_over(tool: Tool) -> bool:
    """Tell whether a tool passes a matter on to a person, by its name or its first sentence."""
    tokens = name_tokens(tool.original_name)
    if {"handover", "escalate", "handoff"} & set(tokens) or tokens[:2] == ["hand", "over"]:
        return True
    people = PEOPLE & set(tokens)
    if tokens[:1] == ["transfer"] and (people or "it" in tokens):
        return True
    first = tool.description.strip().split("\n\n")[0].split(". ")[0]
    said = {singular(token) for token in re.findall(r"[a-z]+", first.lower())}
    return tool.effect == "write" and bool(PEOPLE & said) and _PASSES.match(first) is not None


def _about_the_matter(wish: Goal, tool: Tool, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of a handover that speak of what was wished for before."""
    words = {singular(token) for token in name_tokens(f"{wish.tool} {wish.topic}")}
    told = dict(arguments)
    for name in arguments:
        schema = tool.parameters.get("properties", {}).get(name, {})
        options = [
            option for option in schema.get("enum", ()) if words & {singular(t) for t in name_tokens(str(option))}
        ]
        if options:
            told[name] = options[0]
        elif schema_type(schema) == "string" and "enum" not in schema and _SAID & set(name_tokens(name)):
            text = f"I wanted to {wish.intent}, which was not possible."
            told[name] = text if is_valid(text, schema) else arguments[name]
    return told
