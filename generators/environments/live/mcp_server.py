"""A live MCP server -> an environment; needs the extra `interplay[mcp]`.

    CallToolResult(content=[text '{"sum":3}'], structuredContent={"sum": 3})    ->   value {"sum": 3}, text '{"sum":3}'
    CallToolResult(content=[text "no such note"], isError=true)                 ->   error "no such note"

A server keeps its state to itself, so the state is the calls of its writing tools with their results (see `recording`).
It goes back by starting afresh and making those calls again, and only when the next call needs it. What a server keeps
outside of its process (files, a remote database) does not go back with it: give `before_start` to bring that back. One
that is reached over HTTP is not ours to start; there, a new session is opened instead. A write that answers differently
the second time is a failure, for then nobody knows the state.
Source: Model Context Protocol 2025-06-18, Tools, Tool Result.
"""

import asyncio
import json
import weakref
from collections.abc import Callable, Mapping
from typing import Any

from interplay.generators.environments.accounts.resource_model import resource_model
from interplay.generators.environments.inference.resources.plan_inference import infer_plan
from interplay.generators.environments.live.recorded_session import RecordedCall, RecordedSession, SessionFile, WriteLog
from interplay.generators.importers.definitions.importer import import_definitions
from interplay.generators.importers.mcp.connection import CALL_TIMEOUT, START_TIMEOUT, Address, McpSession
from interplay.schemas.errors import EnvironmentFailure
from interplay.schemas.json.canonical import Change, canonical_json
from interplay.schemas.records.dialogue import ToolCall, ToolResult
from interplay.schemas.records.tool import ResourceModel, Tool, Toolset


