"""The names of the export formats; each is a module of `formats`.

This module imports none of them, so that the command line knows the choices without loading the code that writes rows.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Literal, get_args

if TYPE_CHECKING:
    from interplay.outputs.exporters.row_format import Format

FormatName = Literal[
    "openai",
    "trl",
    "sharegpt",
    "hermes",
    "preference",
    "kto",
    "steps",
    "rl",
    "atif",
    "tau2",
    "bfcl",
]
"""To add a format, write its module and add its name here: the command line, the card and the reload check read its `FORMAT`.

CONTRIBUTING.md lists what else names it: documentation, golden rows, digests.
"""

FORMATS: tuple[FormatName, ...] = get_args(FormatName)

Shape = Literal["jsonl", "parquet", "dataset"]
"""The file types of an export."""


def named_format(name: FormatName) -> "Format":
    """Import the module of a format, and return its `FORMAT`."""
    format: Format = import_module(f"interplay.outputs.exporters.formats.{name}").FORMAT
    return format
