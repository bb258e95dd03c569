"""A call and its look-up -> the arguments with the same meaning in both: an access token, the owner of a list.

get_object(object_type, name) and list_objects(object_type)    ->  object_type
delete_app(base_url, app) and list_apps(base_url)              ->  base_url
update_user(user_id, email) and find_user(email)               ->  none: the new email address finds nobody
"""

from collections.abc import Iterator

from interplay.generators.graph.name_likeness import ID_WORDS
from interplay.schemas.calls.first_page import is_paging
from interplay.schemas.json.fields import schema_type
from interplay.schemas.records.tool import Tool, ToolRole
from interplay.schemas.words.identifiers import is_standing, name_tokens


def common_arguments(tool: Tool, role: ToolRole, lookup: Tool, other: ToolRole) -> tuple[str, ...]:
    """Return the names of arguments that mean the same in a call and in its look-up; none of them names a row."""
    named = {pointer.split("/")[1] for pointer in (*role.references, *other.references)}
    return tuple(
        name for name in _shared(tool, lookup) if name not in named and _is_same(name, tool, role, lookup, other)
    )


def _shared(tool: Tool, lookup: Tool) -> Iterator[str]:
    """Yield the names of scalar arguments that both tools have with the same type."""
    ours, theirs = tool.properties, lookup.properties
    for name, schema in ours.items():
        kind = schema_type(schema)
        if name not in theirs or kind in ("object", "array", None) or is_paging(name):
            continue
        if kind == schema_type(theirs[name]) and schema.get("enum") == theirs[name].get("enum"):
            yield name


def _is_same(name: str, tool: Tool, role: ToolRole, lookup: Tool, other: ToolRole) -> bool:
    needed = name in tool.required and name in lookup.required
    own = role.resource is not None and role.resource == other.resource
    if role.operation == "update":
        return own if _is_beside_body(name, tool) else needed and not _is_in_body(name, tool)
    if own and role.operation in ("read", "list", "delete"):
        return True
    told = tool.properties[name].get("description")
    same = isinstance(told, str) and told == lookup.properties[name].get("description")
    stands = same and (own or is_standing(name))  # a filter of one resource does not fit another
    return (needed or stands) if len(name_tokens(name)) > 1 else needed and same and own


def _is_in_body(name: str, tool: Tool) -> bool:
    return tool.location(name) in ("body", "form")


def _is_beside_body(name: str, tool: Tool) -> bool:
    """Tell whether an argument is outside of a request's body, which holds the changes."""
    return (
        tool.http is not None and not _is_in_body(name, tool) and any(_is_in_body(key, tool) for key in tool.properties)
    )


def repeats_identity(name: str, tool: Tool, role: ToolRole, identity: str | None) -> bool:
    """Tell whether a body field of an update repeats the identity that another argument gives."""
    named = naming_row(role)
    wire = tool.wire_name(name)
    spelt = identity is not None and name_tokens(wire) == [
        *name_tokens(role.resource or ""),
        *name_tokens(identity)[-1:],
    ]
    changes = role.operation == "update" and _is_in_body(name, tool) and (wire == identity or spelt)
    return changes and named not in ("", name)


def naming_row(role: ToolRole) -> str:
    """Return the argument that names the row which a tool acts on; empty if there is none."""
    return next((pointer[1:] for pointer, resource in role.references.items() if resource == role.resource), "")


def names_row_again(name: str, tool: Tool, role: ToolRole) -> bool:
    """Tell whether an argument names the same row as a required one: the account's id beside its slug."""
    if role.operation == "update":
        return False  # in an update, it may be a new parent
    return any(
        role.references.get(f"/{other}") == role.references.get(f"/{name}", "")
        and _row_words(other, tool) == _row_words(name, tool)
        for other in tool.required
    )


def _row_words(name: str, tool: Tool) -> list[str]:
    """Return the words of an argument's original name that say which row it names, without "id" and the like."""
    wire = tool.wire_name(name)
    return [word for word in name_tokens(wire) if word not in ID_WORDS]
