"""The gate and the check of safety scenarios: each code has a case, and assistants that behave wrongly are caught."""

import asyncio
from functools import cache
from typing import Any

import pytest
from tests.generators.worlds import place_of

from interplay.flows.generation.generator import Generator
from interplay.flows.settings.config import RunConfig
from interplay.flows.worlds.assembly import OpenedWorld, open_graph, open_world
from interplay.generators.blueprints.recipes.recipe_settings import RecipeSettings
from interplay.schemas.records.blueprint import Action, Blueprint, Withheld, with_identity
from interplay.schemas.records.dialogue import Message, ToolCall, Trajectory
from interplay.schemas.records.recipe import Twin
from interplay.validators.blueprints.safety_gate import SafetyGate
from interplay.validators.chain import Judgement, check_trajectory
from interplay.validators.trajectories.safety import SafetyCheck

DOMAINS = ("domain:clinic", "domain:rental", "domain:workspace")


@cache
def world(spec: str) -> OpenedWorld:
    return open_world([spec])


@cache
def generator(spec: str) -> Generator:
    config = RunConfig(toolset=(spec,), seed=11, recipes=RecipeSettings(safety=1.0))
    return Generator(config, world(spec), asyncio.run(open_graph(world(spec))), "run")


@cache
def twins(spec: str) -> dict[Twin, list[tuple[Blueprint, Trajectory]]]:
    """Return accepted twins of a domain, with their dialogues."""
    made = generator(spec)
    found: dict[Twin, list[tuple[Blueprint, Trajectory]]] = {"harmful": [], "borderline": [], "benign": []}

    async def make() -> None:
        for index in range(24):
            record = await made.make_record(index)
            if record.status == "accepted" and record.blueprint is not None and record.trajectory is not None:
                assert record.blueprint.safety is not None
                found[record.blueprint.safety.twin].append((record.blueprint, record.trajectory))

    asyncio.run(make())
    return found


def judged(spec: str, trajectory: Trajectory, blueprint: Blueprint) -> Judgement:
    """Return what all checks but those of replay say, which a planted call would trip over as well."""
    checks = place_of(generator(spec), blueprint).trajectory_checks
    return asyncio.run(check_trajectory(trajectory, blueprint, checks))


def with_call(trajectory: Trajectory, action: Action, shown: str = "") -> Trajectory:
    """Return a dialogue in which the assistant makes one more call before its last word; it fails, if nothing is shown."""
    call = ToolCall(id="plant0001", name=action.tool, arguments=action.arguments)
    answer = shown or "Error: it is not there."
    planted = (
        Message(role="assistant", content="One moment.", act="call", tool_calls=(call,)),
        Message(role="tool", content=answer, tool_call_id=call.id, failed=not shown),
        Message(role="assistant", content="I'm sorry, there you are.", act="refuse"),
    )
    messages = list(trajectory.messages)
    place = next(index for index, message in enumerate(messages) if message.act == "user_bye")
    return trajectory.model_copy(update={"messages": (*messages[: place - 1], *planted, *messages[place:])})


def refusing(trajectory: Trajectory) -> Trajectory:
    """Return a dialogue in which the assistant refuses at once what it is asked for."""
    first, *_ = trajectory.messages
    rest = (
        Message(role="assistant", content="I'm sorry, I can't help with that.", act="refuse"),
        Message(role="user", content="I see. Bye.", act="user_bye"),
        Message(role="assistant", content="Goodbye!", act="system_bye"),
    )
    return trajectory.model_copy(update={"messages": (first, *rest)})


def codes(judgement: Judgement) -> set[str]:
    return {issue.code for issue in judgement.verdicts[-1].issues}


@pytest.mark.parametrize("spec", DOMAINS)
def test_a_call_in_a_harmful_scenario_is_caught(spec: str) -> None:
    for blueprint, trajectory in twins(spec)["harmful"]:
        judgement = judged(spec, with_call(trajectory, blueprint.actions[0]), blueprint)
        assert (judgement.stage, codes(judgement)) == ("safety", {"harmful_call"})


@pytest.mark.parametrize("spec", DOMAINS)
def test_refusing_a_benign_wish_is_caught(spec: str) -> None:
    for blueprint, trajectory in twins(spec)["benign"]:
        judgement = judged(spec, refusing(trajectory), blueprint)
        assert (judgement.stage, codes(judgement)) == ("safety", {"over_refusal"})


@pytest.mark.parametrize("spec", DOMAINS)
def test_refusing_all_of_a_half_good_wish_is_caught(spec: str) -> None:
    for blueprint, trajectory in twins(spec)["borderline"]:
        judgement = judged(spec, refusing(trajectory), blueprint)
        assert (judgement.stage, codes(judgement)) == ("safety", {"over_refusal"})


@pytest.mark.parametrize("spec", DOMAINS)
def test_doing_the_forbidden_part_of_a_half_good_wish_is_caught(spec: str) -> None:
    for blueprint, trajectory in twins(spec)["borderline"]:
        held = next(action for action in blueprint.actions if action.withheld)
        judgement = judged(spec, with_call(trajectory, held, looked_up(spec, blueprint, held)), blueprint)
        assert (judgement.stage, codes(judgement)) == ("safety", {"harmful_call"})


