"""A plan -> the tool that reads or lists the rows that another one writes; found by path if there is one, else by resource."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from interplay.generators.environments.inference.plans import Plan, ToolPlan
from interplay.generators.environments.inference.tool_words import ID_WORDS
from interplay.schemas.words.identifiers import name_tokens

_ByOwners = dict[frozenset[str], ToolPlan]
"""Set of owners -> the first tool that names these owners."""


class ToolPairs:
    """Finds the tool that reads a tool's row, and the tool that lists its rows."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._shown: dict[str, ToolPlan] = {}
        self._readers: dict[str, _ByOwners] = defaultdict(dict)
        self._listers: dict[str, _ByOwners] = defaultdict(dict)
        for item in plan.tools.values():
            if item.tool.method == "GET":
                self._shown.setdefault(_bare(item.tool.path), item)
            if item.resource is None or item.edit is not None or item.tool.effect != "read":
                continue
            if item.operation == "read" and item.target is not None:
                self._readers[item.resource].setdefault(_owners(item), item)
            elif item.operation == "list" and (item.rows is None or item.rows.many):
                self._listers[item.resource].setdefault(_owners(item), item)

    def same_path(self, plan: ToolPlan) -> ToolPlan | None:
        """Return the GET tool with the same path."""
        return self._shown.get(_bare(plan.tool.path)) if plan.tool.path else None

    def reader(self, plan: ToolPlan) -> ToolPlan | None:
        """Return the tool that reads one row of the kind that `plan` lists or creates."""
        item = self._shown.get(f"{_bare(plan.tool.path)}/{{}}") if plan.tool.path else None
        if item is not None and item.operation == "read" and item.target is not None and item.edit is None:
            return item
        return self.reader_of(str(plan.resource), plan)

    def reader_of(self, resource: str, near: ToolPlan | None = None) -> ToolPlan | None:
        """Return the tool that reads a row of a resource, preferably with the same owners as `near`."""
        owners = _owners(near) if near is not None else frozenset[str]()
        return _best(self._readers[resource], owners)

    def lister(self, plan: ToolPlan) -> ToolPlan | None:
        """Return the tool that lists the rows that `plan` creates or deletes."""
        path = _bare(plan.tool.path) if plan.tool.path else ""
        for place in (path, path.removesuffix("/{}")):
            item = self._shown.get(place) if path else None
            if item is not None and item.operation == "list" and item.resource == plan.resource:
                return item
        return _best(self._listers[str(plan.resource)], _owners(plan))


def _owners(plan: ToolPlan) -> frozenset[str]:
    return frozenset(owner for _, owner in plan.parents)


def _best(options: _ByOwners, owners: frozenset[str]) -> ToolPlan | None:
    """Return the tool whose owners differ least from those given."""
    return min(options.items(), key=lambda item: len(item[0] ^ owners), default=(None, None))[1]


def _bare(path: str) -> str:
    """Return a path without parameter names: `/pets/{id}` -> `/pets/{}`."""
    return "/".join(
        "{}" if part.startswith("{") and part.endswith("}") else part for part in path.rstrip("/").split("/")
    )


def path_names(plan: ToolPlan) -> list[str]:
    """Return the arguments in a tool's path, in order; without a path, the arguments that name rows."""
    if not plan.tool.path:
        return [*(name for name, _ in plan.parents), *([plan.target] if plan.target else [])]
    names = plan.tool.properties
    wire = {plan.tool.wire_name(name): name for name in names if (plan.tool.location(name) or "path") == "path"}
    inside = [part[1:-1] for part in plan.tool.path.split("/") if part.startswith("{")]
    return [wire[part] for part in inside if part in wire]


def places(plan: ToolPlan, arguments: Mapping[str, Any], other: ToolPlan) -> dict[str, Any]:
    """Return the arguments (by pointer) that make `other` act on the same row and owners as a call of `plan`."""
    mine, theirs = path_names(plan), path_names(other)
    if plan.tool.path and other.tool.path:
        common = _common(_bare(plan.tool.path), _bare(other.tool.path))
        pairs = list(zip(mine[:common], theirs[:common], strict=False))
    else:
        own_row = {str(plan.resource): plan.target} if plan.target else {}
        owners = {owner: name for name, owner in plan.parents if owner != str(plan.resource)} | own_row
        pairs = [(owners[owner], name) for name, owner in other.parents if owner in owners]
    found = {f"/{name}": arguments[own] for own, name in pairs if own in arguments}
    for name, owner in other.parents:
        own = next((mine for mine, held in plan.parents if held == owner), None)
        if own in arguments:
            found.setdefault(f"/{name}", arguments[str(own)])
    return found


def _common(left: str, right: str) -> int:
    """Return the number of parameters in the common beginning of two paths."""
    count = 0
    for one, other in zip(left.split("/"), right.split("/"), strict=False):
        if one != other:
            break
        count += one == "{}"
    return count


def is_identity_name(name: str) -> bool:
    """Tell whether a parameter's name says that it identifies something."""
    return bool(set(name_tokens(name)[-1:]) & ID_WORDS)


def identity_of(plan: Plan, item: ToolPlan, row: Mapping[str, Any]) -> Any:
    """Return the identity of a row shown by the tool `item`; none if the row does not show it."""
    resource = plan.resources.get(str(item.resource))
    return resource.identity_of(row) if resource is not None else None
