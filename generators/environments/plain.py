"""Any Python value -> a fresh plain JSON value: dates as ISO strings, models and dataclasses as objects, sets sorted."""

from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from pydantic import BaseModel
from pydantic_core import PydanticSerializationError, to_jsonable_python

from interplay.schemas.canonical import canonical_json

_JSON_SCALARS = frozenset((str, int, float, bool, type(None)))


def as_json(value: Any, lenient: bool = False) -> Any:
    """Return a JSON copy of `value`; `lenient` shows an object without a JSON form by its attributes or its text.

    Raises:
        TypeError: `value` holds something that has no JSON form.
    """
    kind = type(value)
    if kind in _JSON_SCALARS:
        return value
    if isinstance(value, dict):
        return {
            key if type(key) is str else _key(key): item if type(item) in _JSON_SCALARS else as_json(item, lenient)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [item if type(item) in _JSON_SCALARS else as_json(item, lenient) for item in value]
    if isinstance(value, set | frozenset):
        return sorted((as_json(item, lenient) for item in value), key=canonical_json)
    if isinstance(value, Enum):
        return as_json(value.value, lenient)
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: as_json(getattr(value, field.name), lenient) for field in fields(value)}
    try:
        return to_jsonable_python(value)
    except PydanticSerializationError as error:
        if not lenient:
            raise TypeError(f"{kind.__name__} has no JSON form") from error
    if hasattr(value, "__dict__") and not callable(value):
        return as_json(vars(value), lenient)
    return kind.__qualname__ if vars(kind).get("__repr__", object.__repr__) is object.__repr__ else repr(value)


def _key(key: Any) -> str:
    plain = as_json(key, lenient=True)
    return plain if isinstance(plain, str) else str(key)
