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
        if itself is None and self._is_reference(action, pointer, origin):
            return self._told_of_it(origin, item)
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
            updates = role is not None and role.operation == "update" and kind is not None and role.resource == kind
            own = role.references.items() if role is not None and updates else ()
            if any(held == kind and value_at(other.arguments, at) == value for at, held in own):
                changed |= {name: said for name, said in other.arguments.items() if name in item}
        return changed

    def _is_reference(self, action: Action, pointer: str, origin: Origin) -> bool:
        """Tell whether an argument was taken from a reference of a row of another kind: the `user_id` of an animal."""
        made = next((made for made in self.blueprint.actions if made.id == origin.action), None)
        shown = self.roles[made.tool].resource if made is not None and made.tool in self.roles else None
        kind = referred(self.roles.get(action.tool), pointer)
        whose = _owner_named(str(origin.pointer))
        return None not in (kind, shown) and kind != shown and bool(whose) and "_".join(whose) != shown

    def _told_of_it(self, origin: Origin, item: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the fields of a row about another one that it refers to: `location_name`, beside the `location_id` of a device."""
        whose = _owner_named(str(origin.pointer))
        told = {name: value for name, value in item.items() if name_tokens(name)[: len(whose)] == whose}
        return told if len(told) > 1 else {}

    def _itself(self, action: Action, pointer: str, origin: Origin, field: str) -> Mapping[str, Any] | None:
        """Return the row that an argument means, if its identity was taken from another kind of row: the booking of a charge."""
        made = {made.id: self.roles[made.tool] for made in self.blueprint.actions if made.tool in self.roles}
        kind, taken = referred(self.roles.get(action.tool), pointer), made.get(str(origin.action))
        if kind is None or taken is None or taken.resource in (None, kind):
            return None
        value, is_read = str(at_pointer(action.arguments, pointer)), made[action.id].operation == "read"
        for name, result in reversed(self.results.items()):
            role = made.get(name)
            if role is None or role.resource != kind or (name == action.id and not is_read):
                continue
            fields = {field, *(split_pointer(at)[-1] for at, shown in role.yields.items() if shown == kind)}
            for row in result if isinstance(result, list) else [result]:
                if isinstance(row, Mapping) and any(str(row[own]) == value for own in fields if own in row):
                    return row
        return None


def _owner_named(pointer: str) -> list[str]:
    """Return the words before the last one in the name of a field: [user] for `/0/user_id`."""
    return name_tokens(split_pointer(pointer)[-1])[:-1]


def _known(row: Mapping[str, Any], item: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a row that the item has too: a sharing result also tells with whom, which is no field of the file."""
    return {name: value for name, value in row.items() if name in item}
