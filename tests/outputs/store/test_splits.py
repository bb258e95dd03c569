"""Splits: a pure function of the task, in the shares asked for, without leakage."""

from collections import Counter

from tests.outputs.builders import make_record

from interplay.outputs.store.splits import Shares, place_of_family, split_at, split_of


def test_gives_about_the_shares_asked_for() -> None:
    found = Counter(split_at(place_of_family(f"task {number}")) for number in range(20_000))
    assert abs(found["train"] - 18_000) < 200
    assert abs(found["validation"] - 1_000) < 150
    assert abs(found["test"] - 1_000) < 150


def test_never_changes() -> None:
    assert [split_at(place_of_family(str(number))) for number in (0, 3, 9, 42)] == ["train"] * 4
    assert split_at(place_of_family("7"), Shares(train=0.0, validation=0.0)) == "test"
    assert split_at(place_of_family("7"), Shares(train=0.0, validation=1.0)) == "validation"


def test_the_same_task_told_differently_stays_in_one_split() -> None:
    for task in range(200):
        records = [make_record(index, task=task) for index in (task, task + 1_000, task + 2_000)]
        blueprints = [record.blueprint for record in records if record.blueprint]
        assert len({blueprint.id for blueprint in blueprints}) == 3
        assert len({split_of(blueprint) for blueprint in blueprints}) == 1


def test_a_share_ends_where_the_next_begins() -> None:
    shares = Shares(train=0.5, validation=0.25)
    assert [split_at(place, shares) for place in (0.0, 0.4999, 0.5, 0.7499, 0.75, 0.9999)] == [
        "train",
        "train",
        "validation",
        "validation",
        "test",
        "test",
    ]
