"""A JSON file of tool definitions, in the format of any provider -> a toolset, with a report on each tool.

    {"type": "function", "function": {"name": "get_pet", "parameters": {"type": "object", ...}}}       OpenAI
    {"name": "get_pet", "input_schema": {...}}                                                         Anthropic
    {"name": "get_pet", "inputSchema": {...}, "outputSchema": {...}, "annotations": {"readOnlyHint": true}}     MCP
    {"name": "get_pet", "parameters": {"type": "dict", ...}, "response": {"type": "dict", ...}}        BFCL
    {"name": "get_pet", "parameter_definitions": {"id": {"type": "str", "required": true}}}            Cohere
    ->  Tool(name="get_pet", effect="read", parameters={"type": "object", ...}, returns={...})

`discovery` finds the definitions, `input_schemas` the key of their parameters, and `shorthand` expands them. Tools under
`user_tools` have the requestor `user`. Parameter names are kept as they are.
Source: OpenAI function calling guide; Anthropic tool use guide; Gemini function calling guide; Hugging Face Transformers,
get_json_schema; Model Context Protocol 2025-06-18, Tools; Cohere API v1, Chat.
"""

import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from interplay.generators.importers.definitions.discovery import (
    FLAGGED_INPUTS,
    INPUTS,
    SPLIT_INPUTS,
    Definition,
    find_definitions,
)
from interplay.generators.importers.definitions.input_schemas import given_inputs, misplaced
from interplay.generators.importers.definitions.json_stream import read_values
from interplay.generators.importers.definitions.shorthand import expanded, parameters_schema
from interplay.generators.importers.documents.import_notes import Notes
from interplay.generators.importers.documents.json_references import Document, References
from interplay.generators.importers.documents.tool_effects import effect_of_name
from interplay.generators.importers.documents.tool_names import legal_tool_name, slug, split_words, unique_names
from interplay.generators.importers.documents.tool_texts import summary_and_description
from interplay.generators.importers.normalisation.forced_size import too_many_parameters
from interplay.generators.importers.normalisation.normaliser import Normaliser
from interplay.schemas.records.tool import Effect, ImportReport, Tool, Toolset
from interplay.schemas.words.nouns import singular
from interplay.schemas.words.verbs import TOLD

_OUTPUTS = "returns return response results outputSchema output_schema responseJsonSchema result".split()
_NAMES = ("name", "server", "domain", "title")
_PLAIN_KINDS = ("function", "custom", "object", "read", "write", "tool")


def import_tool_json(path: Path, name: str | None = None) -> ImportReport:
    """Import the tool definitions in a JSON (or JSON Lines, or YAML) file.

    Raises:
        ImportFailure: the file cannot be read at all, or holds no list of tools.
    """
    report = import_definitions(read_values(path), path.name, name or "", f"tool_json:{path.name}")
    tools = tuple(without_service(report.toolset.tools))
    return report.model_copy(update={"toolset": report.toolset.model_copy(update={"tools": tools})})


def import_definitions(root: Any, file: str, name: str, provenance: str) -> ImportReport:
    """Import the tool definitions in a JSON value; `file` names its origin in reports and errors.

    Raises:
        ImportFailure: `root` holds no list of tools.
    """
    definitions = find_definitions(root, file)
    main = Document(file, root)
    for definition in definitions:
        _read_definition(definition, main)
    made = [definition for definition in definitions if definition.tool is not None]
    _make_unique(made)
    head = root if isinstance(root, dict) else {}
    titles = [head[key] for key in _NAMES if isinstance(head.get(key), str)]
    stem = file.split(".")[0]
    toolset = Toolset(
        name=name or slug(titles[0] if titles else stem, stem),
        tools=tuple(definition.tool for definition in made if definition.tool is not None),
        policy=head["policy"] if isinstance(head.get("policy"), str) else "",
        provenance=(provenance,),
        licence=next((head[key] for key in ("license", "licence") if isinstance(head.get(key), str)), ""),
    )
    reports = (
        item.notes.report(item.tool, item.original_name or item.source.pointer or "tool", item.source)
        for item in definitions
    )
    return ImportReport(toolset=toolset, reports=tuple(reports))


def _read_definition(definition: Definition, main: Document) -> None:
    """Set `definition.tool`, or leave it None and note the reason."""
    notes = definition.notes
    raw = definition.body()
    if not isinstance(raw, dict):
        notes.repair(f"a {type(raw).__name__} instead of a tool definition")
        return
    keys = ("name", "api_name", "title") if raw.get("type") == "object" else ("name", "api_name")
    given = next((raw[key].strip() for key in keys if isinstance(raw.get(key), str)), "")
    definition.original_name = given
    name = legal_tool_name(given)
    missing = _missing(raw, name)
    if missing:
        notes.repair(missing)
        return
    if name != given:
        notes.repair(f"name {given[:60]!r} called {name}")
    if definition.times > 1:
        notes.remark(f"defined {definition.times} times, always the same")
    try:
        parameters = _parameters(raw, main, notes)
        returns = _returns(raw, main, notes)
    except RecursionError:
        notes.repair("nested too deeply")
        return
    if why := too_many_parameters(parameters):
        notes.repair(why)
        return
    annotations = raw["annotations"] if isinstance(raw.get("annotations"), dict) else {}
    summary, description = summary_and_description(
        raw.get("title") or annotations.get("title") or raw.get("summary"),
        raw.get("description") or raw.get("api_description"),
    )
    definition.tool = Tool(
        name=name,
        original_name=given,
        summary=summary,
        description=description,
        parameters=parameters,
        returns=returns,
        effect=_effect(raw, annotations, name, description),
        requestor=definition.requestor,
        source=definition.source,
    )


