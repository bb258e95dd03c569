"""Models on either side of a dialogue in which the user makes steps on its own device."""

import asyncio
import json
from collections.abc import Callable
from random import Random
from typing import Any

from tests.generators.participants.test_guided_dialogues import COUNT, WORKSPACE, generator, messages, records
from tests.generators.scripted_model import ScriptedModel
from tests.generators.worlds import request_of

from interplay.flows.roles.listener import open_listener, with_acts
from interplay.flows.roles.players import own_tools
from interplay.generators.dialogue_limits import Limits
from interplay.generators.models.client.structured_output import Structured
from interplay.generators.participants.by_model.assistant import ModelAssistant
from interplay.generators.participants.by_model.rewrite import RewrittenPlayer
from interplay.generators.participants.by_model.user import ModelUser
from interplay.generators.participants.hearing.mixed_players import ClarifyingPlayer, TrackedPlayer
from interplay.generators.participants.rules.agenda import AgendaUser
from interplay.generators.participants.rules.device_guidance import DeviceUser, StepRequests
from interplay.generators.participants.rules.oracle import OracleAssistant
from interplay.generators.participants.wording.voice import Voice, load_grammar
from interplay.generators.simulation import simulate
from interplay.schemas.protocols import Assistant, User
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.chat import ChatCall, ChatReply, ChatRequest
from interplay.schemas.records.dialogue import Message, Trajectory
from interplay.schemas.records.verdict import DatasetRecord
from interplay.validators.chain import check_trajectory

TOOLS = own_tools(generator(WORKSPACE).world)
TOLD = [generator(WORKSPACE).world.told[name] for name in TOOLS]


def repaired() -> DatasetRecord:
    """Return the record of a task about one problem, and nothing else."""
    for record in records(WORKSPACE, 4 * COUNT):
        blueprint = record.blueprint
        if (
            record.status == "accepted"
            and blueprint is not None
            and len(blueprint.goals) == 1
            and messages(record)[-1].act == "system_bye"  # a model says that it is done
            and (
                not blueprint.scenario.out_of_scope
                and sum(action.requestor == "user" for action in blueprint.calls) > 1
            )
        ):
            return record
    raise AssertionError("no such task")


def answers_of_user(blueprint: Blueprint, said: tuple[Message, ...]) -> list[ChatReply]:
    """Return what a model that plays the user like the rules did would answer, in order."""
    own = [message for message in said if message.role == "user"]
    return [
        ChatReply(tool_calls=tuple(ChatCall(id="x", name=call.name, arguments="{}") for call in message.tool_calls))
        if message.tool_calls
        else ChatReply(content=json.dumps(answer_of(blueprint, message)))
        for message in own
    ]


def answer_of(blueprint: Blueprint, message: Message) -> dict[str, Any]:
    about = request_of(blueprint, message)
    return {"about": about, "message": message.content, "done": message.act == "user_bye"}


def answers_of_assistant(said: tuple[Message, ...]) -> list[ChatReply]:
    return [
        ChatReply(
            content=message.content,
            tool_calls=tuple(
                ChatCall(id="x", name=call.name, arguments=json.dumps(call.arguments)) for call in message.tool_calls
            ),
        )
        for message in said
        if message.role == "assistant"
    ]


def play(blueprint: Blueprint, seats: Callable[[Blueprint], tuple[User, Assistant]]) -> Trajectory:
    place = generator(WORKSPACE).workshop(blueprint.recipe.index)

    async def played() -> Trajectory:
        user, assistant = seats(blueprint)
        async with place.turn() as environment:
            return await simulate(blueprint, user, assistant, environment, Limits())

    return asyncio.run(played())


def accepted(trajectory: Trajectory, blueprint: Blueprint) -> bool:
    place = generator(WORKSPACE).workshop(blueprint.recipe.index)

    async def judged() -> bool:
        async with place.turn():
            return (await check_trajectory(trajectory, blueprint, place.trajectory_checks)).passed

    return asyncio.run(judged())


