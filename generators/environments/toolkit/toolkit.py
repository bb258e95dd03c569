"""Any Python object with tools -> an environment: its methods are the tools, its attributes the state.

A call that raises is rolled back. A call that returns an error (`"Error..."` or `{"error": ...}`) keeps its changes. After each
call that does not raise, the two sides of an object with tools for the user are synchronised, whether they are methods
of one object or of two (see importers/python/sides).
"""

import ast
import asyncio
import contextlib
import copy
import dis
import inspect
import json
import sys
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from itertools import islice
from types import ModuleType
from typing import Any
from weakref import WeakKeyDictionary

from pydantic import ValidationError

from interplay.generators.environments.toolkit import call_marks
from interplay.generators.environments.toolkit.bare_attributes import BareAttributes, is_private
from interplay.generators.environments.toolkit.call_limits import TookTooLong, awaited, limited, no_terminal, staying
from interplay.generators.environments.toolkit.joined_attributes import JoinedAttributes
from interplay.generators.environments.toolkit.nested_rows import NestedRows, Place, find_places
from interplay.generators.environments.toolkit.plain_json import as_answer, as_json, json_and_text, writable
from interplay.generators.environments.toolkit.state_entries import Snapshot, is_state
from interplay.generators.environments.toolkit.steady_chance import steady_chance
from interplay.generators.environments.toolkit.table_roles import infer_resources
from interplay.generators.environments.toolkit.tracker import Tracker
from interplay.generators.importers.python.annotations import reader_of
from interplay.generators.importers.python.importer import ToolError, signature_of
from interplay.generators.importers.python.sides import tool_holders
from interplay.generators.results.acknowledgement import text_within
from interplay.generators.results.spoken_error import refusal_in
from interplay.schemas.errors import ConfigError, EnvironmentFailure
from interplay.schemas.json.canonical import Change, canonical_json
from interplay.schemas.json.fields import object_properties
from interplay.schemas.json.validation import errors, is_valid
from interplay.schemas.records.dialogue import ToolCall, ToolResult
from interplay.schemas.records.tool import Requestor, ResourceModel, Tool, Toolset

TOOL_ERRORS = (ToolError, ValueError, LookupError)
"""Exceptions by which a tool refuses a call; so do exceptions of the tool's own package, bare `Exception`, and whatever a
`raise` in that package raises. Anything else is a bug in the tool.
"""

_BUGS = (AssertionError, NotImplementedError, EnvironmentFailure)
_ENDS = (KeyboardInterrupt, GeneratorExit, asyncio.CancelledError)
"""Exceptions that end more than a call, unless a tool raises them itself."""

_RAISE = dis.opmap["RAISE_VARARGS"]

SYNCHRONISERS = ("sync_tools", "synchronise", "synchronize")
"""Methods that synchronise the two sides of an object; the first that exists runs after each call."""

Synchronise = Callable[[Any], Any]


class EndsProcess(Exception):
    """A call is refused: it would end the process."""


PATIENCE = 5.0
"""Seconds that a call may take; a tool that took longer is not called again."""

LARGEST = 200_000
"""Characters of an answer at most in a forgiving toolkit; a longer one is an error."""

SAID = 300
"""Characters of a tool's exception that are reported."""


_STARTS: WeakKeyDictionary[ModuleType, dict[str, Any]] = WeakKeyDictionary()
"""The state of each module before any call: there is one of each in a process, and every toolkit over it begins there."""


def _begin_again(module: ModuleType) -> None:
    """Give a module the state that it had before the first toolkit was opened over it, or note that state."""
    held = {name: value for name, value in vars(module).items() if is_state(name, value)}
    if module not in _STARTS:
        _STARTS[module] = _copies(held)
    else:
        for name in held.keys() - _STARTS[module].keys():
            delattr(module, name)
        vars(module).update(_copies(_STARTS[module]))


