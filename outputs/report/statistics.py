"""A run in the store -> the figures that the report and the dataset card show; DuckDB does the counting."""

from dataclasses import dataclass
from typing import Any

from interplay.outputs.report.intervals import wilson
from interplay.outputs.store.dataset_store import DatasetStore

REVIEW = "review"
"""The name of the check of dialogues by reviewers."""
LISTED = 40
"""Maximum number of reviewers' objections listed."""

_ACCEPTED = "record_id NOT IN (SELECT id FROM others)"
_OF_RUN = "record_id NOT IN (SELECT id FROM others WHERE NOT of_run)"

# Built-in tools such as the search tool: they are offered, but do not count in the coverage.
_BUILT_IN = """
    SELECT json_extract_string(tool, '$.name') AS name
    FROM (SELECT unnest(json_extract(record, '$.tools[*]')) AS tool FROM toolsets)
    WHERE json_extract_string(tool, '$.source.file') = 'interplay'
"""


@dataclass(frozen=True)
class _Run:
    """A run in the store; in queries, `$run` is its id."""

    store: DatasetStore
    id: str

    def rows(self, sql: str) -> list[dict[str, Any]]:
        named = {"run": self.id} if "$run" in sql else {}  # DuckDB refuses parameters that a query does not use
        return self.store.query(sql, named)

    def row(self, sql: str) -> dict[str, Any]:
        return self.rows(sql)[0]

    def counts(self, names: str) -> dict[str, int]:
        """Count the rows of the query `names` by their column `name`, most frequent first."""
        rows = self.rows(
            f"SELECT name::VARCHAR AS name, count(*) AS times FROM ({names}) WHERE name IS NOT NULL "
            "GROUP BY ALL ORDER BY times DESC, name"
        )
        return {row["name"]: row["times"] for row in rows}

    def of_accepted(self, column: str) -> dict[str, int]:
        return self.counts(f"SELECT {column} AS name FROM records WHERE run = $run AND status = 'accepted'")


def statistics(store: DatasetStore, run: str) -> dict[str, Any]:
    """Return the figures of a run, keyed by name; they are counts unless said otherwise.

    A record is one attempt at the task of an index. `tasks_attempted` counts the tasks that were played, `tasks_solved` those
    with an accepted attempt. `*_mean` are means per accepted record. `acts`, `patterns` and figures of utterances cover accepted
    records only; values and numbers in utterances are masked before comparison.

    `rejected_by_fault` counts what went wrong first; `unclear` counts the rejected dialogues for which that is unknown.
    `rejected_by_issue` counts a record under each code that rejects it, and `rejected_examples` names one record per code.
    `unconfirmed_calls` counts calls of accepted dialogues for which it is unknown whether the user agreed.
    `tools_total` leaves out built-in tools, and `changing_tools` counts the dialogues in which tools come or go.
    `result_characters_*` measure results as dialogues show them. `safety_triples` counts safety scenarios with all three twins
    accepted, `safety_triples_begun` those with at least one.
    `yield_by_check` holds how many blueprints or trajectories each check judged and passed, counting each revision;
    `yield_by_round` how many blueprints passed all checks after so many revisions. `yield_without_feedback` and
    `yield_with_feedback` are the shares of tasks whose blueprint passed at once, and in the end.
    `reviewed` counts accepted records that reviewers judged, `masked` those of them with faulty turns; `objections` lists what
    reviewers held against dialogues: index, fault, message and quote, reason, item.
    `worlds` tells how many made-up worlds accepted dialogues use, the most dialogues that share one, their locales, and how many
    dialogues take place in the single world of tools that have no made-up ones.
    `funnel` holds the steps from recipes to accepted records, with what each step lost and why. `sense` holds the mean sense of
    accepted tasks, the draws dropped for too little sense, and the indices given up. `solving` holds the share of attempts that
    pass, over the tasks attempted several times, with its 95 % interval, and counts tasks by that share.
    """
    own = _Run(store, run)
    with store.others(run):
        covered, accepted = _covered(own), store.count_accepted(run)
        return {
            **_outcomes(own),
            "funnel": funnel(store, run),
            "sense": _sense(own),
            "solving": _solving(own),
            **_yields(own),
            **_reviews(own),
            **_sizes(own),
            **_coverage(own),
            **_utterances(own, accepted),
            "acts": own.counts(f"SELECT act AS name FROM messages WHERE act <> '' AND {_ACCEPTED}"),
            "faults": covered["fault"],
            "patterns": own.of_accepted("pattern"),
            "safety_twins": own.of_accepted("twin"),
            "safety_scenarios": own.of_accepted("safety"),
            **_triples(own),
            "worlds": _worlds(covered, accepted),
            "splits": own.of_accepted("split"),
            "terminations": own.of_accepted("termination"),
            "goals": own.of_accepted("goals"),
            "models": own.of_accepted("models"),
            "versions": own.of_accepted("version"),
        }


