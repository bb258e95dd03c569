"""Two answers to one call, after two starts of a server -> where they differ only in names and order, and other differences."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from interplay.schemas.json.canonical import canonical_json
from interplay.schemas.json.record import Record

SHORTEST, LONG, NEAR = 5, 8, 2
"""Least length of a random word, and of one with digits only; largest difference of length between two of them."""

SMALL = 9_999
"""Largest integer that counts as a number; a larger one may be a random identity."""

Path = tuple[str, ...]

WORDS = re.compile(r"[A-Za-z0-9_-]+")


class Varying(Record):
    """Where the results of a tool differ between starts: words in texts, numbers, and the order of lists.

    A word is given by the path of its text, its index among the text's words, their number, and its fixed beginning; `*` in
    a path stands for any item.
    """

    words: tuple[tuple[Path, int, int, str], ...] = ()
    numbers: tuple[Path, ...] = ()
    lists: tuple[Path, ...] = ()

    def joined(self, other: "Varying") -> "Varying":
        """Return the union of both."""
        return Varying(
            words=tuple(sorted({*self.words, *other.words})),
            numbers=tuple(sorted({*self.numbers, *other.numbers})),
            lists=tuple(sorted({*self.lists, *other.lists})),
        )


STEADY = Varying()


def compared(recorded: Any, again: Any) -> tuple[Varying, list[str]]:
    """Return where two results of one call differ only in names and order, and a description of each other difference."""
    words: set[tuple[Path, int, int, str]] = set()
    numbers: set[Path] = set()
    lists: set[Path] = set()
    other: list[str] = []
    reordered = _sorted_where_needed(recorded, again, (), lists)
    for path, first, second in differing_leaves(recorded, reordered):
        if isinstance(first, str) and isinstance(second, str):
            one, two = WORDS.findall(first), WORDS.findall(second)
            places = [place for place, (left, right) in enumerate(zip(one, two, strict=False)) if left != right]
            if len(one) == len(two) and places and all(is_random(one[p], two[p]) for p in places):
                words |= {(path, place, len(one), _beginning(one[place], two[place])) for place in places}
                continue
        elif isinstance(first, int) and isinstance(second, int) and min(abs(first), abs(second)) > SMALL:
            numbers.add(path)
            continue
        other.append(
            f"{'/' + '/'.join(path) if path else 'it'}: {canonical_json(first)[:60]}, then {canonical_json(second)[:60]}"
        )
    return Varying(words=tuple(sorted(words)), numbers=tuple(sorted(numbers)), lists=tuple(sorted(lists))), other


def is_random(one: str, two: str) -> bool:
    """Tell whether two words may be random identities: of similar length, with digits, and not short numbers."""
    if min(len(one), len(two)) < SHORTEST or abs(len(one) - len(two)) > NEAR:
        return False
    return all(re.search("[0-9]", word) and (len(word) >= LONG or not word.isdigit()) for word in (one, two))


def _beginning(one: str, two: str) -> str:
    """Return the common beginning of two words, up to the last `_` or `-`."""
    count = next((at for at, (left, right) in enumerate(zip(one, two, strict=False)) if left != right), len(one))
    return one[: max(one.rfind("_", 0, count), one.rfind("-", 0, count)) + 1]


def _sorted_where_needed(recorded: Any, again: Any, path: Path, found: set[Path]) -> Any:
    if isinstance(recorded, Mapping) and isinstance(again, Mapping):
        return {key: _sorted_where_needed(recorded.get(key), held, (*path, key), found) for key, held in again.items()}
    if isinstance(recorded, list) and isinstance(again, list):
        if recorded != again and sorted(map(canonical_json, recorded)) == sorted(map(canonical_json, again)):
            found.add(path)
            return recorded
        return [
            _sorted_where_needed(recorded[place] if place < len(recorded) else None, held, (*path, "*"), found)
            for place, held in enumerate(again)
        ]
    return again


def differing_leaves(one: Any, two: Any, path: Path = ()) -> Iterator[tuple[Path, Any, Any]]:
    """Yield path and both values where two values differ, descending as long as they have the same form."""
    if isinstance(one, Mapping) and isinstance(two, Mapping) and len(one) == len(two):
        for (key, left), (other, right) in zip(one.items(), two.items(), strict=True):
            if key != other:
                yield (*path, "{key}"), key, other
            yield from differing_leaves(left, right, (*path, key if key == other else "*"))
    elif isinstance(one, list) and isinstance(two, list) and len(one) == len(two):
        for left, right in zip(one, two, strict=True):
            yield from differing_leaves(left, right, (*path, "*"))
    elif canonical_json(one) != canonical_json(two):
        yield path, one, two
