"""Resources, identities and effects, read from names and argument schemas where no path tells them."""

from typing import Any

import pytest
from tests.generators.environments.inference.examples import toolset_of
from tests.generators.environments.inline import TEXT, call, operation, row, sandbox

from interplay.generators.environments.inference.resources.plan_inference import infer_plan
from interplay.generators.environments.sandbox.sandbox import Sandbox
from interplay.schemas.records.tool import Source, Tool, Toolset

pytestmark = pytest.mark.anyio

STRINGS = {"type": "array", "items": TEXT}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def named(name: str, returns: dict[str, Any] | None = None, **arguments: Any) -> Tool:
    """Return a tool that only its name and arguments describe; all of these are required."""
    reads = name.split("_")[0] in ("get", "read", "list", "search", "open", "find")
    return Tool(
        name=name,
        original_name=name,
        description=name,
        parameters={"type": "object", "properties": arguments, "required": list(arguments)},
        returns=returns,
        effect="read" if reads else "write",
        source=Source(file="tools.json", pointer=f"/{name}"),
    )


def opened(*tools: Tool) -> Sandbox:
    return Sandbox(Toolset(name="named", tools=tools), seed=7)


def airline() -> Sandbox:
    return opened(
        named(
            "book_reservation", user_id=TEXT, origin=TEXT, passengers=STRINGS, status={"enum": ["booked", "cancelled"]}
        ),
        named("get_reservation_details", reservation_id=TEXT),
        named("get_user_details", user_id=TEXT),
        named("cancel_reservation", reservation_id=TEXT),
        named("update_reservation_passengers", reservation_id=TEXT, passengers=STRINGS),
    )


def test_tools_without_paths_act_on_what_their_names_and_arguments_speak_of() -> None:
    plan = airline()._plan
    does = {name: (item.operation, item.resource, item.target) for name, item in plan.tools.items()}
    assert does == {
        "book_reservation": ("create", "reservation", None),
        "get_reservation_details": ("read", "reservation", "reservation_id"),
        "get_user_details": ("read", "user", "user_id"),
        "cancel_reservation": ("action", "reservation", "reservation_id"),
        "update_reservation_passengers": ("update", "reservation", "reservation_id"),
    }
    assert set(plan.resources) == {"reservation", "user"}


async def test_what_a_named_tool_writes_another_reads() -> None:
    world = airline()
    user = next(iter(world.state()["user"]))
    made = await call(world, "book_reservation", user_id=user, origin="OSL", passengers=["Ann"], status="booked")
    key = made.value["id"]
    changed = await call(world, "update_reservation_passengers", reservation_id=key, passengers=["Ann", "Bo"])
    assert changed.error is None
    assert (await call(world, "cancel_reservation", reservation_id=key)).error is None
    held = (await call(world, "get_reservation_details", reservation_id=key)).value
    assert (held["passengers"], held["status"], held["user_id"]) == (["Ann", "Bo"], "cancelled", user)
    refused = await call(world, "book_reservation", user_id="nobody", origin="OSL", passengers=[], status="booked")
    assert "there is no user 'nobody'" in str(refused.error)


def test_rows_are_told_apart_by_what_lists_show_of_them_whatever_an_acknowledgement_calls_it() -> None:
    task = {"type": "object", "properties": {"id": TEXT, "title": TEXT}}
    made = {"type": "object", "properties": {"success": {"type": "boolean"}, "task_id": TEXT}}
    plan = infer_plan(
        Toolset(
            name="named",
            tools=(
                named("create_task", made, title=TEXT),
                named("get_tasks", {"type": "object", "properties": {"tasks": {"type": "array", "items": task}}}),
                named("update_task", task_id=TEXT, title=TEXT),
            ),
        )
    )
    assert plan.resources["task"].identity == "id"


async def test_a_file_is_written_read_written_over_and_moved() -> None:
    content = {"type": "object", "properties": {"content": TEXT}, "required": ["content"]}
    world = opened(
        named("read_text_file", content, path=TEXT),
        named("write_file", content, path=TEXT, content=TEXT),
        named("move_file", content, source=TEXT, destination=TEXT),
    )
    for text in ("one", "two"):
        assert (await call(world, "write_file", path="/a.txt", content=text)).error is None
        assert (await call(world, "read_text_file", path="/a.txt")).value == {"content": text}
    assert (await call(world, "move_file", source="/a.txt", destination="/b.txt")).error is None
    assert "404" in str((await call(world, "read_text_file", path="/a.txt")).error)
    assert (await call(world, "read_text_file", path="/b.txt")).value == {"content": "two"}


