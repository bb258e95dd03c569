"""What a run noted about the sources of its tools <-> a file of its workspace."""

from interplay.flows.workspaces.run_files import read_record
from interplay.flows.workspaces.workspace import Workspace
from interplay.generators.environments.accounts.explanation import Account, ToolAccount
from interplay.schemas.json.record import Record


class AccountsFile(Record):
    """The accounts of all sources of the tools, and the run that they are for."""

    run: str
    accounts: tuple[Account, ...]


def noted_accounts(workspace: Workspace) -> tuple[Account, ...]:
    """Return the accounts of the sources of a run's tools; empty for a run from before they were noted.

    Raises:
        StoreError: the file is broken.
    """
    held = read_record(workspace.accounts_file, AccountsFile, workspace.repair)
    return () if held is None else held.accounts


def noted_tools(workspace: Workspace) -> dict[str, ToolAccount]:
    """Return the account of each tool, by name."""
    return {
        tool.tool: tool
        for account in noted_accounts(workspace)
        for tool in (*(tool for item in account.resources for tool in item.tools), *account.computations)
    }
