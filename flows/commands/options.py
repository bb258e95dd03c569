"""The options that several commands take."""

from pathlib import Path
from typing import Annotated

import typer

from interplay.schemas.plain_file import at_home

WORKSPACE = Path("workspace")
SPECS = (
    "domain:clinic, openapi:PATH, json:PATH, python:MODULE[:CLASS], mcp:COMMAND, mcp+live:COMMAND[?record=FILE] "
    "or mcp+recorded:FILE"
)


def workspace_folder(place: str | Path) -> Path:
    """Return the local folder of a workspace, given by its path or its URL on an object store."""
    if place and ":/" not in str(place):
        return at_home(Path(place))
    from interplay.flows.workspaces.shared_workspace import workspace_folder as cached

    return cached(place)


_toolset = typer.Option("--toolset", metavar="SPEC", help=f"Where tools come from: {SPECS}. May be repeated.")
ToolsetOption = Annotated[list[str] | None, _toolset]
RequiredToolset = Annotated[list[str], _toolset]
WorkspaceOption = Annotated[
    Path,
    typer.Option(
        "--workspace",
        metavar="DIR",
        parser=workspace_folder,
        help="The folder that holds everything of a run, or its URL, such as s3://bucket/nightly.",
    ),
]
WorkspaceArgument = Annotated[
    Path,
    typer.Argument(
        metavar="[WORKSPACE]",
        parser=workspace_folder,
        help="The folder that holds everything of a run, or its URL, such as s3://bucket/nightly.",
    ),
]
NewWorkspace = Annotated[
    Path,
    typer.Option(
        "--to", metavar="DIR", parser=workspace_folder, help="The workspace to make; the other one stays as it is."
    ),
]
WorkersOption = Annotated[
    int | None, typer.Option("--workers", min=1, max=256, metavar="W", help="Processes that work side by side.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Answer with one JSON document on standard output.")]
ConfigArgument = Annotated[
    Path | None,
    typer.Argument(metavar="[CONFIG]", help="A configuration file; by default interplay.yaml, if there is one."),
]
