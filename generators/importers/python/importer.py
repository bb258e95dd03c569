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

import contextlib
import dis
import inspect
import re
import typing
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError, to_jsonable_python

from interplay.generators.importers.documents.tool_effects import effect_of_name
from interplay.generators.importers.normalisation.type_expressions import read_type, without_null
from interplay.generators.importers.python.annotations import Unsupported, schema_of
from interplay.generators.importers.python.decorators import Mark, ToolError, mark_of, tool
from interplay.generators.importers.python.docstrings import Docstring, parse_docstring, with_documented
from interplay.generators.importers.python.injected_state import import_classes, injected_name, is_handed_state
from interplay.generators.importers.python.sides import environment_of, policy_of, tool_holders
from interplay.schemas.errors import ImportFailure
from interplay.schemas.records.phrases import ToolPhrases
from interplay.schemas.records.tool import ImportReport, Source, Tool, ToolReport, Toolset

__all__ = ["ToolError", "import_python", "signature_of", "tool"]

HOOKS = frozenset("load_scenario save_scenario load_data sync_tools synchronise synchronize get_info".split())
"""Public functions that the environment calls itself; they are tools only if marked."""


def import_python(source: object, name: str = "") -> ImportReport:
    """Import the tools of a class, an object or a module; a function that cannot be a tool is reported as rejected.

    Raises:
        ImportFailure: the source has no public functions.
        ConfigError: the function that makes an environment with two sides fails.
    """
    environment = environment_of(source)
    if environment is not None:
        return _import_sides(environment, name)
    owner = source if isinstance(source, (ModuleType, type)) else type(source)
    functions = public_functions(owner)
    described = import_classes(owner) if isinstance(owner, ModuleType) else None
    if not functions and described is None:
        named = ", ".join(kind.__name__ for kind in _classes(owner)) if isinstance(owner, ModuleType) else ""
        hint = f". Name a class of it, as in python:{owner.__name__}:NAME: {named}" if named else ""
        raise ImportFailure(f"{owner.__name__}: no public function to make a tool of{hint}")
    tools: dict[str, Tool] = {}
    reports: list[ToolReport] = []
    if described is not None:
        tools = {made.name: made for made in described.toolset.tools}
        reports += described.reports
    injected = isinstance(owner, ModuleType) and is_handed_state(owner, functions)
    for key, function in functions.items():
        bound = isinstance(owner, type) and not isinstance(function, staticmethod)
        skipped = bound or (injected and injected_name(function) is not None)
        made, report = import_function(key, function, skipped, _source(owner, key, function))
        if made is not None and made.name in tools:
            report = report.model_copy(update={"outcome": "rejected", "reasons": ("an earlier tool has its name",)})
        elif made is not None:
            tools[made.name] = made
        reports.append(report)
    module = owner.__name__ if isinstance(owner, ModuleType) else owner.__module__
    toolset = Toolset(name=name or _snake_case(owner.__name__), tools=tuple(tools.values()), provenance=(module,))
    return ImportReport(toolset=toolset, reports=tuple(reports))


def _import_sides(environment: object, name: str) -> ImportReport:
    """Import the tools of both sides; the side decides the requestor, whatever the marks say."""
    tools: dict[str, Tool] = {}
    reports: list[ToolReport] = []
    for whose, kit in tool_holders(environment).items():
        for key, function in public_functions(type(kit)).items():
            bound, source = not isinstance(function, staticmethod), _source(type(kit), key, function)
            made, report = import_function(key, function, bound, source)
            if made is not None:
                own = made.name if made.name not in tools else f"{made.name}_{whose}"
                if own != made.name:
                    reasons = (*report.reasons, f"another tool is called {made.name} too, this one called {own}")
                    report = report.model_copy(update={"name": own, "outcome": "repaired", "reasons": reasons})
                tools[own] = made.model_copy(update={"name": own, "requestor": whose})
            reports.append(report)
    kind = type(environment)
    if not tools:
        raise ImportFailure(f"{kind.__name__}: no public function of `tools` or `user_tools` to make a tool of")
    toolset = Toolset(
        name=name or _snake_case(kind.__name__),
        tools=tuple(tools.values()),
        policy=policy_of(environment),
        provenance=(kind.__module__,),
    )
    return ImportReport(toolset=toolset, reports=tuple(reports))


