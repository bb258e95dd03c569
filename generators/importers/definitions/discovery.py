"""A JSON value in the layout of any provider or data set -> the tool definitions in it.

    {"tools": [{"name": "get_pet"}]}, {"result": {"tools": [...]}}, [{...}, {...}]         lists, and envelopes around them
    {"get_pet": {"description": ...}}, {"Pets": {"tools": [...]}}                          maps of tools, and of groups
    {"query": "...", "tools": "[{\\"name\\": \\"get_pet\\"}]"}, on each line                   rows of a data set
    ->  Definition(raw={"name": "get_pet"}, source=Source(pointer="/tools/0"))

Identical definitions count once: the rows of a data set share their tools.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from interplay.generators.importers.documents.document_reader import parse_document
from interplay.generators.importers.documents.import_notes import Notes
from interplay.schemas.errors import ImportFailure
from interplay.schemas.json.canonical import join_pointer
from interplay.schemas.records.tool import Requestor, Source, Tool

WRAPPERS = ("function", "toolSpec", "tool")
INPUTS = ("parameters", "input_schema", "inputSchema", "parametersJsonSchema", "arguments", "inputs")
FLAGGED_INPUTS = "parameter_definitions"
"""Key of a map of parameters that are optional unless flagged as required (Cohere)."""

SPLIT_INPUTS = ("required_parameters", "optional_parameters")
_LISTS = (
    "tools functions functionDeclarations function_declarations function api_list available_tools user_tools".split()
)
_ENVELOPES = ("result", "data", "classes", "mcpServers", "servers")
_MAPPED = ("/tools", "/functions")
_MAX_LEVELS = 8


@dataclass
class Definition:
    """One tool definition during its import; `tool` is None until it is read, and stays None if it is rejected."""

    raw: Any
    source: Source
    group: str = ""
    requestor: Requestor = "assistant"
    notes: Notes = field(default_factory=Notes)
    original_name: str = ""
    tool: Tool | None = None
    times: int = 1

    def body(self) -> Any:
        """Return the definition without its provider's wrapper, such as `function`."""
        return _unwrapped(self.raw)

    def identity(self) -> tuple[str, str, str]:
        """Return a key that is equal for identical definitions."""
        return self.group, self.requestor, json.dumps(self.raw, sort_keys=True)


def find_definitions(root: Any, file: str) -> list[Definition]:
    """Return the definitions in the order of the file.

    Raises:
        ImportFailure: `root` holds no list of tools.
    """
    if not isinstance(root, list) and not _holds_tools(root):
        raise _nothing(root, file)
    found: dict[tuple[str, str, str], Definition] = {}
    for definition in _found(root, Definition(root, Source(file=file)), 0):
        first = found.setdefault(definition.identity(), definition)
        first.times += first is not definition
    tools = [
        definition
        for definition in found.values()
        if not (
            isinstance(definition.raw, dict)
            and isinstance(definition.raw.get("jsonrpc"), str)
            and ("error" not in definition.raw)
        )
    ]
    return tools or list(found.values())


def _holds_tools(raw: Any) -> bool:
    return isinstance(raw, dict) and (bool(_keys(raw)) or _looks_like_tool(raw) or bool(_named(raw) or _groups(raw)))


def _found(raw: Any, at: Definition, level: int) -> Iterator[Definition]:
    """Yield the definitions nested in `raw`; `at` carries its source, group and requestor."""
    raw = _opened(raw, at.source)
    if isinstance(raw, list) and level < _MAX_LEVELS:
        for index, item in enumerate(raw):
            yield from _found(item, _below(at, index), level + 1)
        return
    keys = _keys(raw) if isinstance(raw, dict) and level < _MAX_LEVELS else []
    inner: dict[str, Any] = {}
    if keys:
        inner = {key: raw[key] for key in keys}
    elif isinstance(raw, dict) and not _looks_like_tool(raw) and level < _MAX_LEVELS:
        inner = _named(raw) or _groups(raw)
        if not inner and (at.source.pointer or "").endswith(_MAPPED):
            named = {key: _named({key: value}).get(key, value) for key, value in raw.items()}
            # Entries that are not tools are reported later.
            inner = named if any(named[key] is not value for key, value in raw.items()) else {}
    if not inner:
        yield Definition(raw, at.source, at.group, at.requestor)
        return
    title = raw.get("tool_name") if keys else None
    for key, value in inner.items():
        group = at.group if keys or key in _ENVELOPES else key
        below = _below(at, key, title if isinstance(title, str) else group, "user" if key == "user_tools" else None)
        yield from _found(value, below, level + 1)


