"""Values of one object do not contradict each other."""

from typing import Any

import pytest

from interplay.generators.values.reconciling import reconciled
from interplay.generators.values.words import CITIES


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
        ({"checkin": "2026-03-01", "checkout": "2026-05-30"}, {"checkin": "2026-03-01", "checkout": "2026-03-08"}),
        ({"checkin": "2026-03-01", "checkout": "2026-03-02"}, {"checkin": "2026-03-01", "checkout": "2026-03-02"}),
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
    (city, code, country, zone), other = CITIES[0], CITIES[-1]
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
    (city, code, country, zone), other = CITIES[0], CITIES[-1]
    properties = {"country": {"enum": [other[1], "XX"]}}
    made = {"address": f"18 Long Street, {city}", "country": other[1], "time_zone": other[3]}
    assert reconciled(made, properties) == {
        "address": f"18 Long Street, {city}",
        "country": other[1],
        "time_zone": zone,
    }
    assert reconciled({"address": f"1 Main Road, {country}", "countryCode": other[1]}, {})["countryCode"] == code
    assert reconciled({"country": "Atlantis", "city": city}, {}) == {"country": "Atlantis", "city": city}