def only_class(module: ModuleType) -> type | None:
    """Return the class of a module with marked tools, if it is the only one and the module has no public functions."""
    if any(_functions(module)) or import_classes(module) is not None:
        return None
    marked = [kind for kind in _classes(module) if any(mark_of(_plain(made)) for _, made in _functions(kind))]
    return marked[0] if len(marked) == 1 else None


def _classes(module: ModuleType) -> list[type]:
    """Return the classes defined in a module that define public functions themselves."""
    own = [kind for kind in vars(module).values() if isinstance(kind, type) and kind.__module__ == module.__name__]
    return [
        kind
        for kind in own
        if any(key[0] != "_" and inspect.isfunction(_plain(made)) for key, made in vars(kind).items())
    ]


def public_functions(owner: Any) -> dict[str, Any]:
    """Return the functions of a class or module that are tools: the marked ones, else all public ones but `HOOKS`."""
    functions = dict(_functions(owner))
    marked = {key: function for key, function in functions.items() if mark_of(_plain(function)) is not None}
    return marked or {key: function for key, function in functions.items() if key not in HOOKS}


def import_function(key: str, function: Any, skips_first: bool, source: Source) -> tuple[Tool | None, ToolReport]:
    """Make a tool of a function, with a report; None if its signature cannot be described in JSON Schema.

    `skips_first` leaves out the first parameter (`self`, or the state).
    """
    plain = _plain(function)
    mark = mark_of(plain) or Mark()
    document = parse_docstring(plain.__doc__)
    try:
        hints = typing.get_type_hints(plain, include_extras=True)
        parameters, repairs = _parameters(plain, hints, document, skips_first)
        returns = _returns(hints, document)
        made = Tool(
            name=mark.name or key,
            original_name=key,
            description=document.description,
            summary=document.summary,
            parameters=parameters,
            returns=returns,
            effect=mark.effect or effect_of_name(key, document.description),
            requestor=mark.requestor,
            phrases=ToolPhrases(wishes=mark.phrases),
            source=source,
        )
    except (ValueError, TypeError, NameError) as error:
        reason = error.errors()[0]["msg"] if isinstance(error, ValidationError) else str(error).splitlines()[0]
        return None, ToolReport(name=key, outcome="rejected", reasons=(reason,), source=source)
    outcome: typing.Literal["imported", "repaired"] = "repaired" if repairs else "imported"
    asked = nondeterministic_calls(inspect.unwrap(plain))
    if asked:
        warning = "answers that differ each time fail the check that makes the calls again"
        repairs.append(f"calls {', '.join(asked)}: {warning}")
    return made, ToolReport(name=made.name, outcome=outcome, reasons=tuple(repairs), source=source)


def signature_of(function: Any) -> dict[str, Any]:
    """Return the annotation of each parameter of a bound or plain function; `Any` for one without."""
    hints = typing.get_type_hints(inspect.unwrap(function), include_extras=True)
    return {name: hints.get(name, Any) for name in inspect.signature(function).parameters}


def _functions(owner: Any) -> Iterator[tuple[str, Any]]:
    """Yield the public functions that `owner` defines or inherits, in the order of definition."""
    if isinstance(owner, ModuleType):
        members = {
            key: value
            for key, value in vars(owner).items()
            if inspect.isfunction(value) and value.__module__ == owner.__name__
        }
    else:
        members = {}
        for part in reversed(owner.__mro__[:-1]):
            members |= vars(part)
    for key, value in members.items():
        if inspect.isfunction(_plain(value)) and not key.startswith("_"):
            yield key, value


def _source(owner: Any, key: str, function: Any) -> Source:
    """Return the source of a tool: its class and key for a method, wherever that is defined, else its module."""
    if isinstance(owner, type):
        return Source(file=owner.__module__, pointer=f"{owner.__qualname__}.{key}")
    return Source(file=function.__module__, pointer=function.__qualname__)


def _plain(function: Any) -> Any:
    return function.__func__ if isinstance(function, (staticmethod, classmethod)) else function


