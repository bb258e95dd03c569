"""The address of an MCP server -> a session with it, held by a background thread with its own event loop.

    mcp-server-time --local-timezone UTC          started as a child process, over stdio
    MEMORY_FILE_PATH={fresh}/m.json npx server    the same, with an environment variable and a fresh folder
    http://127.0.0.1:8000/mcp                     over streamable HTTP

The thread is needed since environments are called from several event loops, while the SDK wants a session to live in one
task. Every start, call and stop has a deadline; child processes end with the session, at the latest when the interpreter
exits. Their stderr is drained continuously, and its end kept for error messages.
Needs the extra `interplay[mcp]`. Source: Model Context Protocol 2025-06-18, Lifecycle, Transports and Tools.
"""

import asyncio
import atexit
import logging
import os
import re
import shlex
import shutil
import tempfile
import threading
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import Future
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from interplay.generators.importers.mcp.tool_list import ToolListFilter, list_tools
from interplay.schemas.errors import ConfigError, EnvironmentFailure

START_TIMEOUT = 30.0
"""Seconds for the server to start and list its tools."""
TOLD_AFTER = 5.0
"""Seconds of starting after which a log message tells of the wait."""
CALL_TIMEOUT = 60.0
"""Seconds for the server to answer a call."""
STOP_TIMEOUT = 15.0
"""Seconds for a session to end."""
PARTING, KILLING = 0.3, 1.0
"""Seconds for a child process to exit after its stdin closes, and after it is terminated. Shorter than the SDK's 2 s each:
its state is not needed any more, and a slow one would cost them at each fresh start."""
LARGEST = 64 * 1024**2
"""Most bytes read of an answer over HTTP; the SDK allows 1 MB for an event, and any number otherwise."""
log = logging.getLogger(__name__)

_KEPT = 4096
_SHOWN = 300
FRESH = "{fresh}"
"""Placeholder in a command for the server's own folder, which is emptied before each start."""
STEADY = {"PYTHONHASHSEED": "0", "TZ": "UTC"}
"""Environment variables that make a child's set order and time zone reproducible; the command may override them."""
_VARIABLE = re.compile(r"[A-Za-z_]\w*=")
_CLOSED = -32000
"""The SDK's error code for calls that are pending when the connection ends."""

_TALKATIVE = ("mcp.client.stdio", "mcp.client.streamable_http")

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Address:
    """Where a server is: a command with its environment, or a URL."""

    words: tuple[str, ...] = ()
    variables: dict[str, str] = field(default_factory=dict)
    url: str = ""

    @property
    def text(self) -> str:
        """All parts of the address, joined by spaces."""
        return " ".join((*self.words, *self.variables.values(), self.url))

    @property
    def name(self) -> str:
        """The server's name in messages."""
        return self.url.partition("?")[0] or Path(self.words[0]).name

    @classmethod
    def read(cls, text: str) -> "Address":
        """Read a command line or a URL.

        Raises:
            ConfigError: `text` holds no command, or its quotes do not match.
        """
        if text.startswith(("http://", "https://")):
            return cls(url=text.strip())
        try:
            words = shlex.split(text)
        except ValueError as error:
            raise ConfigError(f"toolset 'mcp:{text}': {error}") from error
        count = next((index for index, word in enumerate(words) if not _VARIABLE.match(word)), len(words))
        if not words[count:]:
            raise ConfigError("toolset 'mcp:': give the command that starts the server, as in mcp:mcp-server-time")
        return cls(tuple(words[count:]), dict(word.split("=", 1) for word in words[:count]))


