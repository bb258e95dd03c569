"""Switches parts of interplay off: word lists, words, rows of the inference tables, parts of the grammar.

A unit is `lists FILE LIST`, `words FILE LIST WORD`, `rules MODULE ROW` or `grammar LANGUAGE SECTION KEY`. The functions patch
the modules of this process, and must be called before any of them is imported.
"""

import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from interplay.schemas.words import lists

Unit = tuple[str, ...]
KINDS = ("lists", "words", "rules", "grammar")
_ROOT = Path(__file__).resolve().parents[1]
_LANGUAGES = "interplay.generators.participants.wording.languages"
_ALONE = ("generation.generator", "worlds.corrections", "worlds.assembly", "settings.config")


def units() -> list[Unit]:
    """Return all units; this imports the whole of interplay."""
    read: dict[str, Mapping[str, Any]] = {}
    _replace_lists(lambda path, held: read.setdefault(path, held) or held)
    _import_all()
    found: list[Unit] = []
    for path, held in sorted(read.items()):
        for name, value in held.items():
            found.append(("lists", path, name))
            found += [("words", path, name, word) for word in _words(value)]
    found += [("rules", module, row.name) for module, row in _rules()]
    for language in ("en", "de"):
        grammar = import_module(_LANGUAGES).load_grammar(language)
        sections = {section: held for section, held in grammar.items() if isinstance(held, Mapping)}
        found += [("grammar", language, section, key) for section, held in sections.items() for key in held]
    return list(dict.fromkeys(found))


def switch_off(off: Collection[Unit]) -> None:
    """Switch units off: empty lists, and drop words, rows of tables and parts of grammars."""
    dropped = set(off)

    def without(path: str, held: Mapping[str, Any]) -> Mapping[str, Any]:
        return {
            name: type(value)() if ("lists", path, name) in dropped else _without(value, ("words", path, name), dropped)
            for name, value in held.items()
        }

    _replace_lists(without)
    _import_all()
    for module, row in _rules():
        if ("rules", module, row.name) in dropped:
            object.__setattr__(row, "when", lambda *_: False)
    for unit in dropped:
        if unit[0] == "grammar":
            import_module(_LANGUAGES).load_grammar(unit[1])[unit[2]].pop(unit[3], None)


def watch() -> set[Unit]:
    """Return a set to which each unit is added when it is read.

    Words of sets and keys of tables count as read when a look-up finds them, all others when their list is requested.
    """
    seen: set[Unit] = set()
    word_set, words, table, rows = lists.word_set, lists.words, lists.table, lists.rows

    def units_of(idea: lists.Idea, names: Iterable[str], language: str, word: str) -> list[Unit]:
        path, held = lists._path(idea, language), lists._lists(idea, language)
        named = [name for name in names or held if word in _words(held[name])]
        return [unit for name in named for unit in _word_units(_short(path), name, word)]

    def watched_set(idea: lists.Idea, *names: str, language: str = "en") -> frozenset[str]:
        found = word_set(idea, *names, language=language)
        return _Words({word: units_of(idea, names, language, word) for word in found}, seen)

    def watched_words(idea: lists.Idea, *names: str, language: str = "en") -> tuple[str, ...]:
        found = words(idea, *names, language=language)
        for word in found:
            seen.update(units_of(idea, names, language, word))
        return found

    def watched_table(idea: lists.Idea, name: str, language: str = "en") -> Mapping[Any, Any]:
        path = _short(lists._path(idea, language))
        return _Table(table(idea, name, language), lambda key: _word_units(path, name, str(key)), seen)

    def watched_rows(idea: lists.Idea, name: str, language: str = "en") -> tuple[Any, ...]:
        seen.add(("lists", _short(lists._path(idea, language)), name))
        return rows(idea, name, language)

    lists.word_set, lists.words = watched_set, watched_words  # type: ignore[assignment]
    lists.table, lists.rows = watched_table, watched_rows
    _watch_grammars(seen)
    _import_all()
    for module, row in _rules():
        object.__setattr__(row, "when", _telling(row.when, ("rules", module, row.name), seen))
    return seen


class _Words(frozenset[str]):
    """A set of words that records which of them look-ups find, also after union with other sets."""

    units: Mapping[str, Sequence[Unit]]
    seen: set[Unit]

    def __new__(cls, units: Mapping[str, Sequence[Unit]], seen: set[Unit]) -> "_Words":
        made = super().__new__(cls, units)
        made.units, made.seen = units, seen
        return made

    def __contains__(self, word: object) -> bool:
        found = super().__contains__(word)
        if found:
            self.seen.update(self.units[str(word)])
        return found

    def __iter__(self) -> Iterator[str]:
        self._all()
        return super().__iter__()

    def __or__(self, other: Collection[Any]) -> "_Words":
        theirs = other.units if isinstance(other, _Words) else dict.fromkeys(other, ())
        both = {word: (*self.units.get(word, ()), *theirs.get(word, ())) for word in {**self.units, **theirs}}
        return _Words(both, self.seen)

    __ror__ = __or__

    def __sub__(self, other: Collection[Any]) -> "_Words":
        return _Words({word: units for word, units in self.units.items() if word not in set(other)}, self.seen)

    def __and__(self, other: Collection[Any]) -> frozenset[str]:
        return frozenset(word for word in other if word in self)

    __rand__ = __and__

    def isdisjoint(self, other: Iterable[Any]) -> bool:
        return not any(word in self for word in other)

    def _all(self) -> None:
        self.seen.update(unit for units in self.units.values() for unit in units)


