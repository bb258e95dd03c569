"""What was just made is at its beginning."""

import asyncio
from typing import Any

import pytest

from interplay.generators.environments.inference.plans import ResourcePlan
from interplay.generators.environments.rows.clock import creation_time
from interplay.generators.environments.rows.initial_fields import in_first_status, later_statuses
from interplay.generators.environments.sandbox.sandbox import Sandbox
from interplay.schemas.records.dialogue import ToolCall
from interplay.schemas.records.tool import HttpBinding, Source, Tool, Toolset

ORDER: dict[str, Any] = {
    "type": "object",
    "properties": {
        "id": {"type": "string"},
        "status": {"type": "string", "enum": ["shipped", "cancelled", "pending"]},
        "cancelled_at": {"type": "string", "format": "date-time"},
        "paid": {"type": "boolean"},
        "email": {"type": "string"},
    },
}


def test_takes_the_first_status_and_no_end() -> None:
    row = {"id": "1", "status": "cancelled", "cancelled_at": "2026-03-01T10:00:00Z", "paid": True, "email": "a@b.c"}
    begun = in_first_status(ResourcePlan("order", ORDER, "id"), row, creation_time(3))
    assert begun == {"id": "1", "status": "pending", "paid": False, "email": "a@b.c"}


def test_leaves_a_status_whose_beginning_is_unknown() -> None:
    schema = {"properties": {"state": {"type": "string", "enum": ["red", "green"]}}}
    assert in_first_status(ResourcePlan("lamp", schema), {"state": "red"}, creation_time(0)) == {"state": "red"}


def test_was_made_now() -> None:
    moment = {"type": "string", "format": "date-time"}
    fields = {
        "createdAt": moment,
        "updated": {"type": "integer"},
        "created_by": {"type": "string"},
        "starts_at": moment,
    }
    row = {"createdAt": "2025-06-14T10:00:00Z", "updated": 3, "created_by": "Nora", "starts_at": "2026-06-14T10:00:00Z"}
    schema = {"properties": {**fields, "attributes": {"type": "object", "properties": fields}}}
    now = {**row, "createdAt": "2026-03-02T12:03:00Z"}
    begun = in_first_status(ResourcePlan("visit", schema), {**row, "attributes": row}, creation_time(3))
    assert begun == {**now, "attributes": now}


@pytest.mark.parametrize(("about", "is_now"), [({}, True), ({"userId": "U7"}, False)])
def test_what_is_told_of_it_in_a_part_was_made_now_and_what_is_of_another_was_not(
    about: dict[str, str], is_now: bool
) -> None:
    moment = {"type": "string", "format": "date-time"}
    fields = {"createdAt": moment, "userId": {"type": "string"}}
    schema = {"properties": {"metadata": {"type": "object", "properties": fields}}}
    part = {"createdAt": "2025-06-14T10:00:00Z", **about}
    begun = in_first_status(ResourcePlan("visit", schema), {"metadata": part}, creation_time(3))
    assert begun == {"metadata": {**part, "createdAt": "2026-03-02T12:03:00Z"} if is_now else part}


def test_nothing_has_happened_to_it_yet() -> None:
    schema = {
        "properties": {"last_seen_at": {"type": "string"}, "clicks": {"type": "integer"}, "seats": {"type": "integer"}}
    }
    row = {"last_seen_at": "2025-06-14T10:00:00Z", "clicks": 31, "seats": 4}
    assert in_first_status(ResourcePlan("hall", schema), row, creation_time(0)) == {"clicks": 0, "seats": 4}


def test_nobody_has_rated_it_yet() -> None:
    number, count = {"type": "number"}, {"type": "integer"}
    stats = {"type": "object", "properties": {"average": number, "count": count}}
    fields = {"ratings": stats, "average_score": number, "maker": {"type": "object"}}
    row = {"ratings": {"average": 4.2, "count": 19}, "average_score": 3.9, "maker": {"id": "7", "views": 5}}
    begun = in_first_status(ResourcePlan("note", {"properties": fields}), row, creation_time(3))
    assert begun == {**row, "ratings": {"average": 0, "count": 0}, "average_score": 0}


def test_a_new_thing_is_in_use() -> None:
    flag = {"type": "boolean"}
    schema = {"properties": {"is_active": flag, "closed": flag, "is_large": flag}}
    begun = in_first_status(
        ResourcePlan("hall", schema), {"is_active": False, "closed": True, "is_large": False}, creation_time(0)
    )
    assert begun == {"is_active": True, "closed": False, "is_large": False}


