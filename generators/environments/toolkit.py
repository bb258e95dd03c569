"""Any Python object with tools -> an environment: its methods are called, its attributes are the state."""

import inspect
import json
from collections.abc import Callable, Mapping
from typing import Any

from pydantic import ValidationError

from interplay.generators.environments.entries import Snapshot
from interplay.generators.environments.plain import as_json
from interplay.generators.environments.tables import infer_resources
from interplay.generators.environments.tracking import Tracker
from interplay.generators.importers.annotations import reader_of
from interplay.generators.importers.python import ToolError, signature_of
from interplay.schemas.canonical import Change
from interplay.schemas.dialogue import ToolCall, ToolResult
from interplay.schemas.errors import ConfigError, EnvironmentFailure
from interplay.schemas.json_schema import errors, validator
from interplay.schemas.tools import Tool, Toolset

TOOL_ERRORS = (ToolError, ValueError, LookupError)
"""What a tool raises to say that it cannot do what is asked; anything else is a bug in the tool."""


class Toolkit:
    """An environment of one object that `make` makes; each environment gets an object of its own.

    The state is what `vars()` of the object holds. Tables, the resources, are dict attributes whose values are rows.
    """

    def __init__(self, make: Callable[[], object], toolset: Toolset) -> None:
        self.toolset = toolset
        self._object = make()
        try:
            self._tracker = Tracker(vars(self._object))
        except TypeError as error:
            raise ConfigError(
                f"{type(self._object).__name__} keeps no attributes in vars(), so it has no state"
            ) from error
        self._tools = {tool.name: _Bound(tool, self._object) for tool in toolset.tools}
        self.resources = infer_resources(toolset, self.state())

    async def call(self, call: ToolCall) -> ToolResult:
        """Call the tool; what it raises or returns as an error, and wrong arguments, become an error result."""
        bound = self._tools.get(call.name)
        if bound is None:
            return ToolResult.failed(call, f"Error: there is no tool called {call.name}.")
        wrong = bound.wrong(call.arguments)
        if wrong:
            return ToolResult.failed(call, wrong)
        try:
            value = as_json(await bound.run(call.arguments))
        except TOOL_ERRORS as error:
            return ToolResult.failed(call, _text(error))
        except EnvironmentFailure:
            raise
        except Exception as error:
            raise EnvironmentFailure(f"tool {call.name} broke: {type(error).__name__}: {error}") from error
        finally:
            self._tracker.settle()
        failure = _returned_error(value)
        return ToolResult.of(call, value) if failure is None else ToolResult.failed(call, failure)

    def state(self) -> Mapping[str, Mapping[str, Any]]:
        """Return the public dict attributes, live."""
        return self._tracker.tables()

    def snapshot(self) -> Snapshot:
        """Return a token for the present state; costs as much as there are entries that changed."""
        return self._tracker.snapshot()

    def restore(self, snapshot: Snapshot) -> None:
        """Bring back the state of a snapshot."""
        self._tracker.restore(snapshot)

    def digest(self) -> str:
        """Return the digest of the public state."""
        return self._tracker.digest()

    def changes(self) -> tuple[Change, ...]:
        """Return the difference of the public state from when the environment was opened."""
        return self._tracker.changes()


class _Bound:
    """A tool with the function that serves it."""

    def __init__(self, tool: Tool, owner: object) -> None:
        function: Any = getattr(owner, tool.original_name, None)
        if not callable(function):
            raise ConfigError(f"{type(owner).__name__} has no function {tool.original_name} for the tool {tool.name}")
        self._function: Callable[..., Any] = function
        self._parameters = tool.parameters
        self._validator = validator(tool.parameters)
        readers = {name: reader_of(annotation) for name, annotation in signature_of(function).items()}
        self._readers = {name: reader for name, reader in readers.items() if reader is not None}

    def wrong(self, arguments: dict[str, Any]) -> str | None:
        """Say what is wrong with the arguments, if anything."""
        if self._validator.is_valid(arguments):
            return None
        found = (
            f"{'.'.join(map(str, path)) or 'arguments'}: {message}"
            for path, message in errors(arguments, self._parameters)
        )
        return f"Error: invalid arguments: {'; '.join(found)}"

    async def run(self, arguments: dict[str, Any]) -> Any:
        """Call the function with copies of the arguments, in the types of its annotations.

        Raises:
            ToolError: the arguments do not fit the signature.
        """
        copies = as_json(arguments)
        for name, reader in self._readers.items():
            if name in copies:
                copies[name] = reader(copies[name])
        try:
            result = self._function(**copies)
        except TypeError as error:
            if error.__traceback__ is not None and error.__traceback__.tb_next is None:
                raise ToolError(f"Error: invalid arguments: {error}") from error
            raise
        return await result if inspect.isawaitable(result) else result


def _text(error: Exception) -> str:
    """Return what a raised error says; a KeyError without a sentence names the key that was not found."""
    if isinstance(error, ValidationError):
        found = (f"{'.'.join(map(str, part['loc']))}: {part['msg']}".removeprefix(": ") for part in error.errors())
        return f"Error: invalid arguments: {'; '.join(found)}"
    if isinstance(error, KeyError) and len(error.args) == 1:
        said = str(error.args[0])
        return said if " " in said else f"Not found: {said}"
    return str(error) or type(error).__name__


def _returned_error(value: Any) -> str | None:
    """Return the error that a tool gave back as its result, if it did."""
    if isinstance(value, str) and value.startswith("Error"):
        return value
    if isinstance(value, dict) and value.get("error"):
        alone = len(value) == 1 and isinstance(value["error"], str)
        return value["error"] if alone else json.dumps(value, ensure_ascii=False)
    return None
