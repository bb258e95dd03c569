"""A tool and the row that it is about -> the arguments of one call, about rows that exist."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from interplay.generators.blueprints.draft import DeadEnd, Draft
from interplay.generators.blueprints.inputs import Inputs
from interplay.generators.graph.owners import Owners, in_turn
from interplay.generators.graph.row_values import fit_identity, removable, row_value
from interplay.generators.graph.sampling import fresh_value, skeleton
from interplay.generators.graph.world import Subject, World
from interplay.generators.values.making import Unsatisfiable
from interplay.generators.values.speakable import speakable_leaves
from interplay.schemas.canonical import leaves, set_leaf, value_at
from interplay.schemas.fields import is_standing, name_tokens, schema_type
from interplay.schemas.json_schema import is_valid
from interplay.schemas.tools import Tool, ToolRole

ROWS_TRIED = 40
EXTRA_FILTERS, EXTRA_FIELDS = 0.35, 0.4
"""Chance that an optional filter of a look-up, or an optional field of a new row, is used."""

REPLACED = 0.5

SCALARS = ("string", "integer", "number", "boolean")


@dataclass
class Chooser:
    """Chooses arguments; `me` is the row that the user is, where users are a resource of their own.

    `inputs` gives what is the same in all calls of a tool, `texts` what the user writes for texts that are made up.
    `owners` tells whose the rows are; where the user may be `anybody`, it is not settled yet that it is `me`.
    """

    world: World
    draft: Draft
    rng: Random
    inputs: Callable[[str], Inputs]
    me: Subject | None = None
    owners: Owners | None = None
    anybody: bool = False
    texts: Mapping[str, str] = field(default_factory=dict)
    _told: dict[tuple[str, str], bool] = field(default_factory=dict, init=False, repr=False)

    def arguments(self, tool: Tool, subject: Subject | None, lookup: bool) -> dict[str, Any]:
        role = self.world.roles[tool.name]
        reads = role.operation in ("list", "read")
        extra = self._extras(tool, subject, lookup)
        inputs = self.inputs(tool.name)
        given = self._held(inputs, extra, subject) if reads and subject is not None else inputs.fillers
        try:
            arguments = skeleton(tool, self.rng, extra, role.resource, given)
        except Unsatisfiable:  # one of the extra arguments admits nothing
            arguments = skeleton(tool, self.rng, set(), role.resource, given)
        others: dict[str, Subject] = {}
        named: dict[str, list[str]] = {}
        found = [(inputs.resource(pointer), pointer, value) for pointer, value in leaves(arguments)]
        kinds = {resource for resource, _, _ in found if resource in self.world.resources}
        told = {kind: sum(self._tells(str(kind), str(other)) for other in kinds) for kind in kinds if len(kinds) > 1}
        in_order = sorted(found, key=lambda leaf: (-self.world.depth(leaf[0]), -told.get(leaf[0], 0)))
        for resource, pointer, value in in_order:
            name = pointer.rsplit("/", 1)[-1]
            if name.isdigit():
                name = pointer.rsplit("/", 2)[-2]
            schema = inputs.schema(pointer)
            chosen: Any = None
            present = removable(role, pointer, subject.row, schema) if subject is not None else []
            if present:
                chosen = self.rng.choice(present)
            elif resource in self.world.resources:
                beside = named.setdefault(str(resource), name_tokens(name)) != name_tokens(name)
                chosen = self._referred(tool, str(resource), name, subject, others, schema, beside)
            elif subject is not None and (reads or name in inputs.where):
                chosen = row_value(name, schema, subject.row)
            elif subject is not None and role.operation == "update" and row_value(name, schema, subject.row) == value:
                chosen = fresh_value(name, schema, self.rng, avoid=value)
            if chosen is None and is_standing(name):
                chosen = self._as_before(name, schema)
            if chosen is not None:
                arguments = set_leaf(arguments, pointer.split("/")[1:], chosen)
        if not is_valid(arguments, tool.parameters):
            raise DeadEnd(f"the arguments found for {tool.name} do not satisfy its parameters")
        return self._in_own_words(tool, arguments) if self.texts and not reads else arguments

    def _as_before(self, name: str, schema: Mapping[str, Any]) -> Any:
        """Return the value that an earlier call has for an argument that stands, if there is one."""
        before = (step.arguments[name] for step in self.draft.steps if name in step.arguments)
        return next((value for value in before if is_valid(value, schema)), None)

    def _held(self, inputs: Inputs, extra: Collection[str], subject: Subject) -> dict[str, Any]:
        """Return what need not be made up for a look-up: what stands for rows, and what the row holds that it is about."""
        held = dict(inputs.fillers)
        for name in (*inputs.required, *extra):
            schema = inputs.schema(f"/{name}")
            if name not in inputs.references and schema_type(schema) in SCALARS:
                value = row_value(name, schema, subject.row)
                if value is not None:
                    held[name] = value
        return held

    def _in_own_words(self, tool: Tool, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return arguments with the texts that the user makes up as it would write them, where its parameters take them."""
        told = arguments
        for pointer, value in leaves(arguments):
            if pointer and self.own_words(value) != value:
                told = set_leaf(told, pointer.split("/")[1:], self.own_words(value))
        return told if is_valid(told, tool.parameters) else arguments

    def own_words(self, value: Any) -> Any:
        """Return a text that is made up as the user would write it; any other value as it is."""
        return self.texts.get(value, value) if isinstance(value, str) else value

    def _referred(
        self,
        tool: Tool,
        resource: str,
        name: str,
        subject: Subject | None,
        others: dict[str, Subject],
        schema: Mapping[str, Any],
        beside: bool,
    ) -> Any:
        """Return the identity of the row that an argument names; what is named `beside` another one differs from it."""
        near = self.world.linked(subject, resource, name) if subject is not None else None
        if near is not None and subject is not None and self._replaces(tool, resource, name, subject):
            near = None
        held: Collection[str] = ()
        if subject is not None and resource != subject.resource and _adds(tool) and self._alone(resource, subject):
            near, held = None, {str(value) for _, value in leaves(dict(subject.row))} | _items(subject.row)
        if near is None and resource not in others:
            joins = _adds(tool) and all(self._alone(resource, other) for other in others.values())
            held = {*held, *(item for other in others.values() if joins for item in _items(other.row))}
            above = (self.world.linked(other, resource) for other in others.values() if not joins)
            row = next((found for found in above if found is not None), None)
            row = row or (None if joins else self._beneath(resource, others)) or self.pick(resource, held)
            if row is None:
                raise DeadEnd(f"there is no {resource} to refer to")
            others[resource] = row
        row = self._other(others, resource) if near is None and beside else others.get(resource)
        chosen = fit_identity(self.world.identity(near or row or others[resource]), schema)
        if not is_valid(chosen, schema) and schema_type(schema) == "array":
            return [chosen]
        return chosen

    def _other(self, others: Mapping[str, Subject], resource: str) -> Subject | None:
        """Choose another row than the one that is chosen of a resource, if one goes with all the others as well."""
        first = others[resource]
        row = self.pick(resource, {first.key})
        kinds = [kind for kind in others if kind != resource]
        alike = row is not None and all(
            self.world.linked(row, kind) == self.world.linked(first, kind) for kind in kinds
        )
        return row if alike else None

    def _tells(self, resource: str, other: str) -> bool:
        """Tell whether rows of a resource say of another one which they belong to, as the first of them does."""
        if resource != other and (resource, other) not in self._told:
            row = self.world.first(resource)
            self._told[resource, other] = row is not None and self.world.linked(row, other) is not None
        return resource != other and self._told[resource, other]

    def _beneath(self, resource: str, others: Mapping[str, Subject]) -> Subject | None:
        """Choose a row that refers to one chosen already: a table of the base that is named beside it."""
        for other in others.values():
            rows = self.world.referring(resource, other) if other.resource != resource else []
            rows = [row for row in rows if self.me is None or self.mine(row)]
            if rows:
                return self.rng.choice(rows)
        return None

    def _alone(self, resource: str, subject: Subject) -> bool:
        """Tell whether any row of a resource will do, since neither it nor the subject lies under another row."""
        resources = self.world.resources
        return resources[resource].parent is None and resources[subject.resource].parent is None

    def _replaces(self, tool: Tool, resource: str, name: str, subject: Subject) -> bool:
        """Guess whether a changing tool wants another row than the one that its subject refers to already."""
        fixed = tool.http is not None and tool.http.locations.get(name) == "path"
        role = self.world.roles[tool.name]
        changes = role.operation in ("update", "action") and resource != subject.resource
        if not changes or fixed or name not in subject.row or _says_where(tool, role, name):
            return False
        rest = (
            key for key in tool.parameters.get("required", ()) if role.references.get(f"/{key}") != subject.resource
        )
        return list(rest) == [name] or self.rng.random() < REPLACED

    def pick(self, resource: str, avoid: Collection[str] = ()) -> Subject | None:
        """Return a row of a resource: the user's own, mostly one that was spoken of, if possible none to `avoid`."""
        if self.me is not None and resource == self.me.resource:
            return self.me
        spoken = [key for known, key in self.draft.identities if known == resource and key not in avoid]
        if spoken and self.rng.random() < 0.7:
            return self.world.subject(resource, self.rng.choice(spoken))
        found = None
        for key in in_turn(self._keys(resource), self.rng, ROWS_TRIED):
            row = self.world.subject(resource, key)
            if row is not None and (self.me is None or self.mine(row)):
                found = row
                if key not in avoid:
                    break
        return found

    def referring(self, resource: str, subject: Subject) -> Subject:
        """Choose a row of a resource that refers to another row, among those of the user.

        Raises:
            DeadEnd: there is none.
        """
        rows = [row for row in self.world.referring(resource, subject) if self.me is None or self.mine(row)]
        if not rows:
            raise DeadEnd(f"no {resource} refers to that {subject.resource}")
        return self.rng.choice(rows)

    def _keys(self, resource: str) -> list[str]:
        if self.me is not None and self.owners is not None:
            return self.owners.keys(resource, self.me)
        return list(map(str, self.world.environment.state().get(self.world.resources[resource].table, {})))

    def mine(self, row: Subject) -> bool:
        """Tell whether a row belongs to the user, or to nobody in particular."""
        assert self.me is not None
        owner = self.world.linked(row, self.me.resource)
        return owner is None or owner.key == self.me.key

    def _extras(self, tool: Tool, subject: Subject | None, lookup: bool) -> set[str]:
        """Choose optional parameters: filters that find the subject, fields of a new row, at least one change."""
        role = self.world.roles[tool.name]
        properties: Mapping[str, Any] = tool.parameters.get("properties", {})
        inputs = self.inputs(tool.name)
        required, references, optional = inputs.required, inputs.references, inputs.optional
        if role.operation in ("list", "read"):
            found = [
                name
                for name in optional
                if (
                    subject is not None
                    and (name in references and self._linked(role.references.get(f"/{name}"), name, subject))
                    and (role.operation != "list" or role.references.get(f"/{name}") != role.resource)
                )
                or (
                    subject is not None
                    and name not in references
                    and row_value(name, properties[name], subject.row) is not None
                )
            ]
            chance = EXTRA_FILTERS if not lookup else EXTRA_FILTERS / 2
            chosen = [name for name in found if self.rng.random() < chance]
            if not chosen and not required and found and role.operation == "list" and self.rng.random() < 0.7:
                chosen = [self.rng.choice(found)]
            return set(chosen[:2])
        plain = [name for name in optional if name not in references and name not in inputs.essential]
        if not plain and not inputs.essential and not required - {pointer.split("/")[1] for pointer in role.references}:
            named = str(self.world.resources[role.resource].identity).split(".")[0] if role.resource else ""
            free = [name for name in properties if name != named and f"/{name}" not in role.references]
            plain = [name for name in free if _is_body(properties[name])][:1]
            plain = plain or [name for name in free if _is_choice(properties[name]) and not _is_kept(tool, name)][:1]
        chosen = [name for name in plain if self.rng.random() < EXTRA_FIELDS][:3]
        changes = [name for name in required if f"/{name}" not in role.references]
        if not chosen and plain and not inputs.essential and (not changes or role.operation == "update"):
            chosen = [self.rng.choice(plain)]
        linked = [name for name in optional if name in references and f"/{name}" in role.references]
        chosen += [name for name in inputs.essential if name not in linked or self._keys(role.references[f"/{name}"])]
        if role.operation == "create" and linked:
            chosen += [name for name in linked if self.rng.random() < 0.6 and name not in inputs.essential][:2]
        if role.operation == "update" and not chosen and not changes and linked:
            chosen = [self.rng.choice(linked)]
        is_named = any(role.references.get(f"/{name}") == role.resource for name in required)
        if role.operation in ("update", "delete", "action") and role.resource and not is_named:
            chosen += [name for name in linked if role.references[f"/{name}"] == role.resource]
        return set(chosen)

    def _linked(self, resource: str | None, name: str, subject: Subject) -> bool:
        return resource in self.world.resources and self.world.linked(subject, str(resource), name) is not None


