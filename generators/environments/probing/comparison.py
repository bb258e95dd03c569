"""Two views of a row -> the first field in which they differ."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from interplay.generators.environments.inference.plans import ResourcePlan, ToolPlan
from interplay.schemas.json.fields import is_number, object_properties
from interplay.schemas.json.validation import is_valid

SHORT = 80
"""Characters of a value that are kept in a finding."""


@dataclass(frozen=True)
class Difference:
    """The path of a field, and its two values."""

    field: str
    wanted: Any
    found: Any


def disagreement(
    wanted: Mapping[str, Any], found: Mapping[str, Any], view: Mapping[str, Any] = MappingProxyType({}), path: str = ""
) -> Difference | None:
    """Return the first field that both views show with different values; a value that is absent or none agrees with any.

    So does a constant of the schema `view` of what is `wanted`: a `team_reference` is a `team`.
    """
    fields = object_properties(view)
    for name, value in wanted.items():
        shown = fields.get(name, {})
        if name.startswith("_") or name not in found or "const" in shown or len(shown.get("enum", ())) == 1:
            continue
        other, where = found[name], f"{path}{name}"
        if isinstance(value, Mapping) and isinstance(other, Mapping):
            inner = disagreement(value, other, shown, f"{where}.")
            if inner is not None:
                return inner
        elif not _agree(value, other):
            return Difference(where, value, other)
    return None


def _agree(wanted: Any, found: Any) -> bool:
    """Tell whether two values agree, or cannot be compared."""
    if wanted is None or found is None or wanted == found:
        return True
    if isinstance(wanted, list) and isinstance(found, list):
        return any(isinstance(item, (Mapping, list)) for item in (*wanted, *found))
    if isinstance(wanted, str) and isinstance(found, str):
        return found.startswith(wanted) and len(wanted) == 10 and wanted[4:5] == "-"  # a date that is shown with a time
    numbers = all(is_number(value) for value in (wanted, found))
    return type(wanted) is not type(found) and not numbers


def expected_fields(given: Mapping[str, Any], plan: ToolPlan, resource: ResourcePlan | None = None) -> dict[str, Any]:
    """Return the given fields that a tool must show unchanged: valid by its result schema, not read-only, not the identity."""
    shown = object_properties(plan.rows.schema) if plan.rows is not None else {}
    identity = resource.identity_path[:1] if resource is not None else ()
    return {
        name: value
        for name, value in given.items()
        if name in shown and name not in identity and not shown[name].get("readOnly") and is_valid(value, shown[name])
    }


def short(value: Any) -> str:
    """Return a value as JSON text of about `SHORT` characters at most."""
    text = " ".join(json.dumps(value, ensure_ascii=False, default=str).split())
    return text if len(text) <= SHORT else f"{text[:SHORT]}…"
