"""The configuration that a command runs: a given one, the one in the working directory, or that of the workspace."""

from pathlib import Path

from interplay.flows.settings.config import RunConfig
from interplay.flows.settings.config_file import load_config
from interplay.flows.settings.specs import absolute_spec
from interplay.flows.workspaces.workspace import Workspace

CONFIG_NAME = "interplay.yaml"


def choose_config(
    config: Path | None, toolset: tuple[str, ...], workspace: Workspace, folder: Path
) -> tuple[RunConfig, Path | None]:
    """Return the configuration to run, and the file that it was read from, if any.

    In this order: the given file; the given toolset; interplay.yaml in the workspace or in `folder`, unless the workspace
    was made from something else; the configuration of the workspace; the clinic.

    Raises:
        ConfigError: the file cannot be read.
    """
    placed = tuple(absolute_spec(spec, Path.cwd()) for spec in toolset)
    if config is not None:
        loaded = load_config(config)
        return (loaded.model_copy(update={"toolset": placed}), None) if toolset else (loaded, config.absolute())
    if toolset:
        return RunConfig(toolset=placed), None
    known = workspace.run()
    for place in (workspace.folder / CONFIG_NAME, folder / CONFIG_NAME):
        if place.exists():
            loaded, source = load_config(place), place.absolute()
            if known is None or known.source == str(source) or known.fingerprint == loaded.fingerprint():
                return loaded, source
    if known is not None:
        return known.config, Path(known.source) if known.source else None
    return RunConfig(), None


def config_here(config: Path | None, folder: Path) -> RunConfig:
    """Return the configuration of a file, or of interplay.yaml in `folder`.

    Raises:
        ConfigError: there is none, or it cannot be read.
    """
    return load_config(config or folder / CONFIG_NAME)
