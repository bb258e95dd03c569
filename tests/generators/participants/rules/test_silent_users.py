"""A user that does not tell what it knows: the assistant by rules calls nothing with values that nobody told."""

import asyncio

import pytest
from tests.generators.worlds import generator, place_of, records

from interplay.flows.roles.players import seat
from interplay.flows.roles.system_prompt import system_prompt
from interplay.generators.dialogue_limits import Limits
from interplay.generators.participants.rules.request_progress import RequestProgress
from interplay.generators.simulation import simulate
from interplay.schemas.protocols import User
from interplay.schemas.records.blueprint import Action, Blueprint, Fact, Origin, Withheld
from interplay.schemas.records.dialogue import DialogueAct, DialogueState, Message, Trajectory
from interplay.validators.chain import check_trajectory
from interplay.validators.labels.diagnosis import diagnose

WORLDS = ("domain:clinic", "domain:rental", "domain:workspace")
SAYS: dict[DialogueAct, str] = {"fail_inform": "I don't know.", "withhold": "I'd rather not say."}


class Silent:
    """Plays like another user, but for answers to questions, which it never gives; then it leaves."""

    def __init__(self, user: User, act: DialogueAct) -> None:
        self._user, self._act = user, act
        self._asked = False

    async def respond(self, messages: tuple[Message, ...]) -> Message:
        heard = messages[-1] if messages else None
        if heard is not None and heard.act == "request":
            self._asked = True
            return Message(role="user", content=SAYS[self._act], act=self._act, state=DialogueState())
        if self._asked:
            return Message(role="user", content="Bye then.", act="user_bye", state=DialogueState())
        return await self._user.respond(messages)


def played(world: str, blueprint: Blueprint, act: DialogueAct) -> Trajectory:
    place = place_of(generator(world), blueprint)
    players = seat(blueprint, place.world)

    async def play() -> Trajectory:
        async with place.turn() as environment:
            user = Silent(players.user, act)
            prompt = system_prompt(place.world.toolset)
            return await simulate(blueprint, user, players.assistant, environment, Limits(), prompt)

    return asyncio.run(play())


@pytest.mark.parametrize("act", SAYS)
@pytest.mark.parametrize("world", WORLDS)
def test_calls_nothing_with_what_was_not_told(world: str, act: DialogueAct) -> None:
    declined = 0
    for record in records(world, 60):
        blueprint = record.blueprint
        if record.status != "accepted" or blueprint is None or blueprint.faults:
            continue
        trajectory = played(world, blueprint, act)
        if SAYS[act] not in [message.content for message in trajectory.messages]:
            continue

        async def label(judged: Trajectory = trajectory, task: Blueprint = blueprint) -> str:
            place = place_of(generator(world), task)
            checks = place.trajectory_checks
            async with place.turn():
                judgement = await check_trajectory(judged, task, checks)
                failure = await diagnose(judged, task, judgement, checks, place.world.toolset)
            return failure.fault if failure else ""

        assert asyncio.run(label()) != "ungrounded_argument"
        declined += any(message.act == "response_fail" for message in trajectory.messages)
    assert declined


def test_asks_nothing_more_where_the_user_has_not_decided() -> None:
    facts = (
        Fact(id="f1", goal=0, label="new day", value=None, reveal="never"),
        Fact(id="f2", goal=0, label="new time", value="14:00"),
    )
    origins = {f"/{fact.label[4:]}": Origin(kind="user", fact=fact.id) for fact in facts}
    move = Action(
        id="a1", goal=0, tool="move", arguments={"time": "14:00"}, origins=origins, withheld=Withheld(reason="unknown")
    )
    blueprint = records("domain:workspace", 1)[0].blueprint
    assert blueprint is not None
    scenario = blueprint.scenario.model_copy(update={"requests": ((0,),), "facts": facts})
    task = blueprint.model_copy(update={"actions": (move,), "scenario": scenario})
    at = RequestProgress(request=0)
    at.look_ahead(task)
    at.leave_undone(task)
    assert at.level, "the day may be told yet"
    at.unknown = {"f1"}
    at.leave_undone(task)
    assert not at.level
