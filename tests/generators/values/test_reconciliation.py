"""Values of one object do not contradict each other."""

from typing import Any

import pytest

from interplay.generators.values.reconciliation import ends_moved_along, reconciled
from interplay.generators.values.texts.sample_words import CITIES, REGIONS


@pytest.mark.parametrize(
    ("made", "ordered"),
    [
        (
            {"departure_time": "2026-03-24T09:00:00Z", "arrival_time": "2026-06-23T16:15:00Z"},
            {"departure_time": "2026-03-24T09:00:00Z", "arrival_time": "2026-03-24T16:15:00Z"},
        ),
        (
            {"departure_at": "2026-06-23T22:00:00Z", "arrival_at": "2026-07-24T06:00:00Z"},
            {"departure_at": "2026-06-23T22:00:00Z", "arrival_at": "2026-06-24T06:00:00Z"},
        ),
        ({"uses": 94, "max_uses": 65}, {"uses": 65, "max_uses": 94}),
        ({"currentStreak": 76, "longestStreak": 31}, {"currentStreak": 31, "longestStreak": 76}),
        ({"bestWpm": 100, "avgWpm": 118}, {"bestWpm": 118, "avgWpm": 100}),
        ({"unread_count": 46, "item_count": 10}, {"unread_count": 10, "item_count": 46}),
        ({"failed_jobs_count": 7, "jobs_count": 5}, {"failed_jobs_count": 5, "jobs_count": 7}),
        ({"star_count": 46, "item_count": 10}, {"star_count": 46, "item_count": 10}),
        ({"used_times": 9, "usage_limit": 4}, {"used_times": 4, "usage_limit": 9}),
        ({"checkin": "2026-03-01", "checkout": "2026-05-30"}, {"checkin": "2026-03-01", "checkout": "2026-03-08"}),
        ({"checkin": "2026-03-01", "checkout": "2026-03-02"}, {"checkin": "2026-03-01", "checkout": "2026-03-02"}),
        (
            {"start_datetime": "2026-03-26T08:30:00Z", "end_datetime": "2026-05-03T14:15:00Z"},
            {"start_datetime": "2026-03-26T08:30:00Z", "end_datetime": "2026-03-26T09:00:00Z"},
        ),
        (
            {"start_date": "2026-03-26", "end_date": "2026-05-03"},
            {"start_date": "2026-03-26", "end_date": "2026-05-03"},
        ),
        ({"start_time": "17:00", "end_time": "09:30"}, {"start_time": "09:30", "end_time": "17:00"}),
        (
            {"start_date": "2026-05-01", "end_date": "2026-01-01"},
            {"start_date": "2026-01-01", "end_date": "2026-05-01"},
        ),
        (
            {"start_time": "2026-03-24T09:00:00", "end_time": "2026-03-25T09:00:00+02:00"},
            {"start_time": "2026-03-24T09:00:00", "end_time": "2026-03-25T09:00:00+02:00"},
        ),
    ],
)
def test_what_ends_does_so_after_it_began_and_soon_where_it_is_brief(
    made: dict[str, Any], ordered: dict[str, Any]
) -> None:
    assert reconciled(made, {}) == ordered


def test_city_country_and_time_zone_are_of_one_place() -> None:
    (city, code, country, zone, *_), other = CITIES[0], CITIES[-1]
    made = {
        "city": city,
        "country_code": other[1],
        "timezone": other[3],
        "billingCity": other[0],
        "billingCountry": country,
    }
    assert reconciled(made, {}) == {
        "city": city, "country_code": code, "timezone": zone, "billingCity": other[0], "billingCountry": other[2]
    }  # fmt: skip


