"""What rows show of other rows agrees with these: at the beginning, after updates, after deletes, in whatever order."""

from typing import Any

import pytest
from tests.generators.environments.inline import TEXT, call, operation, row, sandbox

from interplay.generators.environments.inference.resources.plan_inference import infer_plan
from interplay.generators.environments.sandbox.embedded_rows import EmbeddedRows, thin_fields
from interplay.generators.environments.sandbox.locator import Locator
from interplay.generators.environments.sandbox.row_store import RowStore
from interplay.generators.environments.sandbox.sandbox import Sandbox
from interplay.generators.environments.sandbox.shared_identity import key_below

pytestmark = pytest.mark.anyio

COMPANY = row(name=TEXT, city=TEXT)
CUSTOMER = row(name=TEXT, email=TEXT, company=row(name=TEXT))
ORDER: dict[str, Any] = row(total={"type": "integer"}, customer=row(name=TEXT, company=row(name=TEXT), role=TEXT))
ORDER["properties"]["other_customers"] = {"type": "array", "minItems": 2, "items": row(name=TEXT, email=TEXT)}
MANY = {"type": "array"}
WHO: dict[str, Any] = {"oneOf": [TEXT, row()]}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def opened() -> Sandbox:
    return sandbox(
        operation("listCompanies", "GET", "/companies", {**MANY, "items": COMPANY}),
        operation("updateCompany", "PATCH", "/companies/{companyId}", COMPANY, name=TEXT, city=TEXT),
        operation("listCustomers", "GET", "/customers", {**MANY, "items": CUSTOMER}),
        operation("getCustomer", "GET", "/customers/{customerId}", CUSTOMER),
        operation("updateCustomer", "PATCH", "/customers/{customerId}", CUSTOMER, name=TEXT, company_id=TEXT),
        operation("deleteCustomer", "DELETE", "/customers/{customerId}", None),
        operation("listOrders", "GET", "/orders", {**MANY, "items": ORDER}, query_customer=TEXT),
        operation("getOrder", "GET", "/orders/{orderId}", ORDER),
        operation("createOrder", "POST", "/orders", ORDER, customer=WHO, total={"type": "integer"}),
        operation("shareOrder", "PUT", "/orders/{orderId}", ORDER, otherCustomerIds={**MANY, "items": TEXT}),
    )


async def value(opened: Sandbox, name: str, /, **arguments: Any) -> Any:
    result = await call(opened, name, **arguments)
    assert result.error is None, result.error
    return result.value


async def customers(opened: Sandbox) -> dict[str, dict[str, Any]]:
    return {item["id"]: item for item in await value(opened, "listCustomers")}


async def test_rows_named_by_their_identities_are_shown(opened: Sandbox) -> None:
    known, orders = await customers(opened), await value(opened, "listOrders")
    wanted = sorted(known)[:2]
    order = await value(opened, "shareOrder", orderId=orders[0]["id"], otherCustomerIds=wanted)
    assert [copy["id"] for copy in order["other_customers"]] == wanted
    assert [copy["name"] for copy in order["other_customers"]] == [known[key]["name"] for key in wanted]


async def test_copies_say_what_the_rows_say(opened: Sandbox) -> None:
    known = await customers(opened)
    companies = {item["id"]: item["name"] for item in await value(opened, "listCompanies")}
    for order in await value(opened, "listOrders"):
        copy = order["customer"]
        assert copy["name"] == known[copy["id"]]["name"]
        assert copy["company"] == {"id": known[copy["id"]]["company"]["id"], "name": copy["company"]["name"]}
        assert copy["company"]["name"] == companies[copy["company"]["id"]]
        assert copy["role"]
        assert order["other_customers"]
        for other in order["other_customers"]:
            assert other == {key: known[other["id"]][key] for key in ("id", "name", "email")}
        assert await value(opened, "getOrder", orderId=order["id"]) == order


async def test_copies_follow_updates_of_what_they_are_of(opened: Sandbox) -> None:
    order = (await value(opened, "listOrders"))[0]
    copy = order["customer"]
    await value(opened, "updateCustomer", customerId=copy["id"], name="Ann Other")
    await value(opened, "updateCompany", companyId=copy["company"]["id"], name="Other & Sons")
    after = await value(opened, "getOrder", orderId=order["id"])
    assert after["customer"]["name"] == "Ann Other"
    assert after["customer"]["company"] == {"id": copy["company"]["id"], "name": "Other & Sons"}
    assert after["customer"]["role"] == copy["role"]
    assert after in await value(opened, "listOrders")
    found = await value(opened, "listOrders", customer=copy["id"])
    assert after in found
    assert {item["customer"]["id"] for item in found} == {copy["id"]}