class _Table(dict[Any, Any]):
    """A table that records which of its keys look-ups find."""

    def __init__(self, held: Mapping[Any, Any], units: Callable[[Any], Sequence[Unit]], seen: set[Unit]) -> None:
        super().__init__(held)
        self.units, self.seen = units, seen

    def __getitem__(self, key: Any) -> Any:
        self.seen.update(self.units(key))
        return super().__getitem__(key)

    def __contains__(self, key: object) -> bool:
        found = super().__contains__(key)
        if found:
            self.seen.update(self.units(key))
        return found

    def get(self, key: Any, default: Any = None) -> Any:
        return super().__getitem__(key) if key in self else default

    def __iter__(self) -> Iterator[Any]:
        self._all()
        return super().__iter__()

    def items(self) -> Any:
        self._all()
        return super().items()

    def values(self) -> Any:
        self._all()
        return super().values()

    def keys(self) -> Any:
        self._all()
        return super().keys()

    def _all(self) -> None:
        self.seen.update(unit for key in dict.keys(self) for unit in self.units(key))


def _watch_grammars(seen: set[Unit]) -> None:
    languages = import_module(_LANGUAGES)
    load, addressed_to = languages.load_grammar, languages.addressed_to

    def watched(language: str) -> dict[str, Any]:
        def section(name: str, held: Any) -> Any:
            units = lambda key: [("grammar", language, name, str(key))]  # noqa: E731
            return _Table(held, units, seen) if isinstance(held, Mapping) else held

        return {name: section(name, held) for name, held in load(language).items()}

    def addressed(said: Any, familiar: bool) -> Any:
        if not isinstance(said, _Table):
            return addressed_to(said, familiar)
        return _Table({key: addressed_to(value, familiar) for key, value in dict.items(said)}, said.units, seen)

    held = {language: watched(language) for language in languages.LANGUAGES}
    languages.load_grammar = lambda language=languages.ENGLISH: held[language]  # type: ignore[attr-defined]
    languages.addressed_to = addressed  # type: ignore[attr-defined]


def _telling(when: Callable[[Any], Any], unit: Unit, seen: set[Unit]) -> Callable[[Any], Any]:
    def told(case: Any) -> Any:
        found = when(case)
        if found:
            seen.add(unit)
        return found

    return told


def _word_units(path: str, name: str, word: str) -> list[Unit]:
    return [("lists", path, name), ("words", path, name, word)]


def _words(held: Any) -> list[str]:
    """Return the words of a list or text, or the keys of a table."""
    if isinstance(held, str):
        return held.split()
    if isinstance(held, Mapping):
        return [key for key in held if isinstance(key, str)]
    return [word for word in held if isinstance(word, str)] if isinstance(held, list) else []


def _without(held: Any, unit: Unit, dropped: set[Unit]) -> Any:
    gone = {word for word in _words(held) if (*unit, word) in dropped}
    if not gone:
        return held
    if isinstance(held, Mapping):
        return {key: value for key, value in held.items() if key not in gone}
    return [word for word in (held.split() if isinstance(held, str) else held) if word not in gone]


def _replace_lists(replace: Callable[[str, Mapping[str, Any]], Mapping[str, Any]]) -> None:
    read = lists._lists
    lists._lists = cache(lambda idea, language: replace(_short(lists._path(idea, language)), read(idea, language)))


def _short(path: Path) -> str:
    return str(path.resolve().relative_to(_ROOT))


def _import_all() -> None:
    for name in _ALONE:
        import_module(f"interplay.flows.{name}")


def _rules() -> Iterator[tuple[str, Any]]:
    """Yield (module, row) of each row of the inference tables once: tuples of records with `when` and `example`."""
    seen: set[int] = set()
    for name, module in sorted(sys.modules.items()):
        for value in list(vars(module).values()) if name.startswith("interplay.") else ():
            if (
                isinstance(value, tuple)
                and value
                and all(hasattr(row, "when") and hasattr(row, "example") for row in value)
            ):
                yield from ((name.removeprefix("interplay."), row) for row in value if id(row) not in seen)
                seen.update(map(id, value))
