"""The index of the viewer beside a plain look at all records: the same records, in the same order."""

from contextlib import closing
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
from tests.outputs.builders import answers, asks, call, make_record, make_toolset, not_composed, says

from interplay.outputs.viewer import index_search
from interplay.outputs.viewer.dialogue_turns import Parting, parting, turns_of
from interplay.outputs.viewer.index_search import PAGE, Search, find, first_ids
from interplay.outputs.viewer.record_index import IndexedShard, IndexWriter, open_index, reading
from interplay.outputs.viewer.record_rows import RowMaker
from interplay.outputs.viewer.run_comparison import Compared, Measured, means, shares
from interplay.schemas.errors import StoreError
from interplay.schemas.records.dialogue import Message
from interplay.schemas.records.verdict import DatasetRecord

CITIES = ("Graz", "Linz", "Wien")


def talk(index: int) -> list[Message]:
    """A dialogue of which each part follows from its index."""
    booked = call(index, "book_hotel" if index % 3 else "cancel", nights=index)
    more = [says("Anything else?"), asks("No.")] * (index % 5)
    return [asks(f"A room in {CITIES[index % 3]}, please."), says("", booked), says(f"Room {index} is yours."), *more]


RECORDS = [
    not_composed(index)
    if index % 50 == 49
    else make_record(
        index,
        talk(index),
        status="rejected" if index % 4 == 3 else "accepted",
        issues=("wrong_state",) if index % 4 == 3 else (),
    )
    for index in range(160)
]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return indexed(tmp_path_factory.mktemp("index") / "viewer.sqlite", RECORDS)


def indexed(path: Path, records: list[DatasetRecord]) -> Path:
    with closing(open_index(path)) as connection:
        writer, maker = IndexWriter(connection), RowMaker(make_toolset())
        for number in range(0, len(records), 64):
            held = records[number : number + 64]
            writer.add_shard(IndexedShard(number // 64, 1, 1, 1, 1, 1, 1), {}, list(map(maker.row, held)))
    return path


def found(index: Path, query: str) -> list[int]:
    """Return the indices of the records on all pages of a search."""
    told: list[int] = []
    search = Search.of(parse_qsl(query))
    with reading(index) as connection:
        for page in range(1, 10):
            asked = Search.of([*search.parameters(), ("page", str(page))])
            rows = find(connection, asked).rows
            told += [row["idx"] for row in rows]
            if len(rows) < PAGE:
                return told
    raise AssertionError("the pages do not end")


def played(record: DatasetRecord) -> int:
    return len(record.trajectory.messages) if record.trajectory else 0


EXPECTED = {
    "": lambda record: record.index >= 0,
    "status=rejected": lambda record: record.status == "rejected",
    "tool=cancel": lambda record: played(record) and record.index % 3 == 0,
    "tool=cancel&status=accepted": lambda record: record.index % 3 == 0 and record.status == "accepted",
    "issue=wrong_state": lambda record: record.index % 4 == 3 and played(record),
    "words=linz": lambda record: played(record) and record.index % 3 == 1,
    "words=linz+cancel": lambda record: record.index < 0,
    'words="room+in+graz"': lambda record: played(record) and record.index % 3 == 0,
    "words=graz&status=accepted": lambda record: record.index % 3 == 0 and record.status == "accepted",
    "turns_from=7&turns_to=9": lambda record: 7 <= played(record) <= 9,
    "index_from=20&index_to=29&tool=book_hotel": lambda record: 20 <= record.index < 30 and record.index % 3,
    "tool=nothing": lambda record: record.index < 0,
    "gold_actions=book_hotel": lambda record: played(record),
}


@pytest.mark.parametrize("few", [0, 10**6], ids=["along the order", "by name"])
@pytest.mark.parametrize("query", EXPECTED)
def test_a_search_finds_what_a_look_at_all_records_does(
    index: Path, query: str, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_search, "FEW", few)
    fits = [record.index for record in RECORDS if EXPECTED[query](record)]
    assert found(index, query) == fits
    falling = sorted(fits, key=lambda number: (-(played(RECORDS[number]) or -1), -number))
    played_ones = [number for number in found(index, f"{query}&sort=-turns") if played(RECORDS[number])]
    assert played_ones == [number for number in falling if played(RECORDS[number])]
    with reading(index) as connection:
        told = find(connection, Search.of(parse_qsl(query)))
        assert (told.count, told.more) == (len(fits), False)


def test_an_address_says_what_was_asked_for_and_no_more() -> None:
    asked = "words=a+b&gold_actions=x&status=accepted&tool=t&turns_from=1&turns_to=2.5&task=d&sort=-tokens&page=3"
    assert Search.of(Search.of(parse_qsl(asked)).parameters()) == Search.of(parse_qsl(asked))
    for wrong in ("sort=id;DROP", "colour=red", "turns_from=x", "turns_to=nan", "words_from=1", "words=" + "x" * 5000):
        with pytest.raises(StoreError):
            Search.of(parse_qsl(wrong))


@pytest.mark.parametrize(
    "words", ['"', '""', "'", "*", "said:", "a*", "NEAR(a b)", "OR", "-x", "(", "\\", "é 日本", ") OR (said : a"]
)
def test_signs_mean_nothing_in_a_search(index: Path, words: str) -> None:
    with reading(index) as connection:
        find(connection, Search.of([("words", words), ("gold_actions", words), ("tool", words)]))


def test_a_sample_is_the_same_however_it_is_looked_for(index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = sorted(record.id for record in RECORDS if record.status == "rejected" and record.trajectory)[:20]
    with reading(index) as connection:
        for few in (0, 10**6):
            monkeypatch.setattr(index_search, "FEW", few)
            assert first_ids(connection, "rejected", 20) == wanted


def test_runs_that_differ_are_told_apart_from_those_that_do_not(index: Path, tmp_path: Path) -> None:
    other = indexed(tmp_path / "other.sqlite", [make_record(number, talk(3 * number)) for number in range(100)])
    with reading(index) as one, reading(other) as two:
        told = {(each.kind, each.name): each for each in shares((one, two))}
        assert told["tool", "book_hotel"].only == 0
        assert told["tool", "book_hotel"].differs
        assert told["pattern", "sequential"].only is None
        assert not any(each.differs for each in (*means((one, one)), *shares((one, one))))
        assert next(each for each in means((one, two)) if each.name == "accepted").differs


def test_sources_are_told_where_no_task_tells_them() -> None:
    record = make_record(0, [asks("For 314 nights."), says("", call(1, "book_hotel", nights=314, city="Rom"))])
    sources = {source.pointer: source for source in turns_of(record)[1].calls[0].sources}
    assert (sources["/nights"].message, sources["/city"].message) == (0, None)
    assert parting(record, record) == Parting()
    assert parting(record, make_record(1, [asks("For 314 nights."), says("No.")])) == Parting(words=1, done=1)


def test_dialogues_that_part_at_a_result_part_at_the_turn_that_shows_it() -> None:
    booked = call(1, "book_hotel", nights=3)
    one, other = (
        make_record(number, [asks("Go."), says("", booked), answers(booked, told)]) for number, told in enumerate("ab")
    )
    parted = parting(one, other).done
    assert parted == 2
    assert [turn.end >= parted for turn in turns_of(one)] == [False, True]


def test_what_was_counted_in_one_run_alone_does_not_differ() -> None:
    half, none = Measured(0.5, 0.4, 0.6, 20), Measured(0.0, 0.0, 0.0, 0)
    assert not Compared("", "pass_rate", (half, none)).differs
    assert Compared("", "pass_rate", (half, Measured(0.9, 0.8, 1.0, 20))).differs
