"""Commands about tools: begin with a source, see the outcome of its import, and see which tool feeds which."""

from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

from interplay.flows.commands.options import JsonOption, RequiredToolset, ToolsetOption
from interplay.flows.console.visible_text import print_line
from interplay.schemas.errors import ConfigError


def init(
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="Where to write interplay.yaml.")] = Path(),
    toolset: ToolsetOption = None,
    domain: Annotated[
        str | None, typer.Option(metavar="NAME", help="Copy a bundled domain to begin your own with.")
    ] = None,
    name: Annotated[
        str, typer.Option(metavar="NAME", help="What to call the copy; my_ and its name if not given.")
    ] = "",
    deployments: Annotated[
        bool, typer.Option("--deployments", help="Write prefect.yaml too: deployments for `prefect deploy`.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace what is there.")] = False,
    json: JsonOption = False,
) -> None:
    """Write a commented configuration, interplay.yaml, and list what became of each tool."""
    from interplay.flows.console.imported_tools import print_imports
    from interplay.flows.console.safe_console import open_console, print_json
    from interplay.flows.runs.stages import list_tools
    from interplay.flows.settings.specs import KINDS
    from interplay.flows.worlds.scaffold import copy_domain, write_config, write_deployments

    kind, _, place = str(folder).partition(":")
    if folder.is_file() or (place and kind in KINDS):
        raise ConfigError(f"init {folder}: is a source of tools, not a folder. Name it with --toolset KIND:PLACE.")
    specs = toolset or ["domain:clinic"]
    if domain is not None:
        own = copy_domain(folder, domain, name, force)
        specs = [*(toolset or ()), f"domain:{own if own.is_absolute() else f'./{own}'}"]
    listed = list_tools(specs)
    written = [write_config(folder, specs, force)]
    if deployments:
        written.append(write_deployments(folder, force))
    path = written[0]
    if json:
        print_json({"config": str(path), "files": [str(file) for file in written], **listed})
        return
    console = open_console()
    print_imports(console, listed)
    console.print(f"Wrote {' and '.join(map(str, written))}. Next: interplay run {quote(str(path))}", markup=False)


def import_(
    toolset: RequiredToolset,
    explain: Annotated[
        bool,
        typer.Option("--explain", help="Show resources, which tool does what to which, why, and what is in doubt."),
    ] = False,
    resource: Annotated[str | None, typer.Option(metavar="NAME", help="Explain one resource alone.")] = None,
    no_run: Annotated[
        bool, typer.Option("--no-run", help="Explain without running calls to see whether what they answer fits.")
    ] = False,
    only: Annotated[
        str | None,
        typer.Option(metavar="GLOBS", help="Keep these tools: get_*,list_* or effect:read, method:GET, path:/pets*."),
    ] = None,
    without: Annotated[str | None, typer.Option(metavar="GLOBS", help="Leave these tools out.")] = None,
    write_overrides: Annotated[
        bool, typer.Option("--write-overrides", help="Write what was inferred, to be corrected, beside the source.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace a file of overrides that is there.")] = False,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep the import in a file, to compare with later.")
    ] = None,
    conversations: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Make the calls of recorded conversations, and show where results differ."),
    ] = None,
    since: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Show what changed since an import that was saved; exit code 3 if anything did."
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """List each tool of a source as imported, repaired or rejected, with the reason and the place in the source."""
    from interplay.flows.settings.specs import narrowed

    filters = [tuple(filter(None, (given or "").split(","))) for given in (only, without)]
    specs = [narrowed(spec, *filters) for spec in toolset]
    if explain or resource:
        _explain(specs, resource, not no_run, json)
    elif conversations is not None:
        _converse(specs, conversations, json)
    elif write_overrides:
        _write_overrides(specs, force, json)
    elif since is not None:
        _compare(specs, since, save, json)
    else:
        _list(specs, save, json)


def _list(specs: list[str], save: Path | None, json: bool) -> None:
    from interplay.flows.console.imported_tools import print_imports
    from interplay.flows.console.safe_console import open_console, print_json
    from interplay.flows.console.visible_text import print_note
    from interplay.flows.runs.stages import list_tools

    listed = list_tools(specs)
    _keep(specs, save)
    if json:
        print_json(listed)
    else:
        print_imports(open_console(), listed)
    if not listed["imported"] and not listed["repaired"]:
        print_note("no tool could be imported. Mend what each is rejected for, or name another source.")
        raise typer.Exit(1)


