"""A graph report -> GraphML, which Gephi, yEd, Cytoscape and `networkx.read_graphml` open.

<edge source="listPets" target="getPet" id="e0">
  <data key="output">/*/id</data> <data key="input">/petId</data> <data key="score">0.97</data> <data key="verified">true</data> ...

A tool is a node, a pair of fields an edge, so two tools may have several. What is not known is left out: an edge that
was not run has no `verified`. Source: http://graphml.graphdrawing.org/specification.html
"""

from collections.abc import Mapping
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from interplay.outputs.graphs.edge_labels import evidence_text, legal
from interplay.schemas.records.tool_graph import Edge, GraphNode, GraphReport

NODE = ("label", "summary", "effect", "resource", "operation", "source")
EDGE = ("output", "input", "evidence", "note", "score", "verified")
TYPES = {"score": "double", "verified": "boolean"}
"""Of the data that is no text."""


def graphml(report: GraphReport) -> str:
    """Return a GraphML document; the same report gives the same text."""
    document = Element("graphml", xmlns="http://graphml.graphdrawing.org/xmlns")
    for kind, names in (("node", NODE), ("edge", EDGE)):
        for name in names:
            SubElement(
                document, "key", {"id": name, "for": kind, "attr.name": name, "attr.type": TYPES.get(name, "string")}
            )
    graph = SubElement(document, "graph", edgedefault="directed")
    for node in report.nodes:
        _add_data(SubElement(graph, "node", id=legal(node.name)), _of_node(node))
    for number, edge in enumerate(report.edges):
        ends = {"source": legal(edge.producer), "target": legal(edge.consumer), "id": f"e{number}"}
        _add_data(SubElement(graph, "edge", ends), _of_edge(edge))
    indent(document)
    written: bytes = tostring(document, encoding="utf-8", xml_declaration=True)
    return written.decode() + "\n"


def _add_data(element: Element, values: Mapping[str, str]) -> None:
    for name, value in values.items():
        if value:
            SubElement(element, "data", key=name).text = legal(value)


def _of_node(node: GraphNode) -> dict[str, str]:
    told = {name: getattr(node, name) for name in NODE if name != "label"}
    return {"label": node.name, **told}


def _of_edge(edge: Edge) -> dict[str, str]:
    ran = "" if edge.verified is None else str(edge.verified).lower()
    told = {"output": edge.output, "input": edge.input, "evidence": evidence_text(edge), "note": edge.note}
    return {**told, "score": str(edge.score), "verified": ran}