class McpSession:
    """A server that can be started, called and restarted; usable from any thread.

    `before_start` runs before each start, to restore state that the server keeps outside its process.
    """

    def __init__(
        self,
        address: Address,
        start_timeout: float = START_TIMEOUT,
        call_timeout: float = CALL_TIMEOUT,
        before_start: Callable[[], None] | None = None,
    ) -> None:
        self.address = address
        self._timeouts = (start_timeout, call_timeout)
        self.folder = tempfile.mkdtemp(prefix="interplay-mcp-") if FRESH in address.text else ""
        self._before_start = before_start
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name=f"mcp {address.name}", daemon=True)
        self._thread.start()
        self._session: Any = None
        self._heard: ToolListFilter | None = None
        self._connection: asyncio.Task[None] | None = None
        self._leave = asyncio.Event()
        self._stderr = _Tail()
        self._closed = False
        self.lock = asyncio.Lock()
        self._ending = asyncio.Lock()
        atexit.register(self.close)

    def submit(self, work: Coroutine[Any, Any, Answer]) -> "Future[Answer]":
        """Run a coroutine in the session's own loop.

        Raises:
            EnvironmentFailure: the session was closed.
        """
        if self._closed:
            work.close()
            raise EnvironmentFailure(f"mcp:{self.address.name}: the session was closed")
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    async def start(self) -> dict[str, Any]:
        """Start the server, or restart it, and return the result of `list_tools`; in the session's loop only.

        Raises:
            ConfigError: the extra is not installed.
            EnvironmentFailure: the server cannot be started, dies, or does not list its tools in time.
        """
        await self.stop()
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)
            Path(self.folder).mkdir(parents=True, exist_ok=True)
        if self._before_start is not None:
            await asyncio.to_thread(self._before_start)
        if self._closed:
            raise EnvironmentFailure(f"mcp:{self.address.name}: the session was closed")
        opened: asyncio.Future[dict[str, Any]] = self._loop.create_future()
        self._stderr = _Tail()
        self._leave = asyncio.Event()
        self._connection = asyncio.create_task(self._connect(opened, self._leave))
        timeout = self._timeouts[0]
        under_way: set[asyncio.Future[Any]] = {opened, self._connection}
        soon = min(TOLD_AFTER, timeout)
        done, _ = await asyncio.wait(under_way, timeout=soon, return_when=asyncio.FIRST_COMPLETED)
        if not done and timeout > soon:
            log.info("mcp:%s: has not told its tools yet; it has %g s in all.", self.address.name, timeout)
            await asyncio.wait(under_way, timeout=timeout - soon, return_when=asyncio.FIRST_COMPLETED)
        if opened.done():
            return opened.result()
        error = self._connection.exception() if self._connection.done() else None
        await self.stop()
        if isinstance(error, ImportError):
            raise ConfigError("toolset 'mcp:...': install the library first: pip install 'mcp>=2.3'") from error
        raise self._failure(
            _cause(error) if error else f"no list of tools within {timeout:g} s (?start_timeout=SECONDS gives it more)"
        ) from error

    async def call(self, name: str, arguments: dict[str, Any], timeout: float | None = None) -> Any:
        """Call a tool and return its result, or the MCPError with which the server refused; in the session's loop only.

        `timeout` is in seconds; None takes that of the session.

        Raises:
            EnvironmentFailure: the server is not running, died, does not answer in time, or breaks the protocol.
        """
        if self._session is None or self._connection is None or self._connection.done():
            raise self._failure("the server is gone")
        heard = self._heard
        odd = heard.odd if heard else 0
        running = asyncio.create_task(self._session.call_tool(name, arguments))
        seconds = timeout or self._timeouts[1]
        try:
            await asyncio.wait({running, self._connection}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            finished = running.done()
            running.cancel()
        if not finished:
            late = not self._connection.done()
            await self.stop()
            said = ", but a line that is no message" if heard and heard.odd > odd else ""
            raise self._failure(f"no answer to {name} within {seconds:g} s{said}" if late else f"died in {name}")
        error = running.exception()
        if error is None:
            return running.result()
        code = getattr(getattr(error, "error", None), "code", None)
        if code is not None and code != _CLOSED:
            return error
        await self.stop()
        what = f"died in {name}" if code == _CLOSED else f"answered {name} wrongly: {_cause(error)}"
        raise self._failure(what) from error

    async def stop(self) -> None:
        """Stop the server if it runs; in the session's loop only."""
        async with self._ending:
            await self._stop()

    async def _stop(self) -> None:
        connection, is_open, is_leaving = self._connection, self._session is not None, self._leave.is_set()
        self._session = None
        if connection is None:
            return
        self._leave.set()
        if is_open or is_leaving:  # an earlier stop may have been cancelled
            await asyncio.wait({connection}, timeout=STOP_TIMEOUT / 2)
        if not connection.done():
            connection.cancel()
            await asyncio.wait({connection}, timeout=STOP_TIMEOUT / 2)
        self._connection = None
        if connection.done() and not connection.cancelled():
            connection.exception()  # marks it as retrieved; `start` and `call` report it

    def close(self) -> None:
        """Stop the server and the thread; the session cannot be used again."""
        if self._closed:
            return
        self._closed = True
        atexit.unregister(self.close)
        ending = asyncio.run_coroutine_threadsafe(self.stop(), self._loop)
        ending.add_done_callback(lambda _: self._loop.call_soon_threadsafe(self._loop.stop))
        if threading.current_thread() is not self._thread:
            self._thread.join(STOP_TIMEOUT + 1)
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()
        with suppress(RuntimeError):
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        self._loop.close()

    async def _connect(self, opened: "asyncio.Future[dict[str, Any]]", leave: asyncio.Event) -> None:
        """Hold the connection open until `leave` is set; the SDK's contexts must be entered and left in one task."""
        from mcp import ClientSession  # noqa: PLC0415 - an optional, heavy library

        async with AsyncExitStack() as stack:
            streams = await self._open_streams(stack)
            heard = ToolListFilter(streams[0])
            session = await stack.enter_async_context(ClientSession(heard, streams[1]))
            opened.set_result(await list_tools(session, heard))
            self._session, self._heard = session, heard
            await leave.wait()

    async def _open_streams(self, stack: AsyncExitStack) -> Any:
        from mcp import StdioServerParameters  # noqa: PLC0415
        from mcp.client import stdio  # noqa: PLC0415
        from mcp.client.streamable_http import streamable_http_client  # noqa: PLC0415

        stdio.PROCESS_TERMINATION_TIMEOUT, stdio.FORCE_KILL_TIMEOUT = PARTING, KILLING
        for library in _TALKATIVE:  # they log a traceback for each line that is no message
            logging.getLogger(library).setLevel(logging.CRITICAL)
        if self.address.url:
            client = await stack.enter_async_context(_bounded_client())
            opened = streamable_http_client(self.address.url, http_client=client, max_sse_event_size=LARGEST)
            return await stack.enter_async_context(opened)
        command, *rest = (word.replace(FRESH, self.folder) for word in self.address.words)
        variables = {name: value.replace(FRESH, self.folder) for name, value in self.address.variables.items()}
        server = StdioServerParameters(
            command=command, args=rest, env={**STEADY, **variables}, encoding_error_handler="replace"
        )
        with self._stderr.writer() as log:
            return await stack.enter_async_context(stdio.stdio_client(server, errlog=log))

    def _failure(self, what: str) -> EnvironmentFailure:
        said = self._stderr.text()
        hint = f"Its last words: {said}" if said else f"Start it by hand to see why: {shlex.join(self.address.words)}."
        if self.address.url:
            hint = "Is it running, and the address right? That of many servers ends in /mcp."
        return EnvironmentFailure(f"mcp:{self.address.name}: {what}. {hint}")


def _bounded_client() -> Any:
    """Return an HTTP client like the SDK's that reads at most `LARGEST` bytes of an answer, and decompresses none."""
    import httpx2  # noqa: PLC0415 - comes with the SDK

    class Bounded(httpx2.AsyncByteStream):
        def __init__(self, stream: Any) -> None:
            self._stream = stream

        async def __aiter__(self) -> AsyncIterator[bytes]:
            size = 0
            async for part in self._stream:
                size += len(part)
                if size > LARGEST:
                    raise OSError(f"it answers with more than the {LARGEST // 1024**2} MB that are read")
                yield part

        async def aclose(self) -> None:
            await self._stream.aclose()

    async def bound(response: Any) -> None:
        response.headers.pop("content-encoding", None)
        if not response.headers.get("content-type", "").startswith("text/event-stream"):  # the SDK bounds events
            response.stream = Bounded(response.stream)

    return httpx2.AsyncClient(
        headers={"Accept-Encoding": "identity"},
        timeout=httpx2.Timeout(30.0, read=300.0),
        event_hooks={"response": [bound]},
    )


class _Tail:
    """The last bytes of a child's stderr, drained by a thread so that the child never blocks."""

    def __init__(self) -> None:
        self._kept = b""
        self._reader: threading.Thread | None = None

    def writer(self) -> Any:
        """Start reading, and return the write end of the pipe for the child."""
        source, target = os.pipe()
        self._reader = threading.Thread(target=self._read, args=(source,), name="mcp stderr", daemon=True)
        self._reader.start()
        return os.fdopen(target, "w")

    def text(self) -> str:
        """Return the last `_SHOWN` bytes as one line."""
        if self._reader is not None:
            self._reader.join(0.2)
        return " ".join(self._kept[-_SHOWN:].decode(errors="replace").split())

    def _read(self, source: int) -> None:
        with os.fdopen(source, "rb", buffering=0) as stream:
            while chunk := stream.read(65536):
                self._kept = (self._kept + chunk)[-_KEPT:]


def _cause(error: BaseException) -> str:
    """Return the message of an error, or of the first one in a group, in one line."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    lines = [line.strip() for line in str(error).splitlines() if "For further information" not in line]
    return " ".join(filter(None, lines))[:_SHOWN] or type(error).__name__