def test_a_model_has_the_users_tools_as_its_own_and_the_assistants_model_never_sees_them() -> None:
    record = repaired()
    assert record.blueprint is not None
    user, assistant = (
        ScriptedModel(answers_of_user(record.blueprint, messages(record))),
        ScriptedModel(answers_of_assistant(messages(record))),
    )

    def seats(blueprint: Blueprint) -> tuple[User, Assistant]:
        own = ModelUser(blueprint.scenario, blueprint.goals, Structured(user), tools=TOLD)
        return own, ModelAssistant(assistant, generator(WORKSPACE).world.told, blueprint.tools, "You help.")

    played = play(record.blueprint, seats)
    heard = with_acts(played, record.blueprint, TOOLS)
    assert accepted(heard, record.blueprint)
    steps = ("guide", "perform", "report")
    assert [m.act for m in heard.messages if m.act in steps] == [m.act for m in messages(record) if m.act in steps]
    assert all({tool.name for tool in request.tools} == set(TOOLS) for request in user.requests)
    assert "device of your own" in user.requests[0].messages[0].content
    assert all(not {tool.name for tool in request.tools} & set(TOOLS) for request in assistant.requests)
    assert not any(called(request) & set(TOOLS) for request in assistant.requests)
    assert called(user.requests[-1]) == {
        call.name for m in messages(record) if m.role == "user" for call in m.tool_calls
    }
    roles = [message.role for message in user.requests[-1].messages]
    assert all(roles[place - 1] == "assistant" for place, role in enumerate(roles) if role == "tool")


def called(request: ChatRequest) -> set[str]:
    return {call.name for message in request.messages for call in message.tool_calls}


def test_a_user_by_rules_makes_the_step_that_a_model_asks_for_in_its_own_words() -> None:
    record = repaired()
    blueprint = record.blueprint
    assert blueprint is not None
    listener, words = (
        open_listener(blueprint, TOOLS),
        Voice(load_grammar()["user"], Random(1), blueprint.scenario.persona),
    )
    actions = {action.id: action for action in blueprint.calls if action.requestor == "user"}
    user = AgendaUser(
        blueprint.scenario, blueprint.goals, words, False, hands=DeviceUser(blueprint.scenario, actions, TOOLS, words)
    )
    own = {
        "check_sync_status": "Alright. Can you open your laptop's settings for me? I'd like to know what is in there.",
        "toggle_airplane_mode": "OK. Now please turn the switch of airplane mode the other way.",
        "restart_mail_client": "Next, please close your mail client and start it anew.",
        "free_disk_space": "Please empty the bin and the caches on your laptop.",
        "accept_calendar_permission": "Please allow your laptop to keep the calendar synchronised.",
    }
    guides = [
        blueprint.action(message.state.asked[0].removeprefix("do:")).tool
        for message in messages(record)
        if message.act == "guide" and message.state is not None
    ]
    place = iter(guides)
    asked = [message.act == "guide" for message in messages(record) if message.role == "assistant"]
    said = [
        ChatReply(content=own[next(place)]) if guide else reply
        for guide, reply in zip(asked, answers_of_assistant(messages(record)), strict=True)
    ]
    model = ModelAssistant(ScriptedModel(said), generator(WORKSPACE).world.told, blueprint.tools, "You help.")

    def seats(_: Blueprint) -> tuple[User, Assistant]:
        return ClarifyingPlayer(user, "user", words), TrackedPlayer(model, listener)

    played = play(blueprint, seats)
    assert played.termination == "user_ended"
    assert accepted(played, blueprint)


def test_a_guide_by_rules_goes_on_when_a_model_says_what_came_of_its_step() -> None:
    record = repaired()
    blueprint = record.blueprint
    assert blueprint is not None
    world = generator(WORKSPACE).world

    words = Voice(load_grammar()["assistant"], Random(1), blueprint.scenario.persona)
    oracle = OracleAssistant(
        blueprint,
        world.environment.resources,
        world.policy,
        words,
        "search_tools",
        (),
        StepRequests(blueprint, words, TOOLS),
    )
    replies = answers_of_user(record.blueprint, messages(record))
    model = ModelUser(blueprint.scenario, blueprint.goals, Structured(ScriptedModel(replies)), tools=TOLD)
    listener = open_listener(blueprint, TOOLS)

    def seats(_: Blueprint) -> tuple[User, Assistant]:
        return TrackedPlayer(model, listener), ClarifyingPlayer(oracle, "assistant", words)

    assert accepted(play(blueprint, seats), blueprint)


