"""The Python API, and the code that joins the other folders: a configuration -> records, a store and exports.

    from interplay.flows import run, preview, import_tools, build_graph, export, open_store

Each function is imported on first use, so that `import interplay.flows` and `interplay --help` start fast.

commands/         the command line: parses arguments, makes one call, prints a report
cli.py            the old entry point of the command line, for console scripts installed before `commands` existed
console/          records, reports and progress -> text in the terminal
viewer/           workspaces -> a local web page to look at them
deployment.py     a configuration -> deployments, a schedule and automations on a Prefect server
orchestration.py  a run from the command line as a Prefect flow
pipeline.py       the stages as Prefect flows; deployments refer to this module by path, so it must not move
api.py            the Python API: run, preview, import_tools, build_graph, export, open_store
prefect/          what Prefect shows of a run, and where its shards are made
estimates/        a configuration -> the calls, tokens and cost of its models
judging/          files of recorded dialogues -> a verdict on each
curation/         a workspace -> which accepted records are left out of exports, and why
gym/              tasks as sessions for agents in training; their transcripts -> rewards; the server for both
drafted_files/    files drafted by a model: tools of a domain, scenarios, rules
runs/             a configuration and a workspace -> the first N accepted records, shard after shard
generation/       one index of a run -> its records
reviewers/        a dialogue -> the reviewers' verdict; and how reliable reviewers are
branches/         a played dialogue -> where it branches, and copies of it with one mistake
roles/            the configured models -> the players of each role in a dialogue
worlds/           specifications of toolsets -> environment, policy and tool graph
workspaces/       the folder of a run: its files, its lock, its store
settings/         a YAML file -> a checked configuration

Order: settings, worlds, roles, generation, runs; the results are stored in a workspace. A folder or module imports only
those below it in this list. To add a key of the configuration, add a field in `settings`; to add a command, add it to a
module of `commands` and to its list in `commands.cli`.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from interplay.flows.api import build_graph, export, import_tools, open_store, preview, run

__all__ = ["build_graph", "export", "import_tools", "open_store", "preview", "run"]


def __getattr__(name: str) -> Any:
    """Import a function of the Python API on first use."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from interplay.flows import api  # noqa: PLC0415 - see above

    return getattr(api, name)


def __dir__() -> list[str]:
    """Include the functions of the Python API, for completion in notebooks and shells."""
    return sorted({*globals(), *__all__})