async def test_rows_named_in_lists_are_made_found_and_deleted() -> None:
    entity = {"type": "object", "properties": {"name": TEXT, "kind": TEXT}, "required": ["name", "kind"]}
    entities = {"type": "array", "items": entity}
    shown = {"type": "object", "properties": {"entities": entities}}
    done = {"type": "object", "properties": {"success": {"type": "boolean"}}}
    world = opened(
        named("create_entities", shown, entities=entities),
        named("open_nodes", shown, names=STRINGS),
        named("search_nodes", shown, query=TEXT),
        named("delete_entities", done, entityNames=STRINGS),
    )
    both = [{"name": "Ada", "kind": "person"}, {"name": "Zuse", "kind": "person"}]
    assert (await call(world, "create_entities", entities=both)).value == {"entities": both}
    assert (await call(world, "open_nodes", names=["Zuse"])).value == {"entities": both[1:]}
    assert (await call(world, "search_nodes", query="ada")).value == {"entities": both[:1]}
    assert (await call(world, "delete_entities", entityNames=["Ada", "nobody"])).error is None
    assert (await call(world, "open_nodes", names=["Ada", "Zuse"])).value == {"entities": both[1:]}


def test_the_identity_is_what_a_read_of_one_row_shows() -> None:
    person = row(name=TEXT)
    mixed = {"type": "object", "properties": {"user_id": TEXT, "user": person}}
    tools = (
        operation("listUsers", "GET", "/users", {"type": "array", "items": mixed}),
        operation("getUser", "GET", "/users/{user_id}", person),
    )
    assert infer_plan(Toolset(name="mixed", tools=tools)).resources["user"].identity == "id"


async def test_an_identity_that_lists_show_as_a_number_and_paths_take_as_a_text_is_one() -> None:
    numbered = {"type": "object", "properties": {"orderId": {"type": "integer"}, "total": {"type": "number"}}}
    order = {"type": "object", "properties": {"orderId": TEXT, "product": TEXT}}
    world = sandbox(
        operation("listOrders", "GET", "/orders", {"type": "array", "items": numbered}),
        operation("getOrder", "GET", "/orders/{orderId}", order),
    )
    [first, *_] = (await call(world, "listOrders")).value
    assert isinstance(first["orderId"], int)
    assert (await call(world, "getOrder", orderId=str(first["orderId"]))).value["orderId"] == str(first["orderId"])


def test_a_field_by_which_paths_name_a_row_holds_its_identity() -> None:
    wallet = row(code=TEXT, name=TEXT, colour=TEXT)
    tools = (
        operation("listWallets", "GET", "/wallets", {"type": "array", "items": wallet}),
        operation("getWallet", "GET", "/wallets/{wallet_id}", wallet),
        operation("listAlerts", "GET", "/wallets/{wallet_code}/alerts", {"type": "array", "items": row(title=TEXT)}),
    )
    assert infer_plan(Toolset(name="wallets", tools=tools)).resources["wallet"].handles == ("code",)
    rows = sandbox(*tools).state()["wallet"]
    assert rows
    assert all(held["code"] == held["id"] for held in rows.values())
    named = operation("listAlerts", "GET", "/wallets/{wallet_name}/alerts", {"type": "array", "items": row(title=TEXT)})
    assert infer_plan(Toolset(name="wallets", tools=(*tools[:2], named))).resources["wallet"].handles == ()


async def test_references_deep_in_a_body_must_hold_and_are_named_where_they_do_not() -> None:
    product, order = row(name=TEXT), row(note=TEXT)
    lines = {
        "type": "array",
        "items": {"type": "object", "properties": {"product_id": TEXT, "count": {"type": "integer"}}},
    }
    tools = (
        operation("getProduct", "GET", "/products/{product_id}", product),
        operation("getOrder", "GET", "/orders/{order_id}", order),
        operation("createOrder", "POST", "/orders", order, lines=lines, note=TEXT),
    )
    world = Sandbox(Toolset(name="shop", tools=tools), seed=7)
    known = next(iter(world.state()["product"]))
    assert (await call(world, "createOrder", lines=[{"product_id": known}])).error is None
    refused = await call(world, "createOrder", lines=[{"product_id": known}, {"product_id": "P-0"}])
    assert refused.error is not None
    assert "there is no product 'P-0'" in refused.error


