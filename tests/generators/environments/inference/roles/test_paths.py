"""Rows found by other than the path's own identity, and rows inside what only says how a call went."""

from typing import Any

import pytest
from tests.generators.environments.inline import TEXT, call, operation, row, sandbox

from interplay.generators.environments.inference.resources.plan_inference import infer_plan
from interplay.schemas.records.tool import Tool, Toolset

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def told(**payload: Any) -> dict[str, Any]:
    fields = {"status": {"type": "integer"}, "error": {"type": "boolean"}, **payload}
    return {"type": "object", "properties": fields, "required": list(fields)}


def many(schema: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": schema}


def whole(**fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields)}


async def test_rows_stand_beside_what_says_how_the_call_went() -> None:
    brush = row(name=TEXT, paint_id=TEXT)
    opened = sandbox(
        operation("list_paints", "GET", "/paints", many(row(name=TEXT))),
        operation("get_paint", "GET", "/paints/{paint_id}", row(name=TEXT)),
        operation("list_brushes", "GET", "/paints/{paint_id}/brushes", told(meta=whole(brushes=many(brush)))),
        operation("get_brush", "GET", "/brushes/{brush_id}", told(meta=brush)),
    )
    paint = (await call(opened, "list_paints")).value[0]["id"]
    listed = (await call(opened, "list_brushes", paint_id=paint)).value["meta"]["brushes"]
    assert listed
    assert {item["paint_id"] for item in listed} == {paint}
    assert (await call(opened, "get_brush", brush_id=listed[0]["id"])).value["meta"] == listed[0]


async def test_the_details_of_a_row_are_that_row_with_more_fields() -> None:
    quiz = row(title=TEXT, level=TEXT)
    opened = sandbox(
        operation("list_quizzes", "GET", "/quizzes", many(quiz)),
        operation("get_quiz", "GET", "/quizzes/{quiz_id}", quiz),
        operation("get_quiz_details", "GET", "/quizzes/{quiz_id}/details", row(title=TEXT, level=TEXT, topic=TEXT)),
        operation("get_quiz_summary", "GET", "/quizzes/{quiz_id}/summary", whole(tries={"type": "integer"})),
    )
    listed = (await call(opened, "list_quizzes")).value[0]
    told_more = (await call(opened, "get_quiz_details", quiz_id=listed["id"])).value
    assert listed.items() <= told_more.items()
    assert (opened.resources.by_tool["get_quiz_details"].resource, "topic" in told_more) == ("quiz", True)
    assert opened.resources.by_tool["get_quiz_summary"].resource != "quiz"


async def test_a_field_that_paths_call_so_holds_the_identity() -> None:
    charge = row(customer=TEXT, label=TEXT, version=TEXT)
    opened = sandbox(
        operation("list_customers", "GET", "/customers", many(row(name=TEXT))),
        operation("get_customer", "GET", "/customers/{customer}", row(name=TEXT)),
        operation("get_version", "GET", "/versions/{version}", row(name=TEXT)),
        operation("get_label", "GET", "/labels/{id}", row(name=TEXT)),
        operation("list_charges", "GET", "/charges", many(charge)),
    )
    customers = {each["id"] for each in (await call(opened, "list_customers")).value}
    charges = (await call(opened, "list_charges")).value
    assert {each["customer"] for each in charges} <= customers
    assert opened.resources.by_name["charge"].because.keys() >= {"/customer"}
    assert not opened.resources.by_name["charge"].because.keys() & {"/label", "/version"}


async def test_a_path_names_the_field_by_which_it_finds_a_row() -> None:
    parcel = row(reference=TEXT, weight={"type": "integer"})
    opened = sandbox(
        operation("list_parcels", "GET", "/v1/parcels", many(parcel)),
        operation("get_parcel", "GET", "/v1/parcels/{id}", parcel),
        operation("get_parcel_by_reference", "GET", "/v1/parcels/by-reference/{reference}", parcel),
    )
    wanted = (await call(opened, "list_parcels")).value[4]
    found = await call(opened, "get_parcel_by_reference", reference=wanted["reference"])
    assert found.value == wanted == (await call(opened, "get_parcel", id=wanted["id"])).value
    assert str((await call(opened, "get_parcel_by_reference", reference="none")).error).startswith("404")


