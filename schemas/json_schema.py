"""JSON Schema (draft 2020-12) validation that untrusted schemas cannot slow down: cached, patterns in linear time."""

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import re2
from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend
from referencing import Registry

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


@lru_cache(maxsize=8192)
def _cached(text: str) -> Any:
    return _Validator(json.loads(text), format_checker=FORMATS, registry=Registry())


_BY_IDENTITY: dict[int, tuple[Any, Any]] = {}
_IDENTITY_LIMIT = 20_000


def validator(schema: Mapping[str, Any]) -> Any:
    """Return a jsonschema validator for `schema`, the same one for equal schemas."""
    held = _BY_IDENTITY.get(id(schema))
    if held is not None and held[0] is schema:
        return held[1]
    made = _cached(json.dumps(schema, sort_keys=True))
    if len(_BY_IDENTITY) >= _IDENTITY_LIMIT:
        _BY_IDENTITY.clear()
    _BY_IDENTITY[id(schema)] = (schema, made)
    return made


def is_valid(value: Any, schema: Mapping[str, Any]) -> bool:
    """Tell whether `value` satisfies `schema`."""
    return bool(validator(schema).is_valid(value))


def errors(value: Any, schema: Mapping[str, Any], limit: int = 5) -> list[tuple[tuple[str | int, ...], str]]:
    """Return up to `limit` violations as (path into `value`, message), in the order of their paths."""
    found = []
    for error in validator(schema).iter_errors(value):
        found.append((tuple(error.absolute_path), error.message[:MESSAGE_LIMIT]))
        if len(found) >= limit:
            break
    return sorted(found, key=lambda item: [str(part) for part in item[0]])
