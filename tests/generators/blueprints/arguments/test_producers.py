"""Where identities are looked up: with what shows them, and neither with the likes of what is made nor of what is sought."""

from random import Random

from tests.generators.environments.specs import spec
from tests.generators.graph.counted_edges import counted_edges
from tests.generators.worlds import generator, records, shared_spec

from interplay.generators.blueprints.arguments.producers import FINDING, Producers
from interplay.generators.environments.sandbox.sandbox import Sandbox
from interplay.generators.graph.sampling.world import World
from interplay.schemas.calls.antecedent import referred
from interplay.schemas.records.blueprint import Action, Blueprint
from interplay.schemas.records.tool import ToolRole


def test_nobody_finds_what_to_book_in_somebody_elses_booking() -> None:
    made = generator(shared_spec("train_travel.yaml")).workshop(0)
    assert made.graph is not None
    producers = Producers(World(made.world.environment), made.graph)
    names = [edge.producer for edge in producers.cheapest("create-booking", "/trip_id", "trip", Random(1))]
    assert names == ["get-trips"]


def test_edges_are_run_only_where_there_are_several_ways_to_choose_from() -> None:
    opened = Sandbox(spec("train_travel.yaml"))
    later, called = counted_edges(opened)
    producers = Producers(World(opened), later)
    assert len(producers.cheapest("get-trips", "/origin", "station", Random(1))) == 1
    assert len(producers.doing("delete-booking", "/bookingId", FINDING)) > 1
    assert not called
    producers.cheapest("delete-booking", "/bookingId", "booking", Random(1))
    assert called


def test_nobody_needs_an_artist_to_find_an_artist() -> None:
    spec = shared_spec("spotify_official.yml")
    roles = {role.tool: role for role in generator(spec).world.environment.resources.roles}
    tasks = [record.blueprint for record in records(spec, 40) if record.blueprint]
    looked_up = [
        (resource, _needed(task, source, roles))
        for task in tasks
        for action in task.actions
        for resource, source in _sources(task, action, roles)
    ]
    assert len(looked_up) > 10
    assert not [resource for resource, needed in looked_up if resource and resource in needed]


def _sources(task: Blueprint, action: Action, roles: dict[str, ToolRole]) -> list[tuple[str, Action]]:
    """Return what an action takes from look-ups made for it, with these."""
    taken = [(referred(roles[action.tool], pointer), origin.action) for pointer, origin in action.origins.items()]
    found = [(resource or "", task.action(name)) for resource, name in taken if name]
    return [(resource, source) for resource, source in found if source.goal == action.goal]


def _needed(task: Blueprint, action: Action, roles: dict[str, ToolRole]) -> set[str]:
    """Return the kinds of things that have to be known for a look-up, or for what that needs."""
    told = {referred(roles[action.tool], pointer) for pointer, origin in action.origins.items() if not origin.action}
    behind = [_needed(task, source, roles) | {resource} for resource, source in _sources(task, action, roles)]
    return {name for name in told if name} | set[str]().union(*behind)
