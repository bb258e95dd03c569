"""`interplay graph`: what it writes, and what it says when it cannot."""

import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import networkx as nx
import pytest
from tests.flows.command_line import Answer, interplay

Run = Callable[..., Answer]
CLINIC = ("graph", "--toolset", "domain:clinic")


@pytest.fixture
def graph(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    monkeypatch.chdir(tmp_path)

    def run(*arguments: object) -> Answer:
        return interplay(monkeypatch, capsys, *CLINIC, *arguments)

    return run


def test_writes_each_file_in_the_form_that_its_ending_names(graph: Run, tmp_path: Path) -> None:
    answer = graph("--to", "a/clinic.graphml", "--to", "a/clinic.svg", "--to", "a/clinic.HTML", "--json")
    report = json.loads(answer.out)
    opened = nx.read_graphml(tmp_path / "a/clinic.graphml")
    assert opened.number_of_edges() == len(report["edges"])
    assert ET.parse(tmp_path / "a/clinic.svg").getroot().tag.endswith("svg")
    assert "book_appointment" in (tmp_path / "a/clinic.HTML").read_text()
    assert sorted(path.name for path in (tmp_path / "a").iterdir()) == ["clinic.HTML", "clinic.graphml", "clinic.svg"]


def test_an_unknown_ending_is_told_before_anything_is_done(graph: Run, tmp_path: Path) -> None:
    answer = graph("--to", "clinic.svg", "--to", "clinic.png")
    assert answer.code == 1
    assert "clinic.png: a graph is written as .graphml, .svg, .html." in answer.err
    assert not list(tmp_path.iterdir())


def test_a_place_that_cannot_be_written_is_told_in_one_line(graph: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    answer = graph("--to", "file/clinic.svg")
    assert answer.code == 1
    assert answer.err.startswith("interplay: file/clinic.svg: cannot be written (")
    (tmp_path / "taken.svg").mkdir()
    assert "cannot be written" in graph("--to", "taken.svg").err
    assert not list(tmp_path.glob("*.partial"))


def test_edges_are_not_run_when_nobody_wants_it(graph: Run) -> None:
    assert "0 verified, 0 failed" in graph("--no-verify").out


def test_shows_as_many_edges_as_asked_for(graph: Run) -> None:
    assert graph("--edges", "3").out.count(" → ") == 6
    assert " → " not in graph("--edges", "0").out


def test_the_same_seed_writes_the_same_bytes(graph: Run, tmp_path: Path) -> None:
    for name in ("one", "two"):
        graph(*(part for ending in ("svg", "html", "graphml") for part in ("--to", f"{name}.{ending}")))
    for ending in ("svg", "html", "graphml"):
        assert (tmp_path / f"one.{ending}").read_bytes() == (tmp_path / f"two.{ending}").read_bytes()
