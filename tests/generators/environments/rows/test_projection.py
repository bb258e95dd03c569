"""A row is shown in the form that a result schema promises, and its envelope tells the truth about the page."""

from random import Random
from typing import Any

import pytest

from interplay.generators.environments.rows.pagination import Page
from interplay.generators.environments.rows.projection import in_envelope, projected, with_success
from interplay.schemas.json.validation import is_valid

TEXT = {"type": "string"}
ROW: dict[str, Any] = {"id": "a", "name": "Tea", "price": 5, "_parents": {"shop": "s"}}


def schema(*required: str, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required)}


def rng() -> Random:
    return Random(7)


def test_shows_the_fields_of_the_schema_and_no_others() -> None:
    assert projected(schema(id=TEXT, name=TEXT), ROW, rng()) == {"id": "a", "name": "Tea"}


def test_a_schema_that_names_no_field_shows_all_but_what_is_kept_inside() -> None:
    assert projected({"type": "object"}, ROW, rng()) == {"id": "a", "name": "Tea", "price": 5}


def test_fields_that_must_be_there_are_made_and_the_same_each_time() -> None:
    wanted = schema("id", "colour", id=TEXT, colour={"enum": ["red", "blue"]})
    shown = projected(wanted, ROW, rng())
    assert is_valid(shown, wanted)
    assert shown == projected(wanted, ROW, rng())


@pytest.mark.parametrize(("field", "expected"), [(TEXT, "5"), ({"type": "integer"}, 5)])
def test_a_number_that_is_shown_as_text_says_the_same(field: dict[str, Any], expected: Any) -> None:
    assert projected(schema("price", price=field), ROW, rng())["price"] == expected


def test_one_of_several_forms_is_chosen_that_the_row_fits() -> None:
    either = {"oneOf": [schema("barks", barks=TEXT), schema("name", name=TEXT)]}
    assert is_valid(projected(either, ROW, rng()), either)


@pytest.mark.parametrize(
    ("first", "size", "more", "after"), [(0, 2, True, "cursor_2"), (2, 2, False, None), (0, 5, False, None)]
)
def test_an_envelope_says_how_many_rows_there_are_and_what_follows(
    first: int, size: int, more: bool, after: str | None
) -> None:
    rows = [("a", ROW), ("b", ROW), ("c", ROW)]
    page = Page(tuple(rows[first : first + size]), 3, first, size)
    nullable = {"type": ["string", "null"]}
    envelope = schema(
        "data", "next_cursor", data={"type": "array"}, total={"type": "integer"}, has_more={"type": "boolean"},
        next_cursor=nullable,
    )  # fmt: skip
    shown = in_envelope(envelope, "/data", [row for _, row in page.rows], rng(), page)
    assert (shown["total"], shown["has_more"], shown["next_cursor"]) == (3, more, after)
    assert is_valid(shown, envelope)


@pytest.mark.parametrize("name", ["success", "ok"])
def test_a_result_says_of_a_call_that_went_well_that_it_did(name: str) -> None:
    flags = schema(name, "active", **{name: {"type": "boolean"}, "active": {"type": "boolean"}})
    assert with_success(flags, {name: False, "active": False}) == {name: True, "active": False}


def test_an_envelope_says_that_the_call_went_well() -> None:
    envelope = schema("data", "success", data={"type": "array"}, success={"type": "boolean"})
    assert in_envelope(envelope, "/data", [], rng(), Page())["success"] is True


def test_a_status_beside_what_was_found_is_the_usual_one_of_calls() -> None:
    status = {"type": "string", "default": "fine"}
    answer = schema("data", status=status, data={"type": "object"})
    assert with_success(answer, {"status": "abandoned", "data": {"total": 3}})["status"] == "fine"
    row = schema("id", status=status, id=TEXT)
    assert with_success(row, {"id": "a", "status": "abandoned"})["status"] == "abandoned"


def test_a_flag_that_may_only_be_false_stays() -> None:
    only = schema("success", success={"type": "boolean", "const": False})
    assert with_success(only, {"success": False}) == {"success": False}


def test_what_was_carried_out_says_so_and_gives_no_reason_against_it() -> None:
    answer = schema("id", "deleted", id=TEXT, deleted={"type": "boolean"}, reason=TEXT)
    made = {"id": "a", "deleted": False, "reason": "Refused."}
    assert with_success(answer, made, wrote=True) == {"id": "a", "deleted": True}
    assert with_success(answer, made) == made


