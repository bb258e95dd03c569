"""Candidate edges between tools made for the purpose."""

from collections import Counter
from typing import Any

import pytest
from tests.generators.environments.inline import operation, sandbox
from tests.generators.environments.specs import spec

from interplay.generators.environments.accounts.resource_model import resource_model
from interplay.generators.environments.inference.resources.plan_inference import infer_plan
from interplay.generators.graph.candidate_edges import PRODUCERS, candidate_edges
from interplay.generators.graph.ports import result_leaves
from interplay.schemas.records.tool import Effect, Source, Tool, ToolLink, Toolset
from interplay.schemas.records.tool_graph import Edge, ValueFlow

TEXT = {"type": "string"}


def tool(
    name: str, takes: dict[str, Any] | None = None, returns: dict[str, Any] | None = None, effect: Effect = "read",
    required: tuple[str, ...] = (), file: str = "made.json",
) -> Tool:  # fmt: skip
    parameters = {"type": "object", "properties": takes or {}, "required": list(required)}
    shown = None if returns is None else {"type": "object", "properties": returns}
    return Tool(
        name=name, original_name=name, parameters=parameters, returns=shown, effect=effect, source=Source(file=file)
    )


def edges(*tools: Tool, flows: tuple[ValueFlow, ...] = ()) -> list[Edge]:
    toolset = Toolset(name="made", tools=tools)
    return candidate_edges(toolset, resource_model(infer_plan(toolset)), flows)


def ends(found: list[Edge]) -> set[tuple[str, str, str, str]]:
    return {(edge.producer, edge.output, edge.consumer, edge.input) for edge in found}


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("flight_no", "flight_number"),
        ("dest", "destination"),
        ("airlines", "airline"),
        ("weatherReprt", "weather_report"),
    ],
)
def test_spellings_and_abbreviations_are_no_obstacle(given: str, wanted: str) -> None:
    found = edges(
        tool("plan_trip", returns={given: TEXT}), tool("forecast", {wanted: TEXT}, {"degrees": {"type": "number"}})
    )
    assert ("plan_trip", f"/{given}", "forecast", f"/{wanted}") in ends(found)


def test_descriptions_join_what_names_do_not() -> None:
    told = {"type": "string", "description": "Three letter code of the airport where the journey begins"}
    other = {"type": "string", "description": "The three letter code of the airport where a journey begins"}
    found = edges(
        tool("plan_trip", returns={"airport_code_from": told}), tool("forecast", {"airport_code_start": other})
    )
    assert ends(found) == {("plan_trip", "/airport_code_from", "forecast", "/airport_code_start")}
    assert {"description", "type"} == {item.kind for item in found[0].evidence}


def test_a_list_of_identities_feeds_one_identity() -> None:
    found = edges(
        tool("get_user", {"user_id": TEXT}, {"user_id": TEXT, "reservations": {"type": "array", "items": TEXT}}),
        tool("get_reservation", {"reservation_id": TEXT}, {"reservation_id": TEXT, "cabin": TEXT}),
    )
    assert ("get_user", "/reservations/*", "get_reservation", "/reservation_id") in ends(found)


def test_the_identity_of_one_thing_never_feeds_another() -> None:
    found = edges(
        tool("get_pet", {"pet_id": TEXT}, {"id": TEXT, "name": TEXT}, required=("pet_id",)),
        tool("get_user", {"user_id": TEXT}, {"id": TEXT, "name": TEXT}, required=("user_id",)),
    )
    assert not found


@pytest.mark.parametrize(
    "name", ["page", "next_page_token", "status", "error_message", "total_count", "etag", "has_more"]
)
def test_paging_status_and_messages_never_make_edges(name: str) -> None:
    assert not edges(tool("plan_trip", returns={name: TEXT}), tool("forecast", {name: TEXT}))


def test_rows_nested_in_lists_feed_rows_nested_in_lists() -> None:
    flights = {"type": "array", "items": {"type": "object", "properties": {"date": TEXT}, "required": ["date"]}}
    found = edges(
        tool("get_trip", {"trip_id": TEXT}, {"trip_id": TEXT, "flights": flights}),
        tool("update_trip", {"trip_id": TEXT, "flights": flights}, effect="write", required=("trip_id", "flights")),
    )
    assert ("get_trip", "/flights/*/date", "update_trip", "/flights/*/date") in ends(found)


def test_what_a_caller_decides_is_fed_by_nothing() -> None:
    found = edges(
        tool("get_trip", {"trip_id": TEXT}, {"trip_id": TEXT, "seat_class": TEXT}),
        tool("book_hotel", {"seat_class": TEXT}, effect="write", required=("seat_class",)),
    )
    assert not found


def test_a_closed_choice_is_fed_only_by_the_same_choice() -> None:
    open_field, closed = tool("get_trip", returns={"seat_class": TEXT}), {"type": "string", "enum": ["first", "second"]}
    assert not edges(open_field, tool("forecast", {"seat_class": closed}))
    assert edges(tool("get_trip", returns={"seat_class": closed}), tool("forecast", {"seat_class": closed}))


def test_identities_that_begin_alike_are_joined() -> None:
    method = {"type": "object", "properties": {"id": {"type": "string", "examples": ["credit_card_4421486"]}}}
    taken = {"type": "string", "description": "The payment id, such as 'credit_card_7815826'."}
    found = edges(
        tool("get_user", {"user_id": TEXT}, {"payment_methods": {"type": "object", "additionalProperties": method}}),
        tool("pay", {"payment_id": taken}, effect="write", required=("payment_id",)),
    )
    assert ("get_user", "/payment_methods/*/id", "pay", "/payment_id") in ends(found)


