"""A draft -> the same with one more request, or one more goal of its last request, about what was spoken of if possible."""

from interplay.generators.blueprints.drafting.draft import DeadEnd, Step
from interplay.generators.blueprints.growth.growth import Growth
from interplay.generators.graph.sampling.world import Subject
from interplay.schemas.records.tool import READING


async def add_request(growth: Growth, tries: int) -> bool:
    """Let the user bring up one more request, about what was spoken of if possible."""
    names = [tool.name for tool in growth.callable()]
    for _ in range(tries):
        mark = growth.draft.mark()
        try:
            await growth.request(growth.rng.choice(_related(growth, names)))
        except DeadEnd:
            growth.draft.rewind(mark)
        else:
            return True
    return False


def _related(growth: Growth, names: list[str]) -> list[str]:
    """Return tools that act on what was spoken of, most of the time; all of them otherwise."""
    spoken = {resource for resource, _ in growth.draft.identities}
    used = {step.tool for step in growth.draft.steps}
    near = [name for name in names if name not in used and spoken & set(growth.role(name).references.values())]
    return near if near and growth.rng.random() < 0.75 else [name for name in names if name not in used] or names


async def add_follow_up(growth: Growth) -> bool:
    """Add a goal to the last request that uses what an earlier step returned."""
    last = growth.draft.steps[-1]
    edges = growth.graph.out_of.get(last.tool, ())
    callable_ones = {tool.name for tool in growth.callable()} - {last.tool}
    consumers = sorted({edge.consumer for edge in edges if edge.verified is not False} & callable_ones)
    growth.rng.shuffle(consumers)
    for consumer in consumers[:6]:
        mark = growth.draft.mark()
        try:
            if (await _joined(growth, consumer, growth.row_shown(last))).level > 0:
                return True
        except DeadEnd:
            pass
        growth.draft.rewind(mark)
    return False


async def add_sibling_goal(growth: Growth) -> bool:
    """Add an independent goal to the last request: the same tool about something else, or another reading tool."""
    last = growth.draft.goals[-1].tool
    readers = [tool.name for tool in growth.callable() if growth.role(tool.name).operation in READING]
    growth.rng.shuffle(readers)
    for name in [last, *readers[:6]] if growth.rng.random() < 0.5 else [*readers[:6], last]:
        mark = growth.draft.mark()
        try:
            await _joined(growth, name, None)
        except DeadEnd:
            growth.draft.rewind(mark)
        else:
            return True
    return False


async def _joined(growth: Growth, name: str, subject: Subject | None) -> Step:
    """Add a goal to the last request, and serve it."""
    return await growth.serve(growth.add_goal(name), len(growth.draft.requests) - 1, subject)
