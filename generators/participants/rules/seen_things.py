"""Results and changes so far -> the row behind an argument in its latest state: a renamed row has its new name."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from interplay.schemas.calls.antecedent import referred
from interplay.schemas.json.canonical import at_pointer, split_pointer, value_at
from interplay.schemas.records.blueprint import Action, Blueprint, Origin
from interplay.schemas.records.tool import ToolRole
from interplay.schemas.words.identifiers import name_tokens


@dataclass(frozen=True)
class SeenThings:
    """Knows the rows of one dialogue as they were shown and changed; `results` holds the results of all actions so far."""

    blueprint: Blueprint
    roles: Mapping[str, ToolRole]
    results: dict[str, Any]

    def thing(self, origin: Origin, action: Action, pointer: str) -> Mapping[str, Any]:
        """Return the row that an argument was taken from, as it was last seen, including later changes."""
        shown = self.results.get(str(origin.action))
        item = at_pointer(shown, str(origin.pointer).rsplit("/", 1)[0]) if shown is not None else None
        if not isinstance(item, Mapping):
            return {}
        field, value = split_pointer(str(origin.pointer))[-1], at_pointer(action.arguments, pointer)
        itself = self._itself(action, pointer, origin, field)
        if itself is None and (told := self._told_of_it(action, pointer, origin, item)):
            return told
        item = itself or item
        role = self.roles.get(action.tool)
        own = (
            action.id if role is not None and role.operation in ("update", "delete") else ""
        )  # its result shows the new state
        later = [result for name, result in reversed(self.results.items()) if name != own]
        for result in later:
            for row in result if isinstance(result, list) else [result]:
                alike = isinstance(row, Mapping) and row.get(field) == value and row.get("id") in (None, item.get("id"))
                if alike and 2 * len(row.keys() & item.keys()) >= min(len(row), len(item)):
                    return {**item, **(row if row.keys() >= item.keys() else _known(row, item))}
        return {**item, **self._set_since(action, pointer, value, item)}

    def _set_since(self, action: Action, pointer: str, value: Any, item: Mapping[str, Any]) -> dict[str, Any]:
        """Return the fields of a row that were changed in this dialogue before an action."""
        kind = referred(self.roles.get(action.tool), pointer)
        changed: dict[str, Any] = {}
        for other in self.blueprint.actions:
            role = self.roles.get(other.tool)
            if other.id == action.id or other.id not in self.results:
                break
            own = (
                role.references.items() if role is not None and role.operation == "update" and kind is not None else ()
            )
            if any(held == kind and value_at(other.arguments, at) == value for at, held in own):
                changed |= {name: said for name, said in other.arguments.items() if name in item}
        return changed

    def _told_of_it(self, action: Action, pointer: str, origin: Origin, item: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the fields of another kind of row about the one meant: `location_name`, beside the `location_id` of a device."""
        made = next((made for made in self.blueprint.actions if made.id == origin.action), None)
        shown = self.roles[made.tool].resource if made is not None and made.tool in self.roles else None
        kind = referred(self.roles.get(action.tool), pointer)
        whose = name_tokens(split_pointer(str(origin.pointer))[-1])[:-1]
        told = {name: value for name, value in item.items() if whose and name_tokens(name)[: len(whose)] == whose}
        return told if None not in (kind, shown) and kind != shown and len(told) > 1 else {}

    def _itself(self, action: Action, pointer: str, origin: Origin, field: str) -> Mapping[str, Any] | None:
        """Return the row that an argument means, if its identity was taken from another kind of row: the booking of a charge."""
        known = {made.id: self.roles[made.tool].resource for made in self.blueprint.actions if made.tool in self.roles}
        kind = referred(self.roles.get(action.tool), pointer)
        if kind is None or known.get(str(origin.action)) in (None, kind):
            return None
        value = at_pointer(action.arguments, pointer)
        for name, result in reversed(self.results.items()):
            for row in result if isinstance(result, list) else [result]:
                alike = name != action.id and known.get(name) == kind
                if alike and isinstance(row, Mapping) and row.get(field) == value:
                    return row
        return None


def _known(row: Mapping[str, Any], item: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a row that the item has too: a sharing result also tells with whom, which is no field of the file."""
    return {name: value for name, value in row.items() if name in item}
