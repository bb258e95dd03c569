"""Rules in words of pseudo-code, and the branch that a call takes which breaks one."""

import asyncio
from pathlib import Path

import pytest
from tests.generators.worlds import shared_spec

from interplay.flows.generation.generator import Generator
from interplay.flows.settings.config import RunConfig
from interplay.flows.worlds.assembly import open_graph, open_world
from interplay.generators.blueprints.recipes.recipe_settings import RecipeSettings
from interplay.generators.environments.policy.authored_policy import branch_of, branches, in_words
from interplay.outputs.store.task_coverage import covered_by
from interplay.schemas.records.override import AuthoredRule
from interplay.schemas.records.tool import RuleKind

SHIPPED = {"row.status": {"in": ["shipped", "delivered"]}}


def rule(kind: RuleKind, when: dict[str, object], after: tuple[str, ...] = ()) -> AuthoredRule:
    return AuthoredRule(id="r", kind=kind, text="T.", tools=("cancel",), when=when, after=after)


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        (SHIPPED, "row.status is one of shipped, delivered"),
        ({"row.total": {"min": 10, "max": 20}}, "row.total is at least 10 and row.total is at most 20"),
        ({"argument.reason": {"given": False}}, "argument.reason is not given"),
        ({"not": {"row.open": True}}, "not (row.open is true)"),
        ({"any": [SHIPPED, {"row.paid": True}]}, "(row.status is one of shipped, delivered or row.paid is true)"),
        ({}, "always"),
    ],
)
def test_says_a_condition(condition: dict[str, object], said: str) -> None:
    assert in_words(condition) == said


def test_each_alternative_of_what_is_forbidden_is_a_branch() -> None:
    both = rule("forbids", {"any": [SHIPPED, {"row.paid": True}], "argument.force": False})
    assert branches(both) == (
        "refuse if row.status is one of shipped, delivered and argument.force is false",
        "refuse if row.paid is true and argument.force is false",
    )
    argument = {"force": False}
    assert branch_of(both, {"argument": argument, "row": {"status": "shipped", "paid": True}}) == 0
    assert branch_of(both, {"argument": argument, "row": {"status": "open", "paid": True}}) == 1


def test_each_part_of_what_must_hold_is_a_branch() -> None:
    only = rule("only_if", {"row.status": "open", "all": [{"row.paid": True}]}, after=("check",))
    assert branches(only) == (
        "refuse unless row.status is open", "refuse unless row.paid is true", "refuse unless after check",
    )  # fmt: skip
    rows = ({"status": "shut", "paid": True}, {"status": "open", "paid": False}, {"status": "open", "paid": True})
    assert [branch_of(only, {"row": row}) for row in rows] == [0, 1, 2]


def test_asking_first_and_counting_have_no_branches() -> None:
    assert branches(rule("confirm_before", {"row.paid": True})) == branches(rule("limit", {})) == ()


def test_temptations_cover_all_branches_of_rules(tmp_path: Path) -> None:
    (tmp_path / "rules.yaml").write_text(RULES)
    spec = f"{shared_spec('train_travel.yaml')}?overrides={tmp_path / 'rules.yaml'}"
    world = open_world([spec])
    config = RunConfig(toolset=(spec,), recipes=RecipeSettings(patterns={"refusal": 1.0}))
    made = Generator(config, world, asyncio.run(open_graph(world)), "run")
    found: set[tuple[str, str]] = set()
    for index in range(120):
        record = asyncio.run(made.make_record(index))
        if record.status == "accepted" and record.blueprint is not None:
            found |= set(covered_by(record.blueprint))
    wanted = {("branch", f"{rule.id}: {branch}") for rule in world.toolset.rules for branch in rule.branches}
    assert len(wanted) == 4
    assert wanted <= found


RULES = """
rules:
  - id: no_dogs_or_bicycles
    kind: forbids
    text: Neither dogs nor bicycles are taken along.
    tools: [create-booking]
    when: {any: [{argument.has_dog: true}, {argument.has_bicycle: true}]}
  - id: small_payments
    kind: only_if
    text: Payments are of at most 500, in pounds or euros.
    tools: [create-booking-payment]
    when: {argument.amount: {max: 500}, argument.currency: {in: [gbp, eur]}}
"""
