"""Where a look-up shows another row than was meant, what lies below it changes with it."""

from functools import partial
from random import Random

import pytest
from tests.generators.environments.inference.resources.test_undescribed_results import tool
from tests.generators.environments.inline import TEXT, operation, row, sandbox

from interplay.generators.blueprints.arguments.argument_choice import Chooser
from interplay.generators.blueprints.arguments.row_choice import RowChoice
from interplay.generators.blueprints.arguments.row_hierarchy import (
    check_apart,
    check_one_lineage,
    realigned,
    still_below,
)
from interplay.generators.blueprints.arguments.tool_inputs import inputs_of
from interplay.generators.blueprints.drafting.draft import DeadEnd, Draft
from interplay.generators.graph.sampling.world import World

SHOWN = row(name=TEXT)


def chooser() -> Chooser:
    environment = sandbox(
        operation("list_shops", "GET", "/shops", {"type": "array", "items": SHOWN}),
        operation("get_shop", "GET", "/shops/{shop_id}", SHOWN),
        operation("get_pet", "GET", "/shops/{shop_id}/pets/{pet_id}", SHOWN),
    )
    world = World(environment)
    return Chooser(RowChoice(world, Draft(environment), Random(1)), partial(inputs_of, world))


def test_a_row_is_chosen_anew_below_another_owner() -> None:
    chosen = chooser()
    pets = chosen.world.environment.state()["pet"]
    pet = next(iter(pets))
    shop = pets[pet]["_parents"]["shop"]
    other = next(key for key in chosen.world.environment.state()["shop"] if key != shop)
    moved = realigned(chosen, "get_pet", {"shop_id": other, "pet_id": pet}, "/shop_id", shop, ())
    assert (moved["shop_id"], pets[moved["pet_id"]]["_parents"]["shop"]) == (other, other)
    same = {"shop_id": shop, "pet_id": pet}
    assert realigned(chosen, "get_pet", same, "/shop_id", shop, ()) == same
    with pytest.raises(DeadEnd, match="below another shop"):
        realigned(chosen, "get_pet", {"shop_id": other, "pet_id": pet}, "/shop_id", shop, {"/pet_id"})


def test_another_row_will_do_that_lies_below_the_same_owner() -> None:
    chosen = chooser()
    pets = chosen.world.environment.state()["pet"]
    first = next(iter(pets))
    shop = pets[first]["_parents"]["shop"]
    arguments = {"shop_id": shop, "pet_id": first}
    beside = {key: row["_parents"]["shop"] == shop for key, row in pets.items()}
    assert set(beside.values()) == {True, False}
    assert {key: still_below(chosen, "get_pet", arguments, "/pet_id", {"/shop_id"}, key) for key in pets} == beside
    assert all(still_below(chosen, "get_pet", arguments, "/pet_id", (), key) for key in pets)


def test_what_a_call_names_beside_each_other_lies_together() -> None:
    named = {"calendarId": TEXT, "eventId": TEXT}
    tools = [tool("list_calendars"), tool("get_event", **named), tool("move_event", "write", **named)]
    tools.append(tool("create_event", "write", calendarId=TEXT, summary=TEXT))
    tools = [
        made.model_copy(update={"parameters": {**made.parameters, "required": list(made.parameters["properties"])}})
        for made in tools
    ]
    environment = sandbox(*tools)
    world = World(environment)
    chosen = Chooser(RowChoice(world, Draft(environment), Random(1)), partial(inputs_of, world))
    key, event = next(iter(environment.state()["event"].items()))
    other = next(calendar for calendar in environment.state()["calendar"] if calendar != event["calendarId"])
    check_one_lineage(chosen, "get_event", {"calendarId": event["calendarId"], "eventId": key})
    check_one_lineage(chosen, "move_event", {"calendarId": other, "eventId": key})
    with pytest.raises(DeadEnd, match="below another calendar"):
        check_one_lineage(chosen, "get_event", {"calendarId": other, "eventId": key})


def test_what_a_thing_is_made_of_lies_together() -> None:
    made = operation("create_visit", "POST", "/visits", SHOWN, shop_id=TEXT, pet_id=TEXT)
    made = made.model_copy(update={"parameters": {**made.parameters, "required": ["shop_id", "pet_id"]}})
    environment = sandbox(
        operation("list_shops", "GET", "/shops", {"type": "array", "items": SHOWN}),
        operation("get_shop", "GET", "/shops/{shop_id}", SHOWN),
        operation("get_pet", "GET", "/shops/{shop_id}/pets/{pet_id}", SHOWN),
        operation("get_visit", "GET", "/visits/{visit_id}", SHOWN),
        made,
    )
    world = World(environment)
    chosen = Chooser(RowChoice(world, Draft(environment), Random(1)), partial(inputs_of, world))
    pet, row_of_pet = next(iter(environment.state()["pet"].items()))
    shop = row_of_pet["_parents"]["shop"]
    check_one_lineage(chosen, "create_visit", {"shop_id": shop, "pet_id": pet})
    other = next(key for key in environment.state()["shop"] if key != shop)
    with pytest.raises(DeadEnd, match="below another shop"):
        check_one_lineage(chosen, "create_visit", {"shop_id": other, "pet_id": pet})


def test_nothing_is_merged_into_itself() -> None:
    named = {"source_ticket_id": TEXT, "target_ticket_id": TEXT}
    merging = operation("merge_tickets", "POST", "/merge", None, **named)
    merging = merging.model_copy(update={"http": None, "parameters": {**merging.parameters, "required": list(named)}})
    listed = operation("list_tickets", "GET", "/tickets", {"type": "array", "items": SHOWN})
    environment = sandbox(listed.model_copy(update={"http": None}), merging)
    world = World(environment)
    for seed in range(20):
        chosen = Chooser(RowChoice(world, Draft(environment), Random(seed)), partial(inputs_of, world))
        subject = world.subject("ticket", Random(seed).choice(list(environment.state()["ticket"])))
        arguments = chosen.arguments(merging, subject, lookup=False)
        source, target = (arguments[name] for name in named)
        assert source != target
        assert not still_below(chosen, "merge_tickets", arguments, "/source_ticket_id", (), target)
        assert still_below(chosen, "merge_tickets", arguments, "/source_ticket_id", (), source)


def test_a_change_names_each_row_once() -> None:
    named = {"from_account_id": TEXT, "to_account_id": TEXT}
    environment = sandbox(
        tool("list_accounts"), tool("get_account", account_id=TEXT), tool("transfer", "write", **named)
    )
    world = World(environment)
    chosen = Chooser(RowChoice(world, Draft(environment), Random(1)), partial(inputs_of, world))
    first, second = list(environment.state()["account"])[:2]
    check_apart(chosen, "transfer", {"from_account_id": first, "to_account_id": second})
    with pytest.raises(DeadEnd, match="name one account twice"):
        check_apart(chosen, "transfer", {"from_account_id": first, "to_account_id": first})
