"""The tools of a resource -> the field that tells its rows apart, and what values it has."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from interplay.generators.environments.nouns import ID_WORDS, stem_of
from interplay.generators.environments.plans import ToolPlan
from interplay.schemas.fields import name_tokens, object_properties, schema_type, singular

SCALARS = ("string", "integer")
_NAMES = ("name", "id", "key", "path", "slug", "title")
_STRICT = ("format", "pattern", "minimum", "maximum", "minLength", "maxLength", "enum")


def invented_identity(targets: Counter[str], members: list[ToolPlan]) -> str:
    """Name the identity of rows whose schemas show none: a schemaless answer then still carries an `id`."""
    silent = all(
        plan.rows is None or not object_properties(plan.rows.schema)
        for plan in members
        if plan.operation in ("read", "list")
    )
    return "id" if silent else targets.most_common(1)[0][0]


def accepted(members: list[ToolPlan]) -> dict[str, Any]:
    """Return the schema of what the first tool with a target takes for it."""
    plan = next(plan for plan in members if plan.target)
    declared = plan.tool.parameters.get("properties", {}).get(plan.target, {})
    kind = schema_type(declared)
    return {"type": kind if kind in SCALARS else "string"}


def identity_schema(schema: Mapping[str, Any], members: list[ToolPlan]) -> dict[str, Any]:
    """Return the identity's schema, made as strict as what the tools' target arguments accept."""
    merged = dict(schema)
    for plan in members:
        if plan.target:
            declared = plan.tool.parameters.get("properties", {}).get(plan.target, {})
            if schema_type(declared) == schema_type(merged):
                merged |= {key: value for key, value in declared.items() if key in _STRICT}
            elif schema_type(declared) == "integer" and not set(merged) & set(_STRICT):
                merged |= {"pattern": "^[1-9][0-9]{4}$"}
    return merged


def spoken_identity(members: list[ToolPlan], properties: Mapping[str, Any]) -> str | None:
    """Return the field by which lists of rows are named in calls: `name`, of `entityNames`."""
    for plan in members:
        for argument, schema in plan.tool.parameters.get("properties", {}).items():
            last = singular((name_tokens(argument) or [""])[-1])
            named = last in _NAMES and schema_type(properties.get(last, {})) == "string"
            if named and schema_type(schema) == "array":
                return last
    return None


def read_fields(members: list[ToolPlan]) -> dict[str, Any]:
    """Return the fields of the row that a tool shows which is told its identity."""
    shown: dict[str, Any] = {}
    for plan in members:
        if plan.operation == "read" and plan.target is not None and plan.rows is not None and plan.edit is None:
            shown = shown or object_properties(plan.rows.schema)
    return shown


def identity_field(
    name: str, targets: list[str], properties: Mapping[str, Any], shown: Mapping[str, Any]
) -> str | None:
    """Return the field that tells rows apart: one that a read of a row shows before any other."""
    best = _best_identity(name, targets, {key: item for key, item in properties.items() if key in shown})
    return best or _best_identity(name, targets, properties)


def _best_identity(name: str, targets: list[str], properties: Mapping[str, Any]) -> str | None:
    short = name.split("_")[-1]
    by_tokens: dict[str, str] = {}
    for key in properties:
        if schema_type(properties[key]) in SCALARS:
            by_tokens.setdefault("_".join(name_tokens(key)), key)
    wanted: list[str] = []
    if targets and (stem_of(targets[0]) or targets[0] in ID_WORDS):
        targets = [target for target in targets if stem_of(target) or target in ID_WORDS]
    for target in targets:
        tokens = name_tokens(target)
        joined = "_".join(tokens)
        wanted.append(joined)
        if joined.startswith((f"{short}_", f"{name}_")):
            wanted.append(joined.split(f"{short}_", 1)[-1])
        elif joined.startswith(short):
            wanted.append(joined[len(short) :])
        if tokens[-1] in ID_WORDS:
            wanted += [tokens[-1], "id"]
        elif tokens[0] == "id":
            wanted.append("id")
        elif tokens[-1] in ("name", "number", "code"):
            wanted.append(tokens[-1])
    wanted += ["id", f"{name}_id", f"{short}_id", "uuid", "guid", "gid"]
    wanted += [f"{short}_uuid", f"{short}_key", f"{short}_number", "key", "slug"]
    return next((by_tokens[candidate] for candidate in wanted if candidate in by_tokens), None)
