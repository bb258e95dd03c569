"""A JSON file of tool definitions, in the shape of any provider -> a toolset, and the fate of each tool.

    {"type": "function", "function": {"name": "get_pet", "parameters": {"type": "object", ...}}}       OpenAI
    {"name": "get_pet", "input_schema": {...}}                                                         Anthropic
    {"name": "get_pet", "inputSchema": {...}, "outputSchema": {...}, "annotations": {"readOnlyHint": true}}     MCP
    {"name": "get_pet", "parameters": {"type": "dict", ...}, "response": {"type": "dict", ...}}        BFCL
    ->  Tool(name="get_pet", effect="read", parameters={"type": "object", ...}, returns={...})

The definitions stand in a list, under `tools`, `result.tools` (the answer to MCP's tools/list), `classes.<name>.tools`,
or one on each line. `user_tools` are the user's own. Parameter names are kept as they are, for nothing else knows them.
Source: OpenAI function calling guide; Anthropic tool use guide; Model Context Protocol 2025-06-18, Tools.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from interplay.generators.importers.documents import parse_document, read_document
from interplay.generators.importers.naming import legal_tool_name, slug, unique_names
from interplay.generators.importers.normalise import Normaliser
from interplay.generators.importers.notes import Notes
from interplay.generators.importers.references import Document, References
from interplay.generators.importers.wording import effect_of_name, texts
from interplay.schemas.canonical import join_pointer
from interplay.schemas.errors import ImportFailure
from interplay.schemas.tools import Effect, ImportReport, Requestor, Source, Tool, ToolReport, Toolset

_WRAPPERS = ("function", "toolSpec", "tool")
_INPUTS = ("parameters", "input_schema", "inputSchema", "parametersJsonSchema", "arguments")
_OUTPUTS = ("returns", "response", "outputSchema", "output_schema", "responseJsonSchema", "result")
_LISTS = ("tools", "functions", "functionDeclarations", "function_declarations")
_NAMES = ("name", "server", "domain", "title")


@dataclass
class _Definition:
    """One tool definition on its way to a tool; `tool` stays none if it is rejected."""

    raw: Any
    source: Source
    group: str = ""
    requestor: Requestor = "assistant"
    notes: Notes = field(default_factory=Notes)
    original_name: str = ""
    tool: Tool | None = None


def import_tool_json(path: Path, name: str | None = None) -> ImportReport:
    """Import the tool definitions in a JSON (or JSON Lines, or YAML) file.

    Raises:
        ImportFailure: the file cannot be read at all, or holds no list of tools.
    """
    return import_definitions(_read(path), path.name, name or "", f"tool_json:{path.name}")


def import_definitions(root: Any, file: str, name: str, provenance: str) -> ImportReport:
    """Import the tool definitions in a JSON value; `file` says in reports and errors where it comes from.

    Raises:
        ImportFailure: it holds no list of tools.
    """
    definitions = list(_definitions(root, file))
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
    return ImportReport(toolset=toolset, reports=tuple(_report(definition) for definition in definitions))


def _read(path: Path) -> Any:
    """Read one JSON value, or one on each line."""
    try:
        return read_document(path)
    except ImportFailure:
        lines = path.read_bytes().splitlines() if path.is_file() else []
        values = [line for line in lines if line.strip()]
        if len(values) < 2 or not all(
            line.lstrip().startswith(b"{") and line.rstrip().endswith(b"}") for line in values
        ):
            raise
        return [parse_document(line, f"{path.name}, line {index}") for index, line in enumerate(values, 1)]


def _definitions(root: Any, file: str) -> Iterator[_Definition]:
    """Yield the definitions in the order of the file.

    Raises:
        ImportFailure: there is no list of tools.
    """
    if isinstance(root, dict) and isinstance(root.get("result"), dict) and "tools" in root["result"]:
        yield from _listed(root["result"]["tools"], "/result/tools", file)
        return
    if isinstance(root, dict) and isinstance(root.get("classes"), dict):
        for group, holder in root["classes"].items():
            listed = holder.get("tools", []) if isinstance(holder, dict) else holder
            yield from _listed(listed, join_pointer("classes", group, "tools"), file, group)
        return
    if isinstance(root, list):
        yield from _listed(root, "", file)
        return
    keys = [key for key in _LISTS if isinstance(root, dict) and key in root]
    if not keys and isinstance(root, dict) and _looks_like_tool(root):
        yield _Definition(root, Source(file=file))
        return
    if not keys:
        problem = str(root["error"])[:200] if isinstance(root, dict) and "error" in root else "no list of tools found"
        raise ImportFailure(f"{file}: /tools: {problem}; give a list of tool definitions, alone or under `tools`.")
    for key in keys:
        yield from _listed(root[key], join_pointer(key), file)
    if isinstance(root.get("user_tools"), list):
        yield from _listed(root["user_tools"], "/user_tools", file, requestor="user")


def _listed(
    raw: Any, pointer: str, file: str, group: str = "", requestor: Requestor = "assistant"
) -> Iterator[_Definition]:
    if isinstance(raw, dict):
        raw = [{"name": key, **value} if isinstance(value, dict) else value for key, value in raw.items()]
    if not isinstance(raw, list):
        raise ImportFailure(
            f"{file}: {pointer or '/'} is a {type(raw).__name__}; it must be a list of tool definitions."
        )
    for index, value in enumerate(raw):
        place = f"{pointer}/{index}"
        nested = next((key for key in _LISTS[2:] if isinstance(value, dict) and isinstance(value.get(key), list)), None)
        if nested is not None:
            yield from _listed(value[nested], f"{place}/{nested}", file, group, requestor)
        else:
            yield _Definition(value, Source(file=file, pointer=place), group, requestor)


def _looks_like_tool(raw: dict[str, Any]) -> bool:
    inner = next((raw[key] for key in _WRAPPERS if isinstance(raw.get(key), dict)), raw)
    return isinstance(inner.get("name"), str) and any(key in inner for key in (*_INPUTS, "description"))


def _read_definition(definition: _Definition, main: Document) -> None:
    """Set the definition's tool, or leave it none with the reason in its notes."""
    notes = definition.notes
    raw = definition.raw
    if isinstance(raw, dict):
        raw = next((raw[key] for key in _WRAPPERS if isinstance(raw.get(key), dict)), raw)
    if not isinstance(raw, dict):
        notes.repair(f"a {type(raw).__name__} instead of a tool definition")
        return
    given = raw["name"].strip() if isinstance(raw.get("name"), str) else ""
    definition.original_name = given
    name = legal_tool_name(given)
    if not name:
        notes.repair("no usable name")
        return
    if name != given:
        notes.repair(f"name {given[:60]!r} called {name}")
    try:
        parameters = _parameters(raw, main, notes)
        returns = _returns(raw, main, notes)
    except RecursionError:
        notes.repair("nested too deeply")
        return
    annotations = raw["annotations"] if isinstance(raw.get("annotations"), dict) else {}
    summary, description = texts(
        raw.get("title") or annotations.get("title") or raw.get("summary"), raw.get("description")
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


def _parameters(raw: dict[str, Any], main: Document, notes: Notes) -> dict[str, Any]:
    """Return the object schema of the arguments."""
    given = next((raw[key] for key in _INPUTS if raw.get(key) is not None), None)
    if isinstance(given, dict) and set(given) == {"json"}:
        given = given["json"]
    if given is None or given == {}:
        return {"type": "object", "properties": {}}
    if isinstance(given, list):
        given = _from_list(given, notes)
    elif isinstance(given, dict) and _is_bare_map(given):
        notes.repair("parameters: a map of names instead of a schema")
        given = _from_list([{"name": key, **value} for key, value in given.items()], None)
    schema = _normalised(given, main, "parameters", notes)
    if schema.get("type", "object") != "object":
        notes.repair(f"parameters: of type {schema['type']} instead of object, left open")
        schema = {}
    rest = {key: value for key, value in schema.items() if key not in ("type", "properties")}
    return {"type": "object", "properties": schema.get("properties", {}), **rest}


def _is_bare_map(given: dict[str, Any]) -> bool:
    known = ("type", "properties", "$ref", "allOf", "anyOf", "oneOf", "$schema", "additionalProperties", "required")
    return not any(key in given for key in known) and all(isinstance(value, dict) for value in given.values())


def _from_list(given: list[Any], notes: Notes | None) -> dict[str, Any]:
    """Return the object schema that a list of parameters with `name` and `required` means."""
    if notes is not None:
        notes.repair("parameters: a list instead of a schema")
    named = [item for item in given if isinstance(item, dict) and isinstance(item.get("name"), str)]
    required = [item["name"] for item in named if item.get("required") in (True, "true")]
    drop = ("name", "required")
    properties = {
        item["name"]: item["schema"]
        if isinstance(item.get("schema"), dict)
        else {key: value for key, value in item.items() if key not in drop or isinstance(value, list)}
        for item in named
    }
    return {"type": "object", "properties": properties, "required": required}


def _returns(raw: dict[str, Any], main: Document, notes: Notes) -> dict[str, Any] | None:
    """Return the schema of the result; one that only wraps the result as `returns` is opened."""
    given = next((raw[key] for key in _OUTPUTS if isinstance(raw.get(key), dict)), None)
    if not given:
        return None
    schema = _normalised(given, main, "returns", notes)
    if list(schema.get("properties", {})) == ["returns"] and given.get("title") == "returns":
        notes.repair("returns: the wrapper `returns` removed")
        inner: dict[str, Any] = schema["properties"]["returns"]
        return inner or None
    return schema


def _normalised(given: Any, main: Document, where: str, notes: Notes) -> dict[str, Any]:
    """Normalise one schema whose references lead into itself, or else into the whole file."""
    document = Document(where, given)
    normalised = Normaliser(References(document, main)).normalise(given, document, "both", where)
    notes.extend(normalised.notes)
    return normalised.schema


def _effect(raw: dict[str, Any], annotations: dict[str, Any], name: str, description: str) -> Effect:
    """Take what the source says of the effect, else guess from the verb in the name."""
    hint = annotations.get("readOnlyHint")
    if isinstance(hint, bool):
        return "read" if hint else "write"
    for key in ("effect", "kind", "type"):
        if raw.get(key) in ("read", "write"):
            return "read" if raw[key] == "read" else "write"
    if isinstance(raw.get("mutates_state"), bool):
        return "write" if raw["mutates_state"] else "read"
    return effect_of_name(name, description)


def _make_unique(made: list[_Definition]) -> None:
    """Give each tool a unique name; one that appears twice is told apart by its group, or by its definition."""
    wanted = []
    for definition in made:
        assert definition.tool is not None
        altered = definition.tool.name != definition.original_name
        group = legal_tool_name(definition.group) or definition.requestor
        wanted.append((definition.tool.name, altered, (group, json.dumps(definition.raw, sort_keys=True))))
    for definition, name in zip(made, unique_names(wanted), strict=True):
        assert definition.tool is not None
        if name != definition.tool.name:
            definition.notes.repair(f"another tool is called {definition.tool.name} too, this one called {name}")
            definition.tool = definition.tool.model_copy(update={"name": name})


def _report(definition: _Definition) -> ToolReport:
    notes = definition.notes
    if definition.tool is None:
        name = definition.original_name or definition.source.pointer or "tool"
        return ToolReport(name=name, outcome="rejected", reasons=notes.reasons(), source=definition.source)
    return ToolReport(
        name=definition.tool.name,
        outcome="repaired" if notes.repaired else "imported",
        reasons=notes.reasons(),
        source=definition.source,
    )
