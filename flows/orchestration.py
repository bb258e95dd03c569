"""Runs a stage as a Prefect flow from the command line, quiet and offline where nothing else is asked for."""

import os
from pathlib import Path

from interplay.flows.config import RunConfig
from interplay.flows.running import RunSummary, Tell
from interplay.flows.workspace import Workspace, make_folder

QUIET = {
    "DO_NOT_TRACK": "1",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "PREFECT_CLOUD_ENABLE_ORCHESTRATION_TELEMETRY": "false",
    "PREFECT_TELEMETRY_ENABLE_RESOURCE_METRICS": "false",
    "PREFECT_LOGGING_LEVEL": "WARNING",
    "PREFECT_SERVER_LOGGING_LEVEL": "WARNING",
}


def prefect_environment(workspace: Workspace) -> dict[str, str]:
    """Return the settings that Prefect reads when it is imported; what the environment says already is left out."""
    wanted = {**QUIET, "PREFECT_HOME": str((workspace.folder / "prefect").absolute())}
    return {name: value for name, value in wanted.items() if name not in os.environ}


async def run_as_flow(
    workspace: Workspace, config: RunConfig, tell: Tell, source: Path | None = None, records: int | None = None
) -> RunSummary:
    """Run the flow that generates a dataset, against the API that is configured, or one that lives as long as this."""
    os.environ.update(prefect_environment(workspace))
    make_folder(Path(os.environ["PREFECT_HOME"]))
    from interplay.flows.pipeline import generate  # noqa: PLC0415  (reads its settings when imported)

    return await generate(workspace, config, tell, source, records)
