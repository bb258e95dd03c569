"""A Python class, object or module, and an optional scenario -> a factory of the object that an environment calls.

    class FileSystem:    _load_scenario(self, scenario)            FileSystem(), then _load_scenario(scenario)
    class Airline:       __init__(self, db: FlightDatabase)        Airline(FlightDatabase from the scenario)
    module               def book(data, flight_id), load_data()    its functions over load_data(), or the scenario
    module               def get_environment(db=None)              get_environment(db from the scenario)

A scenario is a JSON object with the initial state. If the name of the class is among its keys, the scenario is for several
classes, and only the part under that key is used.

Source: Berkeley Function Calling Leaderboard, multi-turn classes; tau2-bench, ToolKitBase; tau-bench, Tool.invoke.
"""

import copy
import inspect
import json
import typing
from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from types import ModuleType
from typing import Any

from pydantic import TypeAdapter
from pydantic.errors import PydanticUserError

from interplay.generators.importers.python.importer import public_functions
from interplay.generators.importers.python.injected_state import (
    injected_name,
    is_handed_state,
    state_source,
    tool_functions,
)
from interplay.generators.importers.python.sides import environment_of, factory_of
from interplay.schemas.errors import ConfigError
from interplay.schemas.json.canonical import at_pointer

LOADERS = ("load_scenario", "_load_scenario")
_STATES = ("db", "database", "data", "state", "scenario", "initial_state", "config", "initial_config", "tables")


