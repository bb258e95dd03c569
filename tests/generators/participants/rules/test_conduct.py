"""Users who do more than want something: all that they do is planned, played, and followed by what is expected."""

import asyncio
from collections import Counter

import pytest
from tests.generators.worlds import OFTEN, generator, place_of, records

from interplay.flows.generation.generator import Generator
from interplay.flows.roles.listener import open_listener, with_acts
from interplay.flows.roles.players import seat
from interplay.flows.settings.config import RunConfig
from interplay.generators.dialogue_limits import Limits
from interplay.generators.environments.wrappers.faulty_calls import with_faults
from interplay.generators.participants.by_model.behaviour_prompt import conduct_lines
from interplay.generators.simulation import simulate
from interplay.schemas.records.behaviour import BEHAVIOURS, Behaviour
from interplay.schemas.records.blueprint import Action, Blueprint
from interplay.schemas.records.dialogue import Message, Trajectory
from interplay.schemas.records.verdict import DatasetRecord
from interplay.validators.chain import check_trajectory

CLINIC, COUNT = "domain:clinic", 300


def behaving(kind: Behaviour, when: str = "") -> list[DatasetRecord]:
    found = []
    for record in records(CLINIC, COUNT, recipes=OFTEN):
        done = record.blueprint.scenario.behaves(kind) if record.blueprint else None
        if done is not None and when in ("", done.when) and record.status == "accepted":
            found.append(record)
    return found


def test_shows_every_behaviour_and_keeps_the_records() -> None:
    made = records(CLINIC, COUNT, recipes=OFTEN)
    shown = {kind for r in made if r.trajectory for m in r.trajectory.messages for kind in m.behaviours}
    assert shown == set(BEHAVIOURS)
    assert sum(record.status == "accepted" for record in made) >= 0.98 * COUNT


def bare(trajectory: Trajectory) -> Trajectory:
    """Return a dialogue as models leave it."""
    messages = [
        message if message.role == "tool" else message.model_copy(update={"act": None, "state": None, "behaviours": ()})
        for message in trajectory.messages
    ]
    return trajectory.model_copy(update={"messages": tuple(messages)})


def test_hears_what_a_user_shows_and_nothing_that_it_does_not() -> None:
    shown, heard = Counter[str](), Counter[str]()
    for record in records(CLINIC, COUNT, recipes=OFTEN)[:200]:
        trajectory, blueprint = record.trajectory, record.blueprint
        if trajectory is None or blueprint is None or record.status != "accepted":
            continue
        read = with_acts(bare(trajectory), blueprint).messages
        told = {kind for message in trajectory.messages for kind in message.behaviours}
        found = {kind for message in read for kind in message.behaviours}
        assert found <= told
        shown.update(told)
        heard.update(found)
    assert {kind for kind in shown if heard[kind] < 0.75 * shown[kind]} == set()


@pytest.mark.parametrize(
    ("kind", "instead"),
    [
        ("elliptical", "One more thing: I want to {intent}."),
        ("several_at_once", "Hello. I want to {intent}."),
        ("long_memory", "One more thing: I want to {intent}. It is about {value}."),
    ],
)
def test_does_not_hear_what_a_user_was_to_do_and_did_not(kind: Behaviour, instead: str) -> None:
    """The plan alone says nothing of what was said."""
    tried = 0
    for record in behaving(kind):
        trajectory, blueprint = record.trajectory, record.blueprint
        assert trajectory is not None
        assert blueprint is not None
        done = blueprint.scenario.behaves(kind)
        assert done is not None
        goal = blueprint.scenario.requests[done.request][0]
        places = [place for place, message in enumerate(trajectory.messages) if kind in message.behaviours]
        if trajectory.messages[places[0]].act != "inform_intent_clear":
            continue
        values = [
            str(value) for action in blueprint.actions if action.goal == goal for value in action.arguments.values()
        ]
        text = instead.format(intent=blueprint.goals[goal].intent, value=", ".join(values))
        plain = bare(trajectory)
        said = plain.messages[places[0]].model_copy(update={"content": text})
        messages = (*plain.messages[: places[0]], said)
        found = with_acts(plain.model_copy(update={"messages": messages}), blueprint).messages[-1]
        assert kind not in found.behaviours, (text, found)
        tried += 1
    assert tried >= 2


def test_leaves_out_what_a_wish_is_about_where_the_language_can() -> None:
    """In German, "die Einzelheiten davon erfahren" leaves it out as well; "einen Arzt finden" names it all the same."""
    made = generator(CLINIC)
    german = Generator(RunConfig(toolset=(CLINIC,), seed=7, language="de"), made.world, made.graph, "run")  # type: ignore[arg-type]

    async def play() -> list[DatasetRecord]:
        return [await german.make_record(index) for index in range(60)]

    shown = heard = 0
    for record in asyncio.run(play()):
        if record.trajectory is None or record.blueprint is None:
            continue
        read = with_acts(bare(record.trajectory), record.blueprint, None, made.world.toolset)
        shown += sum("elliptical" in message.behaviours for message in record.trajectory.messages)
        heard += sum("elliptical" in message.behaviours for message in read.messages)
    assert 1 < shown <= heard + 1


