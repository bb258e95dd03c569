"""The journal of a workspace and the times of its shards -> the cost of an accepted record over time."""

from collections.abc import Mapping, Sequence
from itertools import accumulate

from interplay.flows.workspaces.workspace import Workspace
from interplay.generators.models.journal.journal_report import JournalSecond, by_second
from interplay.generators.models.limits.prices import load_prices
from interplay.outputs.report.pictures import STRETCHES, CostCourse
from interplay.schemas.records.dialogue import Usage


def cost_course(workspace: Workspace, accepted: Mapping[int, int]) -> CostCourse | None:
    """Return the cost of models so far per accepted record, at each time when a shard was finished; rejected records cost too.

    `accepted` holds the number of accepted records by shard. The unit is dollars if the prices of all models are known and one
    of them is not free, else tokens. None if the journal does not know when its answers came, or nothing was accepted.

    Raises:
        StoreError: the journal cannot be read.
    """
    spent = by_second(workspace.journal_file) if workspace.journal_file.exists() else ()
    done = sorted(
        (workspace.shard(number).stat().st_mtime, count)
        for number, count in accepted.items()
        if workspace.shard(number).exists()
    )
    if not spent or not any(count for _, count in done):
        return None
    unit, amounts = _amounts(workspace, spent)
    counts, points, place, paid = list(accumulate(count for _, count in done)), [], 0, 0.0
    for (at, _), count in zip(done, counts, strict=True):
        while place < len(spent) and spent[place].second <= at:
            place, paid = place + 1, paid + amounts[place]
        if count:
            points.append((max(0.0, at - spent[0].second), paid / count))
    every = -(-len(points) // STRETCHES)
    return CostCourse(unit, points[::-1][::every][::-1])


def _amounts(workspace: Workspace, spent: Sequence[JournalSecond]) -> tuple[str, list[float]]:
    """Return the unit, dollars or tokens, and the amount of each row."""
    prices = load_prices(workspace.existing_run().config.prices)
    usages = [Usage(prompt=row.prompt, cached=row.cached, completion=row.completion) for row in spent]
    known = {(row.endpoint, row.model): prices.find(row.endpoint, row.model) for row in spent}
    dollars = [
        price.cost(usage)
        for row, usage in zip(spent, usages, strict=True)
        if (price := known[row.endpoint, row.model]) is not None
    ]
    if len(dollars) == len(spent) and any(dollars):
        return "dollars", dollars
    return "tokens", [float(usage.total) for usage in usages]
