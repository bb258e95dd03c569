"""JSON Schema (draft 2020-12) validation that untrusted schemas cannot slow down: cached, patterns in linear time.

Verdicts come from a compiled validator where one can be made, messages from the interpreted one.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any

import re2
from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend
from referencing import Registry

from interplay.schemas.compiled import Compiler

FORMATS = FormatChecker(formats=["date", "date-time", "email", "ipv4", "ipv6", "time", "uri", "uuid"])
MESSAGE_LIMIT = 300
"""Characters of a validation message that are kept."""

_OPTIONS = re2.Options()
_OPTIONS.max_mem = 1 << 20
_OPTIONS.log_errors = False


@lru_cache(maxsize=4096)
def compile_pattern(pattern: str) -> Any:
    """Compile `pattern` for linear-time search; none where RE2 cannot take it (look-around, back-references)."""
    try:
        return re2.compile(pattern, _OPTIONS)
    except re2.error:
        return None


def _pattern(_validator: Any, pattern: str, instance: Any, _schema: Any) -> Iterator[ValidationError]:
    if isinstance(instance, str):
        compiled = compile_pattern(pattern)
        if compiled is not None and compiled.search(instance) is None:
            yield ValidationError(f"{instance[:80]!r} does not match {pattern[:80]!r}")


def _pattern_properties(validator: Any, patterns: Any, instance: Any, _schema: Any) -> Iterator[ValidationError]:
    if not isinstance(instance, dict):
        return
    for pattern, subschema in patterns.items():
        compiled = compile_pattern(pattern)
        for key, value in instance.items():
            if compiled is not None and compiled.search(key) is not None:
                yield from validator.descend(value, subschema, path=key, schema_path=pattern)


_Validator: Any = extend(  # type: ignore[no-untyped-call]
    Draft202012Validator, {"pattern": _pattern, "patternProperties": _pattern_properties}
)


def _searching(pattern: str) -> Callable[[str], bool]:
    compiled = compile_pattern(pattern)

    @lru_cache(maxsize=4096)
    def is_found(text: str) -> bool:
        return compiled is None or compiled.search(text) is not None

    return is_found


_COMPILER = Compiler(FORMATS, _searching)


class _Judge:
    """One schema, ready to judge values."""

    def __init__(self, text: str) -> None:
        schema = json.loads(text)
        self.interpreted: Any = _Validator(schema, format_checker=FORMATS, registry=Registry())
        self._compiled = _COMPILER.compile(schema)

    def is_valid(self, value: Any) -> bool:
        if self._compiled is not None:
            try:
                return self._compiled(value)
            except (ValueError, TypeError, OverflowError):  # no JSON: other mappings, keys that are no text
                return bool(self.interpreted.is_valid(value))
        return bool(self.interpreted.is_valid(value))


@lru_cache(maxsize=8192)
def _cached(text: str) -> _Judge:
    return _Judge(text)


_BY_IDENTITY: dict[int, tuple[Any, _Judge]] = {}
_IDENTITY_LIMIT = 20_000


def _judge(schema: Mapping[str, Any]) -> _Judge:
    held = _BY_IDENTITY.get(id(schema))
    if held is not None and held[0] is schema:
        return held[1]
    made = _cached(json.dumps(schema, sort_keys=True))
    if len(_BY_IDENTITY) >= _IDENTITY_LIMIT:
        _BY_IDENTITY.clear()
    _BY_IDENTITY[id(schema)] = (schema, made)
    return made


def validator(schema: Mapping[str, Any]) -> Any:
    """Return a jsonschema validator for `schema`, the same one for equal schemas."""
    return _judge(schema).interpreted


def is_valid(value: Any, schema: Mapping[str, Any]) -> bool:
    """Tell whether `value` satisfies `schema`."""
    return _judge(schema).is_valid(value)


def errors(value: Any, schema: Mapping[str, Any], limit: int = 5) -> list[tuple[tuple[str | int, ...], str]]:
    """Return up to `limit` violations as (path into `value`, message), in the order of their paths."""
    judge = _judge(schema)
    if judge.is_valid(value):
        return []
    found = []
    for error in judge.interpreted.iter_errors(value):
        found.append((tuple(error.absolute_path), error.message[:MESSAGE_LIMIT]))
        if len(found) >= limit:
            break
    return sorted(found, key=lambda item: [str(part) for part in item[0]])
