"""An environment's state -> arguments that its tools accept, about existing rows."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from interplay.generators.graph.sampling.essential_arguments import essentials_of
from interplay.generators.graph.sampling.row_values import fit_identity, items_at, removable, row_value
from interplay.generators.graph.sampling.world import Subject, World
from interplay.generators.values.reconciliation import put_in_order, reconciled
from interplay.generators.values.schema_values import Unsatisfiable, make_valid, make_value
from interplay.generators.values.sibling_fields import of_own_kind, told_by_place
from interplay.generators.values.texts.ideas import Idea, draw_idea, says_why
from interplay.generators.values.texts.past_events import is_accounted
from interplay.schemas.calls.antecedent import referred
from interplay.schemas.calls.first_page import is_paging
from interplay.schemas.json.canonical import set_leaf
from interplay.schemas.json.fields import leaf_schemas, object_properties, schema_type
from interplay.schemas.json.object_cache import ObjectCache
from interplay.schemas.json.validation import is_valid
from interplay.schemas.records.tool import Tool, ToolRole
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.nouns import plural

EVERY = 10**6
"""A number of optional arguments that stands for all of them, including references."""

SHOWN = 0.35
"""Chance that an example in the schema of a tool without HTTP is used as it is: it may name something that exists."""


@dataclass(frozen=True)
class Begun:
    """Made-up arguments of calls whose given arguments have the same names, since large bodies take long; determined by a seed."""

    seed: str
    made: dict[tuple[str, ...], dict[str, Any] | Unsatisfiable] = field(default_factory=dict)
    """Tool, names of the given arguments and number of optional ones -> the made-up arguments, or why there are none."""


def is_fixed(schema: Mapping[str, Any]) -> bool:
    """Tell whether a schema admits a single value, which carries no information."""
    return "const" in schema or len(schema.get("enum", ())) == 1


def fresh_value(name: str, schema: Mapping[str, Any], rng: Random, avoid: Any = None, idea: Idea | None = None) -> Any:
    """Make up a value for a parameter, other than `avoid` if possible, about an `idea`.

    Raises:
        Unsatisfiable: no value was found that fits the schema.
    """
    value = None
    for _ in range(4):
        value = make_valid(schema, rng, name, full=False, idea=idea)
        if value == {}:
            value = _some_fields(schema, rng)
        if value != avoid:
            return value
    return value


def _some_fields(schema: Mapping[str, Any], rng: Random) -> dict[str, Any]:
    """Return an object with a few of its optional fields, where it has some."""
    properties = object_properties(schema)
    made: dict[str, Any] = {}
    for key in rng.sample(sorted(properties), min(3, len(properties))):
        try:
            made[key] = make_valid(properties[key], rng, key, full=False)
        except Unsatisfiable:
            continue
    return made if is_valid(made, schema) else {}


_FOLDERS = {"directory", "directories", "dir", "folder", "folders"}


def _promising(name: str, tool: Tool, resource: str | None, fields: Collection[str]) -> str:
    """Return a more telling name for a parameter: `customer_name`, `reported_date` for a past date, `folder` for a path.

    Rows in a list are called after their resource: `animals` for `AnimalUserModel`.
    """
    if name == "name" and resource:
        return f"{resource}_{name}"
    held = object_properties(tool.properties[name].get("items", {}))
    if resource and held and set(held).issubset(fields):
        return plural(resource)
    if tool.effect == "read" and is_accounted(name_tokens(name), name_tokens(f"{tool.original_name} {tool.summary}")):
        return f"reported_{name}"
    return "folder" if name in ("path", "paths") and _FOLDERS & set(name_tokens(tool.original_name)) else name


_told: ObjectCache[Mapping[str, Any]] = ObjectCache(
    lambda properties, name, holder: told_by_place(name, properties[name], holder, properties)
)
"""Parameters of a tool, the name of one, and the tool's name -> its schema, with what its siblings tell about it."""


