"""The parts of one place agree, in rows and in the arguments of calls."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.generators.worlds import records

from interplay.generators.values.reconciliation import reconciled
from interplay.generators.values.texts.sample_words import CITIES

STATE = {"type": "string", "examples": ["TX"]}
ZIP = {"type": "string", "examples": ["75201"]}
CITY = {"type": "string", "examples": ["Dallas"]}
HOME = {"city": CITY, "state": STATE, "zip": ZIP}


def place(city: str) -> tuple[str, ...]:
    return next(place for place in CITIES if place[0] == city)


def test_the_postcode_is_one_of_the_city() -> None:
    made = reconciled({"city": "Leipzig", "state": "pending", "postalCode": "40817"}, {})
    assert made["state"] == "Saxony"
    assert re.fullmatch(r"041\d\d", made["postalCode"])
    assert re.fullmatch(r"LS\d \d[A-Z]{2}", reconciled({"city": "Leeds", "zip": "40817"}, {})["zip"])


def test_coordinates_are_those_of_the_city() -> None:
    made = reconciled({"name": "Falk Bakery Leipzig", "pickup_lat": 4.5, "pickup_lng": -140.2}, {})
    assert (round(made["pickup_lat"], 1), round(made["pickup_lng"], 1)) == pytest.approx((51.3, 12.4), abs=0.11)
    somewhere = reconciled({"lat": 4.5, "lon": -140.2, "floor": 3}, {})
    assert -50 < somewhere["lat"] < 70
    assert somewhere["lon"] != -140.2
    kept = {"lat": {"type": "number", "examples": [40.1]}, "lon": {"type": "number"}}
    assert reconciled({"lat": 40.2, "lon": 8.5}, kept) == {"lat": 40.2, "lon": 8.5}


def test_every_city_has_coordinates() -> None:
    for name, *_ in CITIES:
        made = reconciled({"city": name, "latitude": 0.5, "longitude": 0.5}, {})
        assert (made["latitude"], made["longitude"]) != (0.5, 0.5)


def test_a_code_for_dialling_is_that_of_the_country() -> None:
    assert reconciled({"country": "Norway", "phone_code": "PH123"}, {})["phone_code"] == "+47"


@pytest.mark.parametrize("city", ["Dallas", "Leipzig", "Bergen"])
def test_the_place_is_one_that_all_examples_admit(city: str) -> None:
    made = reconciled({"city": city, "state": "Tuscany", "zip": "40817"}, HOME)
    found = place(made["city"])
    assert made["state"] == found[5] != ""
    assert re.fullmatch(found[6].replace("#", r"\d"), made["zip"])


def test_what_stays_decides_the_place() -> None:
    made = reconciled({"state": "Tuscany", "zip": "40817"}, {}, beside={"city": "Graz", "country": "Austria"})
    assert made["state"] == "Styria"
    assert re.fullmatch(r"80\d0", made["zip"])
    assert reconciled({"zip": "78701", "city": "Austin"}, {}) == {"zip": "78701", "city": "Austin"}
    unknown = reconciled({"state": "Tuscany", "zip": "40817"}, {}, beside={"city": "Springfield"})
    assert unknown == {"state": "Tuscany", "zip": "40817"}


def test_a_state_that_is_as_short_as_its_schema_says_is_a_code() -> None:
    brief = {"state": {"type": "string", "minLength": 2, "maxLength": 2}}
    made = reconciled({"city": "Seville", "state": "pe", "zip": "41024"}, brief)
    assert made["state"] == place(made["city"])[5] != ""


def _spec(folder: Path) -> str:
    body = {"type": "object", "properties": HOME, "required": [*HOME]}
    home = {"type": "object", "properties": {"id": {"type": "integer"}, **HOME}, "required": ["id", *HOME]}
    answer = {"description": "Made.", "content": {"application/json": {"schema": home}}}
    listed = {"description": "All.", "content": {"application/json": {"schema": {"type": "array", "items": home}}}}
    content = {"application/json": {"schema": body}}
    create = {
        "operationId": "addHome",
        "requestBody": {"content": content, "required": True},
        "responses": {"201": answer},
    }
    paths = {"/homes": {"get": {"operationId": "listHomes", "responses": {"200": listed}}, "post": create}}
    path = folder / "homes.json"
    path.write_text(json.dumps({"openapi": "3.0.0", "info": {"title": "Homes", "version": "1"}, "paths": paths}))
    return f"openapi:{path}"


def test_what_users_dictate_is_one_place(tmp_path: Path) -> None:
    made = [record.blueprint for record in records(_spec(tmp_path), 20) if record.blueprint]
    given: list[dict[str, Any]] = [
        dict(call.arguments) for blueprint in made for call in blueprint.calls if call.tool == "addHome"
    ]
    assert len(given) > 3
    for home in given:
        found = place(home["city"])
        assert home["state"] == found[5]
        assert re.fullmatch(found[6].replace("#", r"\d"), home["zip"])


def test_a_thing_is_in_the_city_that_it_is_called_after() -> None:
    fields = {"name": {"type": "string"}, "address": {"type": "string"}, "country_code": {"type": "string"}}
    made = {"name": "Perth East Station", "address": "18 Rue de Dunkerque 75010 Paris, France", "country_code": "FR"}
    placed = reconciled(made, fields)
    assert placed["country_code"] == "AU"
    assert placed["address"].endswith(", Perth")
    assert (
        reconciled({"name": "Ada Field", "address": "5 Rue X, Paris", "country_code": "FR"}, fields)["country_code"]
        == "FR"
    )


def test_an_example_of_an_address_is_not_that_of_a_thing_elsewhere() -> None:
    shown = {"type": "string", "examples": ["Champ de Mars, 75007 Paris"]}
    made = {"title": "Flea Market Bristol", "address": "Champ de Mars, 75007 Paris"}
    assert reconciled(made, {"title": {"type": "string"}, "address": shown})["address"].endswith(", Bristol")


def test_the_region_beside_a_country_is_one_of_it() -> None:
    text = {"type": "string"}
    made = {"name": "Head office Sapporo", "country": "Canada", "region": "Ontario"}
    assert reconciled(made, dict.fromkeys(made, text)) == {**made, "country": "Japan", "region": "Hokkaido"}
    other = {"state": "open", "country": "DE"}
    assert reconciled(other, dict.fromkeys(other, text)) == other
