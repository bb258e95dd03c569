"""A graph report -> a file whose ending says what it is: GraphML, a picture or a page."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from interplay.outputs.graphs.graph_page import page
from interplay.outputs.graphs.graphml import graphml
from interplay.outputs.graphs.picture import picture
from interplay.schemas.errors import ConfigError, StoreError
from interplay.schemas.records.tool_graph import GraphReport

WRITERS: dict[str, Callable[[GraphReport], str]] = {".graphml": graphml, ".svg": picture, ".html": page}


def check_endings(paths: list[Path]) -> None:
    """See that each file can be written by its ending, before any work is done for it.

    Raises:
        ConfigError: an ending is not known.
    """
    for path in paths:
        if path.suffix.lower() not in WRITERS:
            raise ConfigError(f"{path}: a graph is written as {', '.join(WRITERS)}. Give the file such an ending.")


def write_graph(report: GraphReport, path: Path) -> None:
    """Write a report in the form that the ending of `path` names; the file is there complete, or as it was.

    Raises:
        ConfigError: the ending is not known.
        StoreError: the file cannot be written.
    """
    check_endings([path])
    text = WRITERS[path.suffix.lower()](report)
    partial = path.with_name(f"{path.name}.partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.write_text(text, encoding="utf-8", newline="\n")
        partial.replace(path)
    except OSError as error:
        with suppress(OSError):
            partial.unlink(missing_ok=True)
        why = error.strerror or error
        raise StoreError(f"{path}: cannot be written ({why}). Choose a place where files can be written.") from error
