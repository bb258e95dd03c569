"""What came before a task -> what is known from it: who the user is, and which facts need not be told again."""

from collections.abc import Collection, Sequence

from interplay.generators.blueprints.drafting.draft import DeadEnd
from interplay.generators.graph.sampling.world import World
from interplay.generators.phrases.topic_nouns import noun_of
from interplay.schemas.json.canonical import digest, value_at
from interplay.schemas.protocols import Environment
from interplay.schemas.records.behaviour import PlannedBehaviour
from interplay.schemas.records.blueprint import Action, Blueprint, Fact, Origin
from interplay.schemas.records.dialogue import Start

PEOPLE = ("user", "customer", "client", "patient", "member", "guest", "account")
"""Resources that users usually belong to, where the toolset does not say."""


def identities_in(start: Start, world: World, own: str | None) -> dict[tuple[str, str], Origin]:
    """Return the user's identities of the resource `own` that came up before the task, the latest last.

    They came up in arguments, or in results of tools about users. Where `own` is None, the user is taken to be the only
    person that any call was about.
    """
    for resource in [own] if own is not None else [name for name in PEOPLE if name in world.resources]:
        found = _named(start, world, resource)
        if found and (own is not None or len(found) == 1):
            return {(resource, key): Origin(kind="past") for key in found}
    return {}


def _named(start: Start, world: World, resource: str) -> list[str]:
    """Return the identities of existing rows of a resource that calls and results name, the latest last."""
    found: list[str] = []
    for call, result in start.history():
        role = world.roles.get(call.name)
        if role is None or result.error is not None:
            continue
        given = [(call.arguments, pointer) for pointer, name in role.references.items() if name == resource]
        told = [(result.value, pointer) for pointer, name in role.yields.items() if name == resource == role.resource]
        for holder, pointer in (*given, *told):
            value = value_at(holder, pointer)
            if isinstance(value, (str, int)) and world.subject(resource, value) is not None:
                found = [*(key for key in found if key != str(value)), str(value)]
    return found


def check_same_person(made: Blueprint, person: Collection[tuple[str, str]], world: World) -> None:
    """Check that a task is about the user of the prior dialogue, if that is known.

    Raises:
        DeadEnd: it is about somebody else, or registers the user once more.
    """
    people = {resource for resource, _ in person}
    for action in made.actions if person else ():
        role = world.roles[action.tool]
        if role.operation == "create" and role.resource in people:
            raise DeadEnd("who has been talking is registered already")
        for pointer, name in role.references.items():
            value = value_at(action.arguments, pointer)
            if value is None or name not in world.resources:
                continue
            about = world.subject(name, value)
            owners = [about and world.linked(about, resource) for resource in people if resource in world.resources]
            keys = [(owner.resource, owner.key) for owner in owners if owner is not None]
            if (name in people and about is None) or any(key not in person for key in keys):
                raise DeadEnd("it is about somebody else than who has been talking")


def check_new_calls(made: Blueprint, start: Start | None) -> None:
    """Check that a task repeats nothing that was done before it, nor what the user has just left unfinished.

    Raises:
        DeadEnd: it does.
    """
    if start is None:
        return
    done = {(call.name, digest(call.arguments)) for call, answer in start.calls_with_results() if answer}
    for number in range(len(made.goals)):
        action = next((action for action in reversed(made.actions) if action.goal == number), None)
        if action is not None and (action.tool, digest(action.arguments)) in done:
            raise DeadEnd("it was done before")
    first = made.scenario.requests[0] if made.scenario.requests else ()
    if start.unsettled and {made.goals[number].tool for number in first} & {*start.left}:
        raise DeadEnd("it is what was just left")


def known_facts(
    facts: Sequence[Fact],
    actions: Sequence[Action],
    start: Start | None,
    environment: Environment,
    behaviours: Sequence[PlannedBehaviour],
) -> dict[str, str]:
    """Return the ids of facts that need not be told again, each with the noun by which the user says "the same".

    These are identities that the user gave before the task, if none of the same resource came up since, and facts about
    who the user is. All else may differ now, and facts of slips are told in any case.
    """
    if start is None:
        return {}
    toolset, roles = environment.toolset, environment.resources.by_tool
    latest: dict[str, str] = {}
    for call, _ in start.calls_with_results():
        for pointer, referred in (roles[call.name].references if call.name in roles else {}).items():
            value = value_at(call.arguments, pointer)
            if isinstance(value, (str, int)):
                latest[referred] = str(value)
    busy = {name for done in behaviours for name in (done.fact, done.at)} | {fact.instead_of for fact in facts}
    plain = {fact.id: fact for fact in facts if fact.id not in busy and fact.reveal in ("opening", "asked")}
    said = "\n".join(message.content for message in start.messages if message.role == "user")
    found: dict[str, str] = {}
    for action in actions:
        for pointer, origin in action.origins.items():
            fact = plain.get(str(origin.fact))
            resource = roles[action.tool].references.get(pointer)
            if fact is None or fact.choice is not None or fact.instead_of:
                continue
            if str(fact.value) not in said and fact.value not in start.told:
                continue
            role = roles[action.tool]
            if role.resource == toolset.user_resource and role.operation in ("list", "read") and resource is None:
                found[fact.id] = ""  # the user stays the same
            elif (
                resource is not None and fact.hint.get("type") == "identity" and latest.get(resource) == str(fact.value)
            ):
                found[fact.id] = noun_of(resource, toolset.spoken_nouns)
    return found