def remote(name: str, /, **arguments: str) -> Tool:
    """Return a function behind a path (`/conversations.archive`); all its arguments are texts, described and optional."""
    described = {key: {"type": "string", "description": text} for key, text in arguments.items()}
    done = {"type": "object", "properties": {"ok": {"type": "boolean"}}}
    return operation(name.replace(".", "_"), "POST", f"/{name}", done, **described)


@pytest.mark.parametrize(
    ("tool", "expected"),
    [
        (
            remote("conversations.archive", channel="ID of conversation to archive"),
            ("action", "conversation", "channel"),
        ),
        (
            remote("conversations.rename", name="New name", channel="ID of conversation to rename"),
            ("update", "conversation", "channel"),
        ),
        (remote("reminders.complete", reminder="The ID of the reminder"), ("action", "reminder", "reminder")),
        (remote("reactions.add", name="Emoji"), ("create", "reaction", None)),
        (
            remote("usergroups.update", usergroup="The encoded ID of the User Group"),
            ("update", "usergroup", "usergroup"),
        ),
    ],
)
def test_functions_behind_paths_act_on_what_their_names_say(tool: Tool, expected: tuple[str, str, str | None]) -> None:
    plan = infer_plan(Toolset(name="remote", tools=(tool, remote("conversations.create", name="Name"))))
    found = plan.tools[tool.name]
    assert (found.operation, found.resource, found.target) == expected


def test_the_words_of_a_path_are_those_of_the_operation() -> None:
    shown = row(common_name=TEXT)
    plan = infer_plan(
        Toolset(
            name="inline",
            tools=(
                operation("GetSslCertificates", "GET", "/sslcertificates", {"type": "array", "items": shown}),
                operation("GetSslCertificate", "GET", "/sslcertificates/{id}", shown),
                operation("listDatabases", "GET", "/databases", {"type": "array", "items": shown}),
            ),
        )
    )
    assert [item.resource for item in plan.tools.values()] == ["ssl_certificate", "ssl_certificate", "database"]


def test_to_unlike_something_does_not_delete_it() -> None:
    shown = row(title=TEXT)
    tools = (
        operation("get_track", "GET", "/tracks/{track_id}", shown),
        operation("delete_track", "DELETE", "/tracks/{track_id}", None),
        operation("unlike_track", "DELETE", "/likes/tracks/{track_id}", None),
        operation("like_track", "POST", "/likes/tracks/{track_id}", None),
        operation("get_follow_up", "DELETE", "/archive/tracks/{track_id}", None),
    )
    plan = infer_plan(Toolset(name="inline", tools=tools))
    assert [item.operation for item in plan.tools.values()] == ["read", "delete", "action", "action", "delete"]
    assert {item.resource for item in plan.tools.values()} == {"track"}


def test_what_stands_only_among_what_people_share_is_deleted() -> None:
    about = {"get": "Get a comment.", "delete": "Delete a comment on a post."}
    tools = [
        operation(f"{verb}_{kind}_comment", verb.upper(), f"/{kind}s/comments/{{comment_id}}", shown)
        for kind in ("post", "bookmark")
        for verb, shown in (("get", row(text=TEXT)), ("delete", None))
    ]
    tools = [tool.model_copy(update={"summary": about[tool.name.partition("_")[0]]}) for tool in tools]
    plan = infer_plan(Toolset(name="inline", tools=tuple(tools)))
    assert [item.operation for item in plan.tools.values()] == ["read", "delete"] * 2


