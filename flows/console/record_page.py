"""A record -> its outcome, its dialogue, and the verdicts on its task and its dialogue."""

from collections.abc import Iterable

from rich.console import Console
from rich.text import Text

from interplay.flows.console.dialogue_lines import dialogue_lines
from interplay.flows.console.hanging_text import Hanging
from interplay.schemas.records.verdict import DatasetRecord

JUDGES_OF_TASKS = (
    "compose", "start", "format", "safety", "replay", "solvable", "non_trivial", "policy", "referents", "duplicates", "committee"
)  # fmt: skip
"""The names of the checks of tasks in verdicts; two checks of dialogues are called `safety` and `policy` too."""
REVIEW = "review"
"""The name of the reviewers' check of dialogues; repeated here because its module is slow to import."""


def print_record(console: Console, record: DatasetRecord, attempts: Iterable[str] = ()) -> None:
    """Print one record: its outcome, other attempts, its dialogue, and what the checks found."""
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
    """Return the codes of the errors in the last verdict, which rejected the record."""
    found = (issue.code for verdict in record.verdicts[-1:] for issue in verdict.issues if issue.severity == "error")
    return ", ".join(dict.fromkeys(found)) or "no verdict"


def _objections(record: DatasetRecord) -> dict[int, list[str]]:
    """Return what reviewers object to, with quotes, by message."""
    found: dict[int, list[str]] = {}
    for verdict in record.verdicts:
        for issue in verdict.issues if verdict.check == REVIEW else ():
            place = issue.pointer.removeprefix("/messages/")
            if place.isdigit():
                found.setdefault(int(place), []).append(f"{issue.code}: {issue.message}")
    return found


def print_verdicts(console: Console, record: DatasetRecord) -> None:
    """Print what each check found: first the checks of the task, then those of the dialogue; some have the same name."""
    names = [verdict.check for verdict in record.verdicts]
    of_task = [name in JUDGES_OF_TASKS and name not in names[:place] for place, name in enumerate(names)]
    for what, wanted in (("task", True), ("dialogue", False)):
        verdicts = [verdict for verdict, about in zip(record.verdicts, of_task, strict=True) if about is wanted]
        if not verdicts:
            continue
        console.print(Text(f"checks of the {what}", style="dim"))
        silent = [verdict.check for verdict in verdicts if verdict.passed and not verdict.issues]
        if silent:
            console.print(Hanging(Text("✓ ", style="green"), Text(", ".join(silent))))
        for verdict in verdicts:
            if verdict.issues or not verdict.passed:
                mark = Text("✓ ", style="green") if verdict.passed else Text("✗ ", style="red")
                issues = "; ".join(
                    f"{'warning: ' * (issue.severity == 'warning')}{issue.code}: {issue.message}"
                    for issue in verdict.issues
                )
                console.print(Hanging(mark, Text(f"{verdict.check}  {issues}".rstrip())))
