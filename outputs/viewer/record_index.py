"""Records, with the places at which they lie in shard files -> an SQLite database in which people search and page.

It is derived and may be deleted at any time. Each record has a row of numbers to sort by, names to choose by (its status, its
tools, the issues that reject it, each value of an export's column of words), and the words that are said in it:

    records  number=17 shard=0 row=17 id="5d41..." idx=12 turns=6 tokens=812 ...
    names    id=3 kind="tool" name="find_patient" accepted=311 rejected=40
    facets   name=3 record=17
    words    rowid=17 said="May I have your name, please? ..." gold_actions="..."
"""

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from interplay.outputs.exporters.columns import COLUMNS, Columns
from interplay.outputs.store.splits import split_of, split_of_family
from interplay.outputs.store.task_coverage import covered_by
from interplay.schemas.errors import StoreError
from interplay.schemas.records.dialogue import Usage
from interplay.schemas.records.tool import Toolset
from interplay.schemas.records.verdict import DatasetRecord
from interplay.schemas.words.hidden_characters import visible

FORMAT = 1
"""Of the tables below; an index of another format is made anew."""
LONGEST_TEXT = 20_000
"""Characters of each text of a record that are searched."""
OPENING = 120
"""Characters of the first words of the user that a list shows."""
CACHE_KILOBYTES = 16_000

NUMBERS = tuple(name for name, kind in COLUMNS.items() if kind in ("int", "float") and name != "index")
"""The columns of an export that are numbers, but for the index."""
TEXTS = ("gold_actions", "state_difference", "difficulty_parts", "scores")
"""The columns of an export that are JSON, and searched in words."""
CHOICES = tuple(name for name in COLUMNS if name not in (*NUMBERS, *TEXTS, "index", "task"))
"""The columns of an export that are chosen by their values."""

_TABLES = f"""
PRAGMA user_version = {FORMAT};
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT);
CREATE TABLE shards (number INTEGER PRIMARY KEY, size INTEGER, changed INTEGER, accepted INTEGER, tried INTEGER,
    until INTEGER, last INTEGER);
CREATE TABLE stories (story TEXT, idx INTEGER);
CREATE INDEX by_story ON stories (story);
CREATE TABLE records (number INTEGER PRIMARY KEY, shard INTEGER, row INTEGER, id TEXT, idx INTEGER, task TEXT,
    {", ".join(f"{name} NUMERIC" for name in NUMBERS)});
CREATE TABLE shown (number INTEGER PRIMARY KEY, status TEXT, stage TEXT, reason TEXT, fault TEXT, pattern TEXT, opening TEXT,
    late TEXT);
CREATE INDEX by_id ON records (id);
CREATE INDEX by_index ON records (idx, attempt);
CREATE INDEX by_task ON records (task);
{"".join(f"CREATE INDEX by_{name} ON records ({name});" for name in NUMBERS if name != "attempt")}
CREATE TABLE names (id INTEGER PRIMARY KEY, kind TEXT, name TEXT, accepted INTEGER, rejected INTEGER, UNIQUE (kind, name));
CREATE TABLE facets (name INTEGER, record INTEGER, PRIMARY KEY (name, record)) WITHOUT ROWID;
CREATE TABLE sums (name TEXT PRIMARY KEY, value REAL);
CREATE VIRTUAL TABLE words USING fts5(said, {", ".join(TEXTS)}, content='');
"""


@dataclass(frozen=True)
class PlacedRecord:
    """A record, and where it lies: the number of its shard, and of its row there; `late` is a verdict that came later."""

    shard: int
    row: int
    record: DatasetRecord
    late: str | None = None


@dataclass(frozen=True)
class IndexedShard:
    """What is known of a shard that the index holds: its file's size and time of change, and what was counted in it."""

    number: int
    size: int
    changed: int
    accepted: int
    tried: int
    until: int
    last: int


def open_index(path: Path) -> sqlite3.Connection:
    """Open an index to be written; one that is broken, or of another format, is deleted and begun anew.

    Raises:
        StoreError: the file cannot be written.
    """
    try:
        with suppress(sqlite3.DatabaseError):
            connection = _connect(path)
            if connection.execute("PRAGMA user_version").fetchone()[0] == FORMAT:
                return connection
            connection.close()
        delete_index(path)
        connection = _connect(path)
        connection.executescript(_TABLES)
    except (sqlite3.Error, OSError) as error:
        raise StoreError(f"{path}: the index cannot be written ({error}). Use --read-only.") from error
    return connection


