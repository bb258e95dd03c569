"""An index -> what is counted in it of a whole run, for its pictures."""

import sqlite3

from interplay.outputs.report.pictures import STRETCHES, VALUES, Distributions


def distributions_of(index: sqlite3.Connection) -> Distributions:
    """Return what the index knows of a run for its pictures."""
    values: dict[str, dict[float, int]] = {name: {} for name in VALUES}
    for row in index.execute("SELECT figure, value, times FROM drawn ORDER BY figure, value"):
        values[row["figure"]][row["value"]] = row["times"]
    met = {(row["pattern"], row["tool"]): row["times"] for row in index.execute("SELECT * FROM met")}
    said = [row["text"] for row in index.execute("SELECT text FROM heard ORDER BY rowid")]
    return Distributions(values, met, said, _spent(index))


def _spent(index: sqlite3.Connection) -> list[tuple[int, float, int]]:
    """Return first index, tokens of models and accepted records of each stretch of the run."""
    rows = index.execute(
        f"""
        SELECT min(first) AS first, sum(tokens) AS tokens, sum(accepted) AS accepted FROM (
            SELECT coalesce(lag(last) OVER (ORDER BY number) + 1, 0) AS first, tokens, accepted,
                   number * {STRETCHES} / (1 + max(number) OVER ()) AS stretch FROM shards
        ) GROUP BY stretch ORDER BY stretch
        """
    ).fetchall()
    return [tuple(row) for row in rows]
