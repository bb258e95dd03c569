"""The Python API, and what joins the rooms below: configuration, assembly of parts, stages, Prefect, the command line.

    from interplay.flows import run, preview, import_tools, build_graph, export, open_store

Each function is imported when it is asked for, so that `import interplay.flows` and `interplay --help` answer at once.
`api.py` holds them; `cli.py` lists the commands, which are in `commands/`.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from interplay.flows.api import build_graph, export, import_tools, open_store, preview, run

__all__ = ["build_graph", "export", "import_tools", "open_store", "preview", "run"]


def __getattr__(name: str) -> Any:
    """Import a function of the Python API when it is first asked for."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from interplay.flows import api  # noqa: PLC0415 - see above

    return getattr(api, name)


def __dir__() -> list[str]:
    """List the functions of the Python API too, for completion in notebooks and shells."""
    return sorted({*globals(), *__all__})
