"""The interpreted JSON Schema validator: it tells what is wrong and where.

It is slow to import and seldom needed: the compiled validator decides what is valid.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import SchemaError, UnknownType, ValidationError
from jsonschema.validators import extend
from referencing import Registry
from referencing.exceptions import Unresolvable

from interplay.schemas.json.formats import FORMATS, conforms
from interplay.schemas.json.regex import compile_pattern

UNUSABLE = (Unresolvable, SchemaError, UnknownType)
"""Exceptions that the library raises for schemas that nothing can be validated against."""


def _is_of(name: str, value: object) -> bool:
    return not isinstance(value, str) or conforms(value, name)


_FORMATS = FormatChecker(formats=())
for _name in FORMATS:
    _FORMATS.checks(_name)(partial(_is_of, _name))


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


def validator(schema: Mapping[str, Any]) -> Any:
    """Return a validator for `schema` that fetches nothing."""
    return _Validator(schema, format_checker=_FORMATS, registry=Registry())
