from typing import Any

import pytest

from interplay.generators.environments.overrides.override_file import Authored
from interplay.generators.environments.policy.authored_policy import with_rules
from interplay.schemas.protocols import Policy, PolicyEvent
from interplay.schemas.records.dialogue import ToolCall, ToolResult
from interplay.schemas.records.override import AuthoredRule, Overrides
from interplay.schemas.records.tool import Resource, ResourceModel, Source, Tool, ToolRole, Toolset

ARGUMENTS = {"type": "object", "properties": {"order_id": {"type": "integer"}, "reason": {"type": "string"}}}
SHOP = Toolset(
    name="shop",
    tools=tuple(
        Tool(name=name, original_name=name, parameters=ARGUMENTS, effect=effect, source=Source(file="shop"))
        for name, effect in (("get_order", "read"), ("cancel_order", "write"), ("ship_order", "write"))
    ),
)
MODEL = ResourceModel(
    resources=(Resource(name="order", table="orders", identity="id"),),
    roles=tuple(
        ToolRole(
            tool=tool.name,
            operation="read" if tool.effect == "read" else "action",
            resource="order",
            references={"/order_id": "order"},
        )
        for tool in SHOP.tools
    ),
)
STATE = {"orders": {"7": {"id": 7, "status": "placed"}, "8": {"id": 8, "status": "shipped"}}}


def policy(**said: Any) -> Policy:
    rule = AuthoredRule(id="a_rule", text="A rule.", tools=("cancel_order",), **said)
    _, made = with_rules(SHOP, MODEL, Authored(Overrides(rules=(rule,), caution=False)), {})
    assert made is not None
    return made


def call(tool: str, order: int, **arguments: Any) -> ToolCall:
    return ToolCall(id="1", name=tool, arguments={"order_id": order, **arguments})


def broken(
    made: Policy, asked: ToolCall, *before: ToolCall, confirmed: bool = False, failed: bool = False
) -> list[str]:
    error = "404" if failed else None
    history = tuple(
        (past, ToolResult(call_id="0", value={"id": past.arguments["order_id"]}, error=error, text=""))
        for past in before
    )
    return [issue.code for issue in made.violations(PolicyEvent(asked, history, STATE, confirmed))]


@pytest.mark.parametrize("kind", ["only_if", "requires"])
def test_a_condition_must_hold(kind: Any) -> None:
    made = policy(kind=kind, when={"row.status": "placed"})
    assert broken(made, call("cancel_order", 7)) == []
    assert broken(made, call("cancel_order", 8)) == ["a_rule"]
    assert broken(made, call("ship_order", 8)) == []


@pytest.mark.parametrize("kind", ["forbids", "handover_when"])
def test_a_condition_must_not_hold(kind: Any) -> None:
    made = policy(kind=kind, when={"order.status": "shipped"})
    assert broken(made, call("cancel_order", 7)) == []
    assert broken(made, call("cancel_order", 8)) == ["a_rule"]


def test_requires_a_stated_reason() -> None:
    made = policy(kind="requires", when={"argument.reason": {"given": True}})
    assert broken(made, call("cancel_order", 7, reason="late")) == []
    assert broken(made, call("cancel_order", 7, reason="")) == ["a_rule"]


def test_asks_before() -> None:
    made = policy(kind="confirm_before", when={"row.status": "shipped"})
    assert made.confirms("cancel_order")
    assert not made.confirms("ship_order")
    assert broken(made, call("cancel_order", 8)) == ["a_rule"]
    assert broken(made, call("cancel_order", 8), confirmed=True) == []
    assert broken(made, call("cancel_order", 7)) == []


def test_counts_calls_that_succeeded() -> None:
    made = policy(kind="limit", at_most=1)
    assert broken(made, call("cancel_order", 7), call("cancel_order", 8)) == ["a_rule"]
    assert broken(made, call("cancel_order", 7), call("cancel_order", 8), failed=True) == []
    each = policy(kind="limit", at_most=1, argument="order_id")
    assert broken(each, call("cancel_order", 7), call("cancel_order", 8)) == []


def test_wants_the_identity_looked_up_first() -> None:
    made = policy(kind="identify_first", after=("get_order",), argument="order_id")
    assert broken(made, call("cancel_order", 7)) == ["a_rule"]
    assert broken(made, call("cancel_order", 7), call("get_order", 8)) == ["a_rule"]
    assert broken(made, call("cancel_order", 7), call("get_order", 7)) == []


def test_stands_beside_caution_and_replaces_its_question_where_it_asks_itself() -> None:
    rule = AuthoredRule(id="ask", kind="confirm_before", text="Ask first.", tools=("cancel_order",))
    toolset, made = with_rules(SHOP, MODEL, Authored(Overrides(rules=(rule,))), {})
    assert [(item.id, item.tools) for item in toolset.rules] == [("ask", ("cancel_order",))]  # to ship is not to order
    assert made is not None
    assert broken(made, call("cancel_order", 7)) == ["ask"]
    toolset, _ = with_rules(
        SHOP, MODEL, Authored(Overrides(rules=(rule.model_copy(update={"tools": ("ship_order",)}),))), {}
    )
    assert [item.id for item in toolset.rules] == ["confirm_before_removing", "ask"]
    assert toolset.policy.endswith("- Ask first.")


def test_caution_keeps_a_policy_that_is_there() -> None:
    toolset, _ = with_rules(SHOP.model_copy(update={"policy": "Be kind."}), MODEL, Authored(), {})
    assert toolset.policy.startswith("Be kind.\n\nBefore you delete")
