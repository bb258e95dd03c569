"""What a server names anew at each start has one name in records, and all else stays as it is."""

import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from interplay.generators.environments.live.stable_names import StableNames
from interplay.generators.environments.live.varying_answers import STEADY, Varying, compared

OPENED = datetime(2031, 7, 4, 16, 20, 30, tzinfo=UTC)
NOW = OPENED + timedelta(seconds=5)


def recorded(names: StableNames, value: Any, place: str = "here", varying: Varying = STEADY) -> Any:
    return names.recorded(value, place, varying, NOW)


def test_random_identities_of_two_starts_get_one_name_and_go_back_to_their_own() -> None:
    starts = []
    for _ in range(2):
        names, own = StableNames(OPENED), str(uuid.uuid4())
        shown = recorded(names, {"id": own, "text": f"Added {own}."})
        assert shown["text"] == f"Added {shown['id']}."
        assert names.actual({"note": shown["id"]}) == {"note": own}
        starts.append(shown)
    assert starts[0] == starts[1]
    assert recorded(StableNames(OPENED), {"id": str(uuid.uuid4())}, "elsewhere")["id"] != starts[0]["id"]


def test_identities_that_were_given_keep_their_names() -> None:
    names, own = StableNames(OPENED), str(uuid.uuid4())
    assert names.actual({"id": own}) == {"id": own}
    assert recorded(names, {"id": own}) == {"id": own}


@pytest.mark.parametrize(
    ("said", "stands"),
    [
        ("2031-07-04T16:20:31.523Z", "2026-03-02T09:00:00.001Z"),
        ("2031-07-04 16:20:31.523456", "2026-03-02 09:00:00.001000"),
        ("2031-07-04T18:20:31+02:00", "2026-03-02T11:00:00+02:00"),
        ("2031-07-04 16:20", "2026-03-02 09:00"),
        ("made on 2031-07-04", "made on 2026-03-02"),
        ("Fri Jul 04 2031 16:20:31 GMT", "Mon Mar 02 2026 09:00:00 GMT"),
        ("note-1940948431523", "note-1772442000001"),
        (1940948431523, 1772442000001),
        ("2031-07-03T16:20:31Z", "2031-07-03T16:20:31Z"),
        ("2031-13-44", "2031-13-44"),
        ("due 2026-05-01", "due 2026-05-01"),
        (1940000000, 1940000000),
    ],
)
def test_times_of_the_session_stand_still_and_others_stay(said: Any, stands: Any) -> None:
    names = StableNames(OPENED)
    names.wrote(OPENED + timedelta(seconds=1.5), OPENED + timedelta(seconds=1.6))
    assert recorded(names, said) == stands


def test_times_tell_the_order_of_writes() -> None:
    names = StableNames(OPENED)
    for second in (1, 2):
        names.wrote(OPENED + timedelta(seconds=second), OPENED + timedelta(seconds=second, milliseconds=9))
    shown = recorded(names, ["2031-07-04T16:20:31.003Z", "2031-07-04T16:20:32.003Z"])
    assert shown == ["2026-03-02T09:00:00.001Z", "2026-03-02T09:00:00.002Z"]
    assert names.actual(shown) == ["2031-07-04T16:20:31.003Z", "2031-07-04T16:20:32.003Z"]


def test_a_folder_of_its_own_has_one_name() -> None:
    names = StableNames(OPENED, ("/tmp/interplay-mcp-x1", "/data"))
    assert recorded(names, "wrote /tmp/interplay-mcp-x1/a.txt") == "wrote /data/a.txt"
    assert names.actual({"path": "/data/a.txt"}) == {"path": "/tmp/interplay-mcp-x1/a.txt"}


def test_two_starts_show_what_varies() -> None:
    one = {"id": "V1StGXR8_Z5jd", "number": 8_812_331, "tags": ["b", "a"], "text": "Added n_7fKq2 today"}
    two = {"id": "k9QxPPw2-m1Lr", "number": 5_312_877, "tags": ["a", "b"], "text": "Added n_81mZz today"}
    varying, other = compared(one, two)
    assert other == []
    shown = [recorded(StableNames(OPENED), each, varying=varying) for each in (one, two)]
    assert shown[0] == shown[1]
    assert shown[0]["text"].startswith("Added n_")


def test_what_differs_by_more_than_names_is_told() -> None:
    assert compared({"rolled": 3}, {"rolled": 5}) == (Varying(), ["/rolled: 3, then 5"])
    assert compared("3 notes", "4 notes")[1] == ['it: "3 notes", then "4 notes"']


def test_names_learnt_from_a_recorded_result_lead_back_to_this_start() -> None:
    names = StableNames(OPENED)
    names.align({"id": "k9QxPPw2"}, {"id": "V1StGXR8"})
    assert names.actual({"id": "V1StGXR8"}) == {"id": "k9QxPPw2"}
    assert recorded(names, "the note k9QxPPw2") == "the note V1StGXR8"


def test_words_of_a_language_are_never_taken_for_names() -> None:
    names = StableNames(OPENED)
    names.align({"title": "Garden project"}, {"title": "Staff training"})
    assert names.actual({"title": "Staff training"}) == {"title": "Staff training"}


def test_counts_are_never_taken_for_names() -> None:
    names = StableNames(OPENED)
    names.align({"count": 3, "text": "3 notes"}, {"count": 4, "text": "4 notes"})
    assert names.actual({"count": 4, "text": "4 notes"}) == {"count": 4, "text": "4 notes"}
