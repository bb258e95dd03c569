"""A model server beside a command line that runs in this thread."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from tests.model_server.answers import Script
from tests.model_server.misbehaviour import Settings
from tests.model_server.server import ModelServer


@contextmanager
def serving(settings: Settings, script: Script | None = None) -> Iterator[ModelServer]:
    """Run a model server in a thread of its own, since the command line has its own event loop."""
    loop, server = asyncio.new_event_loop(), ModelServer(settings, script)
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        asyncio.run_coroutine_threadsafe(server.start(), loop).result()
        yield server
        asyncio.run_coroutine_threadsafe(server.__aexit__(), loop).result()
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