_ADDING = {"add", "invite", "share", "assign", "attach", "include", "enrol", "enroll", "subscribe"}


def _says_where(tool: Tool, role: ToolRole, name: str) -> bool:
    """Tell whether an argument of a plain update only says where its row is: it is needed, and other fields change."""
    required = tool.parameters.get("required", ())
    free = [key for key in tool.parameters.get("properties", {}) if key not in required]
    spoken = name_tokens(tool.original_name)[:1] in (["update"], ["edit"], ["modify"])
    return spoken and name in required and any(f"/{key}" not in role.references for key in free)


def _adds(tool: Tool) -> bool:
    """Tell whether a tool adds something to what it is about: it is there already, if the row shows it."""
    return bool(_ADDING & set(name_tokens(tool.original_name)[:2]))


def _items(row: Mapping[str, Any]) -> set[str]:
    """Return the scalars that stand in lists of a row."""
    return {
        str(item) for value in row.values() if isinstance(value, list) for item in value if isinstance(item, (str, int))
    }


def _is_body(schema: Mapping[str, Any]) -> bool:
    """Tell whether a parameter holds all fields of a row: what there is to say of it stands inside."""
    return schema_type(schema) == "object" and bool(schema.get("properties"))


def _is_choice(schema: Mapping[str, Any]) -> bool:
    """Tell whether a parameter holds one of several things, or a list of things, that say what is wanted."""
    items = schema.get("items")
    listed = schema_type(schema) == "array" and isinstance(items, Mapping) and _is_body(items)
    return listed or bool(schema.get("oneOf") or schema.get("anyOf"))


def _is_kept(tool: Tool, name: str) -> bool:
    """Tell whether a parameter travels beside what a request is about: in its header, or to say how it is answered."""
    return tool.http is not None and tool.http.locations.get(name) not in ("body", "form")


def telling(items: list[Any], position: int) -> dict[str, Any]:
    """Return the fewest fields (pointer -> value) that tell one item from the others; empty where none do."""
    options = list(speakable_leaves(items[position], naming=True))[:8] if isinstance(items[position], Mapping) else []
    others = [item for index, item in enumerate(items) if index != position]
    for size in (1, 2):
        for first in range(len(options)):
            for second in range(first + 1, len(options)) if size == 2 else [first]:
                picked = {options[first][0]: options[first][1], options[second][0]: options[second][1]}
                if not any(
                    all(value_at(item, pointer) == value for pointer, value in picked.items()) for item in others
                ):
                    return picked
    return {}
