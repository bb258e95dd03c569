"""The tools of a resource -> the field that tells its rows apart, and what values it has."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from interplay.generators.environments.inference.plans import ResourcePlan, ToolPlan, schema_at
from interplay.generators.environments.inference.roles.segments import key_names
from interplay.generators.environments.inference.tool_words import HOLDERS, ID_WORDS, stem_of
from interplay.schemas.json.fields import IDENTIFYING, field_path, name_tokens, object_properties, schema_type
from interplay.schemas.json.validation import is_valid
from interplay.schemas.words.nouns import singular

_HANDLES = ("username", "login", "handle", "slug", "screenname", "nickname")
"""Fields by which people, and what belongs to them, go in addresses."""

_NAMES = ("name", "id", "key", "path", "slug", "title")
_STRICT = ("format", "pattern", "minimum", "maximum", "minLength", "maxLength", "enum")


def invented_identity(targets: Counter[str], members: list[ToolPlan]) -> str:
    """Name the identity of rows whose schemas show none: a schemaless answer then carries an `id`, or what names its row."""
    silent = all(
        plan.rows is None or not object_properties(plan.rows.schema)
        for plan in members
        if plan.operation in ("read", "list")
    )
    target = targets.most_common(1)[0][0]
    return "id" if silent and not {*name_tokens(target)[-1:]} & {"name", "path"} else target


def accepted(members: list[ToolPlan]) -> dict[str, Any]:
    """Return the schema of what the first tool with a target takes for it."""
    plan = next(plan for plan in members if plan.target)
    declared = plan.tool.parameters.get("properties", {}).get(plan.target, {})
    kind = schema_type(declared)
    return {"type": kind if kind in IDENTIFYING else "string"}


def key_field(plan: ToolPlan) -> str:
    """Return the name under which a tool takes the identity of a row: that of the field, where its path says it."""
    http, target = plan.tool.http, str(plan.target)
    if http is None:
        return target
    return key_names(http.path).get(http.original_names.get(target, target), target)


def taken_for(members: list[ToolPlan], name: str) -> Mapping[str, Any]:
    """Return the schema of the argument that takes an identity under a name."""
    plans = [plan for plan in members if plan.target and key_field(plan) == name]
    return next((plan.tool.parameters.get("properties", {}).get(plan.target, {}) for plan in plans), {})


def with_identity_schema(identity: str, properties: dict[str, Any], members: list[ToolPlan]) -> dict[str, Any]:
    """Return the fields of rows with the identity's schema made as strict as what the tools' target arguments accept."""
    path = field_path(identity, properties)
    held = schema_at(properties, path)
    return properties if held is None else _replaced(properties, path, _strict(held, members))


def _replaced(properties: Mapping[str, Any], path: tuple[str, ...], schema: Mapping[str, Any]) -> dict[str, Any]:
    if not path[1:]:
        return {**properties, path[0]: schema}
    holder = properties[path[0]]
    return {**properties, path[0]: {**holder, "properties": _replaced(object_properties(holder), path[1:], schema)}}


def _strict(schema: Mapping[str, Any], members: list[ToolPlan]) -> dict[str, Any]:
    merged = dict(schema)
    for plan in members:
        if plan.target:
            declared = plan.tool.parameters.get("properties", {}).get(plan.target, {})
            if schema_type(declared) == schema_type(merged):
                stricter = merged | {key: value for key, value in declared.items() if key in _STRICT}
                merged = stricter if _is_open(stricter) else merged
            elif schema_type(declared) in ("integer", "number"):
                merged = _digits(merged)
    return merged


def numbered(properties: Mapping[str, Any], path: tuple[str, ...]) -> Mapping[str, Any]:
    """Return the fields of rows whose identity is written with digits, where it is a text that may be."""
    held = schema_at(properties, path)
    return properties if held is None or _digits(held) == held else _replaced(properties, path, _digits(held))


def _digits(schema: Mapping[str, Any]) -> dict[str, Any]:
    is_free = schema_type(schema) == "string" and not set(schema) & set(_STRICT)
    return {**schema, "pattern": "^[1-9][0-9]{4}$"} if is_free else dict(schema)


def _is_open(schema: Mapping[str, Any]) -> bool:
    """Tell whether a schema admits one of the values that it lists; a path may take the kind of a thing for its identity."""
    return "enum" not in schema or any(is_valid(option, schema) for option in schema["enum"])


WORN = 6
"""Schemas of referring fields that an identity is made to satisfy at most."""


def worn_schemas(own: Mapping[str, Any], held: Iterable[Mapping[str, Any]]) -> tuple[dict[str, Any], ...]:
    """Return what fields that hold an identity demand of it beyond its own schema, each demand once."""
    stated = {key: own[key] for key in _STRICT if key in own}
    found: list[dict[str, Any]] = []
    for schema in held:
        wanted = {key: schema[key] for key in _STRICT if key in schema and key != "enum"}
        if schema_type(schema) == schema_type(own) and wanted and wanted != stated and wanted not in found:
            found.append(wanted)
    return tuple(found[:WORN])


def handle_of(argument: str, resource: ResourcePlan) -> str | None:
    """Return the field beside the identity by which an argument names a row: `slug` of an account, of `account_slug`."""
    *held, last = name_tokens(argument) or [""]
    own = resource.schema["properties"].get(last, {})
    if last not in _HANDLES or last == resource.identity or schema_type(own) != schema_type(resource.identity_schema):
        return None
    return last if not held or held == name_tokens(resource.name)[-len(held) :] else None


def spoken_identity(members: list[ToolPlan], properties: Mapping[str, Any]) -> str | None:
    """Return the field by which lists of rows are named in calls: `name`, of `entityNames`."""
    for plan in members:
        for argument, schema in plan.tool.parameters.get("properties", {}).items():
            last = singular((name_tokens(argument) or [""])[-1])
            named = last in _NAMES and last in properties and schema_type(properties[last]) == "string"
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
    name: str, asked: Mapping[str, Mapping[str, Any]], properties: Mapping[str, Any], shown: Mapping[str, Any]
) -> str | None:
    """Return the field that tells rows apart: one that a read of a row shows before any other, `metadata.name` within one.

    `asked` are the names under which tools take it, the commonest first, with the schemas of these arguments.
    """
    first = {key: item for key, item in properties.items() if key in shown}
    best = _best_identity(name, asked, first) or _best_identity(name, asked, properties)
    if best is None and asked:
        best = _within(name, asked, first) or _within(name, asked, properties)
    return best


def _within(name: str, asked: Mapping[str, Mapping[str, Any]], properties: Mapping[str, Any]) -> str | None:
    """Return the identity in a field that says what a row is (`metadata`, `attributes`) rather than what it refers to."""
    own = {name, name.split("_")[-1]}
    for key, schema in properties.items():
        if "_".join(name_tokens(key)) in HOLDERS | own and schema_type(schema) == "object":
            best = _best_identity(name, asked, object_properties(schema))
            if best is not None:
                return f"{key}.{best}"
    return None


def _best_identity(name: str, asked: Mapping[str, Mapping[str, Any]], properties: Mapping[str, Any]) -> str | None:
    short = name.split("_")[-1]
    by_tokens: dict[str, str] = {}
    for key in properties:
        if schema_type(properties[key]) in IDENTIFYING:
            by_tokens.setdefault("_".join(name_tokens(key)), key)
    wanted: list[str] = []
    targets = [target for target in asked if name_tokens(target)]
    if targets and (stem_of(targets[0]) or targets[0] in ID_WORDS):
        targets = [target for target in targets if stem_of(target) or target in ID_WORDS]
    for target in targets:
        tokens = name_tokens(target)
        joined = "_".join(tokens)
        wanted += ["id", joined] if "or" in tokens and "id" in tokens else [joined]
        if "".join(tokens) in _HANDLES:
            wanted += _HANDLES
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
    wanted += ["id", f"{name}_id", f"{short}_id", "uuid", "guid", "gid", "uid"]
    wanted += [f"{short}_uuid", f"{short}_key", f"{short}_number", "key", "slug"]
    found = next((by_tokens[candidate] for candidate in wanted if candidate in by_tokens), None)
    if found is not None and targets and schema_type(properties[found]) == "integer":
        texts = [by_tokens[word] for word in _spoken(targets[0], asked[targets[0]]) if word in by_tokens]
        return next((key for key in texts if schema_type(properties[key]) == "string"), found)
    return found


def _spoken(target: str, taken: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the fields that an address may mean which takes a text for a plain noun: `{repo}` is no number."""
    if schema_type(taken) != "string" or stem_of(target) or target in ID_WORDS or {"format", "pattern"} & taken.keys():
        return ()
    says_name = "name" in name_tokens(f"{target} {taken.get('description', '')}")
    return (*_HANDLES, "key", *(("name",) if says_name else ()))
