"""A Python class, object or module -> a toolset: its public methods, or those marked with `@tool`.

    class Notes:
        @tool(effect="write")
        def add_note(self, text: str, pinned: bool = False) -> str:
            "Add a note."

becomes

    Tool(name="add_note", summary="Add a note.", effect="write", returns={"type": "string"}, parameters={
        "type": "object", "required": ["text"], "additionalProperties": False,
        "properties": {"text": {"type": "string"}, "pinned": {"type": "boolean", "default": False}}})
"""

import inspect
import re
import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any, TypeVar

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError, to_jsonable_python

from interplay.generators.importers.annotations import Unsupported, schema_of, without_null
from interplay.generators.importers.docstrings import Docstring, parse_docstring
from interplay.schemas.errors import ImportFailure
from interplay.schemas.tools import Effect, ImportReport, Requestor, Source, Tool, ToolReport, Toolset

Function = TypeVar("Function", bound=Callable[..., Any])

READ_VERBS = frozenset(
    "calculate can check compare compute convert count describe estimate fetch filter find get has is list lookup look "
    "preview query read recommend retrieve search show suggest summarize track validate verify view".split()
)
_MARK = "__interplay_tool__"


class ToolError(Exception):
    """Raised by a tool that cannot do what is asked; its text becomes the error result."""


@dataclass(frozen=True)
class Mark:
    """What `@tool` says of a function; an effect left open is guessed from the verb in the name."""

    effect: Effect | None = None
    name: str = ""
    requestor: Requestor = "assistant"
    phrases: tuple[str, ...] = ()


def tool(
    *, effect: Effect | None = None, phrases: tuple[str, ...] = (), name: str = "", requestor: Requestor = "assistant"
) -> Callable[[Function], Function]:
    """Mark a function as a tool; once one is marked, the unmarked ones are left out.

    `phrases` are ways in which people ask for it, as verb phrases.
    """

    def mark(function: Function) -> Function:
        setattr(function, _MARK, Mark(effect, name, requestor, phrases))
        return function

    return mark


def import_python(source: object, name: str = "") -> ImportReport:
    """Read the tools of a class, an object or a module; a function that cannot be one is reported as rejected.

    Raises:
        ImportFailure: the source has no public functions.
    """
    owner = source if isinstance(source, ModuleType | type) else type(source)
    functions = list(_functions(owner))
    if any(hasattr(function, _MARK) for _, function in functions):
        functions = [(key, function) for key, function in functions if hasattr(function, _MARK)]
    if not functions:
        raise ImportFailure(f"{owner.__name__}: no public function to make a tool of")
    tools: dict[str, Tool] = {}
    reports: list[ToolReport] = []
    for key, function in functions:
        made, report = import_function(key, function, is_method=isinstance(owner, type))
        if made is not None and made.name in tools:
            report = report.model_copy(update={"outcome": "rejected", "reasons": ("an earlier tool has its name",)})
        elif made is not None:
            tools[made.name] = made
        reports.append(report)
    module = owner.__name__ if isinstance(owner, ModuleType) else owner.__module__
    toolset = Toolset(name=name or _snake_case(owner.__name__), tools=tuple(tools.values()), provenance=(module,))
    return ImportReport(toolset=toolset, reports=tuple(reports))


