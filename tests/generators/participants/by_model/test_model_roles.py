"""Roles that a model plays: what it is asked, what is taken of its answers, and that sound dialogues pass all checks."""

import asyncio
import json
from random import Random
from typing import Any

import pytest
from tests.generators.worlds import generator, place_of, records, request_of
from tests.validators.builders import make_blueprint

from interplay.flows.roles.system_prompt import system_prompt
from interplay.generators.dialogue_limits import Limits
from interplay.generators.environments.wrappers.faulty_calls import with_faults
from interplay.generators.participants.by_model.assistant import ModelAssistant, as_chat, chat_tools
from interplay.generators.participants.by_model.knowledge_prompt import knowledge_lines, purposes_of, wishes_of
from interplay.generators.participants.by_model.user import BEGIN, IN_VAIN, ModelUser, scenario_prompt
from interplay.generators.participants.hearing.assistant_reader import asks_to_confirm
from interplay.generators.participants.rules.agenda import AgendaUser
from interplay.generators.participants.rules.oracle import OracleAssistant
from interplay.generators.participants.wording.voice import Voice, load_grammar
from interplay.generators.simulation import simulate
from interplay.schemas.errors import ModelError
from interplay.schemas.protocols import Assistant, ChatModel, User
from interplay.schemas.records.blueprint import Action, Blueprint, Condition, Description, Fact, Goal, Origin, Scenario
from interplay.schemas.records.chat import ChatCall, ChatReply, ChatRequest, Thoughts
from interplay.schemas.records.dialogue import Message, ToolCall, Trajectory, Usage
from interplay.schemas.records.recipe import Persona
from interplay.schemas.records.tool import SEARCH_TOOL
from interplay.validators.chain import check_trajectory

GOALS = (
    Goal(intent="book a visit", tool="book"),
    Goal(intent="move it", tool="move", again="visit"),
    Goal(intent="see my bill", tool="bill"),
)
SCENARIO = Scenario(
    persona=Persona(tone="terse", patience="low"),
    requests=((0, 1), (2,)),
    facts=(
        Fact(id="f1", goal=0, label="day", value="2026-05-04"),
        Fact(id="f2", goal=0, label="slots", value={"/time": "10:00"}, reveal="choice", choice="/3"),
        Fact(id="f3", goal=0, label="doctors", value={}, reveal="choice", choice="/1"),
    ),
    unknown=("patient number",),
    out_of_scope="order a pizza",
)


