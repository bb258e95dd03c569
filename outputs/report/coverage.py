"""A run in the store -> what its accepted tasks cover, what they leave out by name, and how diverse they are."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from random import Random
from typing import Any, NamedTuple

from interplay.outputs.store.dataset_store import DatasetStore
from interplay.outputs.store.task_coverage import WAYS
from interplay.schemas.records.fault import FAULTS
from interplay.schemas.records.recipe import PATTERNS
from interplay.schemas.records.tool import SEARCH_TOOL, Tool, Toolset
from interplay.schemas.records.tool_graph import Edge

SEQUENCES = 1000
"""Maximum number of tool sequences compared with each other."""

HOLES = 100
"""Maximum number of uncovered names listed."""


class Coverable(NamedTuple):
    """Something that tasks can cover: its title, short name, kind in the table `covered`, and name in the viewer."""

    title: str
    short: str
    stored: str
    chosen: str


TO_COVER = {
    "tools": Coverable("Tools that are called", "tools", "", "tool"),
    "edges": Coverable("Edges of the graph: result to argument", "links between tools", "edge", "edge"),
    "rules": Coverable("Rules that govern a call", "policy rules", "rule", "rules"),
    "temptations": Coverable(
        "Rules that users want broken", "rules that a user wants broken", "temptation", "temptation"
    ),
    "branches": Coverable("Branches of rules that users want broken", "branches of rules", "branch", "branch"),
    "patterns": Coverable("Patterns of tasks", "patterns", "", "pattern"),
    "behaviours": Coverable("Ways in which tasks are hard", "behaviours", "behaviour", "way"),
    "faults": Coverable("Faults of tools", "faults", "fault", "faults"),
}
"""Kind -> how it is called; tools and patterns are not in the table `covered` but have tables of their own."""
_ACCEPTED = "FROM records WHERE run = $run AND status = 'accepted'"


def coverage(store: DatasetStore, run: str) -> dict[str, Any]:
    """Return what the accepted tasks of a run cover.

    `unique_tool_sequences` counts distinct sequences of calls; `mean_edit_distance` is their mean weighted edit distance (see
    `distance`), over a bounded deterministic sample. Each kind of `TO_COVER` has the number `covered`, the `total`, and the
    names of the `holes`; edges count only if they worked when run and carry new information, branches only those of rules
    written as conditions. `difficulty` counts tasks by score, in tenths; `pass_rate` is the share of attempts that pass, by
    difficulty, over the tasks that were attempted several times, whether accepted or not.
    """
    toolsets = _toolsets(store, run)
    wanted = [to_cover(toolset, _edges(store, key)) for key, toolset in toolsets.items()]
    writes = {tool.name for toolset in toolsets.values() for tool in toolset.tools if tool.effect == "write"}
    covered = uses(store, run)
    return {
        **_sequences(store, run, writes),
        **{
            kind: held_against([name for one in wanted for name in one[kind]], covered[kind].keys())
            for kind in TO_COVER
        },
        "difficulty": _histogram(store, run),
        "pass_rate": _pass_rates(store, run),
    }


def uses(store: DatasetStore, run: str) -> dict[str, dict[str, int]]:
    """Return kind -> name -> number of accepted records with it, most frequent first."""
    found = {
        kind: _uses(store, run, f"SELECT name, record_id FROM covered WHERE kind = '{one.stored}'")
        for kind, one in TO_COVER.items()
        if one.stored
    }
    found["tools"] = _uses(store, run, "SELECT tool AS name, record_id FROM calls")
    found["patterns"] = _uses(store, run, f"SELECT pattern AS name, id AS record_id {_ACCEPTED}")
    return found


def to_cover(toolset: Toolset, edges: Iterable[Edge]) -> dict[str, Sequence[str]]:
    """Return kind -> names of everything that tasks with a toolset can cover.

    Edges count if they worked when run, unless they only return a value that was passed in, or identify the user.
    """
    tools, rules = toolset.by_name, toolset.rules
    telling = [edge for edge in edges if edge.verified and _tells(edge, tools, toolset.user_resource)]
    guided = any(tool.requestor == "user" for tool in toolset.tools)
    return {
        "tools": [name for name, tool in tools.items() if tool.requestor == "assistant" and name != SEARCH_TOOL],
        "edges": sorted({f"{edge.producer} > {edge.consumer}" for edge in telling}),
        "rules": [rule.id for rule in rules],
        "temptations": [rule.id for rule in rules if rule.kind not in ("confirm_before", "identify_first")],
        "branches": [f"{rule.id}: {branch}" for rule in rules for branch in rule.branches],
        "patterns": [name for name in PATTERNS if name != "guided" or guided],
        "behaviours": WAYS,
        "faults": FAULTS,
    }


def _tells(edge: Edge, tools: Mapping[str, Tool], user: str | None) -> bool:
    given = tools[edge.producer].required if edge.producer in tools else ()
    return _field(edge.output) not in given and not (user and _field(edge.input).startswith(user))


def _field(pointer: str) -> str:
    return pointer.replace("/*", "").rpartition("/")[2]


def held_against(wanted: Iterable[str], found: Set[str]) -> dict[str, Any]:
    """Return how many of the `wanted` names were found, how many there are, and the first missing ones."""
    names = list(dict.fromkeys(wanted))
    holes = [name for name in names if name not in found]
    return {"covered": len(names) - len(holes), "total": len(names), "holes": holes[:HOLES]}


def _sequences(store: DatasetStore, run: str, writes: set[str]) -> dict[str, Any]:
    counted = store.query(f"SELECT count(DISTINCT sequence) AS n {_ACCEPTED} AND sequence <> ''", {"run": run})
    # md5 rather than random(): the same run always gives the same sample
    drawn = store.query(
        f"SELECT DISTINCT sequence {_ACCEPTED} AND sequence <> '' ORDER BY md5(sequence), sequence LIMIT {SEQUENCES}",
        {"run": run},
    )
    found = [row["sequence"].split(" ") for row in drawn]
    return {"unique_tool_sequences": counted[0]["n"], "mean_edit_distance": mean_distance(found, writes)}


def _toolsets(store: DatasetStore, run: str) -> dict[str, Toolset]:
    """Return digest -> toolset for the toolsets of a run."""
    rows = store.query(
        "SELECT digest, record FROM toolsets "
        f"WHERE digest IN (SELECT toolset FROM runs WHERE id = $run UNION SELECT toolset {_ACCEPTED}) ORDER BY digest",
        {"run": run},
    )
    return {row["digest"]: Toolset.model_validate_json(row["record"]) for row in rows}


def _edges(store: DatasetStore, toolset: str) -> list[Edge]:
    asked = "SELECT producer, output, consumer, input, score, verified FROM edges WHERE toolset = ?"
    return [Edge(**row) for row in store.query(asked, [toolset])]


def _uses(store: DatasetStore, run: str, names: str) -> dict[str, int]:
    rows = store.query(
        f"SELECT name, count(DISTINCT record_id) AS times FROM ({names}) "
        f"WHERE record_id IN (SELECT id {_ACCEPTED}) GROUP BY name ORDER BY times DESC, name",
        {"run": run},
    )
    return {row["name"]: row["times"] for row in rows}


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


LOOKED_UP, DONE = 0.5, 1.0
"""Cost of adding or leaving out a call that reads, and one that writes."""

RELATED = 0.5
"""Share of the heavier call's cost for exchanging calls of two tools whose names share a word."""

