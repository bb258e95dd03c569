"""A live MCP server -> an environment; needs the extra `interplay[mcp]`.

The state of a server is hidden, so it is represented by the calls of its writing tools with their results (see
recorded_session), and by the rows that its lists show after them. To restore a state, the server is reset (by its reset tool or
a fresh start) and the writes are repeated, only when the next call needs it. Identities and times that are new at each start
have fixed names in records (see stable_names). What a server keeps outside of its process (files, a remote database) is not
restored by that: use `{fresh}` in its command, or `before_start`. A server reached over HTTP is not started here; a new session
is opened instead. A write that answers differently when repeated is a failure, since the state is unknown then.

Source: Model Context Protocol 2025-06-18, Tools, Tool Result.
"""

import asyncio
import json
import weakref
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from interplay.generators.environments.accounts.resource_model import resource_model
from interplay.generators.environments.inference.plans import Plan
from interplay.generators.environments.inference.resources.plan_inference import infer_plan
from interplay.generators.environments.live.recorded_session import (
    KnownCalls,
    RecordedCall,
    ServerTrial,
    SessionFile,
    StateOfWrites,
    WriteLog,
)
from interplay.generators.environments.live.server_answers import read_answer
from interplay.generators.environments.live.server_settings import FirstCall, ServerSettings
from interplay.generators.environments.live.stable_names import APART, StableNames
from interplay.generators.environments.live.varying_answers import STEADY, Varying
from interplay.generators.importers.definitions.importer import import_definitions
from interplay.generators.importers.mcp.connection import Address, McpSession
from interplay.schemas.errors import EnvironmentFailure
from interplay.schemas.json.canonical import canonical_json
from interplay.schemas.records.dialogue import ToolCall, ToolResult
from interplay.schemas.records.tool import ResourceModel, Source, Tool, Toolset

FAILURES = 2
"""Times that a tool may hang or end its server before it is not called any more."""

LISTED = 10
"""Tools that an error about a missing tool names."""

DEFAULTS = ServerSettings()

OWN_FOLDER = "/data"
"""Name in records of the server's `{fresh}` folder."""


class UnsteadyWrite(EnvironmentFailure):
    """A write of `tool`, repeated to restore a state, answered differently."""

    def __init__(self, tool: str, message: str) -> None:
        super().__init__(message)
        self.tool = tool