def _below(at: Definition, key: str | int, group: str | None = None, requestor: Requestor | None = None) -> Definition:
    source = Source(file=at.source.file, pointer=f"{at.source.pointer or ''}{join_pointer(str(key))}")
    return Definition(None, source, at.group if group is None else group, requestor or at.requestor)


def _keys(raw: dict[str, Any]) -> list[str]:
    """Return the keys of `raw` that hold tools."""
    if isinstance(raw.get("tools"), dict) and _looks_like_tool(raw):
        return []
    plain = [key for key in _LISTS if isinstance(raw.get(key), list)]
    plain += [key for key in ("tools", "functions") if isinstance(raw.get(key), dict) and raw[key]]
    plain += [key for key in _LISTS if isinstance(raw.get(key), str) and raw[key].lstrip()[:1] in ("[", "{")]
    if plain or _looks_like_tool(raw):
        return plain
    lists = {key: raw[key] for key in _ENVELOPES if isinstance(raw.get(key), list)}
    held = {key: [item for item in items if isinstance(item, dict)] for key, items in lists.items()}
    listing = [key for key, items in held.items() if any(_looks_like_tool(item) or _keys(item) for item in items)]
    return [key for key in _ENVELOPES if key in listing or _holds_tools(raw.get(key))]


def _named(raw: dict[str, Any]) -> dict[str, Any]:
    """Return the definitions of a name -> definition map, each with its name added; empty for any other dict."""
    if not raw or not all(isinstance(value, dict) and _describes(_unwrapped(value)) for value in raw.values()):
        return {}
    return {key: value if "name" in _unwrapped(value) else {"name": key, **value} for key, value in raw.items()}


def _groups(raw: dict[str, Any]) -> dict[str, Any]:
    """Return `raw` if it is a map of groups of tools by name, else an empty dict."""
    holders = [
        (isinstance(value, dict) and bool(_keys(value)))
        or (isinstance(value, list) and any(isinstance(item, dict) and _looks_like_tool(item) for item in value))
        for value in raw.values()
    ]
    return raw if holders and all(holders) else {}


def _looks_like_tool(raw: dict[str, Any]) -> bool:
    inner = _unwrapped(raw)
    return isinstance(inner.get("name") or inner.get("api_name"), str) and _describes(inner)


def _describes(raw: dict[str, Any]) -> bool:
    return any(key in raw for key in (*INPUTS, *SPLIT_INPUTS, FLAGGED_INPUTS, "description", "api_description"))


def _unwrapped(raw: Any) -> Any:
    return next((raw[key] for key in WRAPPERS if isinstance(raw.get(key), dict)), raw) if isinstance(raw, dict) else raw


def _opened(raw: Any, source: Source) -> Any:
    """Parse a text of JSON; return any other value unchanged."""
    if not isinstance(raw, str) or raw.lstrip()[:1] not in ("[", "{"):
        return raw
    try:
        return parse_document(raw.encode(), source.file or "")
    except ImportFailure:
        return raw


def _nothing(root: Any, file: str) -> ImportFailure:
    if isinstance(root, dict) and "error" in root:
        return ImportFailure(f"{file}: /error: {str(root['error'])[:200]}; this is an answer, not a list of tools.")
    if isinstance(root, dict) and "tools" in root:
        return ImportFailure(
            f"{file}: /tools is a {type(root['tools']).__name__}; it must be a list of tool definitions."
        )
    if isinstance(root, dict) and ("openapi" in root or "swagger" in root):
        return ImportFailure(f"{file}: no list of tools, but the description of an API. Name it so: openapi:{file}")
    return ImportFailure(
        f"{file}: /tools: no list of tools found; give a list of tool definitions, alone or under `tools`."
    )
