"""Shard files: written in one step, the same bytes for the same records, and clear words for what goes wrong."""

import os
import random
import resource
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from tests.outputs.builders import make_record, make_shard, not_composed

from interplay.outputs.store import shard_file
from interplay.outputs.store.shard_file import Outcome, read_shard, record_at, shard_outcomes, write_shard
from interplay.outputs.store.shard_seal import shard_digest
from interplay.schemas.errors import StoreError


def test_gives_back_what_was_written_in_the_order_of_the_index(tmp_path: Path) -> None:
    records = [make_record(2), not_composed(0), make_record(1, status="rejected", issues=("wrong_final_state",))]
    again = records[0].model_copy(update={"attempt": 1, "id": "f" * 32})
    path = make_shard(tmp_path, [again, *records])
    assert list(read_shard(path)) == [records[1], records[2], records[0], again]


def test_one_record_is_read_by_its_place_in_any_group_of_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shard_file, "ROWS_PER_GROUP", 2)
    path = make_shard(tmp_path, [make_record(index) for index in range(5)])
    assert [record_at(path, row).index for row in range(5)] == [0, 1, 2, 3, 4]
    with pytest.raises(StoreError, match="row 5 cannot be read"):
        record_at(path, 5)


def test_tells_outcomes_without_the_records(tmp_path: Path) -> None:
    made = make_record(0)
    path = make_shard(tmp_path, [made, not_composed(1)])
    assert made.blueprint is not None
    assert list(shard_outcomes(path)) == [Outcome(0, "accepted", made.blueprint.story()), Outcome(1, "rejected", "")]


def test_the_same_records_give_the_same_bytes_in_any_order(tmp_path: Path) -> None:
    records = [make_record(index) for index in range(5)]
    first = make_shard(tmp_path, records, "a.parquet")
    second = make_shard(tmp_path, reversed(records), "b.parquet")
    assert first.read_bytes() == second.read_bytes()
    assert shard_digest(first) == shard_digest(second)


def test_keeps_unusual_text_and_numbers(tmp_path: Path) -> None:
    record = make_record(0, system_prompt="a\x00b\u2028c 🙂", models={"user": "x" * 3})
    assert next(iter(read_shard(make_shard(tmp_path, [record])))) == record


def test_an_empty_shard_is_a_shard(tmp_path: Path) -> None:
    assert list(read_shard(make_shard(tmp_path, []))) == []


def test_overwrites_the_leftover_of_a_killed_run(tmp_path: Path) -> None:
    path = tmp_path / "shards" / "00000.parquet"
    path.parent.mkdir()
    (path.parent / "00000.parquet.partial").write_bytes(b"half")
    write_shard(path, [make_record(0)])
    assert [entry.name for entry in path.parent.iterdir()] == ["00000.parquet"]