async def test_rows_that_a_page_of_hal_embeds_are_listed_and_the_page_names_what_they_lie_within() -> None:
    refund = row(amount={"type": "number"})
    page = {
        "type": "object",
        "properties": {
            "payment_id": TEXT,
            "_links": {"type": "object", "properties": {"self": TEXT}},
            "_embedded": {"type": "object", "properties": {"refunds": {"type": "array", "items": refund}}},
        },
        "required": ["payment_id", "_embedded"],
    }
    opened = Sandbox(
        Toolset(
            name="inline",
            tools=(
                operation("get_payment", "GET", "/payments/{paymentId}", row(reference=TEXT)),
                operation("list_refunds", "GET", "/payments/{paymentId}/refunds", page),
                operation("get_refund", "GET", "/payments/{paymentId}/refunds/{refund_id}", refund),
            ),
        ),
        seed=7,
    )
    key = next(iter(opened.state()["payment"]))
    found = (await call(opened, "list_refunds", paymentId=key)).value
    assert found["payment_id"] == key
    first = found["_embedded"]["refunds"][0]
    assert (await call(opened, "get_refund", paymentId=key, refund_id=first["id"])).value == first


async def test_a_row_in_a_wide_envelope_is_the_row() -> None:
    lead = row(title=TEXT)
    said = dict.fromkeys(("status", "service", "resource", "operation"), TEXT) | {"status_code": {"type": "integer"}}
    one = {"type": "object", "properties": {**said, "data": lead}, "required": ["data"]}
    many = {"type": "object", "properties": {**said, "data": {"type": "array", "items": lead}}, "required": ["data"]}
    opened = Sandbox(
        Toolset(
            name="inline",
            tools=(
                operation("list_leads", "GET", "/leads", many),
                operation("get_lead", "GET", "/leads/{id}", one),
                operation("update_lead", "PATCH", "/leads/{id}", one, title=TEXT),
            ),
        ),
        seed=7,
    )
    first = (await call(opened, "list_leads")).value["data"][0]
    assert (await call(opened, "get_lead", id=first["id"])).value["data"] == first
    changed = (await call(opened, "update_lead", id=first["id"], title="Tea")).value["data"]
    assert changed == {**first, "title": "Tea"}


async def test_what_paths_take_to_name_a_row_is_its_identity_though_no_tool_reads_one() -> None:
    account = {"type": "object", "properties": {"iban": TEXT, "type": TEXT}}
    opened = sandbox(
        operation("list_accounts", "GET", "/accounts", {"type": "array", "items": account}),
        operation("list_transfers", "GET", "/accounts/{iban}/transfers", {"type": "array", "items": row(amount=TEXT)}),
    )
    accounts = (await call(opened, "list_accounts")).value
    found = [(await call(opened, "list_transfers", iban=account["iban"])).value for account in accounts]
    names = [item["id"] for items in found for item in items]
    assert all(found)
    assert len(set(names)) == len(names)


async def test_an_identity_is_found_though_the_thing_stands_in_the_middle_of_its_name() -> None:
    customer = {"type": "object", "properties": {"crm_id": TEXT, "slug": TEXT, "external_id": TEXT, "name": TEXT}}
    tools = [
        operation("list_customers", "GET", "/customers", {"type": "array", "items": customer}),
        operation("get_customer", "GET", "/customers/{external_customer_id}", customer),
    ]
    assert infer_plan(Toolset(name="crm", tools=tuple(tools))).resources["customer"].identity == "external_id"


async def test_a_body_that_may_hold_one_row_or_several_is_taken_apart() -> None:
    alert = row(threshold={"type": "integer"})
    one = {
        "type": "object",
        "properties": {"alert": {"type": "object", "properties": {"threshold": {"type": "integer"}}}},
    }
    many = {"type": "object", "properties": {"alerts": {"type": "array"}}}
    made = operation("create_alert", "POST", "/alerts", alert, body={"anyOf": [one, many]})
    assert made.http is not None
    made = made.model_copy(update={"http": made.http.model_copy(update={"original_names": {"body": ""}})})
    shop = sandbox(operation("get_alert", "GET", "/alerts/{alert_id}", alert), made)
    result = await call(shop, "create_alert", body={"alert": {"threshold": 290}})
    assert result.value["threshold"] == 290


def test_rows_belong_to_what_their_schema_is_called_after() -> None:
    plan = infer_plan(toolset_of("GET /admin/menu/status -> [menu] | POST /admin/menu (name) -> menu"))
    assert {tool.resource for tool in plan.tools.values()} == {"menu"}


