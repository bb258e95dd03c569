"""What has happened lies before the day of made-up worlds, what is to come may lie ahead of it."""

from datetime import date
from random import Random

import pytest

from interplay.generators.values.schema_values import make_valid
from interplay.generators.values.texts.formatted_texts import TODAY
from interplay.generators.values.texts.past_events import has_happened, is_accounted, tells_day
from interplay.schemas.words.identifiers import name_tokens

MOMENT = {"type": "string", "format": "date-time"}


@pytest.mark.parametrize(
    "name",
    "assigned_at invoicedDate mailed_on deletedAt processed_date canceled_at creationDate registration_date issue_date "
    "order_date created_at_max updated_before thread_ts unsubscribed_at read_at".split(),
)
def test_what_a_name_says_has_happened(name):
    assert has_happened(tuple(name_tokens(name)))


@pytest.mark.parametrize(
    "name",
    "booking_date start_date due_date expires_at scheduled_at departure post_at paused_until estimated_completion_date".split(),
)
def test_what_a_name_says_is_to_come(name):
    assert not has_happened(tuple(name_tokens(name)))


@pytest.mark.parametrize("name", ["assigned_at", "canceled_at", "creation_date", "created_at_max"])
def test_moments_of_what_has_happened_lie_in_the_past_as_texts_and_as_numbers(name):
    today = date.toordinal(TODAY)
    for number in range(40):
        assert date.fromisoformat(make_valid(MOMENT, Random(number), name)[:10]) < TODAY
        counted = make_valid({"type": "integer", "description": "Unix timestamp"}, Random(number), name)
        assert date.fromtimestamp(counted).toordinal() < today


def test_a_row_is_created_before_all_else_that_happened_to_it():
    names = ("created_at", "last_login_at", "mailed_at", "updated_at", "signed_on")
    schema = {"type": "object", "properties": dict.fromkeys(names, MOMENT), "required": list(names)}
    for number in range(40):
        made = make_valid(schema, Random(number), "member")
        assert made["created_at"] == min(made.values())


def test_a_live_row_does_not_say_when_it_ended():
    nullable = {"type": ["string", "null"], "format": "date-time"}
    status = {"type": "string", "enum": ["active", "canceled"]}
    fields = {"status": status, "canceled_at": nullable, "deleted_at": MOMENT, "created_at": MOMENT}
    schema = {"type": "object", "properties": fields, "required": ["status", "canceled_at", "created_at"]}
    made = [make_valid(schema, Random(number), "plan") for number in range(40)]
    assert {row["status"] for row in made} == {"active", "canceled"}
    assert all((row["canceled_at"] is not None) == (row["status"] == "canceled") for row in made)
    assert all("deleted_at" not in row for row in made)


@pytest.mark.parametrize(
    ("name", "tool", "accounted"),
    [
        ("date", "getDailyReport", True),
        ("start_date", "salesSummary", True),
        ("date", "bookTable", False),
        ("name", "getDailyReport", False),
    ],
)
def test_reports_are_of_days_that_are_over(name: str, tool: str, accounted: bool) -> None:
    assert is_accounted(name_tokens(name), name_tokens(tool)) is accounted


def test_what_an_entry_of_a_log_tells_of_is_over() -> None:
    assert tells_day(["action", "time"], "audit log")
    assert not tells_day(["action", "time"], "workshop")
    assert not tells_day(["due", "date"], "audit log")
