import asyncio
import errno
import json
import os
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from tests.generators.models.endpoints import TalkingEndpoint, answers, open_model

from interplay.generators.models.journal.journal import Journal
from interplay.generators.models.journal.journal_file import connect, question_of
from interplay.generators.models.journal.journal_report import by_second, counts, entries, export_answers
from interplay.schemas.errors import StoreError
from interplay.schemas.records.dialogue import Usage

BODY = b'{"said": "' + b"words " * 2000 + b'"}'


def put(journal: Journal, *texts: str, role: str = "user") -> None:
    async def scenario() -> None:
        questions = [question_of("http://a/v1", "/chat", "m", {"text": text}, role, 0) for text in texts]
        await asyncio.gather(
            *(journal.put(item, BODY, Usage(prompt=3, completion=2), lambda: None) for item in questions)
        )

    asyncio.run(scenario())


def key(**changes: object) -> bytes:
    place = {"base_url": "http://a/v1", "path": "/chat", "model": "m", "payload": {"a": 1, "b": 2}, "role": "user",
             "sample": 0}  # fmt: skip
    return question_of(**{**place, **changes}).key  # type: ignore[arg-type]


def test_tells_questions_apart_by_address_model_payload_and_sample() -> None:
    others = [{"base_url": "http://b/v1"}, {"model": "n"}, {"payload": {"a": 1}}, {"sample": 1}, {"path": "/x"}]
    assert len({key(), *(key(**change) for change in others)}) == 6
    assert key(payload={"b": 2, "a": 1}) == key()
    assert key(payload={"a": 2**70}) != key(payload={"a": 2**70 + 1})


def test_two_writers_share_a_file(tmp_path: Path) -> None:
    first, second = Journal(tmp_path / "j.sqlite"), Journal(tmp_path / "j.sqlite")
    put(first, "a", "b")
    put(second, "b", "c")
    found = question_of("http://a/v1", "/chat", "m", {"text": "c"}, "user", 0).key
    assert first.get(found) == BODY
    assert sum(total.calls for total in second.sums.values()) == 4
    assert len(list(entries(tmp_path / "j.sqlite"))) == 3


def test_an_answer_outlives_a_kill_before_it_is_handed_on(tmp_path: Path) -> None:
    writing, reading = Journal(tmp_path / "j.sqlite"), Journal(tmp_path / "j.sqlite")
    asked = question_of("http://a/v1", "/chat", "m", {"text": "a"}, "user", 0)
    seen: list[bytes | None] = []

    async def scenario() -> None:
        put = asyncio.ensure_future(writing.put(asked, BODY, Usage(), lambda: seen.append(reading.get(asked.key))))
        while not seen:
            await asyncio.sleep(0)
        assert seen == [BODY]
        await put

    asyncio.run(scenario())


def test_an_answer_is_not_handed_on_before_it_is_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal, written = Journal(tmp_path / "j.sqlite"), 0

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    async def scenario() -> None:
        def count() -> None:
            nonlocal written
            written += 1

        for number in range(2):
            asked = question_of("http://a/v1", "/chat", "m", {"text": str(number)}, "user", 0)
            with pytest.raises(StoreError, match="No space left"):
                await journal.put(asked, BODY, Usage(), count)

    monkeypatch.setattr(os, "fsync", full)
    asyncio.run(scenario())
    assert written == 2


KILLED = """
import asyncio, sys
from pathlib import Path
from interplay.generators.models.journal.journal import Journal
from interplay.generators.models.journal.journal_file import connect, question_of
from interplay.schemas.records.dialogue import Usage

async def main() -> None:
    journal = Journal(Path(sys.argv[1]))
    for number in range(100_000):
        question = question_of("http://a", "/c", "m", {"n": number}, "user", 0)
        await journal.put(question, str(number).encode(), Usage(), lambda: None)
        print(number, flush=True)

asyncio.run(main())
"""