def test_a_list_that_a_path_narrows_by_anything_is_one_of_the_same_rows() -> None:
    plan = infer_plan(toolset_of("GET /payment/user/{userId} -> [payment] | GET /payment -> [payment]"))
    assert [(tool.operation, tool.resource) for tool in plan.tools.values()] == [("list", "payment")] * 2


@pytest.mark.parametrize(("name", "refers"), [({}, True), ({"name": TEXT}, False)])
def test_a_field_that_is_called_like_the_owner_names_it_where_that_has_no_name(
    name: dict[str, Any], refers: bool
) -> None:
    auction = {"type": "object", "properties": {"id": TEXT, "status": TEXT, **name}}
    bid = {"type": "object", "properties": {"id": TEXT, "auction": TEXT, "amount": {"type": "integer"}}}
    opened = sandbox(
        operation("listAuctions", "GET", "/auctions", {"type": "array", "items": auction}),
        operation("getAuction", "GET", "/auctions/{auctionId}", auction),
        operation("listBids", "GET", "/auctions/{auctionId}/bids", {"type": "array", "items": bid}),
        operation("getBid", "GET", "/auctions/{auctionId}/bids/{bidId}", bid),
    )
    held = {row["auction"] for row in opened.state()["bid"].values()}
    assert (held <= {row["id"] for row in opened.state()["auction"].values()}) == refers


@pytest.mark.parametrize(("fields", "refers"), [({"name": TEXT}, True), ({"first_name": TEXT, "email": TEXT}, False)])
def test_an_example_alone_does_not_make_an_object_a_row_whose_fields_it_lacks(
    fields: dict[str, Any], refers: bool
) -> None:
    known = {"type": "string", "examples": ["4ff1e5cc-9835-40d5-bb18-09fdb118db9c"]}
    folder = {"type": "object", "properties": {"id": known, "name": TEXT}}
    place = {"type": "object", "properties": {"id": known, **fields}}
    file = {"type": "object", "properties": {"id": TEXT, "place": place}}
    opened = sandbox(
        operation("listFolders", "GET", "/folders", {"type": "array", "items": folder}),
        operation("getFolder", "GET", "/folders/{folderId}", folder),
        operation("listFiles", "GET", "/files", {"type": "array", "items": file}),
        operation("getFile", "GET", "/files/{fileId}", file),
    )
    assert ("/place/id" in opened._plan.resources["file"].references) == refers


@pytest.mark.parametrize(("kind", "refers"), [("folder", False), ("entry", True), ("entry_reference", True)])
def test_a_constant_type_tells_which_kind_an_object_is_of(kind: str, refers: bool) -> None:
    def thing(of: str, **fields: Any) -> dict[str, Any]:
        return {"type": "object", "properties": {"id": TEXT, "type": {"const": of}, **fields}}

    listed = {"type": "array", "items": thing(kind)}
    opened = sandbox(
        operation("listEntries", "GET", "/allowed_entries", {"type": "array", "items": thing("entry", name=TEXT)}),
        operation("getEntry", "GET", "/allowed_entries/{entryId}", thing("entry", name=TEXT)),
        operation("getFile", "GET", "/files/{fileId}", row(title=TEXT, entries=listed)),
    )
    references = opened._plan.resources["file"].references
    assert ("/entries/*/id" in references) == refers


@pytest.mark.parametrize(
    ("pattern", "refers"), [("^IS[0-9a-f]{4}$", True), ("^MG[0-9a-f]{4}$", False), ("^[IM]", True)]
)
def test_a_field_whose_values_begin_otherwise_names_no_such_row(pattern: str, refers: bool) -> None:
    service = {"type": "object", "properties": {"sid": {**TEXT, "pattern": "^IS[0-9a-f]{4}$"}, "name": TEXT}}
    opened = sandbox(
        operation("getService", "GET", "/services/{sid}", service),
        operation("createTalk", "POST", "/talks", None, messaging_service_sid={**TEXT, "pattern": pattern}),
    )
    assert (opened._plan.references["createTalk"].get("/messaging_service_sid") == "service") == refers


def test_a_list_called_messages_is_one_where_messages_are_the_rows() -> None:
    plan = infer_plan(
        toolset_of(
            "GET /talks/{id}/messages -> {messages: [message], meta: {page, url}} | GET /messages/{id} -> message"
        )
    )
    assert plan.tools["operation0_0"].operation == "list"


