"""The command that shows workspaces in a browser."""

from pathlib import Path
from typing import Annotated

import typer

from interplay.flows.commands.options import WORKSPACE, workspace_folder


def view(
    workspaces: Annotated[
        list[str] | None,
        typer.Argument(metavar="[WORKSPACE]...", help="The workspaces to look at; by default ./workspace."),
    ] = None,
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, metavar="N", help="The port; by default one that is free.")
    ] = 0,
    read_only: Annotated[
        bool, typer.Option("--read-only", help="Write nothing in the workspaces: no index, no labels.")
    ] = False,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Whether to open the page in a browser.")
    ] = True,
) -> None:
    """Look at runs and dialogues in a browser, while they are made; nothing of it leaves this machine."""
    import os
    import sys
    import webbrowser
    from contextlib import ExitStack, suppress

    import uvicorn

    from interplay.flows.console.visible_text import print_line
    from interplay.flows.viewer.guard import Guard
    from interplay.flows.viewer.index_upkeep import upkeep
    from interplay.flows.viewer.page_server import listening, looked_at, viewer_app
    from interplay.outputs.store.scratch import scratch_folder

    folders = [workspace_folder(Path(name) if ":/" not in name else name) for name in workspaces or [str(WORKSPACE)]]
    with ExitStack() as opened:
        scratch = opened.enter_context(scratch_folder()) if read_only else None
        places = looked_at(folders, scratch)
        bound = opened.enter_context(listening(port))
        guard = Guard(bound.getsockname()[1])
        opened.enter_context(upkeep([(place.workspace.folder, place.index) for place in places]))
        print_line(f"Look at it here, until you press Ctrl+C: {guard.address}")
        if browser and (sys.platform != "linux" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
            webbrowser.open(guard.address)  # only a graphical browser: others would take over the terminal
        app = viewer_app(places, guard, read_only)
        with suppress(KeyboardInterrupt):
            uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False)).run([bound])
