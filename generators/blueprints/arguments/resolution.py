"""A tool and a row -> an executed action, with every identity looked up by a tool or told by the user."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any, NamedTuple

from interplay.generators.blueprints.arguments.argument_choice import Chooser
from interplay.generators.blueprints.arguments.argument_labels import label_of_argument, purpose_of
from interplay.generators.blueprints.arguments.enabling_calls import run_enabled
from interplay.generators.blueprints.arguments.implied_reference import is_implied, is_other_row
from interplay.generators.blueprints.arguments.item_choice import Picker
from interplay.generators.blueprints.arguments.kept_values import (
    named_in_row,
    of_other_row,
    rows_first,
    shown_beside,
    wants_row,
)
from interplay.generators.blueprints.arguments.pending_calls import Call, PendingCalls
from interplay.generators.blueprints.arguments.producers import Producers
from interplay.generators.blueprints.arguments.row_hierarchy import (
    check_apart,
    check_one_lineage,
    realigned,
    still_below,
)
from interplay.generators.blueprints.arguments.shared_arguments import common_arguments
from interplay.generators.blueprints.arguments.tool_inputs import said_at_least
from interplay.generators.blueprints.drafting.draft import DeadEnd, Draft, PlannedCall, Refused, Step
from interplay.generators.blueprints.drafting.ended_rows import check_not_ended, check_not_ended_at_start
from interplay.generators.graph.multigraph import ToolGraph, edges_into
from interplay.generators.graph.sampling.row_values import fit_identity
from interplay.generators.graph.sampling.world import Subject, World
from interplay.generators.phrases.labels.address_parts import address_part
from interplay.generators.phrases.labels.field_labels import is_half_name, is_own_name
from interplay.generators.phrases.labels.identity_labels import argument_label
from interplay.generators.phrases.speakable_values import hint_of, is_holdable, is_opaque
from interplay.generators.values.schema_values import Unsatisfiable
from interplay.schemas.calls.first_page import first_page
from interplay.schemas.calls.implied_flags import is_implied_flag
from interplay.schemas.json.canonical import at_pointer, canonical, set_leaf
from interplay.schemas.json.fields import schema_at
from interplay.schemas.json.validation import is_valid
from interplay.schemas.records.blueprint import Origin
from interplay.schemas.records.tool import READING, Tool
from interplay.schemas.records.tool_graph import Edge
from interplay.schemas.words.identifiers import is_standing
from interplay.schemas.words.nouns import plural

DEPTH = 4
"""The deepest level of look-ups for look-ups."""

ROUNDABOUT = 1
"""Depth from which on rows are no longer looked up by way of other rows that refer to them."""

PRODUCERS_TRIED = 4

HELD = 0.05
"""Chance that a user has an identifier at hand that could be looked up."""

NAMED = 0.4
"""Chance that a user who wants to see a row names it by its identity, where that is a name or a word."""

RECALLED = 0.6
"""Chance that a user who describes things refers to a row by another one that refers to it, if possible."""

NOTHING_KNOWN: Mapping[str, Origin] = {}

_MAKING = ("create", "action")
"""Operations of calls that are pointless with an empty list: an email to nobody."""

VOLUNTEERED = 0.4
"""Chance that the user tells a required argument unasked."""


Fits = Callable[[Any], bool]
"""Whether another row, by its identity, may replace the intended one."""


def _anything(_identity: Any) -> bool:
    return True


class Need(NamedTuple):
    """An argument that needs an origin, and the goal and request that it is for."""

    tool: Tool
    pointer: str
    value: Any
    goal: int
    request: int
    depth: int
    """The number of look-ups that this look-up is nested in."""
    fits: Fits = _anything


@dataclass(frozen=True)
class Resolver:
    """Resolves the arguments of calls; all that it adds goes into the draft.

    `identified`: the policy wants identities looked up, so that identifiers at hand do not suffice. `lenient`: where no
    look-up works, the user may know even what nobody would remember. `describing`: the user describes rows ("the latest
    one") where that singles them out. `volunteered`: the chance that the user tells something unasked. `held`: the user
    has identifiers at hand. `exact`: only the very rows that are named will do, whether or not a look-up shows them.
    """

    world: World
    graph: ToolGraph
    producers: Producers
    draft: Draft
    rng: Random
    chooser: Chooser
    picker: Picker
    identified: bool = False
    lenient: bool = False
    describing: bool = False
    volunteered: float = VOLUNTEERED
    held: bool = False
    exact: bool = False
    pending: PendingCalls = field(default_factory=PendingCalls)

    async def act(self, name: str, goal: int, request: int, subject: Subject | None, depth: int = 0) -> Step:
        """Execute `name` about `subject`, or about any fitting row if None, after its look-ups.

        Raises:
            DeadEnd: no arguments were found with which the call succeeds.
        """
        return await self.run(await self.prepare(name, goal, request, self.choose(name, subject, depth > 0), depth))

    def choose(self, name: str, subject: Subject | None, lookup: bool = False) -> dict[str, Any]:
        """Return arguments for `name` about `subject`, without calling anything.

        Raises:
            DeadEnd: no arguments were found.
        """
        try:
            return self.chooser.arguments(self.world.tools[name], subject, lookup)
        except Unsatisfiable as failure:
            raise DeadEnd(str(failure)) from failure

    async def prepare(
        self,
        name: str,
        goal: int,
        request: int,
        arguments: dict[str, Any],
        depth: int = 0,
        known: Mapping[str, Origin] = NOTHING_KNOWN,
    ) -> PlannedCall:
        """Return a call of `name` with these arguments, or similar ones, after executing the look-ups that it needs.

        `known` holds origins by pointer, for arguments that have one already.

        Raises:
            DeadEnd: some argument can neither be looked up nor told.
        """
        call = Call(self.world.tools[name], said_at_least(self.chooser.inputs(name), arguments), goal, request)
        with self.pending.waiting(call):
            for pointer, _ in rows_first(self.chooser.inputs(name), call.arguments):
                if pointer in known:
                    call.origins[pointer] = known[pointer]
                elif pointer:
                    await self._settle(call, pointer, depth)
        self._name_first(call)
        check_one_lineage(self.chooser, name, call.arguments)
        check_apart(self.chooser, name, call.arguments)
        return PlannedCall(name, call.arguments, call.origins, goal, request)

    def _name_first(self, call: Call) -> None:
        """Let whoever tells anything unasked about what is to be made tell first what it is called."""
        if self.world.roles[call.tool.name].operation != "create":
            return
        used = {origin.fact for origin in call.origins.values() if origin.kind == "user"}
        told = [fact for fact in self.draft.facts if fact.id in used and fact.goal == call.goal]
        if any(fact.reveal == "opening" for fact in told):
            for fact in told:
                label = fact.label.rpartition("'s ")[2]
                if fact.reveal == "asked" and (is_own_name(label) or is_half_name(label)):
                    self.draft.revise_fact(fact.id, reveal="opening")

    async def _settle(self, call: Call, pointer: str, depth: int) -> None:
        """Give the argument at a pointer its origin; a look-up may replace its value."""
        name, value = call.tool.name, at_pointer(call.arguments, pointer)
        named = self.chooser.inputs(name).again.get(pointer[1:], "")
        if f"/{named}" in call.origins:
            call.arguments = {**call.arguments, pointer[1:]: call.arguments[named]}
            call.origins[pointer] = call.origins[f"/{named}"]
            return
        await self._look_at(call, pointer, depth)
        shown = shown_beside(self.draft.steps, self.world.roles, self.chooser.inputs(name), call, pointer)
        if shown is not None:
            call.origins[pointer] = shown
            return
        fits = partial(still_below, self.chooser, name, call.arguments, pointer, frozenset(call.origins))
        need = Need(call.tool, pointer, value, call.goal, call.request, depth, fits)
        origin, settled = await self._origin(need)
        if settled is not value:
            arguments = set_leaf(call.arguments, pointer, settled)
            arguments = of_other_row(self.world, self.chooser.inputs(name), arguments, pointer, value, settled)
            call.arguments = realigned(self.chooser, name, arguments, pointer, value, call.origins)
        call.origins[pointer] = origin

    async def _look_at(self, call: Call, pointer: str, depth: int) -> None:
        """Read the row that an update changes, if the user only named it and the call must repeat what it holds already."""
        inputs, resource = self.chooser.inputs(call.tool.name), self.world.roles[call.tool.name].resource
        if depth or resource is None or inputs.role.operation != "update":
            return
        named = (at_pointer(call.arguments, at) for at in call.origins if inputs.resource(at) == resource)
        subject = next((subject for value in named if (subject := self.world.subject(resource, value))), None)
        if subject is None or not wants_row(inputs, call, pointer, subject.row):
            return
        roles = self.world.roles
        for name in (name for name, role in roles.items() if (role.operation, role.resource) == ("read", resource)):
            if all(step.tool != name or step.goal != call.goal for step in self.draft.steps):
                with self.draft.trial():
                    arguments = self.choose(name, subject, lookup=True)
                    await self.run(await self.prepare(name, call.goal, call.request, arguments, depth + 1))
                    return

    async def run(self, wanted: PlannedCall, after: Sequence[str] = ()) -> Step:
        """Execute a call, after enabling calls if it needs any, and record the identity that its result shows.

        Raises:
            DeadEnd: it failed, or the state of a row does not allow it.
        """
        check_not_ended(wanted.tool, wanted.arguments, self.draft.steps, self.world.roles)
        check_not_ended_at_start(wanted.tool, wanted.arguments, self.world)
        needs = self.world.roles[wanted.tool].needs
        before = self.draft.mark() if needs else ()
        try:
            step = await self.draft.run(wanted, after)
        except Refused:
            if not needs:
                raise
            self.draft.rewind(before)
            step = await run_enabled(self, wanted, after)
        self.picker.remember(step)
        return step

    def _volunteered(self, need: Need) -> bool:
        """Decide whether the user tells a value unasked: an update's new value, a flag, anything optional; else by chance.

        What narrows a list is told unasked where another tool lists all rows, since the wish would ask for that one else.
        """
        tool, updates = need.tool, self.world.roles[need.tool.name].operation == "update"
        if not tool.phrases.wishes and (updates or self.world.narrows(tool.name)):
            return True
        optional = need.pointer.split("/")[1] not in tool.required
        if isinstance(need.value, bool) or (optional and not updates):
            return True
        return self.rng.random() < self.volunteered

    async def _origin(self, need: Need) -> tuple[Origin, Any]:
        """Return the origin of an argument, and its value, which a look-up may have replaced."""
        tool, value = need.tool, need.value
        inputs, operation = self.chooser.inputs(tool.name), self.world.roles[tool.name].operation
        schema, resource = inputs.schema(need.pointer), inputs.resource(need.pointer)
        constant = self._constant(need, schema)
        if constant is not None:
            return constant
        if resource in self.world.resources and isinstance(value, list) and len(value) > 1:
            return self._several(need, str(resource)), value
        if resource in self.world.resources:
            single = value[0] if isinstance(value, list) and value else value
            origin, settled = await self._identity(need._replace(value=single), str(resource))
            settled = fit_identity(settled, schema)
            return origin, [settled] if isinstance(value, list) else settled
        changed = operation == "update" and need.pointer[1:] not in inputs.required
        if "default" in schema and canonical(schema["default"]) == canonical(value) and not changed:
            return Origin(kind="default"), value
        if is_opaque(value) and need.depth < DEPTH:
            observed = await self._observed(need, schema)
            if observed is not None:
                return observed
        if is_opaque(value) and not is_holdable(value) and not self.lenient:
            raise DeadEnd(f"nobody knows the code that {tool.name} wants")
        return self._said(need, schema), value

    def _constant(self, need: Need, schema: Mapping[str, Any]) -> tuple[Origin, Any] | None:
        """Return the origin and value of what nobody has to say: fixed values, implied flags, the first page; else None.

        Raises:
            DeadEnd: the call would create something from an empty list.
        """
        name, value, operation = need.pointer[1:], need.value, self.world.roles[need.tool.name].operation
        declared = schema_at(self.world.environment.toolset.tool(need.tool.name).parameters, need.pointer)
        fixed = "const" in declared or len(declared.get("enum", ())) == 1
        fixed = fixed or name in self.chooser.inputs(need.tool.name).implied
        if value == [] and not fixed and operation in _MAKING:
            raise DeadEnd(f"{need.tool.name} would be called with nothing at {need.pointer}")
        if fixed or value in ({}, []) or (value is True and is_implied_flag(need.tool, name)):
            return Origin(kind="constant"), value
        page = first_page(name, schema) if operation in READING else None
        told = page is None or name in need.tool.phrases.arguments
        return None if told else (Origin(kind="constant"), page)

    def _said(self, need: Need, schema: Mapping[str, Any]) -> Origin:
        """Return the origin of a value that the user says, reusing the fact of a lasting value said before."""
        label = label_of_argument(self.world, need.tool, need.pointer, self.pending.purpose)
        told = next((fact for fact in self.draft.facts if (fact.label, fact.value) == (label, need.value)), None)
        if told is not None and is_standing(need.pointer.rsplit("/", 1)[-1]):
            return Origin(kind="user", fact=told.id)
        reveal = "opening" if self._volunteered(need) else "asked"
        rest = (fact for fact in self.draft.facts if fact.goal == need.goal and _told_together(fact.label, label))
        reveal = next((fact.reveal for fact in rest), reveal)
        return Origin(
            kind="user", fact=self.draft.tell(need.goal, label, need.value, hint_of(schema), reveal=reveal).id
        )

    def _several(self, need: Need, resource: str) -> Origin:
        """Let the user name several rows by their identities at once."""
        if not all(is_holdable(value) for value in need.value):
            raise DeadEnd(f"nobody knows by heart what each {resource} is called")
        label = plural(self._label(need, resource))
        return Origin(kind="user", fact=self.draft.tell(need.goal, label, need.value, {}, reveal="opening").id)

    def _label(self, need: Need, resource: str) -> str:
        identity, nouns = self.world.resources[resource].identity, self.world.environment.toolset.spoken_nouns
        return argument_label(need.pointer, resource, identity, nouns, self.world.roles[need.tool.name].references)

    async def _identity(self, need: Need, resource: str) -> tuple[Origin, Any]:
        """Return the origin of a row's identity: an earlier result, a new look-up, or the user.

        A look-up may replace the row by another one that `fits`.
        """
        value, goal = need.value, need.goal
        if self.chooser.rows.is_given(resource, str(value)):
            return Origin(kind="given"), value
        known = self.draft.identities.get((resource, str(value)))
        several = (
            known is not None
            and is_other_row(self.draft, self.world, goal, resource, str(value), known)
            and not is_implied(self.draft, self.world, goal, resource, str(value), self.pending.named(self.chooser))
        )
        if known is not None and not several:
            return known, value
        if need.depth:
            shown = named_in_row(self.draft.steps, self.world, self.pending.calls, resource, value)
            if shown is not None:
                return shown, value
        if self.pending.is_sought(resource, str(value) if self.lenient else None):
            raise DeadEnd("a look-up would need the like of what it is to find")
        producers = self.producers.cheapest(need.tool.name, need.pointer, resource, self.rng)
        told = known is not None and known.kind == "user"
        role = self.world.roles[need.tool.name]
        looks = need.depth == 0 and role.operation == "read" and role.resource == resource
        chance = NAMED if looks and _is_a_name(value) else HELD
        held = is_holdable(value) and (self.held or told or (not self.identified and self.rng.random() < chance))
        subject = self.world.subject(resource, value)
        if need.depth < DEPTH and subject is not None and not held:
            found = await self._found(need, subject, producers, several)
            if found is not None:
                return found
        if not self.lenient and not is_holdable(value):
            raise DeadEnd(f"no look-up finds the {resource}")
        fact = self.draft.tell(goal, self._label(need, resource), value, {"type": "identity"}, reveal="opening")
        origin = Origin(kind="user", fact=fact.id)
        self.draft.identities[resource, str(value)] = origin
        return origin, value

    async def _found(
        self, need: Need, subject: Subject, producers: Sequence[Edge], several: bool
    ) -> tuple[Origin, Any] | None:
        """Find the identity of a row, or of a fitting replacement, by a look-up; None if no look-up works."""
        recalls = self.describing and self.chooser.rows.person is not None  # people recall only things of their own
        if recalls and self.rng.random() < RECALLED:
            recalled = await self._recalled(need, subject)
            if recalled is not None:
                return recalled
        others = need.depth < DEPTH // 2 and not self.exact and not several
        near = need.depth >= ROUNDABOUT and not self.lenient
        for edge, exact, loose in self.producers.ways(producers[:PRODUCERS_TRIED], subject.resource, others, near):
            with self.draft.trial():
                found = await self._look_up(need, edge, subject, need.value if exact else None, loose)
                if not loose or found[1] == need.value or need.fits(found[1]):
                    return found
                raise DeadEnd(f"{edge.producer} shows another one")
        return None

    async def _recalled(self, need: Need, subject: Subject) -> tuple[Origin, Any] | None:
        """Let the user refer to a row by another one that refers to it: the same doctor as in May; None if impossible."""
        for edge in self.producers.recalling(need.tool.name, need.pointer, subject.resource):
            with self.draft.trial():
                return await self._recall(need, edge, subject)
        return None

    async def _recall(self, need: Need, edge: Edge, subject: Subject) -> tuple[Origin, Any]:
        """List the rows that refer to a row, and let the user describe one of them."""
        made = [step for step in self.draft.steps if step.tool == edge.producer and not step.withheld]
        usable = [step for step in made if not await self.draft.is_outdated(step, need.request)]
        if usable:
            step = usable[0]
        else:
            event = self.chooser.rows.referring(str(self.world.roles[edge.producer].resource), subject)
            with self.pending.looking_for(subject, purpose_of(self.world, edge.consumer, edge.input, event.resource)):
                required = self.world.tools[edge.producer].required
                chosen = self.choose(edge.producer, event, lookup=True)
                arguments = {name: value for name, value in chosen.items() if name in required}
                wanted = await self.prepare(edge.producer, need.goal, need.request, arguments, need.depth + 1)
                step = await self.run(wanted)
        return self.picker.known_facts(step, edge, subject, need.goal)

    async def find_out(self, consumer: str, pointer: str, resource: str, value: str, goal: int, request: int) -> Origin:
        """Look up an identity as if an argument of `consumer` needed it, even if the user has told it.

        Raises:
            DeadEnd: no look-up shows it.
        """
        told = self.draft.identities.pop((resource, value), None)
        subject = self.world.subject(resource, value)
        key = value if subject is None else self.world.identity(subject)
        need = Need(self.world.tools[consumer], pointer, key, goal, request, 0)
        origin, found = await self._identity(need, resource)
        if told is not None:
            self.draft.identities[resource, value] = told
        if origin.kind != "output" or str(found) != value:
            raise DeadEnd(f"no look-up shows this {resource}")
        return origin

    async def _look_up(self, need: Need, edge: Edge, subject: Subject, value: Any, loose: bool) -> tuple[Origin, Any]:
        """Run a reading tool about `subject`; take `value` from its result, or any row if it is None or missing and `loose`."""
        goal, request, depth = need.goal, need.request, need.depth
        shown = await self.picker.shown_before(edge, value, goal, request)
        if shown is not None:
            if is_other_row(self.draft, self.world, goal, subject.resource, str(value), shown[0]):
                raise DeadEnd(f"nobody has spoken of that {subject.resource}")
            self.draft.identities[subject.resource, str(value)] = shown[0]
            return shown
        if any(step.tool == edge.producer and step.goal == goal for step in self.draft.steps if depth > 2):
            raise DeadEnd("going round in circles")
        kind = self.world.roles[edge.producer].resource
        about = (self.world.linked(subject, kind) if kind is not None else None) or subject
        arguments, known = await self._with_common(edge.producer, self.choose(edge.producer, about, lookup=True), depth)
        with self.pending.looking_for(subject, purpose_of(self.world, edge.consumer, edge.input, subject.resource)):
            step = await self.run(await self.prepare(edge.producer, goal, request, arguments, depth + 1, known))
        waits = self.pending.call
        given = waits.arguments if waits is not None and waits.tool.name == edge.consumer else {}
        changed = [name for name in given if f"/{name}" != edge.input]  # new values do not identify the present row
        return self.picker.looked_up(step, edge, subject, value, goal, loose, changed)

    async def _with_common(
        self, producer: str, arguments: dict[str, Any], depth: int
    ) -> tuple[dict[str, Any], dict[str, Origin]]:
        """Return the arguments of a look-up, with those it shares with the call that needs it, and their origins."""
        call, tool, roles = self.pending.call, self.world.tools[producer], self.world.roles
        if call is None:
            return arguments, {}
        names, known = common_arguments(call.tool, roles[call.tool.name], tool, roles[producer]), dict[str, Origin]()
        chosen = {name: value for name, value in arguments.items() if name not in names or name in call.arguments}
        chosen |= {name: call.arguments[name] for name in names if name in call.arguments}
        if not names or not is_valid(chosen, tool.parameters):
            return arguments, {}
        for pointer in (f"/{name}" for name in names if name in call.arguments):
            value = call.arguments[pointer[1:]]
            origin = call.origins.get(pointer)
            if origin is None:
                origin, _ = await self._origin(Need(call.tool, pointer, value, call.goal, call.request, depth))
            known[pointer] = origin
        return chosen, known

    async def _observed(self, need: Need, schema: Mapping[str, Any]) -> tuple[Origin, Any] | None:
        """Take a code that nobody would remember from the result of a tool that an edge names; None if there is none."""
        for edge in edges_into(self.graph, need.tool.name, need.pointer)[:PRODUCERS_TRIED]:
            role = self.world.roles[edge.producer]
            if role.operation not in ("list", "read"):
                continue
            with self.draft.trial():
                about = self.chooser.rows.pick(str(role.resource)) if role.resource in self.world.resources else None
                step = await self.act(edge.producer, need.goal, need.request, about, need.depth + 1)
                found = self.picker.find(step.value, edge.output.split("/")[1:], None)
                if found is not None and is_valid(at_pointer(step.value, found), schema):
                    return self.picker.chosen(step, found, need.goal), at_pointer(step.value, found)
                raise DeadEnd(f"{edge.producer} shows no such code")
        return None


def _told_together(label: str, other: str) -> bool:
    """Tell whether people tell two values at once: both names of a person, or the parts of one address."""
    part, beside = address_part(label.split()), address_part(other.split())
    return (is_half_name(label) and is_half_name(other)) or (
        part is not None and beside is not None and part[0] == beside[0]
    )


def _is_a_name(identity: Any) -> bool:
    """Tell whether an identity is a name or a word, which people know: a username, a slug."""
    return isinstance(identity, str) and not identity.isdigit() and not is_opaque(identity)
