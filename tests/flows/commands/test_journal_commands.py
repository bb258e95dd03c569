import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.flows.command_line import interplay

from interplay.flows.workspaces.workspace import Workspace
from interplay.generators.models.batches.batch_ledger import BatchLedger
from interplay.generators.models.journal.journal import Journal
from interplay.generators.models.journal.journal_file import question_of
from interplay.generators.models.journal.journal_report import batches, by_second, counts, entries
from interplay.schemas.records.dialogue import Usage


def fill(folder: Path) -> None:
    journal = Journal(Workspace(folder).journal_file)

    async def put() -> None:
        for number, role in enumerate(("user", "assistant", "assistant")):
            speaker = f"a ({number})" if number else ""
            question = question_of("http://a/v1", "/chat", "m", {"n": number}, role, 40 + number, speaker=speaker)
            await journal.put(question, b"{}", Usage(prompt=7, completion=2), lambda: None)

    asyncio.run(put())
    journal.close()


def test_lists_counts_and_exports_what_models_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(tmp_path)
    listed = interplay(monkeypatch, capsys, "journal", "list", "--workspace", tmp_path, "--json")
    assert [entry["role"] for entry in json.loads(listed.out)] == ["user", "assistant", "assistant"]
    lines = interplay(monkeypatch, capsys, "journal", "list", "--workspace", tmp_path).out.splitlines()
    assert [line.split()[1:3] for line in lines] == [["user", "40"], ["assistant", "41"], ["assistant", "42"]]
    counted = interplay(monkeypatch, capsys, "journal", "count", "--workspace", tmp_path, "--json")
    assert [(count["role"], count["speaker"], count["answers"]) for count in json.loads(counted.out)] == [
        ("assistant", "a (1)", 1), ("assistant", "a (2)", 1), ("user", "", 1)
    ]  # fmt: skip
    assert ["a (1): m  answered" in line for line in lines] == [False, True, False]
    to = tmp_path / "answers.jsonl"
    said = interplay(monkeypatch, capsys, "journal", "export", to, "--workspace", tmp_path, "--role", "user")
    assert said.out.startswith("1 answers")
    assert json.loads(to.read_text())["body"] == "{}"


def test_lists_batches_with_what_came_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(tmp_path)
    told = interplay(monkeypatch, capsys, "journal", "batches", "--workspace", tmp_path)
    assert told.out == "Nothing was asked in batches.\n"
    ledger = BatchLedger(Workspace(tmp_path).journal_file)
    questions = [question_of("http://a/v1", "/chat", "m", {"n": number}, "user", 0, batch=True) for number in range(3)]
    over = ledger.submitted(ledger.prepare("local", "/chat", "file-1", questions), "batch_1")
    ledger.ended(over, 2)
    ledger.submitted(ledger.prepare("local", "/chat", "file-2", questions[2:]), "batch_2")
    ledger.close()
    told = interplay(monkeypatch, capsys, "journal", "batches", "--workspace", tmp_path)
    assert "2 of 3 " in told.out
    assert "batch_2" in told.out
    assert told.out.endswith("1 ended, 1 submitted\n")
    listed = interplay(monkeypatch, capsys, "journal", "batches", "--workspace", tmp_path, "--model", "m", "--json")
    found = [(row["state"], row["remote"], row["questions"], row["answered"]) for row in json.loads(listed.out)]
    assert found == [("ended", "batch_1", 3, 2), ("submitted", "batch_2", 1, 0)]


def test_reads_the_ledger_of_an_earlier_version(tmp_path: Path) -> None:
    path = Workspace(tmp_path).journal_file
    BatchLedger(path).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("ALTER TABLE batches DROP COLUMN answered")
        connection.execute("ALTER TABLE batch_questions DROP COLUMN speaker")
        connection.execute("INSERT INTO batches VALUES (1, '', 'ended', 'm', 'a', '/', 'm', 't', 'r', 0.0, 5)")
        connection.commit()
    before = batches(path)
    BatchLedger(path).close()
    assert before == batches(path)
    assert [(row.questions, row.answered) for row in before] == [(5, 0)]


def test_reads_and_completes_the_journal_of_an_earlier_version(tmp_path: Path) -> None:
    fill(tmp_path)
    path = Workspace(tmp_path).journal_file
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("ALTER TABLE answers DROP COLUMN speaker")
        connection.commit()
    assert [entry.speaker for entry in entries(path)] == ["", "", ""]
    assert [count.answers for count in counts(path)] == [2, 1]
    fill(tmp_path)
    assert [count.answers for count in counts(path)] == [2, 1]


def test_says_where_there_is_no_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = interplay(monkeypatch, capsys, "journal", "count", "--workspace", tmp_path)
    assert answer.code == 1
    assert "there is no journal" in answer.err


def test_when_answers_came_is_known_unless_an_earlier_version_wrote_them(tmp_path: Path) -> None:
    fill(tmp_path)
    path = Workspace(tmp_path).journal_file
    assert sum(each.prompt for each in by_second(path)) == 21
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE answers SET at = 0 WHERE id = 1")
    assert by_second(path) == ()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("ALTER TABLE answers DROP COLUMN at")
    assert by_second(path) == ()
    assert [count.answers for count in counts(path)] == [1, 1, 1]