def skeleton(
    tool: Tool,
    rng: Random,
    extra: set[str],
    resource: str | None = None,
    given: Mapping[str, Any] = {},
    fields: Iterable[str] = (),
    about: tuple[str, ...] = (),
) -> dict[str, Any]:
    """Return arguments with all required fields and the `extra` ones; those that are not `given` are made up.

    `resource` is what the arguments describe, `fields` are the fields of its rows, and `about` the words of the API's
    name.
    """
    properties = tool.properties
    required = [name for name in properties if name in tool.required or name in extra]
    fields, on_row = tuple(fields), "{" in tool.path
    made, idea = {}, draw_idea(resource or "", rng, (*fields, *properties), about)
    for name in required:
        schema = _told(properties, name, tool.name)
        if schema.get("default") is not None and is_paging(name):
            continue
        shown = schema.get("examples") if tool.http is None else None
        if name in given:
            made[name] = given[name]
        elif shown and rng.random() < SHOWN and is_valid(example := rng.choice(shown), schema):
            made[name] = example
        else:
            of_deed = on_row and name not in fields and says_why(name_tokens(name))
            meant = (
                idea._replace(thing=None, topic="") if of_deed else idea
            )  # the topic of a visit is no reason to cancel it
            made[name] = fresh_value(_promising(name, tool, resource, fields), schema, rng, idea=meant)
    free = {name: value for name, value in made.items() if name not in given}
    made |= of_own_kind(reconciled(free, properties), properties, resource or "")
    if not is_valid(made, tool.parameters):
        whole = make_value(tool.parameters, rng, tool.name, full=False)
        if not is_valid(whole, tool.parameters):
            raise Unsatisfiable(f"no arguments found that satisfy the parameters of {tool.name}")
        return dict(whole)
    return made


def sample_arguments(
    world: World,
    tool: Tool,
    rng: Random,
    fixed: Mapping[str, Any] | None = None,
    optional: int = 0,
    begun: Begun | None = None,
) -> dict[str, Any]:
    """Return arguments for one call that is likely to succeed; `fixed` holds leaves, by pointer, that must stay.

    All rows that one call names belong together: the task is in the project. `optional` is the number of plain optional
    parameters that are given too; more if the parameters need it. `begun` holds made-up arguments of similar calls.

    Raises:
        Unsatisfiable: no arguments were found that fit the parameters.
    """
    role = world.roles[tool.name]
    fixed = fixed or {}
    arguments = _started(tool, role, rng, fixed, optional, begun)
    chosen = _Chosen(world, tool, role, rng, fixed)
    shown = {name: schema for name, schema in object_properties(tool.parameters).items() if name in arguments}
    leaves = leaf_schemas({"properties": shown})
    for pointer, name, schema in sorted(leaves, key=lambda leaf: chosen.turn(leaf[0])):
        if pointer.split("/")[1] not in arguments:
            continue
        value = fixed[pointer] if pointer in fixed else chosen.value(pointer, name, schema)
        if value is not None:
            arguments = set_leaf(arguments, pointer, value)
        elif _is_idle_filter(role, tool, pointer, schema):
            del arguments[name]
    kept = {pointer.split("/")[1] for pointer in (*fixed, *role.references)}
    put_in_order(arguments, tool.properties, kept)
    return arguments


def _started(
    tool: Tool, role: ToolRole, rng: Random, fixed: Mapping[str, Any], optional: int, begun: Begun | None
) -> dict[str, Any]:
    """Return made-up arguments; those that all similar calls begin with if there is a `begun`."""
    if begun is None:
        return _start(tool, role, rng, fixed, optional)
    key = (tool.name, *sorted({pointer.split("/")[1] for pointer in fixed}), str(optional))
    if key not in begun.made:
        try:
            begun.made[key] = _start(tool, role, Random("/".join((begun.seed, *key))), fixed, optional)
        except Unsatisfiable as failure:
            begun.made[key] = failure
    made = begun.made[key]
    if isinstance(made, Unsatisfiable):
        raise Unsatisfiable(str(made))  # raising the cached one would grow its traceback
    return dict(made)


def _start(tool: Tool, role: ToolRole, rng: Random, fixed: Mapping[str, Any], optional: int) -> dict[str, Any]:
    """Return made-up arguments, with as few more than `optional` optional ones as are needed."""
    extra = {pointer.split("/")[1] for pointer in fixed}
    if role.operation in ("read", "update", "delete", "action"):
        extra |= {
            pointer[1:] for pointer, to in role.references.items() if to == role.resource and pointer.count("/") == 1
        }
    known = essentials_of(tool, role)
    extra |= {*known.names, *known.references}
    if optional >= EVERY:
        try:
            others = {name for name in tool.properties if role.references.get(f"/{name}") != role.resource}
            return skeleton(tool, rng, extra | others)
        except Unsatisfiable:
            optional = 0
    plain = [name for name in tool.properties if f"/{name}" not in role.references and not is_paging(name)]
    plain = [name for name in plain if not is_fixed(tool.properties[name])] or plain
    for number in sorted({min(optional, len(plain)), min(optional + 1, len(plain)), len(plain)}):
        try:
            return skeleton(tool, rng, extra | set(rng.sample(plain, number)))
        except Unsatisfiable:
            if number == len(plain):
                raise
    raise Unsatisfiable(tool.name)