STATUS, FLAG = {"type": "integer"}, {"type": "boolean"}


def test_the_answer_to_a_write_is_plain_where_nothing_is_known() -> None:
    answer = schema("status", "message", "data", status=STATUS, error=FLAG, message=TEXT, data={})
    made = {"status": 181, "error": True, "message": "We need two more days for the website plan.", "data": "data"}
    assert with_success(answer, made, wrote=True) == {"status": 200, "error": False, "message": "OK", "data": None}
    errors = schema("status", status=FLAG, message=TEXT, errors={"type": "array", "items": TEXT}, note=TEXT)
    made = {"status": False, "message": "Could you check this by Friday?", "errors": ["errors"], "note": "note"}
    assert with_success(errors, made, wrote=True) == {"status": True}


def test_the_answer_to_a_write_keeps_what_is_known_and_what_it_wrote() -> None:
    told = {"type": "string", "examples": ["Transfer queued"]}
    answer = schema("message", message=told, data={})
    assert with_success(answer, {"message": "x", "data": {"id": 3}}, wrote=True)["message"] == "Transfer queued"
    comment = {"id": "7", "message": "The survey is done.", "author": "Ida"}
    assert with_success(schema(id=TEXT, message=TEXT, author=TEXT), comment, wrote=True) == comment


def test_an_envelope_around_rows_says_how_the_call_went_in_plain_words() -> None:
    around = schema("status", "message", "data", status=STATUS, message=TEXT, data={"type": "array"})
    shown = in_envelope(around, "/data", [], rng(), Page())
    assert shown == {"status": 200, "message": "OK", "data": []}


def test_what_an_example_says_of_one_call_is_not_said_of_others() -> None:
    said = {"type": "string", "examples": ["3 visits of 2024-11-04 found"]}
    plain = {"type": "string", "examples": ["Visits found"]}
    around = schema("data", "message", "detail", data={"type": "array"}, message=said, detail=plain)
    shown = in_envelope(around, "/data", [], rng(), Page())
    assert shown == {"data": [], "message": "OK", "detail": "Visits found"}


def test_what_is_made_up_beside_a_row_does_not_say_that_it_ended() -> None:
    moment = {"type": ["string", "null"], "format": "date-time"}
    wanted = schema("id", "status", "canceled_at", id=TEXT, status=TEXT, canceled_at=moment)
    assert projected(wanted, {**ROW, "status": "pending"}, rng())["canceled_at"] is None
    assert projected(wanted, {**ROW, "status": "canceled"}, rng())["canceled_at"] is not None


def test_a_schema_that_names_no_field_shows_no_password() -> None:
    kept = {**ROW, "password": "x", "client_secret": "y", "secretary": "Ann"}
    assert projected({"type": "object"}, kept, rng()).keys() == {"id", "name", "price", "secretary"}


def test_only_what_does_not_fit_is_made_anew() -> None:
    owner = {"type": "object", "properties": {"id": {"type": "integer"}, "notes": {"type": "string", "minLength": 1}}}
    schema = {
        "type": "object",
        "properties": {
            "owner": owner,
            "pets": {"type": "array", "items": {"type": "object", "properties": {"of": owner}}},
        },
    }
    row = {"owner": {"id": 7, "notes": {}}, "pets": [{"of": {"id": at, "notes": []}} for at in range(20)]}
    shown = projected(schema, row, Random(3))
    assert is_valid(shown, schema)
    assert shown["owner"]["id"] == 7
    assert [pet["of"]["id"] for pet in shown["pets"]] == list(range(20))


def test_a_row_that_fits_no_form_keeps_most_of_its_values_in_the_nearest() -> None:
    few = schema("name", name=TEXT, kind={"enum": ["bird"]}, legs={"type": "integer"})
    more = schema(
        "name", "colour", name=TEXT, kind={"enum": ["dog"]}, legs={"type": "integer"}, colour={"enum": ["red"]}
    )
    shown = projected({"oneOf": [few, more]}, {"name": "Ash", "kind": "dog", "legs": 4, "colour": "blue"}, rng())
    assert shown == {"name": "Ash", "kind": "dog", "legs": 4, "colour": "red"}
