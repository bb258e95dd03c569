"""The journal of a workspace -> tokens and cost of models by role."""

from collections.abc import Iterable
from dataclasses import dataclass

from interplay.flows.workspaces.workspace import Workspace
from interplay.generators.models.journal.journal_report import JournalCount, counts
from interplay.generators.models.limits.prices import load_prices
from interplay.schemas.records.dialogue import Usage


@dataclass(frozen=True)
class RoleSpent:
    """The tokens and cost of models in one role; `dollars` is None if a price is unknown."""

    role: str
    tokens: int = 0
    dollars: float | None = 0.0

    def plus(self, tokens: int, dollars: float | None) -> "RoleSpent":
        """Return the sum with further tokens and dollars."""
        known = None if self.dollars is None or dollars is None else self.dollars + dollars
        return RoleSpent(self.role, self.tokens + tokens, known)


def priced_counts(workspace: Workspace) -> list[tuple[JournalCount, float | None]]:
    """Return the counts of the journal, each with its dollars at list prices, or None if the price is unknown.

    Raises:
        StoreError: the journal cannot be read.
    """
    if not workspace.journal_file.exists():
        return []
    prices, found = load_prices(workspace.existing_run().config.prices), []
    for count in counts(workspace.journal_file):
        price = prices.find(count.endpoint, count.model)
        found.append((count, price.cost(_usage(count)) if price else None))
    return found


def by_role(found: Iterable[tuple[JournalCount, float | None]]) -> list[RoleSpent]:
    """Return what was spent for each role, the most tokens first."""
    roles: dict[str, RoleSpent] = {}
    for count, dollars in found:
        roles[count.role] = roles.get(count.role, RoleSpent(count.role)).plus(_usage(count).total, dollars)
    return sorted(roles.values(), key=lambda role: -role.tokens)


def _usage(count: JournalCount) -> Usage:
    return Usage(prompt=count.prompt, cached=count.cached, completion=count.completion)
