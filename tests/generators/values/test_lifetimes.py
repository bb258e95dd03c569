"""How things stand: mostly neither at an end nor gone wrong."""

from collections import Counter
from random import Random

from interplay.generators.values.lifetimes import made_between
from interplay.generators.values.reconciliation import reconciled
from interplay.generators.values.schema_values import make_valid

STATES = {"type": "string", "enum": ["active", "closed", "failed", "open"]}


def test_most_things_are_in_a_state_that_is_no_end_and_no_failure() -> None:
    found = Counter(make_valid(STATES, Random(seed), "status") for seed in range(400))
    assert set(found) == set(STATES["enum"])
    assert 0.1 < (found["closed"] + found["failed"]) / found.total() < 0.3


def test_what_is_no_state_is_drawn_evenly() -> None:
    assert min(Counter(make_valid(STATES, Random(seed), "kind") for seed in range(400)).values()) > 60


def test_an_exception_lasts_until_a_moment_only_where_it_holds() -> None:
    moment = {"type": ["string", "null"], "format": "date-time"}
    fields = {"is_locked": {"type": "boolean"}, "locked_until": moment, "valid_until": moment}
    row = {"is_locked": False, "locked_until": "2026-05-04T10:00:00Z", "valid_until": "2026-05-04T10:00:00Z"}
    made = reconciled(dict(row), fields, required=tuple(fields))
    assert (made["locked_until"], made["valid_until"]) == (None, row["valid_until"])
    assert reconciled({**row, "is_locked": True}, fields, required=tuple(fields))["locked_until"]


def test_what_belongs_to_something_was_made_after_it() -> None:
    play, shown = {"created_at": "2025-09-29T09:30:00Z"}, {"created_at": "2025-05-09T16:00:00Z", "date": "2026-03-08"}
    late = made_between(shown, [play], [])
    assert late == {"created_at": "2025-09-30T16:00:00Z", "date": "2026-03-08"}
    early = made_between(play, [], [shown])
    assert early == {"created_at": "2025-05-08T09:30:00Z"}
    assert made_between(shown, [{"date": "2026-01-01"}], []) == shown


def test_what_was_noted_later_stays_later() -> None:
    row = {"created_at": "2025-05-09", "updated_at": "2025-06-01", "starts_at": "2025-05-20"}
    made = made_between(row, [{"created_at": "2025-07-01"}], [])
    assert made == {"created_at": "2025-07-02", "updated_at": "2025-07-02", "starts_at": "2025-05-20"}


def test_what_was_created_first_ends_after_it_started() -> None:
    moments = {
        "started_at": "2025-07-31T11:30:00Z",
        "finished_at": "2025-09-05T07:30:00Z",
        "created_at": "2025-10-01T10:00:00Z",
    }
    made = reconciled(moments, {name: {"type": "string"} for name in moments})
    assert made["created_at"] <= made["started_at"] < made["finished_at"]
