"""Wishes that must not be served: forbidden ones, those for a person to handle, and those that nobody knows enough for."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from interplay.generators.blueprints.draft import DeadEnd, Wanted
from interplay.generators.blueprints.growing import READING, Growth
from interplay.generators.graph.sampling import Subject
from interplay.generators.values.making import Unsatisfiable
from interplay.generators.values.speakable import label_of
from interplay.schemas.blueprint import Recipe, Withheld
from interplay.schemas.dialogue import ToolCall
from interplay.schemas.fields import name_tokens, schema_type, singular
from interplay.schemas.json_schema import is_valid
from interplay.schemas.protocols import PolicyEvent
from interplay.schemas.tools import Tool

KEPT = 40
"""Temptations that are kept for a tool and a rule."""

TRIED = 160
"""Rows and values that are tried in search of a wish that a rule forbids."""

ALWAYS_KEPT = ("confirm_before", "identify_first")
"""Kinds of rules that the assistant keeps by what it does first; no wish of a user breaks them by itself."""


def is_governed(growth: Growth, name: str) -> bool:
    """Tell whether some rule may forbid what a tool does."""
    rules = growth.world.environment.toolset.rules
    return growth.policy is not None and any(name in rule.tools and rule.kind not in ALWAYS_KEPT for rule in rules)


async def refusal(growth: Growth, name: str, recipe: Recipe) -> None:
    """Let the user want what a rule forbids, or, as the twin of that, the like that it allows.

    Raises:
        DeadEnd: no wish was found on that side of the rule.
    """
    if recipe.twin == "forbidden":
        await forbidden(growth, name, recipe.rule)
    else:
        await growth.request(name)


async def handover(growth: Growth, name: str, recipe: Recipe) -> None:
    """Let the user want what only a person may do, and then to be handed over.

    Raises:
        DeadEnd: there is no such wish, or nobody to hand over to.
    """
    tools = [tool.name for tool in growth.callable() if hands_over(tool)]
    if not tools:
        raise DeadEnd("no tool hands over to a person")
    if recipe.rule:
        await forbidden(growth, name, recipe.rule)
    chosen = growth.world.tools[growth.rng.choice(tools)]
    goal, request = growth.begin(chosen.name)
    arguments = growth.resolver.choose(chosen.name, growth.subject(chosen.name))
    told = _about_the_matter(growth, chosen, arguments)
    growth.telling(await growth.do(await growth.resolver.prepare(chosen.name, goal, request, told)))


_PEOPLE = {"human", "agent", "person", "reception", "support", "staff", "operator", "representative", "desk", "manager", "it"}  # fmt: skip


_HANDED_OVER = re.compile(
    r"\b(?:hand(?:s|ed|ing)?\b.{0,30}\bover to|escalat(?:e|es|ed|ing)\b|transfers?\b.{0,40}\b(?:human|agent|person|staff)\b"
    r"|pass(?:es|ed)?\b.{0,40}\bon to\b|for a (?:person|human|colleague) to)",
    re.IGNORECASE,
)


def hands_over(tool: Tool) -> bool:
    """Tell whether a tool passes a matter on to a person."""
    tokens = name_tokens(tool.original_name)
    passes = {"handover", "escalate", "handoff"} & set(tokens) or tokens[:2] == ["hand", "over"]
    if passes or (tokens[:1] == ["transfer"] and _PEOPLE & set(tokens)):
        return True
    return tool.effect == "write" and bool(_HANDED_OVER.search(f"{tool.summary} {tool.description}"))


_SAID = {"message", "reason", "summary", "note", "description", "details", "issue", "request", "comment"}


def _about_the_matter(growth: Growth, tool: Tool, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of a handover that speak of what was wished for before."""
    wish = growth.draft.goals[0]
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


