"""Tools that describe no result still answer with what is known."""

from typing import Any

import pytest
from tests.generators.environments.inline import TEXT, call, operation, row, sandbox

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def test_a_write_without_a_result_schema_answers_with_its_row() -> None:
    order = row(note=TEXT, status={"type": "string", "enum": ["open", "cancelled"]})
    opened = sandbox(
        operation("getOrder", "GET", "/orders/{orderId}", order),
        operation("updateOrder", "PATCH", "/orders/{orderId}", None, note=TEXT),
        operation("cancelOrder", "POST", "/orders/{orderId}/cancel", None),
        operation("deleteOrder", "DELETE", "/orders/{orderId}", None),
    )
    key = next(iter(opened.state()["order"]))
    assert (await call(opened, "updateOrder", orderId=key, note="Ring twice")).value["note"] == "Ring twice"
    cancelled = (await call(opened, "cancelOrder", orderId=key)).value
    assert cancelled["status"] == "cancelled"
    assert cancelled == (await call(opened, "getOrder", orderId=key)).value
    assert (await call(opened, "deleteOrder", orderId=key)).value == {"success": True, "orderId": key}


async def test_a_calculation_without_a_result_schema_answers_the_same_number_each_time() -> None:
    opened = sandbox(operation("calculate_shipping_cost", "GET", "/calculate-shipping-cost", None, query_city=TEXT))
    first = await call(opened, "calculate_shipping_cost", city="Oslo")
    assert isinstance(first.value["shipping_cost"], float)
    assert (await call(opened, "calculate_shipping_cost", city="Oslo")).value == first.value
    assert (await call(opened, "calculate_shipping_cost", city="Rome")).value != first.value


async def test_rows_of_which_nothing_is_said_have_what_their_kind_usually_has() -> None:
    bare: dict[str, Any] = {"type": "object", "title": "Arrival", "properties": {}}
    opened = sandbox(
        operation("get_stations", "GET", "/stations", None),
        operation("get_station", "GET", "/stations/{station_id}", None),
        operation("get_driver", "GET", "/drivers/{driver_id}/employee", bare),
        operation("get_air_quality", "GET", "/air-quality", bare),
    )
    stations = (await call(opened, "get_stations")).value
    assert {key for station in stations for key in station} == {"id", "name", "description", "created_at"}
    assert (await call(opened, "get_station", station_id=stations[1]["id"])).value == stations[1]
    assert (await call(opened, "get_air_quality")).value


async def test_a_list_in_an_object_of_which_nothing_is_said_is_not_empty() -> None:
    opened = sandbox(operation("GetOrderStates", "GET", "/enums/orderstates", {"type": "object"}))
    answer = (await call(opened, "GetOrderStates")).value
    assert len(answer["results"]) > 1


async def test_the_answer_to_a_delete_names_what_was_deleted_as_its_schema_writes_it() -> None:
    fields = {"id": TEXT, "deleted": {"type": "boolean"}}
    gone = {"title": "Deleted Article Object", "type": "object", "properties": fields, "required": ["id", "deleted"]}
    article = {"type": "object", "properties": {"id": {"type": "integer"}, "title": TEXT}, "required": ["id"]}
    delete = operation("deleteArticle", "DELETE", "/articles/{article_id}", gone)
    asks = {**delete.parameters, "properties": {"article_id": {"type": "integer"}}}
    opened = sandbox(
        operation("listArticles", "GET", "/articles", {"type": "array", "items": article}),
        delete.model_copy(update={"parameters": asks}),
    )
    key = (await call(opened, "listArticles")).value[0]["id"]
    assert (await call(opened, "deleteArticle", article_id=key)).value == {"id": str(key), "deleted": True}


async def test_an_answer_of_which_only_the_envelope_is_told_holds_no_row() -> None:
    status, flag = {"type": "integer", "examples": [200]}, {"type": "boolean"}
    fields = {"status": status, "error": flag, "message": TEXT, "data": {}}
    answer = {"title": "ApiSuccess", "type": "object", "properties": fields, "required": list(fields)}
    visit = row(note=TEXT)
    opened = sandbox(
        operation("getVisit", "GET", "/visits/{visitId}", {**answer, "properties": {**fields, "data": visit}}),
        operation("startVisit", "POST", "/visits/{visitId}/start", answer),
    )
    key = next(iter(opened.state()["visit"]))
    started = (await call(opened, "startVisit", visitId=key)).value
    assert started == {"status": 200, "error": False, "message": "OK", "data": None}


async def test_a_message_of_an_example_names_what_the_call_names() -> None:
    told = {"type": "string", "examples": ["Car with id 10 successfully deleted"]}
    answer = {"type": "object", "properties": {"status": TEXT, "message": told}, "required": ["message"]}
    opened = sandbox(
        operation("listCars", "GET", "/cars", {"type": "array", "items": row(name=TEXT)}),
        operation("deleteCar", "DELETE", "/cars/{carId}", answer),
        operation("washCars", "POST", "/cars/wash", {**answer, "title": "Washed"}),
    )
    key = next(iter(opened.state()["car"]))
    assert (await call(opened, "deleteCar", carId=key)).value["message"] == f"Car with id {key} successfully deleted"
    assert "10" not in (await call(opened, "washCars")).value["message"]


