"""Search parameters in a web address -> the matching records, a page at a time.

    ?words=refund+fee&status=rejected&issue=wrong_state&turns_from=6&sort=-difficulty&page=2

Unknown names find nothing and unknown columns raise an error; no part of the address is used as SQL.
"""

import math
import re
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlencode

from interplay.outputs.viewer.record_rows import CHOICES, NUMBERS, TEXTS
from interplay.schemas.errors import StoreError

PAGE = 50
"""Records per page."""
COUNTED = 10_000
"""Matching records are counted up to this number."""
FEW = 20_000
"""Maximum number of records with a name that are sorted directly, instead of being found while reading in the sort order."""
LONGEST_ADDRESS = 4_000

FOUND_BY = (*CHOICES, "stage", "issue", "tool", "edge", "temptation", "branch", "way", "termination", "act", "reached")
"""Kinds of names to filter records by."""
SORTS = ("index", *NUMBERS)
"""Columns to sort records by."""


@dataclass(frozen=True)
class Search:
    """A search: words, names by kind (all must match), ranges of numbers, a sort order, and a page number from 1."""

    words: str = ""
    within: tuple[tuple[str, str], ...] = ()
    names: tuple[tuple[str, str], ...] = ()
    ranges: tuple[tuple[str, float | None, float | None], ...] = ()
    task: str = ""
    sort: str = "index"
    falling: bool = False
    page: int = 1

    @classmethod
    def of(cls, parameters: Iterable[tuple[str, str]]) -> "Search":
        """Parse the parameters of an address.

        Raises:
            StoreError: it names an unknown column, or is too long.
        """
        given = [(key, value.strip()) for key, value in parameters if value.strip()]
        if sum(len(key) + len(value) for key, value in given) > LONGEST_ADDRESS:
            raise StoreError("The address is too long. Ask for less at once.")
        last = dict(given)
        sort = last.get("sort", "index")
        if sort.removeprefix("-") not in SORTS:
            raise StoreError(f"sort={sort}: there is no such column. Sort by one of: {', '.join(SORTS)}.")
        ends = {key: _number(key, value) for key, value in given if key.endswith(("_from", "_to"))}
        unknown = {key for key in ends if key.rpartition("_")[0] not in SORTS}
        unknown |= {key for key, _ in given if key not in (*FOUND_BY, *TEXTS, "words", "task", "sort", "page", *ends)}
        if unknown:
            raise StoreError(f"{min(unknown)}: there is no such column.")
        return cls(
            words=last.get("words", ""),
            within=tuple((key, value) for key, value in given if key in TEXTS),
            names=tuple(dict.fromkeys((key, value) for key, value in given if key in FOUND_BY)),
            ranges=tuple(
                (name, ends.get(f"{name}_from"), ends.get(f"{name}_to"))
                for name in SORTS
                if f"{name}_from" in ends or f"{name}_to" in ends
            ),
            task=last.get("task", ""),
            sort=sort.removeprefix("-"),
            falling=sort.startswith("-"),
            page=max(1, min(10**9, int(_number("page", last.get("page", "1"))))),
        )

    def parameters(self) -> list[tuple[str, str]]:
        """Return the address parameters of this search; the inverse of `of`."""
        ends = [
            (f"{name}_{end}", f"{value:g}")
            for name, low, high in self.ranges
            for end, value in (("from", low), ("to", high))
            if value is not None
        ]
        order = f"{'-' if self.falling else ''}{self.sort}"
        return [
            *([("words", self.words)] if self.words else []),
            *self.within,
            *self.names,
            *ends,
            *([("task", self.task)] if self.task else []),
            *([("sort", order)] if order != "index" else []),
            *([("page", str(self.page))] if self.page > 1 else []),
        ]

    def address(self, **changes: Any) -> str:
        """Return the query string of this search with some changes, from the first page on."""
        return urlencode(replace(self, **{"page": 1, **changes}).parameters())

    def without(self, kind: str, name: str) -> str:
        """Return the query string of this search without one name."""
        return self.address(names=tuple(item for item in self.names if item != (kind, name)))


