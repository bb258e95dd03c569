"""Workspaces -> the web application of their pages, and a socket on this machine."""

import socket
from collections.abc import Sequence
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response

from interplay.flows.viewer.guard import Guard
from interplay.flows.viewer.index_upkeep import bring_up_to_date
from interplay.flows.viewer.label_routes import LabelRoutes
from interplay.flows.viewer.looked_at import LookedAt
from interplay.flows.viewer.record_routes import RecordRoutes
from interplay.flows.viewer.run_routes import RunRoutes
from interplay.flows.viewer.site import Site
from interplay.flows.workspaces.shared_workspace import pull
from interplay.flows.workspaces.workspace import Workspace
from interplay.schemas.errors import InterplayError, StoreError


def viewer_app(places: Sequence[LookedAt], guard: Guard, read_only: bool = False) -> FastAPI:
    """Return the web application that shows workspaces."""
    app, site = FastAPI(docs_url=None, redoc_url=None, openapi_url=None), Site(places, read_only)
    app.middleware("http")(guard)
    for routes in (RunRoutes(site), RecordRoutes(site), LabelRoutes(site)):
        app.include_router(routes.router())

    @app.exception_handler(InterplayError)
    async def tell(_: Request, error: InterplayError) -> Response:
        return site.shown("problem", None, 404, problem=str(error))

    @app.exception_handler(404)
    @app.exception_handler(RequestValidationError)
    async def miss(_: Request, __: Exception) -> Response:
        return site.shown("problem", None, 404, problem="There is no such page here.")

    return app


def looked_at(folders: Sequence[Path], scratch: Path | None = None) -> tuple[LookedAt, ...]:
    """Return the workspaces to view, each with its index, which may be empty yet: in the workspace, or in a `scratch` folder.

    Raises:
        ConfigError: one of them holds no run yet.
        StoreError: the index cannot be written.
    """
    found = []
    for number, folder in enumerate(folders):
        workspace = Workspace(folder)
        pull(workspace)
        workspace.existing_run()
        index = workspace.viewer_file if scratch is None else scratch / str(number) / workspace.viewer_file.name
        bring_up_to_date(workspace, index, going=lambda: False)
        found.append(LookedAt(number, workspace, index))
    return tuple(found)


def listening(port: int, host: str = "127.0.0.1") -> socket.socket:
    """Return a listening socket, by default on this machine only; port 0 takes a free port.

    Raises:
        StoreError: the port is taken, or the host is not an address of this machine.
    """
    found = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((host, port))
        found.listen()  # early requests wait instead of being refused
    except socket.gaierror as error:
        found.close()
        raise StoreError(f"--host {host}: is no address of this machine. Name one, such as 0.0.0.0.") from error
    except OSError as error:
        found.close()
        raise StoreError(
            f"Port {port} of {host} cannot be had ({error.strerror}). Name another with --port."
        ) from error
    return found
