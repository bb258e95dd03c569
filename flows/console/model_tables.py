"""The abilities, costs, batches and calibration of models -> tables in the terminal."""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime

from rich.console import Console
from rich.table import Table
from rich.text import Text

from interplay.flows.estimates.dialogue_yield import Yield
from interplay.flows.estimates.estimate import Estimate
from interplay.flows.roles.model_check import ModelCheck
from interplay.generators.models.journal.journal_report import BatchRow
from interplay.schemas.records.calibration import Agreement, Calibration, ReviewerFigures


def print_checks(console: Console, checks: tuple[ModelCheck, ...]) -> None:
    """Print each model with its abilities, and a fix for each ability that it lacks."""
    for check in checks:
        roles = ", ".join(check.roles) or "no role"
        console.print(Text.assemble((check.name, "bold"), f"  {check.model} at {check.endpoint}  ({roles})"))
        for ability in check.abilities:
            mark = ("✓ ", "green") if ability.ok else ("✗ ", "red")
            console.print(Text.assemble("  ", mark, f"{ability.name:<18}", (ability.seen, "dim")))
            if ability.fix and (ability is check.abilities[0] or ability.fix != check.abilities[0].fix):
                console.print(Text(f"{'':22}fix: {ability.fix}", style="yellow"))
        if check.lacking and check.roles:
            console.print(Text(f"  cannot play {roles}: it lacks {', '.join(check.lacking)}", style="red"))


def print_batches(console: Console, batches: Sequence[BatchRow]) -> None:
    """Print one line per batch, and the number of batches in each state."""
    for batch in batches:
        began = datetime.fromtimestamp(batch.began, UTC).strftime("%Y-%m-%d %H:%M UTC")
        done = f"{batch.answered:>6} of {batch.questions:<6} answered" if batch.state == "ended" else (
            f"{batch.questions:>6} questions      "
        )  # fmt: skip
        line = f"{batch.id:>5}  {batch.state:<9}  {done}  {began}  {batch.name}  {batch.remote or 'no id so far'}"
        console.print(Text(line))
    states = Counter(batch.state for batch in batches)
    console.print(", ".join(f"{count} {state}" for state, count in states.items()) or "Nothing was asked in batches.")


def print_estimate(console: Console, found: Estimate) -> None:
    """Print the cost of an accepted record by role, and the cost of the run."""
    table = Table(title=f"Per accepted record, from {found.sample} dialogues, at a yield of {_yield(found.at_yield)}")
    for name in ("role", "models", "calls", "prompt tokens", "of it repeated", "answer tokens", "dollars"):
        table.add_column(name, justify="left" if name in ("role", "models") else "right")
    for item in found.roles:
        table.add_row(
            item.role, Text(", ".join(item.models)), f"{item.calls:.1f}", f"{item.prompt_tokens:,.0f}",
            f"{item.repeated:.0%}", f"{item.completion_tokens:,.0f}", _dollars(item.dollars, 4),
        )  # fmt: skip
    table.add_row("all", "", f"{found.calls:.1f}", "", "", "", _dollars(found.dollars, 4))
    console.print(table)
    console.print(f"{found.tokens:,.0f} tokens in all; {found.records:,} records: {_dollars(found.run_dollars, 2)}.")
    if found.uncounted:
        console.print(f"Not counted: {', '.join(found.uncounted)}; how often it is asked shows only in the run.")
    if not found.roles:
        return
    if found.dollars is None:
        console.print("The price of a model is unknown: give a file of `prices` in the configuration.")
    else:
        console.print("Without what a provider's cache may save, and without answers that are thrown away or repaired.")


def _yield(at: Yield) -> str:
    """Return a yield with its source, as text."""
    if at.source == "measured":
        return f"{at.share:.0%}, measured on {at.dialogues:,} dialogues (95 % interval {at.low:.0%} to {at.high:.0%})"
    return f"{at.share:.0%}" if at.source == "given" else f"{at.share:.0%}, which is assumed: nothing was measured yet"


def _dollars(amount: float | None, digits: int) -> str:
    return "unknown" if amount is None else f"${amount:,.{digits}f}"


def print_calibration(console: Console, found: Calibration) -> None:
    """Print how well each reviewer, and the committee, agree with the labels, and the weights of votes that follow."""
    console.print(f"{found.dialogues} dialogues of {found.gold}", markup=False)
    for figures in (*found.reviewers, found.committee):
        console.print(Text.assemble((figures.reviewer, "bold"), f"  {_outcome(figures)}"))
        if figures.always:
            told = "accepts" if figures.always == "yes" else "rejects"
            console.print(Text(f"  {told} every dialogue: its vote tells nothing", style="yellow"))
        for kind in figures.kinds:
            shares = f"precision {_percent(kind.precision)}  recall {_percent(kind.recall)}"
            line = (
                f"  {kind.kind:<26}{kind.labelled:>4} labelled{kind.named:>4} named  {shares}  {_kappa(kind.agreement)}"
            )
            console.print(Text(line, style="dim"))
    weights = ", ".join(f"{name} {weight:.2f}" for name, weight in found.votes.weights.items())
    console.print(f"votes count from now on: {weights or 'all the same'}", markup=False)
    for fault, share in found.votes.thresholds.items():
        console.print(f"{fault}: {share:.0%} of the votes reject", markup=False)
    if found.dollars:
        console.print(f"cost: {found.dollars:.2f} dollars", markup=False)


def _outcome(figures: ReviewerFigures) -> str:
    """Return what a reviewer got right, in one line."""
    parts = [
        f"sound rejected {figures.sound_rejected} of {figures.sound_judged}",
        f"faulty found {figures.faulty_found} of {figures.faulty_judged}",
        f"turn right {figures.turn_right}, kind right {figures.kind_right} of {figures.faulty_found}",
        _kappa(figures.agreement),
        f"{figures.tokens} tokens a dialogue",
    ]
    return "; ".join([*parts, f"{figures.undecided} undecided"] if figures.undecided else parts)


def _kappa(agreement: Agreement) -> str:
    return f"kappa {agreement.kappa:.2f} [{agreement.low:.2f}, {agreement.high:.2f}]"


def _percent(share: float | None) -> str:
    return "   -" if share is None else f"{share:>4.0%}"
