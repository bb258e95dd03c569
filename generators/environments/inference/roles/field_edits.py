"""What edits say of a field of a row -> the field among those of its rows, and the fields that only edits speak of."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from interplay.generators.environments.inference.plans import Edit, ToolPlan, schema_within
from interplay.generators.environments.inference.roles.path_calls import declared_at, singular_tokens
from interplay.generators.environments.inference.tool_words import stem_of
from interplay.schemas.json.canonical import split_pointer
from interplay.schemas.json.fields import CONSTRAINTS, object_properties, schema_type
from interplay.schemas.words.identifiers import name_tokens


def settled_edit(edit: Edit, properties: Mapping[str, Any]) -> Edit:
    """Return the edit with the path of the field that it speaks of, among those of its row."""
    if not edit.names:
        return edit
    first = properties.get(edit.names[0])
    if len(edit.names) > 1 and first is not None and edit.names[1] in object_properties(first):
        return replace(edit, path=edit.names)
    wanted = singular_tokens("_".join(edit.names))
    alike = [key for key in properties if singular_tokens(key) == wanted] or [
        key for key in properties if stem_of(key) == "_".join(wanted) and not _is_one_of(edit, key, properties[key])
    ]
    many = [key for key in alike if schema_type(properties[key]) == "array"]
    found = (many if edit.does in ("add", "remove") else ()) or alike
    return replace(edit, path=(found[0],)) if found else replace(edit, path=("_".join(edit.names),))


def _is_one_of(edit: Edit, name: str, schema: Mapping[str, Any]) -> bool:
    """Tell whether a field holds one identity although an edit speaks of several: the `team_id` of `addTeams`."""
    many = edit.does in ("add", "remove") and edit.names[0] != "_".join(singular_tokens(edit.names[0]))
    return many and schema_type(schema) in ("string", "integer") and name_tokens(name)[-1:] == ["id"]


_TELLING = (*CONSTRAINTS, "examples", "example")


def told_more(shown: Mapping[str, Any], taken: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the schema of a field in results, with what the argument tells where it tells nothing itself."""
    plain = schema_type(shown) in ("string", "integer", "number") and schema_type(shown) == schema_type(taken)
    if shown is taken or not plain or any(key in shown for key in (*CONSTRAINTS, "const", "oneOf", "anyOf", "allOf")):
        return shown
    told = {key: taken[key] for key in _TELLING if key in taken and key not in shown}
    return {**{key: taken[key] for key in ("description",) if key in taken}, **shown, **told}


def edited_properties(properties: dict[str, Any], members: list[ToolPlan]) -> dict[str, Any]:
    """Return the fields of a row with those that only edits speak of; what is added to and removed from is a list."""
    for plan in members:
        if plan.edit is None or not plan.edit.names:
            continue
        edit = settled_edit(plan.edit, properties)
        declared = declared_at(plan.tool, edit.argument)
        if edit.does == "show" and edit.argument is None:
            declared = object_properties(plan.tool.returns or {}).get(edit.names[-1], declared)
            if schema_type(declared) == schema_type(properties.get(edit.path[0], {})) == "array":
                properties[edit.path[0]] = declared
        if len(edit.path) > 1:
            continue
        name = edit.path[0]
        if edit.does in ("add", "remove") and schema_type(properties.get(name, {})) != "array":
            if name in properties and schema_type(properties[name]) == "object":
                continue
            plural = name if name in properties or name.endswith("s") else f"{name}s"
            items = declared.get("items", declared) if schema_type(declared) == "array" else declared
            properties[plural] = {"type": "array", "items": items if schema_type(items) != "array" else {}}
        else:
            whole = schema_within(plan.tool.parameters, split_pointer(edit.argument)) if edit.argument else declared
            properties[name] = told_more(properties.get(name, declared), whole)
    return properties
