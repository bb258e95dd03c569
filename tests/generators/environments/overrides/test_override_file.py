import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.generators.environments.live.mcp_servers import SHELF, command
from tests.generators.environments.shop import ask, open_shop

from interplay.flows.generation.generator import Generator
from interplay.flows.settings.config import RunConfig
from interplay.flows.worlds.assembly import open_graph, open_world
from interplay.generators.blueprints.recipes.recipe_settings import RecipeSettings
from interplay.schemas.errors import ConfigError
from interplay.schemas.records.tool import SEARCH_TOOL

CUSTOMERS = [{"id": 1, "name": "Ada Moreau"}, {"id": 2, "name": "Lin Okafor"}]
ORDERS = [
    {"id": 7, "customer_id": 1, "status": "placed"},
    {"id": 8, "customer_id": 2, "status": "shipped", "quantity": 3},
]
SHOP: dict[str, Any] = {
    "resources": {
        "customer": {"seed_rows": CUSTOMERS, "rows": 3},
        "order": {"seed_rows": ORDERS, "rows": 5, "noun": "purchase"},
    },
    "tools": {
        "cancelOrder": {
            "operation": "action",
            "sets": {"status": "cancelled"},
            "errors": [{"when": {"row.status": "shipped"}, "error": "409 Conflict: the order has left the house."}],
        }
    },
}


def test_seed_rows_come_first_and_what_they_leave_open_is_filled_in(tmp_path: Path) -> None:
    world = open_shop(tmp_path, SHOP)
    tables = world.environment.state()
    assert list(tables["order"])[:2] == ["7", "8"]
    assert len(tables["order"]) == 7
    assert len(tables["customer"]) == 5
    assert tables["order"]["8"] == {**tables["order"]["8"], **ORDERS[1]}
    assert set(tables["order"]["7"]) >= {"quantity", "paid"}


def test_made_up_rows_refer_to_rows_that_are_there(tmp_path: Path) -> None:
    tables = open_shop(tmp_path, SHOP).environment.state()
    assert {str(row["customer_id"]) for row in tables["order"].values()} <= set(tables["customer"])


def test_without_a_count_seed_rows_are_all_there_is(tmp_path: Path) -> None:
    world = open_shop(tmp_path, {"resources": {"customer": {"seed_rows": CUSTOMERS}}})
    assert len(world.environment.state()["customer"]) == 2


def test_an_action_sets_what_the_author_says_and_fails_when_they_say(tmp_path: Path) -> None:
    world = open_shop(tmp_path, SHOP)
    refused = asyncio.run(ask(world, "cancelOrder", id=8))
    assert refused.error == "409 Conflict: the order has left the house."
    assert world.environment.changes() == ()
    assert asyncio.run(ask(world, "cancelOrder", id=7)).error is None
    assert world.environment.state()["order"]["7"]["status"] == "cancelled"


@pytest.mark.parametrize("ending", ["csv", "json", "yaml"])
def test_rows_come_from_a_file_beside_it(tmp_path: Path, ending: str) -> None:
    rows = {
        "csv": "id,name\n1,Ada Moreau\n2,Lin Okafor\n",
        "json": '[{"id": 1, "name": "Ada Moreau"}, {"id": 2, "name": "Lin Okafor"}]',
        "yaml": "- {id: 1, name: Ada Moreau}\n- {id: 2, name: Lin Okafor}\n",
    }
    (tmp_path / f"people.{ending}").write_text(rows[ending])
    world = open_shop(tmp_path, {"resources": {"customer": {"seed_rows": f"people.{ending}"}}})
    assert [dict(row) for row in world.environment.state()["customer"].values()] == CUSTOMERS


def test_renames_resources_everywhere(tmp_path: Path) -> None:
    world = open_shop(tmp_path, {"resources": {"order": {"name": "purchase", "noun": "purchase"}}})
    model = world.environment.resources
    assert {resource.name for resource in model.resources} >= {"purchase", "customer"}
    assert model.role("getOrder").references == {"/id": "purchase"}
    assert world.toolset.nouns == {"purchase": "purchase"}


def test_overrides_tools_and_texts(tmp_path: Path) -> None:
    said = {
        "name": "corner_shop",
        "licence": "CC0-1.0",
        "policy": "Be kind.",
        "user_resource": "customer",
        "exclude": ["path:/ping"],
        "tools": {
            "getCustomer": {"summary": "Look a customer up", "phrases": ["look up a customer"], "requestor": "user"},
            "listOrders": {"hidden": True},
        },
    }
    toolset = open_shop(tmp_path, said).toolset
    names = [tool.name for tool in toolset.tools if tool.name != SEARCH_TOOL]
    assert names == ["listCustomers", "getCustomer", "placeOrder", "getOrder", "cancelOrder"]
    tool = toolset.tool("getCustomer")
    assert (tool.summary, tool.phrases.wishes, tool.requestor) == (
        "Look a customer up",
        ("look up a customer",),
        "user",
    )
    assert (toolset.name, toolset.licence, toolset.user_resource) == ("corner_shop", "CC0-1.0", "customer")
    assert toolset.policy.startswith("Be kind.")
    assert toolset.provenance[1].startswith("overrides:shop.interplay.yaml@")


