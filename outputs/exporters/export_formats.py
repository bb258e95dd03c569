"""The names of the formats: each is the module of `formats` that makes its rows.

This module imports none of them, so that the command line knows its choices without loading what writes rows.
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
"""To add a format, write its module and add its name here: the command line, the card and the reload check read its `FORMAT`."""

FORMATS: tuple[FormatName, ...] = get_args(FormatName)

Shape = Literal["jsonl", "parquet", "dataset"]
"""The files of an export."""


def named_format(name: FormatName) -> "Format":
    """Return the `FORMAT` of the module called so."""
    format: Format = import_module(f"interplay.outputs.exporters.formats.{name}").FORMAT
    return format
