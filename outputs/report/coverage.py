"""A run in the store -> what its accepted tasks cover, what they leave out by name, and how much they differ."""

import json
from collections.abc import Iterable
from typing import Any

from interplay.outputs.report.distances import mean_distance
from interplay.outputs.store.dataset_store import DatasetStore
from interplay.outputs.store.task_coverage import WAYS
from interplay.schemas.records.fault import FAULTS
from interplay.schemas.records.recipe import PATTERNS

SEQUENCES = 1000
"""Tool sequences that distances are taken between at most."""

HOLES = 100
"""Names that are listed of what is not covered."""

_ACCEPTED = "FROM records WHERE run = $run AND status = 'accepted'"


def coverage(store: DatasetStore, run: str) -> dict[str, Any]:
    """Return what the accepted tasks of a run cover.

    `unique_tool_sequences` counts the different orders of calls; `mean_edit_distance` is their mean weighted distance (see
    `distances`), over a bounded sample that is always the same. For tools, edges of the graph that worked when run and tell
    something new, policy rules, rules that a user wants broken, the branches of rules that are written as conditions, patterns,
    behaviours and faults there is the number `covered`, the `total`, and the `holes` by name. `difficulty` counts tasks by their score, in tenths; `pass_rate` tells how many of their dialogues passed, where tasks were
    played several times, whether accepted or not.
    """
    tools = _tools(store, run)
    rules = [rule["id"] for rule in _rules(store, run)]
    tempting = [rule["id"] for rule in _rules(store, run) if rule["kind"] not in ("confirm_before", "identify_first")]
    branches = [f"{rule['id']}: {branch}" for rule in _rules(store, run) for branch in rule.get("branches", ())]
    called = _names(store, run, "SELECT DISTINCT tool AS name FROM calls JOIN accepted ON record_id = id")
    patterns = _names(store, run, "SELECT DISTINCT pattern AS name FROM accepted")
    guided = _names(
        store,
        run,
        "SELECT DISTINCT name FROM tools WHERE requestor = 'user' AND toolset IN (SELECT toolset FROM accepted)",
    )
    return {
        **_sequences(store, run, {name for name, effect in tools.items() if effect == "write"}),
        "tools": _held_against(tools, called),
        "edges": _held_against(_edges(store, run), _covered(store, run, "edge")),
        "rules": _held_against(rules, _covered(store, run, "rule")),
        "temptations": _held_against(tempting, _covered(store, run, "temptation")),
        "branches": _held_against(branches, _covered(store, run, "branch")),
        "patterns": _held_against([name for name in PATTERNS if name != "guided" or guided], patterns),
        "behaviours": _held_against(WAYS, _covered(store, run, "behaviour")),
        "faults": _held_against(FAULTS, _covered(store, run, "fault")),
        "difficulty": _histogram(store, run),
        "pass_rate": _pass_rates(store, run),
    }


def _held_against(wanted: Iterable[str], found: set[str]) -> dict[str, Any]:
    names = list(dict.fromkeys(wanted))
    holes = [name for name in names if name not in found]
    return {"covered": len(names) - len(holes), "total": len(names), "holes": holes[:HOLES]}


def _sequences(store: DatasetStore, run: str, writes: set[str]) -> dict[str, Any]:
    counted = store.query(f"SELECT count(DISTINCT sequence) AS n {_ACCEPTED} AND sequence <> ''", {"run": run})
    # md5 and not chance: the same sample of the same run, wherever it is asked for.
    drawn = store.query(
        f"SELECT DISTINCT sequence {_ACCEPTED} AND sequence <> '' ORDER BY md5(sequence), sequence LIMIT {SEQUENCES}",
        {"run": run},
    )
    found = [row["sequence"].split(" ") for row in drawn]
    return {"unique_tool_sequences": counted[0]["n"], "mean_edit_distance": mean_distance(found, writes)}


def _tools(store: DatasetStore, run: str) -> dict[str, str]:
    rows = store.query(
        f"""
        SELECT DISTINCT position, name, effect FROM tools
        WHERE toolset IN (SELECT toolset FROM runs WHERE id = $run UNION SELECT toolset {_ACCEPTED})
          AND requestor = 'assistant' AND name NOT IN (
              SELECT json_extract_string(tool, '$.name')
              FROM (SELECT unnest(json_extract(record, '$.tools[*]')) AS tool FROM toolsets)
              WHERE json_extract_string(tool, '$.source.file') = 'interplay')
        ORDER BY position, name
        """,
        {"run": run},
    )
    return {row["name"]: row["effect"] for row in rows}


def _edges(store: DatasetStore, run: str) -> list[str]:
    """Return the edges that a task can be made of: not those that only give back what was given, or tell who the user is."""
    rows = store.query(
        f"""
        SELECT DISTINCT producer, consumer FROM edges
        JOIN tools ON tools.toolset = edges.toolset AND tools.name = producer
        WHERE verified AND list_last(string_split(replace(output, '/*', ''), '/'))
              NOT IN (SELECT unnest(json_extract_string(parameters, '$.required[*]')))
          AND NOT starts_with(list_last(string_split(replace(input, '/*', ''), '/')), coalesce(
              (SELECT json_extract_string(record, '$.user_resource') FROM toolsets WHERE digest = edges.toolset), '/'))
          AND edges.toolset IN (SELECT toolset FROM runs WHERE id = $run UNION SELECT toolset {_ACCEPTED})
        ORDER BY producer, consumer
        """,
        {"run": run},
    )
    return [f"{row['producer']} > {row['consumer']}" for row in rows]


def _rules(store: DatasetStore, run: str) -> list[dict[str, Any]]:
    rows = store.query(
        f"""
        SELECT json_extract(record, '$.rules') AS rules FROM toolsets
        WHERE digest IN (SELECT toolset FROM runs WHERE id = $run UNION SELECT toolset {_ACCEPTED}) ORDER BY digest
        """,
        {"run": run},
    )
    return [rule for row in rows for rule in json.loads(row["rules"] or "[]")]


def _covered(store: DatasetStore, run: str, kind: str) -> set[str]:
    return _names(
        store, run, f"SELECT DISTINCT name FROM covered JOIN accepted ON record_id = id WHERE kind = '{kind}'"
    )


def _names(store: DatasetStore, run: str, names: str) -> set[str]:
    rows = store.query(f"WITH accepted AS (SELECT * {_ACCEPTED}) {names}", {"run": run})
    return {row["name"] for row in rows}


def _histogram(store: DatasetStore, run: str) -> dict[str, int]:
    rows = store.query(
        f"SELECT least(floor(difficulty * 10), 9)::INTEGER AS bin, count(*) AS n {_ACCEPTED} "
        "AND difficulty IS NOT NULL GROUP BY bin ORDER BY bin",
        {"run": run},
    )
    return {_tenth(row["bin"]): row["n"] for row in rows}


def _pass_rates(store: DatasetStore, run: str) -> dict[str, float]:
    rows = store.query(
        """
        SELECT least(floor(difficulty * 10), 9)::INTEGER AS bin,
               round(avg(json_extract(scores, '$.pass_rate')::DOUBLE), 3) AS rate
        FROM verdicts JOIN records ON record_id = id
        WHERE run = $run AND check_name = 'solver' AND difficulty IS NOT NULL GROUP BY bin ORDER BY bin
        """,
        {"run": run},
    )
    return {_tenth(row["bin"]): row["rate"] for row in rows}


def _tenth(number: int) -> str:
    return f"{number / 10:.1f}-{(number + 1) / 10:.1f}"