class Scripted:
    """A model that gives these answers in turn, and keeps what it was asked."""

    def __init__(self, *replies: ChatReply) -> None:
        self.replies = list(replies)
        self.asked: list[ChatRequest] = []

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Give the next answer."""
        self.asked.append(request)
        return self.replies.pop(0)


def respond(player: User | Assistant, *messages: Message) -> Message:
    """Return what a player says next."""
    return asyncio.run(player.respond(messages))


def turn(message: str, done: bool = False, about: int | None = None) -> ChatReply:
    """Return the answer of a model that plays a user, at its first request where it is not said, or at none."""
    at = int(not done) if about is None else about
    return ChatReply(
        value={"about": at, "message": message, "done": done}, usage=Usage(prompt=10, completion=2), model="tiny"
    )


def test_tells_the_model_who_it_plays() -> None:
    prompt = scenario_prompt(SCENARIO, GOALS)
    assert "1a. I want to book a visit\n1b. I want to move it (the same visit)" in prompt
    assert "- day: 2026-05-04" in prompt
    assert "the one with time 10:00" in prompt
    assert "number 2 of the doctors that you are offered" in prompt
    assert "the ids or numbers of the patient number" in prompt
    assert '"Can you order a pizza?"' in prompt
    assert "few words" in prompt


def test_tells_the_model_what_it_knows_only_by_description_late_or_not_at_all() -> None:
    latest = Description(kind="latest", pointer="/day", label="")
    may = Description(kind="month", pointer="/day", label="day", month="2026-05", same="doctor")
    facts = (
        Fact(id="f1", goal=0, label="visit", value={}, reveal="opening", choice="/1", description=latest),
        Fact(id="f2", goal=0, label="visit", value={}, reveal="opening", choice="/2", description=may),
        Fact(id="f3", goal=0, label="reason", value=None, reveal="never"),
        Fact(id="f4", goal=1, label="note", value="a cough", reveal="late"),
        Fact(id="f5", goal=1, label="town", value="Hull"),
        Fact(id="f6", goal=1, label="town", value="Leeds", instead_of="f5"),
    )
    lines = list(knowledge_lines(Scenario(requests=((0,), (1,)), facts=facts)))
    assert [lines[0], lines[4]] == ["For 1:", "For 2:"]
    assert "your latest visit" in lines[1]
    assert "the same doctor as for the visit in May" in lines[2]
    assert lines[3].startswith("- reason: you do not know it")
    assert lines[5].startswith("- note: a cough; you think of it late")
    assert lines[6:] == ["- town: Hull; only if nothing is found by that: Leeds"]


def test_tells_the_model_which_of_two_things_of_a_kind_is_for_what() -> None:
    facts = tuple(
        Fact(id=name, goal=0, label="station", value={"/name": town}, reveal="choice", choice="/0")
        for name, town in (("f1", "Hull"), ("f2", "York"))
    )
    origins = {f"/{end}": Origin(kind="output", fact=name) for end, name in (("origin", "f1"), ("destination", "f2"))}
    action = Action(id="a1", goal=0, tool="trips", arguments={}, origins=origins)
    blueprint = make_blueprint().model_copy(
        update={"scenario": Scenario(requests=((0,),), facts=facts), "actions": (action,)}
    )
    assert list(knowledge_lines(blueprint.scenario, purposes_of(blueprint))) == [
        "- which station you mean as the origin: the one with name Hull",
        "- which station you mean as the destination: the one with name York",
    ]


def test_tells_the_model_what_a_wish_depends_on() -> None:
    condition = Condition(action="a1", pointer="/status", noun="visit", label="status", value="open")
    goals = (Goal(intent="move it", tool="move", condition=condition),)
    assert wishes_of(Scenario(requests=((0,),)), goals) == [
        "1. I want to move it, but only if the status of the visit is open (say so at once)"
    ]


def test_the_user_sees_neither_calls_nor_results() -> None:
    model = Scripted(turn("Hi"), turn("Yes"))
    user = ModelUser(SCENARIO, GOALS, model)
    opening = respond(user)
    call = ToolCall(id="abcdefghi", name="secret_tool", arguments={"key": "hidden"})
    second = respond(
        user, opening, Message(role="assistant", content="One moment.", tool_calls=(call,)),
        Message(role="tool", content="hidden result", tool_call_id=call.id),
        Message(role="assistant", content="Shall I book it?"),
    )  # fmt: skip
    assert (opening.content, second.content, second.act, second.model) == ("Hi", "Yes", None, "tiny")
    assert [message.content for message in model.asked[0].messages[1:]] == [BEGIN]
    seen = model.asked[1].messages[2:]
    assert [message.role for message in seen] == ["assistant", "user"]
    assert json.loads(seen[0].content) == {"about": 1, "message": "Hi", "done": False}
    assert seen[1].content == "One moment.\nShall I book it?"
    assert "secret" not in str(model.asked)
    assert "hidden" not in str(model.asked)
    assert user.usage == Usage(prompt=20, completion=4)


def test_a_dialogue_that_went_on_otherwise_is_told_as_it_went() -> None:
    model = Scripted(turn("Yes"), turn("No"), ChatReply(content="Done."), ChatReply(content="Gone."))
    user, assistant = (
        ModelUser(SCENARIO, GOALS, model),
        ModelAssistant(model, generator("domain:clinic").world.told, (), ""),
    )
    opening = Message(role="user", content="Hi")
    for player in (user, assistant):
        for said in ("Shall I book it?", "Shall I move it?"):
            respond(player, opening, Message(role="assistant", content=said), Message(role="user", content="Well."))
    told = [[message.content for message in request.messages if "Shall" in message.content] for request in model.asked]
    assert told == [["Shall I book it?"], ["Shall I move it?"]] * 2


def test_the_user_ends_by_its_own_judgement() -> None:
    said = Message(role="user", content="Book it."), Message(role="assistant", content="It is done.")
    assert respond(ModelUser(SCENARIO, GOALS, Scripted(turn("Thanks, bye!", done=True))), *said).act == "user_bye"


def test_who_is_still_at_something_has_not_said_goodbye() -> None:
    model = Scripted(turn("Yes, thanks, bye!", done=True, about=1), turn("Bye!", done=True))
    user = ModelUser(SCENARIO, GOALS, model)
    opening = Message(role="user", content="Book it.", about=1)
    asked = Message(role="assistant", content="Shall I book it for 4 May?")
    agreed = respond(user, opening, asked)
    assert agreed.act is None
    done = Message(role="assistant", content="Done. Anything else?")
    assert respond(user, opening, asked, agreed, done).act == "user_bye"
    assert '"done": false' in model.asked[1].messages[4].content


@pytest.mark.parametrize("words", ["No thanks, bye.", "Nej tack, hej då!", "👋"])
def test_a_goodbye_after_an_offer_ends_in_whatever_words(words: str) -> None:
    said = Message(role="user", content="Book it.", about=1), Message(role="assistant", content="Done. Anything else?")
    assert respond(ModelUser(SCENARIO, GOALS, Scripted(turn(words, done=True))), *said).act == "user_bye"


def test_who_is_done_again_and_again_leaves() -> None:
    model = Scripted(*(turn("Thanks, bye!", done=True, about=2) for _ in range(IN_VAIN + 1)))
    user, said, acts = (
        ModelUser(SCENARIO, GOALS, model),
        [Message(role="user", content="Book it.", about=1)],
        list[Any](),
    )
    while model.replies:
        said.append(Message(role="assistant", content="Goodbye!"))
        said.append(respond(user, *said))
        acts.append(said[-1].act)
    assert acts == [None] * IN_VAIN + ["user_bye"]


def test_nobody_leaves_before_anybody_has_answered() -> None:
    assert respond(ModelUser(SCENARIO, GOALS, Scripted(turn("Book it, bye!", done=True)))).act is None


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("I'm going to pay invoice I-0013. OK?", True),
        ("May I book it?", True),
        ("Cancel your visit on 19 March - yes or no?", True),
        ("Please confirm.", True),
        ("Please reply 'yes' so that I can cancel it.", True),
        ("Bitte bestätigen Sie die Stornierung.", True),
        ("Darf ich das so buchen?", True),
        ("May I have your birth date?", False),
        ("Please confirm your birth date.", False),
        ("Bitte bestätigen Sie Ihr Geburtsdatum.", False),
        ("It is done. Is there anything else?", False),
        ("Would you like me to book it?", True),
        ("Of course. What would you like me to do?", False),
    ],
)
def test_hears_whether_an_assistant_asks_to_go_ahead(text: str, asks: bool) -> None:
    assert asks_to_confirm(Message(role="assistant", content=text)) == asks


def test_reminds_the_model_of_its_goals_every_few_turns() -> None:
    said = Message(role="assistant", content="Which day?")
    mine = Message(role="user", content="Hm")
    model = Scripted(*(turn("Hm") for _ in range(5)))
    user = ModelUser(SCENARIO, GOALS, model, reminders=2)
    for turns in range(5):
        respond(user, *(mine, said) * turns)
    reminded = ["To yourself" in request.messages[-1].content for request in model.asked]
    assert reminded == [False, False, True, False, True]
    assert "to book a visit" in model.asked[2].messages[-1].content
    assert model.asked[4].messages[:-1] == (*model.asked[3].messages[:-1], *model.asked[4].messages[-3:-1])


def test_takes_the_best_of_several_turns_by_its_own_judgement() -> None:
    chosen = ChatReply(value={"best": 2}, usage=Usage(prompt=7))
    model = Scripted(turn("Hi"), turn("Hi"), turn("Hello, a visit please"), chosen)
    user = ModelUser(SCENARIO, GOALS, model, candidates=3)
    assert respond(user).content == "Hello, a visit please"
    assert [request.sample for request in model.asked] == [0, 1, 2, 0]
    assert "2. " in model.asked[3].messages[-1].content
    assert "3. " not in model.asked[3].messages[-1].content, "equal turns are one"
    assert user.usage.prompt == 37


@pytest.mark.parametrize("best", [9, None])
def test_takes_the_first_turn_where_the_judgement_fails(best: int | None) -> None:
    class Failing(Scripted):
        async def complete(self, request: ChatRequest) -> ChatReply:
            """Fail to judge, or name a turn that is not there."""
            if request.output is not None and request.output.name == "best_turn":
                if best is None:
                    raise ModelError("refused")
                return ChatReply(value={"best": best})
            return await super().complete(request)

    assert respond(ModelUser(SCENARIO, GOALS, Failing(turn("Hi"), turn("Hello")), candidates=2)).content == "Hi"


def test_a_candidate_that_fails_costs_nothing_but_itself() -> None:
    class Flaky(Scripted):
        async def complete(self, request: ChatRequest) -> ChatReply:
            """Fail once."""
            if request.sample == 0:
                raise ModelError("refused")
            return await super().complete(request)

    assert respond(ModelUser(SCENARIO, GOALS, Flaky(turn("Hello")), candidates=2)).content == "Hello"
    with pytest.raises(ModelError, match="refused"):
        respond(ModelUser(SCENARIO, GOALS, Flaky(), candidates=1))


def test_the_assistant_is_offered_what_there_is_now() -> None:
    clinic = generator("domain:clinic").world.toolset
    first, second = clinic.tools[0].name, clinic.tools[1].name
    model = Scripted(ChatReply(content="Hello"), ChatReply(content="Hello again"))
    assistant = ModelAssistant(model, chat_tools(clinic), (first,), "Be kind.")
    hello = Message(role="user", content="Hi")
    respond(assistant, hello)
    respond(assistant, hello.model_copy(update={"offered": (second, "unheard_of")}))
    assert [[tool.name for tool in request.tools] for request in model.asked] == [[first], [second]]
    assert model.asked[0].messages[0].content == "Be kind."


def test_what_the_model_thought_goes_back_until_the_user_speaks() -> None:
    thoughts = Thoughts(model="tiny", endpoint="http://here", blocks=({"type": "thinking", "signature": "x"},))
    call = ChatCall(id="theirs", name="anything", arguments="{}")
    model = Scripted(
        ChatReply(tool_calls=(call,), thoughts=thoughts), ChatReply(content="It is 3."), ChatReply(content="Bye.")
    )
    assistant = ModelAssistant(model, generator("domain:clinic", seed=0).world.told, (), "")
    hello = Message(role="user", content="Hi")
    said = respond(assistant, hello)
    answer = Message(role="tool", content="3", tool_call_id=said.tool_calls[0].id)
    told = respond(assistant, hello, said, answer)
    respond(assistant, hello, said, answer, told, Message(role="user", content="Thanks"))
    seen = [[message.thoughts for message in request.messages if message.thoughts] for request in model.asked]
    assert seen == [[], [thoughts], []]


@pytest.mark.parametrize(
    ("text", "arguments", "malformed"),
    [
        ('{"a": 1}', {"a": 1}, ""),
        ("", {}, ""),
        ('{"a": 1', {}, '{"a": 1'),
        ("[1]", {}, "[1]"),
        ('{"a": NaN}', {}, '{"a": NaN}'),
        ('{"a": 1e999}', {}, '{"a": 1e999}'),
        ('{"a": "\\ud800"}', {}, '{"a": "\\ud800"}'),
        ('{"a": "\\ud83d\\ude00"}', {"a": "\U0001f600"}, ""),
        ("[" * 100_000, {}, "[" * 100_000),
    ],
)
def test_takes_calls_as_they_were_written(text: str, arguments: dict[str, Any], malformed: str) -> None:
    call = ChatCall(id="toolu_01", name="anything", arguments=text)
    toolset = generator("domain:clinic").world.toolset
    said = respond(
        ModelAssistant(Scripted(ChatReply(tool_calls=(call, call))), chat_tools(toolset), (), ""),
        Message(role="user", content="Hi"),
    )
    assert [(made.name, made.arguments, made.malformed) for made in said.tool_calls] == [
        ("anything", arguments, malformed)
    ] * 2
    assert len({made.id for made in said.tool_calls}) == 2
    assert all(len(made.id) == 9 and made.id.isalnum() for made in said.tool_calls)
    if malformed:
        assert as_chat(said).tool_calls[0].arguments == text


class Relay:
    """A player by rules that speaks through a model: what the rules say travels as the model's answer."""

    def __init__(
        self,
        rules: User | Assistant,
        model: Scripted,
        played: User | Assistant,
        heard: dict[int, Message],
        blueprint: Blueprint,
    ) -> None:
        self._rules, self._model, self._played, self._heard = rules, model, played, heard
        self._blueprint = blueprint

    async def respond(self, messages: tuple[Message, ...]) -> Message:
        """Let the rules decide on what they know of the dialogue, and the model say it."""
        known = tuple(self._heard.get(index, message) for index, message in enumerate(messages))
        said = await self._rules.respond(known)
        if said.role == "user":
            self._model.replies = [turn(said.content, said.act == "user_bye", request_of(self._blueprint, said))]
        else:
            calls = tuple(
                ChatCall(id=call.id, name=call.name, arguments=json.dumps(call.arguments)) for call in said.tool_calls
            )
            self._model.replies = [ChatReply(content=said.content, tool_calls=calls, model="tiny")]
        made = await self._played.respond(messages)
        ids = {call.id: new.id for call, new in zip(said.tool_calls, made.tool_calls, strict=True)}
        calls_made = tuple(call.model_copy(update={"id": ids[call.id]}) for call in said.tool_calls)
        self._heard[len(messages)] = said.model_copy(update={"tool_calls": calls_made})
        if hasattr(self._rules, "_at"):
            self._rules._at.calls = {ids.get(key, key): value for key, value in self._rules._at.calls.items()}
        return made


