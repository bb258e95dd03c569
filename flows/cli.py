"""The command line: options in, one stage called, a report printed. Heavy modules are imported inside the commands."""

import gc
import os
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from interplay.schemas.errors import ConfigError, InterplayError

if TYPE_CHECKING:
    from interplay.flows.config import RunConfig
    from interplay.flows.running import RunSummary
    from interplay.flows.workspace import Workspace

app = typer.Typer(
    help="Turn any API into verified multi-turn training data for tool-calling agents.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

INTERRUPTED = 130
COLLECTED_EVERY = 50_000
"""New objects between two garbage collections; Python's 700 make a sixth of the start a search among new classes."""


class FormatOption(StrEnum):
    """Formats of an export."""

    openai = "openai"
    trl = "trl"
    sharegpt = "sharegpt"
    preference = "preference"


class ShapeOption(StrEnum):
    """Files of an export."""

    jsonl = "jsonl"
    parquet = "parquet"
    dataset = "dataset"


class DirectionOption(StrEnum):
    """Directions of evolution."""

    easier = "easier"
    harder = "harder"
    sideways = "sideways"


SPECS = (
    "domain:clinic, openapi:PATH, json:PATH, python:MODULE[:CLASS], mcp:COMMAND, mcp+live:COMMAND[?record=FILE] "
    "or mcp+recorded:FILE"
)
_toolset = typer.Option("--toolset", metavar="SPEC", help=f"Where tools come from: {SPECS}. May be repeated.")
ToolsetOption = Annotated[list[str] | None, _toolset]
RequiredToolset = Annotated[list[str], _toolset]
WorkspaceOption = Annotated[
    Path, typer.Option("--workspace", metavar="DIR", help="The folder that holds everything of a run.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Answer with one JSON document on standard output.")]
ConfigArgument = Annotated[
    Path | None,
    typer.Argument(metavar="[CONFIG]", help="A configuration file; by default interplay.yaml, if there is one."),
]
WORKSPACE = Path("workspace")


@app.command()
def demo(workspace: WorkspaceOption = Path("workspace-demo")) -> None:
    """Make 20 dialogues of a bundled clinic and show one; no key and no configuration needed."""
    from interplay.flows import console as shown
    from interplay.flows.config import RunConfig
    from interplay.flows.reading import example
    from interplay.flows.workspace import Workspace

    summary = _run(Workspace(workspace), RunConfig(records=20, shard_size=10), None, None, prefect=False)
    console = shown.open_console()
    shown.print_record(console, example(Workspace(workspace)))
    console.print()
    shown.print_summary(
        console,
        summary,
        [
            (f"interplay show 7 --workspace {workspace}", "read another dialogue"),
            (f"interplay stats --workspace {workspace}", "figures of all of them"),
            (f"interplay export --workspace {workspace} --to exported", "files to train on"),
            ("interplay init --toolset openapi:YOUR_API.yaml", "begin with your own API"),
        ],
    )


@app.command()
def init(
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="Where to write interplay.yaml.")] = Path(),
    toolset: ToolsetOption = None,
    domain: Annotated[
        str | None, typer.Option(metavar="NAME", help="Copy a bundled domain to begin your own with.")
    ] = None,
    name: Annotated[
        str, typer.Option(metavar="NAME", help="What to call the copy; my_ and its name if not given.")
    ] = "",
    force: Annotated[bool, typer.Option("--force", help="Replace what is there.")] = False,
    json: JsonOption = False,
) -> None:
    """Write a commented configuration, interplay.yaml, and list what became of each tool."""
    from interplay.flows import console as shown
    from interplay.flows.setup import copy_domain, write_config
    from interplay.flows.stages import import_tools

    specs = toolset or ["domain:clinic"]
    if domain is not None:
        own = copy_domain(folder, domain, name, force)
        specs = [*(toolset or ()), f"domain:{own if own.is_absolute() else f'./{own}'}"]
    listed = import_tools(specs)
    path = write_config(folder, specs, force)
    if json:
        shown.print_json({"config": str(path), **listed})
        return
    console = shown.open_console()
    shown.print_imports(console, listed)
    console.print(f"Wrote {path}. Next: interplay run {path}", markup=False)


