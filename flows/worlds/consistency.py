"""Opened sources -> where their sandboxes contradict themselves, as findings and as doubts."""

from collections.abc import Mapping
from random import Random
from typing import Any

from interplay.flows.worlds.assembly import WorldPart
from interplay.generators.environments.accounts.explanation import Doubt
from interplay.generators.environments.probing.probe import probe
from interplay.generators.environments.probing.trial import Consistency
from interplay.generators.graph.sampling.argument_samples import sample_arguments
from interplay.generators.graph.sampling.world import World

EXPLAINED_CALLS = 6_000
"""Calls that an explanation takes at most."""


async def probe_part(part: WorldPart, most_calls: int = EXPLAINED_CALLS) -> Consistency:
    """Return what calls show of the sandbox of one source; of code and of servers, which know better, nothing.

    Raises:
        EnvironmentFailure: the environment itself broke.
    """
    if part.plan is None:
        return Consistency()
    world = World(part.environment)

    def arguments(name: str, rng: Random, fixed: Mapping[str, Any], optional: int) -> dict[str, Any]:
        return sample_arguments(world, world.tools[name], rng, fixed, optional)

    return await probe(part.environment, part.plan, arguments, most_calls)


def as_doubts(found: Consistency) -> tuple[Doubt, ...]:
    """Return findings as doubts: what was expected and what came, and the override that puts it right where there is one."""
    return tuple(
        Doubt(
            about=", ".join(finding.tools),
            what=f"{finding.kind.replace('_', ' ')}: expected {finding.expected}, came {finding.came}",
            remedy=finding.remedy,
            kind=finding.kind,
            calls=finding.calls,
        )
        for finding in found.findings
    )
