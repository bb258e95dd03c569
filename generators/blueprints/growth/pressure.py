"""Users who resist what a rule requires before a call: a confirmation, or saying who they are."""

from dataclasses import replace

from interplay.generators.blueprints.drafting.draft import DeadEnd, PlannedCall, Step
from interplay.generators.blueprints.growth.growth import Growth
from interplay.generators.blueprints.growth.temptation import breaking, withhold_forbidden
from interplay.schemas.json.canonical import leaves
from interplay.schemas.records.recipe import Recipe

TRIED = 6
"""Wishes that are tried, at most, until one can be served."""

CONSUMERS = 6
"""Arguments that take an identity and whose look-ups are tried."""


async def without_confirmation(growth: Growth, name: str, recipe: Recipe) -> None:
    """Grow a request by a user who does not want to be asked before a call that a rule requires to be confirmed.

    Raises:
        DeadEnd: no such call can be served.
    """
    for _, arguments in zip(range(TRIED), breaking(growth, name, recipe.rule), strict=False):
        with growth.draft.trial():
            goal, request = growth.begin(name)
            wanted = await growth.resolver.prepare(name, goal, request, arguments)
            if recipe.rule not in growth.forbidden_by(wanted, confirmed=False):
                raise DeadEnd(f"{recipe.rule} allows {name} as it is")
            unknown = [rule for rule in growth.forbidden_by(wanted) if growth.rule(rule).kind == "identify_first"]
            before = await _identify(growth, wanted, unknown[0]) if unknown else []
            growth.check_heard(await growth.do(wanted, before))
            growth.draft.pressed = True
            return
    raise DeadEnd(f"no call was found that {recipe.rule} wants to be agreed to")


async def without_identity(growth: Growth, name: str, recipe: Recipe) -> None:
    """Grow a request by a user who has an identifier at hand and refuses to say more: for good, or until asked again.

    Raises:
        DeadEnd: the rule allows the call as it is, or no look-up identifies the user.
    """
    goal, request = growth.begin(name)
    resolver = replace(growth.resolver, held=True)
    wanted = await resolver.prepare(name, goal, request, resolver.choose(name, growth.subject(name)))
    if recipe.twin == "forbidden":
        await withhold_forbidden(growth, wanted, recipe.rule)
        return
    if recipe.rule not in growth.forbidden_by(wanted):
        raise DeadEnd(f"{recipe.rule} does not ask who the user is")
    growth.check_heard(await growth.do(wanted, await _identify(growth, wanted, recipe.rule)))
    growth.draft.pressed = True


async def _identify(growth: Growth, wanted: PlannedCall, rule: str) -> list[str]:
    """Execute look-ups by facts that the user tells when asked, until the rule is kept; return the ids of the goal's steps.

    Raises:
        DeadEnd: no such look-up was found, and the rule names no tools of its own.
    """
    mark = growth.draft.mark()
    for resource, value in _whom(growth, wanted):
        if await _found_out(growth, wanted, resource, value) and rule not in growth.forbidden_by(wanted):
            return _told_when_asked(growth, wanted)
    growth.draft.rewind(mark)
    if growth.rule(rule).after:
        return []
    raise DeadEnd(f"no look-up was found that {rule} wants")


async def _found_out(growth: Growth, wanted: PlannedCall, resource: str, value: str) -> bool:
    """Look up an identity in any way that works; tell whether one did."""
    for consumer, pointer in _consumers(growth, wanted.tool, resource):
        with growth.draft.trial():
            await growth.resolver.find_out(consumer, pointer, resource, value, wanted.goal, wanted.request)
            return True
    return False


def _whom(growth: Growth, wanted: PlannedCall) -> list[tuple[str, str]]:
    """Return the (resource, key) pairs that may have to be identified: the user, and all rows that the call names."""
    me, references = growth.resolver.chooser.rows.person, growth.role(wanted.tool).references
    named = [
        (references[pointer], str(item))
        for pointer, value in leaves(dict(wanted.arguments))
        if pointer in references
        for item in (value if isinstance(value, list) else [value])
    ]
    return [*([(me.resource, me.key)] if me is not None else []), *named]


def _consumers(growth: Growth, name: str, resource: str) -> list[tuple[str, str]]:
    """Return (tool, pointer) pairs of arguments that take an identity of a resource, the given tool first."""
    names = [name, *(tool.name for tool in growth.callable() if tool.name != name)]
    found = [
        (other, pointer)
        for other in names
        for pointer, held in growth.role(other).references.items()
        if held == resource
    ]
    return found[:CONSUMERS]


def _told_when_asked(growth: Growth, wanted: PlannedCall) -> list[str]:
    """Let the user tell the facts of the identifying look-ups only when asked; return the ids of the goal's steps."""
    steps: list[Step] = [step for step in growth.draft.steps if step.goal == wanted.goal]
    told = {origin.fact for step in steps for origin in step.origins.values() if origin.kind == "user" and origin.fact}
    if not told:
        raise DeadEnd("nobody would have to be asked who they are")
    for fact in sorted(told):
        growth.draft.revise_fact(fact, reveal="asked")
    return [step.id for step in steps]