async def test_an_answer_that_shows_another_thing_agrees_with_the_row_and_the_deed() -> None:
    status = {"type": "string", "enum": ["accepted", "invited"]}
    member = {**row(trip_id=TEXT, status=status), "title": "TripMember"}
    member["required"] = ["id", "trip_id", "status"]
    invitation = {**row(trip_id=TEXT, role=TEXT), "required": ["id", "trip_id"]}
    opened = sandbox(
        operation("myInvitations", "GET", "/trips/invitations/pending", {"type": "array", "items": invitation}),
        operation("acceptInvitation", "POST", "/trips/invitations/{member_id}/accept", member),
    )
    for key, held in list(opened.state()["invitation"].items()):
        shown = (await call(opened, "acceptInvitation", member_id=key)).value
        assert (shown["id"], shown["status"]) == (held["id"], "accepted")
        assert shown["trip_id"] == held["trip_id"]


async def test_a_row_is_called_by_the_identity_that_it_is_given_by_another_name() -> None:
    teacher = row(teacher_id=TEXT, name=TEXT)
    opened = sandbox(
        operation("listTeachers", "GET", "/teachers", {"type": "array", "items": teacher}),
        operation("getTeacher", "GET", "/teachers/{id}", teacher),
        operation("addTeacher", "POST", "/teachers", teacher, teacher_id=TEXT, name=TEXT),
    )
    made = (await call(opened, "addTeacher", teacher_id="TC-3876", name="Ada Field")).value
    assert (made["id"], made["teacher_id"]) == ("TC-3876", "TC-3876")
    assert (await call(opened, "getTeacher", id="TC-3876")).value["name"] == "Ada Field"


async def test_a_part_refers_to_the_whole_that_it_stands_in() -> None:
    comment = {
        "type": "object",
        "properties": {"id": TEXT, "ticketId": TEXT, "text": TEXT},
        "required": ["id", "ticketId"],
    }
    ticket = {**row(title=TEXT, comments={"type": "array", "items": comment, "minItems": 1})}
    opened = sandbox(
        operation("listTickets", "GET", "/tickets", {"type": "array", "items": ticket}),
        operation("getTicket", "GET", "/tickets/{ticketId}", ticket),
    )
    for key in opened.state()["ticket"]:
        shown = (await call(opened, "getTicket", ticketId=key)).value
        assert {part["ticketId"] for part in shown["comments"]} == {shown["id"]}


async def test_an_answer_repeats_the_identity_that_a_call_names_in_what_it_holds() -> None:
    event = {"type": "object", "properties": {"title": TEXT, "trip_id": TEXT}, "required": ["title", "trip_id"]}
    answer = {"type": "object", "properties": {"current_event": event}, "required": ["current_event"]}
    opened = sandbox(
        operation("listTrips", "GET", "/trips", {"type": "array", "items": row(name=TEXT)}),
        operation("whatsNext", "GET", "/trips/{trip_id}/whats-next", answer),
    )
    key = next(iter(opened.state()["trip"]))
    assert (await call(opened, "whatsNext", trip_id=key)).value["current_event"]["trip_id"] == key


async def test_addresses_of_a_new_row_are_of_the_name_that_it_is_given() -> None:
    link = {"type": "string", "format": "uri"}
    item = {"type": "object", "properties": {"id": TEXT, "name": TEXT, "imageUrl": link}, "required": ["imageUrl"]}
    opened = sandbox(
        operation("listItems", "GET", "/items", {"type": "array", "items": item}),
        operation("addItem", "POST", "/items", item, name=TEXT),
    )
    made = (await call(opened, "addItem", name="White Headphones")).value
    assert made["imageUrl"].endswith("/white-headphones")


async def test_who_registers_is_who_the_answer_shows() -> None:
    user = {
        "type": "object",
        "properties": {"id": TEXT, "name": TEXT, "email": TEXT},
        "required": ["id", "name", "email"],
    }
    shown = {"type": "object", "properties": {"token": TEXT, "account": user}, "required": ["token", "account"]}
    opened = sandbox(operation("register", "POST", "/auth/register", shown, name=TEXT, email=TEXT))
    made = (await call(opened, "register", name="Ada Byron", email="ada@example.com")).value["account"]
    assert (made["name"], made["email"]) == ("Ada Byron", "ada@example.com")


async def test_what_belongs_to_a_row_does_not_take_its_name() -> None:
    kind = {"type": "object", "properties": {"id": TEXT, "name": TEXT}, "required": ["id", "name"]}
    pet = {
        "type": "object",
        "properties": {"id": TEXT, "name": TEXT, "category": kind},
        "required": ["id", "name", "category"],
    }
    opened = sandbox(
        operation("getPet", "GET", "/pets/{id}", pet), operation("updatePet", "PUT", "/pets", pet, id=TEXT, name=TEXT)
    )
    key = next(iter(opened.state()["pet"]))
    before = (await call(opened, "getPet", id=key)).value
    after = (await call(opened, "updatePet", id=key, name="Nori")).value
    assert after == {**before, "name": "Nori"}


