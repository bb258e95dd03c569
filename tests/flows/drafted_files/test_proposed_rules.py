"""Rules that a model proposes from prose: kept where they parse, run, and agree with examples; else left out by name."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from interplay.flows.drafted_files.proposed_rules import overrides_text, propose, read_examples
from interplay.flows.worlds.assembly import open_world
from interplay.generators.environments.policy.rule_proposals import Example, Proposal
from interplay.schemas.errors import ConfigError
from interplay.schemas.json.validation import is_valid
from interplay.schemas.records.chat import ChatReply, ChatRequest

PROSE = "Pay only what is open. Ask before every payment. At most two payments in a dialogue."


def world() -> Any:
    return open_world(["domain:clinic"])


def invoice(status: str) -> str:
    rows = world().environment.state()["invoices"].values()
    return next(row["invoice_id"] for row in rows if row["status"] == status)


def rule(**changes: Any) -> dict[str, Any]:
    examples = [
        {
            "tool": "pay_invoice",
            "arguments": json.dumps({"invoice_id": invoice(status), "method": "card"}),
            "allowed": allowed,
        }
        for status, allowed in (("open", True), ("paid", False))
    ]
    plain = {"id": "open_only", "kind": "only_if", "text": "Pay only what is open.", "reason": "It is paid already.",
             "tools": ["pay_invoice"], "when": '{"row.status": "open"}', "after": [], "at_most": None}  # fmt: skip
    return {**plain, "examples": examples, **changes}


class Model:
    """A composer that proposes these rules."""

    def __init__(self, *rules: dict[str, Any]) -> None:
        self.rules, self.asked = rules, list[ChatRequest]()

    async def complete(self, request: ChatRequest) -> ChatReply:
        assert request.output is not None
        assert is_valid({"rules": list(self.rules)}, request.output.json_schema)
        self.asked.append(request)
        return ChatReply(value={"rules": list(self.rules)})


def proposed(*rules: dict[str, Any], examples: tuple[Example, ...] = ()) -> Proposal:
    return asyncio.run(propose(world(), PROSE, Model(*rules), examples))


def test_keeps_rules_that_hold_what_they_say() -> None:
    ask = rule(id="ask_first", kind="confirm_before", when="{}", examples=[])
    twice = rule(id="twice_at_most", kind="limit", when="{}", at_most=2, examples=[])
    made = proposed(rule(), ask, twice)
    assert [kept.id for kept in made.rules] == ["open_only", "ask_first", "twice_at_most"]
    assert made.left_out == ()


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"when": "{not json"}, "does not parse"),
        ({"tools": ["fly"]}, "no such tool"),
        ({"when": '{"argument.colour": "red"}'}, "colour"),
        ({"when": '{"row.status": "paid"}'}, "forbids what is allowed"),
        ({"when": '{"row.amount": {"min": 0}}'}, "allows what it should forbid"),
        ({"when": "{}"}, "needs a condition"),
        ({"examples": []}, "without an example on either side"),
        ({"kind": "limit", "when": "{}"}, "needs the number"),
    ],
)
def test_leaves_out_what_does_not_hold_with_the_reason(changes: dict[str, Any], why: str) -> None:
    made = proposed(rule(**changes))
    assert made.rules == ()
    assert why in made.left_out[0][1]


def test_agrees_with_the_examples_that_are_given(tmp_path: Path) -> None:
    path = tmp_path / "calls.json"
    call = {"tool": "pay_invoice", "arguments": {"invoice_id": invoice("paid"), "method": "card"}, "allowed": True}
    path.write_text(json.dumps([call]))
    made = proposed(rule(), examples=read_examples(path))
    assert "forbids what is allowed" in made.left_out[0][1]
    path.write_text('{"tool": 1}')
    with pytest.raises(ConfigError, match="no list of calls"):
        read_examples(path)


def test_what_is_written_is_read_as_overrides() -> None:
    text = overrides_text(proposed(rule(), rule(id="other", tools=["fly"])))
    assert yaml.safe_load(text)["rules"][0]["when"] == {"row.status": "open"}
    assert "# left out: other" in text


def test_tells_the_model_of_policy_tools_and_rows() -> None:
    model = Model(rule())
    asyncio.run(propose(world(), PROSE, model))
    told = json.loads(model.asked[0].messages[1].content)
    assert told["policy"] == PROSE
    assert "pay_invoice" in [tool["name"] for tool in told["tools"]]
    assert told["rows"]["invoice"]
