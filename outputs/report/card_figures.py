"""A run in the store -> the figures that only the dataset card shows: pictures, languages, lengths, and what stands in one message."""

from collections.abc import Sequence
from typing import Any

from interplay.outputs.report.pictures import distributions, pictures
from interplay.outputs.report.word_variety import variety
from interplay.outputs.store.dataset_store import DatasetStore

_ACCEPTED = "FROM records WHERE run = $run AND status = 'accepted'"


def card_figures(store: DatasetStore, run: str, tokens: Sequence[int]) -> dict[str, Any]:
    """Return the figures of the accepted records of a run; `tokens` are those of the rows, where they were counted.

    `together` counts dialogues with a message that has words beside calls, or several calls.
    """
    found = distributions(store, run)
    return {
        "languages": _counted(store, run, "language"),
        "pictures": {f"{name}.svg": drawn for name, drawn in pictures(found, framed=True).items()},
        "variety": variety(found.said),
        "tokens": _lengths(tokens),
        "together": store.query(
            "SELECT count(*) FILTER (words_beside_calls) AS words_beside_calls, "
            f"count(*) FILTER (parallel_calls) AS parallel_calls {_ACCEPTED}",
            {"run": run},
        )[0],
    }


def _counted(store: DatasetStore, run: str, column: str) -> dict[str, int]:
    rows = store.query(
        f"SELECT {column} AS value, count(*) AS n {_ACCEPTED} AND {column} IS NOT NULL GROUP BY value ORDER BY value",
        {"run": run},
    )
    return {str(row["value"]): row["n"] for row in rows}


def _lengths(tokens: Sequence[int]) -> dict[str, Any]:
    if not tokens:
        return {}
    ordered = sorted(tokens)
    return {
        "median": ordered[len(ordered) // 2],
        "most_have": ordered[int((len(ordered) - 1) * 0.95)],
        "most": ordered[-1],
    }
