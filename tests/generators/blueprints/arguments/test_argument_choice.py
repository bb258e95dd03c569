"""What the calls of a small shop are given: new rows are of today and have a new name, and lists are narrowed at once."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.generators.worlds import records

from interplay.schemas.records.blueprint import Blueprint

TEXT = {"type": "string"}
DAY = {"type": "string", "format": "date"}


def _answer(schema: dict[str, Any]) -> dict[str, Any]:
    return {"responses": {"200": {"description": "", "content": {"application/json": {"schema": schema}}}}}


def _row(**fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"id": TEXT, **fields}, "required": ["id", *fields]}


def _body(**fields: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": fields, "required": [*fields]}
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}


@pytest.fixture(scope="module")
def tasks(tmp_path_factory: pytest.TempPathFactory) -> list[Blueprint]:
    order = _row(orderDate=DAY, address=TEXT)
    tour = _row(name=TEXT, year={"type": "integer"})
    message = _row(text=TEXT, author=TEXT, sent_at={"type": "string", "format": "date-time"})
    year = {"name": "year", "in": "path", "required": True, "schema": {"type": "integer"}}
    payment = _row(amount={"type": "integer"}, paidOn=DAY)
    span = [{"name": name, "in": "query", "required": True, "schema": DAY} for name in ("from", "to")]
    paths = {
        "/orders": {"post": {"summary": "Place an order", **_body(orderDate=DAY, address=TEXT), **_answer(order)}},
        "/tours": {
            "get": {"summary": "List tours", **_answer({"type": "array", "items": tour})},
            "post": {"summary": "Add a tour", **_body(name=TEXT), **_answer(tour)},
        },
        "/tours/year/{year}": {
            "get": {
                "summary": "Get tours by year",
                "parameters": [year],
                **_answer({"type": "array", "items": tour}),
            }
        },
        "/payments": {
            "get": {"summary": "List payments", "parameters": span, **_answer({"type": "array", "items": payment})}
        },
        "/messages": {"get": {"summary": "List messages", **_answer({"type": "array", "items": message})}},
    }
    path = tmp_path_factory.mktemp("shop") / "shop.json"
    path.write_text(json.dumps({"openapi": "3.0.3", "info": {"title": "shop", "version": "1"}, "paths": paths}))
    made = records(f"openapi:{Path(path)}", 120)
    return [record.blueprint for record in made if record.blueprint is not None and record.status == "accepted"]


def test_an_order_is_placed_today(tasks: list[Blueprint]) -> None:
    days = [call.arguments["orderDate"] for task in tasks for call in task.calls if "orderDate" in call.arguments]
    assert days
    assert {*days} == {"2026-03-02"}


def test_what_is_looked_up_in_a_span_of_days_is_not_looked_up_on_one_day(tasks: list[Blueprint]) -> None:
    spans = [
        (call.arguments["from"], call.arguments["to"])
        for task in tasks
        for call in task.calls
        if "from" in call.arguments
    ]
    assert spans
    assert all(first < last for first, last in spans)


def test_who_wants_only_some_of_a_list_says_so_at_once(tasks: list[Blueprint]) -> None:
    facts = [task.scenario.fact(str(call.origins["/year"].fact))
             for task in tasks for call in task.calls if call.tool == "get_tours_year_by_year"
             if call.origins["/year"].fact is not None]  # fmt: skip
    assert facts
    assert all(fact.reveal != "asked" for fact in facts)


def test_what_is_new_has_a_name_that_nothing_else_has(tasks: list[Blueprint]) -> None:
    named, there = set[tuple[str, str]](), set[tuple[str, str]]()
    for task in tasks:
        new = {(str(task.world), call.arguments["name"]) for call in task.calls if call.tool == "post_tours"}
        named |= new
        shown = [output for output in task.expected.outputs if not new and output.pointer[1:2].isdigit()]
        there |= {(str(task.world), str(output.value)) for output in shown if output.pointer.endswith("/name")}
    assert len(named) > 3
    assert len(there) > 3
    assert there.isdisjoint(named)


def test_a_message_is_told_by_its_text(tasks: list[Blueprint]) -> None:
    asked = [
        pointer
        for task in tasks
        for goal in task.goals
        if goal.asks and goal.tool == "get_messages" and goal.intent.startswith("know which message ")
        for question in goal.asks_for
        for pointer in question.pointers
    ]
    assert any(pointer.endswith("/text") for pointer in asked)
    assert not any(pointer.endswith("/author") for pointer in asked)
