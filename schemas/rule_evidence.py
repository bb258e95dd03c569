"""Earlier calls and their results -> whether they showed the facts by which a policy rule decides about the next call.

book_appointment, at most three ahead   no list_appointments so far     no evidence: no result shows that there are three
book_appointment, at most three ahead   list_appointments shows three   evidence: the results show that the rule is broken
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from interplay.schemas.json.canonical import leaves
from interplay.schemas.protocols import Policy, PolicyEvent
from interplay.schemas.records.dialogue import ToolCall, ToolResult
from interplay.schemas.records.tool import READING, PolicyRule, ResourceModel, RuleKind

History = Sequence[tuple[ToolCall, ToolResult]]
State = Mapping[str, Mapping[str, Any]]

BY_ITSELF: tuple[RuleKind, ...] = ("identify_first", "confirm_before")
"""Kinds of rules that require an earlier step: whether it was done shows from the calls alone, without any row."""

_DERIVED = ("compute",)
"""Operations whose results show no rows, but values derived from them."""


@dataclass(frozen=True)
class Evidence:
    """Finds out whether the results so far support a decision of `policy`, in a world with these `resources`."""

    policy: Policy
    resources: ResourceModel

    @cached_property
    def _identities(self) -> tuple[tuple[str, str], ...]:
        """(table, identity field) of each resource that has an identity."""
        return tuple((kind.table, kind.identity) for kind in self.resources.resources if kind.identity is not None)

    def was_looked_up(self, rule: PolicyRule, call: ToolCall, history: History) -> bool:
        """Tell whether a read of `rule.shown_by` was made about the rows that `call` refers to."""
        if not rule.shown_by:
            return True
        ids, good = self._references(call), [(made, result) for made, result in history if result.error is None]
        made = [(read, result) for read, result in good if read.name in rule.shown_by]
        if any(self._wrote(rule, call, ids, result) for call, result in good):
            return True
        if not made or not ids:
            return bool(made)
        if any(ids & {*_scalars(read.arguments), *_scalars(result.value)} for read, result in made):
            return True
        linked = {
            other
            for _, result in good
            for item in _objects(result.value)
            if ids & _own(item)
            for other in self._ids(item)
        }
        return any(linked & {*_scalars(read.arguments), *self._ids(result.value)} for read, result in made)

    def _wrote(self, rule: PolicyRule, made: ToolCall, ids: set[str], result: ToolResult) -> bool:
        """Tell whether `made` created or changed the very row that `rule` decides about, so that no read is needed."""
        roles, kinds = self.resources.by_tool, self.resources.by_name
        if made.name not in roles or roles[made.name].operation in READING:
            return False
        shown = (roles[name] for name in rule.shown_by if name in roles and roles[name].operation not in _DERIVED)
        identities = {kinds[str(role.resource)].identity for role in shown if role.resource in kinds}
        return any(str(item.get(field)) in ids for item in _objects(result.value) for field in identities if field)

    def _ids(self, value: Any) -> Iterator[str]:
        """Yield the identities of all rows in a value."""
        for item in _objects(value):
            yield from (
                str(item[identity]) for _, identity in self._identities if isinstance(item.get(identity), (str, int))
            )

    def shows_breach(self, rule: PolicyRule, call: ToolCall, history: History, state: State) -> bool:
        """Tell whether the results alone show that `rule` forbids `call`: it still does if unseen rows are removed."""
        if rule.kind in BY_ITSELF:
            return True
        if not self.was_looked_up(rule, call, history):
            return False
        roles = self.resources.by_tool
        derived = [name for name in rule.shown_by if name in roles and roles[name].operation in _DERIVED]
        if any(read.name in derived and result.error is None for read, result in history):
            return True
        known = {**state, **self._shown(history, state)}
        try:
            broken = self.policy.violations(PolicyEvent(call, tuple(history), known, confirmed=True))
        except (LookupError, TypeError, ValueError):  # the rule needs a field that no result has shown
            return False
        return rule.id in {issue.code for issue in broken}

    def _references(self, call: ToolCall) -> set[str]:
        role = self.resources.by_tool.get(call.name)
        named = role.references if role is not None else {}
        found = (
            value
            for pointer, value in leaves(call.arguments)
            if pointer in named or pointer.rpartition("/")[0] in named
        )
        return {text for value in found for text in _scalars(value)}

    def _shown(self, history: History, state: State) -> dict[str, dict[str, dict[str, Any]]]:
        """Return the rows that results have shown, with the fields shown: table -> identity -> row."""
        known: dict[str, dict[str, dict[str, Any]]] = {table: {} for table, _ in self._identities if table in state}
        fields = {table: frozenset(next(iter(state[table].values()), ())) for table in known}
        kinds = self.resources.by_name
        for call, result in history:
            role = self.resources.by_tool.get(call.name)
            about = kinds[str(role.resource)].table if role is not None and role.resource in kinds else ""
            for item in _objects(result.value) if result.error is None else ():
                for table, identity in self._identities:
                    key = item.get(identity)
                    alike = len(item.keys() & fields.get(table, frozenset()))
                    own = 2 * alike >= len(item) if fields.get(table) else table == about
                    if isinstance(key, (str, int)) and table in known and own:
                        known[table].setdefault(str(key), {}).update(item)
            self._add_read(known, call, result)
        return known

    def _add_read(self, known: dict[str, dict[str, dict[str, Any]]], call: ToolCall, result: ToolResult) -> None:
        """Add the row that a `read` call shows under the identity it was asked for, which the result may not repeat."""
        role = self.resources.by_tool.get(call.name)
        if role is None or role.operation != "read" or not isinstance(result.value, dict):
            return
        for resource in self.resources.resources:
            for pointer, name in role.references.items():
                value = call.arguments.get(pointer[1:])
                if name == resource.name == role.resource and resource.table in known and value is not None:
                    known[resource.table].setdefault(str(value), {}).update(result.value)


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    """Yield every object in a JSON value, outer ones first."""
    if isinstance(value, dict):
        yield value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _objects(item)


def _own(item: Mapping[str, Any]) -> set[str]:
    """Return the direct string and integer values of an object, as strings."""
    return {str(leaf) for leaf in item.values() if isinstance(leaf, (str, int)) and not isinstance(leaf, bool)}


def _scalars(value: Any) -> Iterator[str]:
    """Yield all string and integer values in a JSON value, as strings."""
    if isinstance(value, (dict, list)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _scalars(item)
    elif isinstance(value, (str, int)) and not isinstance(value, bool):
        yield str(value)
