"""The results of a run -> artifacts on Prefect's page: progress, tables, three dialogues, links.

Names of tools, results and words of models are not trusted, and Prefect renders text as Markdown: every character with a
meaning in Markdown or HTML is escaped.
"""

import asyncio
import json
import re
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from prefect.artifacts import (
    acreate_link_artifact,
    acreate_markdown_artifact,
    acreate_progress_artifact,
    acreate_table_artifact,
    aupdate_progress_artifact,
)
from prefect.logging import get_run_logger

from interplay.flows.runs.committer import OnProgress, RunProgress, RunSummary
from interplay.flows.workspaces.role_costs import by_role, priced_counts
from interplay.flows.workspaces.run_report import write_report
from interplay.flows.workspaces.run_store import loaded_store
from interplay.flows.workspaces.shared_workspace import place_of
from interplay.flows.workspaces.workspace import Workspace
from interplay.generators.graph.multigraph import graph_of, graph_report
from interplay.outputs.exporters.export import ExportReport
from interplay.outputs.graphs.edge_labels import evidence_text, state_of
from interplay.schemas.json.canonical import digest
from interplay.schemas.records.verdict import DatasetRecord

SHOWN_EVERY = 2.0
"""Seconds between updates of the progress."""
DIALOGUES = 3
EDGES = 100
LONGEST = 600
"""The most characters shown of one text."""

_SPOKEN = re.compile(
    r"<|\||&(?=#?\w+;)|\\(?=[!-/:-@\[-`{-~]|$)|\](?=[(:\[])|(?<![^\W_])_|_(?![^\W_])|://|(?<=[wW]{3})\.|^>|^[-+#=](?=[-+#>=\s]|$)"
)
"""Characters with a meaning in Markdown or HTML, anywhere or at the beginning of a text."""
_PAIRED = re.compile(r"[*`~]")
"""Characters with a meaning in Markdown if there are two of them."""
_NUMBERED = re.compile(r"^(\d+)(?=[.)](\s|$))")
_LISTED = re.compile(r"^\*(?=\s|$)")
_TAGS = {"&": "&amp;", "<": "&lt;"}


def escaped(text: object, longest: int = LONGEST) -> str:
    """Return a text as one line that Markdown and HTML show unchanged.

    Only characters with a meaning in their place are escaped, as some pages show table cells raw and others as Markdown.
    """
    line = " ".join("".join(char if char.isprintable() else " " for char in str(text)).split())
    line = line if len(line) <= longest else f"{line[:longest]} …"
    several = Counter(_PAIRED.findall(line))
    line = _SPOKEN.sub(lambda found: _TAGS.get(found[0], f"\\{found[0]}"), line)
    line = _PAIRED.sub(lambda found: f"\\{found[0]}" if several[found[0]] > 1 else found[0], line)
    return _LISTED.sub(r"\\*", _NUMBERED.sub(r"\1\\", line))


def key_of(kind: str, workspace: Workspace) -> str:
    """Return the key of an artifact in Prefect: `records-nightly-5f2c`, or `records-nightly-0001-81d0` for a part.

    The digest at its end tells apart workspaces of the same name in different places.
    """
    folder = workspace.folder.absolute()
    is_part = Workspace(folder.parent).firings_file.exists()
    named = f"{folder.parent.name}-{folder.name}" if is_part else folder.name
    name = re.sub(r"[^a-z0-9]+", "-", named.lower()).strip("-")
    return "-".join(part for part in (kind, name, digest(place_of(workspace))[:4]) if part)


@asynccontextmanager
async def shown_progress(workspace: Workspace, tell: OnProgress) -> AsyncIterator[OnProgress]:
    """Show the progress of a run in an artifact and its log; `tell` is called with it too.

    The artifact is created with the first progress: a run that waits for its workspace has none.
    """
    shown = _Progress(workspace)

    def hear(progress: RunProgress) -> None:
        shown.latest = progress
        tell(progress)

    watching = asyncio.ensure_future(shown.watch())
    try:
        yield hear
    finally:
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)
        await shown.show()


@dataclass
class _Progress:
    """The progress of a run, and its artifact once it exists."""

    workspace: Workspace
    latest: RunProgress | None = None
    artifact: UUID | None = None

    async def watch(self) -> None:
        told: tuple[int, int] | None = None
        while True:
            progress = self.latest
            if progress is not None and (progress.accepted, progress.tried) != told:
                told = progress.accepted, progress.tried
                get_run_logger().info("%s of %s accepted, %s tried", progress.accepted, progress.target, progress.tried)
                await self.show()
            await asyncio.sleep(SHOWN_EVERY)

    async def show(self) -> None:
        """Show the latest progress; errors of the server are ignored, as a display must not end a run."""
        progress = self.latest
        if progress is None:
            return
        share = 100.0 * min(1.0, progress.accepted / progress.target)
        counts = f"{progress.accepted} of {progress.target}, {progress.tried} tried"
        told = f"Accepted records in {escaped(place_of(self.workspace))}: {counts}"
        with suppress(Exception):
            if self.artifact is None:
                self.artifact = await acreate_progress_artifact(share, key_of("progress", self.workspace), told)
            else:
                await aupdate_progress_artifact(self.artifact, progress=share, description=told)