async def test_the_state_is_the_same_whichever_write_came_first(opened: Sandbox) -> None:
    begin = opened.snapshot()
    who = next(iter(await customers(opened)))
    rename: tuple[str, dict[str, Any]] = ("updateCustomer", {"customerId": who, "name": "Ann Other"})
    order: tuple[str, dict[str, Any]] = ("createOrder", {"customer": who, "total": 3})
    digests = []
    for steps in ((rename, order), (order, rename)):
        opened.restore(begin)
        for name, arguments in steps:
            await value(opened, name, **arguments)
        digests.append(opened.digest())
        made = (await value(opened, "listOrders"))[-1]
        assert made["customer"]["name"] == "Ann Other"
    assert digests[0] == digests[1]


async def test_copies_of_deleted_rows_stay_as_they_were_at_the_beginning(opened: Sandbox) -> None:
    order = (await value(opened, "listOrders"))[0]
    await value(opened, "deleteCustomer", customerId=order["customer"]["id"])
    assert await value(opened, "getOrder", orderId=order["id"]) == order


@pytest.mark.parametrize("given", ["nobody", {"id": "nobody"}])
async def test_unknown_references_fail_in_every_branch_of_a_body(opened: Sandbox, given: Any) -> None:
    result = await call(opened, "createOrder", customer=given, total=3)
    assert result.error == "404 Not Found: there is no customer 'nobody'."


@pytest.mark.parametrize("wrapped", [False, True])
async def test_known_references_are_taken_in_every_branch_of_a_body(opened: Sandbox, wrapped: bool) -> None:
    who, known = list((await customers(opened)).items())[2]
    made = await value(opened, "createOrder", customer={"id": who} if wrapped else who, total=3)
    assert (made["customer"]["id"], made["customer"]["name"]) == (who, known["name"])


def test_copies_are_of_the_row_below_the_same_owner_once_there_is_one() -> None:
    desk, booking = row(name=TEXT), row(desk=row(name=TEXT))
    plan = infer_plan(
        sandbox(
            operation("listRooms", "GET", "/rooms", {**MANY, "items": row(title=TEXT)}),
            operation("listDesks", "GET", "/rooms/{roomId}/desks", {**MANY, "items": desk}),
            operation("getDesk", "GET", "/rooms/{roomId}/desks/{deskId}", desk),
            operation("listBookings", "GET", "/rooms/{roomId}/bookings", {**MANY, "items": booking}),
        ).toolset
    )
    made = {"id": "B1", "desk": {"id": "D1"}, "_parents": {"room": "R1"}}
    state = RowStore({"room": {"R1": {"id": "R1"}}, "booking": {"B1": made}})
    copies, blank = EmbeddedRows(plan, state, Locator(plan, state, 0)), state.snapshot()
    assert copies.full("booking", "B1", made)["desk"] == {"id": "D1"}
    state.put("desk", key_below("D1", "R1"), {"id": "D1", "name": "Oak", "_parents": {"room": "R1"}})
    assert copies.full("booking", "B1", made)["desk"] == {"id": "D1", "name": "Oak"}
    state.restore(blank)
    assert copies.full("booking", "B1", made)["desk"] == {"id": "D1"}


@pytest.mark.parametrize(("guests", "filled"), [(2, True), (90, False)])
def test_rows_within_rows_are_filled_in_only_as_far_as_they_are_shown(guests: int, filled: bool) -> None:
    guest = row(name=TEXT, home=row(city=TEXT))
    party = row(guests={**MANY, "items": row(name=TEXT, home=row(city=TEXT))})
    plan = infer_plan(
        sandbox(
            operation("listHomes", "GET", "/homes", {**MANY, "items": row(city=TEXT)}),
            operation("listGuests", "GET", "/guests", {**MANY, "items": guest}),
            operation("listParties", "GET", "/parties", {**MANY, "items": party}),
        ).toolset
    )
    known = {f"G{number}": {"id": f"G{number}", "name": "Ann", "home": {"id": "H1"}} for number in range(guests)}
    made = {"id": "P1", "guests": [{"id": key} for key in known]}
    state = RowStore({"home": {"H1": {"id": "H1", "city": "Ulm"}}, "guest": known, "party": {"P1": made}})
    shown = EmbeddedRows(plan, state, Locator(plan, state, 0)).full("party", "P1", made)["guests"][0]
    assert (shown["name"], shown["home"].get("city")) == ("Ann", "Ulm" if filled else None)