def test_a_thousand_producers_of_one_name_leave_few_edges_each_time_the_same() -> None:
    makers = [
        tool(f"report_{number:04}", returns={"barometer": TEXT}, file=f"{number % 50}.json") for number in range(1_000)
    ]
    takers = [tool(f"forecast_{number}", {"barometer": TEXT}, file=f"{number}.json") for number in range(5)]
    found = edges(*makers, *takers)
    assert set(Counter(edge.consumer for edge in found).values()) == {PRODUCERS}
    assert found == edges(*makers, *takers)
    own = {edge.producer for edge in found if edge.consumer == "forecast_3"}
    assert own == {f"report_{number:04}" for number in range(3, 1_000, 50)[:PRODUCERS]}


def test_what_was_seen_raises_an_edge_and_makes_another() -> None:
    tools = (
        tool("plan_trip", returns={"town": TEXT, "place_code": TEXT}),
        tool("forecast", {"town": TEXT, "station": TEXT}),
    )
    seen = ValueFlow(
        producer="plan_trip", output="/town", consumer="forecast", input="/town", count=1, example="Oslo12"
    )
    new = ValueFlow(producer="plan_trip", output="/place_code", consumer="forecast", input="/station", count=3)
    rare = ValueFlow(producer="plan_trip", output="/town", consumer="forecast", input="/station", count=1)
    plain, found = edges(*tools), edges(*tools, flows=(seen, new, rare))
    assert len(plain) == 1
    assert ends(found) == ends(plain) | {("plan_trip", "/place_code", "forecast", "/station")}
    assert all(edge.evidence[-1].kind == "observation" for edge in found)
    raised = next(edge for edge in found if edge.input == "/town")
    assert raised.score > plain[0].score
    assert "Oslo12" in raised.evidence[-1].detail


def test_a_map_shows_its_values_and_described_keys() -> None:
    inner = {"type": "object", "properties": {"id": TEXT}}
    schema = {"type": "object", "additionalProperties": inner, "propertyNames": {"examples": ["JFK"]}}
    assert [pointer for pointer, _, _ in result_leaves({"type": "object", "properties": {"airports": schema}})] == [
        "/airports/{key}",
        "/airports/*/id",
    ]


def test_a_declared_link_is_the_best_edge_and_one_that_leads_nowhere_is_none() -> None:
    links = tuple(
        ToolLink(output=output, consumer=consumer, input=pointer)
        for output, consumer, pointer in [
            ("/rows/0/code", "forecast", "/station"), ("/code", "nobody", "/station"),
            ("/code", "forecast", "/missing"), ("", "forecast", "/town"),
        ]
    )  # fmt: skip
    planned = tool("plan_trip", returns={"town": TEXT}).model_copy(update={"links": links})
    found = edges(planned, tool("forecast", {"town": TEXT, "station": TEXT}))
    assert ends(found) == {
        ("plan_trip", "/rows/*/code", "forecast", "/station"), ("plan_trip", "/town", "forecast", "/town"),
    }  # fmt: skip
    assert (found[0].input, found[0].score, found[0].evidence[0].kind) == ("/station", 1.0, "link")


def test_links_of_a_real_description_become_edges() -> None:
    toolset = spec("oai_link_example.json")
    found = candidate_edges(toolset, resource_model(infer_plan(toolset)))
    linked = {(edge.producer, edge.consumer, edge.input) for edge in found if edge.evidence[0].kind == "link"}
    assert linked == {
        (item.name, link.consumer, link.input) for item in toolset.tools for link in item.links if link.output
    }


def test_the_number_of_a_row_feeds_a_path_that_takes_it_as_text() -> None:
    row = {"type": "object", "properties": {"id": {"type": "integer"}, "name": TEXT, "seats": {"type": "integer"}}}
    opened = sandbox(
        operation("listRestaurants", "GET", "/restaurants", {"type": "array", "items": row}),
        operation("deleteRestaurant", "DELETE", "/restaurants/{restaurant_id}", None),
        operation("findMenu", "GET", "/menus", {"type": "object", "properties": {"dish": TEXT}}, query_seats=TEXT),
    )
    found = ends(candidate_edges(opened.toolset, opened.resources))
    assert ("listRestaurants", "/*/id", "deleteRestaurant", "/restaurant_id") in found
    assert not any(at == "/seats" for _, _, _, at in found)


def test_the_identity_of_a_new_row_is_fed_by_nothing() -> None:
    customer = {"type": "object", "properties": {"external_id": TEXT, "email": TEXT}}
    subscription = {"type": "object", "properties": {"external_id": TEXT, "customer": customer}}
    held = {"type": "object", "properties": {"external_id": TEXT, "email": TEXT}, "required": ["external_id"]}
    create = operation("createCustomer", "POST", "/customers", customer, customer=held)
    create = create.model_copy(update={"parameters": {**create.parameters, "required": ["customer"]}})
    found = edges(
        create,
        operation("getCustomer", "GET", "/customers/{external_id}", customer),
        operation("getSubscription", "GET", "/subscriptions/{external_id}", subscription),
    )
    assert found
    assert not [edge for edge in found if edge.consumer == "createCustomer" and edge.input.endswith("external_id")]