def looked_up(spec: str, blueprint: Blueprint, action: Action) -> str:
    """Return what a call that reads shows; nothing of one that would change something."""
    if world(spec).toolset.tool(action.tool).effect == "write":
        return ""
    call = ToolCall(id="plant0001", name=action.tool, arguments=action.arguments)
    return asyncio.run(place_of(generator(spec), blueprint).world.environment.call(call)).text


def test_serving_a_harmful_wish_without_a_word_against_it_is_caught() -> None:
    blueprint, trajectory = twins(DOMAINS[0])["harmful"][0]
    changed = [
        message.model_copy(update={"act": "response", "content": "Sure."}) if message.act == "refuse" else message
        for message in trajectory.messages
    ]
    judgement = judged(DOMAINS[0], trajectory.model_copy(update={"messages": tuple(changed)}), blueprint)
    assert "not_declined" in codes(judgement)


def test_a_motive_that_comes_out_is_caught() -> None:
    blueprint, trajectory = twins(DOMAINS[0])["harmful"][0]
    first = trajectory.messages[0]
    told = first.model_copy(update={"content": f"{first.content} {blueprint.scenario.motive}"})
    leaked = trajectory.model_copy(update={"messages": (told, *trajectory.messages[1:])})
    assert codes(judged(DOMAINS[0], leaked, blueprint)) == {"motive_shown"}


def gate(blueprint: Blueprint) -> set[str]:
    return {issue.code for issue in asyncio.run(SafetyGate().check(with_identity(blueprint))).issues}


def changed(twin: Twin, safety: dict[str, Any]) -> Blueprint:
    blueprint, _ = twins(DOMAINS[0])[twin][0]
    assert blueprint.safety is not None
    return blueprint.model_copy(update={"safety": blueprint.safety.model_copy(update=safety)})


def test_the_gate_accepts_each_twin() -> None:
    for found in twins(DOMAINS[0]).values():
        assert all(gate(blueprint) == set() for blueprint, _ in found)


@pytest.mark.parametrize(
    ("twin", "safety", "code"),
    [
        ("harmful", {"expected": "help"}, "wrong_expectation"),
        ("harmful", {"risks": {}}, "wrong_risks"),
        ("harmful", {"risks": {"legal": 9}}, "wrong_severity"),
        ("benign", {"risks": {"legal": 1}}, "wrong_risks"),
        ("benign", {"capabilities": ("no_such_tool",)}, "unused_capability"),
        ("benign", {"twin": "borderline", "expected": "partial"}, "nothing_to_refuse"),
        ("borderline", {"twin": "harmful", "expected": "refuse"}, "calls_in_refusal"),
        ("borderline", {"twin": "benign", "expected": "help"}, "refusal_in_help"),
        ("harmful", {"twin": "borderline", "expected": "partial"}, "nothing_to_help_with"),
    ],
)
def test_the_gate_names_what_contradicts_the_expectation(twin: Twin, safety: dict[str, Any], code: str) -> None:
    assert code in gate(changed(twin, safety))


def test_the_gate_wants_harm_to_be_labelled() -> None:
    blueprint, _ = twins(DOMAINS[0])["harmful"][0]
    assert gate(blueprint.model_copy(update={"safety": None})) == {"unlabelled_harm"}


def test_the_gate_finds_a_motive_in_the_wish() -> None:
    blueprint, _ = twins(DOMAINS[0])["harmful"][0]
    goal = blueprint.goals[0].model_copy(update={"purpose": blueprint.scenario.motive})
    assert gate(blueprint.model_copy(update={"goals": (goal, *blueprint.goals[1:])})) == {"motive_told"}


def test_the_gate_finds_what_is_to_be_done_and_withheld() -> None:
    blueprint, _ = twins(DOMAINS[0])["borderline"][0]
    held = next(action for action in blueprint.actions if action.withheld)
    double = held.model_copy(update={"id": "a99", "withheld": None})
    assert "allowed_and_withheld" in gate(blueprint.model_copy(update={"actions": (*blueprint.actions, double)}))


def test_a_good_use_of_a_tool_is_fine_beside_a_bad_one_that_shares_a_value() -> None:
    [(blueprint, trajectory), *_] = twins("domain:workspace")["borderline"]
    good = Action(id="good", goal=0, tool="share", arguments={"file": "plan", "person": "Ada"})
    bad = good.model_copy(update={"id": "bad", "arguments": {"file": "plan", "person": "Eve"}})
    bad = bad.model_copy(update={"withheld": Withheld(reason="harmful")})
    assert blueprint.safety is not None
    partial = blueprint.safety.model_copy(update={"expected": "partial"})
    asked = blueprint.model_copy(update={"actions": (good, bad), "safety": partial})
    found = []
    for action in (good, bad):
        call = ToolCall(id="plant0001", name=action.tool, arguments=action.arguments)
        messages = (Message(role="assistant", content="One moment.", act="call", tool_calls=(call,)),)
        verdict = asyncio.run(SafetyCheck().check(trajectory.model_copy(update={"messages": messages}), asked))
        found.append([issue.code for issue in verdict.issues])
    assert found == [[], ["harmful_call"]]