async def show_run(workspace: Workspace, summary: RunSummary) -> None:
    """Show the results of a run: accepted and rejected records, reasons and costs; dialogues; links to report and workspace."""
    figures, dialogues, spent = await asyncio.to_thread(_found, workspace)
    rows = [
        {"what": "accepted", "name": "", "number": summary.accepted},
        {"what": "rejected", "name": "", "number": summary.rejected},
        *({"what": "rejected for", "name": escaped(code), "number": number} for code, number in figures.items()),
        *spent,
    ]
    if summary.spent is not None and summary.spent.dollars is not None:
        rows.append({"what": "dollars spent", "name": "", "number": round(summary.spent.dollars, 4)})
    await acreate_table_artifact(rows, key_of("records", workspace), sentence(summary))
    text = "\n\n---\n\n".join(_dialogue(record) for record in dialogues) or "Nothing was accepted yet."
    await acreate_markdown_artifact(text, key_of("dialogues", workspace), f"{len(dialogues)} accepted dialogues")
    await asyncio.to_thread(write_report, workspace, workspace.report_file)
    report = workspace.report_file.absolute()
    told = "Its figures and thirty dialogues as one page, on the machine that made it"
    await acreate_link_artifact(report.as_uri(), str(report), key_of("report", workspace), told)
    name = place_of(workspace)
    link = name if "://" in name else Path(name).as_uri()
    await acreate_link_artifact(link, name, key_of("workspace", workspace), "Where the run is")


def sentence(summary: RunSummary) -> str:
    """Return the results of a run in one sentence."""
    return (
        f"{summary.accepted} accepted of {summary.target} asked for, {summary.rejected} rejected, "
        f"{summary.made} indices made in {summary.seconds:.0f} s."
    )


def _found(workspace: Workspace) -> tuple[dict[str, int], list[DatasetRecord], list[dict[str, Any]]]:
    """Return the rejected records per issue, some dialogues from all over the run, and the tokens by role."""
    run = workspace.existing_run().run
    with loaded_store(workspace) as store:
        rows = store.query(
            "SELECT code, count(DISTINCT record_id) AS n FROM issues JOIN records ON records.id = record_id "
            "WHERE run = ? AND status = 'rejected' AND severity = 'error' GROUP BY code ORDER BY n DESC, code",
            [run],
        )
        ids = [row["id"] for row in store.query(
            "SELECT id FROM records WHERE run = ? AND status = 'accepted' ORDER BY index, attempt", [run]
        )]  # fmt: skip
        chosen = sorted({0, len(ids) // 2, len(ids) - 1}) if ids else []
        dialogues = [store.record(ids[place]) for place in chosen[:DIALOGUES]]
    spent = [
        {"what": "tokens of", "name": escaped(role.role), "number": role.tokens}
        for role in by_role(priced_counts(workspace))
    ]
    return {row["code"]: row["n"] for row in rows}, dialogues, spent


def _dialogue(record: DatasetRecord) -> str:
    lines = [f"**index {record.index}**, record {record.id}"]
    for message in record.trajectory.messages if record.trajectory else ():
        if message.content:
            lines.append(f"- **{message.role}**: {escaped(message.content)}")
        lines += [
            f"- **call**: {escaped(call.name)} {escaped(json.dumps(dict(call.arguments), ensure_ascii=False))}"
            for call in message.tool_calls
        ]
    return "\n".join(lines)


async def show_tools(key: str, listed: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
    """Show the outcome of each imported tool."""
    rows = [
        {
            "tool": escaped(tool["name"]),
            "outcome": outcome,
            "effect": tool["effect"] or "",
            "reasons": escaped("; ".join(tool["reasons"])),
            "where": escaped(f"{tool['file']}{tool['pointer'] or ''}"),
        }
        for outcome in ("imported", "repaired", "rejected")
        for tool in listed[outcome]
    ]
    await acreate_table_artifact(rows, key, imported(listed))


def imported(listed: Mapping[str, Sequence[Any]]) -> str:
    """Return the outcomes of an import in one sentence."""
    return ", ".join(f"{len(listed[outcome])} {outcome}" for outcome in ("imported", "repaired", "rejected")) + "."


async def show_graph(workspace: Workspace) -> None:
    """Show the tool graph of a workspace: its best edges, and how many were verified."""
    held = workspace.graph()
    if held is None:
        return
    report = graph_report(graph_of([tool.name for tool in workspace.toolset().tools], held.edges))
    rows = [
        {
            "from": escaped(edge.producer), "output": escaped(edge.output),
            "to": escaped(edge.consumer), "input": escaped(edge.input),
            "state": state_of(edge), "score": round(edge.score, 2), "why": escaped(evidence_text(edge)),
        }
        for edge in report.best(EDGES)
    ]  # fmt: skip
    told = (
        f"{len(report.nodes)} tools, {len(report.edges)} edges: {report.verified} verified, {report.failed} failed, "
        f"{report.not_run} not run; the {len(rows)} best are shown."
    )
    await acreate_table_artifact(rows, key_of("graph", workspace), told)


async def show_export(workspace: Workspace, report: ExportReport) -> None:
    """Show the rows of an export, with a link to its card."""
    rows = [{"split": name, "rows": number} for name, number in report.splits.items()]
    left = [{"split": f"left out: {escaped(name)}", "rows": number} for name, number in report.left_out.items()]
    await acreate_table_artifact([*rows, *left], key_of("export", workspace), escaped(report.summary()))
    card = Path(report.folder) / "README.md"
    await acreate_link_artifact(card.as_uri(), str(card), key_of("card", workspace), f"Dataset card, {report.format}")