def _covered(run: _Run) -> dict[str, dict[str, int]]:
    rows = run.rows(
        "SELECT kind, name, count(*) AS times FROM covered "
        f"WHERE kind IN ('world', 'locale', 'fault') AND {_ACCEPTED} GROUP BY ALL ORDER BY times DESC, name"
    )
    found: dict[str, dict[str, int]] = {"world": {}, "locale": {}, "fault": {}}
    for row in rows:
        found[row["kind"]][row["name"]] = row["times"]
    return found


def _worlds(covered: dict[str, dict[str, int]], accepted: int) -> dict[str, Any]:
    worlds = covered["world"]
    return {
        "made_up": len(worlds),
        "most_dialogues": max(worlds.values(), default=0),
        "locales": covered["locale"],
        "in_one_world": accepted - sum(worlds.values()),
    }


def _outcomes(run: _Run) -> dict[str, Any]:
    statuses = run.counts("SELECT status AS name FROM records WHERE run = $run")
    rejected = "FROM records WHERE run = $run AND status = 'rejected'"
    return {
        "accepted": statuses.get("accepted", 0),
        "rejected": statuses.get("rejected", 0),
        **run.row("""
            SELECT count(*) AS tasks_attempted, count(*) FILTER (solved) AS tasks_solved,
                   coalesce(sum(unclear), 0)::BIGINT AS unclear
            FROM (SELECT index, bool_or(status = 'accepted') AS solved,
                         count(*) FILTER (status = 'rejected' AND fault = 'unclear') AS unclear
                  FROM records WHERE run = $run AND termination IS NOT NULL GROUP BY index)
            """),
        "rejected_by_stage": run.counts(f"SELECT coalesce(stage, 'unknown') AS name {rejected}"),
        "rejected_by_fault": run.counts(f"SELECT fault AS name {rejected}"),
        "rejected_by_issue": run.counts(
            "SELECT DISTINCT record_id, code AS name FROM issues WHERE severity = 'error' "
            f"AND record_id IN (SELECT id {rejected})",
        ),
        "rejected_examples": run.store.rejected_examples(run.id),
    }


def funnel(store: DatasetStore, run: str) -> list[dict[str, Any]]:
    """Return the steps from recipes to accepted records: how many are `left`, of what (`counted`), and why others were `lost`."""
    rows = store.query("SELECT * FROM funnel WHERE run = $run ORDER BY position, times DESC, reason", {"run": run})
    asked = store.query(
        "SELECT DISTINCT check_name AS name FROM verdicts WHERE check_name IN ('committee', 'review') "
        "AND record_id NOT IN (SELECT id FROM records WHERE run <> $run)",
        {"run": run},
    )
    by_reviewers = {"reviewed": {"name": "committee"}, "judged": {"name": REVIEW}}
    steps: dict[str, dict[str, Any]] = {}
    for row in rows:
        if row["step"] in by_reviewers and by_reviewers[row["step"]] not in asked:
            continue
        step = steps.setdefault(row["step"], {"step": row["step"], "counted": row["counted"], "left": 0, "lost": {}})
        if row["reason"] is None:
            step["left"] = row["times"]
        else:
            step["lost"][row["reason"]] = row["times"]
    return list(steps.values())