def test_gives_a_tool_another_resource_and_target(tmp_path: Path) -> None:
    tools = {"cancelOrder": {"operation": "update", "resource": "customer", "target": "id"}}
    role = open_shop(tmp_path, {"tools": tools}).environment.resources.role("cancelOrder")
    assert (role.operation, role.resource, role.why) == ("update", "customer", "shop.interplay.yaml says so")
    assert role.references == {"/id": "customer"}


def test_takes_references_away_and_adds_them(tmp_path: Path) -> None:
    said = {
        "resources": {"order": {"references": {"customer_id": None}}},
        "tools": {"placeOrder": {"references": {"customer_id": None}}},
    }
    world = open_shop(tmp_path, said)
    assert world.environment.resources.role("placeOrder").references == {}
    assert asyncio.run(ask(world, "placeOrder", customer_id=424242, quantity=1)).error is None


def test_content_decides_the_digest_and_comments_do_not(tmp_path: Path) -> None:
    plain = open_shop(tmp_path, "resources: {customer: {rows: 4}}").toolset.digest()
    assert open_shop(tmp_path, "# four\nresources:\n  customer: {rows: 4}\n").toolset.digest() == plain
    assert open_shop(tmp_path, "resources: {customer: {rows: 5}}").toolset.digest() != plain
    (tmp_path / "people.csv").write_text("id,name\n1,Ada\n")
    first = open_shop(tmp_path, "resources: {customer: {seed_rows: people.csv}}").toolset.digest()
    (tmp_path / "people.csv").write_text("id,name\n1,Eve\n")
    assert open_shop(tmp_path, "resources: {customer: {seed_rows: people.csv}}").toolset.digest() != first


def test_a_file_in_which_all_is_commented_out_changes_nothing_but_its_mark(tmp_path: Path) -> None:
    bare = open_shop(tmp_path).environment
    same = open_shop(tmp_path, "resources:\n  # order:\n  #   rows: 3\ntools:\n").environment
    assert bare.digest() == same.digest()
    assert bare.resources == same.resources


def row(name: str, *rows: dict[str, Any]) -> dict[str, Any]:
    return {"resources": {name: {"seed_rows": list(rows)}}}


def tool(**said: Any) -> dict[str, Any]:
    return {"tools": {"cancelOrder": said}}


def rule(**said: Any) -> dict[str, Any]:
    return {"rules": [{"id": "a", "text": "b", "tools": ["cancelOrder"], **said}]}


@pytest.mark.parametrize(
    ("said", "place"),
    [
        ({"tool": {}}, "/tool: unknown key. Did you mean tools"),
        ({"resources": {"order": {"idenity": "id"}}}, "/resources/order/idenity: unknown key. Did you mean identity"),
        ({"resources": {"ordr": {"rows": 1}}}, "/resources/ordr: there is no such resource. Did you mean order"),
        ({"resources": {"order": {"identity": "ident"}}}, "/resources/order/identity: rows have no such"),
        ({"resources": {"order": {"parent": "custom"}}}, "/resources/order/parent: there is no resource 'custom'"),
        ({"resources": {"order": {"name": "customer"}}}, "use merge"),
        (
            {"resources": {"order": {"references": {"customer": "order"}}}},
            "/resources/order/references/customer: no such",
        ),
        ({"resources": {"order": {"rows": 1_000_000}}}, "/resources/order/rows"),
        (row("order", {"state": "placed"}), "/resources/order/seed_rows/0/state: order has no such field"),
        (row("order", {"id": 1}, {"status": "gone"}), "/resources/order/seed_rows/1/status: 'gone' is not one of"),
        (row("order", {"id": 1}, {"id": 1}), "/resources/order/seed_rows/1/id: '1' is another row's identity"),
        (
            row("order", {"id": 1, "customer_id": 5}),
            "/resources/order/seed_rows/0/customer_id: no seed row of customer",
        ),
        (
            {"resources": {"order": {"seed_rows": "../rows.json"}}},
            "/resources/order/seed_rows: '../rows.json' is outside",
        ),
        ({"resources": {"order": {"seed_rows": "rows.txt"}}}, "/resources/order/seed_rows: 'rows.txt' must end in"),
        (
            {"tools": {"cancelOrdr": {"hidden": True}}},
            "/tools/cancelOrdr: there is no such tool. Did you mean cancelOrder",
        ),
        (tool(target="nope"), "/tools/cancelOrder/target: there is no such scalar argument"),
        (tool(effect="read", operation="action"), "/tools/cancelOrder/operation: action writes"),
        (tool(operation="compute"), "/tools/cancelOrder/operation: compute changes nothing"),
        (tool(sets={"status": "cancelled"}), "/tools/cancelOrder/sets: the tool is a delete"),
        (tool(operation="action", sets={"status": "gone"}), "/tools/cancelOrder/sets/status: 'gone' is not one of"),
        (
            tool(errors=[{"when": {"row.state": 1}, "error": "x"}]),
            "/tools/cancelOrder/errors/0/when/row.state: row has no",
        ),
        (rule(kind="limit"), "/rules/0/at_most"),
        (rule(kind="identify_first"), "/rules/0/after"),
        (rule(kind="only_if", when={"row.state": 1}), "/rules/0/when/row.state: row has no 'state'"),
        (rule(kind="forbids", tools=["nope"]), "/rules/0/tools/0: there is no such tool"),
        ({"user_resource": "nobody"}, "/user_resource: there is no resource 'nobody'"),
        ("a: &a [*a]", "line 1"),
        ("[1]", "expected a mapping"),
    ],
)
def test_says_what_is_wrong_and_where(tmp_path: Path, said: Any, place: str) -> None:
    with pytest.raises(ConfigError) as refused:
        open_shop(tmp_path, said)
    assert place in str(refused.value)
    assert "shop.interplay.yaml" in str(refused.value)


