"""A graph report -> a file in the format that its ending names: GraphML, an SVG picture or an HTML page."""

import io
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import networkx as nx

from interplay.outputs.graphs.edge_labels import evidence_text, legal
from interplay.outputs.graphs.graph_page import page
from interplay.outputs.graphs.picture import picture
from interplay.schemas.errors import ConfigError, StoreError
from interplay.schemas.records.tool_graph import Edge, GraphNode, GraphReport


def graphml(report: GraphReport) -> str:
    """Return a GraphML document, which Gephi, yEd, Cytoscape and `networkx.read_graphml` open; deterministic.

    <edge source="listPets" target="getPet" id="e0">
      <data key="d6">/*/id</data> <data key="d7">/petId</data> <data key="d8">0.97</data> <data key="d9">true</data> ...

    A tool is a node and a pair of fields an edge, so two tools may have several. Unknown attributes are left out: an edge
    that was not run has no `verified`.
    """
    written = io.BytesIO()
    nx.write_graphml_xml(_labelled(report), written)
    return written.getvalue().decode("utf-8") + "\n"


def _labelled(report: GraphReport) -> nx.MultiDiGraph:
    """Return the graph with plain attributes; edges are numbered, since GraphML needs an id for each."""
    graph: nx.MultiDiGraph = nx.MultiDiGraph()
    for node in report.nodes:
        graph.add_node(legal(node.name), **_node_attributes(node))
    for number, edge in enumerate(report.edges):
        graph.add_edge(legal(edge.producer), legal(edge.consumer), key=f"e{number}", **_edge_attributes(edge))
    return graph


def _node_attributes(node: GraphNode) -> dict[str, Any]:
    values = {
        "label": node.name,
        "summary": node.summary,
        "effect": node.effect,
        "resource": node.resource,
        "operation": node.operation,
        "source": node.source,
    }
    return {name: legal(value) for name, value in values.items() if value}


def _edge_attributes(edge: Edge) -> dict[str, Any]:
    texts = {"output": edge.output, "input": edge.input, "evidence": evidence_text(edge), "note": edge.note}
    found: dict[str, Any] = {name: legal(value) for name, value in texts.items() if value}
    found["score"] = edge.score
    if edge.verified is not None:
        found["verified"] = edge.verified
    return found


WRITERS: dict[str, Callable[[GraphReport], str]] = {".graphml": graphml, ".svg": picture, ".html": page}


def check_endings(paths: list[Path]) -> None:
    """Check that every file has a known ending, before any work is done for it.

    Raises:
        ConfigError: an ending is unknown.
    """
    for path in paths:
        if path.suffix.lower() not in WRITERS:
            raise ConfigError(f"{path}: a graph is written as {', '.join(WRITERS)}. Give the file such an ending.")


def write_graph(report: GraphReport, path: Path) -> None:
    """Write a report in the format that the ending of `path` names; an existing file is replaced as a whole or not at all.

    Raises:
        ConfigError: the ending is unknown.
        StoreError: the file cannot be written.
    """
    check_endings([path])
    text = WRITERS[path.suffix.lower()](report)
    partial = path.with_name(f"{path.name}.partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.write_text(text, encoding="utf-8", newline="\n")
        partial.replace(path)
    except OSError as error:
        with suppress(OSError):
            partial.unlink(missing_ok=True)
        why = error.strerror or error
        raise StoreError(f"{path}: cannot be written ({why}). Choose a place where files can be written.") from error
