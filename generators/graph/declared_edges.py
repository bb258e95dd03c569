"""Links that a source declares, and flows that recordings show -> edges, and evidence for edges that are there already."""

from collections.abc import Iterable

from interplay.schemas.json.canonical import split_pointer, starred
from interplay.schemas.json.fields import object_properties, schema_type
from interplay.schemas.records.tool import Tool, ToolLink, Toolset
from interplay.schemas.records.tool_graph import Edge, Evidence, ValueFlow

OBSERVED = 0.5
"""Score of an edge that only recordings show, before it is raised by how often they show it."""

SEEN = 2
"""How often a value must be seen to go from one field to another before that alone makes an edge."""

SHOWN = 40
"""Characters of an example that are told."""

Ends = tuple[str, str, str, str]


def with_links(edges: Iterable[Edge], toolset: Toolset) -> list[Edge]:
    """Return the edges with those that links declare; a link to a tool or argument that is not there is left out."""
    found = {edge.ends: edge for edge in edges}
    tools = toolset.by_name
    for tool in toolset.tools:
        for link in tool.links:
            if link.output and link.consumer != tool.name and _is_argument(tools.get(link.consumer), link.input):
                ends = (tool.name, _in_result(tool, link), link.consumer, link.input)
                found[ends] = _linked(found.get(ends), ends, link)
    return list(found.values())


def with_flows(edges: Iterable[Edge], flows: Iterable[ValueFlow]) -> list[Edge]:
    """Return the edges, raised where flows were seen along them, and new edges for other flows that were seen often."""
    found = {edge.ends: edge for edge in edges}
    for flow in flows:
        ends = (flow.producer, flow.output, flow.consumer, flow.input)
        if flow.producer != flow.consumer and (ends in found or flow.count >= SEEN):
            found[ends] = _observed(found.get(ends), ends, flow)
    return list(found.values())


def _edge(ends: Ends) -> Edge:
    producer, output, consumer, pointer = ends
    return Edge(producer=producer, output=output, consumer=consumer, input=pointer, score=0.0)


def _is_argument(tool: Tool | None, pointer: str) -> bool:
    if tool is None or not pointer:
        return False
    return split_pointer(pointer)[0] in object_properties(tool.parameters)


def _in_result(tool: Tool, link: ToolLink) -> str:
    """Return a link's pointer with `*` for indices; where the result is a list, it is meant for each of its items."""
    output = starred(link.output)
    listed = tool.returns is not None and schema_type(tool.returns) == "array"
    return f"/*{output}" if listed and not output.startswith("/*") else output


def _linked(edge: Edge | None, ends: Ends, link: ToolLink) -> Edge:
    detail = link.description.split("\n")[0][:SHOWN] or "its source declares the link"
    evidence = Evidence(kind="link", score=1.0, detail=detail)
    known = edge or _edge(ends)
    return known.model_copy(update={"score": 1.0, "evidence": (evidence, *known.evidence)})


def _observed(edge: Edge | None, ends: Ends, flow: ValueFlow) -> Edge:
    """Return an edge with what was seen as evidence; the more often, the stronger."""
    times = "once" if flow.count == 1 else f"{flow.count} times"
    detail = f"seen {times}, as with {flow.example[:SHOWN]!r}"
    evidence = Evidence(kind="observation", score=round(1 - 0.5**flow.count, 3), detail=detail)
    known = edge or _edge(ends)
    score = round(max(known.score, OBSERVED + (1 - OBSERVED) * evidence.score), 3)
    return known.model_copy(update={"score": min(1.0, score), "evidence": (*known.evidence, evidence)})
