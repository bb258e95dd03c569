"""Specifications of toolsets -> what their author looks at: what was inferred, files to correct it, what changed since."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from interplay.flows.workspaces.run_files import write_text
from interplay.flows.worlds.assembly import WorldPart, open_part
from interplay.flows.worlds.explained_sources import account_of
from interplay.flows.worlds.tool_sources import import_source
from interplay.generators.environments.accounts.explanation import Account, Doubt
from interplay.generators.environments.accounts.override_template import overrides_template
from interplay.generators.environments.overrides.conditions import suggestion
from interplay.generators.environments.probing.probe import probe
from interplay.generators.environments.probing.trial import Consistency
from interplay.generators.graph.sampling.argument_samples import sample_arguments
from interplay.generators.graph.sampling.world import World
from interplay.generators.importers.toolset_changes import ToolsetDifference, compare, load_import, save_import
from interplay.schemas.errors import ConfigError
from interplay.schemas.plain_file import at_home

DIFFERS = 3
"""The exit code if tools have changed."""


EXPLAINED_CALLS = 6_000
"""The most calls that an explanation makes."""


async def probe_part(part: WorldPart, most_calls: int = EXPLAINED_CALLS) -> Consistency:
    """Return the contradictions that calls show in the sandbox of one source; empty for code and servers.

    Raises:
        EnvironmentFailure: the environment itself broke.
    """
    if part.plan is None:
        return Consistency()
    world = World(part.environment)

    def arguments(name: str, rng: Random, fixed: Mapping[str, Any], optional: int) -> dict[str, Any]:
        return sample_arguments(world, world.tools[name], rng, fixed, optional)

    return await probe(part.environment, part.plan, arguments, most_calls)


async def explain_tools(specs: Sequence[str], resource: str | None = None, run: bool = True) -> tuple[Account, ...]:
    """Return the account of each source, or the part about one resource; with `run`, with contradictions that calls show.

    Raises:
        ConfigError: a specification or its overrides are not understood, or no source has such a resource.
        ImportFailure: a source cannot be read.
        EnvironmentFailure: a sandbox broke.
    """
    accounts = tuple([await _probed(open_part(import_source(spec)), run) for spec in specs])
    if resource is None:
        return accounts
    known = [item.name for account in accounts for item in account.resources]
    if resource not in known:
        raise ConfigError(f"--resource {resource}: there is no such resource{suggestion(resource, known)}")
    return tuple(_about(account, resource) for account in accounts if resource in {r.name for r in account.resources})


async def _probed(part: WorldPart, run: bool) -> Account:
    """Return the account of a source, with the contradictions that calls show as doubts."""
    account = account_of(part)
    found = (await probe_part(part)).findings if run else ()
    doubts = tuple(
        Doubt(
            about=", ".join(finding.tools),
            what=f"{finding.kind.replace('_', ' ')}: expected {finding.expected}, came {finding.came}",
            remedy=finding.remedy,
            kind=finding.kind,
            calls=finding.calls,
        )
        for finding in found
    )
    return account.model_copy(update={"doubts": (*account.doubts, *doubts)})


def _about(account: Account, resource: str) -> Account:
    tools = {tool.tool for item in account.resources if item.name == resource for tool in item.tools}
    return account.model_copy(
        update={
            "resources": tuple(item for item in account.resources if item.name == resource),
            "computations": (),
            "rules": tuple(rule for rule in account.rules if tools & set(rule.tools)),
            "doubts": tuple(doubt for doubt in account.doubts if {resource, *tools} & set(doubt.about.split(", "))),
        }
    )


def write_overrides(specs: Sequence[str], force: bool = False) -> list[Path]:
    """Write a file of overrides for each source, with what was inferred as comments; return their paths.

    Raises:
        ConfigError: a file exists and `force` is not given, or a source that is no file names none.
        ImportFailure, StoreError: a source cannot be read, or a file cannot be written.
    """
    written = []
    for given in specs:
        imported = import_source(given)
        spec = imported.spec
        path = at_home(Path(spec.overrides)) if spec.overrides else spec.beside()
        if path is None:
            raise ConfigError(
                f"toolset {given!r}: is no file; say where with ?overrides=FILE, the file empty at first."
            )
        if path.is_file() and path.stat().st_size and not force:
            raise ConfigError(f"{path}: is there already. Replace it with --force, or see --explain for what it does.")
        write_text(path, overrides_template(account_of(open_part(imported)), given))
        written.append(path)
    return written


def save_tools(specs: Sequence[str], path: Path) -> None:
    """Write the import of one source to a file, to compare with later.

    Raises:
        ConfigError: there are several sources, or one is not understood.
        ImportFailure, StoreError: the source cannot be read, or the file cannot be written.
    """
    write_text(path, save_import(import_source(_only(specs, "--save")).report.toolset))


def tools_since(specs: Sequence[str], path: Path) -> ToolsetDifference:
    """Return how the import of one source differs from a saved one.

    Raises:
        ConfigError: there are several sources, or the file is not a saved import.
        ImportFailure: the source cannot be read.
    """
    before = load_import(path)
    return compare(before, import_source(_only(specs, "--since")).report.toolset)


def _only(specs: Sequence[str], option: str) -> str:
    if len(specs) != 1:
        raise ConfigError(f"{option}: is for one --toolset at a time, not {len(specs)}.")
    return specs[0]