def _missing(raw: dict[str, Any], name: str) -> str:
    """Return the reason why a definition cannot be imported; empty if it can."""
    kind = raw.get("type")
    described = any(key in raw for key in (*INPUTS, *SPLIT_INPUTS, FLAGGED_INPUTS, "properties"))
    if not described and isinstance(kind, str) and kind not in _PLAIN_KINDS:
        return f"{kind[:60]} is a tool of the provider's own, which nothing here describes"
    if kind == "custom" and not described:
        return "takes a free text instead of arguments"
    elsewhere = misplaced(raw)
    if elsewhere:
        return f"{elsewhere[:60]!r} seems to describe the arguments; give them under `parameters`"
    return "" if name else "no usable name"


def _parameters(raw: dict[str, Any], main: Document, notes: Notes) -> dict[str, Any]:
    """Return the object schema of the arguments."""
    given = given_inputs(raw, notes)
    if given is None or given == {}:
        return {"type": "object", "properties": {}}
    schema = _normalised(parameters_schema(given, notes), main, "parameters", notes)
    if schema.get("type") == ["object", "null"]:
        schema["type"] = "object"
    if schema.get("type", "object") != "object":
        notes.repair(f"parameters: of type {schema['type']} instead of object, left open")
        schema = {}
    rest = {key: value for key, value in schema.items() if key not in ("type", "properties")}
    return {"type": "object", "properties": schema.get("properties", {}), **rest}


def _returns(raw: dict[str, Any], main: Document, notes: Notes) -> dict[str, Any] | None:
    """Return the schema of the result; a wrapper object whose only property is `returns` is removed."""
    given = next((raw[key] for key in _OUTPUTS if isinstance(raw.get(key), dict)), None)
    if not given and isinstance(raw.get("output_type"), str):
        given = {"type": raw["output_type"]}
    if not given:
        return None
    schema = _normalised(expanded(given, notes, "returns"), main, "returns", notes)
    if list(schema.get("properties", {})) == ["returns"] and given.get("title") == "returns":
        notes.repair("returns: the wrapper `returns` removed")
        inner: dict[str, Any] = schema["properties"]["returns"]
        return inner or None
    return schema


def _normalised(given: Any, main: Document, where: str, notes: Notes) -> dict[str, Any]:
    """Normalise one schema; references are resolved within it, else within the whole file."""
    document = Document(where, given)
    normalised = Normaliser(References(document, main)).normalise(given, document, "both", where)
    notes.extend(normalised.notes)
    return normalised.schema


def _effect(raw: dict[str, Any], annotations: dict[str, Any], name: str, description: str) -> Effect:
    """Return the effect that the source declares, else guess it from the name and description."""
    hint = annotations.get("readOnlyHint")
    if isinstance(hint, bool):
        return "read" if hint else "write"
    for key in ("effect", "kind", "type"):
        if raw.get(key) in ("read", "write"):
            return "read" if raw[key] == "read" else "write"
    if str(raw.get("method")).upper() == "GET":
        return "read"
    mutates = raw.get("mutates_state")
    if isinstance(mutates, bool) and (mutates or raw.get("kind") != "generic"):  # `generic`: a handover is no read
        return "write" if mutates else "read"
    return effect_of_name(name, description)


def _make_unique(made: list[Definition]) -> None:
    """Give each tool a unique name; a repeated name gets its group, or a digest of its definition, as suffix."""
    wanted = []
    for definition in made:
        assert definition.tool is not None
        altered = definition.tool.name != definition.original_name
        whose = "user" if definition.requestor == "user" else ""
        apart = (legal_tool_name(definition.group) or whose, json.dumps(definition.raw, sort_keys=True))
        wanted.append((definition.tool.name, altered, tuple(filter(None, apart))))
    for definition, name in zip(made, unique_names(wanted), strict=True):
        assert definition.tool is not None
        if name != definition.tool.name:
            definition.notes.repair(f"another tool is called {definition.tool.name} too, this one called {name}")
            definition.tool = definition.tool.model_copy(update={"name": name})


LEAST, HALF = 3, 0.5
"""For a prefix to be a service's name: least number of its tools, and least share of them with a noun after the prefix."""


def without_service(tools: Sequence[Tool]) -> list[Tool]:
    """Return the tools with the prefix of their service (`shop_list_orders`) removed from `original_name`."""
    grouped: dict[str, list[Tool]] = defaultdict(list)
    for tool in tools:
        words = split_words(tool.original_name)
        if len(words) > 1 and tool.name == tool.original_name:
            grouped[words[0]].append(tool)
    services = [first for first, named in grouped.items() if _is_service(first, named, len(named) == len(tools))]
    held = {tool.name for first in services for tool in grouped[first]}
    words_after = {name: "_".join(split_words(name)[1:]) for name in held}
    return [
        tool.model_copy(update={"original_name": words_after[tool.name]}) if tool.name in held else tool
        for tool in tools
    ]


def _is_service(first: str, tools: Sequence[Tool], alone: bool) -> bool:
    """Tell whether the first word of the tools' names names a service: it is neither a verb nor a word of a parameter."""
    if first in TOLD or len(tools) < (2 if alone else LEAST):
        return False
    named = {singular(word) for tool in tools for name in tool.properties for word in split_words(name)}
    things = sum(any(word not in TOLD for word in split_words(tool.original_name)[1:]) for tool in tools)
    return singular(first) not in named and things >= HALF * len(tools)
