"""Records and their positions in shard files -> an SQLite database to search and page through.

It is derived from the shards and may be deleted at any time. Each record has a row of numbers to sort by, names to filter by (its
status, tools, rejecting issues, and the values of an export's text columns), and its words for full-text search:

    records  number=17 shard=0 row=17 id="5d41..." idx=12 turns=6 tokens=812 ...
    names    id=3 kind="tool" name="find_patient" accepted=311 rejected=40
    facets   name=3 record=17
    drawn    figure="turns" value=6 times=51            (of accepted records, for pictures)
    words    rowid=17 said="May I have your name, please? ..." gold_actions="..."
"""

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from interplay.outputs.report.pictures import STRETCHES, VALUES, Distributions
from interplay.outputs.viewer.record_rows import NUMBERS, TEXTS, RecordRow
from interplay.schemas.errors import StoreError
from interplay.schemas.words.hidden_characters import visible

FORMAT = 3
"""The version of the tables below; an index with another one is rebuilt."""
LONGEST_NAME = 300
"""Maximum length of a name, in characters."""
CACHE_KILOBYTES = 16_000

_TABLES = f"""
PRAGMA user_version = {FORMAT};
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT);
CREATE TABLE shards (number INTEGER PRIMARY KEY, size INTEGER, changed INTEGER, accepted INTEGER, tried INTEGER,
    until INTEGER, last INTEGER, tokens REAL);
CREATE TABLE drawn (figure TEXT, value REAL, times INTEGER, PRIMARY KEY (figure, value)) WITHOUT ROWID;
CREATE TABLE met (pattern TEXT, tool TEXT, times INTEGER, PRIMARY KEY (pattern, tool)) WITHOUT ROWID;
CREATE TABLE heard (text TEXT);
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

Row = tuple[Any, ...]
_HEAD = ("id", "index", "task")
"""The values before the figures in `RecordRow.numbers`."""
_WORDS = f"words (rowid, said, {', '.join(TEXTS)})"


@dataclass(frozen=True)
class IndexedShard:
    """A shard in the index: its file's size and modification time, and its counts."""

    number: int
    size: int
    changed: int
    accepted: int
    tried: int
    until: int
    last: int


def open_index(path: Path) -> sqlite3.Connection:
    """Open an index for writing; a broken or outdated one is deleted and created again.

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
    """Delete an index and the files that SQLite keeps beside it."""
    for found in path.parent.glob(f"{path.name}*"):
        found.unlink(missing_ok=True)


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """Open an index for reading, possibly while another process writes it.

    Raises:
        StoreError: it does not exist yet, or is broken.
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
    """Adds shards to an index, each in one transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Load the known names and the next record number from the index."""
        self._connection = connection
        self._names = {(row["kind"], row["name"]): row["id"] for row in connection.execute("SELECT * FROM names")}
        self._known: dict[tuple[str, str], int] = {}  # the same, keyed by names before escaping and shortening
        self._next = connection.execute("SELECT coalesce(max(number), -1) + 1 FROM records").fetchone()[0]

    def add_shard(self, shard: IndexedShard, stories: Mapping[int, str], rows: Sequence[RecordRow]) -> None:
        """Add the records of a shard that count, in order, and its `stories` (index -> digest)."""
        before = len(self._names)
        facets, counted = self._facets(rows)
        begin, self._next = self._next, self._next + len(rows)
        numbered = list(enumerate(rows, start=begin))
        filled: dict[str, list[Row]] = {
            "records": [(number, shard.number, number - begin, *row.numbers) for number, row in numbered],
            "shown": [(number, *row.shown) for number, row in numbered],
            "facets": sorted((known, begin + place) for known, place in facets),  # rows of one name are adjacent
            _WORDS: [(number, *row.words) for number, row in numbered],
            "names": [(number, *name, 0, 0) for name, number in list(self._names.items())[before:]],
            "stories": [(story, at) for at, story in stories.items()],
            "heard": [(text,) for row in _first_of_each(rows) for text in row.said],
            "shards": [(*vars(shard).values(), sum(row.tokens for row in rows))],
        }
        with self._connection as connection:
            for table, held in filled.items():
                if held:
                    connection.executemany(f"INSERT INTO {table} VALUES ({','.join('?' * len(held[0]))})", held)
            for status in ("accepted", "rejected"):
                connection.executemany(
                    f"UPDATE names SET {status} = {status} + ? WHERE id = ?",
                    [(times, number) for (number, found), times in counted.items() if found == status],
                )
            for table, sums in (("sums", _sums(rows)), ("drawn", _drawn(rows)), ("met", _met(rows))):
                for key, value in sums.items():
                    _add(connection, table, key, value)

    def _facets(self, rows: Sequence[RecordRow]) -> tuple[list[tuple[int, int]], Counter[tuple[int, str]]]:
        """Return (name id, row position) for the names of each row, and a count of each (name id, status)."""
        facets: list[tuple[int, int]] = []
        counted: Counter[tuple[int, str]] = Counter()
        for place, row in enumerate(rows):
            for known in {self._numbered(name) for name in row.names}:
                facets.append((known, place))
                counted[known, row.status] += 1
        return facets, counted

    def _numbered(self, name: tuple[str, str]) -> int:
        """Return the id of a name; a new name gets the next id."""
        known = self._known.get(name)
        if known is None:
            kind, text = name
            shown = kind, visible(text)[:LONGEST_NAME]
            known = self._known[name] = self._names.setdefault(shown, len(self._names))
        return known


