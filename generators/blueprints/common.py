"""A call and the look-up that it needs -> the arguments that both take and that mean the same: an access token, whose list it is.

get_object(object_type, name) and list_objects(object_type)    ->  object_type
delete_app(base_url, app) and list_apps(base_url)              ->  base_url
update_user(user_id, email) and find_user(email)               ->  nothing: the new address finds nobody
"""

from collections.abc import Iterator, Mapping
from typing import Any

from interplay.generators.graph.sampling import is_paging
from interplay.schemas.fields import name_tokens, schema_type
from interplay.schemas.tools import Tool, ToolRole


def in_common(tool: Tool, role: ToolRole, lookup: Tool, other: ToolRole) -> tuple[str, ...]:
    """Return the names of the arguments that mean the same in a call and in its look-up; none that names a row."""
    named = {pointer.split("/")[1] for pointer in (*role.references, *other.references)}
    return tuple(
        name for name in _shared(tool, lookup) if name not in named and _is_same(name, tool, role, lookup, other)
    )


def _shared(tool: Tool, lookup: Tool) -> Iterator[str]:
    """Yield the names of plain arguments of the same type."""
    ours, theirs = _properties(tool), _properties(lookup)
    for name, schema in ours.items():
        kind = schema_type(schema)
        if name not in theirs or kind in ("object", "array", None) or is_paging(name):
            continue
        if kind == schema_type(theirs[name]) and schema.get("enum") == theirs[name].get("enum"):
            yield name


def _is_same(name: str, tool: Tool, role: ToolRole, lookup: Tool, other: ToolRole) -> bool:
    needed = name in tool.parameters.get("required", ()) and name in lookup.parameters.get("required", ())
    if role.operation == "update":
        return needed and (tool.http is None or tool.http.locations.get(name) not in ("body", "form"))
    own = role.resource is not None and role.resource == other.resource
    if own and role.operation in ("read", "list", "delete"):
        return True
    told = _properties(tool)[name].get("description")
    same = isinstance(told, str) and told == _properties(lookup)[name].get("description")
    return (needed or same) if len(name_tokens(name)) > 1 else needed and same and own


def _properties(tool: Tool) -> Mapping[str, Any]:
    properties: Mapping[str, Any] = tool.parameters.get("properties", {})
    return properties
