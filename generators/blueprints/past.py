"""What came before a task -> what of it is known: who the user is, and what need not be said again."""

from collections.abc import Collection, Sequence

from interplay.generators.blueprints.draft import DeadEnd
from interplay.generators.graph.sampling import World
from interplay.schemas.behaviour import Behave
from interplay.schemas.blueprint import Blueprint, Fact, Origin
from interplay.schemas.canonical import at_pointer, digest
from interplay.schemas.dialogue import Start


def identities_in(start: Start, world: World) -> dict[tuple[str, str], Origin]:
    """Return the identities of the user that came up in calls, or in results about the user alone, the last one last."""
    resource = str(world.environment.toolset.user_resource)
    found: dict[tuple[str, str], Origin] = {}
    for call, result in start.history():
        role = world.roles.get(call.name)
        if role is None or result.error is not None:
            continue
        given = [(call.arguments, pointer) for pointer, name in role.references.items() if name == resource]
        told = [(result.value, pointer) for pointer, name in role.yields.items() if name == resource == role.resource]
        for holder, pointer in (*given, *told):
            value = _at(holder, pointer)
            if isinstance(value, str | int) and world.subject(resource, value) is not None:
                found.pop((resource, str(value)), None)
                found[resource, str(value)] = Origin(kind="past")
    return found


def check_same_person(made: Blueprint, acquainted: Collection[tuple[str, str]], world: World) -> None:
    """Make sure that a task is about the user who has been talking, where that is somebody known.

    Raises:
        DeadEnd: it is about somebody else, or somebody is to be registered who is there already.
    """
    resource = str(world.environment.toolset.user_resource)
    for action in made.actions if acquainted else ():
        role = world.roles[action.tool]
        if role.operation == "create" and role.resource == resource:
            raise DeadEnd("who has been talking is registered already")
        for pointer, name in role.references.items():
            value = _at(action.arguments, pointer)
            if name == resource and value is not None and (resource, str(value)) not in acquainted:
                raise DeadEnd("it is about somebody else than who has been talking")


def _at(holder: object, pointer: str) -> object:
    try:
        return at_pointer(holder, pointer)
    except LookupError:
        return None


def recalled(facts: Sequence[Fact], start: Start | None, behaviours: Sequence[Behave]) -> tuple[Fact, ...]:
    """Return the facts of a user, those marked that were told before the task began and still mean the same.

    That is what somebody or something is called by: another thing may be wanted for another date. A slip is still made.
    """
    if start is None:
        return tuple(facts)
    told = {(item.label, digest(item.value)) for item in start.known}
    busy = {name for done in behaviours for name in (done.fact, done.at)} | {fact.instead_of for fact in facts}

    def is_known(fact: Fact) -> bool:
        plain = fact.choice is None and not fact.instead_of and fact.id not in busy and fact.reveal != "never"
        named = fact.hint.get("type") == "identity"
        return named and plain and (fact.label, digest(fact.value)) in told

    return tuple(fact.model_copy(update={"reveal": "before"}) if is_known(fact) else fact for fact in facts)
