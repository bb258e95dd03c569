"""The pictures of a run: those of which there is something to draw, counted as the store holds them."""

from pathlib import Path

from tests.outputs.builders import RUN, asks, call, load_all, make_record, make_shard, says

from interplay.outputs.report.pictures import Distributions, distributions, pictures
from interplay.outputs.report.word_variety import distinct_share, references, variety
from interplay.outputs.store.dataset_store import DatasetStore


def test_the_store_tells_what_is_drawn(tmp_path: Path) -> None:
    records = [
        make_record(0, [asks("A room, please."), says("", call(1, "book_hotel")), says("Booked.")]),
        make_record(1, [asks("Cancel it."), says("", call(1, "cancel"))], status="rejected", issues=("wrong_state",)),
    ]
    with DatasetStore(tmp_path / "dataset.duckdb") as store:
        load_all(store, make_shard(tmp_path, records))
        found = distributions(store, RUN)
    assert found.values["calls"] == {1: 1}
    assert found.met == {("sequential", "book_hotel"): 1}
    assert found.said == ["A room, please."]
    assert found.spent == []
    assert set(pictures(found)) == {"turns", "calls", "tokens", "patterns"}


def test_nothing_is_drawn_of_nothing() -> None:
    assert pictures(Distributions({}, {}, ())) == {}


def test_what_a_stretch_without_an_accepted_record_cost_is_told_with_the_next() -> None:
    spent = [(0, 100.0, 2), (10, 60.0, 0), (20, 40.0, 1)]
    shown = pictures(Distributions({}, {}, (), spent))["cost"]
    assert "index 0: 50 tokens" in shown
    assert "index 20: 100 tokens" in shown


def test_wording_is_compared_at_one_length() -> None:
    same, other = ["one two three four"] * 100, [f"w{number} x{number} y{number} z{number}" for number in range(100)]
    assert distinct_share(same, 200) == 0.02
    assert distinct_share(other, 200) == 1.0
    assert distinct_share(same, 500) is None
    beside = variety(same)
    assert set(beside) == {"this run", *references()}
    assert variety(["too short"]) == {}
