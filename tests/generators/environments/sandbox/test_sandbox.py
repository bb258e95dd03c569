"""A sandbox keeps what an API promises: checked on real descriptions through their inferred roles."""

from random import Random
from typing import Any

import pytest
from tests.generators.environments.specs import SMALL, spec

from interplay.generators.environments.inference.plans import ToolPlan
from interplay.generators.environments.rows.changes import given_fields
from interplay.generators.environments.rows.ownership import at_path
from interplay.generators.environments.sandbox.sandbox import EVENTS, Sandbox
from interplay.generators.graph.sampling.argument_samples import sample_arguments
from interplay.generators.graph.sampling.world import World
from interplay.schemas.json.canonical import split_pointer
from interplay.schemas.json.validation import errors
from interplay.schemas.records.dialogue import ToolCall, ToolResult
from interplay.schemas.records.tool import HttpBinding, Source, Tool, Toolset

TIMES = 5

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(params=SMALL)
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    return Sandbox(spec(request.param), seed=7)


async def run(sandbox: Sandbox, name: str, arguments: dict[str, Any]) -> ToolResult:
    return await sandbox.call(ToolCall(id="call1", name=name, arguments=arguments))


def sampled(sandbox: Sandbox, name: str, number: int, fixed: dict[str, Any] | None = None) -> dict[str, Any]:
    world = World(sandbox)
    return sample_arguments(world, world.tools[name], Random(f"{name}{number}"), fixed, optional=number % 3)


def plans(sandbox: Sandbox, operation: str) -> list[ToolPlan]:
    return [plan for plan in sandbox._plan.tools.values() if plan.operation == operation]


def dangling(sandbox: Sandbox) -> list[tuple[str, str, Any]]:
    state = sandbox.state()
    return [
        (resource.name, pointer, leaf)
        for resource in sandbox._plan.resources.values()
        for row in state[resource.name].values()
        for pointer, target in resource.references.items()
        for leaf in at_path(row, split_pointer(pointer))
        if leaf is not None and str(leaf) not in state[target]
    ]


async def test_every_tool_answers_what_its_schema_says_the_same_each_time(sandbox: Sandbox) -> None:
    start, digest = sandbox.snapshot(), sandbox.digest()
    for tool in sandbox.toolset.tools:
        for number in range(TIMES):
            arguments = sampled(sandbox, tool.name, number)
            result = await run(sandbox, tool.name, arguments)
            assert result.error is None, (tool.name, arguments, result.error)
            assert tool.returns is None or not errors(result.value, tool.returns), tool.name
            after = sandbox.digest()
            assert tool.effect == "write" or after == digest, tool.name
            sandbox.restore(start)
            assert sandbox.digest() == digest
            assert await run(sandbox, tool.name, arguments) == result
            assert sandbox.digest() == after
            sandbox.restore(start)


async def test_unknown_identities_give_an_error(sandbox: Sandbox) -> None:
    for tool in sandbox.toolset.tools:
        arguments = sampled(sandbox, tool.name, 0)
        for pointer in sandbox._plan.references[tool.name]:
            held = arguments.get(pointer[1:])
            unknown = 987654321 if isinstance(held, int) else "no-such-thing" if isinstance(held, str) else None
            if unknown is not None:
                result = await run(sandbox, tool.name, {**arguments, pointer[1:]: unknown})
                assert result.error is not None, (tool.name, pointer)


async def test_what_is_created_can_be_read_changed_and_deleted(sandbox: Sandbox) -> None:
    start = sandbox.snapshot()
    for create in plans(sandbox, "create"):
        resource = sandbox._plan.resources[str(create.resource)]
        sandbox.restore(start)
        before = set(sandbox.state()[resource.name])
        arguments = sampled(sandbox, create.tool.name, 1)
        assert (await run(sandbox, create.tool.name, arguments)).error is None
        (key,) = set(sandbox.state()[resource.name]) - before
        assert not dangling(sandbox)
        made = sandbox.state()[resource.name][key]
        for name, value in given_fields(create, resource, arguments).items():
            assert isinstance(value, dict | list) or isinstance(made[name], dict) or made[name] == value
        created = sandbox.snapshot()
        own = [plan for plan in sandbox._plan.tools.values() if plan.resource == resource.name and plan.target]
        for plan in own:
            sandbox.restore(created)
            fixed = {f"/{plan.target}": made[str(resource.identity)]}
            arguments = sampled(sandbox, plan.tool.name, 2, fixed)
            assert (await run(sandbox, plan.tool.name, arguments)).error is None, plan.tool.name
            if plan.operation == "delete":
                for reader in own:
                    again = sampled(sandbox, reader.tool.name, 0, {f"/{reader.target}": fixed[f"/{plan.target}"]})
                    assert "404" in str((await run(sandbox, reader.tool.name, again)).error)