async def test_one_place_finds_a_row_by_its_identity_and_by_another_of_its_fields() -> None:
    post = whole(post_id=TEXT, title=TEXT, author_id=TEXT)
    opened = sandbox(
        operation("list_posts", "GET", "/posts", many(post)),
        operation("get_post_by_author", "GET", "/posts/{author_id}", post),
        operation("get_post", "GET", "/posts/{id}", post),
        operation("delete_post", "DELETE", "/posts/{id}", None),
        operation("get_user", "GET", "/users/{id}", whole(user_id=TEXT, name=TEXT)),
    )
    assert opened.resources.by_name["post"].identity == "post_id"
    wanted = (await call(opened, "list_posts")).value[2]
    assert wanted["author_id"] in opened.state()["user"]
    assert (await call(opened, "get_post", id=wanted["post_id"])).value == wanted
    found = (await call(opened, "get_post_by_author", author_id=wanted["author_id"])).value
    assert found["author_id"] == wanted["author_id"]


async def test_a_collection_may_be_divided_by_a_value() -> None:
    purchase = row(uid=TEXT, cost={"type": "integer"})
    opened = sandbox(
        operation("list_purchases", "GET", "/purchases/{uid}", many(purchase)),
        operation("get_purchase", "GET", "/purchases/{uid}/{id}", purchase),
        operation("add_purchase", "POST", "/purchases/{uid}", purchase, cost={"type": "integer"}),
    )
    assert opened.resources.by_name["purchase"].identity == "id"
    assert opened.resources.by_tool["list_purchases"].operation == "list"
    uid = next(iter(opened.state()["purchase"].values()))["uid"]
    made = (await call(opened, "add_purchase", uid=uid, cost=7)).value
    assert made["uid"] == uid
    listed = (await call(opened, "list_purchases", uid=uid)).value
    assert made["id"] in {item["id"] for item in listed}
    assert {item["uid"] for item in listed} == {uid}


async def test_a_row_stands_in_a_list_beside_its_viewer() -> None:
    place = row(name=TEXT, distance={"type": "number"})
    shown = {"data": many(place), "msg": TEXT, "status": {"type": "integer"}, "user": whole(email=TEXT)}
    opened = sandbox(
        operation("list_places", "GET", "/places", whole(**shown)),
        operation("get_place", "GET", "/place/{place_id}", whole(**shown)),
    )
    wanted = (await call(opened, "list_places")).value["data"][1]
    assert (await call(opened, "get_place", place_id=wanted["id"])).value["data"] == [wanted]


async def test_what_is_only_chosen_is_the_row_itself() -> None:
    place = row(name=TEXT)
    opened = sandbox(
        operation("list_places", "GET", "/places", many(place)),
        operation("get_place", "GET", "/places/{place_id}", place),
        operation("save_place", "POST", "/me/saved-places", None, placeId=TEXT),
        operation("forget_place", "DELETE", "/me/saved-places", None, placeId=TEXT),
    )
    assert {opened.resources.by_tool[name].resource for name in ("save_place", "forget_place")} == {"place"}
    wanted = (await call(opened, "list_places")).value[0]["id"]
    assert (await call(opened, "save_place", placeId=wanted)).error is None
    assert str((await call(opened, "save_place", placeId="none")).error).startswith("404")


