"""The rows of the workspace, and calls of its tools by those who may call them."""

import asyncio
from typing import Any

from interplay.generators.domains.workspace.seed import make_tables
from interplay.schemas.protocols import Environment
from interplay.schemas.records.dialogue import ToolCall, ToolResult
from interplay.schemas.records.tool import Requestor

TABLES: dict[str, Any] = dict(make_tables())


def call(environment: Environment, name: str, /, **arguments: Any) -> ToolResult:
    """Call a tool as the one who may call it."""
    requestor: Requestor = environment.toolset.tool(name).requestor
    return asyncio.run(environment.call(ToolCall(id="a00000001", name=name, arguments=arguments, requestor=requestor)))


def first(table: str, **fields: Any) -> dict[str, Any]:
    """Return the first row of the database with these fields."""
    rows = (row for row in TABLES[table].values() if fields.items() <= row.items())
    return dict(next(rows))
