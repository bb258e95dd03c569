"""Users that a model plays: a session hears it, its words are kept for `verify`, and a model that fails ends it as unclear."""

import asyncio
from pathlib import Path

import pytest
from gym_agents import gold, nothing, played
from tests.flows.brains import ReplayingBrain
from tests.flows.runs.test_model_run import by_rules
from tests.model_server.misbehaviour import Fault, Settings
from tests.model_server.server import ModelServer

from interplay.flows.gym.catalogue import composed_tasks, with_users
from interplay.flows.gym.verification import verify
from interplay.flows.settings.config_file import parse_config


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANTED_KEY", "sk-planted")


async def rewards(folder: Path, settings: Settings) -> list[tuple[float, float, bool, str]]:
    """Play some tasks with users by a model: rewards of gold and of nothing, whether `verify` says the same, and the reason."""
    async with ModelServer(settings, ReplayingBrain(RECORDS)) as server:
        model = {"model": "tiny", "base_url": server.openai_url, "api_key_env": "PLANTED_KEY", "attempts": 1}
        config = parse_config({"models": {"m": model}, "roles": {"user": "m"}}, "test")
        tasks = await composed_tasks(config, 6)
        found = []
        async with with_users(tasks, folder / "journal.sqlite") as catalogue:
            for task in catalogue.tasks.values():
                session = await played(catalogue, task, gold)
                reward = await session.close()
                again = await verify(catalogue, task, session.transcript())
                idle = await (await played(catalogue, task, nothing)).close()
                found.append((reward.reward, idle.reward, again == reward, reward.reason))
    return found


RECORDS = by_rules()


def test_a_model_plays_the_user_and_its_words_can_be_verified(tmp_path: Path) -> None:
    found = asyncio.run(rewards(tmp_path, Settings()))
    assert [(reward, idle, same) for reward, idle, same, _ in found] == [(1.0, 0.0, True)] * len(found)


def test_a_model_that_fails_ends_the_session_as_unclear(tmp_path: Path) -> None:
    found = asyncio.run(rewards(tmp_path, Settings(faults=(Fault("500"),))))
    assert {reward for reward, _, _, _ in found} == {0.0}
    assert all(reason for _, _, _, reason in found)
