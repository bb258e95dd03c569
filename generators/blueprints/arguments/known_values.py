"""An argument, and a value for it -> whether a person could know and say it."""

import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from interplay.generators.environments.inference.result_rows import is_free, is_silent
from interplay.generators.graph.multigraph import ToolGraph
from interplay.generators.graph.sampling.argument_samples import fresh_value
from interplay.generators.graph.sampling.world import World
from interplay.generators.phrases.labels.field_labels import label_of
from interplay.generators.phrases.lackable_facts import is_given
from interplay.generators.phrases.speakable_values import LABELS, is_holdable, is_opaque, repeats_name
from interplay.generators.values.schema_values import Unsatisfiable, is_told
from interplay.schemas.json.canonical import last_name, leaves, starred
from interplay.schemas.json.fields import schema_at, schema_type
from interplay.schemas.records.tool import Tool, ToolRole
from interplay.schemas.words.identifiers import is_standing, name_tokens

SAMPLES = 3
"""Values that are made up for an argument before it counts as unknowable."""

_LONG = 4
"""Number of digits from which on nobody knows a text that is only a number by heart."""

_NAMING = {word for label in LABELS for word in label.split()}


_EXPRESSION = re.compile(r"[A-Za-z_][\w.-]{0,60}\([^()]{0,300}\)")
"""A call in a text: `equals(messages.channel,'email')`."""


def is_unlikely(pointer: str, value: Any) -> bool:
    """Tell whether nobody would say a value: an opaque code, a number in place of a text, or an expression for programs."""
    if isinstance(value, list):
        return bool(value) and all(is_unlikely(pointer, item) for item in value)
    if not isinstance(value, str) or is_standing(last_name(pointer)):
        return False
    coded = is_opaque(value) and not is_holdable(value)
    numbered = value.isdigit() and len(value) >= _LONG and not is_given(label_of(pointer))
    return coded or numbered or _EXPRESSION.fullmatch(value) is not None


def is_naming(pointer: str) -> bool:
    """Tell whether a field holds a name."""
    return not _NAMING.isdisjoint(name_tokens(last_name(pointer))[-1:])


def unknowable(tool: Tool, world: World, graph: ToolGraph) -> str:
    """Return the label of a required argument that nobody can know, or empty if there is none.

    Such an argument is no reference, no field of the rows, and shown by no other tool; and all values that can be made up
    for it are codes, or repeat the name of the field.
    """
    role, required = world.roles[tool.name], tool.required
    bodies = (name for name, wire in tool.http.original_names.items() if not wire) if tool.http is not None else ()
    if any(_is_unknown(tool.properties.get(name, {}), name in required) for name in bodies):
        return "body, of which nothing is described"
    fed = {edge.input for edge in graph.found_for(tool.name) if edge.verified is not False}
    for name in required:
        schema: Mapping[str, Any] = tool.properties.get(name, {})
        if f"/{name}" not in role.references and f"/{name}" not in fed and not is_fillable(name, schema):
            return f"{label_of(f'/{name}')}, for which no value was found that fits its schema"
        for pointer in nobody_says(name, schema):
            shown = any(at in role.references or at in fed for at in (pointer, starred(pointer)))
            if not shown and not is_given(label_of(pointer)) and not _is_held(pointer[1:], role, world):
                return label_of(pointer)
    return ""


def _is_unknown(schema: Mapping[str, Any], needed: bool) -> bool:
    """Tell whether a schema of a body says nothing of its fields, or no more than that they are there."""
    return not schema or (needed and is_free(schema) and schema.keys().isdisjoint(("examples", "default")))


def is_fillable(name: str, schema: Mapping[str, Any]) -> bool:
    """Tell whether a value that fits a schema can be made up."""

    def is_found(seed: int) -> bool:
        try:
            fresh_value(name, schema, Random(f"{name}/{seed}"))
        except Unsatisfiable:
            return False
        return True

    return any(map(is_found, range(SAMPLES)))


def untold(world: World) -> dict[str, str]:
    """Return the reading tools whose results mean nothing to a person, with the reason.

    These return files, whose content no dialogue shows, or lack a result schema where other tools have one, so that their
    results are guesses.
    """
    readers = [tool for tool in world.tools.values() if tool.http is not None and tool.effect == "read"]
    readers = [tool for tool in readers if not tool.phrases.wishes]
    silent = {tool.name: "an answer that nobody describes" for tool in readers if is_silent(tool.returns)}
    files = {tool.name: "a file" for tool in readers if (tool.returns or {}).get("format") in ("binary", "byte")}
    plain = {
        tool.name: "texts of which nothing is known"
        for tool in readers
        if _says_its_name(tool, str(world.roles[tool.name].resource or ""))
    }
    few = 2 * len(silent) < len(readers)
    guessed = {name: why for name, why in silent.items() if few or world.roles[name].resource is None}
    return {**guessed, **files, **plain}


def _says_its_name(tool: Tool, resource: str) -> bool:
    """Tell whether made-up text results of a tool only repeat the name of the tool or of its resource."""
    schema: Mapping[str, Any] = tool.returns if tool.returns is not None else {"type": "null"}
    while schema_type(schema) == "array" and isinstance(schema.get("items"), Mapping):
        schema = schema["items"]
    if schema_type(schema) != "string" or is_told(tool.original_name, schema):
        return False
    names = [name for name in (resource, tool.original_name) if name]
    made = [
        (name, fresh_value(name, schema, Random(f"{tool.name}/{seed}"))) for seed in range(SAMPLES) for name in names
    ]
    return all(repeats_name(name, str(value)) for name, value in made)


def _is_held(name: str, role: ToolRole, world: World) -> bool:
    """Tell whether existing rows that a tool acts on have a field of this name."""
    return role.operation != "create" and name in world.fields(role.resource)


def nobody_says(name: str, schema: Mapping[str, Any]) -> list[str]:
    """Return the pointers within an argument for which only values that nobody would say can be made up."""
    made: dict[str, list[Any]] = {}
    for seed in range(SAMPLES):
        for pointer, value in _sample(name, schema, seed):
            made.setdefault(pointer, []).append(value)
    return [
        pointer
        for pointer, values in made.items()
        if len(values) == SAMPLES
        and (all(is_unlikely(pointer, value) for value in values) or _is_untold(pointer, values, name, schema))
    ]


def _is_untold(pointer: str, values: Sequence[Any], name: str, schema: Mapping[str, Any]) -> bool:
    """Tell whether nothing is known about a text, so that its made-up values only repeat the field's name."""
    texts = [text for value in values for text in (value if isinstance(value, list) else [value])]
    field = next((part for part in reversed(pointer.split("/")) if part and not part.isdigit()), "")
    repeated = bool(texts) and all(isinstance(text, str) and repeats_name(field, text) for text in texts)
    return repeated and not is_told(field, schema_at({"properties": {name: schema}}, pointer))


def _sample(name: str, schema: Mapping[str, Any], seed: int) -> list[tuple[str, Any]]:
    if "enum" in schema or "const" in schema or "default" in schema:
        return []
    try:
        return list(leaves({name: fresh_value(name, schema, Random(f"{name}/{seed}"))}))
    except Unsatisfiable:
        return []