def _sense(run: _Run) -> dict[str, Any]:
    """Return the mean sense of accepted tasks, the number of dropped draws, and the number of indices given up."""
    return run.row("""
        SELECT round(avg(sense) FILTER (status = 'accepted'), 3) AS mean,
               coalesce(sum(redrawn) FILTER (attempt = 0), 0)::INTEGER AS redrawn,
               count(*) FILTER (filter_reason = 'compose/little_sense') AS given_up
        FROM records WHERE run = $run
        """)


def _solving(run: _Run) -> dict[str, Any]:
    """Return how hard tasks are to solve, over those attempted several times; empty if there are none."""
    found = run.row("""
        SELECT count(*) AS tasks, coalesce(sum(n), 0)::INTEGER AS attempts,
               coalesce(sum(round(rate * n)), 0)::INTEGER AS passed
        FROM (SELECT index, any_value(pass_rate) AS rate, any_value(json_extract(scores, '$.attempts')::INTEGER) AS n
              FROM records JOIN verdicts ON record_id = id AND check_name = 'solver'
              WHERE run = $run AND pass_rate IS NOT NULL GROUP BY index)
        """)
    if not found["tasks"]:
        return {}
    low, high = wilson(found["passed"], found["attempts"])
    tenths = run.rows("""
        SELECT least(floor(rate * 10), 9)::INTEGER AS bin, count(*) AS times
        FROM (SELECT any_value(pass_rate) AS rate FROM records WHERE run = $run AND pass_rate IS NOT NULL GROUP BY index)
        GROUP BY bin ORDER BY bin
        """)
    return {
        **found,
        "pass_rate": round(found["passed"] / found["attempts"], 4),
        "low": low,
        "high": high,
        **{f"tasks at {row['bin'] / 10:.1f}-{(row['bin'] + 1) / 10:.1f}": row["times"] for row in tenths},
    }


def _yields(run: _Run) -> dict[str, Any]:
    checks = run.rows(
        "SELECT check_name, count(*) AS judged, count(*) FILTER (passed) AS passed FROM rounds "
        f"WHERE {_OF_RUN} AND blueprint IS NOT NULL GROUP BY check_name ORDER BY min(position), check_name"
    )
    rounds = run.rows(
        "SELECT round, count(*) AS judged, "
        "count(*) FILTER (round = revisions AND turns IS NOT NULL) AS passed FROM rounds "
        "JOIN records ON records.id = record_id WHERE run = $run AND rounds.blueprint IS NOT NULL AND position = 0 "
        "GROUP BY round ORDER BY round",
    )
    tasks = rounds[0]["judged"] if rounds else 0
    return {
        "yield_by_check": {row["check_name"]: _share(row) for row in checks},
        "yield_by_round": {str(row["round"]): _share(row) for row in rounds},
        "yield_without_feedback": round(rounds[0]["passed"] / tasks, 4) if tasks else 0.0,
        "yield_with_feedback": round(sum(row["passed"] for row in rounds) / tasks, 4) if tasks else 0.0,
    }


def _reviews(run: _Run) -> dict[str, Any]:
    """Count the accepted dialogues that reviewers judged, and list their objections with quotes."""
    counted = run.row(f"""
        SELECT (SELECT count(DISTINCT record_id) FROM verdicts
                WHERE check_name = '{REVIEW}' AND {_ACCEPTED}) AS reviewed,
               (SELECT count(DISTINCT record_id) FROM issues
                WHERE check_name = '{REVIEW}' AND pointer <> '' AND {_ACCEPTED}) AS masked
        """)
    listed = run.rows(
        "SELECT index, code, message FROM issues JOIN records ON records.id = record_id "
        f"WHERE run = $run AND check_name = '{REVIEW}' AND code <> 'abstained' "
        f"ORDER BY index, attempt, pointer, code LIMIT {LISTED}",
    )
    return {**counted, "objections": {f"{row['index']} {row['code']} {row['message']}": 1 for row in listed}}