@pytest.fixture
def small_files_only() -> Iterator[None]:
    """Let no file grow past 1,000 bytes, as if the disk were full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_loses_nothing_and_says_so(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    path = make_shard(tmp_path, [make_record(0)])
    before = path.read_bytes()
    request.getfixturevalue("small_files_only")
    with pytest.raises(StoreError, match=r"00000\.parquet: cannot be written .*free some space and run again"):
        write_shard(path, [make_record(index) for index in range(50)])
    assert path.read_bytes() == before
    assert [entry.name for entry in path.parent.iterdir()] == ["00000.parquet"]


def test_a_folder_that_cannot_be_made_is_a_store_error(tmp_path: Path) -> None:
    (tmp_path / "shards").write_text("a file where the folder should be")
    with pytest.raises(StoreError, match="cannot be written"):
        write_shard(tmp_path / "shards" / "00000.parquet", [make_record(0)])


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes anywhere")
def test_a_read_only_folder_is_a_store_error(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(StoreError, match="make the folder writable"):
        write_shard(tmp_path / "00000.parquet", [make_record(0)])


@pytest.mark.parametrize("content", [b"", b"not parquet at all", b"PAR1 cut short"])
def test_a_broken_file_names_itself_and_the_way_out(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "00000.parquet"
    path.write_bytes(content)
    with pytest.raises(StoreError, match=r"00000\.parquet: .*Make it again with: interplay verify"):
        list(read_shard(path))


def test_a_truncated_file_is_a_store_error(tmp_path: Path) -> None:
    path = make_shard(tmp_path, [make_record(index) for index in range(20)])
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(StoreError, match=r"is not a readable shard file|cannot be read"):
        list(shard_outcomes(path))


def test_a_damaged_middle_is_a_store_error(tmp_path: Path) -> None:
    path = make_shard(tmp_path, [make_record(index) for index in range(20)])
    content = bytearray(path.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 200] = bytes(200)
    path.write_bytes(content)
    with pytest.raises(StoreError, match=r"00000\.parquet"):
        list(read_shard(path))


def _damaged(content: bytes, number: int) -> bytes:
    """Return the bytes of a file of which a bit was flipped, in its footer every other time, or a part is gone."""
    rng = random.Random(number)
    footer = int.from_bytes(content[-8:-4], "little") + 8
    if number % 5 == 0:
        start = rng.randrange(len(content))
        return content[:start] + content[start + rng.randrange(1, len(content)) :]
    changed = bytearray(content)
    place = rng.randrange(len(content)) if number % 2 else len(content) - 1 - rng.randrange(footer)
    changed[place] ^= 1 << rng.randrange(8)
    return bytes(changed)


def test_no_damage_is_read(tmp_path: Path) -> None:
    path = make_shard(tmp_path, [make_record(index) for index in range(20)])
    content = path.read_bytes()
    for number in range(300):
        path.write_bytes(_damaged(content, number))
        for read in (read_shard, shard_outcomes):
            with pytest.raises(StoreError, match=r"00000\.parquet: .*Make it again with: interplay verify"):
                list(read(path))
    path.write_bytes(content)
    assert len(list(read_shard(path))) == 20


def test_a_file_from_before_there_were_seals_is_known_by_all_its_bytes(tmp_path: Path) -> None:
    path, footer = tmp_path / "shard-000000.parquet", b"f" * 60 + (60).to_bytes(4, "little") + b"PAR1"
    path.write_bytes(b"some" + footer)
    digest = shard_digest(path)
    path.write_bytes(b"same" + footer)
    assert shard_digest(path) != digest


def test_pages_have_checksums_for_other_readers(tmp_path: Path) -> None:
    path = make_shard(tmp_path, [make_record(index) for index in range(20)])
    content = bytearray(path.read_bytes())
    content[len(content) // 3] ^= 1
    path.write_bytes(content)
    with pytest.raises(OSError, match="CRC"):
        pq.ParquetFile(path, page_checksum_verification=True).read()


def test_a_shard_from_before_there_were_digests_is_read(tmp_path: Path) -> None:
    path = make_shard(tmp_path, [make_record(0)])
    pq.write_table(pq.read_table(path).replace_schema_metadata(), path)
    assert list(read_shard(path)) == [make_record(0)]


def test_what_a_record_says_of_digests_changes_nothing(tmp_path: Path) -> None:
    record = make_record(0, system_prompt="interplay.digest " * 3)
    assert list(read_shard(make_shard(tmp_path, [record]))) == [record]


def test_the_bytes_are_on_disk_before_the_file_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed by a power cut, a name is never there without its content: what is written is flushed, and then named."""
    synced: list[tuple[int, list[str]]] = []

    def sync(descriptor: int) -> None:
        synced.append((os.fstat(descriptor).st_size, sorted(path.name for path in tmp_path.rglob("*.*"))))

    monkeypatch.setattr(os, "fsync", sync)
    path = make_shard(tmp_path, [make_record(0)])
    size, [partial] = synced[0]
    assert size == path.stat().st_size
    assert partial.startswith("00000.parquet.")
    assert partial.endswith(".partial")
    assert [names for _, names in synced[1:]] == [["00000.parquet"]]


def test_a_missing_file_is_a_store_error(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no such shard file"):
        list(read_shard(tmp_path / "00007.parquet"))


def test_a_record_with_broken_unicode_is_named(tmp_path: Path) -> None:
    record = make_record(3)
    assert record.blueprint is not None
    action = record.blueprint.actions[0].model_copy(update={"arguments": {"city": "\ud83d"}})
    broken = record.model_copy(update={"blueprint": record.blueprint.model_copy(update={"actions": (action,)})})
    with pytest.raises(StoreError, match="record 3 cannot be written as JSON"):
        write_shard(tmp_path / "00000.parquet", [broken])