def _number(key: str, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise StoreError(f"{key}={text[:40]}: is no number.")
    return number


@dataclass(frozen=True)
class Found:
    """A page of matching records: rows of the index, their total `count`, and whether there are `more` than counted."""

    rows: Sequence[sqlite3.Row]
    count: int
    more: bool = field(default=False)

    @property
    def told(self) -> str:
        """Return the total in words."""
        return f"more than {self.count:,}" if self.more else f"{self.count:,}"


def find(index: sqlite3.Connection, search: Search) -> Found:
    """Return the page of records that a search asks for.

    Raises:
        sqlite3.Error: the index is broken.
    """
    known = _known(index, search.names)
    if known is None:
        return Found((), 0)
    match = _match(search)
    plain = search.sort == "index"
    sorted_here = plain or bool(match) or (bool(known) and known[0][1] <= FEW)
    tables, first, values = _driven_by(match, known if sorted_here else [])
    conditions = [*first]
    for number, _ in known[1:] if tables.startswith("facets") else known:
        conditions.append(
            "EXISTS (SELECT 1 FROM facets AS other WHERE other.name = ? AND other.record = records.number)"
        )
        values.append(number)
    more, ends = _numbers(search)
    conditions, values = [*conditions, *more], [*values, *ends]
    chosen = f"FROM {tables}{' WHERE ' if conditions else ''}{' AND '.join(conditions)}"
    direction = "DESC" if search.falling else "ASC"
    if plain:  # the record number has another name in each table; each is read in that order
        place = {"words": "words.rowid", "facets": "facets.record"}.get(tables.split()[0], "records.number")
        order = f"{place} {direction}"
    else:
        absent = f"records.{search.sort} IS NULL, " if sorted_here else ""
        order = f"{absent}records.{search.sort} {direction}, records.number {direction}"
    asked = f"SELECT records.number {chosen} ORDER BY {order} LIMIT {PAGE} OFFSET {(search.page - 1) * PAGE}"
    numbers = [row[0] for row in index.execute(asked, values)]
    return Found(_rows(index, numbers), *_count(index, search, chosen, values))


def _driven_by(match: str, known: Sequence[tuple[int, int]]) -> tuple[str, list[str], list[Any]]:
    """Return the tables to read, the most selective first, with its conditions and their values."""
    if match:
        return "words CROSS JOIN records ON records.number = words.rowid", ["words MATCH ?"], [match]
    if known:
        return "facets CROSS JOIN records ON records.number = facets.record", ["facets.name = ?"], [known[0][0]]
    return "records", [], []


def _numbers(search: Search) -> tuple[list[str], list[Any]]:
    """Return SQL conditions on the columns of a record, with their values."""
    conditions: list[str] = ["records.task = ?"] if search.task else []
    values: list[Any] = [search.task] if search.task else []
    for name, low, high in search.ranges:
        column = "idx" if name == "index" else name
        for sign, value in ((">=", low), ("<=", high)):
            if value is not None:
                conditions.append(f"records.{column} {sign} ?")
                values.append(value)
    return conditions, values


def _rows(index: sqlite3.Connection, numbers: Sequence[int]) -> list[sqlite3.Row]:
    marks = ",".join("?" * len(numbers))
    found = index.execute(f"SELECT * FROM records JOIN shown USING (number) WHERE number IN ({marks})", list(numbers))
    by_number = {row["number"]: row for row in found}
    return [by_number[number] for number in numbers]


def _count(index: sqlite3.Connection, search: Search, tables: str, values: Sequence[Any]) -> tuple[int, bool]:
    plain = not (search.words or search.within or search.ranges or search.task)
    if plain and not search.names:
        return int(index.execute("SELECT coalesce(max(number) + 1, 0) FROM records").fetchone()[0]), False
    if plain and len(search.names) == 1:
        told = index.execute("SELECT accepted + rejected FROM names WHERE kind = ? AND name = ?", search.names[0])
        return int(told.fetchone()[0]), False
    count = index.execute(f"SELECT count(*) FROM (SELECT 1 {tables} LIMIT {COUNTED + 1})", values).fetchone()[0]
    return min(int(count), COUNTED), count > COUNTED


def _known(index: sqlite3.Connection, names: Iterable[tuple[str, str]]) -> list[tuple[int, int]] | None:
    """Return (id, count) of each name, rarest first; None if one of them does not exist."""
    found = []
    for kind, name in names:
        row = index.execute(
            "SELECT id, accepted + rejected FROM names WHERE kind = ? AND name = ?", (kind, name)
        ).fetchone()
        if row is None:
            return None
        found.append((row[0], row[1]))
    return sorted(found, key=lambda item: item[1])


def _match(search: Search) -> str:
    """Return the full-text query: all words must occur, and each text in its column; punctuation is ignored."""
    parts = [f"said : {_words(search.words)}"] if _words(search.words) else []
    parts += [f"{column} : {_words(text)}" for column, text in search.within if _words(text)]
    return " AND ".join(f"({part})" for part in parts)


def _words(text: str) -> str:
    """Return words as an FTS5 query in brackets; quoted phrases stay together."""
    pieces = [phrase or word for phrase, word in re.findall(r'"([^"]*)"|(\S+)', text)]
    quoted = ['"' + piece.replace('"', "") + '"' for piece in pieces if any(sign.isalnum() for sign in piece)]
    return f"({' AND '.join(quoted)})" if quoted else ""


def first_ids(index: sqlite3.Connection, status: str, limit: int) -> list[str]:
    """Return the ids of the first records with a status and a dialogue, sorted by id."""
    known = _known(index, [("status", status)])
    if not known:
        return []
    number, count = known[0]
    if count <= FEW:
        chosen = "FROM facets CROSS JOIN records ON records.number = facets.record WHERE facets.name = ?"
    else:  # frequent status: reading along the ids finds enough soon
        chosen = (
            "FROM records INDEXED BY by_id "
            "WHERE EXISTS (SELECT 1 FROM facets WHERE name = ? AND facets.record = records.number)"
        )
    rows = index.execute(f"SELECT id {chosen} AND calls IS NOT NULL ORDER BY id LIMIT ?", (number, limit))
    return [row["id"] for row in rows]


def tallies(index: sqlite3.Connection, kind: str, limit: int = 1000) -> list[sqlite3.Row]:
    """Return the names of a kind with their numbers of accepted and rejected records, most frequent first."""
    return index.execute(
        "SELECT name, accepted, rejected FROM names WHERE kind = ? ORDER BY accepted + rejected DESC, name LIMIT ?",
        (kind, limit),
    ).fetchall()