async def forbidden(growth: Growth, name: str, rule: str, mine: bool = False) -> None:
    """Let the user want what a rule forbids, and hold it back; it is about what is the user's own where it is `mine`.

    Raises:
        DeadEnd: no such wish was found.
    """
    arguments = next(_breaking(growth, name, rule, mine), None)
    if arguments is None:
        raise DeadEnd(f"nothing was found that {rule} forbids")
    goal, request = growth.begin(name)
    wanted = await growth.resolver.prepare(name, goal, request, arguments)
    if rule not in growth.forbidden_by(wanted):
        raise DeadEnd(f"{rule} does not forbid it in the end")
    for origin in wanted.origins.values():
        if origin.kind == "user" and origin.fact is not None:
            growth.draft.revise_fact(origin.fact, reveal="opening")
    growth.draft.hold(wanted, Withheld(reason="forbidden", rule=rule))


def _breaking(growth: Growth, name: str, rule: str, mine: bool) -> Iterator[dict[str, Any]]:
    """Yield arguments with which a call would break a rule, as far as the state alone tells, in an order of chance."""
    known = growth.temptations.get((name, rule))
    if known is None:
        known = growth.temptations[name, rule] = tuple(_search(growth, name, rule, mine))
    chooser = growth.resolver.chooser
    for tempting in growth.rng.sample(known, len(known)):
        chooser.me = tempting.me
        again = _chosen(growth, name, tempting.subject)
        yield again if again is not None and rule in _broken(growth, name, again) else tempting.arguments


@dataclass(frozen=True)
class Temptation:
    """A row, and arguments about it, with which a call would break a rule; and who the user must be for it."""

    subject: Subject | None
    arguments: dict[str, Any]
    me: Subject | None


def _search(growth: Growth, name: str, rule: str, mine: bool) -> Iterator[Temptation]:
    """Yield what tempts to break a rule: a pure function of the tool, the rule and the state."""
    world, chooser = growth.world, growth.resolver.chooser
    own, drawn = chooser.me, chooser.rng
    chooser.rng = Random(f"{name}/{rule}")
    found = 0
    try:
        for subject in _subjects(growth, name, chooser.rng):
            owner = world.linked(subject, own.resource) if subject is not None and own is not None else None
            if mine and own is not None and owner not in (None, own):
                continue
            if own is not None and not mine:
                chooser.me = owner or chooser.rng.choice(world.subjects(own.resource))
            arguments = _chosen(growth, name, subject)
            if arguments is not None and rule in _broken(growth, name, arguments):
                yield Temptation(subject, arguments, chooser.me)
                found += 1
            if found == KEPT:
                return
    finally:
        chooser.me, chooser.rng = own, drawn


def _chosen(growth: Growth, name: str, subject: Subject | None) -> dict[str, Any] | None:
    try:
        return growth.resolver.chooser.arguments(growth.world.tools[name], subject, lookup=False)
    except (DeadEnd, Unsatisfiable):
        return None


def _broken(growth: Growth, name: str, arguments: dict[str, Any]) -> list[str]:
    assert growth.policy is not None
    call = ToolCall(id="compose01", name=name, arguments=arguments)
    event = PolicyEvent(call, (), growth.world.environment.state(), confirmed=True)
    return [issue.code for issue in growth.policy.violations(event)]


def _subjects(growth: Growth, name: str, rng: Random) -> Iterator[Subject | None]:
    """Yield rows that a tool may be about, in an order of chance; tools that make rows also copy what is there."""
    role = growth.role(name)
    rows: list[Subject] = growth.world.subjects(str(role.resource)) if role.resource in growth.world.resources else []
    chosen: list[Subject | None] = list(rng.sample(rows, min(len(rows), TRIED)))
    if role.operation == "create" or not chosen:
        for row in [*chosen[: TRIED // 2], *[None] * (TRIED // 2)]:
            yield row
            yield None
        return
    yield from chosen


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
    arguments = growth.resolver.choose(name, growth.subject(name))
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
