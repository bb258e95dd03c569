"""Records, reports and progress -> what a person reads in the terminal."""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderHook, RenderResult
from rich.segment import Segment
from rich.text import Text

from interplay.flows.console.hanging_text import Hanging
from interplay.flows.console.progress_display import reasons_line, spent_line
from interplay.flows.console.visible_text import print_line
from interplay.schemas.records.dialogue import Message, Trajectory
from interplay.schemas.records.verdict import DatasetRecord
from interplay.schemas.words.hidden_characters import visible

if TYPE_CHECKING:  # the room of runs and worlds is slow to import, and most commands only show
    from interplay.flows.runs.committer import RunSummary
    from interplay.generators.environments.accounts.fitness import Fitness
    from interplay.outputs.exporters.export import ExportReport

RESULT_LENGTH, CALL_LENGTH = 240, 600
"""Characters that are shown of a result or of one argument, and of a call."""
FIRST_OF_DIALOGUES = "structure"
"""The check that judges dialogues first; those before it judge tasks."""
REVIEW = "review"
"""The check of dialogues by reviewers; its module takes long to import."""
UNREVIEWED = (
    "Models spoke, and no model reviews: checks by execution and comparison of values alone decided, and records say "
    "reviewed: false. Name one: roles: {reviewer: NAME}."
)
STYLES = {"user": "bold cyan", "assistant": "bold green", "call": "yellow", "tool": "dim", "failed": "red"}


def open_console() -> Console:
    """Return a console on standard output; lines are cut by the terminal, not by us, when nobody watches.

    What it prints of others is only ever shown: no markup is read in it, and `visible` escapes what a terminal acts on.
    """
    return gated(Console(soft_wrap=not sys.stdout.isatty(), highlight=False, markup=False, emoji=False))


def gated(console: Console) -> Console:
    """Return a console that shows characters which a terminal would act on."""
    console.push_render_hook(_Gate())
    return console


class _Gate(RenderHook):
    """Lets the text of everything that is drawn through `visible`; what rich itself tells the terminal stays."""

    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        return [_Shown(renderable) for renderable in renderables]


@dataclass(frozen=True)
class _Shown:
    renderable: ConsoleRenderable

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for segment in console.render(self.renderable, options):
            yield segment if segment.control else Segment(visible(segment.text), segment.style)


def print_json(value: Any) -> None:
    """Write one JSON document to standard output, for machines."""
    print_line(json.dumps(value, ensure_ascii=False, indent=2))


def dialogue_lines(trajectory: Trajectory, objections: Mapping[int, Sequence[str]] | None = None) -> Iterator[Hanging]:
    """Yield a dialogue as coloured paragraphs, messages numbered from 0 as labels and issues name them.

    Calls and results are shortened, and where tools come and go it is said. `objections` are what reviewers hold against a
    message, and stand below it.
    """
    offered = trajectory.tools
    for position, message in enumerate(trajectory.messages):
        if trajectory.kept and position == trajectory.kept:
            yield Hanging(Text(" " * 14), Text("── what is above was there before ──", style="dim"))
        for place, (who, text) in enumerate(_message_parts(message)):
            number = Text(f"{position if place == 0 else '':>3} ", style="dim")
            yield Hanging(Text.assemble(number, who), text)
        for told in (objections or {}).get(position, ()):
            yield Hanging(Text(f"{'✗':>14}  ", style="red"), Text(told, style="red"))
        if message.role == "assistant" and not message.train and objections:
            yield Hanging(Text(" " * 14), Text("not to be learnt", style="dim red"))
        if message.offered is not None:
            changes = [f"+{name}" for name in message.offered if name not in offered] + [
                f"-{name}" for name in offered if name not in message.offered
            ]
            yield Hanging(Text(f"{'tools':>14}  ", style="dim magenta"), Text(" ".join(changes), style="dim magenta"))
            offered = message.offered


def _objections(record: DatasetRecord) -> dict[int, list[str]]:
    """Return what reviewers hold against each message, with their quotes."""
    found: dict[int, list[str]] = {}
    for verdict in record.verdicts:
        for issue in verdict.issues if verdict.check == REVIEW else ():
            place = issue.pointer.removeprefix("/messages/")
            if place.isdigit():
                found.setdefault(int(place), []).append(f"{issue.code}: {issue.message}")
    return found


def print_message(console: Console, message: Message) -> None:
    """Print one message as it is said."""
    for who, text in _message_parts(message):
        console.print(Hanging(who, text))


