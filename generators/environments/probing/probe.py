"""A sandbox and its plan -> where it contradicts itself, or behaves as no API would; found by running calls.

createPet(name="Rex") -> {"id": 7, "name": "Rex"}; getPet(id=7) -> {"id": 7, "name": "Max"}
created_not_shown createPet, getPet: expected name "Rex" as given, came "Max"
"""

from collections.abc import Awaitable, Callable
from random import Random

from interplay.generators.environments.inference.plans import Plan, ToolPlan
from interplay.generators.environments.probing import call_checks, read_checks, write_checks
from interplay.generators.environments.probing.reading_tools import ToolPairs
from interplay.generators.environments.probing.trial import MOST_CALLS, Consistency, Sampler, SpentCalls, Trial
from interplay.schemas.protocols import Environment

Alone = Callable[[Trial, ToolPlan], Awaitable[None]]
Paired = Callable[[Trial, ToolPairs, ToolPlan], Awaitable[None]]

ALONE: tuple[Alone, ...] = (
    call_checks.check_success, call_checks.check_read, call_checks.check_unknown, call_checks.check_write, read_checks.check_filters, read_checks.check_pages, read_checks.check_owner,
)  # fmt: skip
PAIRED: tuple[Paired, ...] = (
    read_checks.check_listed, read_checks.check_copies, write_checks.check_create, write_checks.check_update,
    write_checks.check_delete, write_checks.check_action,
)  # fmt: skip


async def probe(environment: Environment, plan: Plan, arguments: Sampler, most_calls: int = MOST_CALLS) -> Consistency:
    """Run all checks on all tools, and return the findings; the state is restored afterwards.

    Tools are checked in a fixed, shuffled order, so that few calls still reach all parts of a toolset.

    Raises:
        EnvironmentFailure: the environment itself broke.
    """
    trial, pairs = Trial(environment, plan, arguments, most_calls), ToolPairs(plan)
    tools = [plan.tools[name] for name in sorted(plan.tools)]
    Random("probe").shuffle(tools)
    try:
        for item in tools:
            for alone in ALONE:
                await alone(trial, item)
            for paired in PAIRED:
                await paired(trial, pairs, item)
    except SpentCalls:
        return trial.result(is_whole=False)
    return trial.result(is_whole=True)
