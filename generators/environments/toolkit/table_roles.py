"""Live tables and a toolset -> the resources that its tools act on, and each tool's role.

patients = {"P-0001": {"patient_id": "P-0001", ...}}     Resource(name="patient", table="patients",
                                                             identity="patient_id")
book_appointment(patient_id, slot_id) -> Appointment     ToolRole(operation="create", resource="appointment",
                                                             references={"/patient_id": "patient", ...},
                                                             yields={"/appointment_id": "appointment", ...})
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from interplay.schemas.json.canonical import join_pointer
from interplay.schemas.json.fields import object_properties, schema_type
from interplay.schemas.records.tool import Operation, Resource, ResourceModel, Tool, ToolRole, Toolset
from interplay.schemas.words.nouns import singular

Tables = Mapping[str, Mapping[Any, Any]]

VERBS: dict[str, Operation] = {
    **dict.fromkeys(("add", "book", "create", "insert", "issue", "make", "new", "open", "order", "place"), "create"),
    **dict.fromkeys(("post", "register", "reserve", "schedule", "submit"), "create"),
    **dict.fromkeys(("describe", "fetch", "get", "read", "retrieve", "show", "view"), "read"),
    **dict.fromkeys(("browse", "filter", "find", "list", "lookup", "query", "search"), "list"),
    **dict.fromkeys(("change", "edit", "modify", "move", "patch", "rename", "replace", "reschedule"), "update"),
    **dict.fromkeys(("set", "update"), "update"),
    **dict.fromkeys(("delete", "drop", "remove"), "delete"),
}


def infer_resources(toolset: Toolset, tables: Tables) -> ResourceModel:
    """Infer a resource from each table of rows, and a role for each tool from its name, parameters and result."""
    held = {
        name: rows
        for name, rows in tables.items()
        if isinstance(rows, Mapping) and all(isinstance(row, Mapping) for row in rows.values())
    }
    found = [_resource(name, rows, toolset, held) for name, rows in held.items()]
    resources = tuple(_with_parent(resource, tuple(found), tables) for resource in found)
    matcher = _Matcher(resources, tables)
    return ResourceModel(resources=resources, roles=tuple(_role(tool, matcher) for tool in toolset.tools))


def words_of(name: str) -> list[str]:
    """Split a snake_case or camelCase name into lower-case words."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().replace("-", "_").strip("_").split("_")


class _Matcher:
    """Finds the resource that a field or parameter name identifies."""

    def __init__(self, resources: tuple[Resource, ...], tables: Tables) -> None:
        self.resources = resources
        self._tables = tables

    def of_name(self, name: str, owner: str | None) -> tuple[str, str] | None:
        """Return the resource that a field `name`, in a tool or result about `owner`, identifies, and the reason."""
        words = words_of(name)
        stem = "_".join(words[:-1] if words[-1] in ("id", "ids") else words)
        for resource in self.resources:
            if name in (resource.identity, f"{resource.identity}s") and (name != "id" or resource.name == owner):
                return resource.name, "the name of its identity"
        if words[-1] in ("id", "ids"):
            fitting = [each.name for each in self.resources if stem == each.name or stem.endswith(f"_{each.name}")]
            return (max(fitting, key=len), "the name of a table before `id`") if fitting else None
        called = next((each for each in self.resources if each.name == stem), None)
        return (stem, "a field of rows that holds its keys") if called and self._holds_keys(called, name) else None

    def of_tool(self, tool: Tool) -> str | None:
        """Return the last resource in the name of a tool."""
        words = [singular(word) for word in words_of(tool.name)[1:]]
        found = [
            (position, len(resource.name), resource.name)
            for resource in self.resources
            for position in range(len(words))
            if words[position : position + len(words_of(resource.name))] == words_of(resource.name)
        ]
        return max(found)[2] if found else None

    def _holds_keys(self, resource: Resource, name: str) -> bool:
        """Tell whether some table has a field `name` that holds only keys of the resource."""
        keys = self._tables[resource.table]
        for rows in self._tables.values():
            values = [row[name] for row in rows.values() if isinstance(row, Mapping) and row.get(name) is not None]
            if values and all(isinstance(value, (str, int)) and value in keys for value in values):
                return True
        return False