@app.command("import")
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
    from interplay.flows import console as shown
    from interplay.flows.specs import narrowed
    from interplay.flows.stages import import_tools

    filters = [tuple(filter(None, (given or "").split(","))) for given in (only, without)]
    specs = [narrowed(spec, *filters) for spec in toolset]
    if explain or resource:
        _explain(specs, resource, not no_run, json)
    elif conversations is not None:
        _converse(specs, conversations, json)
    elif write_overrides:
        from interplay.flows import imports

        paths = [str(path) for path in imports.write_overrides(specs, force)]
        if json:
            shown.print_json({"written": paths})
        else:
            typer.echo("\n".join(f"Wrote {path}. Correct it, then: interplay import --explain" for path in paths))
    elif since is not None:
        _compare(specs, since, save, json)
    else:
        listed = import_tools(specs)
        _keep(specs, save)
        if json:
            shown.print_json(listed)
        else:
            shown.print_imports(shown.open_console(), listed)


def _explain(specs: list[str], resource: str | None, run: bool, json: bool) -> None:
    import asyncio

    from interplay.flows import console as shown
    from interplay.flows.explained import print_account
    from interplay.flows.imports import explain_tools

    accounts = asyncio.run(explain_tools(specs, resource, run))
    if json:
        shown.print_json([account.model_dump(mode="json") for account in accounts])
        return
    for account in accounts:
        print_account(shown.open_console(), account)


def _converse(specs: list[str], file: Path, json: bool) -> None:
    import asyncio

    from interplay.flows import console as shown
    from interplay.flows.beginnings import told_of

    listed = asyncio.run(told_of(specs, file))
    if json:
        shown.print_json({"conversations": [item.model_dump(mode="json") for item in listed]})
        return
    console = shown.open_console()
    for item in listed:
        about = "about other tools" if item.foreign else f"{item.calls} calls, {len(item.differs)} differ"
        console.print(f"{item.name}: {item.messages} messages, {about}", markup=False)
        for text in item.differs:
            console.print(f"    {text}", markup=False, style="dim")


def _compare(specs: list[str], since: Path, save: Path | None, json: bool) -> None:
    """Show what changed since an import; keep the new one only after the old one was read."""
    from interplay.flows import console as shown
    from interplay.flows.explained import print_difference
    from interplay.flows.imports import DIFFERS, tools_since

    difference = tools_since(specs, since)
    _keep(specs, save)
    if json:
        shown.print_json(difference.model_dump(mode="json"))
    else:
        print_difference(shown.open_console(), difference)
    if not difference.is_empty:
        raise typer.Exit(DIFFERS)


def _keep(specs: list[str], save: Path | None) -> None:
    if save is not None:
        from interplay.flows.imports import save_tools

        save_tools(specs, save)