def test_a_place_is_that_of_the_address_and_no_value_leaves_its_schema() -> None:
    (city, code, country, zone, *_), other = CITIES[0], CITIES[-1]
    properties = {"country": {"enum": [other[1], "XX"]}}
    made = {"address": f"18 Long Street, {city}", "country": other[1], "time_zone": other[3]}
    assert reconciled(made, properties) == {
        "address": f"18 Long Street, {city}",
        "country": other[1],
        "time_zone": zone,
    }
    assert reconciled({"address": f"1 Main Road, {country}", "countryCode": other[1]}, {})["countryCode"] == code
    assert reconciled({"city": city, "country_iso2": other[1]}, {})["country_iso2"] == code
    assert reconciled({"country": "Atlantis", "city": city}, {}) == {"country": "Atlantis", "city": city}


def test_the_state_of_an_address_is_the_region_of_its_city() -> None:
    city, other = CITIES[0], CITIES[-1]
    assert reconciled({"city": city[0], "state": "pending"}, {}) == {"city": city[0], "state": city[4]}
    assert reconciled({"shipping_city": other[0], "shipping_state": "active", "state": "active"}, {}) == {
        "shipping_city": other[0], "shipping_state": other[4], "state": "active"
    }  # fmt: skip
    assert reconciled({"country": city[2], "state": "active"}, {}) == {"country": city[2], "state": "active"}
    listed = {"state": {"enum": ["active", "gone"]}}
    assert reconciled({"city": city[0], "state": "active"}, listed) == {"city": city[0], "state": "active"}


def test_a_stay_begins_with_the_arrival_and_a_journey_ends_with_it() -> None:
    days = {"arrival_date": "2026-06-18", "departure_date": "2026-05-03"}
    assert reconciled({**days, "hotel_id": 4}, {}) == {
        "arrival_date": "2026-05-03", "departure_date": "2026-05-08", "hotel_id": 4
    }  # fmt: skip
    assert reconciled({"checkInDate": "2026-06-18", "checkOutDate": "2026-06-01"}, {}) == {
        "checkInDate": "2026-06-01", "checkOutDate": "2026-06-05"
    }  # fmt: skip
    assert reconciled(days | {"flight": "LH 4"}, {})["departure_date"] == "2026-05-03"


def test_the_least_is_not_more_than_the_most() -> None:
    assert reconciled({"min_price": 90, "max_price": 12.5}, {}) == {"min_price": 12.5, "max_price": 90}
    bound = {"min_price": {"type": "integer"}}
    assert reconciled({"min_price": 90, "max_price": 12.5}, bound) == {"min_price": 90, "max_price": 167.5}


def test_a_state_beside_a_city_that_nobody_knows_is_a_region_too() -> None:
    made = reconciled({"city": "Springfield", "state": "pending", "type": "home"}, {})
    assert made["state"] in REGIONS
    assert reconciled({"state": "pending", "title": "Lunch"}, {})["state"] == "pending"
    assert reconciled({"state": "pending", "branch": "main", "zip": "site.zip"}, {})["state"] == "pending"


def test_the_day_of_the_week_is_that_of_the_moment_beside_it() -> None:
    made = {"datetime": "2026-03-12T10:30:00Z", "day_of_week": "Monday"}
    assert reconciled(made, {}) == {"datetime": "2026-03-12T10:30:00Z", "day_of_week": "Thursday"}
    late = {"date": "2026-03-31", "day": "Monday"}
    assert reconciled(late, {}) == {"date": "2026-03-31", "day": "Tuesday"}
    for none in ("0000-01-01", "2026-02-30", "٢٠٢٦-01-01"):
        assert reconciled({"date": none, "day": "Monday"}, {}) == {"date": none, "day": "Monday"}
    known = {"date": "2026-03-12", "day": "Monday"}
    assert reconciled(known, {"day": {"enum": ["Monday"]}})["day"] == "Monday"


def test_a_part_is_not_more_than_the_total() -> None:
    assert reconciled({"total_baggages": 2, "nonfree_baggages": 4}, {}) == {"total_baggages": 4, "nonfree_baggages": 2}
    assert reconciled({"total": 2, "count": 4}, {}) == {"total": 2, "count": 4}