async def test_updates_show_in_the_state(sandbox: Sandbox) -> None:
    start = sandbox.snapshot()
    for plan in plans(sandbox, "update"):
        sandbox.restore(start)
        if plan.target is None:
            continue
        resource = sandbox._plan.resources[str(plan.resource)]
        arguments = sampled(sandbox, plan.tool.name, 2)
        await run(sandbox, plan.tool.name, arguments)
        row = sandbox.state()[resource.name][str(arguments[plan.target])]
        for name, value in given_fields(plan, resource, arguments).items():
            scalar = isinstance(value, str | int | float) and not isinstance(row[name], dict)
            assert not scalar or name == resource.identity or row[name] == value


async def test_a_row_is_made_the_same_again_whatever_became_of_the_first(sandbox: Sandbox) -> None:
    start = sandbox.snapshot()
    for plan in plans(sandbox, "create")[:TIMES]:
        arguments = sampled(sandbox, plan.tool.name, 2)
        made = await run(sandbox, plan.tool.name, arguments)
        digest = sandbox.digest()
        for other in plans(sandbox, "update"):
            if other.resource == plan.resource:
                await run(sandbox, other.tool.name, sampled(sandbox, other.tool.name, 2))
        sandbox.restore(start)
        assert (await run(sandbox, plan.tool.name, arguments), sandbox.digest()) == (made, digest)
        fresh = Sandbox(sandbox.toolset, seed=7)
        assert (await run(fresh, plan.tool.name, arguments), fresh.digest()) == (made, digest)
        sandbox.restore(start)


def test_seeded_references_hold(sandbox: Sandbox) -> None:
    assert not dangling(sandbox)


def make_tool(name: str, method: str, path: str, parameters: dict[str, Any], returns: Any = None) -> Tool:
    locations: dict[str, Any] = {key: "path" if f"{{{key}}}" in path else "body" for key in parameters}
    return Tool(
        name=name,
        original_name=name,
        parameters={"type": "object", "properties": parameters, "required": list(parameters)},
        returns=returns,
        effect="read" if method == "GET" else "write",
        source=Source(file="test"),
        http=HttpBinding(method=method, path=path, locations=locations),
    )


ORDER = {
    "type": "object",
    "title": "Order",
    "properties": {
        "id": {"type": "string"},
        "status": {"type": "string", "enum": ["open", "cancelled"]},
        "archived": {"type": "boolean"},
    },
    "required": ["id", "status"],
}
ORDERS = Toolset(
    name="orders",
    tools=(
        make_tool("getOrder", "GET", "/orders/{orderId}", {"orderId": {"type": "string"}}, ORDER),
        make_tool("cancelOrder", "POST", "/orders/{orderId}/cancel", {"orderId": {"type": "string"}}, ORDER),
        make_tool("archiveOrder", "POST", "/orders/{orderId}/archive", {"orderId": {"type": "string"}}),
        make_tool("measure", "POST", "/measure", {}, {"type": "integer", "minimum": 5}),
    ),
)


async def test_an_action_leads_to_the_status_that_it_names() -> None:
    sandbox = Sandbox(ORDERS)
    key = next(key for key, row in sandbox.state()["order"].items() if row["status"] == "open")
    assert (await run(sandbox, "cancelOrder", {"orderId": key})).value["status"] == "cancelled"
    await run(sandbox, "archiveOrder", {"orderId": key})
    assert sandbox.state()["order"][key]["archived"] is True


async def test_an_action_that_changes_no_row_leaves_an_event() -> None:
    sandbox = Sandbox(ORDERS)
    first = await run(sandbox, "measure", {})
    assert first.error is None
    assert [row["tool"] for row in sandbox.state()[EVENTS].values()] == ["measure"]


def titled(title: str, **properties: Any) -> dict[str, Any]:
    fields = {"id": {"type": "string"}, **properties}
    return {"type": "object", "title": title, "properties": fields, "required": list(fields)}