async def test_a_collection_is_narrowed_by_a_row_that_has_its_home_elsewhere() -> None:
    review = row(text=TEXT, product_id=TEXT)
    opened = sandbox(
        operation("list_products", "GET", "/products", many(row(name=TEXT))),
        operation("get_product", "GET", "/products/{product_id}", row(name=TEXT)),
        operation("get_review", "GET", "/reviews/{review_id}", review),
        operation("my_reviews", "GET", "/reviews/my-reviews", None),
        operation("reviews_of_product", "GET", "/reviews/product/{product_id}", None),
    )
    products = (await call(opened, "list_products")).value
    found = [(await call(opened, "reviews_of_product", product_id=each["id"])).value for each in products]
    assert all(
        {item["product_id"] for item in items} <= {each["id"]} for each, items in zip(products, found, strict=True)
    )
    assert {item["id"] for items in found for item in items} == set(opened.state()["review"])
    assert {item["id"] for item in (await call(opened, "my_reviews")).value} == set(opened.state()["review"])


async def test_a_collection_called_in_the_singular_is_narrowed_by_a_value_or_by_another_row() -> None:
    event, photo = row(name=TEXT, type=TEXT), {**row(link=TEXT), "title": "Photo"}
    opened = sandbox(
        operation("get_events", "GET", "/stage_event", many(event)),
        operation("get_event", "GET", "/stage_event/{stage_event_id}", event),
        operation("get_events_by_type", "GET", "/stage_event/by_type/{type}", many(event)),
        operation("get_photos_by_event", "GET", "/photo/by_stage_event/{stage_event_id}", many(photo)),
        operation("get_photos_at_event", "GET", "/photo/taken_at/{id_event}", many(photo)),
    )
    events = (await call(opened, "get_events")).value
    for each in events:
        found = (await call(opened, "get_events_by_type", type=each["type"])).value
        assert found == [one for one in events if one["type"] == each["type"]]
        photos = (await call(opened, "get_photos_by_event", stage_event_id=each["id"])).value
        assert all(item["id"] in opened.state()["photo"] for item in photos)
        assert (await call(opened, "get_photos_at_event", id_event=each["id"])).value == photos


async def test_an_identity_may_stand_behind_the_path() -> None:
    craft = {"type": "object", "properties": {"uid": TEXT, "name": TEXT, "deckNumber": TEXT}, "required": ["uid"]}
    shown = whole(craftClass=craft)
    read = operation("get_craft_class", "GET", "/craftClass", shown, query_uid=TEXT)
    read = read.model_copy(update={"parameters": {**read.parameters, "required": ["uid"]}})
    opened = sandbox(operation("search_craft", "GET", "/craftClass/search", whole(craftClasses=many(craft))), read)
    wanted = (await call(opened, "search_craft")).value["craftClasses"][2]
    assert (await call(opened, "get_craft_class", uid=wanted["uid"])).value["craftClass"] == wanted
    assert str((await call(opened, "get_craft_class", uid="none")).error).startswith("404")


async def test_the_fields_of_a_whole_body_are_those_of_the_row() -> None:
    made = operation(
        "add_item", "POST", "/items", row(name=TEXT), body={"type": "object", "properties": {"name": TEXT}}
    )
    assert made.http is not None
    made = made.model_copy(update={"http": made.http.model_copy(update={"original_names": {"body": ""}})})
    opened = sandbox(made, operation("get_item", "GET", "/items/{id}", None))
    item = (await call(opened, "add_item", body={"name": "Spade"})).value
    assert item["name"] == "Spade"
    assert "" not in (await call(opened, "get_item", id=item["id"])).value


def test_an_example_that_many_identities_share_tells_of_none() -> None:
    same: dict[str, Any] = {**TEXT, "examples": ["8cbb43fe-4cdf"]}
    shown = {"type": "object", "properties": {"id": same, "name": TEXT}, "required": ["id"]}
    note = {**shown, "properties": {**shown["properties"], "remark": same}}
    names = {"files": shown, "folders": shown, "notes": note}
    tools = [operation(f"get_{name}", "GET", f"/{name}/{{id}}", schema) for name, schema in names.items()]
    assert infer_plan(Toolset(name="inline", tools=tuple(tools))).resources["note"].references == {}


