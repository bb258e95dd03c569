"""A toolset -> candidate edges: output fields that could feed input parameters, each with named evidence."""

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from interplay.generators.graph.sampling import is_paging
from interplay.schemas.fields import leaf_schemas, name_tokens, schema_type, singular
from interplay.schemas.graph import Edge, Evidence
from interplay.schemas.tools import ResourceModel, Tool, ToolRole, Toolset

GENERIC = {"id", "name", "type", "title", "description", "value", "key", "code", "text", "date", "time", "data", "object", "url",
           "href", "created", "updated", "color", "amount", "number", "label", "content", "size", "count", "note", "email"}  # fmt: skip
"""Words that say nothing without the thing they belong to: alone they never make an edge."""

ENVELOPES = set("data items results records list values entries content rows hits objects result response body".split())
"""Names of fields that hold rows: they say nothing of the fields inside."""

NEVER = {
    "status",
    "state",
    "message",
    "error",
    "errors",
    "success",
    "detail",
    "warning",
    "total",
    "ok",
    "has",
    "more",
    "next",
    "prev",
}
"""Words of status, message and paging fields: such outputs never feed anything."""

PRODUCERS = 10
"""Edges into one input at most: the best ones."""

NAME_WEIGHT, DESCRIPTION_WEIGHT = 0.7, 0.3
MINIMUM = 0.5
"""Edges with a lower score are dropped."""

_STOP = set("the a an of to for in on and or is be this that with by as it its from are which can if not".split())


@dataclass(frozen=True)
class Port:
    """One end of an edge: a field of a tool's result or arguments."""

    tool: str
    pointer: str
    name: str
    kind: str
    owner: str
    words: tuple[str, ...]
    described: frozenset[str]
    resource: str | None


def candidate_edges(toolset: Toolset, model: ResourceModel) -> list[Edge]:
    """Return edges in a fixed order, best score first; through indexes, never by comparing all pairs."""
    roles = {role.tool: role for role in model.roles}
    outputs = [
        port for tool in toolset.tools for port in _outputs(tool, roles[tool.name].yields, roles[tool.name].resource)
    ]
    inputs = [
        port for tool in toolset.tools for port in _inputs(tool, roles[tool.name].references, roles[tool.name].resource)
    ]
    by_resource: dict[str, list[Port]] = defaultdict(list)
    by_word: dict[tuple[str, ...], list[Port]] = defaultdict(list)
    for port in outputs:
        if port.resource is not None:
            by_resource[port.resource].append(port)
        by_word[port.words].append(port)
    found: list[Edge] = []
    for port in inputs:
        if port.resource is None and roles[port.tool].operation in ("create", "update"):
            continue
        candidates = by_resource.get(port.resource, []) if port.resource else by_word.get(port.words, [])
        found += _best(candidates, port, roles)
    return sorted(found, key=lambda edge: (-edge.score, edge.producer, edge.output, edge.consumer, edge.input))


def _best(candidates: list[Port], port: Port, roles: Mapping[str, ToolRole]) -> list[Edge]:
    """Return the edges into one input: one per producer, those first that read the very resource."""
    ranked: dict[str, tuple[tuple[float, int, int, str], Edge]] = {}
    for output in candidates:
        edge = _edge(output, port)
        if edge is not None:
            role = roles[output.tool]
            direct = port.resource is not None and role.resource == port.resource
            order = {"list": 0, "read": 1, "create": 2}.get(role.operation, 3)
            rank = (-edge.score - direct, order, output.pointer.count("/"), output.pointer)
            if output.tool not in ranked or rank < ranked[output.tool][0]:
                ranked[output.tool] = (rank, edge)
    best = sorted(ranked.values(), key=lambda item: (item[0], item[1].producer))
    return [edge for _, edge in best[:PRODUCERS]]


def _outputs(tool: Tool, yields: Mapping[str, str], owner: str | None) -> Iterable[Port]:
    known = dict(yields)
    for pointer, name, schema in _result_leaves(tool):
        tokens = set(name_tokens(name))
        resource = known.pop(pointer, None)
        if resource is None and (tokens & NEVER or is_paging(name) or schema_type(schema) == "boolean"):
            continue
        yield _port(tool, pointer, name, schema, owner, resource)
    for pointer, resource in known.items():
        yield _port(tool, pointer, pointer.split("/")[-1], {}, owner, resource)


def _result_leaves(tool: Tool) -> Iterable[tuple[str, str, Mapping[str, Any]]]:
    returns = tool.returns or {}
    if schema_type(returns) == "array" and isinstance(returns.get("items"), Mapping):
        yield from leaf_schemas(returns["items"], "/*")
    else:
        yield from leaf_schemas(returns)


def _inputs(tool: Tool, references: Mapping[str, str], owner: str | None) -> Iterable[Port]:
    for pointer, name, schema in leaf_schemas(tool.parameters):
        if not is_paging(name):
            yield _port(tool, pointer, name, schema, owner, references.get(pointer))


def _port(
    tool: Tool, pointer: str, name: str, schema: Mapping[str, Any], owner: str | None, resource: str | None
) -> Port:
    words = tuple(singular(token) for token in name_tokens(name))
    if words and set(words) <= GENERIC:
        inside = [part for part in pointer.split("/")[1:-1] if part not in ("*", *ENVELOPES)]
        above = inside[-1] if inside else owner or ""
        words = (*(singular(token) for token in name_tokens(above)), *words)
    described = frozenset(re.findall(r"[a-z]{3,}", str(schema.get("description", "")).lower()[:400])) - _STOP
    return Port(
        tool.name, pointer, name, schema_type(schema) if schema else "", owner or "", words, described, resource
    )


def _edge(output: Port, port: Port) -> Edge | None:
    if output.tool == port.tool or not _compatible(output.kind, port.kind):
        return None
    evidence = []
    if output.resource is not None and output.resource == port.resource:
        evidence.append(Evidence(kind="resource", score=1.0, detail=f"both are the identity of a {output.resource}"))
    elif port.resource is not None or output.resource is not None:
        return None
    if output.words == port.words and not set(port.words) <= GENERIC:
        evidence.append(Evidence(kind="name", score=1.0, detail=" ".join(port.words)))
    overlap = _cosine(output.described, port.described)
    if overlap > 0:
        evidence.append(
            Evidence(
                kind="description",
                score=round(overlap, 3),
                detail=" ".join(sorted(output.described & port.described)[:5]),
            )
        )
    if output.kind and output.kind == port.kind:
        evidence.append(Evidence(kind="type", score=1.0, detail=output.kind))
    score = _score(evidence)
    if score < MINIMUM:
        return None
    return Edge(
        producer=output.tool,
        output=output.pointer,
        consumer=port.tool,
        input=port.pointer,
        score=score,
        evidence=tuple(evidence),
    )


def _score(evidence: list[Evidence]) -> float:
    scores = {item.kind: item.score for item in evidence}
    if "resource" in scores:
        return round(0.9 + 0.05 * scores.get("name", 0) + 0.05 * scores.get("description", 0), 3)
    return round(NAME_WEIGHT * scores.get("name", 0) + DESCRIPTION_WEIGHT * scores.get("description", 0), 3)


def _compatible(output: str, port: str) -> bool:
    numbers = {"integer", "number"}
    return not output or not port or output == port or port == "array" or (output in numbers and port in numbers)


def _cosine(left: frozenset[str], right: frozenset[str]) -> float:
    return len(left & right) / math.sqrt(len(left) * len(right)) if left and right else 0.0