def delete_index(path: Path) -> None:
    """Delete an index, and what SQLite keeps beside it."""
    for found in path.parent.glob(f"{path.name}*"):
        found.unlink(missing_ok=True)


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """Open an index to be read, while another process may write it.

    Raises:
        StoreError: it is not there yet, or broken.
    """
    if not path.exists():
        raise StoreError(f"{path}: the index is being made. Wait a moment.")
    try:
        with closing(sqlite3.connect(f"file:{_quoted(path)}?mode=ro", uri=True)) as connection:
            connection.row_factory = sqlite3.Row
            connection.execute(f"PRAGMA cache_size = -{CACHE_KILOBYTES}")
            if connection.execute("PRAGMA user_version").fetchone()[0] != FORMAT:
                raise StoreError(f"{path}: the index is being made. Wait a moment.")
            yield connection
    except sqlite3.DatabaseError as error:
        raise StoreError(f"{path}: the index cannot be read ({error}). Delete the file: it is made anew.") from error


def _connect(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path, timeout=30)
    connection.row_factory = sqlite3.Row
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute(f"PRAGMA cache_size = -{4 * CACHE_KILOBYTES}")
    return connection


def _quoted(path: Path) -> str:
    return str(path.absolute()).replace("%", "%25").replace("?", "%3f").replace("#", "%23")


class IndexWriter:
    """Adds shards to an index, each in one transaction; `toolset` is that of the run."""

    def __init__(self, connection: sqlite3.Connection, toolset: Toolset) -> None:
        """Begin with what the index knows."""
        self._connection = connection
        self._columns = Columns(toolset)
        self._tools = {tool.name: tool for tool in toolset.tools}
        self._names = {(row["kind"], row["name"]): row["id"] for row in connection.execute("SELECT * FROM names")}
        self._next = connection.execute("SELECT coalesce(max(number), -1) + 1 FROM records").fetchone()[0]

    def add_shard(self, shard: IndexedShard, records: Iterable[PlacedRecord]) -> None:
        """Add the records of a shard that count, in their order."""
        filled: dict[str, list[tuple[Any, ...]]] = {
            "records": [], "shown": [], "facets": [], "words": [], "stories": [],
        }  # fmt: skip
        counted: Counter[tuple[int, str]] = Counter()
        sums: dict[str, float] = {}
        told: set[int] = set()
        for placed in records:
            self._add(placed, filled, counted, sums)
            record = placed.record
            if record.status == "accepted" and record.blueprint and record.index not in told:
                told.add(record.index)
                filled["stories"].append((record.blueprint.story(), record.index))
        with self._connection as connection:
            for table, rows in filled.items():
                if rows:
                    where = "words (rowid, said, " + ", ".join(TEXTS) + ")" if table == "words" else table
                    connection.executemany(f"INSERT INTO {where} VALUES ({','.join('?' * len(rows[0]))})", rows)
            connection.executemany(
                "INSERT OR IGNORE INTO names VALUES (?, ?, ?, 0, 0)",
                [(number, kind, name) for (kind, name), number in self._names.items() if (number, "new") in counted],
            )
            for status in ("accepted", "rejected"):
                connection.executemany(
                    f"UPDATE names SET {status} = {status} + ? WHERE id = ?",
                    [(times, number) for (number, found), times in counted.items() if found == status],
                )
            connection.executemany(
                "INSERT INTO sums VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = value + excluded.value",
                sums.items(),
            )
            connection.execute("INSERT INTO shards VALUES (?, ?, ?, ?, ?, ?, ?)", tuple(vars(shard).values()))

    def _add(
        self,
        placed: PlacedRecord,
        filled: dict[str, list[tuple[Any, ...]]],
        counted: Counter[tuple[int, str]],
        sums: dict[str, float],
    ) -> None:
        record, number = placed.record, self._next
        self._next += 1
        columns = self._columns_of(record)
        filled["records"].append(
            (number, placed.shard, placed.row, record.id, record.index, columns["task"], *map(columns.get, NUMBERS))
        )
        opening = visible(_opening(record))[:OPENING]
        filled["shown"].append(
            (number, record.status, record.stage, record.filter_reason, columns["fault"], columns["pattern"], opening,
             placed.late)
        )  # fmt: skip
        filled["words"].append((number, _said(record), *(columns[name][:LONGEST_TEXT] for name in TEXTS)))
        for kind, name in sorted(names_of(record, columns)):
            known = self._names.get((kind, name))
            if known is None:
                known = self._names[kind, name] = len(self._names)
                counted[known, "new"] += 1
            filled["facets"].append((known, number))
            counted[known, record.status] += 1
        for name, value in _sums(record).items():
            sums[name] = sums.get(name, 0.0) + value

    def _columns_of(self, record: DatasetRecord) -> dict[str, Any]:
        """Return the columns that an export of the record would have; of one without a dialogue, those of its task."""
        blueprint = record.blueprint
        split = split_of(blueprint) if blueprint else split_of_family(record.id)
        if record.trajectory is not None:
            offered = tuple(self._tools[name] for name in record.trajectory.all_tools() if name in self._tools)
            return self._columns.of(record, split, self._columns.tokens(record, offered))
        known = {
            "run": record.run, "attempt": record.attempt, "split": split, "status": record.status,
            "fault": record.failure.fault if record.failure else "",
            "pattern": blueprint.pattern if blueprint else "", "task": blueprint.signature() if blueprint else "",
            "language": blueprint.recipe.language if blueprint else "", "reviewed": record.reviewed,
            "rules": list(blueprint.rules) if blueprint else [],
            "difficulty": blueprint.difficulty.score if blueprint and blueprint.difficulty else None,
            "sense": blueprint.sense.score if blueprint and blueprint.sense else None,
        }  # fmt: skip
        empty: dict[str, Any] = {"text": "", "texts": [], "flag": False, "int": None, "float": None}
        return {name: known.get(name, empty[kind]) for name, kind in COLUMNS.items()}


