"""One tool -> what it does to which resource, by its HTTP binding where it has one, else by its name."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from interplay.generators.environments.inference.plans import ToolPlan
from interplay.generators.environments.inference.result_rows import rows_in
from interplay.generators.environments.inference.roles.method_roles import named_before
from interplay.generators.environments.inference.roles.name_roles import from_name
from interplay.generators.environments.inference.roles.path_roles import from_path
from interplay.generators.environments.inference.roles.paths import PathFacts, Place, place_of
from interplay.generators.environments.inference.roles.rpc_calls import call_parts
from interplay.generators.environments.inference.tool_words import ENVELOPES, is_plural, resource_name
from interplay.schemas.json.fields import name_tokens, object_properties, schema_type
from interplay.schemas.records.tool import Tool


def classify(tool: Tool, facts: PathFacts) -> ToolPlan:
    """Return what a tool does, and where its rows stand in its result."""
    place = place_of(tool, facts) if tool.http else None
    if place is not None and tool.http and place.segments and call_parts(tool.http.path) is None:
        plan = from_path(tool, place, facts)
        plan = replace(plan, keys=place.keys or plan.keys)
    else:
        plan = from_name(tool)
    names = (plan.resource or "", plan.resource.split("_")[-1] if plan.resource else "")
    rows = rows_in(tool.returns, plan.operation == "list", names)
    if tool.http is None and plan.operation == "list" and rows is not None and rows.many:
        plan = replace(plan, resource=_row_noun(rows.pointer) or plan.resource)
    if plan.operation == "list" and tool.returns is not None and (rows is None or not rows.many):
        plan = replace(plan, operation="read" if plan.target else "compute", why=plan.why + ", but it returns no list")
    if plan.operation == "read" and plan.target is None and not plan.single and rows is not None and rows.many:
        plan = replace(plan, operation="list")
    if tool.effect == "read" and plan.operation in ("create", "update", "delete", "action"):
        plan = replace(plan, operation="compute", why=plan.why + ", but it only reads")
    counted = _counted(tool, place, facts)
    if counted is not None and place is not None:
        return ToolPlan(tool, "compute", counted, None, place.owners, counts=True, why=f"counts {counted}")
    return replace(plan, rows=rows)


def _counted(tool: Tool, place: Place | None, facts: PathFacts) -> str | None:
    """Return the resource whose rows a tool counts: `GET /pets/count`, `POST /flows/count` with a number as the result."""
    if (
        place is None
        or tool.effect != "read"
        or name_tokens(place.last)[-1:] != ["count"]
        or not _is_number(tool.returns)
    ):
        return None
    named = named_before(place, facts)
    return named if named in facts.known else None


def _is_number(returns: Mapping[str, Any] | None) -> bool:
    """Tell whether a result is a whole number, bare or as its only field."""
    if returns is None:
        return False
    fields = list(object_properties(returns).values())
    return schema_type(fields[0] if len(fields) == 1 else returns) == "integer"


def _row_noun(pointer: str) -> str | None:
    """Return the resource that the field names in which the rows stand: `/entities` of `search_nodes`."""
    last = pointer.split("/")[-1]
    return resource_name(last) if last and last.lower() not in ENVELOPES and is_plural(last) else None
