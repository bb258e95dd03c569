"""A tool and the row that it is about -> the arguments of one call, about rows that exist."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from interplay.generators.blueprints.arguments.optional_arguments import extra_fields, extra_filters, tells_what_it_is
from interplay.generators.blueprints.arguments.tool_inputs import Inputs
from interplay.generators.blueprints.drafting.draft import DeadEnd, Draft
from interplay.generators.environments.rows.initial_fields import later_statuses
from interplay.generators.graph.sampling.argument_samples import fresh_value, is_fixed, skeleton
from interplay.generators.graph.sampling.essential_arguments import known_by
from interplay.generators.graph.sampling.row_owners import RowOwners, in_turn
from interplay.generators.graph.sampling.row_values import fit_identity, removable, row_value
from interplay.generators.graph.sampling.world import Subject, World
from interplay.generators.values.lifetimes import is_over, tells_state
from interplay.generators.values.reconciliation import put_in_order, reconciled
from interplay.generators.values.schema_values import Unsatisfiable
from interplay.generators.values.texts.ideas import draw_idea, is_called
from interplay.schemas.calls.implied_flags import is_implied_flag
from interplay.schemas.json.canonical import last_name, leaves, set_leaf
from interplay.schemas.json.fields import object_properties, schema_type
from interplay.schemas.json.validation import is_valid
from interplay.schemas.records.tool import Tool, ToolRole
from interplay.schemas.words.identifiers import is_standing, name_tokens

ROWS_TRIED = 40
PLACES_TRIED = 12
"""The most rows that are tried until one belongs to what was spoken of."""

REPLACED = 0.5

SPOKEN, SPOKEN_OF_OTHERS = 0.7, 0.9
"""Chances that a row which was spoken of is meant again: where the user owns rows, and where nobody does."""

CHANGED = 2
"""The most fields that a change sets where its call has to give all fields of a row."""

SCALARS = ("string", "integer", "number", "boolean")

_CHANGING = ("update", "action")
"""Operations after which a row that was there is another."""


@dataclass
class Chooser:
    """Chooses arguments; `came_as` is the row that the user is at first, where users are a resource of their own.

    `inputs` gives what is the same in all calls of a tool, `texts` and `things` what the user writes for texts that are made up.
    `owners` tells who owns the rows; `anybody` tells that it is not settled yet which user it is. Where
    conversations take place in a row of a `scope`, that row is in the place of the user, and nobody has to say which it is.
    """

    world: World
    draft: Draft
    rng: Random
    inputs: Callable[[str], Inputs]
    came_as: Subject | None = None
    owners: RowOwners | None = None
    anybody: bool = False
    scope: str | None = None
    texts: Mapping[str, str] = field(default_factory=dict)
    things: Callable[[str], str] = str
    _told: dict[tuple[str, str], bool] = field(default_factory=dict, init=False, repr=False)

    @property
    def me(self) -> Subject | None:
        """The row that the user is: whoever signs up is from then on the one who was registered."""
        own = self.came_as
        if own is None or not self.draft.steps:
            return own
        roles = ((step.id, self.world.roles[step.tool]) for step in self.draft.steps)
        signed = [step for step, role in roles if role.operation == "create" and role.resource == own.resource]
        known = self.draft.identities.items() if signed else ()
        keys = (key for (kind, key), at in known if kind == own.resource and at.action in signed)
        return next((row for key in keys if (row := self.world.subject(own.resource, key))), own)

    @me.setter
    def me(self, row: Subject | None) -> None:
        self.came_as = row

    @property
    def person(self) -> Subject | None:
        """The row that the user is, where users are a resource of their own."""
        return self.me if self.scope is None else None

    def is_given(self, resource: str, key: str) -> bool:
        """Tell whether a row is the one that the conversation takes place in."""
        return resource == self.scope and self.me is not None and self.me.key == key

    def arguments(self, tool: Tool, subject: Subject | None, lookup: bool) -> dict[str, Any]:
        role = self.world.roles[tool.name]
        reads = role.operation in ("list", "read")
        inputs = self.inputs(tool.name)
        held = subject.row if subject is not None and subject.resource == role.resource else {}
        if any(held.get(name) not in (None, *values) for name, values in inputs.states.items()):
            raise DeadEnd(f"{tool.name} is for what stands otherwise")
        if reads:
            extra = extra_filters(inputs, role, subject, lookup, self.world, self.rng)
        else:
            extra = extra_fields(inputs, role, self.world, self.rng, self._keys)
        given = self._held(inputs, extra, subject) if reads and subject is not None else inputs.fillers
        fields = self.world.fields(role.resource)
        try:
            arguments = skeleton(tool, self.rng, extra, role.resource, given, fields, self.world.about)
        except Unsatisfiable:  # one of the extra arguments admits nothing
            arguments = skeleton(tool, self.rng, set(), role.resource, given, fields, self.world.about)
        arguments |= {name: True for name in arguments if is_implied_flag(tool, name)}
        others: dict[str, Subject] = {}
        named: dict[str, list[str]] = {}
        found = [(inputs.resource(pointer), pointer, value) for pointer, value in leaves(arguments)]
        kinds = {resource for resource, _, _ in found if resource in self.world.resources}
        told = {kind: sum(self._tells(str(kind), str(other)) for other in kinds) for kind in kinds if len(kinds) > 1}
        kept = self._kept(inputs, role, found, subject)
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
            elif subject is not None and (reads or name in inputs.where or pointer in kept):
                chosen = row_value(name, schema, subject.row)
            elif (value is True and is_implied_flag(tool, name)) or is_fixed(schema):
                continue
            elif subject is not None and role.operation in _CHANGING and tells_state(name):
                chosen = self._further(tool, schema, row_value(name, schema, subject.row))
                if chosen is None and row_value(name, schema, subject.row) == value:
                    chosen = fresh_value(name, schema, self.rng, avoid=value)
            elif subject is not None and role.operation in _CHANGING and row_value(name, schema, subject.row) == value:
                chosen = fresh_value(name, schema, self.rng, avoid=value)
            if chosen is None and is_standing(name):
                chosen = self._as_before(name, schema)
            if chosen is not None:
                arguments = set_leaf(arguments, pointer.split("/")[1:], chosen)
        if role.operation == "update" and not tool.phrases.wishes and held:
            arguments = self._renamed(tool, arguments, held, role.resource)
        arguments |= {
            name: arguments[named] for name, named in inputs.again.items() if {name, named} <= arguments.keys()
        }
        if role.operation == "create":
            arguments |= self._as_beside(arguments, inputs, role, others)
        if not reads:
            changed = subject is not None and role.operation != "create" and role.resource == subject.resource
            held = subject.row if subject is not None and changed else {}
            arguments = _beside_row(arguments, inputs, held)
            if held and role.operation in _CHANGING:
                differing = _otherwise(arguments, inputs, held)
                arguments = differing if role.operation == "update" else arguments
        else:
            put_in_order(arguments, tool.parameters.get("properties", {}))
        if not is_valid(arguments, tool.parameters):
            raise DeadEnd(f"the arguments found for {tool.name} do not satisfy its parameters")
        return self._in_own_words(tool, arguments) if self.texts and not reads else arguments

    def _further(self, tool: Tool, schema: Mapping[str, Any], state: Any) -> str | None:
        """Choose how something stands next; none where no order is known in which it goes on.

        Raises:
            DeadEnd: it has come to its end.
        """
        later = later_statuses(schema, state)
        if later is None:
            return None
        if not later:
            raise DeadEnd(f"{tool.name} is for what goes on")
        return self.rng.choice(([option for option in later if not is_over(option)] or later)[:STATES_AHEAD])

    def _renamed(
        self, tool: Tool, arguments: dict[str, Any], row: Mapping[str, Any], resource: str | None
    ) -> dict[str, Any]:
        """Return the arguments of a change in which a thing that gets another name is still known by it; who somebody is, stays."""
        idea = draw_idea(resource or "", Random(0), row)
        if idea.name == idea.person:
            return arguments
        for name, value in arguments.items():
            held = row.get(name)
            called = any(map(is_called, name_tokens(name)[-1:]))
            if called and isinstance(held, str) and isinstance(value, str) and held and held != value:
                before = next((held.removesuffix(f" {mark}") for mark in RENAMED if held.endswith(f" {mark}")), "")
                named = before or f"{held} {self.rng.choice(RENAMED)}"
                arguments = (
                    {**arguments, name: named} if is_valid({**arguments, name: named}, tool.parameters) else arguments
                )
        return arguments

    def _kept(
        self, inputs: Inputs, role: ToolRole, found: Sequence[tuple[str | None, str, Any]], subject: Subject | None
    ) -> Collection[str]:
        """Return the pointers of what a change has to give that stays as the row holds it: all but one or two fields."""
        if role.operation != "update" or subject is None or subject.resource != role.resource:
            return ()
        held = [
            pointer
            for resource, pointer, _ in found
            if resource is None and pointer.partition("/")[2].split("/")[0] in inputs.required - inputs.where
            if row_value(last_name(pointer), inputs.schema(pointer), subject.row) is not None
        ]
        if len(held) <= CHANGED:
            return ()
        free = [pointer for pointer in held if not known_by(last_name(pointer))] or held
        free = [pointer for pointer in free if not tells_what_it_is(last_name(pointer))] or free
        return set(held) - set(self.rng.sample(free, min(len(free), self.rng.randint(1, CHANGED))))

    def _as_beside(
        self, arguments: Mapping[str, Any], inputs: Inputs, role: ToolRole, others: Mapping[str, Subject]
    ) -> dict[str, Any]:
        """Return texts of which a schema gives samples alone as rows hold them that lie beside the new one.

        Rows beside it refer to what the call names, or what that refers to: visits to the doctor whose time is chosen.
        """
        texts = [name for name in arguments if name not in inputs.references and _is_sampled(inputs.schema(f"/{name}"))]
        if not texts or role.resource not in self.world.resources:
            return {}
        mine = self.me.resource if self.me is not None else None
        near = {
            (kind, row.key): row
            for other in others.values()
            for kind in self.world.resources
            if kind not in (mine, role.resource) and (row := self.world.linked(other, kind)) is not None
        }
        rows = [row.row for other in near.values() for row in self.world.referring(str(role.resource), other)]
        held = {
            name: sorted({row[name] for row in rows if isinstance(row.get(name), str) and row[name]}) for name in texts
        }
        return {name: self.rng.choice(values) for name, values in held.items() if values}

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
        return (self.texts.get(value) or self.things(value) or value) if isinstance(value, str) else value

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
        itself = beside and near is not None and near == subject
        if itself and near is not None:  # as source and target: one is not merged into itself
            others.setdefault(resource, near)
            near = None
        if near is not None and subject is not None and self._replaces(tool, resource, name, subject):
            beside_it = self._beside_it(near, subject)
            others |= {resource: beside_it} if beside_it is not None and resource not in others else {}
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
        if itself and row is None:
            raise DeadEnd(f"there is no other {resource}")
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

    def _beside_it(self, row: Subject, subject: Subject) -> Subject | None:
        """Choose another row that lies under the same one, where the subject does too: an epic of the project of a ticket.

        Raises:
            DeadEnd: there is no other.
        """
        within = {
            kind: self.world.linked(row, kind)
            for kind in self._listed_within(row.resource)
            if self.world.linked(row, kind) == self.world.linked(subject, kind)
        }
        shared = {kind: above for kind, above in within.items() if above is not None}
        if not shared:
            return None
        rows = [other for above in shared.values() for other in self.world.referring(row.resource, above)]
        rows = [
            other
            for other in rows
            if other.key != row.key and (self.me is None or self.mine(other))
            if all(self.world.linked(other, kind) == above for kind, above in shared.items())
        ]
        if not rows:
            raise DeadEnd(f"there is no other {row.resource} of that {next(iter(shared))}")
        free = [other for other in rows if not self.world.referring(subject.resource, other)]
        return self.rng.choice(free or rows)

    def _listed_within(self, resource: str) -> list[str]:
        """Return the kinds of which one must be named to see rows of a resource: a project, for its epics."""
        found = [
            kind
            for role in self.world.roles.values()
            if role.resource == resource and role.operation == "list"
            for pointer, kind in role.references.items()
            if pointer[1:] in self.world.tools[role.tool].parameters.get("required", ()) and kind != resource
            if kind in self.world.resources
        ]
        return list(dict.fromkeys(found))

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
        changes = role.operation in _CHANGING and resource != subject.resource
        if not changes or fixed or name not in subject.row or _says_where(tool, role, name):
            return False
        every, required = tool.parameters.get("properties", {}), tool.parameters.get("required", ())
        rest = (
            [key for key in keys if role.references.get(f"/{key}") != subject.resource] for keys in (required, every)
        )
        return [name] in rest or self.rng.random() < REPLACED

    def pick(self, resource: str, avoid: Collection[str] = ()) -> Subject | None:
        """Return a row of a resource: the user's own, mostly one that was spoken of, if possible none to `avoid`."""
        if self.me is not None and resource == self.me.resource:
            return self.me
        spoken = [key for known, key in self.draft.identities if known == resource and key not in avoid]
        if spoken and self.rng.random() < (SPOKEN if self.me is not None else SPOKEN_OF_OTHERS):
            return self.world.subject(resource, self.rng.choice(spoken))
        found = None
        places = self._places(resource)
        for tried, key in enumerate(in_turn(self._keys(resource), self.rng, ROWS_TRIED)):
            row = self.world.subject(resource, key)
            if row is not None and (self.me is None or self.mine(row)):
                near = tried >= PLACES_TRIED or not self._is_elsewhere(row, places)
                found = row if near or found is None else found
                if key not in avoid and near:
                    break
        return found

    def _places(self, resource: str) -> dict[str, set[str]]:
        """Return the rows that were spoken of, by resource, of which a row may be part; none where rows are the user's own."""
        places: dict[str, set[str]] = {}
        for known, key in self.draft.identities if self.me is None else ():
            if known != resource and known in self.world.resources:
                places.setdefault(known, set()).add(key)
        return places

    def _is_elsewhere(self, row: Subject, places: Mapping[str, set[str]]) -> bool:
        """Tell whether a row is part of something of which another one was spoken of: a project of another workspace."""
        linked = ((self.world.linked(row, kind), keys) for kind, keys in places.items())
        return any(other is not None and other.key not in keys for other, keys in linked)

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