def relayed(blueprint: Blueprint) -> Trajectory:
    """Play a blueprint by rules behind models."""
    world, grammar = place_of(generator("domain:clinic"), blueprint).world, load_grammar()
    environment, toolset = world.environment, world.toolset
    persona = blueprint.scenario.persona
    words = [
        Voice(grammar[side], Random(side), persona, toolset.sayings, toolset.nouns) for side in ("user", "assistant")
    ]
    rules = (
        AgendaUser(blueprint.scenario, blueprint.goals, words[0], blueprint.recipe.vague),
        OracleAssistant(blueprint, environment.resources, world.policy, words[1], SEARCH_TOOL),
    )
    models: tuple[Scripted, Scripted] = (Scripted(), Scripted())
    heard: dict[int, Message] = {}
    user = Relay(rules[0], models[0], ModelUser(blueprint.scenario, blueprint.goals, models[0]), heard, blueprint)
    played = ModelAssistant(models[1], chat_tools(toolset), blueprint.tools, system_prompt(toolset))
    assistant = Relay(rules[1], models[1], played, heard, blueprint)
    start = environment.snapshot()
    try:
        return asyncio.run(
            simulate(
                blueprint,
                user,
                assistant,
                with_faults(environment, blueprint.faults),
                Limits(),
                system_prompt(toolset),
            )
        )
    finally:
        environment.restore(start)


