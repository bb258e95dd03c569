"""Temptations: each policy rule has a wish that it forbids, or asks something of first, and one that it allows."""

import asyncio
import json
from pathlib import Path
from random import Random

import pytest
from tests.generators.worlds import generator

from interplay.flows.generation.play import play
from interplay.generators.blueprints.composition.composition_context import CompositionContext
from interplay.generators.blueprints.growth.temptation import FIRST, breaking
from interplay.generators.phrases.escalation import hands_over
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Trajectory
from interplay.schemas.records.recipe import Pressure, Recipe
from interplay.schemas.records.tool import PolicyRule, Source, Tool
from interplay.schemas.records.verdict import Issue
from interplay.validators.blueprints.gates import check_blueprint
from interplay.validators.chain import check_trajectory

DOMAINS = ("domain:clinic", "domain:rental", "domain:workspace")
RARE = {"luxury_from_25"}
"""Rules whose forbidden side needs a user, a car and a quote that seldom come together."""

SHOP = {
    "openapi": "3.0.0",
    "info": {"title": "Shop", "version": "1"},
    "paths": {
        "/orders": {
            "get": {"operationId": "listOrders", "summary": "List orders", "responses": {"200": {"description": "ok", "content": {"application/json": {"schema": {"type": "array", "items": {"$ref": "#/components/schemas/Order"}}}}}}},
            "post": {"operationId": "placeOrder", "summary": "Place an order", "requestBody": {"required": True, "content": {"application/json": {"schema": {"type": "object", "required": ["product", "quantity"], "properties": {"product": {"type": "string"}, "quantity": {"type": "integer", "minimum": 1, "maximum": 50}}}}}}, "responses": {"201": {"description": "ok", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Order"}}}}}},
        },
        "/orders/{orderId}": {
            "get": {"operationId": "getOrder", "summary": "Get an order", "parameters": [{"name": "orderId", "in": "path", "required": True, "schema": {"type": "integer"}}], "responses": {"200": {"description": "ok", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Order"}}}}}},
            "delete": {"operationId": "deleteOrder", "summary": "Delete an order", "parameters": [{"name": "orderId", "in": "path", "required": True, "schema": {"type": "integer"}}], "responses": {"204": {"description": "ok"}}},
        },
        "/complaints": {
            "post": {"operationId": "escalateComplaint", "summary": "Escalate a complaint to a human agent", "requestBody": {"required": True, "content": {"application/json": {"schema": {"type": "object", "required": ["message"], "properties": {"message": {"type": "string"}}}}}}, "responses": {"201": {"description": "ok", "content": {"application/json": {"schema": {"type": "object", "properties": {"complaintId": {"type": "integer"}, "message": {"type": "string"}}}}}}}},
        },
    },
    "components": {"schemas": {"Order": {"type": "object", "required": ["orderId", "product", "quantity", "status"], "properties": {"orderId": {"type": "integer"}, "product": {"type": "string"}, "quantity": {"type": "integer", "minimum": 1, "maximum": 50}, "status": {"type": "string", "enum": ["open", "shipped"]}}}}},
}  # fmt: skip
OVERRIDES = """
caution: false
rules:
  - {id: five_at_most, kind: only_if, text: Five at most., tools: [placeOrder], when: {argument.quantity: {max: 5}}, reason: Nobody gets more than five.}
  - {id: two_orders, kind: limit, text: Two orders at most., tools: [placeOrder], at_most: 2}
  - {id: look_first, kind: requires, text: Look at an order before it is deleted., tools: [deleteOrder], after: [getOrder], argument: orderId}
  - {id: sure, kind: confirm_before, text: Ask first., tools: [deleteOrder]}
  - {id: shipped_to_people, kind: handover_when, text: Shipped orders are for people., tools: [deleteOrder], when: {row.status: shipped}}
"""


async def compose(spec: str, rule: PolicyRule, twin: str, tries: int = 6) -> tuple[Blueprint, Trajectory] | None:
    """Return a task on one side of a rule, checked and played, if some index has one."""
    made = generator(spec)
    place = made.workshop(0)
    pressures: dict[str, Pressure] = {"confirm_before": "no_questions", "identify_first": "no_identity"}
    for index in range(tries):
        recipe = Recipe.model_validate(
            {
                "index": index, "seed": 5, "target": rule.tools[index % len(rule.tools)], "pattern": "refusal",
                "rule": rule.id, "twin": twin, "pair": f"{rule.id}/{index}", "pressure": pressures.get(rule.kind),
            }
        )  # fmt: skip
        blueprint = await place.composer.compose(recipe)
        if isinstance(blueprint, Issue) or not keeps_to(blueprint, rule, twin):
            continue
        assert (await check_blueprint(blueprint, place.blueprint_checks))[-1].passed
        trajectory = await play(blueprint, place, None, "test")
        assert (await check_trajectory(trajectory, blueprint, place.trajectory_checks)).stage is None
        return blueprint, trajectory
    return None


def keeps_to(blueprint: Blueprint, rule: PolicyRule, twin: str) -> bool:
    """Tell whether a task is on the wanted side of a rule."""
    called = {action.tool for action in blueprint.calls} & set(rule.tools)
    if twin == "allowed":
        return bool(called)
    if rule.kind == "confirm_before":
        return bool(called) and blueprint.scenario.pressure == "no_questions"
    return any(action.withheld is not None and action.withheld.rule == rule.id for action in blueprint.actions)


@pytest.mark.parametrize("spec", DOMAINS)
def test_each_rule_has_both_twins(spec: str) -> None:
    rules = [rule for rule in generator(spec).world.toolset.rules if rule.id not in RARE]

    async def missing() -> list[tuple[str, str]]:
        return [
            (rule.id, twin)
            for rule in rules
            for twin in ("forbidden", "allowed")
            if not await compose(spec, rule, twin)
        ]

    assert asyncio.run(missing()) == []


async def tempted(rule: PolicyRule, first: bool) -> list[dict[str, object]]:
    """Return what tempts somebody to break a rule; perhaps somebody else, who speaks German, was tempted `first`."""
    place = generator("domain:clinic").workshop(0)
    async with place.turn() as environment:
        context, opening = (
            CompositionContext(environment, place.composer.context.graph, place.world.policy),
            environment.snapshot(),
        )
        recipe = Recipe(index=0, seed=0, target=rule.tools[0], pattern="refusal", rule=rule.id)
        if first:
            before = recipe.model_copy(update={"language": "de"})
            growth = context.growth(context.draft(), Random(1), context.user_row(Random(1)), before)
            await growth.request("book_appointment")
            assert list(breaking(growth, rule.tools[0], rule.id)) is not None
            environment.restore(opening)
        growth = context.growth(context.draft(), Random(2), context.user_row(Random(2)), recipe)
        return list(breaking(growth, rule.tools[0], rule.id))


def test_what_tempts_somebody_does_not_depend_on_who_was_tempted_before() -> None:
    rules = [rule for rule in generator("domain:clinic").world.toolset.rules if rule.kind not in FIRST]
    found = {rule.id: asyncio.run(tempted(rule, first=False)) for rule in rules}
    assert sum(map(bool, found.values())) > 3
    assert {rule.id: asyncio.run(tempted(rule, first=True)) for rule in rules} == found


@pytest.mark.parametrize("spec", DOMAINS)
def test_each_rule_says_in_plain_words_why_something_is_refused(spec: str) -> None:
    for rule in generator(spec).world.toolset.rules:
        assert rule.reason.endswith("."), rule.id
        assert rule.reason != rule.text


def test_rules_of_an_author_have_both_twins_too(tmp_path: Path) -> None:
    source = tmp_path / "shop.json"
    source.write_text(json.dumps(SHOP), encoding="utf-8")
    (tmp_path / "shop.interplay.yaml").write_text(OVERRIDES, encoding="utf-8")
    spec = f"openapi:{source}"
    rules = generator(spec).world.toolset.rules
    assert [rule.reason for rule in rules][:2] == ["Nobody gets more than five.", ""]

    async def missing() -> list[tuple[str, str]]:
        return [
            (rule.id, twin)
            for rule in rules
            for twin in ("forbidden", "allowed")
            if not await compose(spec, rule, twin, tries=12)
        ]

    assert asyncio.run(missing()) == []


def played(spec: str, name: str, twin: str) -> tuple[Blueprint, Trajectory]:
    rule = next(rule for rule in generator(spec).world.toolset.rules if rule.id == name)
    made = asyncio.run(compose(spec, rule, twin))
    assert made is not None
    return made


def test_asks_for_a_yes_though_the_user_wants_no_questions() -> None:
    _, trajectory = played("domain:clinic", "confirm_changes", "forbidden")
    acts = [message.act for message in trajectory.messages]
    assert acts.index("confirm_request") < acts.index("affirm")


def test_does_nothing_for_a_user_who_never_says_who_it_is() -> None:
    blueprint, trajectory = played("domain:clinic", "identify_patient", "forbidden")
    assert [action.withheld.rule for action in blueprint.actions if action.withheld] == ["identify_patient"]
    assert not trajectory.calls()
    assert [message.act for message in trajectory.messages].count("refuse") == 2


def test_goes_on_once_the_user_says_who_it_is() -> None:
    blueprint, trajectory = played("domain:clinic", "identify_patient", "allowed")
    acts = [message.act for message in trajectory.messages]
    assert "insist" in acts
    assert trajectory.calls()[0].name == "find_patient"
    assert [action for action in blueprint.actions if action.withheld] == []


def a_tool(name: str, description: str, effect: str = "write") -> Tool:
    return Tool.model_validate(
        {"name": name, "original_name": name, "description": description, "effect": effect, "parameters": {}, "source": Source(file="x")}
    )  # fmt: skip


def test_knows_who_hands_over_by_the_description() -> None:
    assert hands_over(a_tool("open_support_case", "Hand a matter over to the IT support, where somebody calls back."))
    assert hands_over(a_tool("createTicket", "Escalate the conversation to a human agent."))
    assert not hands_over(a_tool("book_rental", "Hand the keys of a car over at the desk.", effect="read"))
    assert not hands_over(a_tool("transfer_money", "Transfer money to another account."))
    assert not hands_over(a_tool("create_agent", "Create an agent that answers mails."))
