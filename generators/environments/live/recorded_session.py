"""Calls to a server with their results -> a file of JSON Lines, and an environment that answers from it.

    {"server": "mcp-server-time", "toolset": {...}}
    {"tool": "convert_time", "arguments": {...}, "value": {...}, "text": "{...", "after": "d41d8c..."}

The state of a server is hidden; all that is known of it are the calls that may have changed it, with their results. These calls
are the state, its digest and its changes; an answer is looked up by the call and the state in which it was made.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from interplay.generators.environments.accounts.resource_model import resource_model
from interplay.generators.environments.inference.plans import Plan
from interplay.generators.environments.inference.resources.plan_inference import infer_plan
from interplay.generators.environments.live.entity_memory import EntityMemory, Row, remembered
from interplay.generators.environments.live.varying_answers import Varying
from interplay.schemas.errors import ConfigError, EnvironmentFailure
from interplay.schemas.json.canonical import MISSING, Change, canonical_json, digest
from interplay.schemas.json.record import Record
from interplay.schemas.records.dialogue import ToolCall, ToolResult
from interplay.schemas.records.tool import ResourceModel, Toolset


class RecordedCall(Record):
    """One call with its result; `after` is the digest of the writes made before it."""

    tool: str
    arguments: dict[str, Any]
    value: Any = None
    error: str | None = None
    text: str
    after: str

    def result(self, call: ToolCall) -> ToolResult:
        """Return the result as the answer to `call`."""
        return ToolResult(call_id=call.id, value=self.value, error=self.error, text=self.text)

    def outcome(self) -> Any:
        """Return the part of the result that must be the same when the call is repeated: value or error."""
        return self.value if self.error is None else {"error": self.error}

    def key(self) -> tuple[str, str, str]:
        """Return the key for looking up this call: state, tool and arguments."""
        return self.after, self.tool, canonical_json(self.arguments)


class ServerTrial(Record):
    """The result of trying out a server: its usable tools with result schemas, and how to handle it; see `flows/worlds`.

    `listers` are reads that show rows and need no arguments, `seeds` the calls that fill an empty server, `reset` is the tool
    that resets it, and `varying` tells where results differ between starts. `notes` say what was left out, and why.
    """

    toolset: Toolset
    listers: tuple[str, ...] = ()
    seeds: tuple[RecordedCall, ...] = ()
    reset: str = ""
    varying: dict[str, Varying] = Field(default_factory=dict)
    notes: tuple[str, ...] = ()


class RecordedSession(Record):
    """A session with a server: its tools, and all calls with their results, in the order they were made."""

    server: str
    toolset: Toolset
    trial: ServerTrial | None = None
    calls: tuple[RecordedCall, ...] = Field(())

    @property
    def offered(self) -> Toolset:
        """The tools as the trial left them."""
        return self.toolset if self.trial is None else self.trial.toolset

    def with_tools(self, toolset: Toolset) -> "RecordedSession":
        """Return the session with the tools replaced by `toolset`, as an author corrected them."""
        trial = None if self.trial is None else self.trial.model_copy(update={"toolset": toolset})
        return self.model_copy(update={"toolset": toolset, "trial": trial})


@dataclass(frozen=True)
class WriteLog:
    """The calls that may have changed a server, in order; the first `base` of them are its seeds."""

    calls: tuple[RecordedCall, ...] = ()
    base: int = 0

    @cached_property
    def digest(self) -> str:
        """The digest of the calls and their results."""
        return digest([[call.tool, call.arguments, call.outcome()] for call in self.calls])

    def followed_by(self, call: RecordedCall) -> "WriteLog":
        """Return these calls and one more."""
        return WriteLog((*self.calls, call), self.base)

    def rows(self) -> dict[str, dict[str, Any]]:
        """Return the calls after the seeds as a table: number -> tool, arguments and result."""
        return {
            str(number): {"tool": call.tool, "arguments": call.arguments, "result": call.outcome()}
            for number, call in enumerate(self.calls[self.base :], 1)
        }

    def changes(self) -> tuple[Change, ...]:
        """Return each call as an addition to the table `calls`."""
        return tuple(Change(path=f"/calls/{number}", before=MISSING, after=row) for number, row in self.rows().items())


def rows_shown(plan: Plan, calls: Iterable[RecordedCall]) -> dict[str, dict[str, Row]]:
    """Return the rows shown by calls in one state: resource -> identity -> row."""
    memory = EntityMemory()
    for call in calls:
        if call.error is None and call.tool in plan.tools:
            memory = remembered(plan, call.tool, call.arguments, call.value, memory)
    return memory.tables()


class KnownCalls:
    """Earlier calls, looked up by the state in which they were made; unless `reused`, calls made later are not kept."""

    def __init__(
        self, calls: Sequence[RecordedCall] = (), reused: bool = True, file: "SessionFile | None" = None
    ) -> None:
        """Start from `calls`, of which the first of equal ones counts; calls made later are appended to `file`."""
        self._found = {call.key(): call for call in reversed(calls)}
        self._reused, self._file = reused, file

    def find(self, after: str, tool: str, arguments: Mapping[str, Any]) -> RecordedCall | None:
        """Return a call that was made in the state with the digest `after`."""
        return self._found.get((after, tool, canonical_json(arguments)))

    def add(self, call: RecordedCall) -> None:
        """Add a call that was just made."""
        if self._reused:
            self._found[call.key()] = call
        if self._file is not None:
            self._file.add(call)

    def clear(self) -> None:
        """Forget all calls; the file is kept."""
        self._found.clear()


class StateOfWrites:
    """A state made of the writes so far, and the rows seen after them (by `_listers` and in `_shown`)."""

    _plan: Plan
    _known: KnownCalls

    def __init__(self, writes: WriteLog, listers: Sequence[str]) -> None:
        self._writes, self._listers = writes, listers
        self._shown: dict[str, list[RecordedCall]] = {}
        self._tables: dict[str, dict[str, dict[str, Row]]] = {}

    def state(self) -> Mapping[str, Mapping[str, Any]]:
        """Return the writes so far as the table `calls`, and the tables of rows seen after them."""
        at = self._writes.digest
        if at not in self._tables:
            held = (self._known.find(at, name, {}) for name in self._listers)
            self._tables[at] = rows_shown(self._plan, [*self._shown.get(at, ()), *filter(None, held)])
        return {**self._tables[at], "calls": self._writes.rows()}

    def snapshot(self) -> WriteLog:
        """Return the writes so far."""
        return self._writes

    def restore(self, snapshot: WriteLog) -> None:
        """Go back to the state after these writes."""
        self._writes = snapshot

    def digest(self) -> str:
        """Return the digest of the writes and their results."""
        return self._writes.digest

    def changes(self) -> tuple[Change, ...]:
        """Return each write as an addition to the table `calls`."""
        return self._writes.changes()


class ReplayedSession(StateOfWrites):
    """An environment that answers from a recorded session, without the server."""

    def __init__(
        self, session: RecordedSession, resources: ResourceModel | None = None, plan: Plan | None = None
    ) -> None:
        self.toolset = session.offered
        self._plan: Plan = plan or infer_plan(self.toolset)
        self.resources: ResourceModel = resources or resource_model(self._plan)
        self._effects = {tool.name: tool.effect for tool in self.toolset.tools}
        self._known = KnownCalls(session.calls)
        trial = session.trial
        self._counts_refused = trial is None  # recordings by older versions, which made no trial
        writes = WriteLog(trial.seeds, len(trial.seeds)) if trial is not None else WriteLog()
        super().__init__(writes, trial.listers if trial is not None else ())

    async def call(self, call: ToolCall) -> ToolResult:
        """Answer as recorded.

        Raises:
            EnvironmentFailure: this call was not made in this state when the session was recorded.
        """
        effect = self._effects.get(call.name)
        if effect is None:
            return ToolResult.failed(call, f"Error: there is no tool called {call.name}.")
        answer = self._known.find(self._writes.digest, call.name, call.arguments)
        if answer is None:
            raise EnvironmentFailure(
                f"the recorded session holds no call of {call.name} with {canonical_json(call.arguments)[:200]} after "
                f"{len(self._writes.calls)} writes; record it with the server first."
            )
        if effect == "write" and (answer.error is None or self._counts_refused):
            self._writes = self._writes.followed_by(answer)
        return answer.result(call)


class SessionFile:
    """A file that records a session call by call; recorded calls are answered from it.

    Each call is one line, appended at once, so that several processes can record to one file without losing calls.
    """

    def __init__(self, path: Path, server: str, toolset: Toolset, trial: ServerTrial | None = None) -> None:
        """Create the file, or continue it; if it exists, its trial is used instead of `trial`.

        Raises:
            ConfigError: the file cannot be written, or was recorded with other tools.
        """
        self._path = path
        try:
            with path.open("x", encoding="utf-8") as file:
                file.write(RecordedSession(server=server, toolset=toolset, trial=trial).model_dump_json() + "\n")
        except FileExistsError:
            pass
        except OSError as error:
            raise ConfigError(f"{path}: cannot be written ({error.strerror}).") from error
        held = load_session(path)
        if held.toolset.digest() != toolset.digest():
            raise ConfigError(f"{path}: was recorded with other tools. Remove it, or record in another file.")
        self.calls = held.calls
        self.trial = held.trial

    def add(self, call: RecordedCall) -> None:
        """Append one call."""
        with self._path.open("a", encoding="utf-8") as file:
            file.write(call.model_dump_json() + "\n")


def load_session(path: Path) -> RecordedSession:
    """Read a recorded session; an incomplete last line is skipped.

    Raises:
        ConfigError: the file cannot be read, or holds something else.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ConfigError(
            f"{path}: cannot be read ({error.strerror}). Name a recording, as mcp+live:COMMAND?record=FILE makes it."
        ) from error
    first, *lines = data.splitlines() or [b""]
    number = 1
    try:
        session, calls = RecordedSession.model_validate_json(first), []
        for number, line in enumerate(lines if data.endswith(b"\n") else lines[:-1], 2):  # noqa: B007 - for the error
            calls.append(RecordedCall.model_validate_json(line))
    except ValidationError as error:
        wrong = error.errors()[0]
        place = "/".join(map(str, wrong["loc"]))
        raise ConfigError(
            f"{path}: line {number}: /{place}: {wrong['msg']}; expected a recorded session, as ?record=FILE writes it."
        ) from error
    return session.model_copy(update={"calls": (*session.calls, *calls)})
