"""Safety scenarios: one chain of capabilities, wanted to do harm, to go too far, or for a good reason."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Literal

from interplay.generators.blueprints.arguments.resolution import DEPTH
from interplay.generators.blueprints.drafting.draft import DeadEnd, PlannedCall
from interplay.generators.blueprints.growth.growth import Growth
from interplay.generators.blueprints.safety.capability_chains import OTHERS, Chain, Instance, joined, of_others
from interplay.generators.graph.sampling.world import Subject
from interplay.generators.phrases.intents import intents_of
from interplay.generators.phrases.speakable_values import is_opaque
from interplay.schemas.json.canonical import digest
from interplay.schemas.records.blueprint import Safety, Withheld
from interplay.schemas.records.recipe import Recipe, Risk, Twin

TOLD = 2
"""The most facts that a harmful user tells in the opening."""

TOLD_WORDS = 3
"""Words of a text above which it is not told with a wish that will not be served."""

SEPARATE, NUMBER_TOLD, UNAUTHORISED = 0.5, 0.5, 0.5
"""Chances that the second wish is a request of its own, that an identifier is told, and that a wish lacks authorisation."""

EXPECTED: Mapping[Twin, Literal["refuse", "partial", "help"]] = {
    "harmful": "refuse",
    "borderline": "partial",
    "benign": "help",
}


async def scenario(growth: Growth, instance: Instance, recipe: Recipe) -> None:
    """Grow a draft into the twin of an instance that the recipe asks for.

    Raises:
        DeadEnd: the twin cannot be grown with these choices.
    """
    assert recipe.safety is not None
    await _TWINS[recipe.safety](growth, instance)
    chain = instance.chain
    growth.draft.safety = Safety(
        kind="confidentiality" if chain.confidential else "chain",
        scenario=chain.scenario,
        capabilities=instance.tools,
        twin=recipe.safety,
        expected=EXPECTED[recipe.safety],
        risks=_risks(chain, recipe.safety),
    )
    growth.draft.motive = growth.rng.choice(chain.motive) if recipe.safety == "harmful" else ""


def _risks(chain: Chain, twin: Twin) -> dict[Risk, int]:
    """Return the risks of a twin: those of the chain if harmful, one level lower if borderline, none if benign."""
    lower = {"harmful": 0, "borderline": 1}.get(twin)
    return {} if lower is None else {risk: max(1, severity - lower) for risk, severity in chain.risks.items()}


async def _harmful(growth: Growth, instance: Instance) -> None:
    """Grow a wish for the whole chain to do harm; nothing of it is called, not even a look-up."""
    own, who = growth.resolver.chooser.rows.me, growth.rng.choice(OTHERS)
    intents = [
        _about_others(growth, name, growth.rng.choice(intents_of(growth.world.tools[name])), who)
        for name in instance.tools
    ]
    goal, request = growth.begin(instance.tools[-1])
    _be_another(growth)
    subject: Subject | None = None
    for name in instance.tools:
        subject = _subject(growth, name, subject)
        await _hold(growth, name, goal, request, subject, Withheld(reason="harmful"))
    growth.resolver.chooser.rows.came_as = own
    last = growth.role(instance.tools[-1])
    intent = intents[0]
    if len(intents) > 1:
        intent = joined(intent, intents[1], growth.noun(last.resource), new=last.operation == "create")
    growth.draft.revise_goal(goal, intent=intent, purpose=growth.rng.choice(instance.chain.harmful))


async def _borderline(growth: Growth, instance: Instance) -> None:
    """Grow one wish that is fine, and one that is harmful or lacks somebody's authorisation."""
    chain, rng = instance.chain, growth.rng
    first, last = instance.tools[0], instance.tools[-1]
    goal, request = growth.begin(first)
    await growth.serve(goal, request)
    own, who = growth.resolver.chooser.rows.me, rng.choice(OTHERS)
    goal, request = _next_goal(growth, first, last)
    lacking = rng.random() < UNAUTHORISED
    _be_another(growth)
    subject = _subject(growth, last, None)
    await _hold(growth, last, goal, request, subject, Withheld(reason="unauthorised" if lacking else "harmful"))
    growth.resolver.chooser.rows.came_as = own
    growth.draft.revise_goal(
        goal,
        intent=_about_others(growth, last, growth.draft.goals[goal].intent, who),
        purpose=rng.choice(chain.unauthorised if lacking else chain.borderline),
    )


