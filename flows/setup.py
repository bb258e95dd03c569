"""Toolset specifications -> a commented configuration file."""

import json
from collections.abc import Sequence
from pathlib import Path

from interplay.flows.config import TEMPLATE
from interplay.flows.specs import seen_from
from interplay.flows.workspace import CONFIG_NAME, write_text
from interplay.schemas.errors import ConfigError


def write_config(folder: Path, specs: Sequence[str], force: bool = False) -> Path:
    """Write interplay.yaml into `folder`; paths in `specs` are given from here, and written as seen from there.

    Raises:
        ConfigError: the file is there, and `force` is not given.
        StoreError: it cannot be written.
    """
    path = folder / CONFIG_NAME
    if path.exists() and not force:
        raise ConfigError(f"{path}: is there already. Replace it with --force, or name another folder.")
    # JSON strings are YAML strings too, whatever characters a path holds.
    toolsets = "\n".join(f"  - {json.dumps(seen_from(spec, folder), ensure_ascii=False)}" for spec in specs)
    write_text(path, TEMPLATE.format(name=path, toolsets=toolsets))
    return path