@pytest.mark.parametrize(
    ("told", "target"),
    [("Identifier of the message's author", None), ("Identifier for the talk member", "member"), ("Identifier of the talk", "talk")],
)  # fmt: skip
def test_a_description_tells_of_what_the_whole_phrase_is_about(told: str, target: str | None) -> None:
    known = " | ".join(f"GET /{name}s/{{id}} -> {name}" for name in ("talk", "member", "message"))
    plan = infer_plan(toolset_of(f"POST /calls (who '{told}') | {known}"))
    assert plan.references["operation0_0"].get("/who") == target


@pytest.mark.parametrize(("query", "operation"), [("parcel_id", "read"), ("parcel_id&depot", "compute")])
def test_the_only_argument_of_a_look_at_a_thing_names_it(query: str, operation: str) -> None:
    first, *more = query.split("&")
    given = ", ".join([first, *more])
    plan = infer_plan(toolset_of(f"GET /parcel ?{given.replace(' ', '')} -> parcel | DELETE /parcel ?parcel_id!"))
    assert plan.tools["operation0_0"].operation == operation


@pytest.mark.anyio
async def test_a_body_whose_forms_only_require_other_fields_is_in_the_new_row() -> None:
    user = {"type": "object", "title": "User", "properties": {"id": TEXT, "email": TEXT, "phone": TEXT}}
    given = {
        "type": "object",
        "properties": {"email": TEXT, "phone": TEXT},
        "oneOf": [{"required": ["email"]}, {"required": ["phone"]}],
    }
    made = operation("createUser", "POST", "/users", user, body=given)
    assert made.http is not None
    made = made.model_copy(update={"http": made.http.model_copy(update={"original_names": {"body": ""}})})
    opened = sandbox(operation("getUser", "GET", "/users/{userId}", user), made)
    assert (await call(opened, "createUser", body={"email": "ada@example.com"})).value["email"] == "ada@example.com"


def test_a_word_that_says_nothing_is_called_as_its_parameter_is() -> None:
    plan = infer_plan(
        toolset_of("GET /crm/objects/{dealId} -> {id, amount} | GET /crm/objects -> {results: [{id, amount}]}")
    )
    assert {tool.resource for tool in plan.tools.values()} == {"deal"}


@pytest.mark.parametrize(
    ("told", "target"), [("The id of the event in the other service", None), ("The id of the event", "event")]
)
def test_what_is_described_as_another_field_of_a_row_is_not_its_identity(told: str, target: str | None) -> None:
    known = (
        "GET /events/{event_key} -> {event_key 'The key', other_id 'The id of the event in the other service', name}"
    )
    plan = infer_plan(toolset_of(f"GET /search ?q -> {{total}} | {known}"))
    search = next(tool for tool in plan.tools.values() if "search" in tool.tool.path).tool
    given = {**search.parameters, "properties": {"q": {**TEXT, "description": told}}}
    tools = [tool.tool for tool in plan.tools.values() if tool.tool.name != search.name]
    changed = infer_plan(Toolset(name="events", tools=(search.model_copy(update={"parameters": given}), *tools)))
    assert changed.references[search.name].get("/q") == target


def test_members_of_a_group_are_of_the_owner_of_the_group() -> None:
    member = {
        "type": "object",
        "title": "Membership",
        "properties": {"id": TEXT, "org_id": TEXT},
        "required": ["id", "org_id"],
    }
    group = {"type": "object", "title": "Group", "properties": {"id": TEXT, "name": TEXT}}
    place = "/orgs/{org_id}/groups/{group_id}/memberships"
    opened = sandbox(
        operation("getOrg", "GET", "/orgs/{org_id}", row(name=TEXT)),
        operation("listGroups", "GET", "/orgs/{org_id}/groups", {"type": "array", "items": group}),
        operation("getGroup", "GET", "/orgs/{org_id}/groups/{group_id}", group),
        operation("getMembership", "GET", "/memberships/{membership_id}", member),
        operation("listMembers", "GET", place, {"type": "array", "items": member}),
    )
    state = opened.state()
    groups = {key: held["_parents"]["org"] for key, held in state["group"].items()}
    of = [(held["_parents"]["group"], held["org_id"]) for held in state["membership"].values()]
    assert of
    assert all(groups[key] == org for key, org in of)