def test_code_keeps_its_own_rows_but_takes_words_and_rules(tmp_path: Path) -> None:
    file = tmp_path / "clinic.yaml"
    file.write_text("resources: {invoice: {rows: 3}}")
    with pytest.raises(ConfigError, match=r"clinic.yaml: /resources/invoice/rows: domain:clinic keeps its own rows"):
        open_world([f"domain:clinic?overrides={file}"])
    file.write_text(
        "resources: {invoice: {noun: bill}}\n"
        "rules: [{id: one_only, kind: limit, text: One., tools: [pay_invoice], at_most: 1}]\n"
        "tools: {get_clinic_hours: {hidden: true}}"
    )
    world = open_world([f"domain:clinic?overrides={file}"])
    assert world.toolset.nouns["invoice"] == "bill"
    assert "get_clinic_hours" not in {tool.name for tool in world.toolset.tools}
    assert world.toolset.rules[-1].id == "one_only"
    assert world.policy is not None
    assert world.policy.confirms("pay_invoice")


def test_dialogues_keep_the_rules_and_never_fail_where_the_author_says_so(tmp_path: Path) -> None:
    rules = [
        {
            "id": "at_most_five",
            "kind": "only_if",
            "text": "Five at most.",
            "tools": ["placeOrder"],
            "when": {"argument.quantity": {"max": 5}},
        },
        {
            "id": "look_first",
            "kind": "identify_first",
            "text": "Look first.",
            "tools": ["cancelOrder"],
            "after": ["getOrder", "listOrders"],
        },
    ]
    world = open_shop(tmp_path, {**SHOP, "rules": rules})
    config = RunConfig(
        recipes=RecipeSettings(faults=0.0)
    )  # what tools are made to fail at is nothing that an author says
    generator = Generator(config, world, asyncio.run(open_graph(world)), "run")

    async def make() -> list[Any]:
        return [await generator.make_record(index) for index in range(60)]

    records = asyncio.run(make())
    accepted = [record for record in records if record.status == "accepted"]
    assert len(accepted) >= 48
    calls = [(call, result) for record in accepted for _, call, result in record.trajectory.calls_with_results()]
    cancelled = [result for call, result in calls if call.name == "cancelOrder"]
    assert cancelled
    assert not any(result.failed for result in cancelled)
    assert all(call.arguments["quantity"] <= 5 for call, _ in calls if call.name == "placeOrder")


def test_a_live_server_takes_effects_and_words_and_keeps_its_own_rows(tmp_path: Path) -> None:
    pytest.importorskip("mcp", reason="needs the extra interplay[mcp]")
    file, server = tmp_path / "shelf.yaml", command(tmp_path, SHELF)
    file.write_text("exclude: [misbehave]\ntools: {list_notes: {effect: write}}\nnouns: {note: slip}")
    world = open_world([f"mcp+live:{server}?overrides={file}"])
    assert world.toolset.tool("list_notes").effect == "write"  # the server says it reads
    assert world.toolset.nouns == {"note": "slip"}
    assert asyncio.run(ask(world, "add_note", text="milk")).value == {"id": "n1", "text": "milk"}
    file.write_text("tools: {add_note: {errors: [{error: no}]}}")
    with pytest.raises(ConfigError, match="/tools/add_note/errors: a server decides by itself"):
        open_world([f"mcp+live:{server}?overrides={file}"])
