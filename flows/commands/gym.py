"""The command that lets agents in training act on tasks."""

from pathlib import Path
from typing import Annotated

import typer

from interplay.flows.commands.options import WORKSPACE, workspace_folder
from interplay.schemas.errors import ConfigError

LOCAL = "127.0.0.1"
TASKS = 200


def serve(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="[CONFIG|WORKSPACE]",
            parser=workspace_folder,
            help="A workspace, whose accepted tasks are served, or a configuration file, by which tasks are composed.",
        ),
    ] = WORKSPACE,
    port: Annotated[
        int, typer.Option(min=0, max=65535, metavar="PORT", help="Where to listen; 0 takes a free one.")
    ] = 8765,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Elsewhere than on this machine, a token is asked for.")
    ] = LOCAL,
    tasks: Annotated[
        int, typer.Option(min=1, max=100_000, metavar="N", help="Tasks to compose by a configuration.")
    ] = TASKS,
) -> None:
    """Serve tasks as environments with rewards to agents in training, over HTTP with JSON."""
    import asyncio

    from interplay.flows.runs.foreign_crashes import outlive_crashes
    from interplay.flows.settings.config_file import load_config
    from interplay.flows.workspaces.workspace import Workspace

    if source.is_dir():
        outlive_crashes(Workspace(source).existing_run().config.toolset)
    elif source.is_file():
        outlive_crashes(load_config(source).toolset)
    asyncio.run(_serve(source, host, port, tasks))


async def _serve(source: Path, host: str, port: int, tasks: int) -> None:
    import os
    import secrets
    from tempfile import TemporaryDirectory

    import uvicorn

    from interplay.flows.console.visible_text import print_line
    from interplay.flows.gym.catalogue import composed_tasks, with_users, workspace_tasks
    from interplay.flows.gym.gym_guard import LOOPBACK
    from interplay.flows.gym.server import gym_app
    from interplay.flows.settings.config_file import load_config
    from interplay.flows.viewer.page_server import listening
    from interplay.flows.workspaces.workspace import Workspace

    if source.is_dir():
        catalogue = await workspace_tasks(Workspace(source))
    elif source.is_file():
        config = load_config(source)
        catalogue = await composed_tasks(config, tasks)
    else:
        raise ConfigError(f"{source}: is neither a workspace nor a configuration file. Make one: interplay demo.")
    token = "" if host in LOOPBACK else os.environ.get("INTERPLAY_GYM_TOKEN") or secrets.token_urlsafe(24)
    bound = listening(port, host)
    at = f"http://{host}:{bound.getsockname()[1]}"
    print_line(f"{len(catalogue.tasks)} tasks at {at} (Ctrl+C ends it)")
    if token:
        print_line(f"Authorization: Bearer {token}")
    print_line(f"Look: {at}/{f'?token={token}' if token else ''}")
    with TemporaryDirectory() as folder:
        journal = Workspace(source).journal_file if source.is_dir() else Path(folder) / "journal.sqlite"
        async with with_users(catalogue, journal) as served:
            app = gym_app(served, token)
            settings = uvicorn.Config(app, host=host, port=port, log_level="warning", access_log=False)
            await uvicorn.Server(settings).serve(sockets=[bound])