def _role(tool: Tool, matcher: _Matcher) -> ToolRole:
    named = matcher.of_tool(tool)
    told = dict(_identities(tool.parameters, named, matcher))
    references = {pointer: target for pointer, (target, _) in told.items()}
    resource = named
    if resource is None and len(set(references.values())) == 1:
        resource = next(iter(references.values()))
    shown = dict(_identities(tool.returns or {}, resource, matcher))
    yields = {pointer: target for pointer, (target, _) in shown.items()}
    operation = _operation(tool, resource)
    why = f"The verb {words_of(tool.name)[0]!r}" + (f" and the table of {resource!r}" if resource else ", no table")
    return ToolRole(
        tool=tool.name, operation=operation, resource=resource, references=references, yields=yields, why=f"{why}.",
        because={pointer: says for pointer, (_, says) in {**shown, **told}.items()},
    )  # fmt: skip


def _operation(tool: Tool, resource: str | None) -> Operation:
    operation = VERBS.get(words_of(tool.name)[0])
    if resource is None or operation is None:
        return "compute" if tool.effect == "read" else "action"
    if tool.effect == "read":
        returns = tool.returns or {}
        items = [field.get("items") for field in object_properties(returns).values() if field.get("type") == "array"]
        wraps = len(items) == 1 and isinstance(items[0], Mapping) and bool(object_properties(items[0]))
        listed = returns.get("type") == "array" or (operation == "list" and (wraps or not returns))
        return "list" if listed else "read"
    return operation if operation not in ("read", "list") else "action"


def _identities(
    schema: Mapping[str, Any], owner: str | None, matcher: _Matcher, *at: str
) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield pointer and (resource, reason) for each field in `schema` that identifies a resource."""
    for option in (*schema.get("anyOf", ()), *schema.get("oneOf", ()), *schema.get("allOf", ())):
        yield from _identities(option, owner, matcher, *at)
    if isinstance(schema.get("items"), Mapping):
        yield from _identities(schema["items"], owner, matcher, *at, "*")
    for name, part in schema.get("properties", {}).items():
        kinds = [schema_type(found) for found in (part, part.get("items", {})) if "type" in found]
        scalar = bool({"string", "integer"} & set(kinds))
        resource = matcher.of_name(name, owner) if scalar or "anyOf" in part else None
        if resource:
            yield join_pointer(*at, name), resource
        else:
            inner = next((each.name for each in matcher.resources if each.name == singular(name)), owner)
            yield from _identities(part, inner, matcher, *at, name)


def _resource(table: str, rows: Mapping[Any, Any], toolset: Toolset, tables: Tables) -> Resource:
    inner = table.rpartition(".")[2]
    called = inner if inner not in tables and sum(other.rpartition(".")[2] == inner for other in tables) == 1 else table
    name = "_".join([*words_of(called)[:-1], singular(words_of(called)[-1])])
    identity = _identity(name, rows) if rows else _returned_identity(name, toolset)
    says = "a field that holds the key of each row" if rows else "a field that some tool returns; there are no rows yet"
    return Resource(name=name, table=table, identity=identity, because={identity: says} if identity else {})


def _returned_identity(name: str, toolset: Toolset) -> str | None:
    """Return the identity of an empty table: `NAME_id`, if some tool returns that."""
    for tool in toolset.tools:
        returned = (tool.returns or {}).get("items", tool.returns or {})
        if f"{name}_id" in returned.get("properties", {}):
            return f"{name}_id"
    return None


def _identity(name: str, rows: Mapping[Any, Mapping[str, Any]]) -> str | None:
    """Return the field that holds the key of each row; of several, the one named after the resource."""
    fields = list(next(iter(rows.values()), {}))
    holding = [
        field
        for field in fields
        if all(isinstance(row.get(field), (str, int)) and str(row[field]) == str(key) for key, row in rows.items())
    ]
    return min(holding, key=lambda field: (field != f"{name}_id", field != "id", fields.index(field)), default=None)


def _with_parent(resource: Resource, resources: tuple[Resource, ...], tables: Tables) -> Resource:
    """Return the resource with the first other one that all its rows refer to as its parent."""
    rows = tables[resource.table].values()
    parents = [
        other.name
        for other in resources
        if other is not resource and other.identity and rows and all(other.identity in row for row in rows)
        if other.identity != resource.identity and other.identity != "id"
    ]
    return resource.model_copy(update={"parent": parents[0]}) if parents else resource