TEXT = {"type": "string"}
CUSTOMER, WALLET, ALERT = (
    titled("Customer", name=TEXT),
    titled("Wallet", name=TEXT, customer_id=TEXT),
    titled("Alert", name=TEXT, wallet_id=TEXT),
)
WALLETS = Toolset(
    name="wallets",
    tools=(
        make_tool("listCustomers", "GET", "/customers", {}, {"type": "array", "items": CUSTOMER}),
        make_tool("getCustomer", "GET", "/customers/{customerId}", {"customerId": TEXT}, CUSTOMER),
        make_tool("listWallets", "GET", "/wallets", {}, {"type": "array", "items": WALLET}),
        make_tool("getWallet", "GET", "/wallets/{walletId}", {"walletId": TEXT}, WALLET),
        make_tool(
            "listAlerts",
            "GET",
            "/customers/{customerId}/wallets/{walletId}/alerts",
            {"customerId": TEXT, "walletId": TEXT},
            {"type": "array", "items": ALERT},
        ),
    ),
)


async def test_a_path_names_rows_that_lie_below_each_other() -> None:
    sandbox = Sandbox(WALLETS)
    wallets = (await run(sandbox, "listWallets", {})).value
    own, other = wallets[0], next(row for row in wallets if row["customer_id"] != wallets[0]["customer_id"])
    below = {"customerId": own["customer_id"], "walletId": own["id"]}
    assert (await run(sandbox, "listAlerts", below)).error is None
    failed = await run(sandbox, "listAlerts", {**below, "customerId": other["customer_id"]})
    assert failed.error == f"404 Not Found: there is no wallet {own['id']!r} there."


async def test_an_unknown_tool_and_wrong_arguments_give_errors() -> None:
    sandbox = Sandbox(ORDERS)
    assert "unknown tool" in str((await run(sandbox, "nothing", {})).error)
    assert "400" in str((await run(sandbox, "getOrder", {"orderId": 5})).error)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "pattern": "((a{99}){99}){99}"},
        {"type": "string", "pattern": "(x+x+)+y", "maxLength": 1},
        {"type": "integer", "minimum": 9, "maximum": 3},
        {"type": "string", "minLength": 10**9},
        {"type": "array", "items": {"type": "integer"}, "minItems": 10**9},
        {"type": "string", "enum": [f"option {number}" for number in range(20_000)]},
        {"allOf": [{"type": "string"}, {"type": "integer"}]},
        {},
    ],
)
async def test_a_schema_that_nothing_satisfies_costs_an_error_at_worst(schema: dict[str, Any]) -> None:
    row = {"type": "object", "properties": {"id": {"type": "string"}, "odd": schema}, "required": ["id", "odd"]}
    tools = (make_tool("getThing", "GET", "/things/{thingId}", {"thingId": {"type": "string"}}, row),)
    sandbox = Sandbox(Toolset(name="things", tools=tools))
    key = next(iter(sandbox.state()["thing"]))
    result = await run(sandbox, "getThing", {"thingId": key})
    assert result.error is not None or not errors(result.value, row)


MOMENT = {
    "type": "object",
    "properties": {"timezone": {"type": "string"}, "datetime": {"type": "string"}},
    "required": ["timezone", "datetime"],
}


async def test_what_is_worked_out_is_of_what_the_call_says() -> None:
    zones = {
        "type": "object",
        "properties": {"source_timezone": {"type": "string"}, "target_timezone": {"type": "string"}},
    }
    tools = [
        Tool(
            name=name,
            original_name=name,
            parameters=parameters,
            returns=returns,
            effect="read",
            source=Source(file="test"),
        )
        for name, parameters, returns in (
            ("get_current_time", {"type": "object", "properties": {"timezone": {"type": "string"}}}, MOMENT),
            (
                "convert_time",
                zones,
                {
                    "type": "object",
                    "properties": {"source": MOMENT, "target": MOMENT},
                    "required": ["source", "target"],
                },
            ),
        )
    ]
    clock = Sandbox(Toolset(name="clock", tools=tuple(tools)))
    now = await run(clock, "get_current_time", {"timezone": "Europe/Oslo"})
    assert now.value["timezone"] == "Europe/Oslo"
    there = await run(clock, "convert_time", {"source_timezone": "Europe/Oslo", "target_timezone": "Asia/Tokyo"})
    assert there.value["source"]["timezone"] == "Europe/Oslo"
    assert there.value["target"]["timezone"] == "Asia/Tokyo"
