"""What users mean by the rows in which something stands: that row, or another thing that it names."""

from random import Random

from tests.generators.worlds import generator, records

from interplay.generators.blueprints.arguments.item_choice import Picker, telling
from interplay.generators.blueprints.drafting.draft import Draft, Step
from interplay.schemas.records.blueprint import Goal


def test_what_a_row_only_refers_to_is_meant_as_such() -> None:
    """A user that is taken from a goal is "the owner of the goal in April", not "the goal in April"."""
    world = generator("asana.yaml").workshop(0).composer.context.world
    goals = [
        {"gid": str(at), "name": name, "due_on": f"2026-0{at}-09", "owner": {"gid": f"7{at}"}}
        for at, name in enumerate(("Ash", "Oak", "Elm"), 1)
    ]
    for taken, refers in (("owner/gid", True), ("gid", False)):
        draft = Draft(world.environment, goals=[Goal(intent="see it", tool="getGoals")], requests=[(0,)])
        step = Step("a1", 0, 0, 0, "getGoals", {}, {}, (), {"data": goals})
        Picker(world, draft, Random(1), describing=True).chosen(step, f"/data/2/{taken}", 0)
        assert [fact.description is not None and bool(fact.description.same) for fact in draft.facts] == [refers]


def test_a_thing_is_named_by_what_tells_most_of_its_kind_apart() -> None:
    bookings = [
        {"cover": cover, "vehicle": "Norda", "begins": f"2026-04-{day:02}"}
        for day, cover in enumerate(("full", "full", "basic", "full"), 1)
    ]
    assert telling(bookings, 2) == {"/begins": "2026-04-03"}
    named = [{**booking, "vehicle": name} for booking, name in zip(bookings, "ABCA", strict=True)]
    assert telling(named, 2) == {"/vehicle": "C"}
    assert telling([{"cover": cover} for cover in ("full", "basic", "full")], 1) == {"/cover": "basic"}
    assert telling([{"cover": cover} for cover in ("full", "basic", "full", "full")], 1) == {}


def test_an_answer_to_which_one_is_by_something_that_differs() -> None:
    asked = 0
    for record in records("domain:workspace", 40, recipes={"patterns": {"question": 1}}):
        for output in record.blueprint.expected.outputs if record.blueprint else ():
            action = record.blueprint.action(output.action) if record.blueprint else None
            if action is not None and action.tool == "list_free_slots" and record.blueprint.goals[action.goal].asks:
                asked += 1
                assert output.label == "starts at"
    assert asked


def test_nothing_is_called_by_a_sum_a_postcode_or_a_currency() -> None:
    orders = [
        {"zip": str(60000 + at), "tax": f"{at}.5000", "currency": currency, "shipped_on": f"2026-04-0{at}"}
        for at, currency in enumerate(("SEK", "CHF", "EUR"), 1)
    ]
    assert telling(orders, 1) == {"/shipped_on": "2026-04-02"}
    assert telling([{"zip": "60001", "currency": "SEK"}, {"zip": "60002", "currency": "CHF"}], 0) == {}


def test_one_of_several_inside_the_only_row_of_a_list_is_chosen_by_the_user() -> None:
    world = generator("domain:clinic").workshop(0).composer.context.world
    tool = next(role.tool for role in world.roles.values() if role.operation == "list")
    inner = [{"id": number, "name": name} for number, name in enumerate(("Ash", "Oak", "Elm"))]
    draft = Draft(world.environment, goals=[Goal(intent="see it", tool=tool)], requests=[(0,)])
    step = Step("a1", 0, 0, 0, tool, {}, {}, (), [{"trees": inner}])
    origin = Picker(world, draft, Random(1)).chosen(step, "/0/trees/1/id", 0)
    assert origin.fact is not None
    assert [fact.choice for fact in draft.facts] == ["/0/trees/1"]


def test_a_thing_is_called_by_its_name_then_whose_it_is_then_its_number() -> None:
    orders: list[dict[str, object]] = [
        {"origin": origin, "status": status, "number": number, "created_at": f"2026-04-0{number % 10}"}
        for origin, status, number in (("Fulfillment", "completed", 1041), ("Marketplace", "active", 1042))
    ]
    assert telling(orders, 1) == {"/number": 1042}
    whose = [{**order, "buyer_name": name} for order, name in zip(orders, ("Ada Bell", "Tom Hart"), strict=True)]
    assert telling(whose, 1) == {"/buyer_name": "Tom Hart"}
    assert telling([{**order, "title": f"Chairs {at}"} for at, order in enumerate(whose)], 1) == {"/title": "Chairs 1"}


def test_a_thing_is_called_by_when_something_was_done_to_it_only_where_it_has_no_number() -> None:
    holds = [{"id": at, "assigned_at": f"2026-05-2{at}"} for at in range(1, 4)]
    assert telling(holds, 1) == {"/id": 2}
    assert telling([{"assigned_at": hold["assigned_at"]} for hold in holds], 1) == {"/assigned_at": "2026-05-22"}
    assert telling([{"id": at, "starts_at": f"2026-05-2{at}"} for at in range(1, 4)], 1) == {"/starts_at": "2026-05-22"}


def test_nobody_tells_a_thing_by_what_is_to_be_changed() -> None:
    shipped = [{"courier": name, "due": day} for name, day in (("UPS", "2026-05-01"), ("DHL", "2026-05-02"))]
    assert telling(shipped, 1) == {"/courier": "DHL"}
    assert telling(shipped, 1, ("courier",)) == {"/due": "2026-05-02"}
    assert telling([{"name": "A"}, {"name": "B"}], 1, ("name",)) == {"/name": "B"}


def test_nothing_is_called_by_what_another_one_bears_in_another_field() -> None:
    countries = [
        {"id": str(at), "country": country, "region": region}
        for at, (country, region) in enumerate((("Tyrol", "Saxony"), ("Yorkshire", "Tyrol"), ("Lapland", "Brittany")))
    ]
    assert telling(countries, 2) == {"/country": "Lapland"}
    assert telling(countries, 0) != {"/country": "Tyrol"}
