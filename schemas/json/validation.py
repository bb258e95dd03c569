"""JSON Schema (draft 2020-12) validation that untrusted schemas cannot slow down: cached, patterns in linear time.

Verdicts come from a compiled validator where one can be made, messages from the interpreted one.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache, cached_property, lru_cache
from types import ModuleType
from typing import Any

from interplay.schemas.json.compiler import Compiler
from interplay.schemas.json.object_cache import ObjectCache
from interplay.schemas.json.regex import searcher

MESSAGE_LIMIT = 300
"""Characters of a validation message that are kept."""


class UnusableSchema(ValueError):
    """A schema that nothing can be judged by: a reference leads nowhere, a keyword is no keyword."""


@cache
def _interpreted() -> ModuleType:
    from interplay.schemas.json import interpreter  # noqa: PLC0415 - see above

    return interpreter


_COMPILER = Compiler(searcher)


class _Judge:
    """One schema, ready to judge values."""

    def __init__(self, text: str) -> None:
        self._schema = json.loads(text)
        self._compiled = _COMPILER.compile(self._schema)

    @cached_property
    def interpreted(self) -> Any:
        return _interpreted().validator(self._schema)

    def is_valid(self, value: Any) -> bool:
        if self._compiled is not None:
            try:
                return self._compiled(value)
            except (ValueError, TypeError, OverflowError):  # no JSON: other mappings, keys that are no text
                pass
        with _usable():
            return bool(self.interpreted.is_valid(value))


@contextmanager
def _usable() -> Iterator[None]:
    try:
        yield
    except _interpreted().UNUSABLE as error:
        raise UnusableSchema(str(error)) from error


_cached = lru_cache(maxsize=8192)(_Judge)
_judge: ObjectCache[_Judge] = ObjectCache(lambda schema: _cached(json.dumps(schema, sort_keys=True)))


def is_valid(value: Any, schema: Mapping[str, Any]) -> bool:
    """Tell whether `value` satisfies `schema`.

    Raises:
        UnusableSchema: nothing can be judged by it.
    """
    return _judge(schema).is_valid(value)


def errors(value: Any, schema: Mapping[str, Any], limit: int = 5) -> list[tuple[tuple[str | int, ...], str]]:
    """Return up to `limit` violations as (path into `value`, message), in the order of their paths.

    Raises:
        UnusableSchema: nothing can be judged by it.
    """
    judge = _judge(schema)
    if judge.is_valid(value):
        return []
    found = []
    with _usable():
        for error in judge.interpreted.iter_errors(value):
            found.append((tuple(error.absolute_path), error.message[:MESSAGE_LIMIT]))
            if len(found) >= limit:
                break
    return sorted(found, key=lambda item: [str(part) for part in item[0]])