def _is_idle_filter(role: ToolRole, tool: Tool, pointer: str, schema: Mapping[str, Any]) -> bool:
    """Tell whether an optional argument of a list is a made-up text or number, which would match nothing."""
    name = pointer[1:]
    if role.operation != "list" or "/" in name or name in tool.required or is_paging(name):
        return False
    return schema_type(schema) in ("string", "integer", "number", "array") and "enum" not in str(schema)


class _Chosen:
    """The rows that one call names, chosen one after the other so that each is related to those before."""

    def __init__(self, world: World, tool: Tool, role: ToolRole, rng: Random, fixed: Mapping[str, Any]) -> None:
        self._world, self._tool, self._role, self._rng = world, tool, role, rng
        self._around: list[Subject] = []
        for pointer, value in fixed.items():
            resource = referred(role, pointer)
            found = world.subject(str(resource), value) if resource in world.resources else None
            self._around += [found] if found else []
        self._anchor = self._main()

    def _main(self) -> Subject | None:
        """Return an existing row that the call is about; None for calls that create one."""
        resource = self._role.resource
        if resource not in self._world.resources or self._role.operation in ("create", "compute"):
            return None
        given = next((row for row in self._around if row.resource == resource), None)
        places = list(self._role.removes.values())
        if given is None and places:
            full = [row for row in self._world.subjects(str(resource)) if items_at(row.row, places[0])]
            given = self._rng.choice(full) if full else None
        return given or self._one_of(str(resource))

    def value(self, pointer: str, name: str, schema: Mapping[str, Any]) -> Any:
        """Return the value of one argument, or None if the made-up value may stay."""
        fitting = removable(self._role, pointer, self._anchor.row, schema) if self._anchor else []
        if fitting:
            return self._rng.choice(fitting)
        resource = self._role.references.get(pointer)
        finding = self._role.operation in ("list", "read")
        if resource is None or resource not in self._world.resources:
            return row_value(name, schema, self._anchor.row) if self._anchor and finding else None
        found = None
        removing = bool(self._role.removes) and self._anchor is not None and resource == self._anchor.resource
        if self._anchor and (
            finding or removing or self._names_place(pointer) or self._names_itself(pointer, resource)
        ):
            found = self._world.linked(self._anchor, resource, name)
        for row in self._around if found is None else ():
            found = found or self._world.linked(row, resource, name)
        found = found or self._one_of(resource)
        if found is None:
            return None
        if found not in self._around and found != self._anchor:
            self._around.append(found)
        few = schema.get("minItems", 1) if schema_type(schema) == "array" else 1
        if few > 1:
            return [self._world.identity(row) for row in [found, *self._others(found)][:few]]
        return fit_identity(self._world.identity(found), schema)

    def _others(self, found: Subject) -> list[Subject]:
        return [row for row in self._world.subjects(found.resource) if row.key != found.key]

    def _names_itself(self, pointer: str, resource: str) -> bool:
        """Tell whether an argument repeats, inside of an object, the identity of the row that an update changes."""
        identity = str(self._world.resources[resource].identity)
        own = resource == self._role.resource and self._role.operation == "update"
        return own and "." in identity and pointer.endswith("/" + identity.replace(".", "/"))

    def turn(self, pointer: str) -> tuple[bool, int, int]:
        """Return the sort key of an argument: rows in the path come first, then the deepest resources, the last in the path first."""
        depth = self._world.depth(self._role.references.get(pointer))
        return (
            not self._names_place(pointer),
            -depth,
            -self._tool.path.find("{" + self._tool.wire_name(pointer[1:]) + "}"),
        )

    def _names_place(self, pointer: str) -> bool:
        return self._tool.http is None or self._tool.location(pointer[1:]) == "path"

    def _one_of(self, resource: str) -> Subject | None:
        near = [self._near(resource, other) for other in self._around]
        others = [set(keys) for keys in near[1:]]
        fitting = [key for key in near[0] if all(key in found for found in others)] if near else []
        if fitting:
            return self._world.subject(resource, self._rng.choice(fitting))
        rows = self._world.subjects(resource)
        return self._rng.choice(rows) if rows else None

    def _near(self, resource: str, other: Subject) -> list[str]:
        """Return the keys of a resource's rows that are linked to another row, or at least not to a different one."""
        back = self._world.linked(other, resource)
        if back is None:
            return self._world.keys_belonging(resource, other)
        there = self._world.linked(back, other.resource)
        return [back.key] if there is None or there.key == other.key else []
