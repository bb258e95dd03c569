"""Every row of the tables is shown by an example that it decides, and no row before it."""

import pytest
from tests.generators.environments.inference.examples import toolset_of

from interplay.generators.environments.inference.plans import Plan
from interplay.generators.environments.inference.resources.identities import IDENTITY_RULES, RowsOfTools
from interplay.generators.environments.inference.resources.plan_inference import infer_plan, prepared
from interplay.generators.environments.inference.resources.references import (
    ARGUMENT_RULES,
    ROW_RULES,
    decided_arguments,
)
from interplay.generators.environments.inference.resources.resource_index import ResourceIndex
from interplay.generators.environments.inference.resources.row_fields import row_properties
from interplay.generators.environments.inference.roles.classification import RESULT_RULES, classified
from interplay.generators.environments.inference.roles.name_rules import OPERATION_RULES, RESOURCE_RULES
from interplay.generators.environments.inference.roles.path_rules import PATH_RULES
from interplay.generators.environments.inference.roles.rpc_rules import RPC_RULES, with_functions
from interplay.generators.environments.inference.roles.rule_table import Rule, first_rule

ROLES = (*PATH_RULES, *OPERATION_RULES, *RESOURCE_RULES, *RPC_RULES, *RESULT_RULES)

OF_ROWS = {rule.name for rule in ROW_RULES}


def reasons(example: str) -> list[str]:
    tools, facts = prepared(toolset_of(example))
    plan = next(iter(with_functions(classified(tools, facts)).values()))
    return plan.why.split("; ")


@pytest.mark.parametrize("rule", ROLES, ids=lambda rule: rule.name)
def test_the_example_of_a_row_is_decided_by_it(rule: Rule) -> None:
    assert rule.name in reasons(rule.example)


def of_first(example: str) -> tuple[Plan, str]:
    """Return the plan of an example, and the resource that its first call acts on."""
    plan = infer_plan(toolset_of(example))
    return plan, str(next(iter(plan.tools.values())).resource)


@pytest.mark.parametrize("rule", ROW_RULES, ids=lambda rule: rule.name)
def test_the_example_of_a_row_on_fields_is_decided_by_it(rule: Rule) -> None:
    plan, resource = of_first(rule.example)
    assert rule.name in plan.resources[resource].why.values()


@pytest.mark.parametrize(
    "rule", [rule for rule in ARGUMENT_RULES if rule.name not in OF_ROWS], ids=lambda rule: rule.name
)
def test_the_example_of_a_row_on_arguments_is_decided_by_it(rule: Rule) -> None:
    plan, _ = of_first(rule.example)
    words = {word: str(tool.resource) for tool in plan.tools.values() for word in tool.words}
    first = next(iter(plan.tools.values()))
    index = ResourceIndex(plan.resources, words)
    assert rule.name in {said.name for _, said in decided_arguments(first, plan.resources, index)}


@pytest.mark.parametrize("rule", IDENTITY_RULES, ids=lambda rule: rule.name)
def test_the_example_of_a_row_on_identities_is_decided_by_it(rule: Rule) -> None:
    plan, resource = of_first(rule.example)
    members = [tool for tool in plan.tools.values() if tool.resource == resource]
    said = first_rule(IDENTITY_RULES, RowsOfTools(resource, members, row_properties(members)))
    assert said is rule


@pytest.mark.parametrize(
    "rules",
    [ROW_RULES, ARGUMENT_RULES, IDENTITY_RULES, PATH_RULES, OPERATION_RULES, RESOURCE_RULES, RPC_RULES, RESULT_RULES],
)
def test_no_two_rows_of_a_table_have_one_name(rules: tuple[Rule, ...]) -> None:
    assert len({rule.name for rule in rules}) == len(rules)


def test_the_account_names_the_row_that_decided() -> None:
    plan = infer_plan(toolset_of("POST /orders/search (text) -> [order] | GET /orders/{id} -> order"))
    assert [tool.why for tool in plan.tools.values()] == ["a search", "a row by its identity"]
