"""Users that a model plays: a session hears it, its words are kept for `verify`, and a model that fails ends it as unclear."""

import asyncio
from pathlib import Path

import pytest
from gym_agents import gold, nothing, played
from tests.flows.brains import ReplayingBrain
from tests.flows.runs.test_model_run import by_rules
from tests.model_server.answers import Answer, Ask, Script
from tests.model_server.misbehaviour import Fault, Settings
from tests.model_server.server import ModelServer

from interplay.flows.gym.catalogue import composed_tasks, with_users
from interplay.flows.gym.session import open_session
from interplay.flows.gym.verification import verify
from interplay.flows.settings.config_file import parse_config
from interplay.flows.worlds.assembly import open_world
from interplay.generators.participants.hearing.forthcoming_user import forthcoming
from interplay.schemas.json.canonical import canonical_json


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANTED_KEY", "sk-planted")


async def rewards(folder: Path, settings: Settings) -> list[tuple[float, float, bool, str]]:
    """Play some tasks with users by a model: rewards of gold and of nothing, whether `verify` says the same, and the reason."""
    async with ModelServer(settings, ReplayingBrain(by_rules())) as server:
        model = {"model": "tiny", "base_url": server.openai_url, "api_key_env": "PLANTED_KEY", "attempts": 1}
        config = parse_config({"models": {"m": model}, "roles": {"user": "m"}}, "test")
        tasks = await composed_tasks(config, 6)
        found, toolset = [], open_world(["domain:clinic"]).toolset
        async with with_users(tasks, folder / "journal.sqlite") as catalogue:
            for task in catalogue.tasks.values():
                if forthcoming(task.blueprint, toolset) != task.blueprint:
                    continue  # its user says more to an assistant from elsewhere, of which the server knows nothing
                session = await played(catalogue, task, gold)
                reward = await session.close()
                again = await verify(catalogue, task, session.transcript())
                idle = await (await played(catalogue, task, nothing)).close()
                found.append((reward.reward, idle.reward, again == reward, reward.reason))
    return found


def test_a_model_plays_the_user_and_its_words_can_be_verified(tmp_path: Path) -> None:
    found = asyncio.run(rewards(tmp_path, Settings()))
    assert [(reward, idle, same) for reward, idle, same, _ in found] == [(1.0, 0.0, True)] * len(found)
    assert len(found) >= 4


def test_a_model_that_fails_ends_the_session_as_unclear(tmp_path: Path) -> None:
    found = asyncio.run(rewards(tmp_path, Settings(faults=(Fault("500"),))))
    assert {reward for reward, _, _, _ in found} == {0.0}
    assert all(reason for _, _, _, reason in found)


def interpreted(ask: Ask) -> Answer | None:
    """Take odd words for what they stand for: the number of what is asked for stands in them."""
    words = ask.body["messages"][-1]["content"].rpartition("The assistant's words:\n")[2]
    if not words.startswith("Blorp"):
        return Answer(text=canonical_json({"does": "unclear", "about": []}))
    return Answer(text=canonical_json({"does": "request", "about": [int(words.split()[1])]}))


async def questioned(folder: Path, settings: Settings, script: Script | None) -> list[tuple[str, bool, bool]]:
    """Ask users by rules in odd words for the first thing that they wait to be asked: how it ends, whether it is said, `verify`."""
    async with ModelServer(settings, script) as server:
        model = {"model": "tiny", "base_url": server.openai_url, "api_key_env": "PLANTED_KEY", "attempts": 1}
        config = parse_config({"models": {"m": model}, "roles": {"interpreter": "m"}}, "test")
        tasks = await composed_tasks(config, 6)
        found, toolset = [], open_world(["domain:clinic"]).toolset
        async with with_users(tasks, folder / "journal.sqlite") as catalogue:
            for task in catalogue.tasks.values():
                if forthcoming(task.blueprint, toolset) != task.blueprint:
                    continue  # its user says more to an assistant from elsewhere, of which the server knows nothing
                session = await open_session(catalogue, task)
                facts, _ = session.listener.askable()
                plain = [place for place, fact in enumerate(facts, 1) if fact.reveal == "asked" and fact.choice is None]
                if not plain or not isinstance(facts[plain[0] - 1].value, str):
                    continue
                said = "".join(
                    [(await session.say(f"Blorp {plain[0]} fnord")).message for _ in range(3) if not session.done]
                )
                reward = await session.close()
                again = await verify(catalogue, task, session.transcript())
                told = any(
                    facts[plain[0] - 1].id in message.state.told for message in session.messages if message.state
                )
                found.append((reward.standing, told and bool(said), again == reward))
    return found


def test_a_model_hears_what_the_rules_cannot_make_out(tmp_path: Path) -> None:
    found = asyncio.run(questioned(tmp_path, Settings(), interpreted))
    assert found
    assert {(told, same) for _, told, same in found} == {(True, True)}


def test_a_model_that_cannot_tell_either_leaves_it_unclear(tmp_path: Path) -> None:
    def unsure(_: Ask) -> Answer:
        return Answer(text=canonical_json({"does": "unclear", "about": []}))

    found = asyncio.run(questioned(tmp_path, Settings(), unsure))
    assert {(standing, told) for standing, told, _ in found} == {("unclear", False)}
