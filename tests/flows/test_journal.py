import asyncio
import json
from pathlib import Path

import pytest
from tests.flows.commands import interplay

from interplay.flows.workspace import Workspace
from interplay.generators.models.journal import Journal, ask
from interplay.schemas.dialogue import Usage


def fill(folder: Path) -> None:
    journal = Journal(Workspace(folder).journal_file)

    async def put() -> None:
        for number, role in enumerate(("user", "assistant", "assistant")):
            question = ask("http://a/v1", "/chat", "m", {"n": number}, role, 0)
            await journal.put(question, b"{}", Usage(prompt=7, completion=2), lambda: None)

    asyncio.run(put())
    journal.close()


def test_lists_counts_and_exports_what_models_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(tmp_path)
    listed = interplay(monkeypatch, capsys, "journal", "list", "--workspace", tmp_path, "--json")
    assert [entry["role"] for entry in json.loads(listed.out)] == ["user", "assistant", "assistant"]
    assert "assistant" in interplay(monkeypatch, capsys, "journal", "list", "--workspace", tmp_path).out
    counted = interplay(monkeypatch, capsys, "journal", "count", "--workspace", tmp_path, "--json")
    assert [(count["role"], count["answers"]) for count in json.loads(counted.out)] == [("assistant", 2), ("user", 1)]
    to = tmp_path / "answers.jsonl"
    said = interplay(monkeypatch, capsys, "journal", "export", to, "--workspace", tmp_path, "--role", "user")
    assert said.out.startswith("1 answers")
    assert json.loads(to.read_text())["body"] == "{}"


def test_says_where_there_is_no_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = interplay(monkeypatch, capsys, "journal", "count", "--workspace", tmp_path)
    assert answer.code == 1
    assert "there is no journal" in answer.err
