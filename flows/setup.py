"""Toolset specifications -> a commented configuration file; a bundled domain -> a copy to begin one's own with."""

import json
import keyword
import sys
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from interplay.flows.assemble import DOMAINS
from interplay.flows.config import TEMPLATE
from interplay.flows.specs import seen_from
from interplay.flows.workspace import CONFIG_NAME, require_free, write_text
from interplay.schemas.errors import ConfigError

SOURCES = (".py", ".yaml", ".md")
"""Endings of the files that a domain is made of."""


def copy_domain(folder: Path, name: str, own: str = "", force: bool = False) -> Path:
    """Copy a bundled domain into a package of one's own, `own` (by default `my_NAME`) in `folder`; return where it is.

    Raises:
        ConfigError: there is no such domain, the name is none for a package, or the folder is there and `force` is not given.
        StoreError: it cannot be written.
    """
    own = own or f"my_{name}"
    if name not in DOMAINS:
        raise ConfigError(f"--domain {name}: no such domain. Bundled: {', '.join(DOMAINS)}.")
    if not own.isidentifier() or keyword.iskeyword(own) or own in sys.stdlib_module_names:
        raise ConfigError(f"--name {own}: is no name for a Python package. Take letters, digits and underscores.")
    target = folder / own
    require_free(target, force, "give another --name")
    package = DOMAINS[name]
    for source in sorted(files(package).iterdir(), key=lambda item: item.name):
        if source.name.endswith(SOURCES):
            text = source.read_text(encoding="utf-8").replace(package, own)
            write_text(target / source.name, text)
    return target


def write_config(folder: Path, specs: Sequence[str], force: bool = False) -> Path:
    """Write interplay.yaml into `folder`; paths in `specs` are given from here, and written as seen from there.

    Raises:
        ConfigError: the file is there, and `force` is not given.
        StoreError: it cannot be written.
    """
    path = folder / CONFIG_NAME
    require_free(path, force, "name another folder")
    # JSON strings are YAML strings too, whatever characters a path holds.
    toolsets = "\n".join(f"  - {json.dumps(seen_from(spec, folder), ensure_ascii=False)}" for spec in specs)
    write_text(path, TEMPLATE.format(name=path, toolsets=toolsets))
    return path
