"""A row that an earlier request was about -> whether it is clear that a request which changes something means that one.

look at booking 1, look at booking 2, cancel it   ->   2, for it was spoken of last; of 1 the user says that it means it
"""

from collections.abc import Iterator, Sequence

from interplay.generators.blueprints.choosing import value_at
from interplay.generators.blueprints.draft import Step
from interplay.generators.graph.sampling import referenced
from interplay.generators.graph.world import World
from interplay.schemas.canonical import leaves

_CHANGING = ("update", "delete", "action")


def is_one_of_several(
    world: World, steps: Sequence[Step], consumer: str, resource: str, key: str, goal: int | None = None
) -> bool:
    """Tell whether requests before `goal` were about several rows, and not just about this one in the end."""
    role = world.roles[consumer]
    if resource == world.environment.toolset.user_resource:
        return False
    changed = role.operation in _CHANGING and resource == role.resource
    dealt = [
        (step.request, known)
        for step in steps
        if not step.withheld and (changed or step.goal != goal)
        for known in _about(world, step, resource)
    ]
    known = {other for _, other in dealt}
    if key not in known or len(known) < 2:
        return False
    latest = max(number for number, _ in dealt)
    return {other for number, other in dealt if number == latest} != {key}


def _about(world: World, step: Step, resource: str) -> Iterator[str]:
    """Yield the identities of a resource that a step names, or of what it makes or shows alone."""
    role = world.roles[step.tool]
    for pointer, value in leaves(dict(step.arguments)):
        if referenced(role, pointer) == resource and isinstance(value, (str, int)):
            yield str(value)
    told = role.operation == "create" or (role.operation == "read" and role.resource == resource)
    made = [pointer for pointer, kind in role.yields.items() if kind == resource and told]
    yield from (str(value) for value in (value_at(step.value, pointer) for pointer in made) if value is not None)
