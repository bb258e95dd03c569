"""Whole runs in which each role is played its own way: by rules, by a model, or by rules in a model's words."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.flows.brains import ReplayingBrain, heard_over_any_wire
from tests.flows.command_line import exported, quiet
from tests.generators import worlds
from tests.model_server.answers import Answer, Ask, Call
from tests.model_server.misbehaviour import Settings
from tests.model_server.server import ModelServer

from interplay.flows.runs.committer import RunSummary
from interplay.flows.runs.run import run
from interplay.flows.settings.config import RunConfig
from interplay.flows.settings.config_file import parse_config
from interplay.flows.workspaces.workspace import Workspace
from interplay.flows.worlds.assembly import open_world
from interplay.generators.participants.by_model.rewrite import ANSWER
from interplay.generators.participants.by_model.user import scenario_prompt
from interplay.generators.participants.hearing.forthcoming_user import forthcoming
from interplay.outputs.store.shard_file import read_shard
from interplay.schemas.errors import BudgetExceeded
from interplay.schemas.records.dialogue import Message
from interplay.schemas.records.verdict import DatasetRecord

RECORDS = 12


def by_rules() -> tuple[DatasetRecord, ...]:
    return worlds.records("domain:clinic", RECORDS + 8, seed=0)


def config(server: ModelServer, roles: dict[str, Any]) -> RunConfig:
    model = {"model": "tiny", "base_url": server.openai_url, "api_key_env": "PLANTED_KEY", "concurrency": 8}
    return parse_config({"models": {"m": model}, "roles": roles, "shard_size": 4}, "test")


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANTED_KEY", "sk-planted")


def made_with(
    folder: Path, roles: dict[str, Any], brain: Callable[[Ask], Answer | None], records: int = RECORDS
) -> RunSummary:
    """Make records beside a server that answers as `brain` does."""

    async def main() -> RunSummary:
        async with ModelServer(Settings(), brain) as server:
            return await run(Workspace(folder), config(server, roles), quiet, records=records)

    return asyncio.run(main())


def records(folder: Path) -> list[DatasetRecord]:
    return [record for path in Workspace(folder).finished_shards() for record in read_shard(path)]


def until_left(played: DatasetRecord, rules: DatasetRecord) -> tuple[Message, ...]:
    """Return what a model played, without the goodbye that it says where the rules leave without a word."""
    assert played.trajectory is not None
    assert rules.trajectory is not None
    served = rules.trajectory.messages[-1].act == "response"
    return played.trajectory.messages[: len(rules.trajectory.messages) if served else None]


@pytest.mark.parametrize("role", ["user", "assistant"])
def test_the_rules_play_with_a_model_as_with_themselves(tmp_path: Path, role: str) -> None:
    made_with(tmp_path, {role: "m"}, ReplayingBrain(by_rules()))
    toolset, alike = open_world(["domain:clinic"]).toolset, 0
    every = {record.blueprint.recipe.index: record for record in records(tmp_path) if record.blueprint}
    for index, rules in enumerate(by_rules()[:RECORDS]):
        assert rules.blueprint is not None
        if role == "assistant" and forthcoming(rules.blueprint, toolset) != rules.blueprint:
            continue  # its user says more to an assistant from elsewhere, and so other things
        alike += 1
        played = every[index]
        assert rules.trajectory is not None
        assert played.trajectory is not None
        assert [(said.role, said.content) for said in until_left(played, rules)] == [
            (said.role, said.content) for said in rules.trajectory.messages
        ]
        assert played.trajectory.models == {"user": "rules", "assistant": "rules"} | {role: "tiny"}
        spoken = [message for message in played.trajectory.messages if message.role == role]
        assert all(message.act and message.state and message.state.confidence >= 0.5 for message in spoken)
    assert alike > RECORDS / 2
    assert exported(tmp_path, tmp_path / "exported")


def test_dialogues_of_models_alone_are_tagged_too(tmp_path: Path) -> None:
    made_with(tmp_path, {"user": "m", "assistant": "m"}, ReplayingBrain(by_rules()))
    acts = [
        (told.act, read.act, read.state)
        for rules, played in zip(by_rules(), records(tmp_path), strict=False)
        if rules.trajectory and played.trajectory
        for told, read in zip(rules.trajectory.messages, until_left(played, rules), strict=True)
        if told.role != "tool"
    ]
    assert sum(told == read for told, read, _ in acts) >= 0.95 * len(acts)
    assert all(state is not None and state.confidence <= 1 for _, _, state in acts)


class Hasty(ReplayingBrain):
    """A user that says with every other message that it is done, and yet what it is at."""

    def say(self, prompt: str, turn: int) -> tuple[str, int, bool]:
        """Return what it says in a turn."""
        words, request, done = super().say(prompt, turn)
        return words, request, done or turn % 2 == 0


@pytest.mark.parametrize("roles", [("user",), ("user", "assistant")])
def test_who_still_wants_or_answers_something_does_not_end(tmp_path: Path, roles: tuple[str, ...]) -> None:
    made_with(tmp_path, dict.fromkeys(roles, "m"), Hasty(by_rules()))
    for rules, played in zip(by_rules(), records(tmp_path), strict=False):
        assert rules.trajectory is not None
        assert played.trajectory is not None
        assert [message.content for message in until_left(played, rules)] == [
            message.content for message in rules.trajectory.messages
        ]
        assert played.status == "accepted"


class Rewording:
    """Puts a remark before each sentence, or a number that nobody gave."""

    def __init__(self, remark: str) -> None:
        self.remark = remark

    def __call__(self, ask: Ask) -> Answer | None:
        asked = heard_over_any_wire(ask)[-1][1]
        sentence = asked.split("Sentence: ")[1].split("\nValues that stay")[0]
        text = json.dumps({"text": f"{self.remark}{sentence}"})
        return Answer(calls=(Call(ask.choice, text),)) if ask.choice == ANSWER.name else Answer(text=text)


ROLES = {"user": {"rewrite": "m"}, "assistant": {"rewrite": "m", "language": "Spanish"}}


def test_says_in_other_words_what_the_rules_decide(tmp_path: Path) -> None:
    summary = made_with(tmp_path, ROLES, Rewording("¡ya! "))
    assert (summary.accepted, summary.rejected) == (RECORDS, 0)
    said = list[Message]()
    for record in records(tmp_path):
        assert record.trajectory is not None
        assert set(record.trajectory.rewriting) == {"user", "assistant"}
        said += [message for message in record.trajectory.messages if message.role != "tool" and message.content]
        assert record.trajectory.models["assistant"] == "rules, tiny"
        assert record.trajectory.usage["user"].prompt > 0
    # What refuses stays as it is: these words are no refusal in Spanish.
    worded = [message for message in said if message.act not in ("refuse", "response_fail")]
    assert sum(message.content.startswith("¡ya!") for message in worded) >= 0.9 * len(worded)


def test_keeps_the_sentences_whose_other_words_add_something(tmp_path: Path) -> None:
    made_with(tmp_path, ROLES, Rewording("On 4 May 2019, "))
    for rules, played in zip(by_rules(), records(tmp_path), strict=False):
        assert rules.trajectory is not None
        assert played.trajectory is not None
        assert [message.content for message in played.trajectory.messages] == [
            message.content for message in rules.trajectory.messages
        ]
        assert [set(counts) for counts in played.trajectory.rewriting.values()] == [{"value_added"}] * 2


def test_ends_where_the_rules_understand_nothing(tmp_path: Path) -> None:
    def mumbles(ask: Ask) -> Answer | None:
        return Answer(text="Hmm, would the moon be greener?") if ask.body.get("tools") else None

    with pytest.raises(BudgetExceeded):
        made_with(tmp_path, {"assistant": "m"}, mumbles, records=2)
    ended = [record.trajectory for record in records(tmp_path) if record.trajectory]
    stuck = [trajectory for trajectory in ended if trajectory.termination == "unclear"]
    assert len(stuck) > len(ended) / 2
    assert all("not understood" in trajectory.reason for trajectory in stuck)


class Detouring(ReplayingBrain):
    """Says other things first where a user is asked for the first time in a dialogue whether to go ahead."""

    def __init__(self, said: tuple[DatasetRecord, ...], *detour: str) -> None:
        super().__init__(said)
        self.detour = detour
        self.places: dict[str, int] = {}
        for record in said:
            if record.trajectory is not None and record.blueprint is not None:
                answers = [
                    (before.act, message)
                    for before, message in zip(record.trajectory.messages, record.trajectory.messages[1:], strict=False)
                    if message.role == "user"
                ]
                place = next((i for i, (act, _) in enumerate(answers, 1) if act == "confirm_request"), None)
                if place is not None:
                    self.places[scenario_prompt(record.blueprint.scenario, record.blueprint.goals)] = place

    def say(self, prompt: str, turn: int) -> tuple[str, int, bool]:
        """Return what the user of a scenario says in a turn, which request it is at, and whether that is its last word."""
        past = turn - self.places.get(prompt, turn + 1)
        if 0 <= past < len(self.detour):
            return self.detour[past], 0, False
        return super().say(prompt, turn - len(self.detour) if past >= 0 else turn)


@pytest.mark.parametrize(
    "detour",
    [
        ("What do you mean?",),
        ("Great, but what does it cost?",),
        ("Yes, but make it cheaper.",),
        ("Absolutely not!", "Yes, please go ahead after all."),
    ],
)
def test_rules_write_only_after_a_yes_to_what_they_will_do(tmp_path: Path, detour: tuple[str, ...]) -> None:
    summary = made_with(tmp_path, {"user": "m"}, Detouring(by_rules(), *detour))
    assert (summary.accepted, summary.rejected) == (RECORDS, 0)
    met = 0
    for record in records(tmp_path):
        assert record.trajectory is not None
        messages = record.trajectory.messages
        for index, message in enumerate(messages):
            if message.content == detour[-1]:
                met += 1
                assert messages[index - len(detour) * 2 + 1].act == "confirm_request"
                assert not messages[index + 1].tool_calls
                assert messages[index + 1].act == "confirm_request"
    assert met >= RECORDS / 3
