"""A recorded result -> the rows that it shows, so that a sandbox can go on with what was there when it was recorded."""

from collections.abc import Iterator, Mapping
from typing import Any

from interplay.generators.environments.inference.plans import Plan, ToolPlan
from interplay.schemas.json.canonical import at_pointer
from interplay.schemas.records.dialogue import ToolCall


def rows_shown(plan: Plan, call: ToolCall, value: Any) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield resource, key and row for each whole row in the result of a call; of a row without identity the argument tells it."""
    tool = plan.tools.get(call.name)
    if tool is None or tool.resource is None or tool.operation == "delete":
        return
    resource = plan.resources[tool.resource]
    if resource.identity is None or resource.single:
        return
    shown = _rows(tool, value)
    for row in shown:
        key = resource.identity_of(row)
        if key is None and len(shown) == 1 and tool.target is not None and len(resource.identity_path) == 1:
            key = call.arguments.get(tool.target.split("/")[-1])
            row = {**row, resource.identity_path[0]: key}
        if isinstance(key, (str, int)) and len(row) > 1 and row.keys() <= resource.schema.get("properties", {}).keys():
            yield tool.resource, str(key), dict(row)


def _rows(tool: ToolPlan, value: Any) -> list[Mapping[str, Any]]:
    if tool.rows is not None:
        try:
            value = at_pointer(value, tool.rows.pointer)
        except LookupError:
            return []
    items = value if isinstance(value, list) else [value]
    return [item for item in items if isinstance(item, Mapping)]
