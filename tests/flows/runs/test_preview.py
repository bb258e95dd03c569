"""Dialogues played in front of one's eyes: each message as it is said, then the verdicts."""

import asyncio

import pytest
from tests.flows.command_line import interplay

from interplay.flows.runs.preview import preview
from interplay.flows.settings.config import RunConfig
from interplay.schemas.records.dialogue import Message


def test_each_message_is_heard_before_the_record_is_there() -> None:
    heard: list[Message] = []

    async def play() -> None:
        async for record in preview(RunConfig(seed=3), range(2), heard.append):
            assert record.trajectory is not None
            assert tuple(heard) == record.trajectory.messages
            heard.clear()

    asyncio.run(play())


def test_the_command_shows_turns_and_verdicts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = interplay(monkeypatch, capsys, "preview", "-n", "2")
    assert answer.code == 0, answer.err
    assert "user" in answer.out
    assert answer.out.count("accepted") >= 1
    assert "outcome" in answer.out
    first = answer.out[answer.out.index("checks of the task") :]
    task, dialogue = first[: first.index("checks of the task", 1)].split("checks of the dialogue")
    assert all(
        "✓" in told and check in told
        for told, check in ((task, "replay"), (dialogue, "structure"), (dialogue, "outcome"))
    )
