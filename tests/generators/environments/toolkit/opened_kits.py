"""Toolkits of any style, opened and called."""

import asyncio
from typing import Any

from interplay.generators.environments.toolkit.factory import maker_of
from interplay.generators.environments.toolkit.toolkit import Toolkit
from interplay.generators.importers.python.importer import import_python
from interplay.schemas.records.dialogue import ToolCall, ToolResult


def open_kit(target: object, scenario: dict[str, Any] | None = None) -> Toolkit:
    return Toolkit(maker_of(target, scenario), import_python(target).toolset)


def call(toolkit: Toolkit, name: str, /, requestor: Any = "assistant", **arguments: Any) -> ToolResult:
    made = ToolCall(id="a00000001", name=name, arguments=arguments, requestor=requestor)
    return asyncio.run(toolkit.call(made))
