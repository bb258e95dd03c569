"""A graph whose edges are run when they are asked for, and the calls that this makes."""

from interplay.generators.environments.sandbox.sandbox import Sandbox
from interplay.generators.graph.candidate_edges import candidate_edges
from interplay.generators.graph.multigraph import ToolGraph, verified_later
from interplay.schemas.records.dialogue import ToolCall, ToolResult


def counted_edges(opened: Sandbox) -> tuple[ToolGraph, list[str]]:
    """Return the graph of a sandbox, and the list to which each call that verifies an edge adds the name of its tool."""
    called: list[str] = []

    class Counted(Sandbox):
        async def call(self, call: ToolCall) -> ToolResult:
            called.append(call.name)
            return await super().call(call)

    return verified_later([], candidate_edges(opened.toolset, opened.resources), Counted(opened.toolset)), called