def test_never_calls_by_a_value_that_was_dropped_and_calls_by_the_last_one() -> None:
    for record in behaving("changes_mind"):
        assert record.blueprint is not None
        done = record.blueprint.scenario.behaves("changes_mind")
        assert done is not None
        values = [
            action.arguments[pointer[1:]]
            for action in record.blueprint.calls
            for pointer, origin in action.origins.items()
            if origin.fact == done.fact and pointer.count("/") == 1
        ]
        assert done.value not in values


def stubborn(blueprint: Blueprint) -> Blueprint:
    """Return what an assistant goes by that ignores the change of mind."""
    done = blueprint.scenario.behaves("changes_mind")
    assert done is not None

    def kept(action: Action) -> Action:
        told = [pointer[1:] for pointer, origin in action.origins.items() if origin.fact == done.fact]
        return action.model_copy(update={"arguments": {**action.arguments, **dict.fromkeys(told, done.value)}})

    return blueprint.model_copy(update={"actions": tuple(kept(action) for action in blueprint.actions)})


def test_rejects_an_assistant_that_ignores_a_change_of_mind() -> None:
    found = behaving("changes_mind", "confirmation")[:5]
    assert found
    for record in found:
        blueprint = record.blueprint
        assert blueprint is not None
        place = place_of(generator(CLINIC), blueprint)
        world, start = place.world, place.world.environment.snapshot()
        user, assistant = seat(blueprint, world).user, seat(stubborn(blueprint), world).assistant
        environment = with_faults(world.environment, blueprint.faults)
        played = asyncio.run(simulate(blueprint, user, assistant, environment, Limits()))
        world.environment.restore(start)
        judged = asyncio.run(check_trajectory(played, blueprint, place.trajectory_checks))
        codes = {issue.code for verdict in judged.verdicts for issue in verdict.issues}
        assert judged.stage == "outcome"
        assert {"dropped_value", "missed_write"} <= codes


def test_looks_again_where_the_user_was_wrong() -> None:
    for record in behaving("mistaken"):
        assert record.blueprint is not None
        done = record.blueprint.scenario.behaves("mistaken")
        assert done is not None
        wrong = record.blueprint.scenario.fact(done.fact).instead_of
        used = [origin.fact for action in record.blueprint.calls for origin in action.origins.values()]
        assert used.index(wrong) < used.index(done.fact)


def test_comes_back_to_the_wish_that_the_question_was_about() -> None:
    """Not to another one of the same request."""
    found = behaving("comes_back")
    assert found
    for record in found:
        blueprint, trajectory = record.blueprint, record.trajectory
        assert blueprint is not None
        assert trajectory is not None
        back = next(message for message in trajectory.messages if message.act == "resume")
        assert back.state is not None
        wish = blueprint.goals[blueprint.scenario.fact(back.state.told[0]).goal]
        assert wish.intent.lower() in back.content.lower()


def test_hears_a_name_that_is_not_in_the_scenario_as_no_refusal() -> None:
    for record in behaving("refuses_identity"):
        blueprint, trajectory = record.blueprint, record.trajectory
        assert blueprint is not None
        assert trajectory is not None
        place = next(i for i, message in enumerate(trajectory.messages) if message.act == "withhold")
        asked = trajectory.messages[place - 1].state
        assert asked is not None
        label = blueprint.scenario.fact(asked.asked[0]).label
        strange = Message(role="user", content=f"Oh well, here you are. The {label} is Zork Blimp.")
        heard = open_listener(blueprint).track((*trajectory.messages[: place + 2], strange))[-1]
        assert heard.state is not None
        assert heard.state.confidence < 0.5
        assert heard.act != "withhold"


def test_does_nothing_for_somebody_who_does_not_say_who_it_is() -> None:
    silent = [
        record.blueprint
        for record in records(CLINIC, 60, recipes={"behaviours": {"refuses_identity": 1.0}})
        if record.blueprint and any(done.for_good for done in record.blueprint.scenario.behaviours)
    ]
    assert silent
    assert not any(blueprint.calls or blueprint.expected.difference for blueprint in silent)


def test_tells_a_model_what_to_do_as_well() -> None:
    for record in behaving("contradicts")[:5]:
        assert record.blueprint is not None
        assert any("settle for" in line for line in conduct_lines(record.blueprint.scenario))
