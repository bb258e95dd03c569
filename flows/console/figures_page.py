"""The figures of a run -> a page in the terminal: sentences, then counts with bars, for lines of 80 columns."""

from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import Console
from rich.text import Text

from interplay.flows.console.hanging_text import Hanging
from interplay.flows.console.progress_display import examples_line
from interplay.outputs.report.coverage import TO_COVER

BAR, NAME = 24, 34
"""Columns of the widest bar, and of a name beside it."""
LISTED = 12
"""Counts listed per table; the others are added up."""
EIGHTHS = " ▏▎▍▌▋▊▉"
COUNTED = {
    "rejected_by_stage": "Rejected, by stage",
    "rejected_by_issue": "Rejected, by issue (a dialogue may have several)",
    "rejected_by_fault": "What went wrong first in rejected dialogues",
    "patterns": "Accepted, by pattern of the task",
    "goals": "Accepted, by number of goals",
    "acts": "What is done in accepted dialogues",
    "faults": "Faults met in accepted dialogues",
    "safety_scenarios": "Safety scenarios",
    "safety_twins": "Twins of safety scenarios",
    "splits": "Splits",
    "terminations": "How accepted dialogues end",
    "models": "Who speaks in accepted dialogues",
    "versions": "Made by interplay",
}
"""The counts of `statistics` that are drawn with bars, with their titles."""


def print_figures(console: Console, figures: Mapping[str, Any]) -> None:
    """Print the figures of a run, as `statistics` returns them."""
    for heading, sentences in _told(figures).items():
        _sentence(console, heading, sentences)
    print_funnel(console, figures["funnel"])
    _print_checks(console, figures)
    for key, title in COUNTED.items():
        print_counts(console, title, figures[key])
        if key == "rejected_by_issue" and figures[key]:
            shown = examples_line(figures["rejected_examples"], figures[key])
            console.print(Hanging(Text("  "), Text(shown, style="dim")))
    print_counts(console, "Where the people of made-up worlds come from", figures["worlds"]["locales"])
    solving = figures["solving"]
    tenths = {name.removeprefix("tasks at "): times for name, times in solving.items() if name.startswith("tasks at ")}
    print_counts(console, "Tasks, by the share of attempts that pass", tenths, len(tenths))
    if figures["objections"]:
        console.print(Text("\nWhat reviewers held against dialogues", style="bold"))
        for objection in figures["objections"]:
            console.print(Hanging(Text("  ✗ ", style="red"), Text(objection)))


def print_coverage(console: Console, found: Mapping[str, Any]) -> None:
    """Print what accepted tasks cover, as `coverage` returns it: bars, then the missing items by name."""
    sequences = f"{found['unique_tool_sequences']:,} different orders of calls, "
    _sentence(console, "Tasks", [f"{sequences}{_number(found['mean_edit_distance'])} edits apart on average"])
    console.print(Text("\nWhat accepted tasks cover", style="bold"))
    for key, one in TO_COVER.items():
        held = found[key]
        if held["total"]:
            share = f"{held['covered']} of {held['total']}"
            console.print(_row(one.short, share, held["covered"] / held["total"]))
    for key, one in TO_COVER.items():
        if held := found[key]["holes"]:
            missing = found[key]["total"] - found[key]["covered"]
            more = f", and {missing - len(held)} more" if missing > len(held) else ""
            console.print(Text(f"\nMissing {one.short}", style="bold"))
            console.print(Hanging(Text("  "), Text(", ".join(held) + more)))
    print_counts(console, "Tasks, by difficulty", found["difficulty"], len(found["difficulty"]))
    print_counts(console, "Dialogues that pass, by task", found["pass_rate"], len(found["pass_rate"]))


def print_counts(console: Console, title: str, counts: Mapping[str, Any], listed: int = LISTED) -> None:
    """Print counts by name, one line with a bar each; nothing if there are none."""
    if not counts:
        return
    console.print(Text(f"\n{title}", style="bold"))
    shares = any(isinstance(count, Mapping) for count in counts.values())
    most = 1 if shares else max(map(_size, counts.values())) or 1
    shown = [*counts.items()][:listed]
    for name, count in shown:
        told = f"{count['passed']:,} of {count['judged']:,}" if isinstance(count, Mapping) else _number(count)
        console.print(_row(str(name), told, _size(count) / most))
    if len(counts) > len(shown):
        others = [*counts.values()][listed:]
        console.print(Text(f"  and {len(others)} more, together {_number(sum(map(_size, others)))}", style="dim"))


def print_funnel(console: Console, steps: Iterable[Mapping[str, Any]]) -> None:
    """Print how many are left after each step from recipes to accepted records, and how many were lost for which reason."""
    steps = list(steps)
    if not steps:
        return
    console.print(Text("\nFrom recipes to accepted dialogues", style="bold"))
    most = max(step["left"] for step in steps) or 1
    for step in steps:
        for reason, count in step["lost"].items():
            console.print(Hanging(Text(f"    {-count:>8,}  ", style="dim"), Text(reason, style="dim")))
        console.print(_row(f"{step['step']} ({step['counted']})", f"{step['left']:,}", step["left"] / most))