def import_function(key: str, function: Any, is_method: bool) -> tuple[Tool | None, ToolReport]:
    """Make one tool; none, with a report that says why, when its signature has no JSON form."""
    mark: Mark = getattr(function, _MARK, Mark())
    plain = function.__func__ if isinstance(function, staticmethod | classmethod) else function
    source = Source(file=plain.__module__, pointer=plain.__qualname__)
    bound = is_method and not isinstance(function, staticmethod)
    document = parse_docstring(plain.__doc__)
    try:
        hints = typing.get_type_hints(plain, include_extras=True)
        parameters, repairs = _parameters(plain, hints, document, bound)
        returns = _returns(hints, document)
        made = Tool(
            name=mark.name or key,
            original_name=key,
            description=document.description,
            summary=document.summary,
            parameters=parameters,
            returns=returns,
            effect=mark.effect or guess_effect(key),
            requestor=mark.requestor,
            phrases=mark.phrases,
            source=source,
        )
    except (ValueError, TypeError, NameError) as error:
        reason = error.errors()[0]["msg"] if isinstance(error, ValidationError) else str(error).splitlines()[0]
        return None, ToolReport(name=key, outcome="rejected", reasons=(reason,), source=source)
    outcome: typing.Literal["imported", "repaired"] = "repaired" if repairs else "imported"
    return made, ToolReport(name=made.name, outcome=outcome, reasons=tuple(repairs), source=source)


def guess_effect(name: str) -> Effect:
    """Guess the effect from the verb that `name` begins with; what is not known to read may write."""
    return "read" if first_word(name) in READ_VERBS else "write"


def first_word(name: str) -> str:
    """Return the first word of a snake_case or camelCase name, in lower case."""
    return _snake_case(name).partition("_")[0]


def signature_of(function: Any) -> dict[str, Any]:
    """Return the annotation of each parameter of a bound or plain function, `Any` where there is none."""
    hints = typing.get_type_hints(inspect.unwrap(function), include_extras=True)
    return {name: hints.get(name, Any) for name in inspect.signature(function).parameters}


def _functions(owner: Any) -> Iterator[tuple[str, Any]]:
    """Yield the public functions that `owner` defines or inherits, in the order of definition."""
    if isinstance(owner, ModuleType):
        members = {key: value for key, value in vars(owner).items() if _defined_in(value, owner)}
    else:
        members = {}
        for part in reversed(owner.__mro__[:-1]):
            members |= vars(part)
    for key, value in members.items():
        plain = value.__func__ if isinstance(value, staticmethod | classmethod) else value
        if inspect.isfunction(plain) and not key.startswith("_"):
            yield key, value


def _defined_in(value: Any, module: ModuleType) -> bool:
    return inspect.isfunction(value) and value.__module__ == module.__name__


def _parameters(
    function: Any, hints: dict[str, Any], document: Docstring, bound: bool
) -> tuple[dict[str, Any], list[str]]:
    """Return the schema of the arguments, and what had to be assumed for it."""
    properties: dict[str, Any] = {}
    required: list[str] = []
    repairs: list[str] = []
    for parameter in list(inspect.signature(function).parameters.values())[1 if bound else 0 :]:
        name = parameter.name
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD, parameter.POSITIONAL_ONLY):
            raise Unsupported(f"parameter {name} cannot be given by name")
        if name not in hints:
            repairs.append(f"parameter {name} has no annotation; any value is allowed")
        properties[name] = _property(parameter, hints.get(name, Any), document)
        if parameter.default is parameter.empty:
            required.append(name)
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required
    return schema | {"additionalProperties": False}, repairs


def _property(parameter: inspect.Parameter, annotation: Any, document: Docstring) -> dict[str, Any]:
    schema = schema_of(annotation)
    notes = [each for each in getattr(annotation, "__metadata__", ()) if isinstance(each, str)]
    description = document.parameters.get(parameter.name) or " ".join(notes)
    if description:
        schema = {"description": description} | schema
    if parameter.default is parameter.empty:
        return schema
    if parameter.default is None:
        schema.pop("default", None)
        return without_null(schema)
    try:
        return schema | {"default": to_jsonable_python(parameter.default)}
    except PydanticSerializationError as error:
        raise Unsupported(f"the default of parameter {parameter.name} has no JSON form") from error


def _returns(hints: dict[str, Any], document: Docstring) -> dict[str, Any] | None:
    annotation = hints.get("return", Any)
    if annotation is Any:
        return None
    schema = schema_of(annotation, "serialization")
    return schema | {"description": document.returns} if document.returns else schema


def _snake_case(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