STATES_AHEAD = 2
"""States at most that something goes on in one step."""

RENAMED = ("Plus", "New", "2026", "II")
"""What is put behind a name that is changed, and taken away again."""

SAMPLES = 3
"""Number of examples from which on a text is one of a kind of which rows tell more than the examples do."""


def _is_sampled(schema: Mapping[str, Any]) -> bool:
    """Tell whether examples alone say what a text is like."""
    open_text = schema_type(schema) == "string" and not {"enum", "const", "format", "pattern"} & schema.keys()
    return open_text and len(schema.get("examples", ())) >= SAMPLES


def _beside_row(arguments: dict[str, Any], inputs: Inputs, held: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments that agree with each other and with the row that they change: an end after its start."""
    free = {
        name: value
        for name, value in arguments.items()
        if name not in inputs.references and isinstance(value, (str, int, float)) and not isinstance(value, bool)
    }
    row = {name: value for name, value in held.items() if isinstance(value, (str, int, float))}
    fixed = {**row, **{name: value for name, value in arguments.items() if name not in free}}
    schemas = {name: inputs.schema(f"/{name}") for name in free}
    settled = reconciled(dict(free), schemas, beside=fixed)
    inner = {
        name: reconciled(dict(value), object_properties(inputs.schema(f"/{name}")), beside=row)
        for name, value in arguments.items()
        if isinstance(value, dict) and len(arguments) <= _WRAPPED
    }
    return {**arguments, **settled, **inner}


def _otherwise(arguments: dict[str, Any], inputs: Inputs, row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a change without the optional ones that say what the row says already.

    Raises:
        DeadEnd: nothing would be changed by them.
    """
    told = inputs.references | inputs.where
    free = {name: value for name, value in arguments.items() if name not in told}
    same = {name for name, value in free.items() if row_value(name, inputs.schema(f"/{name}"), row) == value}
    if same and same == free.keys():
        raise DeadEnd(f"{inputs.tool.name} would change nothing")
    return {name: value for name, value in arguments.items() if name not in same or name in inputs.required}


_WRAPPED = 2
"""The most arguments of a call that takes the row's fields as one object: that object, and what says which row it is."""

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
