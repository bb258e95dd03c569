"""Opened sources -> accounts of what was inferred: printed by `interplay import --explain`, and kept by a run for the viewer."""

from interplay.flows.workspaces.run_files import read_record, write_record
from interplay.flows.workspaces.source_notes import AccountsFile
from interplay.flows.workspaces.workspace import Workspace
from interplay.flows.worlds.assembly import OpenedWorld, WorldPart
from interplay.flows.worlds.fitness_warnings import fitness_of_part
from interplay.generators.environments.accounts.explanation import Account, ToolAccount, explain
from interplay.schemas.records.tool import SEARCH_TOOL


def note_accounts(workspace: Workspace, run: str, world: OpenedWorld) -> None:
    """Write the accounts of a world's sources, once per run."""
    held = read_record(workspace.accounts_file, AccountsFile, workspace.repair)
    if held is None or held.run != run:
        write_record(workspace.accounts_file, AccountsFile(run=run, accounts=accounts_of(world)))


def account_of(part: WorldPart, rows: bool = True) -> Account:
    """Return the account of one source, with the number of `rows` in the world in which its tools are tried."""
    environment = part.environment
    hidden = part.spec.kind in ("mcp+live", "mcp+recorded")
    tables = environment.state() if rows and not hidden else None
    account = explain(environment.toolset, environment.resources, tables, part.plan, part.overrides)
    return account.model_copy(update={"fitness": fitness_of_part(part)})


def accounts_of(world: OpenedWorld) -> tuple[Account, ...]:
    """Return the account of each source of a world, with tools under their names there.

    Rows are not counted, as each task has a world of its own.
    """
    offered = iter(tool.name for tool in world.toolset.tools if tool.name != SEARCH_TOOL)
    found = []
    for part in world.parts:
        names = {tool.name: next(offered) for tool in part.environment.toolset.tools}
        found.append(_under(account_of(part, rows=False), names))
    return tuple(found)


def _under(account: Account, names: dict[str, str]) -> Account:
    """Return an account with tools under other names."""

    def named(tools: tuple[ToolAccount, ...]) -> tuple[ToolAccount, ...]:
        return tuple(tool.model_copy(update={"tool": names[tool.tool]}) for tool in tools)

    resources = tuple(item.model_copy(update={"tools": named(item.tools)}) for item in account.resources)
    return account.model_copy(update={"resources": resources, "computations": named(account.computations)})
