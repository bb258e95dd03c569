"""Runs a stage as a Prefect flow from the command line; quiet and offline unless the environment says otherwise."""

import asyncio
import atexit
import os
import signal
import sys
from pathlib import Path

from interplay.flows.runs.committer import OnProgress, RunSummary
from interplay.flows.runs.process_life import end_along
from interplay.flows.settings.config import RunConfig
from interplay.flows.workspaces.run_files import make_folder
from interplay.flows.workspaces.workspace import Workspace
from interplay.schemas.errors import ConfigError

QUIET = {
    "DO_NOT_TRACK": "1",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "PREFECT_CLOUD_ENABLE_ORCHESTRATION_TELEMETRY": "false",
    "PREFECT_TELEMETRY_ENABLE_RESOURCE_METRICS": "false",
    "PREFECT_LOGGING_LEVEL": "CRITICAL",  # errors are raised, and shown in one line
    "PREFECT_INTERNAL_LOGGING_LEVEL": "CRITICAL",
    "PREFECT_LOGGING_ROOT_LEVEL": "CRITICAL",  # its services log outside its own loggers
    "PREFECT_SERVER_LOGGING_LEVEL": "CRITICAL",
    "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "180",  # Prefect's default of 20 is too short on a busy machine
}


ANSWERS_WITHIN = 10.0
"""Seconds to wait for a server's health check; Prefect itself would wait minutes for a silent server."""


LOOK_SECONDS = 0.1
"""Seconds between looks at whether the server of a run has started."""


def require_answer(server: str) -> None:
    """Check that a server is not silent and its address is valid; Prefect itself reports all other errors at once.

    Raises:
        ConfigError: the server does not answer in time, or the address is invalid.
    """
    import httpx  # noqa: PLC0415 - slow to import, and few runs need it

    try:
        found = httpx.get(f"{server.rstrip('/')}/health", timeout=ANSWERS_WITHIN)
    except httpx.TimeoutException as error:
        raise ConfigError(
            f"Prefect at {server}: no answer within {ANSWERS_WITHIN:.0f} s. Is it running, and does PREFECT_API_URL name it? "
            "Start one with: prefect server start"
        ) from error
    except (httpx.UnsupportedProtocol, httpx.LocalProtocolError, httpx.InvalidURL) as error:
        raise ConfigError(
            f"PREFECT_API_URL={server}: is no address of a server, such as http://127.0.0.1:4200/api"
        ) from error
    except httpx.HTTPError:
        return
    if found.headers.get("content-type", "").partition(";")[0] != "application/json":
        raise ConfigError(
            f"PREFECT_API_URL={server}: something answers there, and not as Prefect does. Its addresses end in /api, such as "
            "http://127.0.0.1:4200/api"
        )


def prefect_environment(workspace: Workspace) -> dict[str, str]:
    """Return the settings that Prefect reads when it is imported, without those that the environment already sets."""
    wanted = {**QUIET, "PREFECT_HOME": str((workspace.folder / "prefect").absolute())}
    return {name: value for name, value in wanted.items() if name not in os.environ}


def run_flow(
    workspace: Workspace, config: RunConfig, tell: OnProgress, source: Path | None = None, records: int | None = None
) -> RunSummary:
    """Run `run_as_flow`; a signal to end, for which Prefect raises an error of its own, ends the process without a traceback."""
    try:
        return asyncio.run(run_as_flow(workspace, config, tell, source, records))
    except BaseException as ended:
        from prefect.exceptions import TerminationSignal  # noqa: PLC0415 - slow to import, and imported by then

        if isinstance(ended, TerminationSignal):
            sys.exit(128 + ended.signal)
        raise


async def run_as_flow(
    workspace: Workspace, config: RunConfig, tell: OnProgress, source: Path | None = None, records: int | None = None
) -> RunSummary:
    """Run the flow that generates a dataset, on the configured Prefect API or on a temporary server of this process."""
    os.environ.update(prefect_environment(workspace))
    make_folder(Path(os.environ["PREFECT_HOME"]))
    atexit.register(_mute_last_words)
    if "PREFECT_API_URL" not in os.environ:
        sys.stderr.write(
            "Waiting for a Prefect server of this run to start, some 10 s; PREFECT_API_URL names one that is there.\n"
        )
    else:
        require_answer(os.environ["PREFECT_API_URL"])
    # The server that Prefect starts inherits the mask: if Ctrl+C ended it, the flow could not report its own end, and
    # would try for a minute. The flow lets interrupts in again.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    from httpx import TransportError  # noqa: PLC0415 - slow to import, and few runs need it

    from interplay.flows.pipeline import generate  # noqa: PLC0415 - reads its settings when imported

    try:
        await _start_server()
        return await generate(workspace, config, tell, source, records)
    except TransportError as error:
        raise ConfigError(
            f"Prefect at {os.environ.get('PREFECT_API_URL', 'its own server')} does not answer any more. Everything made is kept in "
            f"{workspace.name}: run it again, with a server that is there or without PREFECT_API_URL."
        ) from error
    except RuntimeError as error:
        if "API" not in str(error):
            raise
        raise ConfigError(
            f"Prefect: {error} Start a server with: prefect server start; or unset PREFECT_API_URL to do without."
        ) from error
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


async def _start_server() -> None:
    """Start a temporary server unless one is configured; it ends with this process, even if that is killed during the start.

    Raises:
        RuntimeError: the server does not answer.
    """
    from prefect.server.api.server import SubprocessASGIServer  # noqa: PLC0415 - as above
    from prefect.settings import get_current_settings  # noqa: PLC0415

    known = get_current_settings()
    if known.api.url is not None or not known.server.ephemeral.enabled:
        return
    server, watched = SubprocessASGIServer(), 0
    starting = asyncio.ensure_future(asyncio.to_thread(server.start))
    while not starting.done():
        if server.server_process is not None and server.server_process.pid != watched:
            watched = server.server_process.pid
            end_along(watched)
        await asyncio.sleep(LOOK_SECONDS)
    await starting


def _mute_last_words() -> None:
    """Close standard error at the very end of the process.

    Prefect's threads outlive the interpreter's modules, and DuckDB's binding then reports each as leaked. As this is
    registered before Prefect is imported, it runs after all exit handlers of Prefect.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
