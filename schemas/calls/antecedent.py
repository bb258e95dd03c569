"""Calls and their results -> the earlier row that "the same ..." refers to when the user brings up a goal.

look at project P, look at project Q, add a task   ->   "the same project" is Q; P has to be named, or chosen again
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

from interplay.schemas.json.canonical import leaves, split_pointer, starred, value_at
from interplay.schemas.records.blueprint import Goal, Origin, Withheld
from interplay.schemas.records.tool import Resource, ToolRole


class AmbiguousReference(Exception):
    """A reference that several rows fit, or none; the message names their resource."""


class TaskCall(Protocol):
    """One call of the ground truth: an action of a blueprint or a step of a draft."""

    @property
    def id(self) -> str:
        """The id of the call."""

    @property
    def goal(self) -> int:
        """The index of the goal that it serves."""

    @property
    def tool(self) -> str:
        """The name of the tool called."""

    @property
    def arguments(self) -> Mapping[str, Any]:
        """The arguments by name."""

    @property
    def origins(self) -> Mapping[str, Origin]:
        """The origin of each argument leaf, by JSON pointer."""

    @property
    def withheld(self) -> Withheld | None:
        """Why the call is not made; None for a call that is made."""


@dataclass(frozen=True)
class Anaphor:
    """A row that a goal takes from an earlier goal, so that the user need not name it again.

    `call` and `pointer` are where it is used; `resource` and `key` say which row it is.
    """

    call: str
    pointer: str
    resource: str
    key: str


@dataclass(frozen=True)
class Discourse:
    """The calls of a task in order with their results by call id: everything that "the same ..." can refer to.

    `told` maps each fact to the goal it is told with; `asked` maps each call to the pointers of the result values that the
    user wanted to know; `own` is the resource that the user is a row of.
    """

    goals: Sequence[Goal]
    requests: Sequence[Sequence[int]]
    calls: Sequence[TaskCall]
    values: Mapping[str, Any]
    told: Mapping[str, int]
    asked: Mapping[str, Sequence[str]]
    roles: Mapping[str, ToolRole]
    resources: Mapping[str, Resource]
    own: str | None = None
    _named: dict[str, tuple[tuple[str, str], ...]] = field(default_factory=dict, init=False, repr=False, compare=False)

    @cached_property
    def _places(self) -> dict[int, tuple[int, int]]:
        """Goal -> (index of its request, position within that request)."""
        return {
            goal: (number, place) for number, request in enumerate(self.requests) for place, goal in enumerate(request)
        }

    def same(self, goal: int, resource: str) -> str | None:
        """Return the identity that "the same RESOURCE" refers to when `goal` is brought up; None if not exactly one fits.

        After a list of several rows that was wanted for itself, no row from before it is meant.
        """
        told = [call for call in self.calls if self._before(call.goal, goal)]
        before = [call for call in told if self._keys(call, resource)]
        if before and any(self._lists(call, resource) for call in told[told.index(before[-1]) + 1 :]):
            return None
        keys = {key for call in self._of(before, self._places[goal][0]) for key in self._keys(call, resource)}
        earlier = [self._request(call) for call in before if self._request(call) < self._places[goal][0]]
        if earlier:  # facts told in this request may also refer to the last earlier request
            keys |= {key for call in self._of(before, max(earlier)) for key in self._keys(call, resource)}
        return keys.pop() if len(keys) == 1 else None

    def anaphors(self, goal: int) -> Iterator[Anaphor]:
        """Yield the rows that the calls of `goal` take from earlier goals."""
        for call in (call for call in self.calls if call.goal == goal):
            for pointer, origin in call.origins.items():
                resource = referred(self.roles.get(call.tool), pointer)
                if resource is None or resource == self.own or not self.is_earlier(goal, origin):
                    continue
                value = value_at(call.arguments, pointer)
                if isinstance(value, (str, int)):
                    yield Anaphor(call.id, pointer, resource, str(value))

    def antecedent(self, goal: int) -> Anaphor | None:
        """Return the row to call "the same ..." so that all rows taken from earlier goals are clear, if any are.

        Raises:
            AmbiguousReference: no single "the same ..." makes all of it clear.
        """
        taken = list(dict.fromkeys(self.anaphors(goal)))
        taken.sort(key=lambda one: one.resource != self.goals[goal].resource)
        for one in taken:
            clear = self.same(goal, one.resource) == one.key and not self._rivals(one)
            if clear and all(self._implied(other, one) for other in taken):
                return one
        if taken:
            raise AmbiguousReference(f"nothing says which {taken[0].resource} is meant")
        return None

    def is_earlier(self, goal: int, origin: Origin) -> bool:
        """Tell whether a value comes from an earlier goal rather than being told or chosen anew in this one."""
        if origin.fact is not None:
            return self._before(self.told.get(origin.fact, goal), goal)
        source = next((call for call in self.calls if call.id == origin.action), None)
        return source is not None and source.id != self.goals[goal].each and self._before(source.goal, goal)

    def _rivals(self, taken: Anaphor) -> bool:
        """Tell whether the same call takes another row of this resource too, which makes "the same" ambiguous."""
        call = next(call for call in self.calls if call.id == taken.call)
        return any(
            referred(self.roles.get(call.tool), pointer) == taken.resource
            and origin.kind != "user"
            and split_pointer(pointer)[-1] != split_pointer(taken.pointer)[-1]
            for pointer, origin in call.origins.items()
        )

    def _implied(self, taken: Anaphor, other: Anaphor) -> bool:
        """Tell whether naming `other` also determines `taken`: a result has shown that `other` belongs to it."""
        if taken.resource == other.resource:
            return taken.key == other.key
        below = taken.resource in self._above(other.resource)
        return any(self._given_together(call, taken, other, below) for call in self.calls) or any(
            taken.key in row and other.key in row
            for call in self.calls
            if below or getattr(self.roles.get(call.tool), "resource", None) == other.resource
            for row in _rows(self.values.get(call.id))
        )

    def _given_together(self, call: TaskCall, taken: Anaphor, other: Anaphor, below: bool) -> bool:
        """Tell whether a call that was given `taken` has shown `other`, or was given both."""
        given = set(self._given(call))
        if call.id == other.call or not below or (taken.resource, taken.key) not in given:
            return False
        shown = any(other.key in row for row in _rows(self.values.get(call.id)))
        return shown or (other.resource, other.key) in given

    def _above(self, resource: str) -> Iterator[str]:
        """Yield the parent of a resource, the parent's parent, and so on."""
        seen = {resource}
        while (
            (held := self.resources.get(resource)) is not None and held.parent is not None and held.parent not in seen
        ):
            resource = held.parent
            seen.add(resource)
            yield resource

    def _before(self, other: int, goal: int) -> bool:
        return self._places[other] < self._places[goal]

    def _request(self, call: TaskCall) -> int:
        return self._places[call.goal][0]

    def _of(self, calls: Sequence[TaskCall], request: int) -> list[TaskCall]:
        return [call for call in calls if self._request(call) == request]

    def _keys(self, call: TaskCall, resource: str) -> set[str]:
        if call.id not in self._named:
            self._named[call.id] = (*self._given(call), *self._shown(call))
        return {key for known, key in self._named[call.id] if known == resource}

    def _lists(self, call: TaskCall, resource: str) -> bool:
        """Tell whether a call shows several rows of a resource to a user who wanted to see them."""
        role, value = self.roles.get(call.tool), self.values.get(call.id)
        if (
            role is None
            or role.resource != resource
            or call.tool != self.goals[call.goal].tool
            or call.id in self.asked
        ):
            return False
        many = (value_at(value, pointer.partition("/*")[0]) for pointer in own_identities(role) if "/*" in pointer)
        return any(isinstance(rows, list) and len(rows) > 1 for rows in many)

    def _given(self, call: TaskCall) -> Iterator[tuple[str, str]]:
        """Yield (resource, identity) of the rows that a call's arguments name."""
        for pointer, value in leaves(dict(call.arguments)):
            resource = referred(self.roles.get(call.tool), pointer)
            if resource is not None and isinstance(value, (str, int)):
                yield resource, str(value)

    def _shown(self, call: TaskCall) -> Iterator[tuple[str, str]]:
        """Yield (resource, identity) of the one row that a call creates, shows or is asked about.

        A created row counts even if no result tells its identity.
        """
        role = self.roles.get(call.tool)
        if role is None or role.resource is None or call.id not in self.values:
            return
        shown = [key for _, key in identities_shown(role, self.values[call.id], self.asked.get(call.id, ()))]
        for key in shown or ([f"made by {call.id}"] if role.operation == "create" else []):
            yield role.resource, key