def test_a_mail_address_is_that_of_the_name_beside_it() -> None:
    parts = {"firstName": "Nadia", "lastName": "Falk", "fullName": "Ivo Petrov", "email": "jonas.weber@example.com"}
    made = reconciled(dict(parts), {})
    assert (made["fullName"], made["email"]) == ("Nadia Falk", "nadia.falk@example.com")
    thing = {"name": "Rapid Meadow", "email": "jonas.weber@example.com"}
    assert reconciled(dict(thing), {}) == thing


def test_a_first_day_comes_before_the_last() -> None:
    days = {"first_day": "2026-08-07", "last_day": "2026-07-06"}
    assert reconciled(dict(days), {}) == {"first_day": "2026-07-06", "last_day": "2026-08-07"}


@pytest.mark.parametrize(
    ("made", "row", "settled"),
    [
        ({"endDate": "2026-03-02"}, {"startDate": "2026-03-05", "end_date": "2026-03-09"}, {"endDate": "2026-03-08"}),
        ({"end_date": "2026-03-02"}, {"start_date": "2026-03-05"}, {"end_date": "2026-03-08"}),
        ({"max_price": 5}, {"min_price": 20, "max_price": 30}, {"max_price": 35}),
        ({"email": "jonas.weber@example.com"}, {"name": "Nadia Falk"}, {"email": "nadia.falk@example.com"}),
        ({"name": "Ivo Petrov"}, {"email": "jonas.weber@example.com"}, {"name": "Jonas Weber"}),
    ],
)
def test_what_is_made_agrees_with_the_row_beside_it_which_stays(
    made: dict[str, Any], row: dict[str, Any], settled: dict[str, Any]
) -> None:
    before = dict(row)
    assert reconciled(made, {}, beside=row) == settled
    assert row == before


def test_made_is_not_later_than_done() -> None:
    made = {"created_at": "2026-03-05T10:00:00Z", "completed_at": "2026-03-01T10:00:00Z", "start_on": "2026-05-02", "due_on": "2026-04-01"}  # fmt: skip
    assert reconciled(made, {}) == {
        "created_at": "2026-03-01T10:00:00Z", "completed_at": "2026-03-05T10:00:00Z", "start_on": "2026-04-01", "due_on": "2026-05-02"
    }  # fmt: skip


def test_the_address_of_somebody_named_by_a_prefix_is_made_of_that_name() -> None:
    made = reconciled(
        {"owner_name": "Nadia Falk", "owner_email": "jonas.weber@example.com", "email": "ivo.berg@example.com"}, {}
    )
    assert (made["owner_email"], made["email"]) == ("nadia.falk@example.com", "ivo.berg@example.com")


def test_a_slug_is_made_of_the_name_beside_it() -> None:
    text = {"type": "string"}
    made = {"post_title": "Garden plan", "post_slug": "budget-review", "slug": "kept"}
    told = {"post_title": "Garden plan", "post_slug": "garden-plan", "slug": "kept"}
    assert reconciled(dict(made), dict.fromkeys(made, text)) == told
    codes = {"name": text, "slug": {"type": "string", "pattern": "^[A-Z]+$"}}
    assert reconciled({"name": "Garden plan", "slug": "AB"}, codes)["slug"] == "AB"


def test_what_would_begin_and_end_at_once_lasts_a_day() -> None:
    made = {
        "since": "2026-06-05T16:00:00Z",
        "until": "2026-06-05T16:00:00Z",
        "start_date": "2026-06-05",
        "end_date": "2026-06-05",
    }
    text = {"type": "string"}
    assert reconciled(dict(made), dict.fromkeys(made, text)) == {**made, "until": "2026-06-06T16:00:00Z"}


def test_what_happened_at_the_moment_of_creation_is_not_moved_on() -> None:
    made = dict.fromkeys(("created_at", "updated_at"), "2026-03-02T12:00:00Z")
    assert reconciled(dict(made), {}) == made


