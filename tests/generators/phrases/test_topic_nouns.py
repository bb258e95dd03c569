"""The noun for what a tool or a resource is about."""

from interplay.generators.phrases.topic_nouns import hinted, noun_of, topic_of


def test_names_the_topic_of_a_tool() -> None:
    assert topic_of("list_specialties") == "specialties"
    assert topic_of("retrieve-a-page") == "page"
    assert topic_of("list_all_airports") == "airports"
    assert topic_of("transfer_to_human_agents") == "human agents"


def test_hints_at_abbreviated_names_in_words() -> None:
    assert hinted("cd", "change the current working directory to the folder") == "current working directory"
    assert hinted("list_tasks", "see tasks") == "tasks"


def test_hints_without_the_name_of_the_service() -> None:
    assert hinted("maps_search_places", "search for places nearby") == "places"
    assert hinted("imperial_si_conversion", "convert a value between imperial and SI units") == "value"
    assert hinted("maps_reverse_geocode", "convert coordinates into an address") == "coordinates"


def test_a_resource_is_called_as_its_toolset_says() -> None:
    assert noun_of("museum_hours", {}) == "museum hours"
    assert noun_of("museums_hour", {"museums_hour": "time"}) == "time"
    assert noun_of("museums_hour", {}) == "museum hour"
    assert noun_of(None, {}) == "result"
