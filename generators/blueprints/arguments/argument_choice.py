"""A tool and the row that a call is about -> the arguments of the call, about rows that exist."""

from calendar import monthrange
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple

from interplay.generators.blueprints.arguments.optional_arguments import (
    extra_fields,
    extra_filters,
    is_in_past,
    tells_what_it_is,
)
from interplay.generators.blueprints.arguments.row_choice import CHANGING, RowChoice
from interplay.generators.blueprints.arguments.tool_inputs import Inputs
from interplay.generators.blueprints.drafting.draft import DeadEnd
from interplay.generators.environments.rows.initial_fields import later_statuses
from interplay.generators.graph.sampling.argument_samples import fresh_value, is_fixed, skeleton
from interplay.generators.graph.sampling.essential_arguments import known_by
from interplay.generators.graph.sampling.row_values import removable, row_value
from interplay.generators.graph.sampling.world import Subject, World
from interplay.generators.phrases.speakable_values import is_of_a_record, is_opaque
from interplay.generators.values.lifetimes import is_over, tells_state
from interplay.generators.values.moments import DAY, read_moment
from interplay.generators.values.reconciliation import put_in_order, reconciled, spans_among
from interplay.generators.values.schema_values import Unsatisfiable
from interplay.generators.values.texts import sample_words
from interplay.generators.values.texts.formatted_texts import TODAY
from interplay.generators.values.texts.ideas import draw_idea, is_called
from interplay.generators.values.texts.past_events import has_happened
from interplay.schemas.calls.implied_flags import is_implied_flag
from interplay.schemas.json.canonical import at_pointer, last_name, leaves, set_leaf
from interplay.schemas.json.fields import SCALARS, object_properties, schema_type
from interplay.schemas.json.validation import is_valid
from interplay.schemas.records.tool import Tool, ToolRole
from interplay.schemas.words.identifiers import is_standing, last_word, name_tokens, names_identity

CHANGED = 2
"""The most fields that an update changes where its call has to give all fields of a row."""


class _Leaf(NamedTuple):
    """One leaf of a call's arguments: its pointer, name, value, schema, and the resource of the row that it names, if any."""

    pointer: str
    name: str
    value: Any
    resource: str | None
    schema: Mapping[str, Any]


class _Case(NamedTuple):
    """The inputs from which the arguments of one call are chosen."""

    tool: Tool
    role: ToolRole
    inputs: Inputs
    subject: Subject | None
    """The row that the call is about."""
    others: dict[str, Subject]
    """Other rows that arguments name, chosen so far, by resource."""

    @property
    def reads(self) -> bool:
        """Whether the call shows rows."""
        return self.role.operation in ("list", "read")

    @property
    def held(self) -> Mapping[str, Any]:
        """The fields of the row that the call is about, if it is of the tool's resource; else empty."""
        return self.subject.row if self.subject is not None and self.subject.resource == self.role.resource else {}