class Injected:
    """The functions of a module, each with the same `data` passed as its first argument."""

    def __init__(self, name: str, functions: Mapping[str, Any], data: Any) -> None:
        self.data = data
        for key, function in functions.items():
            plain = function.__func__ if isinstance(function, (staticmethod, classmethod)) else function
            setattr(self, key, self._bound(plain) if injected_name(plain) else plain)
        self.__doc__ = f"The tools of {name}."

    def _bound(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def call(**arguments: Any) -> Any:
            return function(self.data, **arguments)

        signature = inspect.signature(function)
        vars(call)["__signature__"] = signature.replace(parameters=list(signature.parameters.values())[1:])
        return call


def scenario_at(query: str, where: str) -> dict[str, Any] | None:
    """Read the scenario named by `scenario=FILE[#/POINTER]`; none if `query` is empty.

    Raises:
        ConfigError: the query is malformed, or the file holds no JSON object there.
    """
    if not query:
        return None
    key, _, place = query.partition("=")
    if key != "scenario" or not place:
        raise ConfigError(f"{where}: expected ?scenario=FILE[#/POINTER], got ?{query}")
    file, _, pointer = place.partition("#")
    try:
        found = at_pointer(json.loads(Path(file).read_text(encoding="utf-8")), pointer)
    except (OSError, ValueError, LookupError) as error:
        raise ConfigError(f"{where}: {file}: {error}") from error
    if not isinstance(found, dict):
        raise ConfigError(f"{where}: {file}: {pointer or '/'} is a {type(found).__name__}; expected an object.")
    return found


def maker_of(target: object, scenario: Mapping[str, Any] | None = None) -> Callable[[], object]:
    """Return a factory of fresh objects for `target`: a class, a module with functions that take the state, or an object.

    Raises:
        ConfigError: the target takes no scenario, or there is no state for the functions.
    """
    if environment_of(target) is not None:
        return _sides_maker(target, scenario)
    if isinstance(target, ModuleType):
        return _module_maker(target, scenario)
    if not isinstance(target, type):
        loader = _loader(type(target))
        if scenario is None or loader is None:
            _refuse(scenario, type(target).__name__)
            return lambda: target
        return lambda: _loaded(copy.deepcopy(target), loader, scenario)
    return _class_maker(target, scenario)


def _sides_maker(target: object, scenario: Mapping[str, Any] | None) -> Callable[[], object]:
    """Return a factory of an environment with two sides; a scenario holds the arguments of its function, or the state."""
    factory = factory_of(target)
    if factory is None:
        _refuse(scenario, type(target).__name__)
        return lambda: copy.deepcopy(target)
    if scenario is None:
        return factory
    hints = _hints(factory)
    argument = _state_argument(factory)
    if scenario and scenario.keys() <= inspect.signature(factory).parameters.keys():
        given = dict(scenario)
    elif argument is None:
        raise ConfigError(f"{factory.__name__}() takes no scenario: give it an argument `db`.")
    else:
        given = {argument[0]: scenario}

    def make() -> object:
        where = f"{factory.__name__}({', '.join(f'{name}=...' for name in given)})"
        return factory(
            **{name: _read(copy.deepcopy(value), hints.get(name, Any), where) for name, value in given.items()}
        )

    return make


def _class_maker(target: type, scenario: Mapping[str, Any] | None) -> Callable[[], object]:
    held = scenario.get(target.__name__, scenario) if scenario is not None else None
    loader = _loader(target)
    if loader is not None and held is not None:
        return lambda: _loaded(_made(target), loader, held)
    if loader is not None:
        return lambda: _begun(target, loader)
    argument = _state_argument(target)
    if held is None:
        return lambda: _made(target)
    if argument is None:
        _refuse(held, target.__name__)
        return lambda: _made(target)
    name, annotation = argument
    return lambda: _made(target, **{name: _read(copy.deepcopy(held), annotation, f"{target.__name__}({name}=...)")})


def _module_maker(module: ModuleType, scenario: Mapping[str, Any] | None) -> Callable[[], object]:
    functions = public_functions(module)
    classes = tool_functions(module)
    if not classes and not is_handed_state(module, functions):
        _refuse(scenario, module.__name__)
        return lambda: module
    source = state_source(module)
    if scenario is None and source is None:
        raise ConfigError(
            f"{module.__name__}: no state to hand to its functions; give `data`, `load_data()` or ?scenario="
        )
    everything = {**functions, **classes}

    def make() -> object:
        data = scenario if scenario is not None else source() if source is not None else {}
        return Injected(module.__name__, everything, copy.deepcopy(data))

    return make


def _made(target: type, **arguments: Any) -> object:
    try:
        made: object = target(**arguments)
    except Exception as error:
        hint = "" if arguments else "; give the state that it begins in with ?scenario=PATH"
        raise ConfigError(f"{target.__name__} cannot be made: {type(error).__name__}: {error}{hint}") from error
    return made


def _loader(target: type) -> str | None:
    return next((name for name in LOADERS if callable(getattr(target, name, None))), None)


def _loaded(made: object, loader: str, scenario: Mapping[str, Any]) -> object:
    """Load a scenario into an object; a loader that returns an object of its class (a class method) replaces it."""
    try:
        given = getattr(made, loader)(copy.deepcopy(scenario))
    except Exception as error:
        raise ConfigError(
            f"{type(made).__name__}.{loader} refuses the scenario: {type(error).__name__}: {error}"
        ) from error
    return given if isinstance(given, type(made)) else made


def _begun(target: type, loader: str) -> object:
    """Return an object in its initial state: after loading an empty scenario, unless that removes data.

    Raises:
        ConfigError: an empty scenario is refused, and the object has no state without one.
    """
    made = _made(target)
    held = _weight(vars(made)) if hasattr(made, "__dict__") else 0
    try:
        loaded = _loaded(_made(target), loader, {})
    except ConfigError:
        if held:
            return made
        raise
    return loaded if not hasattr(loaded, "__dict__") or _weight(vars(loaded)) >= held else made


def _weight(value: Any, depth: int = 0) -> int:
    """Count the items in containers and objects, a few levels deep."""
    inner = value if isinstance(value, (Mapping, list, tuple, set)) else getattr(value, "__dict__", None)
    if inner is None or isinstance(value, (type, ModuleType)) or callable(value) or depth > LEVELS:
        return 0
    items = inner.values() if isinstance(inner, Mapping) else inner
    return sum(1 + _weight(item, depth + 1) for item in items)


LEVELS = 3
"""Levels of nested containers that are counted."""


def _state_argument(target: Callable[..., Any]) -> tuple[str, Any] | None:
    """Return name and type of the parameter for the state: one with a usual name, or the only (required) one."""
    parameters = [
        each
        for each in list(inspect.signature(target).parameters.values())
        if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)
    ]
    named = [each for name in _STATES for each in parameters if each.name == name]
    needed = [each for each in parameters if each.default is each.empty]
    chosen = next(iter(named or (needed if len(needed) == 1 else parameters if len(parameters) == 1 else [])), None)
    if chosen is None:
        return None
    hints = _hints(inspect.getattr_static(target, "__init__")) if isinstance(target, type) else {}
    hints |= _hints(target)
    return chosen.name, hints.get(chosen.name, Any)


def _hints(source: Any) -> dict[str, Any]:
    """Return the type hints of a function or class; empty if they cannot be resolved."""
    try:
        return typing.get_type_hints(source)
    except (NameError, TypeError):
        return {}


def _read(value: Any, annotation: Any, where: str) -> Any:
    try:
        return TypeAdapter(annotation).validate_python(value)
    except PydanticUserError:
        return value
    except ValueError as error:
        raise ConfigError(f"{where}: the scenario does not fit: {str(error).splitlines()[0]}") from error


def _refuse(scenario: object, name: str) -> None:
    if scenario is not None:
        raise ConfigError(f"{name} takes no scenario: give it _load_scenario(dict), or a constructor argument `db`.")
