"""What users mean by the rows in which something stands: that row, or another thing that it names."""

import asyncio

from tests.generators.worlds import generator


def test_what_a_row_only_refers_to_is_meant_as_such() -> None:
    """A deploy that is taken from a session is "the deploy of the session in April", not "the session in April"."""
    maker = generator("netlify.yml", recipes={"described": 1.0})
    roles, meant = maker.world.environment.resources, 0
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