def test_what_models_play_soundly_passes_all_checks() -> None:
    made = generator("domain:clinic")
    blueprints = [record.blueprint for record in records("domain:clinic", 40) if record.status == "accepted"]
    stages = []
    for blueprint in blueprints:
        assert blueprint is not None
        checks = place_of(made, blueprint).trajectory_checks
        judged = asyncio.run(check_trajectory(relayed(blueprint), blueprint, checks))
        stages.append((judged.stage, judged.verdicts[-1].issues if judged.stage else ()))
    assert [stage for stage in stages if stage[0]] == []


def test_malformed_arguments_are_answered_and_rejected() -> None:
    made = generator("domain:clinic")
    blueprint = next(record.blueprint for record in records("domain:clinic", 5) if record.blueprint)
    call = ChatCall(id="x", name=blueprint.actions[0].tool, arguments='{"cut": "of')
    model: ChatModel = Scripted(
        ChatReply(tool_calls=(call,)), ChatReply(content="It failed."), ChatReply(content="Bye.")
    )
    user = ModelUser(blueprint.scenario, blueprint.goals, Scripted(turn("Do it."), turn("Bye.", done=True)))
    assistant = ModelAssistant(model, made.world.told, blueprint.tools, "")
    environment = place_of(made, blueprint).world.environment
    trajectory = asyncio.run(simulate(blueprint, user, assistant, environment, Limits()))
    assert [message.failed for message in trajectory.messages if message.role == "tool"] == [True]
    judged = asyncio.run(check_trajectory(trajectory, blueprint, place_of(made, blueprint).trajectory_checks))
    assert judged.stage == "structure"
    assert "malformed_arguments" in {issue.code for issue in judged.verdicts[-1].issues}
