"""The row that a conversation takes place in, as an account -> how the assistant is told of it and goals mention it."""

import re
from collections.abc import Iterable, Mapping

from interplay.generators.blueprints.arguments.argument_labels import label_of_argument
from interplay.generators.blueprints.drafting.draft import DeadEnd
from interplay.generators.graph.sampling.world import World
from interplay.generators.phrases.topic_nouns import noun_of
from interplay.schemas.calls.session_scope import needs_of, session_scope
from interplay.schemas.json.canonical import value_at
from interplay.schemas.records.blueprint import Action, Given, Goal


def scope_of(world: World) -> str | None:
    """Return the resource of which each conversation is about one row; None if there is none, or if users are a resource."""
    if world.environment.toolset.user_resource is not None:
        return None
    needs = (
        needs_of(role.operation, role.resource, role.references, world.tools[name].required)
        for name, role in world.roles.items()
    )
    found = session_scope(needs)
    return found if found in world.resources and world.first(str(found)) is not None else None


def of_the_scope(goals: Iterable[Goal], scope: str, nouns: Mapping[str, str]) -> tuple[Goal, ...]:
    """Return goals whose intents mention the scope as the only one: "the account" in place of "an account"."""
    noun = re.compile(rf"\ban? (?={re.escape(noun_of(scope, nouns))}\b)")
    return tuple(goal.model_copy(update={"intent": noun.sub("the ", goal.intent)}) for goal in goals)


def given_to(actions: Iterable[Action], scope: str, world: World) -> Given | None:
    """Return the scope's identity that actions take from the system prompt, else that of the scope's first row.

    Raises:
        DeadEnd: actions take place in several rows.
    """
    told = {
        str(value_at(action.arguments, pointer)): value_at(action.arguments, pointer)
        for action in actions
        for pointer, origin in action.origins.items()
        if origin.kind == "given"
    }
    if len(told) > 1:
        raise DeadEnd(f"a conversation takes place in one {scope}")
    row = world.first(scope)
    if not told and row is None:
        return None
    value = next(iter(told.values())) if told or row is None else world.identity(row)
    pointer, name = next(
        (pointer, role.tool)
        for role in world.roles.values()
        for pointer, resource in role.references.items()
        if resource == scope
    )
    return Given(label=label_of_argument(world, world.tools[name], pointer), value=value)
