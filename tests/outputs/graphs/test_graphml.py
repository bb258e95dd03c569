"""GraphML opens in networkx with all that a reader may ask for."""

import io

import networkx as nx
from tests.outputs.graphs.reports import hostile_report, report_of, small_report

from interplay.outputs.graphs.graph_file import graphml


def reopened(text: str) -> nx.MultiDiGraph:
    graph = nx.read_graphml(io.BytesIO(text.encode()), force_multigraph=True)
    assert isinstance(graph, nx.MultiDiGraph)
    return graph


def test_nodes_keep_what_is_known_of_them() -> None:
    graph = reopened(graphml(small_report()))
    assert list(graph.nodes) == ["list_pets", "get_pet", "buy_pet", "ping"]
    assert graph.nodes["list_pets"] == {
        "label": "list_pets",
        "summary": "List pets",
        "effect": "read",
        "resource": "pet",
        "operation": "list",
        "source": "pets.yaml",
    }
    assert "resource" not in graph.nodes["ping"]


def test_edges_keep_fields_score_evidence_and_what_came_of_running_them() -> None:
    graph = reopened(graphml(small_report()))
    assert graph.number_of_edges() == 4
    assert graph.number_of_edges("list_pets", "buy_pet") == 2
    (first,) = graph.get_edge_data("list_pets", "get_pet").values()
    assert (first["output"], first["input"]) == ("/*/id", "/id")
    assert (first["score"], first["verified"]) == (0.95, True)
    assert first["evidence"] == "resource 1.00 id; name 0.50 id"
    (failed,) = graph.get_edge_data("get_pet", "buy_pet").values()
    assert (failed["verified"], failed["note"]) == (False, "the consumer failed: not found")


def test_an_edge_that_was_not_run_has_no_answer() -> None:
    found = reopened(graphml(small_report())).get_edge_data("list_pets", "buy_pet").values()
    assert sorted("verified" in data for data in found) == [False, True]


def test_hostile_texts_are_kept_but_for_what_xml_cannot_hold() -> None:
    graph = reopened(graphml(hostile_report()))
    kept = graph.nodes["evil"]["summary"]
    assert '</script><script>alert(1)</script><!-- ]]> & "' in kept
    assert "\U0001f600" in kept
    assert not any(character in kept for character in "\x00\x08\x1b\uffff\ud800")


def test_the_same_report_gives_the_same_document() -> None:
    assert graphml(report_of(60, 200)) == graphml(report_of(60, 200))