def _share(row: dict[str, Any]) -> dict[str, Any]:
    return {"judged": row["judged"], "passed": row["passed"], "share": round(row["passed"] / row["judged"], 4)}


def _sizes(run: _Run) -> dict[str, Any]:
    tasks = run.row("""
        SELECT coalesce(avg(turns), 0) AS turns_mean, coalesce(avg(calls), 0) AS calls_mean,
               coalesce(avg(goals), 0) AS goals_mean, count(DISTINCT signature) AS distinct_tasks
        FROM records WHERE run = $run AND status = 'accepted'
        """)
    calls = run.row(f"""
        SELECT coalesce((SELECT sum(cost) FROM verdicts JOIN records ON record_id = id WHERE run = $run AND cost <> 0), 0.0)
                   AS review_cost_dollars,
               (SELECT count(*) FROM calls WHERE failed AND {_ACCEPTED}) AS failed_calls,
               (SELECT count(*) FROM issues WHERE code = 'unconfirmed' AND {_ACCEPTED}) AS unconfirmed_calls,
               (SELECT count(DISTINCT record_id) FROM messages
                WHERE offered IS NOT NULL AND {_ACCEPTED}) AS changing_tools
        """)
    results = run.row(f"""
        SELECT coalesce(median(characters), 0)::BIGINT AS result_characters_median,
               coalesce(max(characters), 0)::BIGINT AS result_characters_most
        FROM messages WHERE role = 'tool' AND {_ACCEPTED}
        """)
    return {**tasks, **calls, **results}


def _coverage(run: _Run) -> dict[str, Any]:
    return run.row(f"""
        WITH offered AS (
            SELECT DISTINCT name FROM tools
            WHERE toolset IN (SELECT toolset FROM runs WHERE id = $run UNION SELECT toolset FROM records WHERE run = $run)
              AND name NOT IN (SELECT name FROM ({_BUILT_IN}))
        )
        SELECT (SELECT count(*) FROM offered) AS tools_total,
               (SELECT count(DISTINCT tool) FROM calls
                WHERE tool IN (FROM offered) AND {_ACCEPTED}) AS tools_covered
        """)


def _utterances(run: _Run, dialogues: int) -> dict[str, Any]:
    """Count utterance patterns by 64-bit hash: for a million dialogues, the texts would not fit in memory."""
    figures = run.row(f"""
        WITH said AS (
            SELECT hash(masked) AS pattern, count(*) AS times FROM messages
            WHERE role = 'user' AND masked IS NOT NULL AND {_ACCEPTED} GROUP BY pattern
        )
        SELECT count(*) AS distinct_user_utterances, coalesce(sum(times), 0)::BIGINT AS user_utterances,
               coalesce(max(times) / sum(times), 0.0) AS most_common_user_utterance_share,
               first(pattern ORDER BY times DESC, pattern) AS pattern
        FROM said
        """)
    pattern = figures.pop("pattern")
    found = run.store.query("SELECT masked FROM messages WHERE hash(masked) = $pattern LIMIT 1", {"pattern": pattern})
    return {
        **figures,
        "most_common_user_utterance": found[0]["masked"] if found else "",
        "distinct_user_utterances_per_1000_dialogues": (
            1000 * figures["distinct_user_utterances"] / dialogues if dialogues else 0.0
        ),
    }


def _triples(run: _Run) -> dict[str, Any]:
    return run.row("""
        WITH triples AS (
            SELECT pair, count(DISTINCT twin) AS twins FROM records
            WHERE run = $run AND status = 'accepted' AND twin IS NOT NULL GROUP BY pair
        )
        SELECT count(*) FILTER (twins = 3) AS safety_triples, count(*) AS safety_triples_begun FROM triples
        """)
