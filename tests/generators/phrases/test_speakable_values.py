"""What is said of results, and by which name."""

import pytest

from interplay.generators.phrases.labels.field_labels import is_amount, label_of, without_unit, words_of
from interplay.generators.phrases.speakable_values import (
    is_holdable,
    is_named_after,
    is_of_a_record,
    is_opaque,
    name_parts,
    speakable_leaves,
)
from interplay.generators.results.result_kinds import is_empty, list_in
from interplay.schemas.json.fields import schema_at


@pytest.mark.parametrize(
    ("pointer", "label"),
    [
        ("/birth_date", "birth date"),
        ("/endAt", "end time"),
        ("/contactEmail", "contact email"),
        ("/source/number", "source number"),
        ("/data/0/name", "name"),
        ("/card/card_name", "card name"),
        ("/qty", "quantity"),
        ("/success/0/description", "description"),
        ("/orders/0/id", "order id"),
        ("/staff/0/name", "staff name"),
    ],
)
def test_calls_a_field_as_people_do(pointer: str, label: str) -> None:
    assert label_of(pointer) == label


def test_reads_out_the_most_telling_fields_first() -> None:
    result = {"id": "P-0001", "url": "https://e.org", "quantity": 3, "status": "open", "name": "Ada", "note": None}
    assert [pointer for pointer, _ in speakable_leaves(result)] == ["/name", "/status", "/quantity"]


def test_never_reads_out_codes() -> None:
    assert is_opaque("efdbb9d1-02c2-4bc3-afb7-6788d8782b1e")
    assert list(speakable_leaves({"ref": "efdbb9d1-02c2-4bc3-afb7-6788d8782b1e"})) == []


def test_knows_what_a_person_may_hold_in_hand() -> None:
    assert is_holdable("A-0012")
    assert is_holdable(4711)
    assert not is_holdable("efdbb9d1-02c2-4bc3-afb7-6788d8782b1e")
    assert not is_holdable(True)


def test_finds_the_schema_at_a_pointer_through_branches_and_lists() -> None:
    schema = {"anyOf": [{"properties": {"a": {"type": "array", "items": {"properties": {"b": {"type": "string"}}}}}}]}
    assert schema_at(schema, "/a/0/b") == {"type": "string"}
    assert schema_at(schema, "/x") == {}


def test_reads_out_what_a_call_found_rather_than_how_it_went() -> None:
    result = {"status": 200, "error": False, "meta": {"key": "abc", "name": "Brush", "size": 4}}
    assert [pointer for pointer, _ in speakable_leaves(result)] == ["/meta/name", "/meta/size"]
    assert list_in({"status": 200, "meta": {"brushes": [{"name": "Flat"}]}}) == ("/meta/brushes", [{"name": "Flat"}])
    assert is_empty({"status": 200, "meta": {"brushes": []}})


def test_what_stands_beside_what_a_call_found_is_not_part_of_it() -> None:
    found = {"m": {"room": "Hall"}, "message": "All went as it should."}
    assert [pointer for pointer, _ in speakable_leaves(found)] == ["/m/room"]
    assert list(speakable_leaves({"status": "ok", "rooms": ["Hall", "Attic"]})) == [("/rooms", ["Hall", "Attic"])]


def test_a_list_is_found_under_whatever_name() -> None:
    rows = [{"room": "Hall"}]
    assert list_in({"v1/rooms": rows, "total": 1}) == ("/v1~1rooms", rows)
    assert list_in({"_embedded": {"rooms": rows}, "_links": {"next": "/2"}}) == ("/_embedded/rooms", rows)
    assert list_in({"id": 4, "rooms": rows}) == ("", None)


def test_a_thing_is_called_by_its_own_name_before_that_of_its_parts_or_a_remark() -> None:
    row = {"description": "Checked.", "tags": [{"name": "red"}], "shelf_display_name": "Upper shelf"}
    assert next(pointer for pointer, _ in speakable_leaves(row, naming=True)) == "/shelf_display_name"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("timeMin", "earliest time"),
        ("price_max", "maximum price"),
        ("minAmount", "minimum amount"),
        ("DateDT", "date"),
        ("start_date_gte", "earliest start date"),
        ("duration_lt", "maximum duration"),
    ],
)
def test_a_bound_is_said_before_what_it_bounds(name: str, said: str) -> None:
    assert words_of(name) == said


def test_nobody_reads_out_that_a_call_went_well() -> None:
    found = {"status": "ok", "room": "Hall"}
    assert [pointer for pointer, _ in speakable_leaves(found)] == ["/room"]
    assert [pointer for pointer, _ in speakable_leaves({"status": "open", "room": "Hall"})] == ["/status", "/room"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("duration_minutes", "duration in minutes"),
        ("weightKg", "weight in kg"),
        ("free_days", "free days"),
        ("dateFrom", "start date"),
        ("day_date", "day date"),
        ("phone_number", "phone number"),
        ("phone", "phone number"),
        ("to_date", "end date"),
        ("dateEnd", "end date"),
        ("time_start", "start time"),
        ("fname", "first name"),
        ("roleDto", "role"),
        ("up_to_date", "up to date"),
        ("departure_date", "departure date"),
        ("country_iso2", "country code"),
    ],
)
def test_says_units_and_spans_as_people_do(name: str, said: str) -> None:
    assert words_of(name) == said