class LiveServer(StateOfWrites):
    """An environment over one MCP server, started at the first call; `place` is a command or a URL.

    `toolset` is the result of importing the server; without it, the server is started at once to list its tools. With `reuses`,
    a call that was made before in the same state is answered as it was then, which saves fresh starts. With `records`, calls are
    also answered from a file, and each new call is added to it. `before_start` runs before each start, after the command of
    the settings.
    """

    def __init__(
        self,
        place: str,
        toolset: Toolset | None = None,
        *,
        settings: ServerSettings = DEFAULTS,
        before_start: Callable[[], None] = lambda: None,
        reuses: bool = False,
        records: SessionFile | None = None,
        plan: Plan | None = None,
        resources: ResourceModel | None = None,
    ) -> None:
        def prepare() -> None:
            settings.prepare(self._session.folder)
            before_start()

        super().__init__(WriteLog(), ())
        self.settings = settings
        self._session = McpSession(Address.read(place), settings.start_timeout, settings.call_timeout, prepare)
        self._end = weakref.finalize(self, self._session.close)
        self._names = StableNames(datetime.now(UTC))
        self._listed: Mapping[str, dict[str, Any]] = {}
        self._live: WriteLog | None = None
        self._varying: Mapping[str, Varying] = {}
        self._reset = settings.reset
        self._known = KnownCalls(reused=reuses)
        self._namers: dict[str, list[RecordedCall]] = {}
        self._failures: Counter[str] = Counter()
        if toolset is None:
            toolset = self._session.submit(self._import()).result()
        self._take(toolset, plan, resources)
        if records is not None:
            self.record(records)

    @property
    def name(self) -> str:
        """The name of the server in messages."""
        return f"mcp:{self._session.address.name}"

    async def call(self, call: ToolCall) -> ToolResult:
        """Pass a call to the server; its errors and refusals become error results with their exact text.

        Raises:
            EnvironmentFailure: the server died, hangs, or cannot be restored to the present state.
        """
        tool = self._tools.get(call.name)
        if tool is None:
            return ToolResult.failed(call, f"Error: there is no tool called {call.name}.")
        return (await asyncio.wrap_future(self._session.submit(self._serve(tool, call.arguments)))).result(call)

    def attempt(self, tool: Tool, arguments: dict[str, Any], timeout: float) -> RecordedCall:
        """Make one call and block until it is done, for at most `timeout` seconds; see `call`."""
        return self._session.submit(self._serve(tool, arguments, timeout)).result()

    def repeated(self, calls: Sequence[RecordedCall]) -> tuple[list[RecordedCall | str], bool]:
        """Start afresh, repeat calls in order, and return their results, each or the reason why there is none.

        Identities and times that are recognised as such get the names that they have in the original calls. Also tells whether
        the server shows no state: repeated once more in reverse order, the calls answer the same.

        Raises:
            EnvironmentFailure: it does not start.
        """
        return self._session.submit(self._again(calls)).result()

    def may_write(self, tool: Tool) -> bool:
        """Tell whether the server declares that a tool is not read-only."""
        annotations = self._listed.get(tool.original_name, {}).get("annotations")
        return isinstance(annotations, Mapping) and annotations.get("readOnlyHint") is False

    def comes_back(self, tool: Tool, reads: Sequence[RecordedCall]) -> bool:
        """Tell whether calling `tool` makes the reads answer as after the opening; the server's state is unknown afterwards."""
        return self._session.submit(self._comes_back(tool, reads)).result()

    @property
    def plan(self) -> Plan:
        """The plan of the tools."""
        return self._plan

    def settle(self, trial: ServerTrial, made: bool = False) -> ServerTrial:
        """Adopt the tools, names, lists and seeds of a trial, and return it with the seeds as this server answered them.

        The seeds are called here, unless they were `made` before and are in a recording.

        Raises:
            EnvironmentFailure: the server does not start, or fails on its seeds.
        """
        self._take(trial.toolset, None, None)
        self._listers, self._varying = trial.listers, trial.varying
        self._reset = trial.reset
        self._shown, self._namers, self._tables = {}, {}, {}
        self._writes = WriteLog(trial.seeds, len(trial.seeds))
        self._failures.clear()
        if made:
            return trial
        self._known.clear()
        self._live = None
        self._writes = WriteLog()
        seeds = self._session.submit(self._seed(trial.seeds)).result()
        return trial.model_copy(update={"seeds": seeds})

    def describe(
        self,
        toolset: Toolset,
        plan: Plan | None = None,
        resources: ResourceModel | None = None,
        listers: Sequence[str] | None = None,
    ) -> None:
        """Use a better toolset, plan and resources for the same tools; `listers` are called after each write to show rows."""
        self._take(toolset, plan, resources)
        self._listers = self._listers if listers is None else listers
        self._tables = {}

    def record(self, file: SessionFile) -> None:
        """Answer calls from a file, and add each new call to it."""
        self._known = KnownCalls(file.calls, file=file)

    def close(self) -> None:
        """End the server; also done when the environment is garbage-collected or the interpreter exits."""
        self._end()

    def _take(self, toolset: Toolset, plan: Plan | None, resources: ResourceModel | None) -> None:
        self.toolset = toolset
        self._plan: Plan = plan or infer_plan(toolset)
        self.resources: ResourceModel = resources or resource_model(self._plan)
        self._tools = toolset.by_name

    async def _import(self) -> Toolset:
        name = self._session.address.name
        await self._open()
        root = {"server": self._server or name, "tools": list(self._definitions)}
        return import_definitions(root, name, "", self.name).toolset

    async def _open(self) -> None:
        """Start the server afresh, and make the first calls."""
        self._live = None
        begun = datetime.now(UTC)
        listed = await self._session.start()
        self._server, self._definitions = listed["server"], listed["tools"]
        self._listed = {str(tool.get("name")): tool for tool in listed["tools"] if isinstance(tool, dict)}
        folder = self._session.folder
        self._names = StableNames(begun, (folder, OWN_FOLDER) if folder else ("", ""))
        if self.settings.reset:
            await self._ask(_tool_of(FirstCall(tool=self.settings.reset)), {})
        await self._begin()

    async def _begin(self) -> None:
        """Make the first calls, in a server that was just started or reset."""
        for first in self.settings.first_calls:
            _, error, _ = await self._ask(_tool_of(first), self._names.actual(first.arguments))
            if error is not None:
                raise EnvironmentFailure(f"{self.name}: first_calls: {first.tool} failed: {error[:200]}")
        self._live = WriteLog()
        await self._show_again(self._live)

    async def _serve(self, tool: Tool, arguments: dict[str, Any], timeout: float | None = None) -> RecordedCall:
        """Make one call in the present state, in the event loop of the session."""
        async with self._session.lock:
            writes = self._writes
            known = self._known.find(writes.digest, tool.name, arguments)
            if known is not None:
                self._writes = writes.followed_by(known) if tool.effect == "write" and known.error is None else writes
                return known
            if self._failures[tool.name] >= FAILURES:
                raise EnvironmentFailure(f"{self.name}: {tool.name} is not called any more: it failed {FAILURES} times")
            await self._bring_to(writes)
            await self._look(writes)
            named = self._names.count
            made = await self._make(tool, arguments, writes, timeout)
            self._known.add(made)
            if tool.effect == "write" and made.error is None:  # a refused write changes nothing
                self._writes = self._live = writes.followed_by(made)
                await self._look(self._writes)
            elif self._names.count > named:  # the next start learns them from the same call
                self._namers.setdefault(writes.digest, []).append(made)
            return made

    async def _look(self, writes: WriteLog) -> None:
        """Call the listing tools, once in each state, to learn rows and their names."""
        if writes.digest in self._shown:
            return
        shown = self._shown.setdefault(writes.digest, [])
        for name in self._listers:
            if self._failures[name] >= FAILURES:
                continue
            made = self._known.find(writes.digest, name, {})
            if made is None:
                made = await self._make(self._tools[name], {}, writes)
                self._known.add(made)
            shown.append(made)
        self._tables.pop(writes.digest, None)

    async def _show_again(self, writes: WriteLog) -> None:
        """Repeat the reads made in the same state at an earlier start, to match the names of this start with those in records."""
        for seen in (*self._shown.get(writes.digest, ()), *self._namers.get(writes.digest, ())):
            value, error, _ = await self._ask(self._tools[seen.tool], self._names.actual(seen.arguments))
            self._names.recorded(value if error is None else error, _place(seen), self._varies(seen.tool))
            self._names.align(value, seen.value)

    async def _bring_to(self, writes: WriteLog) -> None:
        """Bring the server to a state: go back if other writes were made, and repeat the missing ones."""
        done = self._live.calls if self._live is not None else None
        if done is None or writes.calls[: len(done)] != done:
            await self._go_back()
        assert self._live is not None
        for wanted in writes.calls[len(self._live.calls) :]:
            before, self._live = self._live, None
            _, made = await self._repeat(wanted)
            if canonical_json(made.outcome()) != canonical_json(wanted.outcome()):
                raise UnsteadyWrite(
                    wanted.tool,
                    f"{self.name}: {wanted.tool} answers differently after a fresh start: {made.text[:150]!r} instead of "
                    f"{wanted.text[:150]!r}. Give before_start, {{fresh}} in its command, or reset; see docs/own-api.md.",
                )
            self._live = before.followed_by(wanted)
            await self._show_again(self._live)

    async def _go_back(self) -> None:
        """Bring the server to its opening state: by its reset tool if it runs and has one, else by a fresh start."""
        was, self._live = self._live, None
        if was is not None and self._reset:
            _, error, _ = await self._ask(_tool_of(FirstCall(tool=self._reset)), {})
            if error is None:
                self._names.began_again()
                await self._begin()
                return
        await self._open()

    async def _again(self, calls: Sequence[RecordedCall]) -> tuple[list[RecordedCall | str], bool]:
        async with self._session.lock:
            await self._open()
            self._live = None
            found: list[RecordedCall | str] = []
            for seen in calls:
                try:
                    found.append((await self._repeat(seen))[0])
                except EnvironmentFailure as failure:
                    return [*found, *[str(failure)] * (len(calls) - len(found))], False
            for seen, made in zip(reversed(calls), reversed(found), strict=True):
                try:
                    once_more = (await self._repeat(seen))[1]
                except EnvironmentFailure:
                    return found, False
                wanted = made.outcome() if isinstance(made, RecordedCall) else None
                if canonical_json(once_more.outcome()) not in (canonical_json(wanted), canonical_json(seen.outcome())):
                    return found, False
            return found, True

    async def _comes_back(self, tool: Tool, reads: Sequence[RecordedCall]) -> bool:
        async with self._session.lock:
            self._live = None
            try:
                _, error, _ = await self._ask(tool, {})
                again = [(await self._repeat(seen))[0] for seen in reads] if error is None else []
            except EnvironmentFailure:
                return False
            outcomes = [canonical_json(made.outcome()) for made in again]
            return error is None and outcomes == [canonical_json(seen.outcome()) for seen in reads]

    async def _seed(self, seeds: Sequence[RecordedCall]) -> tuple[RecordedCall, ...]:
        """Make the seed calls of a trial after a fresh start, and return them as answered."""
        async with self._session.lock:
            await self._open()
            now, writes = StableNames(datetime.now(UTC)), WriteLog((), len(seeds))
            for seed in seeds:
                made = await self._make(self._tools[seed.tool], now.actual(seed.arguments), writes)
                if made.error is not None:
                    continue  # it depended on a call that is not a seed
                now.align(made.value, seed.value)
                writes = writes.followed_by(made)
            writes = WriteLog(writes.calls, len(writes.calls))
            self._writes = self._live = writes
            await self._look(writes)
            return writes.calls

    async def _repeat(self, seen: RecordedCall) -> tuple[RecordedCall, RecordedCall]:
        """Repeat a call; return its record before and after matching names with the original record."""
        tool = self._tools.get(seen.tool) or _tool_of(FirstCall(tool=seen.tool))
        if tool.effect == "write":
            await asyncio.sleep(APART)
        begun = datetime.now(UTC)
        value, error, text = await self._ask(tool, self._names.actual(seen.arguments))
        if tool.effect == "write" and error is None:
            self._names.wrote(begun, datetime.now(UTC))
        made = self._named(tool, seen.arguments, value, error, text, seen.after)
        if canonical_json(made.outcome()) == canonical_json(seen.outcome()):
            return made, made
        self._names.align(made.outcome(), seen.outcome())
        return made, self._named(tool, seen.arguments, value, error, text, seen.after)

    async def _make(
        self, tool: Tool, arguments: dict[str, Any], writes: WriteLog, timeout: float | None = None
    ) -> RecordedCall:
        """Make one call; the server's state is unknown until a write has succeeded."""
        before, self._live = self._live, None
        if tool.effect == "write":
            await asyncio.sleep(APART)
        begun = datetime.now(UTC)
        value, error, text = await self._ask(tool, self._names.actual(arguments), timeout)
        if tool.effect == "write" and error is None:
            self._names.wrote(begun, datetime.now(UTC))
        self._live = before
        return self._named(tool, arguments, value, error, text, writes.digest)

    async def _ask(
        self, tool: Tool, arguments: dict[str, Any], timeout: float | None = None
    ) -> tuple[Any, str | None, str]:
        """Return value, error and text of an answer, with the names of this start."""
        if tool.original_name not in self._listed:
            listed = ", ".join(sorted(self._listed)[:LISTED])
            raise EnvironmentFailure(f"{self.name}: the server lists no tool {tool.original_name}; it lists {listed}")
        try:
            answer = await self._session.call(tool.original_name, arguments, timeout)
        except EnvironmentFailure:
            self._live = None
            self._failures[tool.name] += 1
            raise
        return read_answer(answer, tool, arguments)

    def _named(
        self, tool: Tool, arguments: dict[str, Any], value: Any, error: str | None, text: str, after: str
    ) -> RecordedCall:
        """Return an answer with the names used in records."""
        bare = RecordedCall(tool=tool.name, arguments=arguments, text="", after=after)
        varying = self._varies(tool.name)
        value = self._names.recorded(value, _place(bare), varying)
        error = error if error is None else self._names.recorded(error, _place(bare))
        text = json.dumps(value, ensure_ascii=False) if varying.lists else self._names.recorded(text, _place(bare))
        return bare.model_copy(
            update={"value": value, "error": error, "text": value if isinstance(value, str) else text}
        )

    def _varies(self, tool: str) -> Varying:
        return self._varying.get(tool, STEADY)


def _place(call: RecordedCall) -> str:
    """Return a text that identifies a call and the state it was made in."""
    return "/".join(call.key())


def _tool_of(call: FirstCall) -> Tool:
    """Return a tool for a call made by name only, such as a first call; it is never offered."""
    return Tool(
        name="set_up", original_name=call.tool, parameters={"type": "object"}, effect="write", source=Source(file="mcp")
    )
