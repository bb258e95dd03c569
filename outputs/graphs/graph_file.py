"""A graph report -> a file whose ending says what it is: GraphML, a picture or a page."""

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
    """Return a GraphML document, which Gephi, yEd, Cytoscape and `networkx.read_graphml` open; the same report gives the same text.

    <edge source="listPets" target="getPet" id="e0">
      <data key="d6">/*/id</data> <data key="d7">/petId</data> <data key="d8">0.97</data> <data key="d9">true</data> ...

    A tool is a node, a pair of fields an edge, so two tools may have several. What is not known is left out: an edge that
    was not run has no `verified`.
    """
    written = io.BytesIO()
    nx.write_graphml_xml(_labelled(report), written)
    return written.getvalue().decode("utf-8") + "\n"


def _labelled(report: GraphReport) -> nx.MultiDiGraph:
    """Return the graph with plain attributes; edges are numbered, since GraphML wants one identity for each."""
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
    """See that each file can be written by its ending, before any work is done for it.

    Raises:
        ConfigError: an ending is not known.
    """
    for path in paths:
        if path.suffix.lower() not in WRITERS:
            raise ConfigError(f"{path}: a graph is written as {', '.join(WRITERS)}. Give the file such an ending.")


def write_graph(report: GraphReport, path: Path) -> None:
    """Write a report in the form that the ending of `path` names; the file is there complete, or as it was.

    Raises:
        ConfigError: the ending is not known.
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
