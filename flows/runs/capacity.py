"""A generator -> an estimate of how many different tasks its tools hold, before they are made, and what would give more.

A sample of tasks is composed. How many of them occur once, and how many twice, tells how many there are in all.
Source: Chao 1984, Nonparametric estimation of the number of classes in a population, equation 9.
"""

from collections import Counter
from collections.abc import Iterable

from interplay.flows.generation.generator import Generator
from interplay.generators.blueprints.composition.blueprint_composer import Composer
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.tool import SEARCH_TOOL

SMALL = 12
"""The most tools for which tasks are estimated; more tools hold more tasks than are ever asked for."""

SAMPLE = 64
"""Tasks that are composed for an estimate, at most."""

PAIRS = 4
"""As soon as a sample holds so many pairs of tasks per record asked for, it is large enough if all its tasks differ."""

APART = 1_000
"""Indices between the worlds of the sample, so that tasks which only differ between worlds count too."""


async def few_tasks(generator: Generator, records: int) -> str:
    """Return a sentence if the tools hold fewer tasks than `records`, else "".

    Nothing is estimated if models help to compose tasks, or if tasks depend on earlier ones.
    """
    config = generator.config
    tools = [tool for tool in generator.world.toolset.tools if tool.name != SEARCH_TOOL]
    elsewhere = config.start or config.evolution or config.branched or config.tasks_per_session > 1
    if len(tools) > SMALL or generator.graph is None or generator.cast is not None or elsewhere:
        return ""
    if records <= SAMPLE // 2 or config.copies > 1:
        return ""
    about = estimate_kinds(await sample_stories(generator, records))
    if about is None or about >= records:
        return ""
    sources = ", ".join(sorted({str(part.spec) for part in generator.world.parts if part.renewed is None}))
    rows = f"more rows in the one world of {sources} (?scenario=FILE)" if sources else "more rows (worlds: {rows: ...})"
    return (
        f"By a sample, these {len(tools)} tools hold about {about:,} different tasks, perhaps a few times that; {records:,} are asked for. What gives more: more "
        f"tools, {rows}, other shares of patterns and behaviours (recipes), or the same tasks told by others (copies: N)."
    )


async def sample_stories(generator: Generator, records: int) -> list[str]:
    """Return the stories of a sample of tasks in several worlds; of fewer where these tell that there are enough."""
    found = list[str]()
    for number in range(SAMPLE):
        if len(found) * (len(found) - 1) // 2 >= PAIRS * records and estimate_kinds(found) is None:
            break
        index = number // 8 * APART + number % 8
        place = generator.workshop(index)
        composer: Composer = place.composer
        async with place.turn():
            made = await composer.compose(generator.tasks.recipe(index).model_copy(update={"retells": None}))
        if isinstance(made, Blueprint):
            found.append(made.story())
    return found


def estimate_kinds(sample: Iterable[str]) -> int | None:
    """Return an estimate of how many kinds there are in all; None if too few of the sample occur again to tell."""
    times = Counter(Counter(sample).values())
    once, twice = times[1], times[2]
    shown = sum(times.values())
    if sum((often - 1) * kinds for often, kinds in times.items()) < 2:
        return None
    return round(shown + once * (once - 1) / (2 * (twice + 1)))