def _add(connection: sqlite3.Connection, table: str, key: tuple[Any, ...], value: float) -> None:
    """Add `value` to the last column of the table row with the given key, which is inserted if missing."""
    column = "value" if table == "sums" else "times"
    marks = ",".join("?" * (len(key) + 1))
    connection.execute(
        f"INSERT INTO {table} VALUES ({marks}) ON CONFLICT DO UPDATE SET {column} = {column} + excluded.{column}",
        (*key, value),
    )


def _sums(rows: Iterable[RecordRow]) -> Counter[tuple[str]]:
    found: Counter[tuple[str]] = Counter()
    for row in rows:
        found.update({(name,): value for name, value in row.sums.items()})
    return found


def _first_of_each(rows: Sequence[RecordRow]) -> list[RecordRow]:
    """Return for each index the first row in which the user says something, since attempts may repeat each other."""
    first: dict[int, RecordRow] = {}
    for row in rows:
        if row.said:
            first.setdefault(row.numbers[_HEAD.index("index")], row)
    return list(first.values())


def _drawn(rows: Iterable[RecordRow]) -> Counter[tuple[str, float]]:
    """Count the values of figures in accepted records, rounded to three significant digits."""
    places = {name: len(_HEAD) + NUMBERS.index(name) for name in VALUES}
    found: Counter[tuple[str, float]] = Counter()
    for row in rows:
        for name, place in places.items():
            value = row.numbers[place]
            counts = row.status == "accepted" if name != "pass_rate" else row.attempt == 0  # pass_rate is per task
            if value is not None and counts:
                found[name, float(f"{value:.3g}")] += 1
    return found


def _met(rows: Iterable[RecordRow]) -> Counter[tuple[str, str]]:
    """Count the accepted records by (pattern, tool called)."""
    return Counter(
        (row.pattern, name) for row in rows if row.status == "accepted" for kind, name in row.names if kind == "tool"
    )


def distributions_of(index: sqlite3.Connection) -> Distributions:
    """Return the data of a run's pictures from its index."""
    values: dict[str, dict[float, int]] = {name: {} for name in VALUES}
    for row in index.execute("SELECT figure, value, times FROM drawn ORDER BY figure, value"):
        values[row["figure"]][row["value"]] = row["times"]
    met = {(row["pattern"], row["tool"]): row["times"] for row in index.execute("SELECT * FROM met")}
    said = [row["text"] for row in index.execute("SELECT text FROM heard ORDER BY rowid")]
    return Distributions(values, met, said, _spent(index))


def _spent(index: sqlite3.Connection) -> list[tuple[int, float, int]]:
    """Return (first index, tokens of models, accepted records) for each stretch of the run."""
    rows = index.execute(
        f"""
        SELECT min(first) AS first, sum(tokens) AS tokens, sum(accepted) AS accepted FROM (
            SELECT coalesce(lag(last) OVER (ORDER BY number) + 1, 0) AS first, tokens, accepted,
                   number * {STRETCHES} / (1 + max(number) OVER ()) AS stretch FROM shards
        ) GROUP BY stretch ORDER BY stretch
        """
    ).fetchall()
    return [tuple(row) for row in rows]