@pytest.mark.parametrize(
    "result", [{"status": True}, {"data": ["data"]}, {"ok": {"png": "png"}}, {"full_name": "name"}]
)
def test_never_reads_out_flags_of_success_nor_what_a_field_is_called(result: dict[str, object]) -> None:
    assert list(speakable_leaves(result)) == []
    told = {"status": "open", "days": ["Monday"], "active": True}
    assert {pointer for pointer, _ in speakable_leaves(told)} == {"/status", "/days", "/active"}


@pytest.mark.parametrize(
    ("name", "said"),
    [("date_expires", "expires at"), ("expiresDate", "expires at"), ("date_first", "first date"), ("due_date", "due date"), ("sales_date", "sales date")],
)  # fmt: skip
def test_a_moment_is_called_by_what_happens_then(name: str, said: str) -> None:
    assert words_of(name) == said


@pytest.mark.parametrize(
    "name", ["unit_price", "total", "total_due", "totalTax", "price_eur", "hourly_rate", "price_per_unit"]
)
def test_an_amount_of_money_is_known_by_its_name(name: str) -> None:
    assert is_amount(label_of(f"/{name}"))


@pytest.mark.parametrize("name", ["totalItems", "purchase_uom_conversion_rate", "amount_cents", "tax_rate", "fee_type"])
def test_a_count_a_factor_and_cents_are_no_amount_of_money(name: str) -> None:
    assert not is_amount(label_of(f"/{name}"))


def test_nothing_is_called_by_its_cents() -> None:
    assert [at for at, _ in speakable_leaves({"amount_cents": 2687, "amount": 26.87}, naming=True)] == ["/amount"]


def test_small_coins_are_the_unit_of_a_value_and_no_part_of_its_name() -> None:
    assert without_unit("minimum amount cents") == ("minimum amount", "cents")
    assert without_unit("price in cents") == ("price in cents", "")
    assert without_unit("scents") == ("scents", "")


def test_a_first_name_stands_beside_the_family_name_of_the_same_person() -> None:
    order = {"buyer": {"firstName": "Jip", "lastName": "Koning"}, "lastName": "Falk", "title": "Order"}
    both = ("/buyer/firstName", "/buyer/lastName")
    assert name_parts(order, "/buyer/lastName") == name_parts(order, "/buyer/firstName") == both
    assert name_parts(order, "/lastName") == name_parts(order, "/title") == ("", "")


def test_what_stands_beside_its_identity_names_a_thing() -> None:
    booking = {"booking_id": "B1", "vehicle_id": "V7", "vehicle": "Norda", "branch_name": "Old Mill", "cover": "full"}
    assert [pointer for pointer, _ in speakable_leaves(booking, naming=True)] == ["/vehicle", "/branch_name", "/cover"]
    assert next(speakable_leaves({**booking, "vehicle_id": None}, naming=True))[0] == "/vehicle"
    del booking["vehicle_id"]
    assert next(speakable_leaves(booking, naming=True))[0] == "/branch_name"


@pytest.mark.parametrize(
    ("text", "read"), [("image/png", False), ("application/ld+json", False), ("image", True), ("tea/coffee", True)]
)
def test_a_media_type_is_not_read_out(text: str, read: bool) -> None:
    assert bool(list(speakable_leaves({"kind": text}))) is read


@pytest.mark.parametrize(
    ("row", "named"),
    [
        ({"created_on": "2026-01-10", "text": "Wants a call back."}, "/text"),
        (
            {"created_on": "2026-01-10", "from_address": "15 Ellison Avenue", "description": "Wall mirror"},
            "/description",
        ),
        ({"visit_date": "2026-01-10", "note": "Ring twice."}, "/visit_date"),
        ({"title": "Handover", "text": "Wants a call back."}, "/title"),
    ],
)
def test_what_has_no_name_is_called_by_what_is_written_in_it(row: dict[str, str], named: str) -> None:
    assert next(pointer for pointer, _ in speakable_leaves(row, naming=True)) == named


def test_a_username_is_that_of_an_account_and_names_no_user() -> None:
    assert is_named_after("/song_name", ["song"])
    assert not is_named_after("/username", ["user"])


def test_links_to_other_calls_are_not_read_out() -> None:
    links = [{"href": "https://e.org/1", "rel": "self", "method": "GET", "title": "Details"}]
    assert [*speakable_leaves({"links": links})] == []
    assert [at for at, _ in speakable_leaves({"name": "Ada", "next": links[0]})] == ["/name"]


@pytest.mark.parametrize("name", ["create_time", "updateTime", "modification_date"])
def test_a_verb_before_time_means_when_a_row_was_recorded(name: str) -> None:
    assert words_of(name) in ("created at", "updated at", "modified at")
    assert is_of_a_record(f"/{name}")
    assert not is_of_a_record("/start_time")