def test_a_discount_may_be_more_than_what_is_left_to_pay() -> None:
    fields = {name: {"type": "number"} for name in ("subtotal", "tax", "discount", "total")}
    made = reconciled({"subtotal": 100.0, "tax": 5.0, "discount": 80.0, "total": 3.0}, fields, required=())
    assert (made["discount"], made["total"]) == (80.0, 25.0)


def test_a_status_that_is_told_by_two_names_is_one() -> None:
    state = {"type": "string", "enum": ["open", "closed"]}
    fields = {"status": state, "status_internal": state, "payment_status": {"type": "string", "enum": ["paid", "due"]}}
    made = reconciled({"status": "open", "status_internal": "closed", "payment_status": "due"}, fields, required=())
    assert made == {"status": "closed", "status_internal": "closed", "payment_status": "due"}


def test_the_identity_of_what_stands_beside_it_is_repeated() -> None:
    fields = {"partner": {"type": "object"}, "partner_id": {"type": "string"}, "owner_id": {"type": "integer"}}
    made = {"partner": {"id": "p-1"}, "partner_id": "p-9", "owner_id": 4}
    assert reconciled(made, fields, required=()) == {**made, "partner_id": "p-1"}


def test_a_price_with_a_discount_is_the_lower_one() -> None:
    fields = {name: {"type": "number"} for name in ("price", "discount_price")}
    made = reconciled({"price": 20.0, "discount_price": 80.0}, fields, required=())
    assert made["discount_price"] < made["price"]


@pytest.mark.parametrize(
    ("changed", "given", "moved"),
    [
        ({"starts_at": "2026-03-12T10:00:00Z"}, {"starts_at"}, {"ends_at": "2026-03-12T11:30:00Z"}),
        ({"starts_at": "2026-03-12T10:00:00Z", "ends_at": "2026-03-12T12:00:00Z"}, {"starts_at", "ends_at"}, {}),
        ({"title": "Fitting"}, {"title"}, {}),
    ],
)
def test_an_end_moves_along_with_its_beginning(changed: dict[str, str], given: set[str], moved: dict[str, str]) -> None:
    before = {"title": "Trial", "starts_at": "2026-03-09T10:00:00Z", "ends_at": "2026-03-09T11:30:00Z"}
    assert ends_moved_along(before, {**before, **changed}, given) == moved


def test_an_end_that_lies_far_ahead_stays() -> None:
    before = {"start_date": "2026-03-09", "end_date": "2026-06-09"}
    assert ends_moved_along(before, {**before, "start_date": "2026-03-12"}, {"start_date"}) == {}
    late = ends_moved_along(before, {**before, "start_date": "2026-07-09"}, {"start_date"})
    assert late == {"end_date": "2026-10-09"}


GENDER = {"type": "string", "enum": ["M", "F"]}


@pytest.mark.parametrize(
    ("made", "declared", "gender"),
    [
        ({"first_name": "Chelsea", "gender": "M"}, GENDER, "F"),
        ({"name": "Chelsea Skinner", "gender": "male"}, {"type": "string"}, "female"),
        ({"guest_name": "Glen Perkins", "guest_gender": "Female"}, {"type": "string"}, "Male"),
        ({"name": "Robin Baker", "gender": "F"}, GENDER, "F"),
        ({"name": "Chelsea Skinner", "gender": "unknown"}, {"type": "string"}, "unknown"),
    ],
)
def test_the_gender_of_somebody_is_that_of_the_first_name(
    made: dict[str, Any], declared: dict[str, Any], gender: str
) -> None:
    told = next(name for name in made if name.endswith("gender"))
    assert reconciled(dict(made), {told: declared}, ())[told] == gender


def test_nothing_is_called_none() -> None:
    made: dict[str, Any] = {"name": "Ada Byron", "firstname": None, "lastname": None}
    assert reconciled(dict(made), {"name": {"type": "string"}}, ())["name"] == "Ada Byron"