def tool(name: str, method: str, path: str, properties: dict[str, Any]) -> Tool:
    """Return a tool of a small shop."""
    places = {key: "path" if f"{{{key}}}" in path else "body" for key in properties}
    return Tool(
        name=name, original_name=name, returns=ORDER, effect="read" if method == "GET" else "write",
        parameters={"type": "object", "properties": properties}, source=Source(file="shop"),
        http=HttpBinding.model_validate({"method": method, "path": path, "locations": places}),
    )  # fmt: skip


def test_a_switch_is_no_value_of_a_field_with_its_name() -> None:
    key = {"orderId": {"type": "string"}}
    shop = Sandbox(
        Toolset(
            name="shop",
            tools=(
                tool("create_order", "POST", "/orders", {"email": {"type": "string"}}),
                tool("get_order", "GET", "/orders/{orderId}", key),
                tool("cancel_order", "POST", "/orders/{orderId}/cancel", {**key, "email": {"type": "boolean"}}),
            ),
        )
    )

    async def play() -> list[Any]:
        made = await shop.call(ToolCall(id="c1", name="create_order", arguments={"email": "a@b.c"}))
        place = {"orderId": made.value["id"]}
        await shop.call(ToolCall(id="c2", name="cancel_order", arguments={**place, "email": True}))
        return [made.value, (await shop.call(ToolCall(id="c3", name="get_order", arguments=place))).value]

    made, after = asyncio.run(play())
    assert (made["status"], made["email"]) == ("pending", "a@b.c")
    assert (after["status"], after["email"]) == ("cancelled", "a@b.c")


def test_nothing_has_happened_to_it_before_it_was_made() -> None:
    moment = {"type": "string", "format": "date-time"}
    nullable = {"type": ["string", "null"], "format": "date-time"}
    fields = {"created_at": moment, "assigned_at": moment, "deleted_at": nullable, "starts_at": moment}
    schema = {"type": "object", "properties": fields, "required": [*fields]}
    row = dict.fromkeys(fields, "2025-11-02T10:00:00Z")
    begun = in_first_status(ResourcePlan("shift", schema), row, creation_time(0))
    now = "2026-03-02T12:00:00Z"
    assert begun == {**row, "created_at": now, "assigned_at": now, "deleted_at": None}


@pytest.mark.parametrize(
    ("options", "state", "later"),
    [
        (["pending", "ready", "delivered", "cancelled"], "ready", ["delivered", "cancelled"]),
        (["confirmed", "ready", "delivered", "cancelled"], "delivered", ["cancelled"]),
        (["confirmed", "ready", "delivered", "cancelled"], "refunded", []),
        (["confirmed", "ready", "delivered", "cancelled"], "draft", None),
        (["active", "inactive", "suspended"], "suspended", None),
        (["red", "green", "blue"], "green", None),
        (["open", "closed"], "closed", None),
    ],
)
def test_things_go_on_in_the_order_of_their_states(options: list[str], state: str, later: list[str] | None) -> None:
    assert later_statuses({"type": "string", "enum": options}, state) == later


def test_a_time_as_databases_print_it_is_that_of_the_making() -> None:
    text = {"type": "string"}
    schema = {"type": "object", "properties": {"creationDate": text, "name": text}}
    row = {"creationDate": "2025-05-09 17:30:00", "name": "Thermostat"}
    begun = in_first_status(ResourcePlan("device", schema), row, creation_time(3))
    assert begun == {**row, "creationDate": "2026-03-02 12:03:00"}


def test_what_comes_to_a_thing_later_is_not_there_yet() -> None:
    lists = {name: {"type": "array"} for name in ("comments", "invites", "lines")} | {
        "visits": {"type": "array", "minItems": 1}
    }
    moment = "2025-06-14T10:00:00Z"
    row = {
        "comments": [{"text": "Done", "created_at": moment}],
        "invites": [{"code": "A1", "uses": 3}],
        "lines": [{"product": "P1", "quantity": 2}],
        "visits": [{"visited_at": moment}],
    }
    begun = in_first_status(ResourcePlan("project", {"properties": lists}), row, creation_time(0))
    assert begun == {**row, "comments": [], "invites": []}