@app.command()
def graph(
    config: Annotated[
        Path | None,
        typer.Argument(
            metavar="[CONFIG]", help="Takes the tools from it, and the models that help: roles/composer, embeddings."
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

    from interplay.flows import console as shown
    from interplay.flows.config import load_config
    from interplay.flows.console_graph import print_graph
    from interplay.flows.stages import describe_graph
    from interplay.outputs.graphs.writing import check_endings, write_graph

    files = to or []
    check_endings(files)
    told = None if config is None else load_config(config)
    specs = toolset or (list(told.toolset) if told is not None else [])
    if not specs:
        raise ConfigError("Name the tools: --toolset SPEC, or a configuration file.")
    report = asyncio.run(describe_graph(specs, seed, verify=not no_verify, config=told))
    for file in files:
        write_graph(report, file)
    if json:
        shown.print_json(report.model_dump(mode="json"))
        return
    console = shown.open_console()
    print_graph(console, report, edges)
    for file in files:
        console.print(f"Wrote {file}", markup=False)


@app.command()
def preview(
    config: ConfigArgument = None,
    toolset: ToolsetOption = None,
    count: Annotated[int, typer.Option("-n", "--count", min=1, max=100, metavar="N", help="How many dialogues.")] = 3,
    start: Annotated[int, typer.Option("--from", min=0, metavar="INDEX", help="The first index to play.")] = 0,
    json: JsonOption = False,
) -> None:
    """Play a few dialogues in the terminal, turn by turn, with what each check says; nothing is kept."""
    import asyncio

    from interplay.flows import console as shown
    from interplay.flows.previewing import preview as played
    from interplay.flows.workspace import Workspace, choose_config

    chosen, _ = choose_config(config, tuple(toolset or ()), Workspace(Path("no-workspace")), Path.cwd())
    console = shown.open_console()

    async def show() -> None:
        tell = (lambda _: None) if json else lambda message: shown.print_message(console, message)
        async for record in played(chosen, range(start, start + count), tell):
            if json:
                shown.print_json(record.model_dump(mode="json"))
                continue
            told = "no task" if record.blueprint is None else record.blueprint.pattern
            console.print(f"\nindex {record.index}, {told}: {record.status}\n", markup=False, style="bold")
            shown.print_verdicts(console, record)
            console.print()

    asyncio.run(show())


@app.command()
def policy(
    prose: Annotated[Path, typer.Argument(metavar="FILE", help="The policy in prose: a text or Markdown file.")],
    config: Annotated[Path, typer.Argument(metavar="CONFIG", help="Names tools and model: roles: {composer: ...}.")],
    to: Annotated[Path, typer.Option("--to", metavar="FILE", help="Where to write the rules, as overrides.")],
    examples: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A JSON list of calls with tool, arguments and allowed, to agree with."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
    json: JsonOption = False,
) -> None:
    """Let a model turn a policy in prose into rules that run; those that do not hold what they say are left out."""
    import asyncio

    from interplay.flows import console as shown
    from interplay.flows.config import load_config
    from interplay.flows.proposing import overrides_text, propose_for, read_examples
    from interplay.flows.workspace import journal_beside, write_text

    if to.exists() and not force:
        raise ConfigError(f"{to}: is there already. Replace it with --force, or name another file.")
    try:
        text = prose.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise ConfigError(f"{prose}: cannot be read: {error}.") from error
    told = read_examples(examples) if examples is not None else ()
    made = asyncio.run(propose_for(load_config(config), journal_beside(to), text, told))
    write_text(to, overrides_text(made))
    if json:
        shown.print_json({"file": str(to), "rules": [rule.id for rule in made.rules], "left_out": dict(made.left_out)})
        return
    console = shown.open_console()
    for rule in made.rules:
        console.print(f"kept      {rule.kind:15} {rule.id}: {rule.text}", markup=False)
    for name, why in made.left_out:
        console.print(f"left out  {name}: {why}", markup=False)
    console.print(f"Wrote {to}. Look it over, then name it: ?overrides={to}", markup=False)


@app.command()
def scenarios(
    config: Annotated[Path, typer.Argument(metavar="CONFIG", help="Names tools and model: roles: {composer: ...}.")],
    to: Annotated[Path, typer.Option("--to", metavar="FILE", help="Where to write them, as a list in YAML.")],
    texts: Annotated[
        list[Path] | None, typer.Option("--from", metavar="FILE", help="A text to draw on. May be repeated.")
    ] = None,
    count: Annotated[int, typer.Option("-n", "--count", min=1, max=1000, metavar="N", help="How many to find.")] = 40,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
    json: JsonOption = False,
) -> None:
    """Let a model collect situations that tasks may be inspired by, and vary them; those that are alike are left out."""
    import asyncio

    from interplay.flows import console as shown
    from interplay.flows.config import load_config
    from interplay.flows.mining import mine_for
    from interplay.flows.workspace import journal_beside, write_text

    if to.exists() and not force:
        raise ConfigError(f"{to}: is there already. Replace it with --force, or name another file.")
    mined = asyncio.run(mine_for(load_config(config), journal_beside(to), count, texts or ()))
    write_text(to, mined.text())
    if json:
        shown.print_json({"file": str(to), "scenarios": list(mined.scenarios), "alike": mined.alike})
        return
    told = f"{len(mined.scenarios)} scenarios, {mined.alike} left out since they were like others."
    console = shown.open_console()
    console.print(f"{told} Wrote {to}. Name it: recipes: {{inspirations: {to}, written: 0.5}}", markup=False)


@app.command()
def invent(
    description: Annotated[str, typer.Argument(metavar="DOMAIN", help="What the tools are for, in a few words.")],
    config: Annotated[Path, typer.Argument(metavar="CONFIG", help="Names the model: roles: {composer: ...}.")],
    to: Annotated[Path, typer.Option("--to", metavar="FILE", help="Where to write the tools.")],
    tools: Annotated[int, typer.Option("--tools", min=1, max=60, metavar="N", help="How many to ask for.")] = 12,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
    json: JsonOption = False,
) -> None:
    """Let a model design the tools of a domain; the sandbox then runs them like any other list."""
    import asyncio

    from interplay.flows import console as shown
    from interplay.flows.config import load_config
    from interplay.flows.inventing import invent_for
    from interplay.flows.stages import import_tools
    from interplay.flows.workspace import journal_beside, write_text

    if to.exists() and not force:
        raise ConfigError(f"{to}: is there already. Replace it with --force, or name another file.")
    made = asyncio.run(invent_for(load_config(config), journal_beside(to), description, tools))
    write_text(to, made.text())
    listed = import_tools([f"json:{to}"])
    if json:
        shown.print_json({"tools": str(to), **listed})
        return
    console = shown.open_console()
    shown.print_imports(console, listed)
    console.print(f"Wrote {to}. Next: interplay import --toolset json:{to} --explain", markup=False)


@app.command()
def run(
    config: ConfigArgument = None,
    toolset: ToolsetOption = None,
    records: Annotated[int | None, typer.Option(min=1, metavar="N", help="Accepted records to make.")] = None,
    workspace: WorkspaceOption = WORKSPACE,
    seed: Annotated[
        int | None,
        typer.Option(
            min=0, max=2**63 - 1, metavar="S", help="Another seed gives other records, the same one the same."
        ),
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, max=256, metavar="W", help="Processes that work side by side.")
    ] = None,
    prefect: Annotated[
        bool, typer.Option("--prefect", help="Run as a Prefect flow (always so when PREFECT_API_URL is set).")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Make records until N are accepted; the same command again continues where it stopped."""
    from interplay.flows import console as shown
    from interplay.flows.workspace import Workspace, choose_config

    place = Workspace(workspace)
    chosen, source = choose_config(config, tuple(toolset or ()), place, Path.cwd())
    given = {"seed": seed, "workers": workers}
    chosen = chosen.model_copy(update={name: value for name, value in given.items() if value is not None})
    summary = _run(place, chosen, source, records, prefect or bool(os.environ.get("PREFECT_API_URL")))
    if json:
        shown.print_json(summary.model_dump(mode="json"))
        return
    steps = [
        (f"interplay stats --workspace {workspace}", "figures of what was made"),
        (f"interplay show 0 --workspace {workspace}", "read a dialogue, by index or id"),
        (f"interplay export --workspace {workspace} --to exported", "files to train on"),
    ]
    shown.print_summary(shown.open_console(), summary, steps)


@app.command()
def evolve(
    to: Annotated[
        Path, typer.Option("--to", metavar="DIR", help="The workspace to make; the other one stays as it is.")
    ],
    workspace: WorkspaceOption = WORKSPACE,
    direction: Annotated[
        DirectionOption, typer.Option("--direction", help="Where the tasks go from what they are.")
    ] = DirectionOption.harder,
    records: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Accepted records to make; by default as many as there are.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, max=256, metavar="W", help="Processes that work side by side.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Make the accepted tasks of a workspace easier, harder or otherwise, run, check and play them; lineage is kept."""
    from interplay.flows import console as shown
    from interplay.flows.evolution import begin_evolution
    from interplay.flows.workspace import Workspace

    target = Workspace(to)
    chosen = begin_evolution(Workspace(workspace), target, direction.value, records)
    if workers is not None:
        chosen = chosen.model_copy(update={"workers": workers})
    summary = _run(target, chosen, None, records, prefect=False)
    if json:
        shown.print_json(summary.model_dump(mode="json"))
        return
    steps = [
        (f"interplay stats --coverage --workspace {to}", "what they cover, and how hard they are"),
        (f"interplay show 0 --workspace {to}", "read a dialogue"),
    ]
    shown.print_summary(shown.open_console(), summary, steps)


@app.command()
def branch(
    to: Annotated[
        Path, typer.Option("--to", metavar="DIR", help="The workspace to make; the other one stays as it is.")
    ],
    config: Annotated[
        Path | None,
        typer.Argument(metavar="[CONFIG]", help="Says who plays on: models and roles; by default who played before."),
    ] = None,
    workspace: WorkspaceOption = WORKSPACE,
    record: Annotated[
        list[str] | None,
        typer.Option("--record", metavar="ID", help="A dialogue, by index or id; all accepted ones if none is named."),
    ] = None,
    turn: Annotated[
        int | None,
        typer.Option("--turn", min=1, metavar="N", help="Which message of the user is answered in several ways."),
    ] = None,
    count: Annotated[int, typer.Option("-k", "--count", min=1, max=64, metavar="K", help="Continuations of each.")] = 2,
    mistakes: Annotated[
        int | None,
        typer.Option(min=0, metavar="M", help="How many of them have a mistake; by default half where rules play."),
    ] = None,
    failed: Annotated[
        bool, typer.Option("--failed", help="Also branch dialogues that the assistant failed, right before its fault.")
    ] = False,
    workers: Annotated[
        int | None, typer.Option(min=1, max=256, metavar="W", help="Processes that work side by side.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Let dialogues branch: several continuations of one beginning, checked and labelled, to prefer and to reject."""
    from interplay.flows import console as shown
    from interplay.flows.branch_settings import BranchSettings
    from interplay.flows.branched import begin_branches
    from interplay.flows.workspace import Workspace

    settings = BranchSettings(count=count, mistakes=mistakes, turn=turn)
    target = Workspace(to)
    chosen = begin_branches(Workspace(workspace), target, settings, tuple(record or ()), failed, config)
    if workers is not None:
        chosen = chosen.model_copy(update={"workers": workers})
    summary = _run(target, chosen, None, None, prefect=False)
    if json:
        shown.print_json(summary.model_dump(mode="json"))
        return
    steps = [
        (f"interplay show 0.1 --workspace {to}", "read a branch"),
        (f"interplay export --format preference --workspace {to} --to exported/pairs", "pairs to train on"),
    ]
    shown.print_summary(shown.open_console(), summary, steps)


@app.command()
def check(config: ConfigArgument = None, json: JsonOption = False) -> None:
    """Ask each configured model one tiny question for each ability: text, tools, structured output, usage.

    Exit code 1 where a model lacks what its role needs.
    """
    import asyncio

    from interplay.flows import console as shown
    from interplay.flows.checking import check_models
    from interplay.flows.console_models import print_checks
    from interplay.flows.workspace import config_here

    checks = asyncio.run(check_models(config_here(config, Path.cwd())))
    if json:
        shown.print_json([item.model_dump(mode="json") for item in checks])
    else:
        print_checks(shown.open_console(), checks)
    if any(item.lacking for item in checks):
        raise typer.Exit(1)


@app.command()
def estimate(
    config: ConfigArgument = None,
    sample: Annotated[int, typer.Option(min=1, max=1000, metavar="N", help="Dialogues to count on.")] = 20,
    assumed_yield: Annotated[
        float,
        typer.Option("--yield", min=0.01, max=1.0, metavar="SHARE", help="Share of dialogues that you expect to pass."),
    ] = 1.0,
    json: JsonOption = False,
) -> None:
    """Tell what models will be asked and cost for each accepted record, before a single call is made."""
    import asyncio

    from interplay.flows import console as shown
    from interplay.flows.console_models import print_estimate
    from interplay.flows.estimating import estimate as count
    from interplay.flows.workspace import config_here

    found = asyncio.run(count(config_here(config, Path.cwd()), sample, assumed_yield))
    if json:
        shown.print_json(found.model_dump(mode="json"))
    else:
        print_estimate(shown.open_console(), found)


def _run(
    workspace: "Workspace", config: "RunConfig", source: Path | None, records: int | None, prefect: bool
) -> "RunSummary":
    """Run with progress on standard error; Ctrl+C ends with how to continue."""
    import asyncio

    from interplay.flows import console as shown
    from interplay.flows.running import Progress
    from interplay.flows.running import run as run_plainly

    last: list[Progress] = []
    try:
        with shown.run_display() as show:

            def tell(progress: Progress) -> None:
                last[:] = [progress]
                show(progress)

            if prefect:
                from interplay.flows.orchestration import run_as_flow

                return asyncio.run(run_as_flow(workspace, config, tell, source, records))
            return asyncio.run(run_plainly(workspace, config, tell, source, records))
    except KeyboardInterrupt:
        saved = last[0].accepted if last else 0
        typer.echo(f"{saved} accepted and saved. Continue with: interplay run --workspace {workspace.folder}", err=True)
        raise typer.Exit(INTERRUPTED) from None


@app.command()
def stats(
    workspace: WorkspaceOption = WORKSPACE,
    coverage: Annotated[
        bool,
        typer.Option("--coverage", help="Show what the tasks cover and leave out by name, and how hard they are."),
    ] = False,
    json: JsonOption = False,
) -> None:
    """Show the figures of a run: what was accepted, what was rejected and why, turns, calls, acts, coverage."""
    from interplay.flows import console as shown
    from interplay.flows.storing import load_store
    from interplay.flows.workspace import Workspace
    from interplay.outputs.coverage import coverage as measure
    from interplay.outputs.statistics import statistics

    place = Workspace(workspace)
    with load_store(place) as store:
        held = place.existing_run().run
        figures = measure(store, held) if coverage else statistics(store, held)
    if json:
        shown.print_json(figures)
    else:
        shown.print_statistics(shown.open_console(), figures)


@app.command()
def show(
    record: Annotated[str, typer.Argument(metavar="ID", help="A record's id, the beginning of it, or an index.")],
    workspace: WorkspaceOption = WORKSPACE,
    json: JsonOption = False,
) -> None:
    """Show one record: its dialogue, what went wrong in it if something did, and what each check said."""
    from interplay.flows import console as shown
    from interplay.flows.reading import attempts_at, find_record
    from interplay.flows.workspace import Workspace

    found = find_record(Workspace(workspace), record)
    if json:
        shown.print_json(found.model_dump(mode="json"))
    else:
        shown.print_record(shown.open_console(), found, attempts_at(Workspace(workspace), found))


@app.command()
def export(
    to: Annotated[
        Path, typer.Option("--to", metavar="DIR", help="The folder to write; an earlier export is replaced.")
    ],
    workspace: WorkspaceOption = WORKSPACE,
    format: Annotated[
        FormatOption, typer.Option("--format", help="The shape of messages and tools.")
    ] = FormatOption.openai,
    shape: Annotated[ShapeOption, typer.Option("--as", help="The files to write.")] = ShapeOption.jsonl,
    json: JsonOption = False,
) -> None:
    """Export the accepted records with a dataset card, load them again, and compare each one."""
    from interplay.flows import console as shown
    from interplay.flows.storing import export_dataset
    from interplay.flows.workspace import Workspace

    report = export_dataset(Workspace(workspace), format.value, to, shape.value)
    if json:
        shown.print_json(report.model_dump(mode="json"))
    else:
        console = shown.open_console()
        splits = ", ".join(f"{name} {rows}" for name, rows in report.splits.items())
        rows = "pairs" if format == FormatOption.preference else "dialogues"
        console.print(f"{report.rows} {rows} ({splits}) as {format} in {to}", markup=False)
        console.print(report.summary(), markup=False)
    if report.identical != report.rows or report.first_difference:
        raise typer.Exit(1)


journal = typer.Typer(help="What the models of a run answered, as it was kept and paid for.", no_args_is_help=True)
app.add_typer(journal, name="journal")
RoleOption = Annotated[str | None, typer.Option("--role", help="Only answers given for this role.")]
ModelOption = Annotated[str | None, typer.Option("--model", help="Only answers of this model.")]


@journal.command("list")
def journal_list(
    workspace: WorkspaceOption = WORKSPACE,
    role: RoleOption = None,
    model: ModelOption = None,
    limit: Annotated[int, typer.Option("--limit", min=1, metavar="N", help="Answers to list at most.")] = 100,
    json: JsonOption = False,
) -> None:
    """List answers in the order in which they came: role, model, tokens, and why one could not be used."""
    from interplay.flows import console as shown
    from interplay.flows.journal import list_answers
    from interplay.flows.workspace import Workspace

    found = [entry.model_dump() for entry in list_answers(Workspace(workspace), role, model, limit)]
    if json:
        shown.print_json(found)
    for entry in () if json else found:
        tokens = f"{entry['prompt']:>7} + {entry['completion']:<6}"
        line = f"{entry['key'][:12]}  {entry['role']:<9}  {tokens}  {entry['model']}  {entry['outcome']}"
        typer.echo(f"{line}  {entry['reason']}".rstrip())


@journal.command("count")
def journal_count(
    workspace: WorkspaceOption = WORKSPACE, role: RoleOption = None, model: ModelOption = None, json: JsonOption = False
) -> None:
    """Count answers and their tokens by role, model and outcome."""
    from interplay.flows import console as shown
    from interplay.flows.journal import count_answers
    from interplay.flows.workspace import Workspace

    found = [count.model_dump() for count in count_answers(Workspace(workspace), role, model)]
    if json:
        shown.print_json(found)
    for count in () if json else found:
        tokens = f"{count['prompt']} prompt ({count['cached']} cached) + {count['completion']} completion tokens"
        typer.echo(f"{count['answers']:>8}  {count['role']:<9}  {count['model']}  {count['outcome']}: {tokens}")


@journal.command("batches")
def journal_batches(
    workspace: WorkspaceOption = WORKSPACE, model: ModelOption = None, json: JsonOption = False
) -> None:
    """List the batches in which questions were asked: how far each is, since when, and how many answers came of it."""
    from interplay.flows import console as shown
    from interplay.flows.console_models import print_batches
    from interplay.flows.journal import list_batches
    from interplay.flows.workspace import Workspace

    found = list_batches(Workspace(workspace), model)
    if json:
        shown.print_json([batch.model_dump() for batch in found])
    else:
        print_batches(shown.open_console(), found)


@journal.command("export")
def journal_export(
    to: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write, one answer a line (JSON).")],
    workspace: WorkspaceOption = WORKSPACE,
    role: RoleOption = None,
    model: ModelOption = None,
) -> None:
    """Write the answers with their bodies, as they came, to a JSON Lines file."""
    from interplay.flows.journal import export_answers
    from interplay.flows.workspace import Workspace

    written = export_answers(Workspace(workspace), to, role, model)
    typer.echo(f"{written} answers in {to}")


@app.command()
def schemas(
    to: Annotated[Path, typer.Option("--to", metavar="DIR", help="The folder to write the schemas to.")],
) -> None:
    """Write the JSON Schema of every record, one file each."""
    from interplay.schemas.publish import write_schemas

    written = write_schemas(to)
    typer.echo(f"{len(written)} schemas in {to}")


def main() -> None:
    """Run the command line; what interplay raises on purpose is told in one line, with exit code 1."""
    gc.set_threshold(COLLECTED_EVERY)
    try:
        app()
    except InterplayError as error:
        sys.stderr.write(f"interplay: {' '.join(str(error).split())}\n")
        sys.exit(1)
    except KeyboardInterrupt:
        sys.stderr.write("interplay: stopped before anything was made. Run the same command again.\n")
        sys.exit(130)