async def test_a_page_of_what_has_no_rows_counts_what_it_shows() -> None:
    counts = {key: {"type": "boolean"} for key in ("first", "last", "empty")} | {
        key: {"type": "integer"} for key in ("size", "number", "totalPages", "totalElements", "numberOfElements")
    }
    page = {"type": "object", "properties": {"content": {"type": "array", "items": TEXT, "minItems": 1}, **counts}}
    opened = sandbox(operation("getRoles", "GET", "/authors/roles", page))
    shown = (await call(opened, "getRoles")).value
    assert shown["totalElements"] == shown["numberOfElements"] == len(shown["content"])
    assert (shown["last"], shown["totalPages"]) == (True, 1)


@pytest.mark.anyio
async def test_an_update_says_that_it_updated() -> None:
    flag = {"type": "boolean"}
    visit = row(place=TEXT, status=TEXT)
    told = {"type": "object", "properties": {"id": TEXT, "updated": flag, "created": flag}, "required": ["id", "updated", "created"]}  # fmt: skip
    opened = sandbox(
        operation("list_visits", "GET", "/visits", {"type": "array", "items": visit}),
        operation("update_visit", "PUT", "/visits/{visit_id}", told, place=TEXT),
    )
    shown = [await call(opened, "update_visit", visit_id=key, place="Ulm") for key in opened.state()["visit"]]
    assert {each.value["updated"] for each in shown} == {True}


async def test_a_write_whose_answer_is_only_a_text_says_that_it_was_done_now() -> None:
    said = {"type": "object", "properties": {"body": TEXT, "code": {"type": "integer"}, "timestamp": TEXT}}
    entry = {"type": "object", "properties": {"status": TEXT, "date": TEXT}}
    opened = sandbox(
        operation("getHabit", "GET", "/habits/{habitId}", row(name=TEXT)),
        operation("addHabit", "POST", "/habits", said, name=TEXT),
        operation("logHabit", "POST", "/habits/{habitId}/log", entry, status=TEXT),
    )
    added = (await call(opened, "addHabit", name="Walk")).value
    assert (added["body"], added["code"]) == ("Done.", 200)
    key = next(iter(opened.state()["habit"]))
    logged = (await call(opened, "logHabit", habitId=key, status="done")).value
    assert (logged["status"], logged["date"][:10]) == ("done", "2026-03-02")


async def test_the_one_row_that_a_query_names_is_read_in_whatever_it_is_wrapped() -> None:
    menu = {"type": "object", "title": "Menu", "properties": {"menuId": TEXT, "name": TEXT}, "required": ["menuId"]}
    many = {"type": "array", "items": menu}
    shown = operation("get_menu_detail", "GET", "/menus/detail", many, query_menuId=TEXT)
    shown = shown.model_copy(update={"parameters": {**shown.parameters, "required": ["menuId"]}})
    opened = sandbox(operation("list_menus", "GET", "/menus", many), shown)
    wanted = (await call(opened, "list_menus")).value[2]
    assert (await call(opened, "get_menu_detail", menuId=wanted["menuId"])).value == [wanted]
    assert opened.resources.by_tool["get_menu_detail"].operation == "read"


async def test_rows_that_a_write_makes_up_name_the_row_it_was_about_in_any_spelling() -> None:
    entry = {"type": "object", "properties": {"product_id": TEXT, "kind": TEXT}, "required": ["product_id"]}
    opened = sandbox(
        operation("getProduct", "GET", "/products/{productId}", row(name=TEXT)),
        operation("listProducts", "GET", "/products", {"type": "array", "items": row(name=TEXT)}),
        operation(
            "openProduct", "POST", "/products/{productId}/open", {"type": "array", "minItems": 2, "items": entry}
        ),
    )
    key = next(iter(opened.state()["product"]))
    made = (await call(opened, "openProduct", productId=key)).value
    assert [each["product_id"] for each in made] == [key] * len(made)
    assert made


async def test_an_update_time_within_the_data_of_a_row_is_moved() -> None:
    data = {"type": "object", "properties": {"name": TEXT, "updated_at": {**TEXT, "format": "date-time"}}}
    data = {**data, "required": ["name", "updated_at"]}
    opened = sandbox(
        operation("getBudget", "GET", "/budgets/{budgetId}", row(attributes=data)),
        operation("updateBudget", "PATCH", "/budgets/{budgetId}", row(attributes=data), attributes=data),
    )
    key, before = next(iter(opened.state()["budget"].items()))
    made = (await call(opened, "updateBudget", budgetId=key, attributes={**before["attributes"], "name": "Food"})).value
    assert made["attributes"]["updated_at"].startswith("2026-03-02")