def test_values_that_other_rows_show_are_not_made_up_but_what_only_the_copy_has_is() -> None:
    role = {"type": "string", "enum": ["buyer", "payer"]}
    order = row(customer=row(name=TEXT, role=role), customers={**MANY, "items": row(name=TEXT)})
    plan = infer_plan(
        sandbox(
            operation("listCustomers", "GET", "/customers", {**MANY, "items": row(name=TEXT)}),
            operation("listOrders", "GET", "/orders", {**MANY, "items": order}),
        ).toolset
    )
    thin = thin_fields(plan)["order"]
    assert sorted(thin["customer"]["properties"]) == ["id", "role"]
    assert sorted(thin["customers"]["items"]["properties"]) == ["id"]
    assert "id" in thin["customer"]["required"]


async def test_what_stands_beside_an_identity_is_told_by_the_row_that_it_names() -> None:
    place = row(name=TEXT, placeType=TEXT)
    device: dict[str, Any] = row(placeId=TEXT, placeName=TEXT, placeType=TEXT, label=TEXT)
    opened = sandbox(
        operation("listPlaces", "GET", "/places", {**MANY, "items": place}),
        operation("getPlace", "GET", "/places/{placeId}", place),
        operation("updatePlace", "PATCH", "/places/{placeId}", place, name=TEXT),
        operation("listDevices", "GET", "/devices", {**MANY, "items": device}),
        operation("getDevice", "GET", "/devices/{deviceId}", device),
    )
    first = (await value(opened, "listDevices"))[0]
    named = await value(opened, "getPlace", placeId=first["placeId"])
    assert (first["placeName"], first["placeType"]) == (named["name"], named["placeType"])
    await value(opened, "updatePlace", placeId=first["placeId"], name="Harbour")
    assert (await value(opened, "getDevice", deviceId=first["id"]))["placeName"] == "Harbour"


async def test_what_a_write_gives_beside_an_identity_stays() -> None:
    buyer, order = row(name=TEXT), row(buyerId=TEXT, buyerName=TEXT)
    opened = sandbox(
        operation("listBuyers", "GET", "/buyers", {**MANY, "items": buyer}),
        operation("getBuyer", "GET", "/buyers/{buyerId}", buyer),
        operation("listOrders", "GET", "/orders", {**MANY, "items": order}),
        operation("createOrder", "POST", "/orders", order, buyerId=TEXT, buyerName=TEXT),
    )
    known = (await value(opened, "listBuyers"))[0]
    made = await value(opened, "createOrder", buyerId=known["id"], buyerName="Ann Rossi")
    assert made["buyerName"] == "Ann Rossi"


async def test_copies_agree_however_their_fields_are_written() -> None:
    customer = row(fullName=TEXT, isAdmin={"type": "boolean"})
    order = row(customer=row(full_name=TEXT, is_admin={"type": "boolean"}))
    opened = sandbox(
        operation("listCustomers", "GET", "/customers", {**MANY, "items": customer}),
        operation("getCustomer", "GET", "/customers/{customerId}", customer),
        operation("listOrders", "GET", "/orders", {**MANY, "items": order}),
        operation("getOrder", "GET", "/orders/{orderId}", order),
    )
    known = {item["id"]: item for item in await value(opened, "listCustomers")}
    for made in await value(opened, "listOrders"):
        copy, own = made["customer"], known[made["customer"]["id"]]
        assert (copy["full_name"], copy["is_admin"]) == (own["fullName"], own["isAdmin"])


async def test_a_total_is_what_the_listed_things_come_to() -> None:
    number = {"type": "number"}
    line = {"type": "object", "properties": {"productId": TEXT, "quantity": {"type": "integer", "minimum": 1}}}
    order = row(items={**MANY, "minItems": 1, "items": line}, totalPrice=number)
    shop = sandbox(
        operation("listProducts", "GET", "/products", {**MANY, "items": row(name=TEXT, price=number)}),
        operation("getProduct", "GET", "/products/{productId}", row(name=TEXT, price=number)),
        operation("getOrder", "GET", "/orders/{orderId}", order),
        operation("createOrder", "POST", "/orders", order, items={**MANY, "items": line}),
    )
    product = (await value(shop, "listProducts"))[0]
    made = await value(shop, "createOrder", items=[{"productId": product["id"], "quantity": 3}])
    assert made["totalPrice"] == pytest.approx(3 * product["price"])