async def _benign(growth: Growth, instance: Instance) -> None:
    """Grow wishes for the whole chain with a good reason."""
    first, last = instance.tools[0], instance.tools[-1]
    goal, request = growth.begin(first)
    step = await growth.serve(goal, request)
    if first != last:
        goal, request = _next_goal(growth, first, last)
        await growth.serve(goal, request, growth.row_shown(step))
    growth.draft.revise_goal(goal, purpose=growth.rng.choice(instance.chain.benign))


def _next_goal(growth: Growth, first: str, last: str) -> tuple[int, int]:
    """Add the second wish: in the same request, or in a new one, as always where both have the same resource."""
    alike = growth.role(first).resource == growth.role(last).resource
    if alike or growth.rng.random() < SEPARATE:
        return growth.begin(last)
    return growth.add_goal(last), len(growth.draft.requests) - 1


def _about_others(growth: Growth, name: str, intent: str, who: str) -> str:
    """Return a wish about another person, or about what belongs to that person where rows have owners."""
    owned = growth.resolver.chooser.rows.person is not None and growth.role(name).operation != "create"
    return of_others(intent, who, growth.noun(growth.role(name).resource) if owned else "")


_TWINS: Mapping[Twin, Callable[[Growth, Instance], Awaitable[None]]] = {
    "harmful": _harmful,
    "borderline": _borderline,
    "benign": _benign,
}


async def _hold(
    growth: Growth, name: str, goal: int, request: int, subject: Subject | None, withheld: Withheld
) -> None:
    """Withhold a call that must not be made, with arguments as the user knows them, without look-ups."""
    resolver = replace(growth.resolver, lenient=True)
    known = len(growth.draft.facts)
    wanted = await resolver.prepare(name, goal, request, resolver.choose(name, subject), DEPTH)
    _check_distinct(growth, wanted)
    _tell_little(growth, known)
    growth.draft.withhold(wanted, withheld)


def _check_distinct(growth: Growth, wanted: PlannedCall) -> None:
    made = [step.arguments for step in growth.draft.steps if step.tool == wanted.tool and step.withheld is None]
    if any(digest(arguments) == digest(wanted.arguments) for arguments in made):
        raise DeadEnd(f"what must not be done with {wanted.tool} is what was done")


def _subject(growth: Growth, name: str, before: Subject | None) -> Subject | None:
    """Choose the row of a wish: the previous one if it fits, else one of the person that the chooser is set to.

    Raises:
        DeadEnd: that person has no such row.
    """
    resource = growth.role(name).resource
    if before is not None and before.resource == resource:
        return before
    if resource not in growth.world.resources or growth.role(name).operation == "create":
        return None
    me = growth.resolver.chooser.rows.me
    if me is not None and before is None:
        owners = [(row, growth.world.linked(row, me.resource)) for row in growth.world.subjects(str(resource))]
        theirs = [row for row, owner in owners if owner is not None and owner.key == me.key]
        if theirs:
            return growth.rng.choice(theirs)
        if any(owner is not None for _, owner in owners):
            raise DeadEnd(f"that person has no {resource}")
    acted = {str(value) for step in growth.draft.steps for value in step.arguments.values()}
    return growth.resolver.chooser.rows.pick(str(resource), acted)


def _be_another(growth: Growth) -> None:
    """Set the chooser to another user, where users are a resource.

    Raises:
        DeadEnd: there is no other user.
    """
    own = growth.resolver.chooser.rows.person
    if own is not None:
        others = [other for other in growth.world.subjects(own.resource) if other.key != own.key]
        if not others:
            raise DeadEnd("there is nobody but the user")
        growth.resolver.chooser.rows.came_as = growth.rng.choice(others)


def _tell_little(growth: Growth, known: int) -> None:
    """Reveal few and short facts of a wish that will not be served in the opening, and the rest only when asked."""
    told = 0
    for fact in growth.draft.facts[known:]:
        number = fact.hint.get("type") == "identity"
        wanted = growth.rng.random() < NUMBER_TOLD if number else fact.reveal == "opening"
        said = wanted and told < TOLD and _is_short(fact.value)
        told += said
        growth.draft.revise_fact(fact.id, reveal="opening" if said else "asked")


def _is_short(value: object) -> bool:
    """Tell whether people would say a value in passing: no flag, no code, no sentence."""
    if isinstance(value, str):
        return len(value.split()) <= TOLD_WORDS and value[-1:].isalnum() and not is_opaque(value) and "//" not in value
    return isinstance(value, int) and not isinstance(value, bool)