def _parameters(
    function: Any, hints: dict[str, Any], document: Docstring, bound: bool
) -> tuple[dict[str, Any], list[str]]:
    """Return the schema of the arguments, and the repairs that it took."""
    properties: dict[str, Any] = {}
    required: list[str] = []
    repairs: list[str] = []
    for parameter in list(inspect.signature(function).parameters.values())[1 if bound else 0 :]:
        name = parameter.name
        if parameter.kind is parameter.VAR_KEYWORD and properties:
            repairs.append(f"parameter **{name} left out")
            continue
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD, parameter.POSITIONAL_ONLY):
            raise Unsupported(f"parameter {name} cannot be given by name")
        told = schema_of(hints[name]) if name in hints else _written(name, document, repairs)
        properties[name] = _property(parameter, told, hints.get(name), document)
        if parameter.default is parameter.empty:
            required.append(name)
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required
    return schema | {"additionalProperties": False}, repairs


def _written(name: str, document: Docstring, repairs: list[str]) -> dict[str, Any]:
    """Return the schema of a parameter without annotation, from its type in the docstring; adds to `repairs`."""
    text = document.types.get(name, "")
    read = read_type(text) if text else None
    if read is None or not read.schema:
        repairs.append(f"parameter {name} has no annotation; any value is allowed")
        return {}
    repairs.append(f"parameter {name} has no annotation; the docstring says {text}")
    return without_null(read.schema)


def _property(
    parameter: inspect.Parameter, schema: dict[str, Any], annotation: Any, document: Docstring
) -> dict[str, Any]:
    """Return the schema of a parameter with its description and default."""
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
    """Return the schema of the result, from annotation and docstring; None if it must be learnt from calls."""
    annotation = hints.get("return", Any)
    told: dict[str, Any] | None = None
    if annotation is not Any:
        with contextlib.suppress(Unsupported):
            told = schema_of(annotation, "serialization")
    schema = with_documented(told, document.result)
    return {**schema, "description": document.returns} if schema is not None and document.returns else schema


def _snake_case(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


_SOURCES = {
    "random": "random randint randrange choice choices sample shuffle uniform gauss normalvariate getrandbits randbytes",
    "secrets": "token_hex token_urlsafe token_bytes randbelow choice randbits",
    "uuid": "uuid1 uuid4",
    "time": "time time_ns monotonic perf_counter ctime localtime gmtime",
    "datetime": "now today utcnow",
    "os": "urandom",
}
_CLOCK = ("time.", "datetime.", "uuid.uuid1")
_ASKED = {name: frozenset(listed.split()) for name, listed in _SOURCES.items()}


def nondeterministic_calls(function: Any) -> tuple[str, ...]:
    """Return the sorted names of the clock functions that `function` calls directly; if it is async, also of random ones.

          def create(self, item): return {"id": uuid.uuid4().hex, "at": time.time()}     ->    ("time.time",)
    async def create(self, item): return {"id": uuid.uuid4().hex, "at": time.time()}     ->    ("time.time", "uuid.uuid4")

    Records are checked by running their calls again, which must give the same results. Random functions are seeded during a
    synchronous call (see steady_chance in environments/toolkit), which is not possible while other calls run concurrently.
    """
    code = getattr(function, "__code__", None)
    if code is None:
        return ()
    held = getattr(function, "__globals__", {})
    found, owner = set(), ""
    for step in dis.get_instructions(code):
        name = step.argval if isinstance(step.argval, str) else ""
        if step.opname == "LOAD_GLOBAL":
            owner = _owner(held.get(name))
            if owner and name in _ASKED[owner] and not isinstance(held[name], (ModuleType, type)):
                found.add(f"{owner}.{name}")
        elif step.opname in ("LOAD_ATTR", "LOAD_METHOD") and owner and name in _ASKED[owner]:
            found.add(f"{owner}.{name}")
        elif step.opname not in ("LOAD_ATTR", "LOAD_METHOD", "CACHE", "PUSH_NULL", "PRECALL"):
            owner = ""
    waits = inspect.iscoroutinefunction(function)
    return tuple(sorted(name for name in found if waits or name.startswith(_CLOCK)))


def _owner(value: Any) -> str:
    """Return the module of `_SOURCES` that a value is, or is defined in; empty for any other."""
    name = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", "")
    if getattr(value, "__self__", None) is not None and type(value.__self__).__module__ == "random":
        name = "random"
    return name if name in _ASKED else ""
