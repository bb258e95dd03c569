"""The progress of a run -> a display on standard error: a bar in a terminal, else a line now and then."""

import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from shlex import quote
from typing import TYPE_CHECKING

from interplay.flows.console.visible_text import print_aside, print_line
from interplay.schemas.words.hidden_characters import visible

if TYPE_CHECKING:
    from interplay.flows.runs.committer import RunProgress
    from interplay.flows.runs.watched_run import RunSight
    from interplay.generators.models.batches.batched_model import BatchSnapshot
    from interplay.generators.models.limits.budget import Spent
    from interplay.generators.models.limits.limit_settings import LimitSnapshot

SECONDS_BETWEEN_LINES = 10.0
LOOK_SECONDS = 1.0
"""Seconds between looks at whether a line is due."""
SHOWN_REASONS = 3


@contextmanager
def run_display() -> Iterator["Callable[[RunProgress], None]"]:
    """Show the progress of a run on standard error; the bar appears with the first progress."""
    with ExitStack() as shown:
        teller = None if sys.stderr.isatty() else shown.enter_context(_lines())
        noticed = False

        def tell(progress: "RunProgress") -> None:
            nonlocal teller, noticed
            if progress.notice and not noticed:
                noticed = True
                print_aside(progress.notice)
            teller = teller or shown.enter_context(_bar())
            teller(progress)

        yield tell


@contextmanager
def _bar() -> Iterator["Callable[[RunProgress], None]"]:
    from rich.console import Console  # noqa: PLC0415 - slow to import; the run has begun meanwhile
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn  # noqa: PLC0415
    from rich.progress import Progress as Bar  # noqa: PLC0415

    columns = (
        TextColumn("accepted"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}  {task.fields[reasons]}", markup=False),
        TimeElapsedColumn(),
    )
    with Bar(*columns, console=Console(file=sys.stderr, highlight=False), transient=True) as bar:
        task = bar.add_task("run", total=None, rate="", reasons="")

        def tell(progress: "RunProgress") -> None:
            rejected = f"rejected{reasons_line(progress.rejected_by_issue)}" if progress.rejected_by_issue else ""
            rate = f"{progress.rate:.1f} records/s" if progress.made else ""
            reasons = " · ".join(part for part in (rejected, models_line(progress)) if part)
            shown = visible(reasons)
            bar.update(task, total=progress.target, completed=progress.accepted, rate=rate, reasons=shown)

        yield tell


@contextmanager
def _lines() -> Iterator["Callable[[RunProgress], None]"]:
    """Print a progress line now and then, also while nothing finishes: calls of a tool may take seconds."""
    last, stream, ended = (
        time.monotonic(),
        sys.stderr,
        threading.Event(),
    )  # `sys.stderr` may be replaced while a tool is called
    known: RunProgress | None = None
    one_at_a_time = threading.Lock()

    def say() -> None:
        nonlocal last
        with one_at_a_time:
            if known is not None and time.monotonic() - last >= SECONDS_BETWEEN_LINES:
                last = time.monotonic()
                print_aside(_line(known), stream)

    def keep_saying() -> None:
        while not ended.wait(LOOK_SECONDS):
            say()

    def tell(progress: "RunProgress") -> None:
        nonlocal known
        begun, known = known is not None, progress
        if not begun:
            threading.Thread(target=keep_saying, daemon=True, name="progress").start()
        say()

    try:
        yield tell
    finally:
        ended.set()


def _line(progress: "RunProgress") -> str:
    since = f"{progress.making} made for {time.monotonic() - progress.making_since:.0f} s" if progress.making else ""
    told = (
        f"{progress.accepted} of {progress.target} accepted after {progress.tried} tries"
        f"{reasons_line(progress.rejected_by_issue)}, {progress.rate:.1f} records/s"
    )
    return " · ".join(part for part in (told, models_line(progress), since) if part)


