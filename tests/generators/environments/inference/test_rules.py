"""Every row of the tables is shown by an example that it decides, and no row before it."""

import pytest
from tests.generators.environments.inference.examples import toolset_of

from interplay.generators.environments.inference.resources.plan_inference import infer_plan, prepared
from interplay.generators.environments.inference.roles.classification import RESULT_RULES, classified
from interplay.generators.environments.inference.roles.name_rules import OPERATION_RULES, RESOURCE_RULES
from interplay.generators.environments.inference.roles.path_rules import PATH_RULES
from interplay.generators.environments.inference.roles.rpc_rules import RPC_RULES, with_functions
from interplay.generators.environments.inference.roles.rules import Rule

ROLES = (*PATH_RULES, *OPERATION_RULES, *RESOURCE_RULES, *RPC_RULES, *RESULT_RULES)


def reasons(example: str) -> list[str]:
    tools, facts = prepared(toolset_of(example))
    plan = next(iter(with_functions(classified(tools, facts)).values()))
    return plan.why.replace(", but ", "; but ").split("; ")


@pytest.mark.parametrize("rule", ROLES, ids=lambda rule: rule.name)
def test_the_example_of_a_row_is_decided_by_it(rule: Rule) -> None:
    assert {rule.name, f"but {rule.name}"} & {*reasons(rule.example)}


@pytest.mark.parametrize("rules", [PATH_RULES, OPERATION_RULES, RESOURCE_RULES, RPC_RULES, RESULT_RULES])
def test_no_two_rows_of_a_table_have_one_name(rules: tuple[Rule, ...]) -> None:
    assert len({rule.name for rule in rules}) == len(rules)


def test_the_account_names_the_row_that_decided() -> None:
    plan = infer_plan(toolset_of("POST /orders/search (text) -> [order] | GET /orders/{id} -> order"))
    assert [tool.why for tool in plan.tools.values()] == ["a search", "a row by its identity"]