async def test_a_path_that_takes_the_kind_of_a_thing_leaves_its_identity_as_it_is() -> None:
    marked = {**TEXT, "pattern": "^cr-[0-9]{3}$"}
    courier = {"type": "object", "properties": {"courier_id": marked, "name": TEXT}, "required": ["courier_id"]}
    read = operation("get_courier", "GET", "/couriers/{courier_id}", courier)
    add = operation("connect_courier", "POST", "/connections/couriers/{courier_name}", None, nickname=TEXT)
    kinds = {**add.parameters["properties"], "courier_name": {**TEXT, "enum": ["by_bike", "by_van"]}}
    add = add.model_copy(update={"parameters": {**add.parameters, "properties": kinds}})
    listed = (
        await call(sandbox(operation("list_couriers", "GET", "/couriers", many(courier)), read, add), "list_couriers")
    ).value
    assert len(listed) > 1


async def test_a_path_may_take_a_list_of_identities() -> None:
    fetched = operation("get_paints", "GET", "/paints/{ids}", many(row(name=TEXT)))
    first = operation("get_first", "GET", "/first/paints/{keys}", row(name=TEXT))
    listing = {"type": "array", "items": TEXT}
    opened = sandbox(
        operation("list_paints", "GET", "/paints", many(row(name=TEXT))),
        *(
            tool.model_copy(update={"parameters": {**tool.parameters, "properties": {name: listing}}})
            for tool, name in ((fetched, "ids"), (first, "keys"))
        ),
    )
    paints = (await call(opened, "list_paints")).value
    wanted = [paints[2]["id"], paints[0]["id"]]
    assert (await call(opened, "get_paints", ids=wanted)).value == [paints[2], paints[0]]
    assert (await call(opened, "get_first", keys=wanted)).value == paints[2]
    assert "there is no paint 'x'" in str((await call(opened, "get_paints", ids=["x"])).error)
    assert "ids names no paint" in str((await call(opened, "get_paints", ids=[])).error)


def narrowed(tool: Tool, **schemas: dict[str, Any]) -> Tool:
    """Return a tool some of whose arguments have these schemas."""
    properties = {**tool.parameters["properties"], **schemas}
    return tool.model_copy(update={"parameters": {**tool.parameters, "properties": properties}})


async def test_a_path_that_ends_with_which_rows_are_wanted_lists_them() -> None:
    listed = operation("list_lists", "GET", "/shows/{show_id}/lists/{kind}/{sort}", many(row(name=TEXT)))
    opened = sandbox(
        operation("get_show", "GET", "/shows/{show_id}", row(name=TEXT)),
        narrowed(listed, kind={"enum": ["all", "own"]}, sort={"enum": ["added", "title"]}),
    )
    show = next(iter(opened.state()["show"]))
    shown = (await call(opened, "list_lists", show_id=show, kind="all", sort="title")).value
    assert {item["id"] for item in shown} <= set(opened.state()["list"])
    assert shown


def test_what_names_the_kind_of_a_thing_names_none_of_them() -> None:
    code = {"type": "string", "pattern": "^se-[0-9]{3}$"}
    carrier = {"type": "object", "properties": {"carrier_id": code, "nickname": TEXT}, "required": ["carrier_id"]}
    maker = {"type": "string", "enum": ["dhl", "ups"]}
    below = "/connections/carriers/{carrier_name}"
    tools = [
        operation("get_carrier", "GET", "/carriers/{carrier_id}", carrier),
        narrowed(operation("connect", "POST", below, whole(carrier_id=code), nickname=TEXT), carrier_name=maker),
        narrowed(operation("disconnect", "DELETE", below + "/{carrier_id}", None), carrier_name=maker),
    ]
    plan = infer_plan(Toolset(name="inline", tools=tuple(tools)))
    assert (plan.tools["connect"].target, dict(plan.references["connect"])) == (None, {})
    assert plan.tools["disconnect"].target == "carrier_id"
    assert plan.references["disconnect"] == {"/carrier_id": "carrier"}


