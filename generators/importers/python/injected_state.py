"""Functions that take the state as their first argument -> which they are, and where the state comes from.

    def book(data: dict, flight_id: str) -> str                    the tool book(flight_id)
    class BookFlight:                                              the tool that get_info() describes
        def invoke(data: dict, flight_id: str) -> str
        def get_info() -> {"type": "function", "function": {...}}

The state is `data`, `db` or `state` of the module or its package, or what `load_data()` there returns.
Source: tau-bench, envs/tool.py.
"""

import inspect
import sys
import typing
from collections.abc import Callable, Mapping
from functools import partial
from types import ModuleType
from typing import Any

from interplay.generators.importers.definitions.importer import import_definitions
from interplay.schemas.records.tool import ImportReport, Source

INJECTED = ("data", "db", "state", "database")
LOADERS = ("load_data", "load_db", "load_state")


def injected_name(function: Any) -> str | None:
    """Return the name of the parameter that takes the state: the first, if its name and type fit; else None."""
    parameters = list(inspect.signature(function).parameters.values())
    if not parameters or parameters[0].name not in INJECTED:
        return None
    try:
        annotation = typing.get_type_hints(function).get(parameters[0].name, Any)
    except (NameError, TypeError):
        annotation = Any
    kind = typing.get_origin(annotation) or annotation
    plain = isinstance(kind, type) and issubclass(kind, str | int | float | list | tuple | set | bytes)
    return None if plain else parameters[0].name


def state_source(module: ModuleType) -> Callable[[], Any] | None:
    """Return a function that returns the state for a module's functions; None if there is none."""
    name = module.__name__
    parent = name.rpartition(".")[0]
    places = [
        module,
        *(sys.modules[each] for each in (f"{name}.data", parent, f"{parent}.data") if each in sys.modules),
    ]
    for place in places:
        for loader in LOADERS:
            if callable(getattr(place, loader, None)):
                return typing.cast(Callable[[], Any], getattr(place, loader))
        for held in INJECTED:
            value = getattr(place, held, None)
            if value is not None and not isinstance(value, (ModuleType, type)) and not callable(value):
                return partial(getattr, place, held)
    return None


def is_handed_state(module: ModuleType, functions: Mapping[str, Any]) -> bool:
    """Tell whether functions of a module take the state: some have a parameter for it, and a state exists or all do."""
    wanting = [function for function in functions.values() if injected_name(function)]
    return bool(wanting) and (state_source(module) is not None or len(wanting) == len(functions))


def tool_classes(module: ModuleType) -> dict[str, Any]:
    """Return the classes of a module that describe one tool each, by class name."""
    listed = getattr(module, "ALL_TOOLS", None)
    found = listed if isinstance(listed, (list, tuple)) else vars(module).values()
    return {held.__name__: held for held in found if isinstance(held, type) and _info(held) is not None}


def tool_functions(module: ModuleType) -> dict[str, Any]:
    """Return `invoke` of each tool class, by tool name."""
    return {
        _function_of(_info(held))["name"]: inspect.getattr_static(held, "invoke")
        for held in tool_classes(module).values()
    }


def import_classes(module: ModuleType) -> ImportReport | None:
    """Import the tool classes of a module; None if it has none."""
    classes = tool_classes(module)
    if not classes:
        return None
    infos = [_info(held) for held in classes.values()]
    report = import_definitions(infos, module.__name__, module.__name__.rpartition(".")[2], module.__name__)
    sources = {
        _function_of(info)["name"]: Source(file=held.__module__, pointer=held.__qualname__)
        for info, held in zip(infos, classes.values(), strict=True)
    }
    tools = tuple(
        tool.model_copy(update={"source": sources.get(tool.original_name, tool.source)})
        for tool in report.toolset.tools
    )
    return ImportReport(toolset=report.toolset.model_copy(update={"tools": tools}), reports=report.reports)


def _info(held: Any) -> Any:
    """Return the result of `get_info()` of a tool class; None for other classes and abstract ones."""
    if not callable(getattr(held, "get_info", None)) or not callable(getattr(held, "invoke", None)):
        return None
    try:
        info = held.get_info()
    except (NotImplementedError, TypeError):
        return None
    return info if isinstance(info, Mapping) and "name" in _function_of(info) else None


def _function_of(info: Any) -> Any:
    return info.get("function", info)