def models_line(progress: "RunProgress") -> str:
    """Return the state of each model, and what was spent."""
    from interplay.generators.models.batches.batched_model import BatchSnapshot  # noqa: PLC0415 - only needed where models play

    told = [_batched(model) if isinstance(model, BatchSnapshot) else _limited(model) for model in progress.models]
    return " · ".join([*told, *([spent_line(progress.spent)] if progress.spent else [])])


def _limited(model: "LimitSnapshot") -> str:
    waits = f", {model.waiting_on_rate_limit} wait for the rate limit" if model.waiting_on_rate_limit else ""
    errors = "".join(f", {count} {kind}" for kind, count in model.errors.items())
    paused = f", paused: {model.pause_reason}" if model.paused else ""
    done = f"{model.requests} requests, {model.answers} answers"
    return f"{model.name} {model.in_flight}/{model.limit} in flight, {done}{waits}{errors}{paused}"


def _batched(model: "BatchSnapshot") -> str:
    odd = "".join(f", {count} {kind}" for kind, count in model.oddities.items())
    under_way = f"{model.under_way} batches open with {model.done}/{model.in_batches} done, {model.ended} ended"
    taken_up = f" ({model.resumed} of an earlier run)" if model.resumed else ""
    again = f", {model.again} asked again" if model.again else ""
    wait = f", {model.collected} wait for the next" if model.collected else ""
    return f"{model.name} wave {model.waves}{wait}, {under_way}{taken_up}, {model.answers} answers{again}{odd}"


def spent_line(spent: "Spent") -> str:
    """Return the tokens and dollars that were spent."""
    dollars = "at unknown prices" if spent.dollars is None else f"${spent.dollars:.2f}"
    return f"{spent.tokens:,} tokens, {dollars}"


@contextmanager
def watch_display() -> Iterator[Callable[[str], None]]:
    """Show the progress of a run in another process: one line that is redrawn in a terminal, else a line per change."""
    if sys.stdout.isatty():
        from rich.console import Console  # noqa: PLC0415 - slow to import
        from rich.live import Live  # noqa: PLC0415
        from rich.text import Text  # noqa: PLC0415

        with Live(console=Console(highlight=False), transient=True, auto_refresh=False) as live:
            yield lambda line: live.update(Text(visible(line)), refresh=True)
        return
    last = ""

    def tell(line: str) -> None:
        nonlocal last
        if line != last:
            last = line
            print_line(line)
            sys.stdout.flush()

    yield tell


def sight_line(sight: "RunSight", rate: float = 0.0) -> str:
    """Return how far a run has come, as one line; `rate` is the accepted records per second since the watch began."""
    parts = [
        f"{sight.state}: {sight.accepted:,} of {sight.target:,} accepted after {sight.tried:,} tries in {sight.shards:,} shards",
        f"rejected{reasons_line(sight.rejected_by_issue)}" if sight.rejected_by_issue else "",
        f"{sight.answers:,} answers of models, {sight.tokens:,} tokens" if sight.answers else "",
        f"{rate:.1f} records/s" if rate else "",
        f"process {sight.process}" if sight.process is not None and sight.state == "running" else "",
        "go on with the same interplay run" if sight.state == "stopped" else "",
    ]
    return visible(" · ".join(part for part in parts if part))


def reasons_line(counts: Mapping[str, int]) -> str:
    """Return the most frequent reasons with the records that each rejected, in brackets; "" if there are none."""
    if not counts:
        return ""
    best = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    shown = [f"{code} {count}" for code, count in best[:SHOWN_REASONS]]
    others = sum(count for _, count in best[SHOWN_REASONS:])
    return f" ({', '.join([*shown, *([f'others {others}'] if others else [])])})"


def examples_line(examples: Mapping[str, str], codes: Iterable[str], workspace: str = "") -> str:
    """Return a hint how to show a rejected record, with an example for each issue code; "" if there are none."""
    at = f" --workspace {quote(workspace)}" if workspace else ""
    named = [f"{examples[code]} for {code}" for code in codes if code in examples]
    return f"To see one: interplay show N{at}, with N {', '.join(named)}" if named else ""
