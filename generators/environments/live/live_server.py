"""A live MCP server -> an environment; needs the extra `interplay[mcp]`.

A server keeps its state to itself, so the state is the calls of its writing tools with their results (see recorded_session),
and the rows that its lists show after them. It goes back by its reset tool or by starting afresh, and making those calls
again, and only when the next call needs it. What is named anew at each start has one name in records (see stable_names).
What a server keeps outside of its process (files, a remote database) does not go back with it: `{fresh}` in its command, or
`before_start`, bring that back. One that is reached over HTTP is not ours to start; there, a new session is opened instead.
A write that answers differently the second time is a failure, for then nobody knows the state.
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
"""Times that a tool may hang, or end its server; then it is not called any more."""

LISTED = 10
"""Tools that are named where one is not there."""

DEFAULTS = ServerSettings()

OWN_FOLDER = "/data"
"""What records call the folder of a server's own."""


class UnsteadyWrite(EnvironmentFailure):
    """A write of `tool`, made again to bring a server back, answered otherwise."""

    def __init__(self, tool: str, message: str) -> None:
        super().__init__(message)
        self.tool = tool


class LiveServer(StateOfWrites):
    """An environment of one MCP server, started when it is first called; `place` is a command or a URL.

    `toolset` is what the server was imported as; without it the server is started at once to list its tools. `reuses`: a
    call that was made in the same state before is answered as it was then, which spares the fresh starts that going back
    and forth would cost. `records`: the same, and from what a file holds; each call that is made is added to it.
    `before_start` runs before each start, after the command of the settings.
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
        """What the server is called in messages."""
        return f"mcp:{self._session.address.name}"

    async def call(self, call: ToolCall) -> ToolResult:
        """Pass a call to the server; its errors and refusals become error results with their exact text.

        Raises:
            EnvironmentFailure: the server died, hangs, or cannot be brought back to the present state.
        """
        tool = self._tools.get(call.name)
        if tool is None:
            return ToolResult.failed(call, f"Error: there is no tool called {call.name}.")
        return (await asyncio.wrap_future(self._session.submit(self._serve(tool, call.arguments)))).result(call)

    def attempt(self, tool: Tool, arguments: dict[str, Any], timeout: float) -> RecordedCall:
        """Make one call and wait for it, `timeout` seconds at most; see `call`."""
        return self._session.submit(self._serve(tool, arguments, timeout)).result()

    def repeated(self, calls: Sequence[RecordedCall]) -> tuple[list[RecordedCall | str], bool]:
        """Start afresh, make calls again one after the other, and return their results, or why there is none.

        Names are those of the calls, as far as both starts give names. Also tells whether the server keeps no state that
        shows: made once more from the last to the first, the calls answer the same.

        Raises:
            EnvironmentFailure: it does not start.
        """
        return self._session.submit(self._again(calls)).result()

    def may_write(self, tool: Tool) -> bool:
        """Tell whether the server says of a tool that it changes something."""
        annotations = self._listed.get(tool.original_name, {}).get("annotations")
        return isinstance(annotations, Mapping) and annotations.get("readOnlyHint") is False

    def comes_back(self, tool: Tool, reads: Sequence[RecordedCall]) -> bool:
        """Tell whether calling a tool makes the server answer as when it was opened; it may stand anywhere afterwards."""
        return self._session.submit(self._comes_back(tool, reads)).result()

    @property
    def plan(self) -> Plan:
        """What the tools act on."""
        return self._plan

    def settle(self, trial: ServerTrial, made: bool = False) -> ServerTrial:
        """Go on as a trial found best: with these tools, names, lists and seeds; return it with the seeds as they are called.

        The seeds are called here, unless they were `made` and stand in a recording.

        Raises:
            EnvironmentFailure: it does not start, or does not take its seeds.
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
        """Take what is better known of the same tools; `listers` are called after each write for the rows that they show."""
        self._take(toolset, plan, resources)
        self._listers = self._listers if listers is None else listers
        self._tables = {}

    def record(self, file: SessionFile) -> None:
        """Answer from a file, and add each call that is made to it."""
        self._known = KnownCalls(file.calls, file=file)

    def close(self) -> None:
        """End the server; also done when the environment is collected or the interpreter exits."""
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
        """Start the server afresh, and make the calls that come first."""
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
        """Make the calls that come first, in a server that stands as it was opened."""
        for first in self.settings.first_calls:
            _, error, _ = await self._ask(_tool_of(first), self._names.actual(first.arguments))
            if error is not None:
                raise EnvironmentFailure(f"{self.name}: first_calls: {first.tool} failed: {error[:200]}")
        self._live = WriteLog()
        await self._show_again(self._live)

    async def _serve(self, tool: Tool, arguments: dict[str, Any], timeout: float | None = None) -> RecordedCall:
        """Make one call in the present state, in the session's loop."""
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
            if tool.effect == "write" and made.error is None:  # what is refused changes nothing
                self._writes = self._live = writes.followed_by(made)
                await self._look(self._writes)
            elif self._names.count > named:  # the next start has to learn them from the same call
                self._namers.setdefault(writes.digest, []).append(made)
            return made

    async def _look(self, writes: WriteLog) -> None:
        """Let the server list what there is, once in each state, so that rows and their names are known."""
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
        """Learn the names of this start from what was seen in the same state at another one."""
        for seen in (*self._shown.get(writes.digest, ()), *self._namers.get(writes.digest, ())):
            value, error, _ = await self._ask(self._tools[seen.tool], self._names.actual(seen.arguments))
            self._names.recorded(value if error is None else error, _place(seen), self._varies(seen.tool))
            self._names.align(value, seen.value)

    async def _bring_to(self, writes: WriteLog) -> None:
        """Bring the server back where its writes differ, and repeat the missing ones."""
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
        """Bring the server to how it is opened: by its reset tool where it runs and has one, else by a fresh start."""
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
        """Make the calls that filled the server when it was tried, and name the rows that they make."""
        async with self._session.lock:
            await self._open()
            now, writes = StableNames(datetime.now(UTC)), WriteLog((), len(seeds))
            for seed in seeds:
                made = await self._make(self._tools[seed.tool], now.actual(seed.arguments), writes)
                if made.error is not None:
                    continue  # it rested on a call that is no seed
                now.align(made.value, seed.value)
                writes = writes.followed_by(made)
            writes = WriteLog(writes.calls, len(writes.calls))
            self._writes = self._live = writes
            await self._look(writes)
            return writes.calls

    async def _repeat(self, seen: RecordedCall) -> tuple[RecordedCall, RecordedCall]:
        """Make a call again; return it with the names of this start, and with those that it had."""
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
        """Make one call; during a write, or after one that failed, the server's state is unknown."""
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
        """Return value, error and text of an answer as this start gives it."""
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
        """Return an answer with the names of records."""
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
    """Return what names the state that a call was made in, and the call."""
    return "/".join(call.key())


def _tool_of(call: FirstCall) -> Tool:
    """Return a tool that nobody is offered, by its name alone."""
    return Tool(
        name="set_up", original_name=call.tool, parameters={"type": "object"}, effect="write", source=Source(file="mcp")
    )
