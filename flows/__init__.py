"""The Python API, and what joins the rooms: a configuration -> records, a store and exports.

    from interplay.flows import run, preview, import_tools, build_graph, export, open_store

Each function is imported when it is asked for, so that `import interplay.flows` and `interplay --help` answer at once.

commands/         the command line: arguments in, one call, a report printed
cli.py            the name of the command line in console scripts that were installed before `commands` was there
console/          records, reports and progress -> what a person reads in the terminal
viewer/           workspaces -> a page at which people look at them
deployment.py     a configuration -> deployments, a schedule and automations on a Prefect server
orchestration.py  a run from the command line as a Prefect flow
pipeline.py       the stages as Prefect flows; deployments name this module, so it keeps its path
api.py            the Python API: run, preview, import_tools, build_graph, export, open_store
prefect/          what Prefect shows of a run, and where its shards are made
estimates/        a configuration -> what its models would be asked, and what that costs
judging/          files of recorded dialogues -> a verdict on each
curation/         a workspace -> which accepted records stay out of exports, and why
gym/              tasks as sessions for agents in training, transcripts of them -> rewards; the server of both
drafted_files/    a model drafts a file: tools of a domain, scenarios, rules
runs/             a configuration and a workspace -> the first N accepted records, shard after shard
generation/       one index of a run -> its records
reviewers/        a dialogue -> a verdict of reviewers, and what reviewers are worth
branches/         a played dialogue -> where it branches, and the same dialogue with one mistake
roles/            what is said of models -> who plays which role in a dialogue
worlds/           specifications of toolsets -> environment, policy and tool graph
workspaces/       the folder of a run: its files, its lock, its store
settings/         a YAML file -> a checked configuration

Order: settings, worlds, roles, generation, runs, and what is made lies in a workspace. A folder or module imports only
those below it in this list. To add a key of the configuration, add a field in `settings`; to add a command, add it to a
module of `commands` and to its list in `commands.cli`.
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
