"""Any Python value -> a fresh plain JSON value: dates as ISO strings, objects by their public attributes, sets sorted."""

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from itertools import islice
from types import ModuleType
from typing import Any

from pydantic import BaseModel
from pydantic_core import PydanticSerializationError, to_jsonable_python

from interplay.schemas.json.canonical import canonical_json, join_pointer

_JSON_SCALARS = frozenset((str, int, float, bool, type(None)))
_SAFE = frozenset((int, bool, type(None)))
_HALF = re.compile("[\ud800-\udfff]")
_write = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode

BARED = 2
"""Levels of nested objects without public attributes that are shown by their private ones."""

EXPANDED = 20_000
"""Objects that one value is written out with; above that, objects met before are written as references."""


def as_json(value: Any, lenient: bool = False) -> Any:
    """Return a JSON copy of `value`, with objects as their public attributes.

    If `lenient`, a value without JSON form is shown by its text, and an object inside itself as `{"$ref": pointer}`, where the
    pointer starts at the outermost object.

    Raises:
        TypeError: `value` holds something that has no JSON form.
    """
    try:
        return _copy(value, lenient)
    except RecursionError:
        return _Writer(lenient).write(value, ())


def as_answer(value: Any) -> Any:
    """Return a JSON copy of a function's answer, leaving out fields of objects that cannot be written as JSON.

    Raises:
        TypeError: `value` holds something that has no JSON form.
    """
    try:
        return as_json(value)
    except TypeError:
        return _Writer(lenient=False, cuts=True).write(value, ())


def _copy(value: Any, lenient: bool) -> Any:
    """Copy plain containers at full speed; leave the rest to a `_Writer`, which detects cycles."""
    if type(value) in _JSON_SCALARS:
        return value
    if isinstance(value, dict):
        return {
            key if type(key) is str else _key(key): item if type(item) in _JSON_SCALARS else _copy(item, lenient)
            for key, item in value.items()
        }
    if isinstance(value, (list, tuple)):
        return [item if type(item) in _JSON_SCALARS else _copy(item, lenient) for item in value]
    return _Writer(lenient).write(value, ())


def writable(value: Any) -> Any:
    """Return a JSON value that can be serialised: NaN and infinities become null, lone surrogates are replaced."""
    kind = type(value)
    if kind is float:
        return value if math.isfinite(value) else None
    if kind is str:
        return value if value.isascii() or not _HALF.search(value) else _HALF.sub("\ufffd", value)
    if kind is list:
        return [item if type(item) in _SAFE else writable(item) for item in value]
    if kind is dict:
        return {writable(key): item if type(item) in _SAFE else writable(item) for key, item in value.items()}
    return value


def json_and_text(value: Any) -> tuple[Any, str]:
    """Return a JSON value made serialisable, and its text; a string is its own text."""
    if not isinstance(value, str):
        try:
            text = _write(value)
        except ValueError:  # NaN or an infinity
            text = "\ud800"
        if text.isascii() or not _HALF.search(text):
            return value, text
    value = writable(value)
    return value, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _held_by(value: Any) -> dict[str, Any] | None:
    """Return all attributes of an object, slots included; none for what is not a plain object, such as a module."""
    if callable(value) or isinstance(value, (type, ModuleType)):
        return None
    listed = [kind.__dict__.get("__slots__", ()) for kind in type(value).__mro__]
    slots = [name for names in listed for name in ((names,) if isinstance(names, str) else names)]
    if not hasattr(value, "__dict__") and not slots:
        return None
    held = {name: getattr(value, name) for name in slots if name != "__dict__" and hasattr(value, name)}
    held |= getattr(value, "__dict__", {})
    return held


def attributes_of(value: Any) -> dict[str, Any] | None:
    """Return the public attributes of an object, slots included; none for what is not a plain object.

    If all attributes are private, they are returned under their bare names.
    """
    held = _held_by(value)
    return held and (_public(held) or _bare(held))


def _public(held: Mapping[str, Any]) -> dict[str, Any]:
    return {name: item for name, item in held.items() if not name.startswith("_")}


def _bare(held: Mapping[str, Any]) -> dict[str, Any]:
    return {bare_name(name): item for name, item in held.items() if not (callable(item) or name.endswith("__"))}


def bare_name(name: str) -> str:
    """Return the name of a private attribute without its prefix: `_total`, `_Cart__total` -> `total`."""
    return _PRIVATE.sub("", name) or name


_PRIVATE = re.compile(r"^_(?:[A-Za-z][A-Za-z0-9]*__|_*)")


class _Cut(Exception):
    """A field is left out of an answer: it leads back to an enclosing object, or has no JSON form."""