class LiveServer:
    """An environment of one MCP server, started when it is first called; `place` is a command or a URL.

    `toolset` is what the server was imported as; without it the server is started at once to list its tools. Deadlines
    are in seconds. `reuses`: a call that was made in the same state before is answered as it was then, which spares the
    fresh starts that going back and forth would cost. `records`: the same, and from what a file holds; each call that is
    made is added to it.
    """

    def __init__(
        self,
        place: str,
        toolset: Toolset | None = None,
        *,
        start_timeout: float = START_TIMEOUT,
        call_timeout: float = CALL_TIMEOUT,
        before_start: Callable[[], None] | None = None,
        reuses: bool = False,
        records: SessionFile | None = None,
        resources: ResourceModel | None = None,
    ) -> None:
        self._session = McpSession(Address.read(place), start_timeout, call_timeout, before_start)
        self._end = weakref.finalize(self, self._session.close)
        self._live: WriteLog | None = None
        if toolset is None:
            name = self._session.address.name
            listed = self._session.submit(self._session.start()).result()
            toolset = import_definitions(
                {**listed, "server": listed["server"] or name}, name, "", f"mcp:{name}"
            ).toolset
            self._live = WriteLog()
        self.toolset = toolset
        self.resources: ResourceModel = resources or resource_model(infer_plan(toolset))
        self._tools = {tool.name: tool for tool in toolset.tools}
        self._writes = WriteLog()
        self._recorded: list[RecordedCall] = []
        self._file = records
        held = records.calls if records else ()
        self._recorded.extend(held)
        self._answers = {made.key(): made for made in reversed(held)} if reuses or records else None

    async def call(self, call: ToolCall) -> ToolResult:
        """Let the server answer; what it calls an error, or refuses, becomes an error result with its exact text.

        Raises:
            EnvironmentFailure: the server died, hangs, or cannot be brought back to the present state.
        """
        tool = self._tools.get(call.name)
        if tool is None:
            return ToolResult.failed(call, f"Error: there is no tool called {call.name}.")
        return (await asyncio.wrap_future(self._session.submit(self._serve(tool, call.arguments)))).result(call)

    def state(self) -> Mapping[str, Mapping[str, Any]]:
        """Return the writes so far, as the table `calls`."""
        return {"calls": self._writes.rows()}

    def snapshot(self) -> WriteLog:
        """Return the writes so far."""
        return self._writes

    def restore(self, snapshot: WriteLog) -> None:
        """Go back to after these writes; the server follows with the next call."""
        self._writes = snapshot

    def digest(self) -> str:
        """Return the digest of the writes and their results."""
        return self._writes.digest

    def changes(self) -> tuple[Change, ...]:
        """Return the writes, each as an addition."""
        return self._writes.changes()

    def recording(self) -> RecordedSession:
        """Return all calls so far, from which the session can be played again without the server."""
        return RecordedSession(server=self._session.address.name, toolset=self.toolset, calls=tuple(self._recorded))

    def close(self) -> None:
        """End the server; happens by itself when the environment or the interpreter goes."""
        self._end()

    async def _serve(self, tool: Tool, arguments: dict[str, Any]) -> RecordedCall:
        """Make one call in the present state, in the session's loop."""
        async with self._session.lock:
            writes = self._writes
            known = (self._answers or {}).get((writes.digest, tool.name, canonical_json(arguments)))
            if known is not None:
                self._writes = writes.followed_by(known) if tool.effect == "write" else writes
                return known
            await self._bring_to(writes)
            made = await self._make(tool, arguments, writes)
            self._recorded.append(made)
            if self._file is not None:
                self._file.add(made)
            if self._answers is not None:
                self._answers[made.key()] = made
            if tool.effect == "write":
                self._writes = self._live = writes.followed_by(made)
            return made

    async def _bring_to(self, writes: WriteLog) -> None:
        """Start the server afresh where it has gone another way, and make the writes that it lacks."""
        done = self._live.calls if self._live is not None else None
        if done is None or writes.calls[: len(done)] != done:
            self._live = None
            await self._session.start()
            self._live = WriteLog()
        assert self._live is not None
        for wanted in writes.calls[len(self._live.calls) :]:
            made = await self._make(self._tools[wanted.tool], wanted.arguments, self._live)
            if canonical_json(made.outcome()) != canonical_json(wanted.outcome()):
                self._live = None
                raise EnvironmentFailure(
                    f"mcp:{self._session.address.name}: {wanted.tool} answers differently after a fresh start: "
                    f"{made.text[:150]!r} instead of {wanted.text[:150]!r}. Give before_start, or replay a recording."
                )
            self._live = self._live.followed_by(wanted)

    async def _make(self, tool: Tool, arguments: dict[str, Any], writes: WriteLog) -> RecordedCall:
        """Make one call; while a write is under way, or after one that broke, the server's state is unknown."""
        before, self._live = self._live, None
        answer = await self._session.call(tool.original_name, arguments)
        self._live = before
        value, error, text = read_answer(answer, tool)
        return RecordedCall(
            tool=tool.name, arguments=arguments, value=value, error=error, text=text, after=writes.digest
        )


def read_answer(answer: Any, tool: Tool) -> tuple[Any, str | None, str]:
    """Return value, error and text of what a server answered to a call of `tool`.

    The text is the server's own, but for structured content that the text does not spell out: the caller sees the value.
    """
    if isinstance(answer, Exception):
        said = str(answer) or type(answer).__name__
        return None, said, said
    blocks = [block.model_dump(mode="json", by_alias=True, exclude_none=True) for block in answer.content]
    structured = answer.structured_content
    spoken = all(block.get("type") == "text" for block in blocks)
    text = "\n".join(block["text"] for block in blocks) if spoken else json.dumps(blocks, ensure_ascii=False)
    if answer.is_error:
        said = text or (json.dumps(structured) if structured else f"{tool.name} failed without a word.")
        return None, said, said
    if structured is not None and tool.returns is not None:
        same = spoken and canonical_json(_parsed(text)) == canonical_json(structured)
        return structured, None, text if same else json.dumps(structured, ensure_ascii=False)
    return _parsed(text) if spoken else blocks, None, text


def _parsed(text: str) -> Any:
    """Return the JSON value that a text is, or the text."""
    try:
        return json.loads(text, parse_constant=_refuse)
    except ValueError:
        return text


def _refuse(word: str) -> Any:
    raise ValueError(f"{word} is no JSON")
