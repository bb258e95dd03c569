"""The page: one file, nothing loaded, texts that stay texts, and the whole report in it."""

import json
import re
import resource
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from typing import Any

import pytest
from tests.outputs.graphs.reports import hostile_report, report_of, small_report

from interplay.outputs.graphs.graph_page import VERIFIED, page
from interplay.schemas.records.tool_graph import GraphReport


class Elements(HTMLParser):
    """Collects the elements of a page as a browser would find them, and what stands in scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.inside: list[tuple[str, str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.found and self.found[-1][0] in ("script", "style"):
            self.inside.append((self.found[-1][1].get("type") or self.found[-1][0], data))

    def text(self, kind: str) -> str:
        return next(data for found, data in self.inside if found == kind)


def report_in(text: str) -> dict[str, Any]:
    """Read the report back out of a page, as plain values."""
    data = json.loads(Elements(text).text("application/json"))
    texts, kinds = data["texts"], data["kinds"]
    answers = {number: answer for answer, number in VERIFIED.items()}
    names = [texts[row[0]] for row in data["nodes"]]
    keys = ("name", "summary", "effect", "resource", "operation", "source")
    nodes = [dict(zip(keys, (texts[number] for number in row), strict=True)) for row in data["nodes"]]
    edges = [
        {
            "producer": names[producer],
            "output": texts[output],
            "consumer": names[consumer],
            "input": texts[taken],
            "score": score,
            "evidence": [{"kind": kinds[k], "score": s, "detail": texts[detail]} for k, s, detail in reasons],
            "verified": answers[state],
            "note": texts[note],
        }
        for producer, output, consumer, taken, score, state, note, reasons in data["edges"]
    ]
    for node in nodes:
        node["resource"], node["operation"] = node["resource"] or None, node["operation"] or None
    return {"nodes": nodes, "edges": edges, "orphans": [names[number] for number in data["orphans"]]}


@pytest.mark.parametrize("report", [small_report(), report_of(50, 300), GraphReport(nodes=(), edges=(), orphans=())])
def test_the_report_can_be_read_back(report: GraphReport) -> None:
    assert report_in(page(report)) == report.model_dump(mode="json")


def test_hostile_texts_are_kept_to_the_letter_and_open_no_element() -> None:
    text = page(hostile_report())
    kept = report_in(text)
    assert kept["nodes"][0]["summary"] == hostile_report().nodes[0].summary
    assert kept["edges"][0]["note"] == hostile_report().edges[0].note
    found = [tag for tag, _ in Elements(text).found]
    assert found == [tag for tag, _ in Elements(page(small_report())).found]
    assert Elements(text).text("application/json").isascii()


def test_nothing_but_its_own_script_and_style_may_run_and_nothing_is_loaded() -> None:
    elements = Elements(page(small_report()))
    policy = next(attributes["content"] for _, attributes in elements.found if "http-equiv" in attributes) or ""
    assert policy.startswith("default-src 'none'; ")
    for kind in ("script", "style"):
        digest = b64encode(sha256(elements.text(kind).encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
    assert not any({"src", "href", "style", "onclick"} & set(attributes) for _, attributes in elements.found)


def test_the_script_never_takes_text_for_html() -> None:
    script = Elements(page(small_report())).text("script")
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|fetch\(", script
    )


def test_every_control_has_a_label() -> None:
    text = page(small_report())
    for control in re.findall(r"<(?:input|select)\b[^>]*>", text):
        before = text[: text.index(control)]
        assert before.rindex("<label") > before.rfind("</label>"), control


def test_twenty_thousand_tools_fit_into_one_page_of_a_reasonable_size() -> None:
    report = report_of(20_000, 100_000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    written = page(report)
    assert len(written) < 40_000_000
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) < 500 * 1024  # KiB, on Linux


def test_the_same_report_gives_the_same_page() -> None:
    assert page(report_of(50, 300)) == page(report_of(50, 300))