def names_of(record: DatasetRecord, columns: dict[str, Any]) -> set[tuple[str, str]]:
    """Return kind and name of all by which a record is chosen."""
    found = {("stage", record.stage)} if record.stage else set()
    for kind in CHOICES:
        value = columns[kind]
        values = value if isinstance(value, list) else ["yes" if value else "no"] if kind == "reviewed" else [value]
        found.update((kind, str(item)) for item in values if item != "")
    found.update(
        ("issue", issue.code)
        for verdict in record.verdicts
        for issue in verdict.issues
        if issue.severity == "error" and record.status == "rejected"
    )
    if record.trajectory is not None:
        found.update(("tool", call.name) for call in record.trajectory.calls())
        found.add(("termination", record.trajectory.termination))
        found.update(("act", message.act) for message in record.trajectory.messages if message.act)
    if record.blueprint is not None:
        covered = covered_by(record.blueprint, record.trajectory)
        found.update((kind, name) for kind, name in covered if kind in ("edge", "temptation", "branch"))
        found.update(
            ("way", name) for kind, name in covered_by(record.blueprint, record.trajectory) if kind == "behaviour"
        )
    step = "dialogue" if record.trajectory else "task" if record.blueprint else "draw"
    found.add(("reached", step))
    return {(kind, visible(name)[:300]) for kind, name in found}


def _opening(record: DatasetRecord) -> str:
    messages = (
        record.trajectory.messages[record.blueprint.begins if record.blueprint else 0 :] if record.trajectory else ()
    )
    first = next((message.content for message in messages if message.role == "user" and message.content), "")
    return " ".join(first[: 4 * OPENING].split())


def _said(record: DatasetRecord) -> str:
    """Return what is said in a dialogue, what is called in it, and what is held against it."""
    found = [issue.message for verdict in record.verdicts for issue in verdict.issues]
    for message in record.trajectory.messages if record.trajectory else ():
        if message.role != "tool":
            found.append(message.content)
        found += (f"{call.name} {_values(call.arguments)}" for call in message.tool_calls)
    return "\n".join(found)[:LONGEST_TEXT]


def _values(arguments: dict[str, Any]) -> str:
    return " ".join(str(value) for value in arguments.values())


def _sums(record: DatasetRecord) -> dict[str, float]:
    """Return what a record adds to the tokens by role, and to the dollars that checks cost."""
    usage = dict(record.trajectory.usage) if record.trajectory else {}
    reviews = [review.usage for verdict in record.verdicts for review in verdict.reviews]
    for one in reviews:
        usage["reviewer"] = usage.get("reviewer", Usage()).plus(one)
    found: dict[str, float] = {f"tokens {role}": used.total for role, used in usage.items() if used.total}
    dollars = sum(verdict.cost for verdict in record.verdicts)
    return {**found, **({"dollars reviewers": dollars} if dollars else {})}
