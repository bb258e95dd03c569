"""A graph report -> one self-contained HTML file in which thousands of tools can be searched.

The report is embedded as JSON, with each text stored once and rows without keys:

    {"texts": ["", "listPets", "/*/id", ...], "kinds": ["resource", ...], "nodes": [[1, 4, 0, 7, 9, 11], ...],
     "edges": [[0, 2, 1, 5, 0.97, 1, 0, [[0, 1.0, 8]]], ...], "orphans": [...]}

Its content can never run as code: `<`, `>` and all non-ASCII characters are escaped, the page's content security policy allows
only its own script and style, and the script inserts texts as text nodes.
"""

import json
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import Any

from interplay.schemas.records.tool_graph import Edge, EvidenceKind, GraphReport

VERIFIED = {True: 1, False: 0, None: 2}
_HERE = Path(__file__).parent


class _Texts:
    """Numbers texts in order of first appearance; the empty text is 0."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {"": 0}

    def number(self, text: str | None) -> int:
        return self.numbers.setdefault(text or "", len(self.numbers))


def page(report: GraphReport) -> str:
    """Return the HTML document of a report; deterministic."""
    style = _read("page.css")
    script = _read("search.js") + _read("page.js")
    policy = (
        f"default-src 'none'; script-src 'sha256-{_digest(script)}'; style-src 'sha256-{_digest(style)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    parts = {"@POLICY@": policy, "@STYLE@": style, "@SCRIPT@": script, "@DATA@": page_data(report)}
    text = _read("page.html")
    for mark, part in parts.items():  # the data last, so that marks within it are not replaced
        text = text.replace(mark, part)
    return text


def _read(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return b64encode(sha256(text.encode()).digest()).decode()


def page_data(report: GraphReport) -> str:
    """Return the report as JSON that is safe inside a script element."""
    texts = _Texts()
    kinds = {kind: number for number, kind in enumerate(sorted({r.kind for e in report.edges for r in e.evidence}))}
    numbers = {node.name: number for number, node in enumerate(report.nodes)}
    # an unknown operation or resource becomes the empty text
    told = ((node.name, node.summary, node.effect, node.resource, node.operation, node.source) for node in report.nodes)
    nodes = [[texts.number(value) for value in values] for values in told]
    edges = [_edge_row(edge, texts, kinds, numbers) for edge in report.edges]
    orphans = [numbers[name] for name in report.orphans]
    data = {"texts": list(texts.numbers), "kinds": list(kinds), "nodes": nodes, "edges": edges, "orphans": orphans}
    written = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
    return written.replace("<", "\\u003c").replace(">", "\\u003e")


def _edge_row(edge: Edge, texts: _Texts, kinds: dict[EvidenceKind, int], numbers: dict[str, int]) -> list[Any]:
    reasons = [[kinds[reason.kind], reason.score, texts.number(reason.detail)] for reason in edge.evidence]
    return [
        numbers[edge.producer],
        texts.number(edge.output),
        numbers[edge.consumer],
        texts.number(edge.input),
        edge.score,
        VERIFIED[edge.verified],
        texts.number(edge.note),
        reasons,
    ]
