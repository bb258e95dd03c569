import asyncio
from collections import Counter
from pathlib import Path

import pytest
from tests.generators.environments.shop import shop_file
from tests.generators.worlds import shared_spec

from interplay.flows.worlds.assembly import OpenedWorld, open_world
from interplay.schemas.protocols import PolicyEvent
from interplay.schemas.records.dialogue import ToolCall


def shops(folder: Path, *titles: str, licences: tuple[str, ...] = ("MIT", "Apache-2.0", "MIT")) -> OpenedWorld:
    """Open one shop for each title together; their tools have equal names."""
    specs = []
    for number, (title, licence) in enumerate(zip(titles, licences, strict=False)):
        (folder / str(number)).mkdir()
        specs.append(f"openapi:{shop_file(folder / str(number), title, licence)}")
    return open_world(specs)


def test_equal_names_get_the_name_of_their_toolset(tmp_path: Path) -> None:
    world = shops(tmp_path, "North", "South")
    names = [tool.name for tool in world.toolset.tools]
    assert {"north_getOrder", "south_getOrder"} <= set(names)
    assert max(Counter(names).values()) == 1
    assert {"north_order", "south_order"} <= {resource.name for resource in world.environment.resources.resources}


def test_the_same_source_twice_still_has_unique_names(tmp_path: Path) -> None:
    world = shops(tmp_path, "Shop", "Shop", "Shop")
    names = Counter(tool.name for tool in world.toolset.tools)
    resources = Counter(item.name for item in world.environment.resources.resources)
    assert max(names.values()) == 1
    assert max(resources.values()) == 1
    assert {role.resource for role in world.environment.resources.roles} - {None} <= set(resources)


def test_provenance_and_licences_are_kept(tmp_path: Path) -> None:
    toolset = shops(tmp_path, "North", "South", "East").toolset
    assert toolset.provenance == ("openapi:shop.yaml",) * 3
    assert toolset.licence == "MIT (north); Apache-2.0 (south); MIT (east)"
    assert toolset.name == "north+south+east"


def test_rules_follow_their_renamed_tools_and_policies_are_asked_both(tmp_path: Path) -> None:
    (tmp_path / "0").mkdir()
    (tmp_path / "0" / "shop.interplay.yaml").write_text(
        "policy: Be kind.\nrules: [{id: few, kind: only_if, text: Few., tools: [placeOrder], when: {argument.quantity: {max: 2}}}]"
    )
    (tmp_path / "1").mkdir()
    specs = [f"openapi:{shop_file(tmp_path / str(number), title)}" for number, title in enumerate(("North", "South"))]
    world = open_world(specs)
    rules = [(rule.id, rule.tools) for rule in world.toolset.rules]
    assert ("few", ("north_placeOrder",)) in rules
    assert "Be kind." in world.toolset.policy
    assert world.policy is not None
    assert world.policy.confirms("north_cancelOrder")
    assert world.policy.confirms("south_cancelOrder")

    def broken(tool: str) -> list[str]:
        call = ToolCall(id="1", name=tool, arguments={"customer_id": 1, "quantity": 3})
        event = PolicyEvent(call, (), world.environment.state(), confirmed=True)
        return [issue.code for issue in world.policy.violations(event)] if world.policy else []

    assert broken("north_placeOrder") == ["few"]
    assert broken("south_placeOrder") == []


def test_a_call_goes_to_its_own_part_and_changes_it_alone(tmp_path: Path) -> None:
    world = shops(tmp_path, "North", "South")
    key = next(iter(world.environment.state()["1.order"]))
    before = world.environment.snapshot()
    result = asyncio.run(world.environment.call(ToolCall(id="1", name="south_cancelOrder", arguments={"id": int(key)})))
    assert result.error is None
    assert [change.path for change in world.environment.changes()] == [f"/1.order/{key}"]
    world.environment.restore(before)
    assert world.environment.changes() == ()


def test_merges_with_a_domain(tmp_path: Path) -> None:
    world = open_world([f"openapi:{shop_file(tmp_path)}", "domain:clinic"])
    assert {"getOrder", "book_appointment"} <= {tool.name for tool in world.toolset.tools}
    assert "Apache-2.0" in world.toolset.licence
    assert world.toolset.user_resource == "patient"
    assert world.toolset.nouns == open_world(["domain:clinic"]).toolset.nouns
    assert world.policy is not None
    assert world.policy.confirms("book_appointment")


@pytest.mark.parametrize(
    "names",
    [("petstore_v3.yaml", "petstore_expanded_v2.json"), ("trello.yaml", "stripe_2018_v2.json", "xero_projects.yaml")],
)
def test_merges_real_descriptions(names: tuple[str, ...]) -> None:
    specs = [shared_spec(name) for name in names]
    parts = [open_world([spec]) for spec in specs]
    world = open_world(specs)
    # Each part has a search of its own; together there is one.
    assert len(world.toolset.tools) == sum(len(part.toolset.tools) - 1 for part in parts) + 1
    assert max(Counter(tool.name for tool in world.toolset.tools).values()) == 1
    assert max(Counter(item.name for item in world.environment.resources.resources).values()) == 1
    assert len(world.toolset.provenance) == len(names)


def test_a_search_between_calls_is_no_concern_of_any_policy(tmp_path: Path) -> None:
    world = shops(tmp_path, "North", "South")
    assert world.policy is not None
    search = ToolCall(id="0", name="search_tools", arguments={"query": "orders"})
    found = asyncio.run(world.environment.call(search))
    call = ToolCall(id="1", name="north_cancelOrder", arguments={"id": 1})
    event = PolicyEvent(call, ((search, found),), world.environment.state(), confirmed=False)
    assert [issue.code for issue in world.policy.violations(event)] == ["confirm_before_removing"]
    assert world.policy.violations(PolicyEvent(search, (), world.environment.state(), confirmed=False)) == ()