def test_keeps_all_that_was_handed_on_before_a_kill(tmp_path: Path) -> None:
    command = [sys.executable, "-c", KILLED, str(tmp_path / "j.sqlite")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for _ in range(50):
            process.stdout.readline()
        os.kill(process.pid, signal.SIGKILL)
        last = int(([line for line in process.stdout.read().splitlines() if line.isdigit()] or ["49"])[-1])
    journal = Journal(tmp_path / "j.sqlite")
    assert journal.resumed
    for number in range(last + 1):
        assert journal.get(question_of("http://a", "/c", "m", {"n": number}, "user", 0).key) == str(number).encode()


def test_lists_counts_and_exports(tmp_path: Path) -> None:
    model = open_model(tmp_path, TalkingEndpoint())
    asyncio.run(answers(model, ["hello", "unusable"], role="reviewer"))
    model.journal.close()
    path = tmp_path / "journal.sqlite"
    assert [(count.role, count.outcome, count.answers, count.prompt) for count in counts(path)] == [
        ("reviewer", "answered", 1, 10),
        ("reviewer", "failed", 1, 10),
    ]
    assert counts(path, role="user") == ()
    assert export_answers(path, tmp_path / "answers.jsonl") == 2
    lines = (tmp_path / "answers.jsonl").read_text().splitlines()
    assert {json.loads(json.loads(line)["body"])["said"] for line in lines} == {"hello", "unusable"}


def test_says_what_is_wrong_with_a_journal(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there is no journal"):
        counts(tmp_path / "none.sqlite")
    (tmp_path / "j.sqlite").write_bytes(b"no database at all" * 100)
    with pytest.raises(StoreError, match="cannot be used"):
        Journal(tmp_path / "j.sqlite")


def test_a_journal_of_yesterday_is_known_as_one_and_a_new_one_is_not(tmp_path: Path) -> None:
    first = Journal(tmp_path / "deep" / "j.sqlite")
    assert not first.resumed
    put(first, "a")
    assert Journal(tmp_path / "deep" / "j.sqlite").resumed


def test_a_commit_outlives_a_loss_of_power_unless_the_log_is_synced_apart(tmp_path: Path) -> None:
    full, normal = 2, 1  # https://sqlite.org/pragma.html#pragma_synchronous
    assert connect(tmp_path / "j.sqlite").execute("PRAGMA synchronous").fetchone()[0] == full
    assert connect(tmp_path / "j.sqlite", "NORMAL").execute("PRAGMA synchronous").fetchone()[0] == normal


def test_the_first_answer_to_a_question_stays_and_all_that_was_paid_is_counted(tmp_path: Path) -> None:
    asked = question_of("http://a/v1", "/chat", "m", {"text": "a"}, "user", 0)
    journal = Journal(tmp_path / "j.sqlite")

    async def scenario() -> None:
        for body in (b'"first"', b'"second"'):
            await journal.put(asked, body, Usage(prompt=9, cached=4, completion=2, cache_written=3), lambda: None)

    asyncio.run(scenario())
    assert journal.get(asked.key) == b'"first"'
    [total] = journal.sums.values()
    assert (total.calls, total.prompt, total.cached, total.completion, total.written) == (2, 18, 8, 4, 6)


def test_a_long_reason_is_cut(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j.sqlite")
    put(journal, "a")
    journal.note_failure(question_of("http://a/v1", "/chat", "m", {"text": "a"}, "user", 0).key, "why " * 1000)
    journal.close()
    [entry] = entries(tmp_path / "j.sqlite")
    assert (entry.outcome, len(entry.reason)) == ("failed", 500)


def test_a_long_answer_is_kept_in_little_space(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j.sqlite")
    put(journal, "a")
    [entry] = entries(tmp_path / "j.sqlite")
    assert entry.bytes < len(BODY) / 10
    assert journal.get(question_of("http://a/v1", "/chat", "m", {"text": "a"}, "user", 0).key) == BODY


def test_one_who_waits_no_longer_does_not_keep_others_from_their_answers(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j.sqlite")

    async def scenario() -> None:
        questions = [question_of("http://a/v1", "/chat", "m", {"text": text}, "user", 0) for text in "abc"]
        waiting = [asyncio.ensure_future(journal.put(item, BODY, Usage(prompt=3), lambda: None)) for item in questions]
        await asyncio.sleep(0)
        waiting[0].cancel()
        await asyncio.wait_for(asyncio.gather(*waiting[1:]), 30)

    asyncio.run(scenario())
    assert len(list(entries(tmp_path / "j.sqlite"))) == 3


def test_what_cannot_be_written_is_told_to_those_who_wait_and_to_those_who_come_later(tmp_path: Path) -> None:
    journal, told = Journal(tmp_path / "j.sqlite"), list[str]()
    with closing(connect(tmp_path / "j.sqlite")) as other:
        other.execute("DROP TABLE answers")

    async def scenario() -> None:
        asked = question_of("http://a/v1", "/chat", "m", {"text": "a"}, "user", 0)
        for _ in range(2):
            with pytest.raises(StoreError, match="the journal of answers cannot be used"):
                await journal.put(asked, BODY, Usage(prompt=3), lambda: told.append("written"))

    asyncio.run(scenario())
    assert told == ["written", "written"]
    assert journal.sums == {}


def test_figures_by_second_need_the_time_of_every_answer(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j.sqlite")
    put(journal, "a", "b")
    assert sum(second.prompt for second in by_second(tmp_path / "j.sqlite")) == 6
    with closing(connect(tmp_path / "j.sqlite")) as other:
        other.execute("UPDATE answers SET at = 0 WHERE id = 1")  # of a version that did not know it
    assert by_second(tmp_path / "j.sqlite") == ()