def test_rules_in_a_models_words_make_and_ask_for_the_same_steps() -> None:
    record = repaired()
    blueprint = record.blueprint
    assert blueprint is not None
    world = generator(WORKSPACE).world
    own, words = (
        Voice(load_grammar()["user"], Random(1), blueprint.scenario.persona),
        Voice(load_grammar()["assistant"], Random(2), blueprint.scenario.persona),
    )

    def repeated(request: ChatRequest) -> str:
        asked = request.messages[-1].content
        said = asked.split("\nSentence: ", 1)[1].split("\nValues that stay", 1)[0]
        return json.dumps({"text": said})

    actions = {action.id: action for action in blueprint.calls if action.requestor == "user"}
    hands = DeviceUser(blueprint.scenario, actions, TOOLS, own)
    agenda = AgendaUser(blueprint.scenario, blueprint.goals, own, False, hands=hands)
    oracle = OracleAssistant(
        blueprint,
        world.environment.resources,
        world.policy,
        words,
        "search_tools",
        (),
        StepRequests(blueprint, words, TOOLS),
    )
    user = RewrittenPlayer(agenda, "user", Structured(ScriptedModel(repeated)), blueprint, tools=tuple(TOOLS))
    assistant = RewrittenPlayer(oracle, "assistant", Structured(ScriptedModel(repeated)), blueprint, tools=tuple(TOOLS))
    played = play(blueprint, lambda _: (user, assistant))
    assert accepted(played, blueprint)
    assert [m.act for m in played.messages if m.act == "perform"] == ["perform"] * len(actions)
    assert set(user.counts) | set(assistant.counts) == {"reworded"}
    assert {m.model for m in played.messages if m.act in ("guide", "report")} == {"scripted"}


SAID_IN_GERMAN = {
    "check_sync_status": "Alles klar. Öffnen Sie einmal die Einstellungen an Ihrem Laptop. Was steht da?",
    "toggle_airplane_mode": "Danke. Legen Sie jetzt den Schalter für den Flugmodus um.",
    "restart_mail_client": "Als Nächstes müssten Sie Ihr Mailprogramm schließen und es neu starten.",
    "free_disk_space": "Dann leeren Sie den Papierkorb und die Zwischenspeicher.",
    "accept_calendar_permission": "Sie müssen dem Laptop den Abgleich des Kalenders erlauben.",
    "read_sticker": "Drehen Sie Ihren Laptop bitte um und nennen Sie mir die Nummer.",
}
"""How a model may ask for each step, in words of its own."""

DONE_IN_GERMAN = ("Ich habe es eingeschaltet.", "Fertig!", "Läuft jetzt wieder.", "Da steht, dass alles aktuell ist.")


def test_steps_that_a_model_asks_for_in_german_are_heard_as_such() -> None:
    for record in records(WORKSPACE)[:20]:
        blueprint = record.blueprint
        assert blueprint is not None
        spoken = blueprint.model_copy(update={"scenario": blueprint.scenario.model_copy(update={"language": "de"})})
        own = [action for action in blueprint.calls if action.requestor == "user"]
        toolset = generator(WORKSPACE).world.toolset
        for action in own[:1]:
            listener = open_listener(spoken, TOOLS, toolset)
            said = (
                Message(role="user", content="Guten Tag, es gibt ein Problem mit meinem Laptop."),
                Message(role="assistant", content=SAID_IN_GERMAN[action.tool]),
            )
            heard = listener.track((messages(record)[0], said[1]))[-1]
            assert (heard.act, heard.state and heard.state.asked) == ("guide", (f"do:{action.id}",))
            for text in DONE_IN_GERMAN:
                told = open_listener(spoken, TOOLS, toolset).track(
                    (messages(record)[0], said[1], Message(role="user", content=text))
                )
                assert told[-1].act == "report", text
            unable = Message(role="user", content="Ich habe keine Ahnung, wo das steht.")
            assert listener.track((messages(record)[0], said[1], unable))[-1].act != "report"
