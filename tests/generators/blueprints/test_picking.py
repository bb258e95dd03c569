"""What users mean by the rows in which something stands: that row, or another thing that it names."""

import asyncio

from tests.generators.worlds import shared_spec

from interplay.flows.assemble import open_graph, open_world
from interplay.flows.config import parse_config
from interplay.flows.generation import Generator


def test_what_a_row_only_refers_to_is_meant_as_such() -> None:
    """A deploy that is taken from a session is "the deploy of the session in April", not "the session in April"."""
    spec = shared_spec("netlify.yml")
    world = open_world([spec])
    maker = Generator(
        parse_config({"toolset": [spec], "seed": 7, "recipes": {"described": 1.0}}, "test"),
        world,
        asyncio.run(open_graph(world, 0)),
        "run",
    )
    roles, meant = world.environment.resources, 0
    for index in range(20):
        blueprint = asyncio.run(maker.make_record(index)).blueprint
        for action in blueprint.actions if blueprint else ():
            for pointer, origin in action.origins.items():
                fact = blueprint.scenario.fact(origin.fact) if blueprint and origin.fact else None
                if fact is None or fact.description is None or origin.action is None:
                    continue
                taken = roles.role(action.tool).references.get(pointer)
                shown = roles.role(blueprint.action(origin.action).tool).resource if blueprint else None
                meant += taken not in (None, shown)
                assert taken in (None, shown) or fact.description.same, (action.tool, pointer, fact.label)
    assert meant
