"""Small API descriptions for tests: operations in short, and a sandbox of them."""

from collections.abc import Mapping
from typing import Any

from interplay.generators.environments.sandbox.sandbox import Sandbox
from interplay.schemas.records.dialogue import ToolCall, ToolResult
from interplay.schemas.records.tool import HttpBinding, Source, Tool, Toolset

TEXT: dict[str, Any] = {"type": "string"}


def row(**fields: Any) -> dict[str, Any]:
    """Return the schema of a row with an `id` and these fields."""
    return {"type": "object", "properties": {"id": TEXT, **fields}, "required": ["id"]}


def operation(
    name: str,
    method: str,
    path: str,
    returns: Mapping[str, Any] | None,
    /,
    **body: Any,
) -> Tool:
    """Return the tool of one operation: path parameters are texts, `query_...` and other fields are optional."""
    inside = [part[1:-1] for part in path.split("/") if part.startswith("{")]
    names = {key.removeprefix("query_"): schema for key, schema in body.items()}
    locations = dict.fromkeys(inside, "path") | {
        key.removeprefix("query_"): "query" if key.startswith("query_") else "body" for key in body
    }
    return Tool(
        name=name,
        original_name=name,
        description=name,
        parameters={
            "type": "object",
            "properties": {**dict.fromkeys(inside, TEXT), **names},
            "required": inside,
        },
        returns=dict(returns) if returns is not None else None,
        effect="read" if method == "GET" else "write",
        source=Source(file="inline.json", pointer=f"/paths/{name}"),
        http=HttpBinding(method=method, path=path, locations=locations),
    )


def sandbox(*tools: Tool) -> Sandbox:
    """Return a sandbox of these operations."""
    return Sandbox(Toolset(name="inline", tools=tools), seed=7)


async def call(opened: Sandbox, name: str, /, **arguments: Any) -> ToolResult:
    """Run one call."""
    return await opened.call(ToolCall(id="call00001", name=name, arguments=arguments))
