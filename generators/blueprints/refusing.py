"""Wishes that a policy rule speaks of, on either side of it, and those that nobody knows enough for."""

from collections.abc import Mapping
from typing import Any

from interplay.generators.blueprints.draft import DeadEnd, Wanted
from interplay.generators.blueprints.growing import READING, Growth
from interplay.generators.blueprints.handing_over import handover
from interplay.generators.blueprints.pressing import unasked, unidentified
from interplay.generators.blueprints.tempting import forbidden
from interplay.generators.values.speakable import label_of
from interplay.schemas.blueprint import Withheld
from interplay.schemas.fields import schema_type
from interplay.schemas.recipe import Recipe


def is_governed(growth: Growth, name: str) -> bool:
    """Tell whether some rule speaks of a tool."""
    rules = growth.world.environment.toolset.rules
    return growth.policy is not None and any(name in rule.tools for rule in rules)


async def refusal(growth: Growth, name: str, recipe: Recipe) -> None:
    """Let the user want what a rule forbids, or, as the twin of that, the like that it allows.

    Raises:
        DeadEnd: no wish was found on that side of the rule.
    """
    kind = growth.rule(recipe.rule).kind
    if kind == "identify_first":
        await unidentified(growth, name, recipe)
    elif recipe.twin != "forbidden":
        await growth.request(name)
    elif kind == "confirm_before":
        await unasked(growth, name, recipe)
    elif kind == "handover_when":
        await handover(growth, name, recipe)
    else:
        await forbidden(growth, name, recipe.rule)


def suits_ask(growth: Growth, name: str) -> bool:
    """Tell whether a tool takes something that the user alone can know."""
    tool, role = growth.world.tools[name], growth.role(name)
    if role.operation in READING:
        return False
    required = (key for key in tool.parameters.get("required", ()) if f"/{key}" not in role.references)
    schemas = tool.parameters.get("properties", {})
    return any(_is_own(label_of(f"/{key}"), schemas.get(key, {})) for key in required)


def _is_own(label: str, schema: Mapping[str, Any]) -> bool:
    """Tell whether somebody may lack a value: one that is not chosen from a few, nor what everybody knows of themselves."""
    return label not in PERSONAL and "enum" not in schema and schema_type(schema) in ("string", "integer", "number")


PERSONAL = {"name", "email", "phone number", "address", "birth date", "date of birth", "city", "password"}
"""What everybody knows of themselves."""


async def ask(growth: Growth, name: str, recipe: Recipe) -> None:  # noqa: ARG001
    """Let the user want what takes a value that it does not have either.

    Raises:
        DeadEnd: every value can be looked up.
    """
    goal, request = growth.begin(name)
    arguments = growth.arguments(name)
    wanted = await growth.resolver.prepare(name, goal, request, arguments)
    fact = _only_told(growth, wanted)
    growth.draft.revise_fact(fact, reveal="never", value=None)
    growth.draft.hold(wanted, Withheld(reason="unknown", fact=fact))


def _only_told(growth: Growth, wanted: Wanted) -> str:
    required = growth.world.tools[wanted.tool].parameters.get("required", ())
    facts = {fact.id: fact for fact in growth.draft.facts}
    used = [origin.fact for step in growth.draft.steps for origin in step.origins.values()]
    schemas = growth.world.tools[wanted.tool].parameters.get("properties", {})
    for pointer, origin in wanted.origins.items():
        needed = pointer.count("/") == 1 and pointer[1:] in required
        if needed and origin.kind == "user" and origin.fact is not None and origin.fact not in used:
            fact = facts[origin.fact]
            known = fact.choice is not None or fact.hint.get("type") == "identity"
            if not known and _is_own(fact.label, schemas[pointer[1:]]):
                return fact.id
    raise DeadEnd(f"the user could tell all that {wanted.tool} takes")