def _copies(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return deep copies of values, each with itself where it cannot be copied: a lock, a connection."""
    memo, found = dict[int, Any](), dict[str, Any]()
    for name, value in values.items():
        try:
            found[name] = copy.deepcopy(value, memo)
        except Exception:  # whatever a class may do when it is copied
            found[name] = value
    return found


class Toolkit:
    """An environment over an object made by `make`; each environment gets an object of its own.

    The state is the `vars()` of the object. Tables, the resources, are dict attributes whose values are rows (dicts, models or
    dataclasses), and the same in a database that an attribute holds. After each call, `synchronise` is called with the
    object; without it, the object's own `sync_tools` or `synchronise`.

    A call breaks if the tool has a bug or its answer has no JSON form; in a `forgiving` toolkit also if it takes longer than
    `patience` seconds or its answer is too long. A broken call ends the run, unless the toolkit is `forgiving`: then it
    returns an error, kept in `troubles` by the name of the tool. `stuck` holds the tools that took too long, and `itself` those
    that returned the object whose methods are the tools.
    """

    def __init__(
        self,
        make: Callable[[], object],
        toolset: Toolset,
        synchronise: Synchronise | None = None,
        like: "Toolkit | None" = None,
        name: str = "",
        *,
        forgiving: bool = False,
    ) -> None:
        """Make the object; `like` is an open toolkit of the same kind and tools, whose inferred roles are reused.

        `name` identifies the initial state in digests; it must differ from the names of all others.
        """
        self.toolset = toolset
        self.troubles: dict[str, str] = {}
        self.stuck: set[str] = set()
        self.itself: set[str] = set()
        self.patience = PATIENCE
        self._forgiving = forgiving
        self._object = make()
        if isinstance(self._object, ModuleType):
            _begin_again(self._object)
        methods = (getattr(type(self._object), name, None) for name in SYNCHRONISERS)
        self._synchronise: Synchronise | None = synchronise or next(filter(callable, methods), None)
        try:
            self._synchronise_sides()
            kits = tool_holders(self._object)
            self._tracker = Tracker(_attributes(self._object, kits), self._object, *kits.values(), name=name)
        except TypeError as error:
            raise ConfigError(
                f"{type(self._object).__name__} keeps no attributes in vars(), so it has no state"
            ) from error
        owners = {tool.name: kits.get(tool.requestor, self._object) for tool in toolset.tools}
        self._nested: dict[str, Mapping[str, Any]] | None = None
        self._places: tuple[Place, ...] = ()
        self.resources: ResourceModel
        if like is None:
            self._tools = {tool.name: _Bound(tool, owners[tool.name]) for tool in toolset.tools}
            self._find_rows()
        else:
            self._places = like._places
            self._tools = {name: like._tools[name].of(owner) for name, owner in owners.items()}
            self.resources = like.resources

    async def call(self, call: ToolCall) -> ToolResult:
        """Call the tool; refusals, returned errors and wrong arguments become error results."""
        bound = self._tools.get(call.name)
        if bound is None or bound.requestor != call.requestor:
            whose = "" if bound is None else f" for the {call.requestor}"
            return ToolResult.failed(call, f"Error: there is no tool called {call.name}{whose}.")
        wrong = bound.wrong(call.arguments)
        if wrong:
            return ToolResult.failed(call, wrong)
        if call.name in self.stuck:
            return ToolResult.failed(call, f"Error: {self.troubles[call.name]}")
        before, self._nested = self._tracker.snapshot(), None
        try:
            answer = await (self._limited(bound, call) if self._forgiving else bound.run(call.arguments))
            result = _result(call, as_answer(answer) if self._forgiving else as_json(answer), bound.is_typed)
            if self._forgiving and len(result.text) > LARGEST:
                raise OverflowError(
                    f"its answer is {len(result.text):,} characters long; at most {LARGEST:,} are taken"
                )
            self._synchronise_sides()
            self._tracker.take_in_changes()
        except BaseException as error:
            self._tracker.restore(before)
            if isinstance(error, _ENDS) and _raised_in(error) is None:
                raise  # not raised by the tool, and about more than this call
            if isinstance(error, Exception) and bound.means(error):
                return ToolResult.failed(call, _text(error))
            if isinstance(error, EnvironmentFailure):
                raise
            if self._forgiving:
                return ToolResult.failed(call, self._trouble(call, error))
            raise EnvironmentFailure(f"tool {call.name} broke: {type(error).__name__}: {error}") from error
        return result

    async def _limited(self, bound: "_Bound", call: ToolCall) -> Any:
        """Call a function with a time limit; if it returns nothing, its output is the answer."""
        seed = self._seed(call)
        marked = call_marks.Call(call.name, canonical_json(call.arguments), call_marks.key_of(seed))
        if marked.key in call_marks.ENDING:
            raise EndsProcess(f"ends the process ({call_marks.ENDING[marked.key]})")
        with no_terminal() as printed, staying(), call_marks.under_way(marked):
            with limited(self.patience), steady_chance(seed):
                answer = bound.start(call.arguments)
                if isinstance(answer, Iterator):  # a generator runs while it is read
                    answer = list(islice(answer, LARGEST))
            if inspect.isawaitable(answer):
                answer = await awaited(answer, self.patience)
        if isinstance(answer, type(self._object)) and type(answer) is not ModuleType:
            self.itself |= set() if bound.is_method else {call.name}
            return None
        said = printed.text.strip() if answer is None else ""
        return f"Error: {said}" if said and refusal_in(said) else said or answer

    def begin_here(self) -> None:
        """Make the present state the initial one; earlier snapshots become invalid."""
        self._tracker.begin_here()
        self._find_rows()

    def _find_rows(self) -> None:
        taken = {name for tool in self.toolset.tools for name in object_properties(tool.parameters)}
        self._nested = None
        self._places = find_places(self._tracker.attributes(), self._tracker.tables(), taken)
        self.resources = infer_resources(self.toolset, self.state())

    def _seed(self, call: ToolCall) -> str:
        """Return the seed for the random draws of a call: the call, and the state it is made in."""
        return f"{call.name}/{canonical_json(call.arguments)}/{self._tracker.digest()}"

    def _trouble(self, call: ToolCall, error: BaseException) -> str:
        """Return the error message of a broken call, and record the first one of each tool in `troubles`."""
        kind = "" if isinstance(error, EndsProcess) else f"{type(error).__name__}: "
        told = f"took longer than {self.patience:g} s" if isinstance(error, TookTooLong) else f"{kind}{error}"[:SAID]
        self.troubles.setdefault(call.name, told)
        if isinstance(error, TookTooLong):
            self.stuck.add(call.name)
        return f"Error: {told}"

    def _synchronise_sides(self) -> None:
        if self._synchronise is None:
            return
        try:
            self._synchronise(self._object)
        except Exception as error:
            raise EnvironmentFailure(f"the sides cannot be synchronised: {type(error).__name__}: {error}") from error

    def state(self) -> Mapping[str, Mapping[str, Any]]:
        """Return the public dict attributes, live, and the rows found elsewhere, as they are now."""
        tables = self._tracker.tables()
        if not self._places:
            return tables
        if self._nested is None:
            attributes = self._tracker.attributes()
            self._nested = {place.table: NestedRows(place, attributes) for place in self._places}
        return {**tables, **self._nested}

    def holds(self) -> Mapping[str, Any]:
        """Return the public attributes as JSON."""
        held = self._tracker.attributes().items()
        shown = {name: value for name, value in held if name[0] != "_" and is_state(name, value)}
        return {name: as_json(value, lenient=True) for name, value in shown.items()}

    def snapshot(self) -> Snapshot:
        """Return a token for the present state, at a cost proportional to the number of changed entries."""
        return self._tracker.snapshot()

    def restore(self, snapshot: Snapshot) -> None:
        """Restore the state of a snapshot."""
        self._nested = None
        self._tracker.restore(snapshot)

    def digest(self) -> str:
        """Return the digest of the public state."""
        return self._tracker.digest()

    def changes(self) -> tuple[Change, ...]:
        """Return the difference of the public state from the initial one."""
        return self._tracker.changes()


class _Bound:
    """A tool with the function that implements it."""

    def __init__(self, tool: Tool, owner: object) -> None:
        function: Any = getattr(owner, tool.original_name, None)
        if not callable(function):
            raise ConfigError(f"{type(owner).__name__} has no function {tool.original_name} for the tool {tool.name}")
        self.requestor = tool.requestor
        self.is_typed = tool.returns is not None and text_within(tool.returns) != ""
        self._function: Callable[..., Any] = function
        self.is_method = getattr(function, "__self__", None) is owner
        self._signature = inspect.signature(function)
        named = [
            part
            for part in self._signature.parameters.values()
            if part.kind in (part.POSITIONAL_OR_KEYWORD, part.KEYWORD_ONLY)
        ]
        needed = frozenset(part.name for part in self._signature.parameters.values() if part.default is part.empty)
        self._needs, self._takes = (needed, frozenset(part.name for part in named))
        self._package = str(getattr(function, "__module__", "")).partition(".")[0]
        self._parameters = tool.parameters
        readers = {name: reader_of(annotation) for name, annotation in signature_of(function).items()}
        self._readers = {name: reader for name, reader in readers.items() if reader is not None}

    def of(self, owner: object) -> "_Bound":
        """Return the same tool bound to another object of the same kind."""
        other = copy.copy(self)
        other._function = getattr(owner, self._function.__name__)
        return other

    def wrong(self, arguments: dict[str, Any]) -> str | None:
        """Return what is wrong with the arguments, if anything."""
        if is_valid(arguments, self._parameters):
            return None
        found = (
            f"{'.'.join(map(str, path)) or 'arguments'}: {message}"
            for path, message in errors(arguments, self._parameters)
        )
        return f"Error: invalid arguments: {'; '.join(found)}"

    async def run(self, arguments: dict[str, Any]) -> Any:
        """Call the function, and await its result if needed; see `start`."""
        with contextlib.redirect_stdout(sys.stderr):  # standard output is for machine-readable answers
            result = self.start(arguments)
            return await result if inspect.isawaitable(result) else result

    def start(self, arguments: dict[str, Any]) -> Any:
        """Call the function with copies of the arguments, in the types of its annotations.

        Raises:
            ToolError: the arguments do not fit the signature.
        """
        if not self._needs <= arguments.keys() <= self._takes:
            try:
                self._signature.bind(**arguments)
            except TypeError as error:
                raise ToolError(f"Error: invalid arguments: {error}") from error
        copies = as_json(arguments)
        for name, reader in self._readers.items():
            if name in copies:
                copies[name] = reader(copies[name])
        return self._function(**copies)

    def means(self, error: Exception) -> bool:
        """Tell whether the tool raised `error` deliberately, to refuse the call."""
        if isinstance(error, TOOL_ERRORS) or type(error) is Exception:
            return True
        package = type(error).__module__.partition(".")[0]
        if package == self._package and package not in ("builtins", "interplay"):
            return True
        return not isinstance(error, _BUGS) and _raised_in(error) == self._package


def _raised_in(error: BaseException) -> str | None:
    """Return the package whose `raise` statement raised an error; none if the interpreter raised it."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None or trace.tb_frame.f_code.co_code[trace.tb_lasti] != _RAISE:
        return None
    return str(trace.tb_frame.f_globals.get("__name__", "")).partition(".")[0]


def _text(error: Exception) -> str:
    """Return the message of an exception; for a KeyError without a sentence, the key that was not found."""
    if isinstance(error, ValidationError):
        found = (f"{'.'.join(map(str, part['loc']))}: {part['msg']}".removeprefix(": ") for part in error.errors())
        return f"Error: invalid arguments: {'; '.join(found)}"
    if isinstance(error, KeyError) and len(error.args) == 1:
        said = str(error.args[0])
        return said if " " in said else f"Not found: {said}"
    return str(error) or type(error).__name__


def _attributes(owner: object, kits: Mapping[Requestor, object]) -> MutableMapping[str, Any]:
    """Return the live attributes of an object, joined with those of the objects that hold its tools."""
    if not kits:
        held = vars(owner)
        return BareAttributes(held) if is_private(held) else held
    parts = {**{str(whose): vars(kit) for whose, kit in kits.items()}, "environment": vars(owner)}
    return JoinedAttributes(parts, hidden=(owner, *kits.values()))


def _result(call: ToolCall, value: Any, is_typed: bool) -> ToolResult:
    """Wrap what a tool returned; an object or array in a string (JSON or Python syntax) is parsed unless text is declared."""
    value, text = json_and_text(value)
    failure = _returned_error(value)
    if failure is not None:
        return ToolResult.failed(call, failure)
    if is_typed or not isinstance(value, str) or value[:1] not in ("{", "["):
        return ToolResult(call_id=call.id, value=value, text=text)
    read, value = _read(value)
    if read is None:
        return ToolResult.of(call, value)
    if _returned_error(read) is not None:
        return ToolResult.failed(call, value)
    return ToolResult(call_id=call.id, value=read, text=value)


def _read(text: str) -> tuple[Any, str]:
    """Return the object or array that a text holds, in JSON or Python syntax, and its text in JSON; none for other texts."""
    try:
        return writable(json.loads(text)), text
    except (ValueError, RecursionError):
        pass
    try:
        return json_and_text(as_json(ast.literal_eval(text))) if len(text) <= LONGEST_LITERAL else (None, text)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return None, text


LONGEST_LITERAL = 50_000
"""Characters of a Python literal that is parsed at most."""


def _returned_error(value: Any) -> str | None:
    """Return the error that a tool returned as its result; none if it did not."""
    if isinstance(value, str) and value.startswith("Error"):
        return value
    if isinstance(value, dict) and value.get("error"):
        alone = len(value) == 1 and isinstance(value["error"], str)
        return value["error"] if alone else json.dumps(value, ensure_ascii=False)
    return None