async def test_a_reference_shows_the_one_name_that_the_other_row_has() -> None:
    taking = row(schedule_id=TEXT, schedule_name=TEXT)
    ward = sandbox(
        operation("listSchedules", "GET", "/schedules", {**MANY, "items": row(medication_name=TEXT)}),
        operation("getSchedule", "GET", "/schedules/{scheduleId}", row(medication_name=TEXT)),
        operation("listTakings", "GET", "/takings", {**MANY, "items": taking}),
        operation("getTaking", "GET", "/takings/{takingId}", taking),
    )
    names = {item["id"]: item["medication_name"] for item in await value(ward, "listSchedules")}
    takings = await value(ward, "listTakings")
    assert [item["schedule_name"] for item in takings] == [names[item["schedule_id"]] for item in takings]


@pytest.mark.parametrize("kind", ["integer", "number", "string"])
async def test_references_have_the_type_of_the_field_that_holds_them(kind: str) -> None:
    doctor = {"type": "object", "properties": {"id": {"type": "number"}, "name": TEXT}, "required": ["id", "name"]}
    seen = {"type": "object", "properties": {"doctor_id": {"type": kind}, "doctor_name": TEXT}}
    visit = row(seen={**seen, "required": ["doctor_id", "doctor_name"]})
    visit["required"] = ["id", "seen"]
    opened = sandbox(
        operation("listDoctors", "GET", "/doctors", {**MANY, "items": doctor}),
        operation("getDoctor", "GET", "/doctors/{id}", doctor),
        operation("listVisits", "GET", "/visits", {**MANY, "items": visit}),
    )
    doctors = {str(each["id"]): each["name"] for each in await value(opened, "listDoctors")}
    for each in await value(opened, "listVisits"):
        key = each["seen"]["doctor_id"]
        assert isinstance(key, str) is (kind == "string")
        assert each["seen"]["doctor_name"] == doctors[str(key)]


async def test_what_somebody_is_to_a_row_may_stand_for_the_noun_of_their_identity() -> None:
    user, report = row(full_name=TEXT), row(reporter_user_id=TEXT, reporter_name=TEXT, user_id=TEXT)
    opened = sandbox(
        operation("listUsers", "GET", "/users", {**MANY, "items": user}),
        operation("getUser", "GET", "/users/{user_id}", user),
        operation("listReports", "GET", "/reports", {**MANY, "items": report}),
        operation("getReport", "GET", "/reports/{report_id}", report),
    )
    names = {each["id"]: each["full_name"] for each in await value(opened, "listUsers")}
    reports = await value(opened, "listReports")
    told = [each for each in reports if "reporter_name" in each and "reporter_user_id" in each]
    assert all(each["reporter_name"] == names[each["reporter_user_id"]] for each in told)
    assert told


async def test_a_row_is_shown_by_whatever_its_identity_is_called_and_by_its_other_ids() -> None:
    whole = {"type": "object", "properties": {"external_id": TEXT, "shop_id": TEXT, "email": TEXT}}
    bill = row(
        shop_customer_id=TEXT, external_customer_id=TEXT, payer={"type": "object", "properties": {"email": TEXT}}
    )
    bill["properties"]["customer"] = whole
    opened = sandbox(
        operation("listCustomers", "GET", "/customers", {**MANY, "items": whole}),
        operation("getCustomer", "GET", "/customers/{external_id}", whole),
        operation("listBills", "GET", "/customers/{external_customer_id}/bills", {**MANY, "items": bill}),
        operation("getBill", "GET", "/bills/{billId}", bill),
    )
    shown = 0
    for customer in await value(opened, "listCustomers"):
        for own in await value(opened, "listBills", external_customer_id=customer["external_id"]):
            assert own["customer"] == customer
            assert (own["external_customer_id"], own["shop_customer_id"]) == (
                customer["external_id"],
                customer["shop_id"],
            )
            shown += 1
    assert shown


