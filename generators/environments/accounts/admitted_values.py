"""A tool that writes -> what the fields of the row admit of those arguments that do not say it themselves.

POST /pets/{id}?status=...   with status: {"type": "string"}; a pet's status is one of available, pending, sold
{"status": {"enum": ["available", "pending", "sold"]}}
"""

from collections.abc import Mapping
from typing import Any

from interplay.generators.environments.inference.plans import ResourcePlan, ToolPlan, body_properties, wrapper_of
from interplay.generators.environments.rows.changes import asked_fields
from interplay.schemas.json.fields import SCALARS, schema_type

_NARROWING = ("enum", "format", "pattern")
_SAYING = {*_NARROWING, "const", "anyOf", "oneOf", "allOf"}


def admitted_by(plan: ToolPlan, resources: Mapping[str, ResourcePlan]) -> dict[str, dict[str, Any]]:
    """Return argument -> what the field that it sets admits: its choices, its format."""
    if plan.operation not in ("create", "update", "action") or plan.resource not in resources or wrapper_of(plan):
        return {}
    fields = resources[str(plan.resource)].schema.get("properties", {})
    wire = plan.tool.http.original_names if plan.tool.http else {}
    found: dict[str, dict[str, Any]] = {}
    for name, said in plan.tool.parameters.get("properties", {}).items():
        field = wire.get(name, name)
        if field not in fields or field not in body_properties(plan).keys() | asked_fields(plan) or _SAYING & set(said):
            continue
        kind, admits = schema_type(said), {key: fields[field][key] for key in _NARROWING if key in fields[field]}
        if "enum" in admits:
            admits["enum"] = [option for option in admits["enum"] if option is not None]
        if admits and kind in SCALARS and kind == schema_type(fields[field]):
            found[name] = admits
    return found