def test_an_identity_that_is_taken_as_a_number_is_one() -> None:
    tools = [
        operation("get_card", "GET", "/cards/{card_id}", row(name=TEXT)),
        narrowed(
            operation("put_card", "PUT", "/cards/{card_id}", row(name=TEXT), name=TEXT), card_id={"type": "number"}
        ),
    ]
    opened = sandbox(*tools)
    assert all(key.isdigit() for key in opened.state()["card"])


def test_dates_and_places_in_a_path_name_no_things() -> None:
    day = {"type": "string", "format": "date"}
    below = "/lines/{line_id}/status/{start}/to/{end}"
    around = "/stops/{latitude}/{longitude}"
    tools = (
        operation("get_line", "GET", "/lines/{line_id}", row(name=TEXT)),
        narrowed(operation("get_status", "GET", below, many(row(name=TEXT))), start=day, end=day),
        operation("list_stops", "GET", around, many(row(name=TEXT))),
    )
    plan = infer_plan(Toolset(name="inline", tools=tools))
    assert plan.references["get_status"] == {"/line_id": "line"}
    assert (plan.tools["list_stops"].operation, plan.tools["list_stops"].resource) == ("list", "stop")
    assert not plan.references["list_stops"]


def test_a_date_that_things_are_called_by_is_their_identity() -> None:
    day = {"type": "string", "format": "date"}
    month = {"type": "object", "properties": {"month": day, "income": {"type": "integer"}}}
    tools = (
        operation("get_plan", "GET", "/plans/{plan_id}", row(name=TEXT)),
        operation("list_months", "GET", "/plans/{plan_id}/months", many(month)),
        narrowed(operation("get_month", "GET", "/plans/{plan_id}/months/{month}", month), month=day),
    )
    plan = infer_plan(Toolset(name="inline", tools=tools))
    found = plan.tools["get_month"]
    assert (found.operation, found.resource, found.target) == ("read", "month", "month")


def test_an_identity_that_a_path_above_takes_as_a_number_is_one() -> None:
    below = operation("list_sites", "GET", "/kinds/{kind_id}/sites", many(row(name=TEXT)))
    opened = sandbox(
        operation("get_kind", "GET", "/kinds/{kind_id}", row(name=TEXT)), narrowed(below, kind_id={"type": "integer"})
    )
    assert all(key.isdigit() for key in opened.state()["kind"])


async def test_what_takes_an_id_or_a_slug_is_given_the_id() -> None:
    slug = {"type": "string", "pattern": "^[a-z0-9:_-]+$"}
    either = {"oneOf": [{"type": "integer", "minimum": 1}, slug]}
    league = {"type": "object", "properties": {"id": {"type": "integer"}, "slug": slug}, "required": ["id", "slug"]}
    opened = sandbox(
        operation("list_leagues", "GET", "/leagues", many(league)),
        narrowed(operation("get_league", "GET", "/leagues/{league_id_or_slug}", league), league_id_or_slug=either),
    )
    shown = (await call(opened, "list_leagues")).value[0]
    assert (await call(opened, "get_league", league_id_or_slug=shown["id"])).value == shown


def test_a_slug_is_made_of_words() -> None:
    league = {"type": "object", "properties": {"slug": {"type": "string", "pattern": "^[a-z0-9:_-]+$"}, "name": TEXT}}
    opened = sandbox(operation("get_league", "GET", "/leagues/{slug}", league))
    assert not any(key.isdigit() for key in opened.state()["league"])


def test_a_sid_is_an_identity() -> None:
    below = operation("list_senders", "GET", "/services/{ServiceSid}/senders", many(row(name=TEXT)))
    service = {"type": "object", "properties": {"sid": TEXT, "name": TEXT}, "required": ["sid"]}
    plan = infer_plan(
        Toolset(name="inline", tools=(operation("get_service", "GET", "/services/{Sid}", service), below))
    )
    assert plan.resources["service"].identity == "sid"
    assert plan.references["list_senders"] == {"/ServiceSid": "service"}
    note = operation("add_note", "POST", "/notes", row(), message=TEXT, service_sid=TEXT)
    plan = infer_plan(Toolset(name="inline", tools=(operation("get_service", "GET", "/services/{Sid}", service), note)))
    assert plan.references["add_note"] == {"/service_sid": "service"}