def own_identities(role: ToolRole) -> list[str]:
    """Return the result pointers to the identities of a tool's own rows, not of rows nested in them."""
    pointers = [pointer for pointer, resource in role.yields.items() if resource == role.resource]
    top = min((pointer.count("/") for pointer in pointers), default=0)
    return [pointer for pointer in pointers if pointer.count("/") == top]


def identities_shown(role: ToolRole, value: Any, asked: Sequence[str] = ()) -> Iterator[tuple[str, str]]:
    """Yield (pointer, identity) of the one row that a result shows, or of the one list item that `asked` points into."""
    for pointer in own_identities(role):
        before, star, after = pointer.partition("/*")
        listed = value_at(value, before)
        places = {at.removeprefix(f"{before}/").partition("/")[0] for at in asked if at.startswith(f"{before}/")}
        alone = isinstance(listed, list) and len(listed) == 1
        if star and not alone and len(places) != 1:
            continue
        place = "0" if alone or not star else places.pop()
        at = f"{before}/{place}{after}" if star else before
        found = value_at(value, at)
        if isinstance(found, (str, int)):
            yield at, str(found)


def referred(role: ToolRole | None, pointer: str) -> str | None:
    """Return the resource whose identity the argument leaf at `pointer` holds; list indices match `*`."""
    if role is None:
        return None
    return role.references.get(pointer) or role.references.get(starred(pointer))


def _rows(value: Any) -> Iterator[set[str]]:
    """Yield, for each object in a result, the set of its scalar values, nested objects included but lists left out."""
    if isinstance(value, list):
        for item in value:
            yield from _rows(item)
    elif isinstance(value, Mapping):
        yield {
            str(leaf) for _, leaf in leaves({key: item for key, item in value.items() if not isinstance(item, list)})
        }
        for item in value.values():
            yield from _rows(item)
