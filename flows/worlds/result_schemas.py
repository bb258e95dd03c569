"""Tools that are code and whose annotations say nothing of their results -> the same with what results look like when they run.

def list_products() -> list[dict]    ->  {"type": "array", "items": {"type": "object", "properties": {"product_id": ...}}}
"""

from collections.abc import Coroutine, Mapping
from random import Random
from typing import Any

from interplay.generators.environments.inference.tool_words import stem_of
from interplay.generators.environments.toolkit.table_roles import infer_resources
from interplay.generators.environments.toolkit.toolkit import Toolkit
from interplay.generators.graph.sampling.argument_samples import sample_arguments
from interplay.generators.graph.sampling.world import World
from interplay.generators.importers.normalisation.observed_schemas import says_nothing, schema_of_values
from interplay.generators.results.acknowledgement import text_within
from interplay.generators.values.schema_values import Unsatisfiable
from interplay.schemas.errors import EnvironmentFailure
from interplay.schemas.records.dialogue import ToolCall, ToolResult
from interplay.schemas.records.tool import Tool

CALLS, WHOLE = 6, 240
"""Calls of one tool, and of all, that are made to see what they answer; each in the state that the code begins in."""


def learn_results(environment: Toolkit) -> None:
    """Describe the results of tools by running them, those first that read; the state is as before afterwards.

    Functions that wait for something are left as they are, as are those of which no call succeeds.
    """
    unknown = [
        tool for tool in environment.toolset.tools if says_nothing(tool.returns) or text_within(tool.returns) == ""
    ]
    if not unknown:
        return
    world, start = World(environment), environment.snapshot()
    found: dict[str, dict[str, Any]] = {}
    for tool in sorted(unknown, key=lambda tool: tool.effect)[: WHOLE // CALLS]:
        values = [value for number in range(CALLS) for value in _answer(world, tool, number, start)]
        if values and all(isinstance(value, (dict, list)) for value in values):
            found[tool.name] = loosened(schema_of_values(values))
    described = {name: schema for name, schema in found.items() if not says_nothing(schema)}
    tools = tuple(
        tool.model_copy(update={"returns": described[tool.name]}) if tool.name in described else tool
        for tool in environment.toolset.tools
    )
    environment.toolset = environment.toolset.model_copy(update={"tools": tools})
    environment.resources = infer_resources(environment.toolset, environment.state())


def _answer(world: World, tool: Tool, number: int, start: Any) -> list[Any]:
    """Return a list with the result of one call; an empty one where it fails or waits."""
    try:
        arguments = sample_arguments(world, tool, Random(f"learn/{tool.name}/{number}"))
        call = ToolCall(id=f"learn{number:04}", name=tool.name, arguments=arguments, requestor=tool.requestor)
        result = _finished(world.environment.call(call))
    except (Unsatisfiable, EnvironmentFailure):
        return []
    finally:
        world.environment.restore(start)
    return [] if result is None or result.error is not None or result.value in ({}, []) else [result.value]


def _finished(coroutine: Coroutine[Any, Any, ToolResult]) -> ToolResult | None:
    """Run a coroutine that must not wait and return its result; none where it waits."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        result: ToolResult = done.value
        return result
    coroutine.close()
    return None


def loosened(schema: Mapping[str, Any], name: str = "") -> dict[str, Any]:
    """Return a schema of what was seen that admits what was not: missing fields, nothing, and fractions."""
    kept = {
        key: value for key, value in schema.items() if key not in ("required", "format", "propertyNames", "examples")
    }
    kind = kept.get("type")
    if kind == "object":
        fields = {key: loosened(value, key) for key, value in kept.get("properties", {}).items()}
        more = kept.get("additionalProperties")
        return {
            **kept,
            **({"properties": fields} if fields else {}),
            **({"additionalProperties": loosened(more)} if isinstance(more, Mapping) else {}),
        }
    if kind == "array":
        return {**kept, "items": loosened(kept.get("items", {}), name)}
    if kind == "null":
        return {}  # of what was never there nothing is known
    if isinstance(kind, str) and name:
        counted = kind == "integer" and name != "id" and stem_of(name) is None
        return {**kept, "type": ["number" if counted else kind, "null"]}
    return {} if "anyOf" in kept else kept