@dataclass
class Chooser:
    """Chooses arguments; `rows` chooses the rows that they name.

    `inputs` returns what all calls of a tool share. `texts` and `things` map made-up texts to the user's own wording.
    """

    rows: RowChoice
    inputs: Callable[[str], Inputs]
    texts: Mapping[str, str] = field(default_factory=dict)
    things: Callable[[str], str] = str

    @property
    def world(self) -> World:
        """The world that calls are made in."""
        return self.rows.world

    @property
    def rng(self) -> Random:
        """The source of random choices, shared with `rows`."""
        return self.rows.rng

    def arguments(self, tool: Tool, subject: Subject | None, lookup: bool) -> dict[str, Any]:
        """Return arguments for a call about a row, or about any fitting row if none is given, as a user would choose them.

        Raises:
            DeadEnd: no valid arguments were found, or the call would change nothing.
            Unsatisfiable: no value fits the parameters.
        """
        case = _Case(tool, self.world.roles[tool.name], self.inputs(tool.name), subject, {})
        if any(case.held.get(name) not in (None, *values) for name, values in case.inputs.states.items()):
            raise DeadEnd(f"{tool.name} is for what stands otherwise")
        arguments = self._made_up(case, lookup)
        arguments |= {name: True for name in arguments if is_implied_flag(tool, name)}
        arguments = self._about_rows(case, arguments)
        if case.role.operation == "update" and not tool.phrases.wishes and case.held:
            arguments = self._renamed(case, arguments)
        again = case.inputs.again.items()
        arguments |= {name: arguments[other] for name, other in again if {name, other} <= arguments.keys()}
        if case.role.operation == "create":
            arguments |= self._as_beside(case, arguments)
            arguments |= _done_today(case, arguments)
        if case.reads:
            put_in_order(arguments, tool.properties)
            arguments = _over_the_month(case, arguments)
        else:
            arguments = _agreeing(case, arguments)
        if not case.reads and (lacking := _says_nothing(tool, arguments)):
            raise DeadEnd(f"{tool.name} would be given {lacking}")
        if not is_valid(arguments, tool.parameters):
            raise DeadEnd(f"the arguments found for {tool.name} do not satisfy its parameters")
        return self._in_own_words(tool, arguments) if self.texts and not case.reads else arguments

    def _made_up(self, case: _Case, lookup: bool) -> dict[str, Any]:
        """Return made-up values for the required arguments and for some optional ones."""
        tool, role, inputs = case.tool, case.role, case.inputs
        if case.reads:
            extra = extra_filters(inputs, role, case.subject, lookup, self.world, self.rng)
        else:
            extra = extra_fields(inputs, role, self.world, self.rng, self.rows.keys)
        given = inputs.fillers if case.reads else {**inputs.fillers, **self._of_example(case)}
        if case.reads and case.subject is not None:
            given = self._held(inputs, extra, case.subject)
        fields = self.world.fields(role.resource)
        for _ in range(TRIES):
            try:
                made = skeleton(tool, self.rng, extra, role.resource, given, fields, self.world.about)
            except Unsatisfiable:  # no value fits one of the extra arguments
                made = skeleton(tool, self.rng, set(), role.resource, given, fields, self.world.about)
            names = {str(made[name]) for name in made if name not in given and is_called(last_word(name))}
            if role.operation != "create" or not names or names.isdisjoint(self._taken(role)):
                break
        return made

    def _taken(self, role: ToolRole) -> set[str]:
        """Return the names of the rows that are there, which one more does not have."""
        rows = self.world.subjects(role.resource) if role.resource is not None else []
        return {str(value) for row in rows for name, value in row.row.items() if is_called(last_word(name))}

    def _of_example(self, case: _Case) -> dict[str, Any]:
        """Return values for a write from an example of the resource that no row was made from; empty if there is none."""
        kind = str(case.role.resource)
        examples = self.world.resources[kind].examples if kind in self.world.resources else ()
        held = {str(value) for row in self.world.subjects(kind) for value in row.row.values()} if examples else set()
        new = [row for row in examples if not any(isinstance(said, str) and said in held for said in row.values())]
        if not new:
            return {}
        example, names = self.rng.choice(new), case.tool.properties
        free = (name for name in names if name not in case.inputs.references | case.inputs.where)
        said = {name: row_value(name, case.inputs.schema(f"/{name}"), example) for name in free}
        return {name: value for name, value in said.items() if value is not None}

    def _about_rows(self, case: _Case, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return arguments with identities and values of existing rows in place of made-up ones, deepest resources first."""
        inputs = case.inputs
        found = [
            _Leaf(pointer, _name_of(pointer), value, inputs.resource(pointer), inputs.schema(pointer))
            for pointer, value in leaves(arguments)
        ]
        kinds = {leaf.resource for leaf in found if leaf.resource in self.world.resources}
        told = {
            kind: sum(self.rows.tells(str(kind), str(other)) for other in kinds) for kind in kinds if len(kinds) > 1
        }
        kept = self._kept(case, found)
        first_names: dict[str, list[str]] = {}
        for leaf in sorted(found, key=lambda leaf: (-self.world.depth(leaf.resource), -told.get(leaf.resource, 0))):
            words = name_tokens(leaf.name)
            differs = leaf.resource is not None and first_names.setdefault(leaf.resource, words) != words
            chosen = self._chosen(case, leaf, kept, differs)
            if chosen is not None:
                arguments = set_leaf(arguments, leaf.pointer, chosen)
        return arguments if case.reads else self._of_one_row(arguments, found)

    def _of_one_row(self, arguments: dict[str, Any], found: Sequence[_Leaf]) -> dict[str, Any]:
        """Return arguments in which an object that identifies a row has that row's values: `{"id": 7, "login": "ann"}`."""
        for leaf in found:
            holder, _, name = leaf.pointer.rpartition("/")
            kind = leaf.resource if holder and names_identity(name) and leaf.resource in self.world.resources else None
            subject = self.world.subject(kind, at_pointer(arguments, leaf.pointer)) if kind is not None else None
            row = subject.row if subject is not None else {}
            for other in found:
                beside = other.pointer.rpartition("/")[0] == holder and other.resource is None
                if beside and isinstance(row.get(other.name), str) and is_valid(row[other.name], other.schema):
                    arguments = set_leaf(arguments, other.pointer, row[other.name])
        return arguments

    def _chosen(self, case: _Case, leaf: _Leaf, kept: Collection[str], differs: bool) -> Any:
        """Return a better value for an argument than the made-up one, or None to keep that."""
        subject, schema = case.subject, leaf.schema
        present = removable(case.role, leaf.pointer, subject.row, schema) if subject is not None else []
        if present:
            return self.rng.choice(present)
        chosen: Any = None
        if leaf.resource is not None and leaf.pointer in kept and subject is not None:
            chosen = row_value(leaf.name, schema, subject.row)
        elif leaf.resource is not None and leaf.resource in self.world.resources:
            chosen = self.rows.referred(case.tool, leaf.resource, leaf.name, subject, case.others, schema, differs)
        elif subject is not None and (case.reads or leaf.name in case.inputs.where or leaf.pointer in kept):
            chosen = row_value(leaf.name, schema, subject.row)
        elif (leaf.value is True and is_implied_flag(case.tool, leaf.name)) or is_fixed(schema):
            return None
        elif subject is not None and case.role.operation in CHANGING:
            chosen = self._changed(case.tool, leaf, row_value(leaf.name, schema, subject.row))
        return self._as_before(leaf.name, schema) if chosen is None and is_standing(leaf.name) else chosen

    def _changed(self, tool: Tool, leaf: _Leaf, held: Any) -> Any:
        """Return a value that differs from the one a row holds, or None where the made-up value does."""
        further = self._further(tool, leaf.schema, held) if tells_state(leaf.name) else None
        if further is not None or held != leaf.value:
            return further
        return fresh_value(leaf.name, leaf.schema, self.rng, avoid=leaf.value)

    def _further(self, tool: Tool, schema: Mapping[str, Any], state: Any) -> str | None:
        """Choose a later status; None where the statuses have no known order.

        Raises:
            DeadEnd: no status comes after the present one.
        """
        later = later_statuses(schema, state)
        if later is None:
            return None
        if not later:
            raise DeadEnd(f"{tool.name} is for what goes on")
        return self.rng.choice(([option for option in later if not is_over(option)] or later)[:STATES_AHEAD])

    def _renamed(self, case: _Case, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return the arguments of an update where a new name resembles the old one; names of persons are left alone."""
        row, parameters = case.held, case.tool.parameters
        idea = draw_idea(case.role.resource or "", Random(0), row)
        if idea.name == idea.person:
            return arguments
        for name, value in arguments.items():
            held = row.get(name)
            if not (isinstance(held, str) and isinstance(value, str) and held and held != value):
                continue
            called = is_called(last_word(name)) and not names_identity(name) and not is_opaque(held)
            if called and not sample_words.is_of_person(held):
                before = next((held.removesuffix(f" {mark}") for mark in RENAMED if held.endswith(f" {mark}")), "")
                named = before or f"{held} {self.rng.choice(RENAMED)}"
                renamed = {**arguments, name: named}
                arguments = renamed if is_valid(renamed, parameters) else arguments
        return arguments

    def _kept(self, case: _Case, found: Sequence[_Leaf]) -> Collection[str]:
        """Return the pointers of required fields that an update leaves as the row holds them: all but one or two.

        References stay where anything else may change.
        """
        if case.role.operation != "update" or not case.held:
            return ()
        needed = case.inputs.required - case.inputs.where
        known = [
            leaf
            for leaf in found
            if leaf.resource != case.role.resource and leaf.pointer.partition("/")[2].split("/")[0] in needed
            if row_value(last_name(leaf.pointer), leaf.schema, case.held) is not None
        ]
        held = [leaf.pointer for leaf in known if leaf.resource is None]
        changing = any(leaf.resource is None and leaf.name not in case.inputs.where for leaf in found)
        references = [leaf.pointer for leaf in known if leaf.resource is not None and leaf.pointer.count("/") == 1]
        references = references if changing else []
        if len(held) <= CHANGED:
            return {*references}
        free = [pointer for pointer in held if not known_by(last_name(pointer))] or held
        free = [pointer for pointer in free if not tells_what_it_is(last_name(pointer))] or free
        schemas = {leaf.pointer: leaf.schema for leaf in known}
        free = [at for at in free if not (is_of_a_record(at) or is_in_past(last_name(at), schemas[at]))] or free
        return {*references, *held} - set(self.rng.sample(free, min(len(free), self.rng.randint(1, CHANGED))))

    def _as_beside(self, case: _Case, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return values for texts that only have examples in their schema, taken from rows near the new one.

        Near rows refer to a row that the call names, or to one that such a row refers to: other visits to the doctor
        whose time slot is chosen.
        """
        inputs, resource = case.inputs, case.role.resource
        texts = [name for name in arguments if name not in inputs.references and _is_sampled(inputs.schema(f"/{name}"))]
        if not texts or resource not in self.world.resources:
            return {}
        mine = self.rows.me.resource if self.rows.me is not None else None
        near = {
            (kind, row.key): row
            for other in case.others.values()
            for kind in self.world.resources
            if kind not in (mine, resource) and (row := self.world.linked(other, kind)) is not None
        }
        rows = [row.row for other in near.values() for row in self.world.referring(str(resource), other)]
        held = {
            name: sorted({row[name] for row in rows if isinstance(row.get(name), str) and row[name]}) for name in texts
        }
        return {name: self.rng.choice(values) for name, values in held.items() if values}

    def _as_before(self, name: str, schema: Mapping[str, Any]) -> Any:
        """Return the value that an earlier call has for an argument that stays the same throughout, or None."""
        before = (step.arguments[name] for step in self.rows.draft.steps if name in step.arguments)
        return next((value for value in before if is_valid(value, schema)), None)

    def _held(self, inputs: Inputs, extra: Collection[str], subject: Subject) -> dict[str, Any]:
        """Return values for a look-up that need not be made up: fillers of references, and fields of the row it is about."""
        held = dict(inputs.fillers)
        for name in (*inputs.required, *extra):
            schema = inputs.schema(f"/{name}")
            if name not in inputs.references and schema_type(schema) in SCALARS:
                value = row_value(name, schema, subject.row)
                if value is not None:
                    held[name] = value
        return held

    def _in_own_words(self, tool: Tool, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return arguments with made-up texts in the user's own wording, where the parameters accept that."""
        told = arguments
        for pointer, value in leaves(arguments):
            if pointer and self.own_words(value) != value:
                told = set_leaf(told, pointer, self.own_words(value))
        return told if is_valid(told, tool.parameters) else arguments

    def own_words(self, value: Any) -> Any:
        """Return a made-up text in the user's own wording; any other value unchanged."""
        return (self.texts.get(value) or self.things(value) or value) if isinstance(value, str) else value


def _says_nothing(tool: Tool, arguments: Mapping[str, Any]) -> str:
    """Return what a write would be given that says nothing; empty if it says something, or takes no body."""
    described = (name for name in tool.required if object_properties(tool.properties.get(name, {})))
    hollow = next((name for name in described if _is_hollow(arguments.get(name))), None)
    if hollow is not None:
        return f"a {hollow} that says nothing"
    takes = bool(arguments) or any(tool.location(name) == "body" for name in tool.properties)
    return "nothing to work on" if takes and all(value in ({}, []) for value in arguments.values()) else ""


def _is_hollow(value: Any) -> bool:
    """Tell whether an object holds nothing but objects that hold nothing: `{"source": {}, "destination": {}}`."""
    return isinstance(value, dict) and all(map(_is_hollow, value.values()))


def _over_the_month(case: _Case, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return a look-up whose span of days begins and ends on one day, that of what is looked for, over the month of that day."""
    told = dict(arguments)
    for span in spans_among(tuple(arguments)):
        first, last = arguments[span.early], arguments[span.late]
        if first == last and isinstance(first, str) and len(first) == DAY and read_moment(first) is not None:
            month = f"{first[:8]}01", f"{first[:8]}{monthrange(int(first[:4]), int(first[5:7]))[1]}"
            told |= dict(zip((span.early, span.late), month, strict=True))
    return told if is_valid(told, case.tool.parameters) else arguments


def _done_today(case: _Case, arguments: Mapping[str, Any]) -> dict[str, str]:
    """Return today for the dates on which the new row itself is made: the order date of an order."""
    named = {*name_tokens(case.role.resource or "")}
    days = {
        name: f"{TODAY.isoformat()}{value[DAY:]}"
        for name, value in arguments.items()
        if isinstance(value, str) and value[4:5] == value[7:8] == "-" and name not in case.inputs.references
        if not named.isdisjoint(name_tokens(name)) and has_happened(tuple(name_tokens(name)))
    }
    return {name: day for name, day in days.items() if is_valid(day, case.inputs.schema(f"/{name}"))}


TRIES = 4
"""Draws at most for a new row with a name that no other row has."""

STATES_AHEAD = 2
"""The most steps that a status advances at once."""

RENAMED = ("Plus", "2026", "2027", "II")
"""Suffixes that a change of name adds, or takes away again."""

SAMPLES = 3
"""Number of examples from which on a text is better taken from other rows than from its examples."""


def _is_sampled(schema: Mapping[str, Any]) -> bool:
    """Tell whether a text is characterised by examples alone."""
    open_text = schema_type(schema) == "string" and not {"enum", "const", "format", "pattern"} & schema.keys()
    return open_text and len(schema.get("examples", ())) >= SAMPLES


def _name_of(pointer: str) -> str:
    """Return the name of the argument at a pointer; for an item of a list, the name of the list."""
    *_, holder, name = ("", *pointer.split("/"))
    return holder if name.isdigit() else name


def _agreeing(case: _Case, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of a write, made consistent with each other and with the row that they change.

    Raises:
        DeadEnd: they would change nothing.
    """
    changed = case.held if case.role.operation != "create" else {}
    arguments = _beside_row(arguments, case.inputs, changed)
    if not changed or case.role.operation not in CHANGING:
        return arguments
    differing = _otherwise(arguments, case.inputs, changed)
    return differing if case.role.operation == "update" else arguments


def _beside_row(arguments: dict[str, Any], inputs: Inputs, held: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments made consistent with each other and with the row that they change: an end after its start."""
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
    """Return the arguments of an update without the optional ones that equal the row's values.

    Raises:
        DeadEnd: they would change nothing.
    """
    told = inputs.references | inputs.where
    free = {name: value for name, value in arguments.items() if name not in told}
    same = {name for name, value in free.items() if row_value(name, inputs.schema(f"/{name}"), row) == value}
    if same and same == free.keys():
        raise DeadEnd(f"{inputs.tool.name} would change nothing")
    return {name: value for name, value in arguments.items() if name not in same or name in inputs.required}


_WRAPPED = 2
"""The most arguments of a call that takes the row's fields as one object: that object and the row's identity."""
