"""Tasks that a model invents: run and proven like all others, or sent back with what is wrong."""

import asyncio
import json
from typing import Any

import pytest
from tests.generators.worlds import generator

from interplay.generators.blueprints.recipes.index_recipe import make_recipe
from interplay.generators.blueprints.recipes.recipe_settings import RecipeSettings
from interplay.schemas.json.validation import is_valid
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.chat import ChatRequest
from interplay.schemas.records.recipe import Recipe
from interplay.schemas.records.verdict import Issue
from interplay.validators.blueprints.gates import check_blueprint

CLINIC = "domain:clinic"


def recipe(target: str, **changes: Any) -> Recipe:
    made = generator(CLINIC)
    plain = make_recipe(made.tasks.targets, RecipeSettings(evolved=0.0), 3, 5)
    return plain.model_copy(
        update={"target": target, "pattern": "single", "tool_changes": False, "written": True, **changes}
    )


def shown(request: ChatRequest) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(request.messages[1].content)
    return told


def goal(wish: str, tool: str, **arguments: Any) -> dict[str, Any]:
    return {"wish": wish, "tool": tool, "arguments": json.dumps(arguments)}


def taken(wanted: Recipe, *goals: dict[str, Any]) -> tuple[Blueprint, ChatRequest] | Issue:
    answer = {"situation": "Somebody is ill.", "goals": list(goals)}
    request = generator(CLINIC).workshop(0).composer.ask_for_task(wanted)
    assert request.output is not None
    assert is_valid(answer, request.output.json_schema)
    return asyncio.run(generator(CLINIC).workshop(0).composer.take_task(wanted, answer))


def open_invoice(wanted: Recipe) -> dict[str, Any]:
    """Return an open, small invoice of the one who the user is."""
    made = generator(CLINIC)
    me = shown(made.workshop(0).composer.ask_for_task(wanted))["person"]["is"]["patient_id"]
    rows = made.workshop(0).world.environment.state()["invoices"].values()
    return next(row for row in rows if row["patient_id"] == me and row["status"] == "open" and row["amount"] <= 300)


def payer() -> tuple[Recipe, dict[str, Any]]:
    """Return a recipe whose user has an invoice to pay, with the invoice."""
    for index in range(60):
        wanted = recipe("pay_invoice", index=index)
        try:
            return wanted, open_invoice(wanted)
        except StopIteration:
            continue
    raise AssertionError("nobody has an open invoice")


def test_tells_the_model_of_tools_rows_policy_and_person_and_of_no_private_field() -> None:
    wanted = recipe("pay_invoice", inspiration="a bill in the post")
    told = shown(generator(CLINIC).workshop(0).composer.ask_for_task(wanted))
    assert told["tools"][0]["name"] == "pay_invoice"
    assert {"list_invoices", "get_invoice"} <= {tool["name"] for tool in told["tools"]}
    assert told["task"] == {"uses": "pay_invoice", "goals": wanted.goals, "inspired_by": "a bill in the post"}
    assert "large_invoices_to_reception" in told["policy"]
    me = told["person"]["is"]["patient_id"]
    assert all(json.loads(row)["patient_id"] == me for row in told["rows"]["invoice"])


def test_what_a_model_invents_becomes_a_task_with_its_look_ups_that_passes_all_gates() -> None:
    wanted, invoice = payer()
    made = taken(
        wanted,
        goal("settle the bill that came last week", "pay_invoice", invoice_id=invoice["invoice_id"], method="card"),
    )
    assert not isinstance(made, Issue), made
    blueprint, asked = made
    assert next(action.tool for action in blueprint.actions) == "find_patient"
    assert blueprint.actions[-1].arguments["invoice_id"] == invoice["invoice_id"]
    assert blueprint.goals[0].intent == "settle the bill that came last week"
    assert blueprint.lineage.operator == "write"
    gates = asyncio.run(check_blueprint(blueprint, generator(CLINIC).workshop(0).blueprint_checks))
    assert gates[-1].passed
    assert "settle the bill" in asked.messages[1].content


def test_takes_what_an_earlier_goal_brings_forth() -> None:
    wanted, invoice = payer()
    made = taken(
        wanted,
        goal("look at my bill", "get_invoice", invoice_id=invoice["invoice_id"]),
        goal("pay it", "pay_invoice", invoice_id="<1:/invoice_id>", method="card"),
    )
    assert not isinstance(made, Issue), made
    assert made[0].actions[-1].arguments["invoice_id"] == invoice["invoice_id"]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"tool": "fly_away"}, "is no tool that was given"),
        ({"arguments": "not json"}, "no JSON object"),
        ({"arguments": '{"method": "card"}'}, "do not fit pay_invoice"),
        ({"arguments": '{"invoice_id": "I-9999", "method": "card"}'}, ""),
        ({"wish": "call pay_invoice now"}, "names a tool"),
        ({"arguments": '{"invoice_id": "<4:/x>", "method": "card"}'}, "nothing was brought forth"),
    ],
)
def test_sends_back_what_will_not_do_with_the_reason(change: dict[str, str], told: str) -> None:
    wanted, invoice = payer()
    plain = goal("pay my bill", "pay_invoice", invoice_id=invoice["invoice_id"], method="card")
    made = taken(wanted, plain | change)
    assert isinstance(made, Issue)
    assert told in made.message
    again = generator(CLINIC).workshop(0).composer.ask_for_task(wanted, [("{}", made.message)])
    assert made.message in again.messages[-1].content


def test_a_forbidden_wish_must_be_forbidden() -> None:
    wanted, invoice = payer()
    against = wanted.model_copy(update={"twin": "forbidden", "rule": "pay_only_open"})
    made = taken(against, goal("pay my bill", "pay_invoice", invoice_id=invoice["invoice_id"], method="card"))
    assert isinstance(made, Issue)
    assert "No goal is forbidden" in made.message


def test_leaves_the_environment_as_it_was() -> None:
    wanted, invoice = payer()
    before = generator(CLINIC).workshop(0).world.environment.digest()
    taken(wanted, goal("pay my bill", "pay_invoice", invoice_id=invoice["invoice_id"], method="card"))
    assert generator(CLINIC).workshop(0).world.environment.digest() == before
