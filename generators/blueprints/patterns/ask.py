"""The `ask` pattern: a wish that needs a value which neither the user nor any tool can supply."""

from interplay.generators.blueprints.drafting.draft import DeadEnd, PlannedCall
from interplay.generators.blueprints.growth.device_readings import readings_for
from interplay.generators.blueprints.growth.growth import Growth
from interplay.generators.blueprints.patterns.task_pattern import Grown, TaskPattern
from interplay.generators.phrases.labels.field_labels import label_of
from interplay.generators.phrases.lackable_facts import is_decided, is_given, is_of_the_calendar
from interplay.schemas.json.fields import schema_type
from interplay.schemas.records.blueprint import Withheld
from interplay.schemas.records.recipe import Recipe

PERSONAL = {"email", "phone number", "address"}
"""Labels of facts that users know about themselves, but not about others."""


def suits(growth: Growth, name: str) -> bool:
    """Tell whether a tool requires an argument that its user may lack: a serial number, a day not yet decided on."""
    required = growth.world.tools[name].required
    return growth.role(name).operation != "list" and any(_may_be_lacked(growth, name, f"/{key}") for key in required)


def _may_be_lacked(growth: Growth, name: str, pointer: str) -> bool:
    """Tell whether no tool returns an argument and the user may not know it, or not have decided on it yet."""
    tool, role = growth.world.tools[name], growth.role(name)
    if pointer in role.references:
        if is_of_the_calendar(label_of(pointer)):
            return False
        known = (edge for edge in growth.graph.found_for(name) if edge.verified is not False)
        return role.operation != "create" and not any(edge.input == pointer for edge in known)
    schema, label = tool.properties.get(pointer[1:], {}), label_of(pointer)
    if "enum" in schema or schema_type(schema) not in ("string", "integer", "number"):
        return False
    if not is_given(label):
        dated = schema_type(schema) == "string" and is_decided(label, schema)
        return role.operation == "create" and dated  # a user who changes something knows the new value
    seen = any(way.input == pointer for way in readings_for(growth, tool))  # the user can read it off their own device
    own = label in PERSONAL and growth.world.environment.toolset.user_resource is not None
    made = role.operation == "create" and is_given(label) and " " not in label  # the creator of a thing chooses its key
    stays = role.operation == "update"  # the user wants a new value, or keeps the one a look-up shows
    return not seen and not own and not made and not stays


async def ask(growth: Growth, name: str, recipe: Recipe) -> None:  # noqa: ARG001
    """Grow a request for a call that takes a value which the user does not have either.

    Raises:
        DeadEnd: every value can be looked up, or the call takes more than one look-up before it turns out to fail.
    """
    goal, request = growth.begin(name)
    arguments, before = growth.arguments(name), len(growth.draft.steps)
    wanted = await growth.resolver.prepare(name, goal, request, arguments)
    if len(growth.draft.steps) > before + 1:
        raise DeadEnd(f"much would be looked up for {name} in vain")
    fact = _only_told(growth, wanted)
    growth.draft.revise_fact(fact, reveal="never", value=None)
    growth.draft.withhold(wanted, Withheld(reason="unknown", fact=fact))


def _only_told(growth: Growth, wanted: PlannedCall) -> str:
    required = growth.world.tools[wanted.tool].required
    used = [origin.fact for step in growth.draft.steps for origin in step.origins.values()]
    for pointer, origin in wanted.origins.items():
        needed = pointer.count("/") == 1 and pointer[1:] in required
        told = needed and origin.kind == "user" and origin.fact is not None and origin.fact not in used
        if told and _may_be_lacked(growth, wanted.tool, pointer):
            return str(origin.fact)
    raise DeadEnd(f"the user could tell all that {wanted.tool} takes")


def _is_in(grown: Grown) -> bool:
    return any(step.withheld and step.withheld.reason == "unknown" for step in grown.draft.steps)


ASK = TaskPattern("ask", _is_in, ask, suits)
