"""Figures and records -> one HTML file to send around: no script, nothing loaded, all untrusted text escaped."""

import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from interplay.outputs.report.coverage import TO_COVER
from interplay.outputs.report.intervals import wilson
from interplay.schemas.records.verdict import DatasetRecord
from interplay.schemas.words.hidden_characters import visible

LONGEST = 20_000
"""Maximum characters shown of one message, arguments or result; the number of hidden ones is stated."""
MOST_MESSAGES = 500
"""Maximum number of messages shown of one dialogue."""
BARS = 40
"""Maximum number of bars in one chart."""
_CHARTS = {
    "rejected_by_issue": "Rejected dialogues, by issue",
    "rejected_by_fault": "Rejected dialogues, by what went wrong first",
    "patterns": "Accepted dialogues, by pattern of the task",
    "goals": "Accepted dialogues, by number of goals",
    **{
        kind: f"Accepted dialogues: {TO_COVER[kind].title}"
        for kind in ("tools", "edges", "rules", "temptations", "behaviours")
    },
    "acts": "Acts",
    "faults": "Faults met",
    "safety_scenarios": "Safety scenarios",
    "splits": "Splits",
}
"""Counts of `statistics` and `uses` that are drawn as bar charts -> their titles."""
_HERE = Path(__file__).parent


def report_page(
    name: str,
    figures: dict[str, Any],
    records: Sequence[DatasetRecord],
    pictures: Sequence[str] = (),
    coverage: Mapping[str, Any] | None = None,
    spent: Sequence[Any] = (),
) -> str:
    """Return an HTML document about a run: figures, pictures, coverage, costs, and the records turn by turn.

    `figures` holds those of `statistics` and `uses`, `pictures` SVG texts, `coverage` the result of `coverage`, `spent` the costs
    by role. The output is deterministic, and its content security policy allows only its own style.
    """
    style = (_HERE / "page.css").read_text(encoding="utf-8")
    digest = b64encode(sha256(style.encode()).digest()).decode()
    return (
        _environment()
        .get_template("page.html.j2")
        .render(
            name=name,
            style=style,
            policy=f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'",
            figures=figures,
            charts=[(title, _bars(figures[key])) for key, title in _CHARTS.items() if figures.get(key)],
            records=[(record, _turns(record)) for record in records],
            checks=[
                (name, told) for name, told in figures["yield_by_check"].items() if told["passed"] < told["judged"]
            ],
            pictures=pictures,
            interval=wilson(figures["accepted"], figures["accepted"] + figures["rejected"]),
            coverage=[
                (one.title, coverage[kind]) for kind, one in TO_COVER.items() if coverage and coverage[kind]["total"]
            ],
            spent=spent,
            most=MOST_MESSAGES,
        )
    )


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_HERE), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["shown"] = _shown
    return environment


def _shown(value: Any) -> str:
    """Return an untrusted text, or a value as JSON, shortened and with hidden characters escaped."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1)
    more = len(text) - LONGEST
    return visible(text[:LONGEST]) + (f" … and {more:,} characters more" if more > 0 else "")


def _bars(counts: dict[str, int]) -> list[tuple[str, int, float]]:
    """Return (name, count, width in percent of the widest bar) of the most frequent names, in descending order."""
    most = max(counts.values())
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:BARS]
    return [(name, count, round(100 * count / most, 1) if most else 0.0) for name, count in ordered]


def _turns(record: DatasetRecord) -> list[dict[str, Any]]:
    """Return the messages for the page: number, role, content, and calls with their results."""
    if record.trajectory is None:
        return []
    messages = record.trajectory.messages
    results = {message.tool_call_id: message.content for message in messages if message.role == "tool"}
    turns: list[dict[str, Any]] = []
    for number, message in enumerate(messages[:MOST_MESSAGES]):
        if message.role == "tool":
            continue
        calls = [(call.name, call.arguments, results.get(call.id)) for call in message.tool_calls]
        turns.append({"number": number, "role": message.role, "content": message.content, "calls": calls})
    return turns