def _message_parts(message: Message) -> Iterator[tuple[Text, Text]]:
    """Yield who speaks and what is said, called or returned."""
    if message.role == "tool":
        style = STYLES["failed" if message.failed else "tool"]
        yield Text(f"{'result':>10}  ", style=style), Text(_shortened(message.content), style=style)
        return
    if message.content:
        yield Text(f"{message.role:>10}  ", style=STYLES[message.role]), Text(message.content)
    for call in message.tool_calls:
        arguments = ", ".join(f"{name}={_shortened(json.dumps(value))}" for name, value in call.arguments.items())
        who = "call" if call.requestor == "assistant" else "own call"
        told = _shortened(f"{call.name}({arguments})", CALL_LENGTH)
        yield Text(f"{who:>10}  ", style=STYLES["call"]), Text(told, style=STYLES["call"])


def _shortened(text: str, length: int = RESULT_LENGTH) -> str:
    line = " ".join(text.split())
    return line if len(line) <= length else f"{line[:length]} … ({len(line):,} characters)"


def print_record(console: Console, record: DatasetRecord, attempts: Iterable[str] = ()) -> None:
    """Print one record: what became of it and of other attempts, its dialogue, and what the checks said."""
    outcome = record.status if record.stage is None else f"{record.status} at {record.stage}: {_rejecting(record)}"
    attempt = f".{record.attempt}" if record.attempt else ""
    console.print(
        Hanging(Text("record ", style="bold"), Text(f"{record.id}  index {record.index}{attempt}  {outcome}"))
    )
    if record.failure is not None and record.trajectory is not None:
        failure = record.failure
        place = "" if failure.message is None else f" at message {failure.message}"
        said = (
            (Text("unclear: ", style="bold yellow"), Text(f"what went wrong cannot be told{place}. {failure.why}"))
            if failure.fault == "unclear"
            else (Text("went wrong: ", style="bold red"), Text(f"{failure.fault}{place}. {failure.why}"))
        )
        console.print(Hanging(*said))
    for attempt_told in attempts:
        console.print(Hanging(Text("attempt ", style="dim"), Text(attempt_told, style="dim")))
    if record.blueprint:
        tools = " → ".join(dict.fromkeys(action.tool for action in record.blueprint.actions))
        pattern = Text(f"{record.blueprint.pattern}: ", style="dim")
        console.print(Hanging(pattern, Text(tools or "no call", style="dim")))
    console.print()
    for line in dialogue_lines(record.trajectory, _objections(record)) if record.trajectory else ():
        console.print(line)
    if record.trajectory:
        console.print()
    print_verdicts(console, record)
    if record.status == "rejected":
        console.print(Text("docs/issues.md says what each code means.", style="dim"))


def _rejecting(record: DatasetRecord) -> str:
    """Return the codes of the issues that rejected a record."""
    found = (issue.code for verdict in record.verdicts[-1:] for issue in verdict.issues if issue.severity == "error")
    return ", ".join(dict.fromkeys(found)) or "no verdict"


def print_verdicts(console: Console, record: DatasetRecord) -> None:
    """Print what each check said of a record: of its task, then of its dialogue, some of them by the same name."""
    places = (place for place, verdict in enumerate(record.verdicts) if verdict.check == FIRST_OF_DIALOGUES)
    first = next(places, len(record.verdicts))
    for what, verdicts in (("task", record.verdicts[:first]), ("dialogue", record.verdicts[first:])):
        if not verdicts:
            continue
        console.print(Text(f"checks of the {what}", style="dim"))
        silent = [verdict.check for verdict in verdicts if verdict.passed and not verdict.issues]
        if silent:
            console.print(Hanging(Text("✓ ", style="green"), Text(", ".join(silent))))
        for verdict in verdicts:
            if verdict.issues or not verdict.passed:
                mark = Text("✓ ", style="green") if verdict.passed else Text("✗ ", style="red")
                issues = "; ".join(f"{issue.code}: {issue.message}" for issue in verdict.issues)
                console.print(Hanging(mark, Text(f"{verdict.check}  {issues}".rstrip())))


