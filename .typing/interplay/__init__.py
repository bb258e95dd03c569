"""Turns any API into verified multi-turn training data for tool-calling agents.

flows       the Python API: `run`, `preview`, `import_tools`, `build_graph`, `export`, `open_store`; the command line
generators  importers, environments, tool graph, blueprints, participants, models, domains
validators  checks of blueprints and trajectories, review, labels
outputs     the store, exporters, pictures of graphs, the card
schemas     the records that all of them exchange, and the errors

In the repository the five folders lie at the top level; beside this file are links to them, for checkers and editors.
"""

from typing import Any

__all__ = ["__version__"]

__version__: str


def __getattr__(name: str) -> Any:
    """Read the version from the installed distribution when it is asked for: that takes longer than all else here."""
    if name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib.metadata import version  # noqa: PLC0415 - see above

    return version(__name__)
