"""Toolset specifications -> a commented configuration file."""

import json
import os
from collections.abc import Sequence
from pathlib import Path

from interplay.flows.config import FILE_KINDS, TEMPLATE
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
    toolsets = "\n".join(f"  - {json.dumps(_seen_from(spec, folder), ensure_ascii=False)}" for spec in specs)
    write_text(path, TEMPLATE.format(name=path, toolsets=toolsets))
    return path


def _seen_from(spec: str, folder: Path) -> str:
    kind, _, place = spec.partition(":")
    if kind not in FILE_KINDS or Path(place).is_absolute():
        return spec
    return f"{kind}:{Path(os.path.relpath(Path(place).expanduser(), folder)).as_posix()}"
