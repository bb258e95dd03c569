"""How things stand: mostly neither at an end nor gone wrong."""

from collections import Counter
from random import Random

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