def print_imports(console: Console, listed: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
    """Print each tool as imported, repaired or rejected, with the reason and the place in its source."""
    styles = {"imported": "green", "repaired": "yellow", "rejected": "red"}
    for outcome in styles:
        for entry in listed[outcome]:
            effect = entry["effect"] or ""
            console.print(Text.assemble((f"{outcome:<9}", styles[outcome]), f" {effect:<5} {entry['name']}"))
            if entry["reasons"]:
                place = f"{entry['file']}#{entry['pointer']}" if entry["pointer"] else entry["file"]
                console.print(Text(f"{'':16}{place}", style="dim"))
            for reason in entry["reasons"]:
                console.print(Text(f"{'':16}{reason}", style="dim"))
    console.print(", ".join(f"{len(listed[outcome])} {outcome}" for outcome in styles))
    for source in listed["sources"]:
        if source["overrides"]:
            console.print(f"overrides: {source['overrides']}", markup=False)
        if source["left_out"]:
            console.print(f"left out on purpose: {source['left_out']} of {source['toolset']}", markup=False)
    from interplay.generators.environments.accounts.fitness import Fitness  # noqa: PLC0415 - of those who import, see above

    print_warnings(console, [Fitness.model_validate(item) for item in listed["fitness"]])


def print_warnings(console: Console, found: Sequence["Fitness"]) -> None:
    """Print what is made up among the answers of tools, and what to do about it."""
    from interplay.flows.worlds.fitness_warnings import warnings_of  # noqa: PLC0415

    for line in warnings_of(found):
        console.print(Text(line, style="dim" if line.startswith(" ") else "yellow"), soft_wrap=True)


LEFT_OUT_SHOWN = 4
"""Tools that are named of those that tasks are not about."""


def unasked_line(names: Sequence[str]) -> str:
    """Return the line that tells of tools for which no good words are known."""
    shown = ", ".join(names[:UNASKED_SHOWN]) + (
        f" and {len(names) - UNASKED_SHOWN} more" if len(names) > UNASKED_SHOWN else ""
    )
    return f"No task is about {len(names)} tools that nobody would ask for in the words known for them: {shown}. See: interplay phrases"


UNASKED_SHOWN = 3
"""Names of tools that are told in one line."""


def print_summary(console: Console, summary: "RunSummary", next_steps: Iterable[tuple[str, str]]) -> None:
    """Print what a run left in its workspace, and commands to go on with."""
    console.print(f"{summary.accepted} accepted, {summary.rejected} rejected{reasons_line(summary.rejected_by_issue)}.")
    if summary.made:
        made = f"{summary.made} indices made in {summary.seconds:.1f} s ({summary.records_per_second:.1f} a second)."
    else:
        made = "Nothing had to be made."
    kept = f" {summary.kept} more than needed are kept." if summary.kept else ""
    console.print(f"{made}{kept} Workspace: {summary.workspace}", markup=False)
    if summary.spent is not None:
        console.print(f"Models: {summary.spent.calls:,} calls, {spent_line(summary.spent)}.", markup=False)
    print_warnings(console, summary.fitness)
    if summary.uncalled:
        console.print(Text("No accepted dialogue calls a tool of the toolset.", style="yellow"), soft_wrap=True)
    if summary.senseless > summary.accepted or (summary.senseless and summary.uncalled):
        told = f"For {summary.senseless:,} indices no task was found that makes enough sense; `interplay show` tells what speaks against them."
        console.print(Text(told, style="yellow"), soft_wrap=True)
        console.print("    To take such tasks too: recipes: {sense: 0}", markup=False)
    if summary.left_out:
        named = "; ".join(f"{name} ({why})" for name, why in list(summary.left_out.items())[:LEFT_OUT_SHOWN])
        more = "; …" if len(summary.left_out) > LEFT_OUT_SHOWN else ""
        told = f"Less or no use is made of {len(summary.left_out)} tools for lack of sense: {named}{more}."
        console.print(Text(told, style="yellow"), soft_wrap=True)
        console.print("    To use them all: recipes: {sense: 0, doubtful_links: true}", markup=False)
    if summary.unasked:
        console.print(Text(unasked_line(summary.unasked), style="yellow"), soft_wrap=True)
    if summary.unreviewed:
        console.print(Text(UNREVIEWED, style="yellow"), soft_wrap=True)
    for command, purpose in next_steps:
        console.print(Text.assemble(("  " + command, "bold"), (f"  # {purpose}", "dim")), soft_wrap=True)


def print_export(console: Console, report: "ExportReport", to: Path, curated_file: Path) -> None:
    """Print how many rows an export has, how they came back, and what is left out of it why."""
    from interplay.outputs.exporters.export_formats import named_format  # noqa: PLC0415 - of those who export

    known, splits = named_format(report.format), ", ".join(f"{name} {rows}" for name, rows in report.splits.items())
    losses = (f"{known.describe_loss(loss)} ({count})" for loss, count in sorted(report.left_out.items()))
    curated = f"left out by curation: {report.curated}; reasons in {curated_file}"
    lines = [
        f"{report.rows} {known.rows} ({splits}) as {report.format} in {to}",
        report.summary(),
        *([f"left out, by number of dialogues: {', '.join(losses)}"] if report.left_out else []),
        *([curated] if report.curated else []),
        *([report.template.summary()] if report.template is not None else []),
    ]
    for what, counts in (
        ("dialogues left out", report.left_out_rows),
        ("dialogues with faulty turns", report.masked),
        ("overruled by people", report.overruled),
    ):
        told = ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in counts.items())
        lines += [f"{what}: {told}"] if counts else []
    for line in lines:
        console.print(line, markup=False)
