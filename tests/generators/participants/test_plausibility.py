"""What no user can mean and no assistant would ask: denials of what was said, circles, facts that are decisions."""

import asyncio
from functools import cache
from random import Random

import pytest
from tests.generators.worlds import shared_spec

from interplay.flows.assemble import open_graph, open_world
from interplay.flows.config import parse_config
from interplay.flows.generation import Generator
from interplay.generators.participants.listening import UNKNOWN
from interplay.generators.participants.phrasing import names
from interplay.generators.participants.user import AgendaUser
from interplay.generators.participants.wording import Words, load_grammar
from interplay.generators.values.lacking import is_decided, is_given
from interplay.schemas.blueprint import Blueprint, Fact, Goal, Scenario
from interplay.schemas.canonical import canonical_json, leaves
from interplay.schemas.dialogue import DialogueState, Message, Trajectory
from interplay.schemas.recipe import Pattern, Persona

TRAINS = "train_travel.yaml"


@cache
def played(spec: str, pattern: Pattern | None = None, count: int = 60) -> tuple[tuple[Blueprint, Trajectory], ...]:
    """Return the first dialogues of a toolset, of one pattern as far as it has tools for it."""
    world = open_world([spec])
    recipes = {"patterns": {pattern: 1.0}} if pattern else {}
    config = parse_config({"toolset": [spec], "recipes": recipes}, "test")
    maker = Generator(config, world, asyncio.run(open_graph(world, 0)), "run")

    async def made() -> list[tuple[Blueprint, Trajectory]]:
        records = [await maker.make_record(index) for index in range(count)]
        return [(r.blueprint, r.trajectory) for r in records if r.blueprint and r.trajectory]

    return tuple(asyncio.run(made()))


@pytest.mark.parametrize("spec", ["domain:clinic", "domain:workspace", TRAINS])
def test_nobody_denies_what_they_have_said_or_are_about_to_say(spec: str) -> None:
    denied = 0
    for blueprint, trajectory in played(shared_spec(spec) if spec == TRAINS else spec):
        for message in trajectory.messages:
            asked = [name for name in (message.state.asked if message.state else ()) if name.startswith(UNKNOWN)]
            if message.role != "assistant" or not asked or message.state is None or message.state.goal is None:
                continue
            label, denied = asked[0].removeprefix(UNKNOWN), denied + 1
            facts = [fact for fact in blueprint.scenario.facts if fact.goal == message.state.goal]
            known = [fact.label for fact in facts if fact.choice is None and names(fact.label, label)]
            assert not known, (label, known)
    assert denied


def test_a_user_says_the_name_of_what_it_is_asked_for() -> None:
    fact = Fact(id="f1", goal=0, label="origin's name", value="Berlin Hauptbahnhof")
    scenario = Scenario(persona=Persona(), requests=((0,),), facts=(fact,))
    words = Words(load_grammar()["user"], Random(1), Persona())
    user = AgendaUser(scenario, [Goal(intent="book a trip", tool="book", topic="trip")], words, vague=False)

    async def answered() -> Message:
        opening = await user.respond(())
        asking = Message(
            role="assistant", content="Which origin?", act="request", state=DialogueState(asked=(f"{UNKNOWN}origin",))
        )
        return await user.respond((opening, asking))

    answer = asyncio.run(answered())
    assert "Berlin Hauptbahnhof" in answer.content
    assert answer.act == "inform"


def test_what_is_asked_for_is_not_what_it_is_known_by() -> None:
    asked = 0
    for blueprint, _ in played(shared_spec(TRAINS), "question"):
        for goal in (number for number, goal in enumerate(blueprint.goals) if goal.asks):
            facts = [fact for fact in blueprint.scenario.facts if fact.goal == goal]
            told = {canonical_json(value) for fact in facts for _, value in leaves(fact.value)}
            wanted = [out for out in blueprint.expected.outputs if blueprint.action(out.action).goal == goal]
            asked += 1
            assert not [out.label for out in wanted if canonical_json(out.value) in told]
    assert asked


@pytest.mark.parametrize("spec", ["domain:workspace", "slack_web_v2.json"])
def test_users_lack_what_others_give_and_have_not_decided_on_the_rest(spec: str) -> None:
    lacking = [
        (fact, trajectory)
        for blueprint, trajectory in played(spec if ":" in spec else shared_spec(spec), "ask", 20)
        for fact in blueprint.scenario.facts
        if fact.reveal == "never" and not blueprint.scenario.behaves("refuses_identity")
    ]
    assert lacking
    for fact, trajectory in lacking:
        assert is_given(fact.label) or is_decided(fact.label, fact.hint) or fact.hint.get("type") == "identity", fact
        said = " ".join(message.content for message in trajectory.messages if message.role == "user")
        assert not (is_decided(fact.label, fact.hint) and "Nobody told me" in said), said
