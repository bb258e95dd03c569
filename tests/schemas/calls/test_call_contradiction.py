"""A result contradicts a call where it shows another text or the contrary, and not where it only writes it otherwise."""

from typing import Any

import pytest

from interplay.schemas.calls.call_contradiction import contradicted
from interplay.schemas.records.tool import HttpBinding, Source, Tool

TOOL = Tool(
    name="set", original_name="set", description="", parameters={"type": "object", "properties": {}}, effect="write", source=Source(file="x"),
    http=HttpBinding(method="POST", path="/pets/{id}", locations={"id": "path"}),
)  # fmt: skip


@pytest.mark.parametrize(
    ("given", "shown"), [("Bright Willow", "pending"), (True, False), ("2026-03-01", "2026-04-01")]
)
def test_contradicts(given: Any, shown: Any) -> None:
    assert list(contradicted(TOOL, {"field": given}, {"field": shown})) == ["field"]


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("Sold", "sold"), ("2026-03-01", "2026-03-01T00:00:00Z"), ("2026-03-01T12:00:00+02:00", "2026-03-01T10:00:00Z"),
        ("4242424242424242", "************4242"), (2, 5), ("7", {"id": 7}), ("ann", None),
    ],
)  # fmt: skip
def test_says_the_same_or_cannot_be_compared(given: Any, shown: Any) -> None:
    assert not list(contradicted(TOOL, {"field": given}, {"field": shown}))


def test_what_a_path_names_is_another_row() -> None:
    assert not list(contradicted(TOOL, {"id": "a1"}, {"id": "b2"}))


def test_what_is_acted_on_may_be_another_thing_than_what_comes_of_it() -> None:
    assert not list(contradicted(TOOL, {"mail_id": "mail-1", "title": "Re"}, {"mail_id": "mail-2", "title": "Re"}))


def test_what_reads_is_not_asked() -> None:
    assert not list(contradicted(TOOL.model_copy(update={"effect": "read"}), {"field": "a"}, {"field": "b"}))


def test_what_is_kept_under_a_fuller_name_is_kept() -> None:
    shown = {"reason": "a cough", "cancel_reason": "a journey"}
    assert not list(contradicted(TOOL, {"reason": "a journey"}, shown))
    assert list(contradicted(TOOL, {"reason": "a journey"}, {**shown, "cancel_reason": None})) == ["reason"]


def test_words_on_how_it_went_are_no_field() -> None:
    assert not list(contradicted(TOOL, {"content": "Call Ada."}, {"content": "Done: notes.txt"}))
    assert list(contradicted(TOOL, {"content": "Call Ada."}, {"content": "Call Ben.", "size": 9})) == ["content"]


def test_what_an_argument_or_a_result_wraps_is_looked_into() -> None:
    given = {"name": "Bolt", "cost": {"default": "low"}}
    kept = {"id": "v1", "name": "Bolt", "cost": {"default": "low"}}
    other = {**kept, "cost": {"default": "high"}}
    assert list(contradicted(TOOL, {"id": "v1", "item": given}, other)) == ["item"]
    assert list(contradicted(TOOL, {"id": "v1", "item": given}, {"item": other})) == ["item"]
    assert list(contradicted(TOOL, {"id": "v1", **given}, {"data": other})) == ["cost"]
    for shown in (kept, {"item": kept}, {"data": kept}):
        assert not list(contradicted(TOOL, {"id": "v1", "item": given}, shown))


def test_a_number_that_is_set_is_no_sum() -> None:
    sets = TOOL.model_copy(update={"http": HttpBinding(method="PATCH", path="/pets/{id}", locations={"id": "path"})})
    assert list(contradicted(sets, {"id": 1, "default_cost": 12.5}, {"default_cost": 40})) == ["default_cost"]
    assert not list(contradicted(sets, {"id": 1, "default_cost": 12}, {"default_cost": 12.0}))
    assert not list(contradicted(TOOL, {"id": 1, "default_cost": 12.5}, {"default_cost": 40}))
