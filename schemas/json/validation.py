"""JSON Schema (draft 2020-12) validation that untrusted schemas cannot slow down: cached, patterns in linear time.

A compiled validator decides validity where the schema can be compiled; the interpreted one writes the error messages.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, cached_property, lru_cache, partial
from types import ModuleType
from typing import Any

from jsonschema_rs import Draft202012Validator, ReferencingError, ValidationError

from interplay.schemas.json.formats import FORMATS, conforms
from interplay.schemas.json.object_cache import ObjectCache
from interplay.schemas.json.regex import searcher

PATTERN = "pattern:"
"""Prefix of the made-up formats that stand for patterns, so that RE2 matches them and not the compiled validator's engine."""

_ONE = {"additionalProperties", "items", "contains", "not", "if", "then", "else", "propertyNames", "unevaluatedItems",
        "unevaluatedProperties"}  # fmt: skip
_SEVERAL = {"allOf", "anyOf", "oneOf", "prefixItems"}
_NAMED = {"properties", "$defs", "definitions", "dependentSchemas"}
_PLAIN = {"type", "enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength", "minItems",
          "maxItems", "uniqueItems", "minContains", "maxContains", "minProperties", "maxProperties", "required", "dependentRequired"}  # fmt: skip
_UNLIKE = {"patternProperties", "dependencies", "$id", "$schema", "$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef"}  # fmt: skip
"""Keywords that the two validators may read differently: schemas that use them are not compiled."""


class _Unlike(Exception):
    """A schema that only the interpreted validator can judge."""


class Compiler:
    """Compiles schemas to predicates; `pattern` makes the predicate of a pattern, and formats outside `FORMATS` are ignored."""

    def __init__(self, pattern: Callable[[str], Callable[[str], bool]]) -> None:
        self._pattern = pattern
        self._judges: dict[str, Callable[[str], bool]] = {
            name: lru_cache(maxsize=4096)(partial(conforms, name=name)) for name in FORMATS
        }

    def compile(self, schema: Any) -> Callable[[Any], bool] | None:
        """Return the predicate of a schema; None if only the interpreted validator can judge it."""
        judges: dict[str, Callable[[str], bool]] = {}
        try:
            reduced = self._reduced(schema, judges)
            made = Draft202012Validator(reduced, formats=judges, validate_formats=True, offline=True)
        except (_Unlike, ValidationError, ReferencingError, ValueError, TypeError, OverflowError, RecursionError):
            return None
        return made.is_valid

    def _reduced(self, schema: Any, judges: dict[str, Callable[[str], bool]]) -> Any:
        """Return a schema without annotations, with its patterns turned into made-up formats."""
        if isinstance(schema, bool):
            return schema
        if not isinstance(schema, Mapping) or _UNLIKE & schema.keys():
            raise _Unlike
        made: dict[str, Any] = {key: schema[key] for key in _PLAIN if key in schema}
        for key in _ONE & schema.keys():
            made[key] = self._reduced(schema[key], judges)
        for key in _SEVERAL & schema.keys():
            made[key] = [self._reduced(branch, judges) for branch in schema[key]]
        for key in _NAMED & schema.keys():
            made[key] = {name: self._reduced(inner, judges) for name, inner in schema[key].items()}
        self._keep_text_rules(schema, made, judges)
        if "$ref" in schema:
            made["$ref"] = _local(schema["$ref"])
        if "multipleOf" in schema:
            made["multipleOf"] = _whole(schema["multipleOf"])
        return made

    def _keep_text_rules(
        self, schema: Mapping[str, Any], made: dict[str, Any], judges: dict[str, Callable[[str], bool]]
    ) -> None:
        wanted = []
        if schema.get("format") in self._judges:
            wanted.append(str(schema["format"]))
            judges[wanted[0]] = self._judges[wanted[0]]
        if "pattern" in schema:
            wanted.append(PATTERN + str(schema["pattern"]))
            judges[wanted[-1]] = self._pattern(str(schema["pattern"]))
        if wanted:
            made["allOf"] = [*made.get("allOf", ()), *({"format": name} for name in wanted)]


def _local(reference: Any) -> str:
    if not isinstance(reference, str) or not reference.startswith("#/"):
        raise _Unlike
    return reference


def _whole(step: Any) -> Any:
    """Return a `multipleOf` step that both validators treat alike; fractions, which round differently, are refused."""
    if isinstance(step, float) and not step.is_integer():
        raise _Unlike
    return step


MESSAGE_LIMIT = 300
"""Maximum length of a validation message, in characters."""


class UnusableSchema(ValueError):
    """A schema that nothing can be validated against: a dangling reference, an invalid keyword."""


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
            except (ValueError, TypeError, OverflowError):  # not JSON: other mappings, keys that are not strings
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
        UnusableSchema: the schema is invalid.
    """
    return _judge(schema).is_valid(value)


def errors(value: Any, schema: Mapping[str, Any], limit: int = 5) -> list[tuple[tuple[str | int, ...], str]]:
    """Return up to `limit` violations as (path into `value`, message), sorted by path.

    Raises:
        UnusableSchema: the schema is invalid.
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
