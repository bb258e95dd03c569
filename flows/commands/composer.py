"""Commands by which a model drafts a file for a configuration: rules, scenarios, tools, phrases."""

from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

from interplay.flows.commands.options import ConfigArgument, JsonOption, ToolsetOption

ComposerConfig = Annotated[
    Path, typer.Argument(metavar="CONFIG", help="Names tools and model: roles: {composer: ...}.")
]
ForceOption = Annotated[bool, typer.Option("--force", help="Replace a file that is there.")]


def policy(
    prose: Annotated[Path, typer.Argument(metavar="FILE", help="The policy in prose: a text or Markdown file.")],
    config: ComposerConfig,
    to: Annotated[Path, typer.Option("--to", metavar="FILE", help="Where to write the rules, as overrides.")],
    examples: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A JSON list of calls with tool, arguments and allowed, to agree with."),
    ] = None,
    force: ForceOption = False,
    json: JsonOption = False,
) -> None:
    """Let a model turn a policy in prose into rules that run; those that do not hold what they say are left out."""
    import asyncio

    from interplay.flows.console.safe_console import open_console, print_json
    from interplay.flows.drafted_files.proposed_rules import overrides_text, propose_for
    from interplay.flows.settings.config_file import load_config
    from interplay.flows.workspaces.run_files import journal_beside, require_free, write_text

    require_free(to, force)
    made = asyncio.run(propose_for(load_config(config), journal_beside(to), prose, examples))
    write_text(to, overrides_text(made))
    if json:
        print_json({"file": str(to), "rules": [rule.id for rule in made.rules], "left_out": dict(made.left_out)})
        return
    console = open_console()
    for rule in made.rules:
        console.print(f"kept      {rule.kind:15} {rule.id}: {rule.text}", markup=False)
    for name, why in made.left_out:
        console.print(f"left out  {name}: {why}", markup=False)
    console.print(f"Wrote {to}. Look it over, then name it: ?overrides={to}", markup=False)


def scenarios(
    config: ComposerConfig,
    to: Annotated[Path, typer.Option("--to", metavar="FILE", help="Where to write them, as a list in YAML.")],
    texts: Annotated[
        list[Path] | None, typer.Option("--from", metavar="FILE", help="A text to draw on. May be repeated.")
    ] = None,
    count: Annotated[int, typer.Option("-n", "--count", min=1, max=1000, metavar="N", help="How many to find.")] = 40,
    force: ForceOption = False,
    json: JsonOption = False,
) -> None:
    """Let a model collect situations that tasks may be inspired by, and vary them; those that are alike are left out."""
    import asyncio

    from interplay.flows.console.safe_console import open_console, print_json
    from interplay.flows.drafted_files.mined_scenarios import mine_for
    from interplay.flows.settings.config_file import load_config
    from interplay.flows.workspaces.run_files import journal_beside, require_free, write_text

    require_free(to, force)
    mined = asyncio.run(mine_for(load_config(config), journal_beside(to), count, texts or ()))
    write_text(to, mined.text())
    if json:
        print_json({"file": str(to), "scenarios": list(mined.scenarios), "alike": mined.alike})
        return
    told = f"{len(mined.scenarios)} scenarios, {mined.alike} left out since they were like others."
    console = open_console()
    console.print(f"{told} Wrote {to}. Name it: recipes: {{inspirations: {to}, written: 0.5}}", markup=False)


def invent(
    description: Annotated[str, typer.Argument(metavar="DOMAIN", help="What the tools are for, in a few words.")],
    config: Annotated[Path, typer.Argument(metavar="CONFIG", help="Names the model: roles: {composer: ...}.")],
    to: Annotated[Path, typer.Option("--to", metavar="FILE", help="Where to write the tools.")],
    tools: Annotated[int, typer.Option("--tools", min=1, max=60, metavar="N", help="How many to ask for.")] = 12,
    force: ForceOption = False,
    json: JsonOption = False,
) -> None:
    """Let a model design the tools of a domain; the sandbox then runs them like any other list."""
    import asyncio

    from interplay.flows.console.imported_tools import print_imports
    from interplay.flows.console.safe_console import open_console, print_json
    from interplay.flows.drafted_files.invented_tools import invent_for
    from interplay.flows.runs.stages import list_tools
    from interplay.flows.settings.config_file import load_config
    from interplay.flows.workspaces.run_files import journal_beside, require_free, write_text

    require_free(to, force)
    made = asyncio.run(invent_for(load_config(config), journal_beside(to), description, tools))
    write_text(to, made.text())
    listed = list_tools([f"json:{to}"])
    if json:
        print_json({"tools": str(to), **listed})
        return
    console = open_console()
    print_imports(console, listed)
    console.print(f"Wrote {to}. Next: interplay import --toolset {quote(f'json:{to}')} --explain", markup=False)


def phrases(
    config: ConfigArgument = None,
    toolset: ToolsetOption = None,
    save: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Add those that were made to this file of overrides, to be looked over."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Show what people call each tool: how they ask for it, what it is about, and why no task is about it, if none is.

    A model makes the phrases where the configuration has one as composer, and tells what rows might be like; else they are
    derived from the tool.
    """
    import asyncio

    from interplay.flows.console.phrased_tools import print_phrases
    from interplay.flows.console.safe_console import open_console, print_json
    from interplay.flows.drafted_files.tool_phrases import phrases_for, saved_phrases
    from interplay.flows.settings.config import RunConfig
    from interplay.flows.settings.config_file import load_config
    from interplay.flows.settings.specs import absolute_spec
    from interplay.flows.workspaces.chosen_config import CONFIG_NAME
    from interplay.flows.workspaces.run_files import journal_beside, write_text

    here = config or (None if toolset else Path.cwd() / CONFIG_NAME)
    told = load_config(here) if here is not None else RunConfig()
    told = (
        told.model_copy(update={"toolset": tuple(absolute_spec(spec, Path.cwd()) for spec in toolset)})
        if toolset
        else told
    )
    made = asyncio.run(phrases_for(told, journal_beside(save or here or Path("phrases.yaml"))))
    if save is not None:
        write_text(save, saved_phrases(save, made))
    if json:
        print_json([item.model_dump(mode="json", exclude_defaults=True) for item in made.tools])
        return
    console = open_console()
    print_phrases(console, made.tools, made.rows)
    if save is not None:
        console.print(f"Wrote {save}. Look it over, then name it: ?overrides={save}", markup=False)