def _explain(specs: list[str], resource: str | None, run: bool, json: bool) -> None:
    import asyncio

    from interplay.flows.console.explanation_page import print_account
    from interplay.flows.console.safe_console import open_console, print_json
    from interplay.flows.worlds.corrections import explain_tools

    accounts = asyncio.run(explain_tools(specs, resource, run))
    if json:
        print_json([account.model_dump(mode="json") for account in accounts])
        return
    for account in accounts:
        print_account(open_console(), account)


def _converse(specs: list[str], file: Path, json: bool) -> None:
    import asyncio

    from interplay.flows.console.safe_console import open_console, print_json
    from interplay.flows.generation.starts import replay_conversations

    listed = asyncio.run(replay_conversations(specs, file))
    if json:
        print_json({"conversations": [item.model_dump(mode="json") for item in listed]})
        return
    console = open_console()
    for item in listed:
        about = "about other tools" if item.foreign else f"{item.calls} calls, {len(item.differs)} differ"
        console.print(f"{item.name}: {item.messages} messages, {about}", markup=False)
        for text in item.differs:
            console.print(f"    {text}", markup=False, style="dim")


def _write_overrides(specs: list[str], force: bool, json: bool) -> None:
    from interplay.flows.console.safe_console import print_json
    from interplay.flows.worlds.corrections import write_overrides

    paths = [str(path) for path in write_overrides(specs, force)]
    if json:
        print_json({"written": paths})
        return
    for path, spec in zip(paths, specs, strict=True):
        print_line(f"Wrote {path}. Correct it, then: interplay import --toolset {quote(spec)} --explain")


def _compare(specs: list[str], since: Path, save: Path | None, json: bool) -> None:
    """Show what changed since a saved import; a new one is saved only after the old one was read."""
    from interplay.flows.console.explanation_page import print_difference
    from interplay.flows.console.safe_console import open_console, print_json
    from interplay.flows.worlds.corrections import DIFFERS, tools_since

    difference = tools_since(specs, since)
    _keep(specs, save)
    if json:
        print_json(difference.model_dump(mode="json"))
    else:
        print_difference(open_console(), difference)
    if not difference.is_empty:
        raise typer.Exit(DIFFERS)


def _keep(specs: list[str], save: Path | None) -> None:
    if save is not None:
        from interplay.flows.worlds.corrections import save_tools

        save_tools(specs, save)


def graph(
    config: Annotated[
        Path | None,
        typer.Argument(
            metavar="[CONFIG]",
            help="Takes the tools from it, and the models that help: roles/composer, embeddings. By default "
            "interplay.yaml, if there is one and no toolset is named.",
        ),
    ] = None,
    toolset: ToolsetOption = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the values with which edges are tried out.")] = 0,
    no_verify: Annotated[bool, typer.Option("--no-verify", help="Show the edges without trying any out.")] = False,
    edges: Annotated[
        int, typer.Option("--edges", min=0, metavar="N", help="How many of the best and most doubtful edges to show.")
    ] = 10,
    to: Annotated[
        list[Path] | None,
        typer.Option(
            "--to",
            metavar="FILE",
            help="Write the whole graph too: FILE.graphml for other programs, FILE.svg as a picture (of the resources "
            "beyond 120 tools), FILE.html as a page that can be searched. May be repeated.",
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Show which tool's output can feed which tool's input, why, and whether it worked when it was run."""
    import asyncio

    from interplay.flows.console.graph_summary import print_graph
    from interplay.flows.console.safe_console import open_console, print_json
    from interplay.flows.runs.foreign_crashes import outlive_crashes
    from interplay.flows.runs.stages import describe_graph
    from interplay.flows.settings.config_file import load_config
    from interplay.flows.workspaces.chosen_config import CONFIG_NAME
    from interplay.outputs.graphs.graph_file import check_endings, write_graph

    files = to or []
    check_endings(files)
    here = Path.cwd() / CONFIG_NAME
    told = load_config(config or here) if config or (not toolset and here.exists()) else None
    specs = toolset or (list(told.toolset) if told is not None else [])
    if not specs:
        raise ConfigError("Name the tools: --toolset SPEC, or a configuration file.")
    outlive_crashes(specs)
    report = asyncio.run(describe_graph(specs, seed, verify=not no_verify, config=told))
    for file in files:
        write_graph(report, file)
    if json:
        print_json(report.model_dump(mode="json"))
        return
    console = open_console()
    print_graph(console, report, edges)
    for file in files:
        console.print(f"Wrote {file}", markup=False)