class _Writer:
    """Writes one value as JSON, keeping track of the enclosing objects."""

    def __init__(self, lenient: bool, cuts: bool = False) -> None:
        self._lenient = lenient
        self._cuts = cuts
        self._bared = 0
        self._above: dict[int, str] = {}
        self._met: dict[int, tuple[Any, str]] = {}  # keeps the objects alive, so that no id is reused
        self._count = 0

    def write(self, value: Any, at: tuple[str | int, ...]) -> Any:
        kind = type(value)
        if kind in _JSON_SCALARS:
            return value
        if isinstance(value, Enum):
            return self.write(value.value, at)
        if isinstance(value, (Mapping, list, tuple, set, frozenset, BaseModel)) or hasattr(value, "__dict__"):
            return self._inside(value, at)
        if is_dataclass(value):
            return self._inside(value, at)
        return self._other(value, at)

    def _inside(self, value: Any, at: tuple[str | int, ...]) -> Any:
        """Write a value that may contain itself."""
        known = self._above.get(id(value))
        if known is None and self._count > EXPANDED and id(value) in self._met:
            known = self._met[id(value)][1]
        if known is not None:
            if self._cuts:
                raise _Cut
            if not self._lenient:
                raise TypeError(f"{type(value).__name__} contains itself")
            return {"$ref": known}
        self._above[id(value)] = join_pointer(*at)
        self._count += 1
        try:
            return self._container(value, at)
        finally:
            self._met[id(value)] = value, self._above.pop(id(value))

    def _container(self, value: Any, at: tuple[str | int, ...]) -> Any:
        if isinstance(value, Mapping):
            written = {}
            for key, item in value.items():
                name = key if type(key) is str else _key(key)
                written[name] = item if type(item) in _JSON_SCALARS else self.write(item, (*at, name))
            return written
        if isinstance(value, (list, tuple)):
            return [
                item if type(item) in _JSON_SCALARS else self.write(item, (*at, index))
                for index, item in enumerate(value)
            ]
        if isinstance(value, (set, frozenset)):
            return sorted((self.write(item, (*at, "*")) for item in value), key=canonical_json)
        if isinstance(value, BaseModel):
            return self._model(value, at)
        if is_dataclass(value) and not isinstance(value, type):
            return self._fields({field.name: getattr(value, field.name) for field in fields(value)}, at)
        return self._other(value, at)

    def _bare_fields(self, held: Mapping[str, Any], at: tuple[str | int, ...]) -> dict[str, Any]:
        """Write the private attributes of an object that has no public ones."""
        self._bared += 1
        try:
            return self._fields(_bare(held), at)
        finally:
            self._bared -= 1

    def _fields(self, held: Mapping[str, Any], at: tuple[str | int, ...]) -> dict[str, Any]:
        """Write the fields of an object, except those that are cut."""
        written = {}
        for name, item in held.items():
            try:
                written[name] = self.write(item, (*at, name))
            except _Cut:
                continue
        if held and not written and self._cuts and at:
            raise _Cut
        return written

    def _model(self, value: BaseModel, at: tuple[str | int, ...]) -> Any:
        try:
            return value.model_dump(mode="json")
        except ValueError:  # a circular reference, or a field without a JSON form
            return {name: self.write(item, (*at, name)) for name, item in value}

    def _other(self, value: Any, at: tuple[str | int, ...]) -> Any:
        if isinstance(value, Iterator):  # reading consumes it, and it may be infinite
            if self._lenient:
                return type(value).__qualname__
            return [self.write(item, (*at, number)) for number, item in enumerate(islice(value, EXPANDED))]
        try:
            return to_jsonable_python(value)
        except (PydanticSerializationError, ValueError) as error:
            held = _held_by(value)
            shown = _public(held or {})
            if shown or (held is not None and self._lenient and self._bared == BARED):
                return self._fields(shown, at)
            if held and self._bared < BARED:
                return self._bare_fields(held, at)
            if held is not None and self._lenient:
                return {}
            if self._cuts and at:
                raise _Cut from error
            if not self._lenient:
                raise TypeError(f"{type(value).__name__} has no JSON form") from error
        if isinstance(value, ModuleType):  # its repr contains a local path
            return value.__name__
        kind = type(value)
        return kind.__qualname__ if vars(kind).get("__repr__", object.__repr__) is object.__repr__ else repr(value)


def _key(key: Any) -> str:
    """Return a key as text; for an object, the text of its scalar attributes."""
    held = None if isinstance(key, (Enum, tuple)) else attributes_of(key)
    plain = {name: item for name, item in held.items() if type(item) in _JSON_SCALARS} if held else key
    plain = as_json(plain, lenient=True)
    return plain if isinstance(plain, str) else str(plain if plain != {} else as_json(type(key).__qualname__))
