"""Figures of a run -> its pictures: distributions, tools called by pattern, word variety of the users, and what an accepted
record costs as the run goes on.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from interplay.outputs.report.drawings import Bin, bars, binned, histogram, line, shades
from interplay.outputs.report.word_variety import variety
from interplay.outputs.store.dataset_store import DatasetStore

VALUES = {
    "turns": "Turns of a dialogue",
    "calls": "Calls of a dialogue",
    "tokens": "Tokens (characters / 4)",
    "difficulty": "Difficulty of tasks, from 0 to 1",
    "pass_rate": "Share of attempts that pass, by task",
}
"""Figures whose distribution is drawn -> their titles."""
STRETCHES = 20
"""Number of stretches of a run for which the cost of an accepted record is computed."""
HEARD = 500
"""Number of indices, from the first on, whose accepted record is analysed for its wording."""

CLOCK = (("hours", 3600.0), ("minutes", 60.0), ("seconds", 1.0))
"""Units for the time axis of a run with their seconds; the first unit of which it lasts two or more is used."""

Link = Callable[[str, Bin], str]
"""(name of a figure, one of its bins) -> the address of the records in that bin."""
Meeting = Callable[[str, str], str]
"""(pattern, tool) -> the address of the records with both."""


@dataclass(frozen=True)
class CostCourse:
    """The cost of models per record accepted so far, in `unit`, as points (seconds since the first answer, cost)."""

    unit: str
    points: Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Distributions:
    """The data of the pictures: figure -> value -> number of accepted records; (pattern, tool) -> number of dialogues; what
    users `said`; and, for each stretch of the run, (first index, tokens of models, accepted records)."""

    values: Mapping[str, Mapping[float, int]]
    met: Mapping[tuple[str, str], int]
    said: Sequence[str]
    spent: Sequence[tuple[int, float, int]] = ()
    notes: Mapping[str, str] = field(default_factory=dict)
    """Figure -> a remark for its title on how it was counted."""
    course: CostCourse | None = None
    """The cost over time, if it is known."""


def pictures(
    found: Distributions, link: Link | None = None, meet: Meeting | None = None, framed: bool = False
) -> dict[str, str]:
    """Return name -> SVG text of every picture that has data.

    The names are the keys of `VALUES`, `patterns` (tools by pattern), `wording` (compared with recorded dialogues) and `cost`.
    `framed` pictures are documents by themselves, others are fragments of a page.
    """
    drawn = {}
    for name, title in VALUES.items():
        if counts := found.values.get(name):
            bins = [replace(bin, link=link(name, bin)) if link and bin.count else bin for bin in binned(counts)]
            drawn[name] = histogram(title + found.notes.get(name, ""), bins, framed)
    if found.met:
        drawn["patterns"] = shades(
            "Tools that dialogues of each pattern call",
            found.met,
            links={pair: meet(*pair) for pair in found.met} if meet else None,
            framed=framed,
        )
    if beside := variety(found.said):
        title = "Sequences of three words of users that are distinct"
        drawn["wording"] = bars(title, list(beside.items()), framed)
    if found.course is not None:
        drawn["cost"] = _over_time(found.course, framed)
    elif points := _cost(found.spent):
        drawn["cost"] = line("Tokens of models for each accepted record", points, "tokens", "index", framed)
    return drawn


def _over_time(course: CostCourse, framed: bool) -> str:
    last = course.points[-1][0]
    name, seconds = next(((name, each) for name, each in CLOCK if last >= 2 * each), CLOCK[-1])
    points = [(at / seconds, value) for at, value in course.points]
    title = f"{course.unit.capitalize()} of models for each record accepted so far"
    return line(title, points, course.unit, f"{name} since the first answer", framed)


def _cost(spent: Sequence[tuple[int, float, int]]) -> list[tuple[float, float]]:
    """Return (index, tokens per accepted record); the tokens of a stretch without one are added to the next with one."""
    points, waiting = [], 0.0
    for first, tokens, accepted in spent:
        waiting += tokens
        if accepted:
            points.append((float(first), round(waiting / accepted, 1)))
            waiting = 0.0
    return points if any(tokens for _, tokens in points) else []


def distributions(store: DatasetStore, run: str) -> Distributions:
    """Query the data of a run's pictures from the store; tokens are those of all messages, calls and results."""
    figures = {"turns": "turns", "calls": "calls", "difficulty": "difficulty", "tokens": "ceil(characters / 4)"}
    accepted = "FROM records WHERE run = $run AND status = 'accepted'"
    values = {name: _counted(store, run, f"SELECT {value} AS value {accepted}") for name, value in figures.items()}
    values["pass_rate"] = _counted(
        store, run, "SELECT any_value(pass_rate) AS value FROM records WHERE run = $run GROUP BY index"
    )
    met = store.query(
        "SELECT pattern, tool, count(DISTINCT record_id) AS times FROM calls JOIN records ON id = record_id "
        "WHERE run = $run AND status = 'accepted' GROUP BY pattern, tool ORDER BY pattern, tool",
        {"run": run},
    )
    said = store.query(
        f"""
        SELECT content FROM messages JOIN records ON id = record_id
        WHERE role = 'user' AND id IN (
            SELECT arg_min(id, attempt) FROM records WHERE run = $run AND status = 'accepted'
            GROUP BY index ORDER BY index LIMIT {HEARD})
        ORDER BY index, position
        """,
        {"run": run},
    )
    return Distributions(
        values,
        {(row["pattern"], row["tool"]): row["times"] for row in met},
        [row["content"] for row in said],
        _spent(store, run),
        {"tokens": ", without prompts and tools"},
    )


def _counted(store: DatasetStore, run: str, values: str) -> dict[float, int]:
    rows = store.query(
        f"SELECT value::DOUBLE AS value, count(*) AS times FROM ({values}) WHERE value IS NOT NULL GROUP BY ALL ORDER BY value",
        {"run": run},
    )
    return {row["value"]: row["times"] for row in rows}


def _spent(store: DatasetStore, run: str) -> list[tuple[int, float, int]]:
    """Return (first index, tokens, accepted records) for each stretch of a run; empty if no model played or reviewed."""
    asked = """
        FROM records WHERE run = $run AND (
            len(list_filter(json_extract_string(models, '$.*'), lambda name: name <> 'rules')) > 0
            OR id IN (SELECT record_id FROM reviews))
    """
    if not store.query(f"SELECT 1 {asked} LIMIT 1", {"run": run}):
        return []
    total = "coalesce(list_sum(json_extract(record, '{}')::BIGINT[]), 0)"
    paths = [f"{where}.{name}" for where in ("$.trajectory.usage.*", "$.verdicts[*].reviews[*].usage") for name in ("prompt", "completion")]  # fmt: skip
    rows = store.query(
        f"""
        WITH held AS (
            SELECT index, status, index * {STRETCHES} // (1 + max(index) OVER ()) AS stretch,
                   {" + ".join(total.format(path) for path in paths)} AS tokens {asked}
        )
        SELECT min(index) AS first, sum(tokens)::DOUBLE AS tokens, count(*) FILTER (status = 'accepted') AS accepted
        FROM held GROUP BY stretch ORDER BY stretch
        """,
        {"run": run},
    )
    return [(row["first"], row["tokens"], row["accepted"]) for row in rows]