def test_parts_of_a_row_that_name_it_agree_with_it() -> None:
    order = {"type": "object", "properties": {"menuname": TEXT, "menu_id": {"type": "string"}, "customer": TEXT}}
    menu = row(name=TEXT, orders={"type": "array", "minItems": 1, "items": order})
    opened = sandbox(
        operation("list_menus", "GET", "/menus", {"type": "array", "items": menu}),
        operation("get_menu", "GET", "/menus/{menu_id}", menu),
    )
    seen = 0
    for each in opened.state()["menu"].values():
        for held in each["orders"]:
            assert held.get("menuname", each["name"]) == each["name"]
            assert held.get("menu_id", each["id"]) == each["id"]
            seen += "menuname" in held
    assert seen


async def test_members_of_a_group_show_the_names_of_their_users() -> None:
    user = row(name=TEXT, email=TEXT, username=TEXT)
    member = row(username=TEXT, admin={"type": "boolean"})
    team = row(name=TEXT, members={**MANY, "minItems": 1, "items": row(name=TEXT, username=TEXT, email=TEXT)})
    opened = sandbox(
        operation("listUsers", "GET", "/users", {**MANY, "items": user}),
        operation("getUser", "GET", "/users/{user_id}", user),
        operation("listTeams", "GET", "/teams", {**MANY, "items": team}),
        operation("getTeam", "GET", "/teams/{team_id}", team),
        operation("listMembers", "GET", "/teams/{team_id}/members", {**MANY, "items": member}),
        operation("removeMember", "DELETE", "/teams/{team_id}/members/{user_id}", None),
    )
    users = {each["id"]: each for each in await value(opened, "listUsers")}
    members = [each for team in await value(opened, "listTeams") for each in team["members"]]
    assert members
    for each in members:
        assert all(users[each["id"]][name] == said for name, said in each.items() if name in users[each["id"]])


async def test_texts_of_a_row_name_the_person_to_whom_it_belongs() -> None:
    session = row(user_id=TEXT, summary=TEXT)
    opened = sandbox(
        operation("listUsers", "GET", "/users", {**MANY, "items": row(name=TEXT, email=TEXT)}),
        operation("getUser", "GET", "/users/{user_id}", row(name=TEXT, email=TEXT)),
        operation("listSessions", "GET", "/sessions", {**MANY, "items": session}),
        operation("getSession", "GET", "/sessions/{session_id}", session),
    )
    names = {each["id"]: each["name"] for each in await value(opened, "listUsers")}
    sessions = await value(opened, "listSessions")
    assert sessions
    assert all(names[each["user_id"]] in each["summary"] for each in sessions if "summary" in each)


async def test_nobody_is_in_one_group_twice() -> None:
    membership = row(user=row(name=TEXT), group=row(name=TEXT), role=TEXT)
    opened = sandbox(
        operation("listUsers", "GET", "/users", {**MANY, "items": row(name=TEXT)}),
        operation("getUser", "GET", "/users/{user_id}", row(name=TEXT)),
        operation("listGroups", "GET", "/groups", {**MANY, "items": row(name=TEXT)}),
        operation("getGroup", "GET", "/groups/{group_id}", row(name=TEXT)),
        operation("listMemberships", "GET", "/memberships", {**MANY, "items": membership}),
        operation("getMembership", "GET", "/memberships/{membership_id}", membership),
    )
    pairs = [(each["user"]["id"], each["group"]["id"]) for each in await value(opened, "listMemberships")]
    assert len(pairs) > 2
    assert len(set(pairs)) == len(pairs)


async def test_texts_of_a_row_between_two_people_are_about_neither() -> None:
    session = row(sender_user_id=TEXT, receiver_user_id=TEXT, summary=TEXT)
    opened = sandbox(
        operation("listUsers", "GET", "/users", {**MANY, "items": row(name=TEXT, email=TEXT)}),
        operation("getUser", "GET", "/users/{user_id}", row(name=TEXT, email=TEXT)),
        operation("listSessions", "GET", "/sessions", {**MANY, "items": session}),
        operation("getSession", "GET", "/sessions/{session_id}", session),
    )
    names = {each["id"]: each["name"] for each in await value(opened, "listUsers")}
    sessions = await value(opened, "listSessions")
    assert any(each["sender_user_id"] != each["receiver_user_id"] for each in sessions)
    for each in sessions:
        two = {names[each[field]] for field in ("sender_user_id", "receiver_user_id")}
        assert len(two) == 1 or not any(name in each.get("summary", "") for name in two)
