"""A parsed regular expression -> a text that it matches, drawn as rstr draws it (https://github.com/leapfrogonline/rstr).

The characters are the same in every process. A class may hold all of Unicode, so its members are not listed, but the drawn
one is counted off. From a large or negated class, only characters of a keyboard are drawn if it holds any.
"""

import string
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any

LARGEST = 1000
"""Maximum number of characters of a class from which all are drawn alike."""

MOST_TIMES = 100
"""Maximum repetitions of an unbounded quantifier."""

_WORD = string.ascii_letters + string.digits + "_"
_CATEGORIES: Mapping[str, Sequence[int]] = {
    name: tuple(map(ord, characters))
    for name, characters in {
        "CATEGORY_DIGIT": string.digits,
        "CATEGORY_NOT_DIGIT": string.ascii_letters + string.punctuation,
        "CATEGORY_SPACE": string.whitespace,
        "CATEGORY_NOT_SPACE": string.printable.strip(),
        "CATEGORY_WORD": _WORD,
        "CATEGORY_NOT_WORD": "".join(item for item in string.printable if item not in _WORD),
    }.items()
}


class PatternWriter:
    """Writes one text; what groups match is kept for back-references."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._groups: dict[int, str] = {}
        self._parts: Mapping[str, Callable[[Any], str]] = {
            "LITERAL": chr,
            "NOT_LITERAL": lambda told: rng.choice(string.printable.replace(chr(told), "")),
            "AT": lambda _: "",
            "IN": self._of_class,
            "ANY": lambda _: rng.choice(string.printable.replace("\n", "")),
            "BRANCH": lambda told: self.text(rng.choice(told[1])),
            "SUBPATTERN": self._of_group,
            "ASSERT": lambda told: self.text(told[1]),
            "ASSERT_NOT": lambda _: "",
            "GROUPREF": lambda told: self._groups[told],
            "MIN_REPEAT": self._repeated,
            "MAX_REPEAT": self._repeated,
        }

    def text(self, parsed: Iterable[tuple[Any, Any]]) -> str:
        """Return a text that the parsed expression matches, apart from negative lookarounds.

        Raises:
            KeyError, IndexError: it holds a part that cannot be written.
        """
        return "".join(self._parts[opcode.name](told) for opcode, told in parsed)

    def _of_group(self, told: Sequence[Any]) -> str:
        text = self.text(told[-1])
        if told[0]:
            self._groups[told[0]] = text
        return text

    def _repeated(self, told: tuple[int, int, Any]) -> str:
        least, most, part = told
        return "".join(self.text(part) for _ in range(self._rng.randint(least, min(most, MOST_TIMES))))

    def _of_class(self, told: Sequence[tuple[Any, Any]]) -> str:
        negated = told[0][0].name == "NEGATE"
        held = tuple(_members(opcode.name, members) for opcode, members in told[negated:])
        count = sum(map(len, held))
        if negated or count > LARGEST:
            typed = _typed(held, not negated)
            if negated or typed:
                return self._rng.choice(typed)
        place = self._rng.randrange(count)
        for members in held:
            if place < len(members):
                return chr(members[place])
            place -= len(members)
        raise IndexError


def _members(opcode: str, told: Any) -> Sequence[int]:
    if opcode == "RANGE":
        return range(told[0], told[1] + 1)
    return range(told, told + 1) if opcode == "LITERAL" else _CATEGORIES[told.name]


@lru_cache(maxsize=512)
def _typed(held: tuple[Sequence[int], ...], inside: bool) -> tuple[str, ...]:
    """Return the characters of a keyboard that are in a class if `inside`, else those that are not."""
    return tuple(item for item in string.printable if any(ord(item) in members for members in held) == inside)
