"""A world that a model plays: sound answers pass, and those that break the schema or the memory do not."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.generators.environments.specs import SMALL, spec

from interplay.flows.generation.generator import Generator
from interplay.flows.settings.config import RunConfig
from interplay.flows.worlds.assembly import open_graph, open_world
from interplay.generators.environments.live.simulated_tools import LARGEST, Simulated
from interplay.generators.environments.sandbox.sandbox import Sandbox
from interplay.generators.graph.sampling.argument_samples import sample_arguments
from interplay.generators.graph.sampling.world import World
from interplay.generators.values.schema_values import Unsatisfiable
from interplay.schemas.errors import ModelError, ModelUnavailable
from interplay.schemas.json.validation import is_valid
from interplay.schemas.records.chat import ChatReply, ChatRequest
from interplay.schemas.records.dialogue import ToolCall, ToolResult
from interplay.schemas.records.tool import HttpBinding, Source, Tool, Toolset

PET = {
    "type": "object",
    "properties": {"id": {"type": "string"}, "name": {"type": "string"}, "age": {"type": "integer"}},
    "required": ["id", "name"],
}
KEY = {"type": "object", "properties": {"petId": {"type": "string"}}, "required": ["petId"]}
NAMED = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}


def tool(name: str, method: str, path: str, parameters: dict[str, Any], returns: dict[str, Any] | None) -> Tool:
    """Return a tool that is bound to a path."""
    locations = {key: "path" if f"{{{key}}}" in path else "body" for key in parameters["properties"]}
    binding = HttpBinding.model_validate({"method": method, "path": path, "locations": locations})
    effect = "read" if method == "GET" else "write"
    return Tool(
        name=name, original_name=name, parameters=parameters, returns=returns, effect=effect,  # type: ignore[arg-type]
        source=Source(file="pets"), http=binding,
    )  # fmt: skip


PETS = Toolset(
    name="pets",
    tools=(
        tool("list_pets", "GET", "/pets", {"type": "object", "properties": {}}, {"type": "array", "items": PET}),
        tool("get_pet", "GET", "/pets/{petId}", KEY, PET),
        tool("add_pet", "POST", "/pets", NAMED, PET),
        tool(
            "rename_pet", "PUT", "/pets/{petId}",
            {"type": "object", "properties": {**KEY["properties"], **NAMED["properties"]}, "required": ["petId"]}, PET,  # type: ignore[dict-item]
        ),
        tool("remove_pet", "DELETE", "/pets/{petId}", KEY, None),
    ),
)  # fmt: skip


class Scripted:
    """A model that gives these answers in turn, and keeps what it was asked."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.asked: list[ChatRequest] = []

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Give the next answer."""
        self.asked.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, ChatReply) else ChatReply(content=json.dumps(answer))


def served(result: Any) -> dict[str, Any]:
    """Return an answer with a result."""
    return {"error": None, "result": result}


def refused(error: str) -> dict[str, Any]:
    """Return an answer with an error."""
    return {"error": error, "result": None}


def play(world: Simulated, *calls: tuple[str, dict[str, Any]]) -> list[ToolResult]:
    """Make calls one after the other."""

    async def make() -> list[ToolResult]:
        return [
            await world.call(ToolCall(id=f"call{number:05}", name=name, arguments=arguments))
            for number, (name, arguments) in enumerate(calls)
        ]

    return asyncio.run(make())


REX = {"id": "3", "name": "Rex", "age": 4}


def test_gives_the_result_that_the_model_made() -> None:
    world = Simulated(PETS, Scripted(served(REX)))
    [result] = play(world, ("get_pet", {"petId": "3"}))
    assert result.value == REX
    assert json.loads(result.text) == REX
    assert world.state()["pet"] == {"3": REX}
    assert world.changes() == ()


def test_asks_for_answers_in_a_form_that_providers_enforce() -> None:
    model = Scripted(served(REX))
    play(Simulated(PETS, model), ("get_pet", {"petId": "3"}))
    assert model.asked[0].output is not None
    schema = model.asked[0].output.json_schema
    assert schema["type"] == "object"
    assert schema.keys().isdisjoint({"anyOf", "oneOf", "allOf"})
    good = (served(REX), refused("404: no such pet"))
    assert [answer for answer in good if not is_valid(answer, schema)] == []
    bad = (served({"id": 7}), {"error": None}, {"result": REX}, {**served(REX), "note": "more"}, refused(""))
    assert [answer for answer in bad if is_valid(answer, schema)] == []


def test_passes_on_the_error_that_the_model_made() -> None:
    [result] = play(Simulated(PETS, Scripted(refused("404: no such pet"))), ("get_pet", {"petId": "9"}))
    assert result.error == "404: no such pet"


@pytest.mark.parametrize(
    ("calls", "answers", "problem"),
    [
        ([("get_pet", {"petId": "3"})], [served({"id": "3"})], "'name' is a required property"),
        ([("get_pet", {"petId": "3"})], [served({**REX, "id": "4"})], "petId is '3', but the pet '4' is shown"),
        (
            [("list_pets", {}), ("get_pet", {"petId": "3"})],
            [served([REX]), served({**REX, "name": "Max"})],
            "the pet '3' has /name 'Rex', not 'Max'",
        ),
        (
            [("list_pets", {}), ("get_pet", {"petId": "3"})],
            [served([REX]), refused("404")],
            "the pet was there before",
        ),
        ([("list_pets", {})], [served([REX, REX])], "the pet '3' is shown twice"),
        (
            [("list_pets", {}), ("add_pet", {"name": "Max"})],
            [served([REX]), served({"id": "3", "name": "Max"})],
            "a new one needs an identity of its own",
        ),
        ([("add_pet", {"name": "Max"})], [served(REX)], "has /name 'Max', not 'Rex'"),
        (
            [("list_pets", {}), ("rename_pet", {"petId": "3", "name": "Max"})],
            [served([REX]), served({**REX, "name": "Max", "age": 9})],
            "has /age 4, not 9",
        ),
        (
            [("list_pets", {}), ("remove_pet", {"petId": "3"}), ("list_pets", {})],
            [served([REX]), served({}), served([REX])],
            "the pet '3' was deleted before",
        ),
        ([("get_pet", {"petId": "3"})], [["no", "object"]], "is not of type 'object'"),
        ([("get_pet", {"petId": "3"})], [served({**REX, "note": "x" * LARGEST})], "longer than"),
    ],
)
def test_asks_once_more_where_an_answer_contradicts(calls: Any, answers: list[Any], problem: str) -> None:
    model = Scripted(*answers, refused("the second answer"))
    result = play(Simulated(PETS, model), *calls)[-1]
    assert problem in model.asked[-1].messages[-1].content
    assert len(model.asked) == len(answers) + 1
    assert "the second answer" in str(result.error) or "no usable answer" in str(result.error)


def test_ends_in_an_error_after_the_second_answer_that_cannot_be_used() -> None:
    world = Simulated(PETS, Scripted(served({"id": 7}), served({"id": 8})))
    [result] = play(world, ("get_pet", {"petId": "7"}))
    assert result.error == "500 Internal Server Error: get_pet gave no usable answer."
    assert world.state().get("pet", {}) == {}


@pytest.mark.parametrize("failure", [ModelError("refused"), ChatReply(content="I cannot do that")])
def test_a_model_that_gives_no_answer_costs_that_call_alone(failure: Any) -> None:
    world = Simulated(PETS, Scripted(failure, *([failure] if isinstance(failure, ChatReply) else []), served([REX])))
    lost, found = play(world, ("get_pet", {"petId": "3"}), ("list_pets", {}))
    assert lost.error
    assert found.value == [REX]


def test_a_silent_endpoint_is_no_tool_error() -> None:
    with pytest.raises(ModelUnavailable):
        play(Simulated(PETS, Scripted(ModelUnavailable("gone"))), ("list_pets", {}))


def test_refuses_without_asking_what_must_fail() -> None:
    model = Scripted(served([REX]), served(None))
    gone, unknown, bad = play(
        Simulated(PETS, model),
        ("list_pets", {}), ("remove_pet", {"petId": "3"}), ("get_pet", {"petId": "3"}), ("fly", {}), ("get_pet", {}),
    )[2:]  # fmt: skip
    assert gone.error == "404 Not Found: there is no pet '3'."
    assert unknown.error == "Error: unknown tool 'fly'."
    assert str(bad.error).startswith("400 Bad Request")
    assert model.answers == []


def test_reads_the_same_again_until_something_is_written() -> None:
    model = Scripted(served([REX]), served({"id": "4", "name": "Max"}), served([REX, {"id": "4", "name": "Max"}]))
    results = play(
        Simulated(PETS, model), ("list_pets", {}), ("list_pets", {}), ("add_pet", {"name": "Max"}), ("list_pets", {})
    )
    assert results[0].value == results[1].value == [REX]
    assert len(results[3].value) == 2


def test_goes_back_and_answers_as_before() -> None:
    model = Scripted(served({"id": "4", "name": "Max"}))
    world = Simulated(PETS, model)
    start, empty = world.snapshot(), world.digest()
    [first] = play(world, ("add_pet", {"name": "Max"}))
    changed = world.digest()
    world.restore(start)
    assert world.digest() == empty != changed
    assert [change.path for change in world.changes()] == []
    [again] = play(world, ("add_pet", {"name": "Max"}))
    assert (again, world.digest()) == (first, changed)
    assert len(model.asked) == 1


def test_the_beginning_of_the_prompt_stays_as_it_was() -> None:
    model = Scripted(served([REX]), served(REX), served({"id": "4", "name": "Max"}))
    play(Simulated(PETS, model), ("list_pets", {}), ("get_pet", {"petId": "3"}), ("add_pet", {"name": "Max"}))
    second, third = (request.messages[:-1] for request in model.asked[1:])
    assert third[: len(second)] == second


class SandboxModel:
    """A model that answers as a sandbox would: sound by construction."""

    def __init__(self, toolset: Toolset) -> None:
        self._sandbox = Sandbox(toolset)
        self.repairs = 0

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Bring the sandbox to where the conversation stands, and answer."""
        texts = [item.content.split("\n\n")[0] for item in request.messages if item.role == "user"]
        self.repairs += texts[-1].startswith("This answer")
        asked = [json.loads(text) for text in texts if not text.startswith("This answer")]
        fresh = self._sandbox.snapshot()
        try:
            for item in asked:
                call = ToolCall(id="call00001", name=item["tool"], arguments=item["arguments"])
                result = await self._sandbox.call(call)
        finally:
            self._sandbox.restore(fresh)
        return ChatReply(value={"error": result.error, "result": result.value})


