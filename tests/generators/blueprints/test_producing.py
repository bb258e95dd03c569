"""Where identities are looked up: with what shows them, and not with the likes of what is about to be made."""

from random import Random

from tests.generators.worlds import generator, shared_spec

from interplay.generators.blueprints.producing import Producers
from interplay.generators.graph.world import World


def test_nobody_finds_what_to_book_in_somebody_elses_booking() -> None:
    made = generator(shared_spec("train_travel.yaml")).workshop(0)
    assert made.graph is not None
    producers = Producers(World(made.world.environment), made.graph)
    names = [edge.producer for edge in producers.cheapest("create-booking", "/trip_id", "trip", Random(1))]
    assert names == ["get-trips"]