async def test_what_goes_by_identity_here_and_by_slug_there_is_found_by_what_its_row_shows() -> None:
    account, site = row(name=TEXT, slug=TEXT), row(name=TEXT, account_id=TEXT)
    opened = sandbox(
        operation("list_accounts", "GET", "/accounts", many(account)),
        operation("get_account", "GET", "/accounts/{account_id}", account),
        operation("list_env", "GET", "/accounts/{account_id}/env", many(row(value=TEXT))),
        operation("list_sites", "GET", "/{account_slug}/sites", many(site)),
    )
    for shown in (await call(opened, "list_accounts")).value:
        assert (await call(opened, "get_account", account_id=shown["id"])).value["slug"] == shown["slug"]
        found = await call(opened, "list_sites", account_slug=shown["slug"])
        assert found.error is None
        assert {item["account_id"] for item in found.value} <= {shown["id"]}


def test_collections_of_what_is_so_are_kept_apart_and_those_that_narrow_are_not() -> None:
    found, event = row(name=TEXT, found_on=TEXT), row(name=TEXT, type=TEXT)
    tools = [
        operation("listItemsFound", "GET", "/items/found", many(found)),
        operation("addItemFound", "POST", "/items/found", found, name=TEXT),
        operation("listItemsLost", "GET", "/items/lost", many(found)),
        operation("listEvents", "GET", "/events", many(event)),
        operation("getEventById", "GET", "/events/{eventId}", event),
        operation("getEventsByType", "GET", "/events/bytype/{type}", many(event)),
    ]
    plan = infer_plan(Toolset(name="t", tools=tuple(tools)))
    assert {plan.tools[name].resource for name in ("listItemsFound", "addItemFound")} == {"found_item"}
    assert plan.tools["listItemsLost"].resource != "found_item"
    assert (plan.tools["getEventsByType"].operation, plan.tools["getEventsByType"].resource) == ("list", "event")


async def test_the_list_of_what_another_path_speaks_of_is_no_thing_of_its_own() -> None:
    song = row(title=TEXT)
    opened = sandbox(
        operation("list_songs", "GET", "/songList", many(song)),
        operation("add_song", "POST", "/song", song, title=TEXT),
        operation("list_task_lists", "GET", "/task_list", many(row(title=TEXT))),
        operation("get_task_list", "GET", "/task_list/{id}", row(title=TEXT)),
        operation("list_tasks", "GET", "/task", many(row(title=TEXT))),
    )
    added = (await call(opened, "add_song", title="Silver Postcards")).value
    assert added["id"] in {song["id"] for song in (await call(opened, "list_songs")).value}
    lists = {item["id"] for item in (await call(opened, "list_task_lists")).value}
    assert lists.isdisjoint(item["id"] for item in (await call(opened, "list_tasks")).value)


async def test_what_a_summary_calls_many_belongs_to_the_row_in_the_path() -> None:
    tools = (
        operation("get_animal", "GET", "/animal/{id}", row(name=TEXT, user_id=TEXT, animal_type=TEXT)),
        operation("get_user", "GET", "/users/{id}", row(name=TEXT)),
        operation("animals_of", "GET", "/animals/{user_id}", None).model_copy(update={"summary": "Get animals"}),
        operation("animals_so", "GET", "/animal/{user_id}/{animal_type}", None),
        operation("get_profile", "GET", "/profiles/{user_id}", None).model_copy(update={"summary": "Get profile"}),
        operation("put_profile", "PUT", "/profiles/{id}", None, bio=TEXT),
    )
    plan = infer_plan(Toolset(name="pets", tools=tools))
    assert (plan.tools["animals_of"].operation, plan.references["animals_of"]) == ("list", {"/user_id": "user"})
    assert (plan.tools["animals_so"].operation, plan.tools["animals_so"].resource) == ("list", "animal")
    assert plan.tools["get_profile"].operation == "read"