def _driver(toolset: Toolset) -> Callable[[Simulated], list[ToolResult]]:
    """Return a walk over all tools of a toolset, with arguments that a sandbox accepts."""
    rng, world = Random(3), World(Sandbox(toolset))
    calls = []
    for item in toolset.tools * 2:
        try:
            calls.append((item.name, sample_arguments(world, item, rng)))
        except Unsatisfiable:
            continue
    return lambda simulated: play(simulated, *calls[:19])


@pytest.mark.parametrize("name", SMALL)
def test_lets_what_a_consistent_world_answers_pass(name: str) -> None:
    toolset = spec(name)
    model = SandboxModel(toolset)
    results = _driver(toolset)(Simulated(toolset, model))
    unusable = [result for result in results if "no usable answer" in str(result.error)]
    assert unusable == []


class SeatedTools:
    """A cast in which a model plays the tools, each index in a world of its own."""

    def __init__(self, toolset: Toolset) -> None:
        self._toolset = toolset

    def model(self, role: str, _seed: int, _index: int) -> SandboxModel | None:
        """Return who plays a role."""
        return SandboxModel(self._toolset) if role == "tool" else None

    def player(self, *_: object) -> None:
        """Leave both sides to the rules."""


def test_whole_records_are_made_of_tools_that_a_model_plays() -> None:
    place = f"json:{Path(__file__).parents[3] / 'flows' / 'notes.json'}"
    world = open_world([place])
    cast: Any = SeatedTools(world.parts[0].environment.toolset)
    made = Generator(RunConfig(toolset=(place,)), world, asyncio.run(open_graph(world)), "run", cast)
    records = [asyncio.run(made.make_record(index)) for index in range(12)]
    assert [record.stage for record in records] == [None] * 12
    trajectories = [record.trajectory for record in records if record.trajectory]
    assert all(set(trajectory.models) == {"user", "assistant", "tool"} for trajectory in trajectories)
    assert sum(len(trajectory.calls()) for trajectory in trajectories) >= 20
