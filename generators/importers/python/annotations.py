"""A Python annotation -> its JSON Schema, with references inlined, and a converter of JSON values to its type."""

import sys
import types
import typing
from collections.abc import Callable
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import typing_extensions
from pydantic import TypeAdapter
from pydantic.errors import PydanticUserError
from pydantic.fields import FieldInfo

_MAP_KEYWORDS = ("properties", "patternProperties", "$defs", "dependentSchemas")
_PLAIN = (str, int, float, bool, type(None), Any, list, dict)


class Unsupported(ValueError):
    """An annotation without a JSON Schema, or a parameter that cannot be one of a tool."""


def schema_of(annotation: Any, mode: Literal["validation", "serialization"] = "validation") -> dict[str, Any]:
    """Return the JSON Schema of `annotation`, without titles and references.

    Raises:
        Unsupported: it has no JSON Schema, or refers to itself.
    """
    try:
        made = TypeAdapter(standardise(annotation)).json_schema(mode=mode)
    except (PydanticUserError, TypeError, ValueError, NameError) as error:
        raise Unsupported(f"{annotation!r} has no JSON Schema: {str(error).splitlines()[0]}") from error
    schema: dict[str, Any] = inline(made, made.get("$defs", {}), ())
    return schema


def inline(schema: Any, definitions: dict[str, Any], within: tuple[str, ...]) -> Any:
    """Return `schema` with references inlined and pydantic's titles dropped; `within` names the enclosing definitions.

    Raises:
        Unsupported: a definition contains itself.
    """
    if isinstance(schema, list):
        return [inline(item, definitions, within) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        name = str(schema["$ref"]).rpartition("/")[2]
        if name in within:
            raise Unsupported(f"{name} contains itself")
        return inline(definitions[name], definitions, (*within, name)) | inline(
            {key: value for key, value in schema.items() if key != "$ref"}, definitions, within
        )
    inlined: dict[str, Any] = {}
    for key, value in schema.items():
        if key in _MAP_KEYWORDS:
            if key != "$defs":
                inlined[key] = {name: inline(item, definitions, within) for name, item in value.items()}
        elif key in ("default", "examples", "enum", "const"):
            inlined[key] = value
        elif key != "title":
            inlined[key] = inline(value, definitions, within)
    return inlined


def reader_of(annotation: Any) -> Callable[[Any], Any] | None:
    """Return a function that converts a JSON value to the annotated type; None if no conversion is needed."""
    if _is_plain(annotation):
        return None
    return TypeAdapter(standardise(annotation)).validate_python


def _is_plain(annotation: Any) -> bool:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if typing_extensions.is_typeddict(annotation):
        return all(map(_is_plain, typing.get_type_hints(annotation).values()))
    if origin is None:
        return annotation in _PLAIN
    if origin is Literal:
        return True
    if origin is Annotated:
        return _is_plain(arguments[0]) and all(isinstance(each, (FieldInfo, str)) for each in annotation.__metadata__)
    return origin in (Union, types.UnionType, list, dict) and all(map(_is_plain, arguments))


@cache
def _standard_typed_dict(record: Any) -> Any:
    hints = typing.get_type_hints(record, include_extras=True)
    fields = {
        name: typing_extensions.NotRequired[standardise(hint)]
        if name in record.__optional_keys__ and get_origin(hint) is not typing.NotRequired
        else standardise(hint)
        for name, hint in hints.items()
    }
    make: Any = typing_extensions.TypedDict
    made = make(record.__name__, fields)
    made.__doc__ = record.__doc__
    return made


def standardise(annotation: Any) -> Any:
    """Replace `typing.TypedDict` by its backport before Python 3.12, as pydantic demands."""
    if sys.version_info >= (3, 12):
        return annotation
    if typing.is_typeddict(annotation) and type(annotation).__module__ == "typing":
        return _standard_typed_dict(annotation)
    origin, arguments = get_origin(annotation), get_args(annotation)
    if not arguments or origin is Literal:
        return annotation
    if origin is Annotated:
        return Annotated[(standardise(arguments[0]), *annotation.__metadata__)]
    changed = tuple(standardise(item) if not isinstance(item, list) else item for item in arguments)
    if changed == arguments:
        return annotation
    if origin in (Union, types.UnionType):
        return Union[changed]  # noqa: UP007
    return origin[changed]
