"""An update that requires all fields of a row -> the unchanged fields, taken from the look-up that showed the row.

put_property(id, street, city, state)   ->   the user tells the street; city and state come from list_properties
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from interplay.generators.blueprints.arguments.pending_calls import Call
from interplay.generators.blueprints.arguments.tool_inputs import Inputs
from interplay.generators.blueprints.drafting.draft import Step
from interplay.generators.graph.sampling.row_values import row_value
from interplay.generators.graph.sampling.world import World
from interplay.schemas.json.canonical import at_pointer, join_pointer, last_name, leaves, set_leaf, starred, value_at
from interplay.schemas.json.validation import is_valid
from interplay.schemas.records.blueprint import Origin
from interplay.schemas.records.tool import ToolRole


def rows_first(inputs: Inputs, arguments: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Return the leaves of arguments in the order of resolution: in a change, the identity of its row comes first."""
    found, own = list(leaves(arguments)), inputs.role.resource
    changes = inputs.role.operation in ("update", "action", "delete") and own is not None
    return sorted(found, key=lambda leaf: inputs.resource(leaf[0]) != own) if changes else found


def wants_row(inputs: Inputs, call: Call, pointer: str, row: Mapping[str, Any]) -> bool:
    """Tell whether an update of a row that the user named must give a field that stays as the row holds it."""
    if inputs.role.operation != "update" or inputs.resource(pointer) == inputs.role.resource:
        return False
    if pointer.partition("/")[2].split("/")[0] not in inputs.required - inputs.where:
        return False
    told = any(
        origin.kind == "user" and inputs.resource(at) == inputs.role.resource for at, origin in call.origins.items()
    )
    held = row_value(last_name(pointer), inputs.schema(pointer), row)
    return told and held not in (None, [], {}) and held == at_pointer(call.arguments, pointer)


def shown_beside(
    steps: Sequence[Step], roles: Mapping[str, ToolRole], inputs: Inputs, call: Call, pointer: str
) -> Origin | None:
    """Return the origin of an unchanged field of an update, beside the identity of its row in a result; else None."""
    if inputs.role.operation != "update" or inputs.resource(pointer) == inputs.role.resource is not None:
        return None
    if pointer.partition("/")[2].split("/")[0] not in inputs.required:
        return None
    own = [(at, origin) for at, origin in call.origins.items() if inputs.resource(at) == inputs.role.resource]
    origin = next((origin for _, origin in own if origin.kind == "output"), None)
    if origin is None and own:
        origin = _seen(steps, roles, str(inputs.role.resource), at_pointer(call.arguments, own[0][0]))
    step = next((step for step in steps if origin is not None and step.id == origin.action), None)
    if origin is None or step is None:
        return None
    field = f"{str(origin.pointer).rpartition('/')[0]}/{last_name(pointer)}"
    value = at_pointer(call.arguments, pointer)
    alike = value not in (None, [], {}) and value_at(step.value, field) == value
    identity = value_at(step.value, str(origin.pointer))
    since = (later.arguments for later in steps[steps.index(step) + 1 :] if identity in later.arguments.values())
    if any(last_name(pointer) in given for given in since):
        return None  # it was changed in the meantime: what was shown before would be set anew
    return origin.model_copy(update={"pointer": field}) if alike else None


def _seen(steps: Sequence[Step], roles: Mapping[str, ToolRole], resource: str, identity: Any) -> Origin | None:
    """Return where a row was read, at its identity, that the user has named; None if nowhere."""
    for step in reversed(steps):
        role = roles[step.tool]
        if role.operation == "read" and role.resource == resource and step.withheld is None:
            for pointer, value in leaves(step.value):
                if role.yields.get(starred(pointer)) == resource and str(value) == str(identity):
                    return Origin(kind="output", action=step.id, pointer=pointer)
    return None


def named_in_row(
    steps: Sequence[Step], world: World, calls: Iterable[Call], resource: str, identity: Any
) -> Origin | None:
    """Return the origin of an identity in a shown row that a waiting call names: the project of a ticket; else None."""
    made = {step.id: step for step in steps}
    for origin in (origin for call in calls for origin in call.origins.values() if origin.kind == "output"):
        step, item = made.get(str(origin.action)), str(origin.pointer).rpartition("/")[0]
        row = value_at(step.value, item) if step is not None else None
        yields = world.roles[step.tool].yields if step is not None and isinstance(row, Mapping) else {}
        for name, value in row.items() if isinstance(row, Mapping) else ():
            pointer = f"{item}{join_pointer(name)}"
            if value == identity and yields.get(starred(pointer)) == resource:
                return origin.model_copy(update={"pointer": pointer})
    return None


def of_other_row(
    world: World, inputs: Inputs, arguments: dict[str, Any], pointer: str, before: Any, after: Any
) -> dict[str, Any]:
    """Return the arguments of an update that now is about another row, with that row's values for the unchanged fields."""
    resource = inputs.role.resource
    if inputs.role.operation != "update" or resource is None or inputs.resource(pointer) != resource:
        return arguments
    old, new = (world.subject(resource, row) for row in (before, after))
    if old is None or new is None:
        return arguments
    for at, value in list(leaves(arguments)):
        if not at or inputs.resource(at) == resource or at.split("/")[1] not in inputs.required:
            continue
        schema, name = inputs.schema(at), last_name(at)
        held = row_value(name, schema, new.row)
        if row_value(name, schema, old.row) == value and held is not None and is_valid(held, schema):
            arguments = set_leaf(arguments, at, held)
    return arguments