def _told(figures: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the sentences under each heading; those about nothing are left out."""
    accepted, worlds, sense, solving = (
        figures["accepted"],
        figures["worlds"],
        figures["sense"],
        figures["solving"],
    )
    attempted, solved = figures["tasks_attempted"], figures["tasks_solved"]
    told = {
        "Dialogues": [f"{accepted:,} accepted, {figures['rejected']:,} rejected"],
        "Tasks": [
            f"{solved:,} solved of {attempted:,} played",
            f"{figures['distinct_tasks']:,} accepted ones differ",
            *([f"{figures['unclear']:,} rejected for what cannot be told"] if figures["unclear"] else []),
        ],
    }
    if accepted:
        told["On average"] = [f"{figures[f'{what}_mean']:.1f} {what}" for what in ("turns", "calls", "goals")]
        told["Tools"] = [f"{figures['tools_covered']:,} of {figures['tools_total']:,} are called"]
        told["Tools"] += _times(figures["failed_calls"], "call fails", "calls fail")
        told["Tools"] += _times(figures["unconfirmed_calls"], "call is unconfirmed", "calls are unconfirmed")
        told["Tools"] += (
            [f"they change in {figures['changing_tools']:,} dialogues"] if figures["changing_tools"] else []
        )
        told["Results"] = [
            f"{figures['result_characters_median']:,} characters (median), {figures['result_characters_most']:,} at most"
        ]
        told["What users say"] = [
            f"{figures['distinct_user_utterances']:,} wordings in {figures['user_utterances']:,} turns "
            f"({figures['distinct_user_utterances_per_1000_dialogues']:,.0f} in 1,000 dialogues)",
            f"the most common, “{figures['most_common_user_utterance']}”, is "
            f"{figures['most_common_user_utterance_share']:.1%} of them",
        ]
    if worlds["made_up"]:
        told["Worlds"] = [f"{worlds['made_up']:,} made up, with {worlds['most_dialogues']:,} dialogues in one at most"]
    if worlds["in_one_world"]:
        told.setdefault("Worlds", []).append(f"{worlds['in_one_world']:,} dialogues play in the only one")
    if sense["mean"] is not None:
        told["Sense"] = [f"{sense['mean']:.2f} of 1 on average", f"{sense['redrawn']:,} tasks drawn again"]
        told["Sense"] += _times(sense["given_up"], "index without a task", "indices without a task")
    if solving:
        told["Difficulty"] = [
            f"{solving['pass_rate']:.0%} of {solving['attempts']:,} attempts pass "
            f"(95 % interval {solving['low']:.0%} to {solving['high']:.0%})"
        ]
    if figures["safety_triples_begun"]:
        told["Safety"] = [f"{figures['safety_triples']:,} of {figures['safety_triples_begun']:,} triples are whole"]
    if figures["reviewed"]:
        told["Reviewers"] = [
            f"{figures['reviewed']:,} accepted dialogues judged, {figures['masked']:,} of them with faulty turns",
            f"${figures['review_cost_dollars']:.2f} spent on verdicts",
        ]
    return told


def _times(count: int, one: str, several: str) -> list[str]:
    return [f"{count:,} {one if count == 1 else several}"] if count else []


def _sentence(console: Console, heading: str, parts: Iterable[str]) -> None:
    console.print(Hanging(Text(f"{heading:<16}", style="bold"), Text("; ".join(parts))))


def _print_checks(console: Console, figures: Mapping[str, Any]) -> None:
    """Print the checks that rejected something with bars, all others in one line, and how many tasks revisions saved."""
    checks = figures["yield_by_check"]
    strict = {name: told for name, told in checks.items() if told["passed"] < told["judged"]}
    print_counts(console, "What checks let pass", strict, len(strict))
    lenient = [name for name in checks if name not in strict]
    if lenient:
        console.print()
        _sentence(console, "All pass", [", ".join(lenient)])
    rounds = figures["yield_by_round"]
    if len(rounds) > 1:
        print_counts(console, "Tasks that pass, by number of revisions", rounds, len(rounds))
        gained = (
            f"{figures['yield_without_feedback']:.0%} pass at once, {figures['yield_with_feedback']:.0%} in the end"
        )
        console.print(Hanging(Text("  "), Text(gained)))


def _row(name: str, told: str, share: float) -> Hanging:
    """Return a line with a name, its value and a bar; a name that is too long gets a line of its own."""
    bar = Text.assemble((f"{told:>14}  ", ""), (_bar(share), "cyan"))
    if len(name) > NAME:
        return Hanging(Text("  "), Text.assemble(name, "\n", " " * NAME, bar))
    return Hanging(Text(f"  {name:<{NAME}}"), bar)


def _bar(share: float) -> str:
    """Return a bar of up to `BAR` columns; at least an eighth of a column for any share above zero."""
    eighths = max(round(share * BAR * 8), 1 if share > 0 else 0)
    return ("█" * (eighths // 8) + EIGHTHS[eighths % 8]).rstrip()


def _size(count: Any) -> float:
    """Return the size of a bar: the share that passed, or the count itself; 0 if unknown."""
    if isinstance(count, Mapping):
        return float(count["passed"] / count["judged"]) if count["judged"] else 0.0
    return float(count or 0)


def _number(count: Any) -> str:
    if count is None:
        return "-"
    return f"{count:,.2f}" if isinstance(count, float) and not count.is_integer() else f"{count:,.0f}"
