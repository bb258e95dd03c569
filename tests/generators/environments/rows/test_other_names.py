"""A field that a call gives by another name than rows show it by: what is written is what is shown."""

from typing import Any

import pytest
from tests.generators.environments.inline import TEXT, call, operation, row, sandbox

from interplay.generators.environments.inference.resources.row_fields import called_by

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.parametrize(
    ("name", "shown", "field"),
    [
        ("name", ("id", "category_name", "description"), "category_name"),
        ("category_label", ("id", "label"), "label"),
        ("phone", ("id", "phone_number", "email"), "phone_number"),
        ("song", ("id", "song_name"), "song_name"),
        ("wallet_id", ("lago_id", "lago_wallet_id", "voided_wallet_id"), "lago_wallet_id"),
        ("date", ("start_date", "end_date"), None),
        ("user_id", ("id", "name"), None),
        ("email", ("id", "recorded_email_id"), None),
    ],
)
def test_the_only_field_that_fits_is_meant(name: str, shown: tuple[str, ...], field: str | None) -> None:
    assert called_by(name, TEXT, dict.fromkeys(shown, TEXT), "category") == field


async def test_what_a_call_gives_by_another_name_is_shown() -> None:
    category = row(category_name=TEXT, phone_number=TEXT)
    opened = sandbox(
        operation("getCategory", "GET", "/categories/{id}", category),
        operation("createCategory", "POST", "/categories", category, name=TEXT, phone=TEXT),
        operation("updateCategory", "PUT", "/categories/{id}", category, phone=TEXT),
    )
    made: dict[str, Any] = (await call(opened, "createCategory", name="Family", phone="+49 30 1")).value
    assert (made["category_name"], made["phone_number"]) == ("Family", "+49 30 1")
    assert made.keys() == {"id", "category_name", "phone_number"}
    await call(opened, "updateCategory", id=made["id"], phone="+49 30 2")
    assert (await call(opened, "getCategory", id=made["id"])).value["phone_number"] == "+49 30 2"


@pytest.mark.parametrize(
    ("name", "shown", "field"), [("done_time", ("id", "done_timestamp", "due_date"), "done_timestamp")]
)
def test_a_moment_is_one_by_any_word_for_it(name: str, shown: tuple[str, ...], field: str) -> None:
    assert called_by(name, TEXT, dict.fromkeys(shown, TEXT), "task") == field


async def test_a_new_date_is_that_of_the_deed() -> None:
    visit = row(scheduled_date=TEXT, follow_up_date=TEXT)
    opened = sandbox(
        operation("getVisit", "GET", "/visits/{visitId}", visit),
        operation("rescheduleVisit", "POST", "/visits/{visitId}/reschedule", visit, new_date=TEXT),
    )
    key = next(iter(opened.state()["visit"]))
    before = (await call(opened, "getVisit", visitId=key)).value
    after = (await call(opened, "rescheduleVisit", visitId=key, new_date="2026-03-31")).value
    assert after == {**before, "scheduled_date": "2026-03-31"}
    assert (await call(opened, "getVisit", visitId=key)).value == after