PAIRS = 2000
"""Maximum number of pairs that the mean is taken over."""


def distance(first: Sequence[str], second: Sequence[str], writes: Collection[str] = ()) -> float:
    """Return the weighted edit distance between two tool sequences: minimum cost of leaving out, adding and exchanging calls."""
    above = [0.0]
    for tool in second:
        above.append(above[-1] + _weight(tool, writes))
    for tool in first:
        row = [above[0] + _weight(tool, writes)]
        for place, other in enumerate(second):
            left_out, added = above[place + 1] + _weight(tool, writes), row[place] + _weight(other, writes)
            row.append(min(left_out, added, above[place] + _exchange(tool, other, writes)))
        above = row
    return above[-1]


def mean_distance(sequences: Sequence[Sequence[str]], writes: Collection[str] = ()) -> float:
    """Return the mean distance over all pairs of sequences, or over a random sample of `PAIRS` pairs with a fixed seed."""
    count = len(sequences)
    if count * (count - 1) // 2 <= PAIRS:
        pairs = [(one, two) for one in range(count) for two in range(one)]
    else:
        rng = Random(0)
        pairs = [(one, two) for one, two in (rng.sample(range(count), 2) for _ in range(PAIRS))]
    total = sum(distance(sequences[one], sequences[two], writes) for one, two in pairs)
    return round(total / len(pairs), 3) if pairs else 0.0


def _weight(tool: str, writes: Collection[str]) -> float:
    return DONE if tool in writes else LOOKED_UP


def _exchange(tool: str, other: str, writes: Collection[str]) -> float:
    if tool == other:
        return 0.0
    heavier = max(_weight(tool, writes), _weight(other, writes))
    return heavier * (RELATED if _words(tool) & _words(other) else 1.0)


def _words(tool: str) -> set[str]:
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+", tool)}
