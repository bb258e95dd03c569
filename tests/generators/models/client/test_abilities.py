"""Probing what a model can do, and saying what to change."""

import asyncio
from typing import Any

import pytest
from tests.generators.models.wires import WIRES, endpoint
from tests.model_server.answers import Answer, Ask
from tests.model_server.server import ModelServer, Settings, read_fault

from interplay.generators.models.client.abilities import ABILITIES, Ability, probe
from interplay.schemas.records.chat import Sampling


def probed(wire: str = "chat", script: Any = None, faults: tuple[str, ...] = (), **fields: Any) -> dict[str, Ability]:
    async def run() -> tuple[Ability, ...]:
        async with ModelServer(Settings(faults=tuple(read_fault(fault) for fault in faults)), script) as server:
            model = endpoint(wire, server, **fields)
            try:
                return await probe(model, Sampling())
            finally:
                await model.aclose()

    return {ability.name: ability for ability in asyncio.run(run())}


@pytest.mark.parametrize("wire", WIRES)
def test_a_good_model_can_do_all(wire: str) -> None:
    found = probed(wire)
    assert tuple(found) == ABILITIES
    assert all(ability.ok and not ability.fix for ability in found.values())
    assert found["parallel tools"].seen.count("get_") == 2


def test_a_model_without_tools_is_told_apart() -> None:
    found = probed(script=lambda _: Answer(text="I am only words."))
    assert {name for name, ability in found.items() if ability.ok} == {"text", "usage"}
    assert found["tools"].seen == "words: I am only words."
    assert "--enable-auto-tool-choice" in found["tools"].fix
    assert "structured: tool" in found["structured output"].fix


def test_broken_arguments_are_no_tool_call() -> None:
    found = probed(faults=("truncated_arguments",))
    assert not found["tools"].ok


def test_one_call_at_a_time_is_not_parallel() -> None:
    def script(ask: Ask) -> Answer | None:
        return None if len(ask.tools) < 2 else Answer(text="Only words.")

    found = probed(script=script)
    assert (found["tools"].ok, found["parallel tools"].ok) == (True, False)


def test_a_server_that_does_not_know_output_schemas_is_told_what_to_set() -> None:
    found = probed(faults=("400@3",))
    assert [name for name, ability in found.items() if not ability.ok] == ["structured output"]
    assert "answered 400" in found["structured output"].seen
    assert "structured: tool" in found["structured output"].fix


@pytest.mark.parametrize(("fault", "fix"), [("401", "api_key_env"), ("404", "base_url"), ("drop", "Start the server")])
def test_an_endpoint_that_does_not_answer_is_asked_once(fault: str, fix: str) -> None:
    found = probed(faults=(fault,))
    assert not any(ability.ok for ability in found.values())
    assert all(fix in ability.fix for ability in found.values())
    assert found["tools"].seen.startswith("not asked")
