"""Models that answer nonsense in every role: no crash, no hang, nothing accepted, and each attempt ends with its label."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, get_args

import pytest
from tests.flows.command_line import quiet
from tests.model_server.answers import Answer, Ask, Call
from tests.model_server.server import ModelServer

from interplay.flows.runs.run import run
from interplay.flows.settings.config_file import parse_config
from interplay.flows.workspaces.workspace import Workspace
from interplay.generators.models.journal.journal_report import counts
from interplay.outputs.store.shard_file import read_shard
from interplay.schemas.errors import BudgetExceeded
from interplay.schemas.records.chat import ModelRole

PETS = f"json:{Path(__file__).parents[2] / 'real_server' / 'pets.json'}"
RECORDS = 3


def noise(_: Ask, dice: Random) -> Answer:
    """Answer with any bytes."""
    text = dice.randbytes(dice.randrange(1, 400)).decode("utf-8", "replace")
    return Answer(text=text, calls=(Call(text[:40], text),) if dice.random() < 0.3 else ())


VALUES = (
    {}, [], 0, None, "x", [[[1]]], {"message": 5}, {"done": True}, {"message": "Colourless green ideas.", "done": False},
    {"message": "Bye.", "done": True}, {"error": None, "result": None}, {"error": "no", "result": {}}, {"edges": [1]},
)  # fmt: skip
ARGUMENTS = ("{}", "[]", "null", "{", '{"a": 1e999}', '{"id": "\\ud800"}', '{"id": 10000000000000000000000000}')


def meaningless(ask: Ask, dice: Random) -> Answer:
    """Answer with JSON that means nothing, and calls of what there is."""
    names = [name for name, _ in ask.tools] or ["nothing"]
    call = Call(dice.choice(names), dice.choice(ARGUMENTS))
    return Answer(text=json.dumps(dice.choice(VALUES)), calls=(call,) * dice.randrange(3))


def halves(ask: Ask, dice: Random) -> Answer:
    """Answer in the right form, with halves of characters, and with zeros."""
    said = json.dumps({"message": "\ud800 and \x00", "done": dice.random() < 0.2})
    call = Call("look\udc00" if dice.random() < 0.5 else ask.tools[0][0], said) if ask.tools else None
    return Answer(text=said, calls=(call,) if call and dice.random() < 0.5 else ())


def deep(ask: Ask, _: Random) -> Answer:
    """Answer with what is nested too deeply."""
    calls = (Call(ask.tools[0][0], '{"a":' * 5_000),) if ask.tools else ()
    return Answer(text='{"message":' * 5_000, calls=calls)


def nothing(_: Ask, dice: Random) -> Answer:
    """Answer with nothing at all."""
    return Answer(empty=dice.random() < 0.5)


CASTS = [
    *(("openai", (role,)) for role in get_args(ModelRole) if role != "interpreter"),
    ("openai", ("assistant", "interpreter")),
    *((provider, ("user", "assistant", "tool")) for provider in ("openai", "anthropic")),
    ("anthropic", ("user", "assistant")),
]
"""Who speaks which wire: each role alone, beside rules that play the others, and some together."""


@pytest.mark.parametrize(("provider", "roles"), CASTS)
@pytest.mark.parametrize("speak", [noise, meaningless, halves, deep, nothing])
def test_nonsense_costs_its_records_and_nothing_else(
    speak: Callable[[Ask, Random], Answer],
    provider: str,
    roles: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def play() -> None:
        async with ModelServer(script=lambda ask: speak(ask, Random(json.dumps(ask.body)))) as server:
            address = server.openai_url if provider == "openai" else server.anthropic_url
            model = {"provider": provider, "model": "m", "base_url": address, "timeout": 10, "api_key_env": "NO_KEY"}
            settings: dict[str, Any] = {"toolset": PETS, "shard_size": 3, "max_tries_per_record": 1}
            settings["recipes"] = {"patterns": {"sequential": 1}, "written": float("composer" in roles)}
            told = parse_config({**settings, "models": {"m": model}, "roles": dict.fromkeys(roles, "m")}, "test")
            async with asyncio.timeout(60):
                await run(Workspace(tmp_path), told, quiet, records=RECORDS)

    monkeypatch.setenv("NO_KEY", "none")
    with pytest.raises(BudgetExceeded, match=f"0 of {RECORDS} accepted"):
        asyncio.run(play())
    made = [record for path in Workspace(tmp_path).finished_shards() for record in read_shard(path)]
    assert [record.index for record in made] == list(range(RECORDS))
    for record in made:
        assert (record.status, record.stage == "crash") == ("rejected", False)
        assert [issue.code for verdict in record.verdicts for issue in verdict.issues]
        assert (record.failure is None) == (record.trajectory is None)  # only what was played went wrong somewhere
    heard = counts(Workspace(tmp_path).journal_file)
    asked = {count.role for count in heard if count.answers}
    assert asked <= {*roles}
    assert asked, "a role that speaks alone was asked; of several, the first may end the dialogue"
    if speak is nothing or (
        speak in (noise, deep) and "assistant" not in roles[:1]
    ):  # of an assistant, any words are an answer
        assert sum(count.answers for count in heard if count.outcome == "failed") > 0
