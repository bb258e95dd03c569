"""What is read in words: the acts and facts of dialogues by rules, found again without them, and how people put it otherwise."""

import asyncio
from collections import Counter
from typing import Any

import pytest
from tests.generators.worlds import OFTEN, generator

from interplay.flows.roles.listener import open_listener, with_acts
from interplay.flows.roles.players import own_tools
from interplay.schemas.records.behaviour import PlannedBehaviour
from interplay.schemas.records.blueprint import (
    Action,
    Blueprint,
    EarlyRequest,
    Expected,
    Fact,
    Goal,
    Origin,
    Scenario,
)
from interplay.schemas.records.dialogue import DialogueState, Message, ToolCall, Trajectory
from interplay.schemas.records.recipe import Recipe

DOMAINS = ("domain:clinic", "domain:rental", "domain:workspace")


def stripped(message: Message) -> Message:
    """Return a message as a model would have written it: words and calls alone."""
    return (
        message
        if message.role == "tool"
        else message.model_copy(update={"act": None, "state": None, "spoken": (), "behaviours": ()})
    )


@pytest.mark.parametrize("spec", DOMAINS)
def test_finds_acts_and_facts_again_in_the_words(spec: str) -> None:
    made = generator(spec, recipes=OFTEN)
    own = own_tools(made.world)
    total: Counter[str] = Counter()
    right: Counter[str] = Counter()
    facts, found, unsure, filled = 0, 0, 0, 0
    behaved: Counter[str] = Counter()
    astray: Counter[str] = Counter()

    async def play() -> None:
        nonlocal facts, found, unsure, filled
        for index in range(70):
            record = await made.make_record(index)
            if record.blueprint is None or record.trajectory is None or record.status != "accepted":
                continue
            bare = record.trajectory.model_copy(update={"messages": tuple(map(stripped, record.trajectory.messages))})
            heard = with_acts(bare, record.blueprint, own).messages
            for told, read in zip(record.trajectory.messages, heard, strict=True):
                if told.state is None or read.state is None:
                    continue
                behaved.update(told.behaviours)
                astray.update(set(told.behaviours) ^ set(read.behaviours))
                total[str(told.act)] += 1
                right[str(told.act)] += told.act == read.act
                facts += 1
                found += {*told.state.told, *told.state.asked} == {*read.state.told, *read.state.asked}
                unsure += read.state.confidence < 0.5
                filled += set(told.state.filled) == set(read.state.filled)

    asyncio.run(play())
    assert sum(right.values()) >= 0.97 * sum(total.values()), right
    assert {act: right[act] for act in total if total[act] >= 10 and right[act] < 0.75 * total[act]} == {}
    assert found >= 0.96 * facts
    assert filled >= 0.94 * facts
    assert unsure <= 0.03 * facts
    assert len(behaved) >= 12
    assert sum(astray.values()) <= 0.05 * sum(behaved.values()), astray


FACTS = (
    Fact(id="f1", goal=0, label="day", value="2026-05-04"),
    Fact(id="f2", goal=0, label="phone number", value="+44 7700 900317"),
    Fact(id="f3", goal=0, label="number of guests", value=2),
    Fact(id="f4", goal=0, label="slots", value={"/time": "10:00"}, reveal="choice", action="a0", choice="/3"),
    Fact(id="f5", goal=1, label="amount", value=85),
)
BLUEPRINT = Blueprint(
    id="b", recipe=Recipe(index=0, seed=0, target="book", pattern="single"), toolset="", pattern="single",
    goals=(Goal(intent="book a visit", tool="book", topic="visit"), Goal(intent="pay my bill", tool="pay", topic="bill")),
    actions=(), expected=Expected(digest=""), tools=("book", "pay"),
    scenario=Scenario(requests=((0,), (1,)), facts=FACTS, unknown=("patient number",), out_of_scope="order a pizza"),
)  # fmt: skip


def with_facts(*facts: Fact, **changes: Any) -> Blueprint:
    """Return the task with other facts."""
    scenario = BLUEPRINT.scenario.model_copy(update={"facts": facts, **changes.pop("scenario", {})})
    return BLUEPRINT.model_copy(update={"scenario": scenario, **changes})


def assistant(act: str, asked: tuple[str, ...] = (), content: str = "...") -> Message:
    return Message.model_validate(
        {"role": "assistant", "content": content, "act": act, "state": DialogueState(asked=asked)}
    )


def user(act: str, goal: int | None = 0, content: str = "...") -> Message:
    return Message.model_validate({"role": "user", "content": content, "act": act, "state": DialogueState(goal=goal)})


WISH = user("inform_intent_clear")


VAGUE = (user("inform_intent_vague"), assistant("clarify"))
REFUSED = (assistant("confirm_request"), user("negate"), assistant("clarify"))


@pytest.mark.parametrize(
    ("before", "words", "act", "told"),
    [
        ((), "Hey! I'm trying to book a visit for May 4th, 2026.", "inform_intent_clear", ("f1",)),
        ((), "Hello, it's about a visit.", "inform_intent_vague", ()),
        ((), "Hello, I have a question. The day is May 4th, 2026.", "inform_intent_vague", ("f1",)),
        ((), "Can you help with my visit? The day of the visit is May 4th, 2026.", "inform_intent_vague", ("f1",)),
        ((), "A question about booking a visit. The day is May 4th, 2026.", "inform_intent_clear", ("f1",)),
        (VAGUE, "I'd like to book it, on May 4th, 2026", "inform_intent_clear_add", ("f1",)),
        (VAGUE, "I need to come in and see the doctor", "inform_intent_clear_add", ()),
        ((assistant("request", ("f1",)),), "Next week's Monday would be nice: 4 May 2026", "inform", ("f1",)),
        ((assistant("request", ("f2",)),), "You can reach me on +44 7700 900 317", "inform", ("f2",)),
        ((assistant("request", ("f3",)),), "There are two of us", "inform", ("f3",)),
        ((assistant("request", ("f2",)),), "Honestly I don't remember it", "fail_inform", ()),
        ((assistant("request", ("f2",)),), "I'd rather not share that with you", "insist", ()),
        ((assistant("suggest", ("f4",)),), "Ten in the morning? 10:00 is perfect", "choose", ("f4",)),
        ((assistant("suggest", ("goal:1",)),), "Nope, not at all", "negate", ()),
        ((assistant("suggest", ("goal:1",)),), "No. My phone number is +44 7700 900317", "negate", ("f2",)),
        ((assistant("suggest", ("goal:1",)),), "It's for 4 May 2026.", "negate", ("f1",)),
        ((assistant("suggest", ("goal:0",)),), "Yes! On 4 May 2026", "affirm", ("f1",)),
        ((assistant("suggest", ("goal:0",)),), "OK. I don't have much time.", "affirm", ()),
        ((assistant("suggest", ("goal:0",)),), "OK. Only if one is free, I want to book a visit.", "affirm", ()),
        ((assistant("confirm_request"),), "Sounds good to me", "affirm", ()),
        ((assistant("confirm_request"),), "Hmm, please do go ahead", "affirm", ()),
        ((assistant("confirm_request"),), "Yes, go ahead. How long does it take?", "affirm", ()),
        ((assistant("confirm_request"),), "Absolutely not!", "negate", ()),
        ((assistant("confirm_request", content="On 4 May?"),), "yep, that's the one, that works for me!", "affirm", ()),
        ((assistant("confirm_request", content="On 4 May, 10:30. Shall I?"),), "Yes, 4 May at 10:30.", "affirm", ()),
        (REFUSED, "I do want to book the visit", "inform_intent_clear_add", ()),
        (REFUSED, "Yes, go ahead after all", "inform_intent_clear_add", ()),
        (REFUSED, "Rather pay my bill", "inform_intent_clear", ()),
        ((assistant("confirm_request"),), "No, wait!", "negate", ()),
        ((assistant("response"),), "Great. Now I have to pay a bill, it's about 85 euros", "inform_intent_clear", ("f5",)),
        ((assistant("response"),), "Great. And it's about 85 euros", "inform_intent_vague", ("f5",)),
        ((assistant("response"),), "Could you also order me a pizza?", "off_topic", ()),
        ((assistant("refuse"),), "But it is really urgent, make an exception", "insist", ()),
        ((assistant("refuse"),), "Why would you need that? The number alone should do.", "insist", ()),
        ((assistant("response"), user("inform_intent_clear", 1), assistant("refuse")), "Pity, but OK.", "user_bye", ()),
        ((assistant("response"), user("inform_intent_clear", 1), assistant("response")), "Cool, see you", "user_bye", ()),
        ((assistant("response"), user("inform_intent_clear", 1), assistant("response")), "The amount is 85", "inform", ("f5",)),
    ],
)  # fmt: skip
def test_understands_a_user(before: tuple[Message, ...], words: str, act: str, told: tuple[str, ...]) -> None:
    opening = (WISH, *before) if before and before[0].role == "assistant" else before
    heard = open_listener(BLUEPRINT).track((*opening, Message(role="user", content=words)))[-1]
    assert heard.state is not None
    assert (heard.act, heard.state.told) == (act, told)
    assert 0.5 <= heard.state.confidence < 1


@pytest.mark.parametrize(
    "words",
    ["The day is May 4th, 2026.", "I don't have the patient number. You should have it.", "Oh yes, please, as I said."],
)
def test_takes_facts_alone_for_no_answer_to_what_is_wanted(words: str) -> None:
    heard = open_listener(BLUEPRINT).track((*VAGUE, Message(role="user", content=words)))[-1]
    assert heard.state is not None
    assert heard.state.confidence < 0.5


def test_hears_of_no_early_wish_where_a_fact_is_told() -> None:
    scenario = BLUEPRINT.scenario.model_copy(update={"early": EarlyRequest(request=1, before=0)})
    facts = (*FACTS, Fact(id="f6", goal=1, label="bill's kind", value="invoice"))
    early = BLUEPRINT.model_copy(update={"scenario": scenario.model_copy(update={"facts": facts})})
    said = {
        "Hello, a question. The bill's kind is invoice.": "inform_intent_vague",
        "I want to pay my bill.": "inform_intent_clear",
    }
    for words, act in said.items():
        assert open_listener(early).track((Message(role="user", content=words),))[-1].act == act


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("I'd like to book a visit for 1 day.", ("f1",)),
        ("I'd like to book a visit, by 4 days.", ("f2",)),
        ("I'd like to book a visit with 1 change.", ()),
        ("I'd like to book a visit, the destination is OSL.", ("f4",)),
        ("I'd like to book a visit. The origin and the destination are OSL.", ("f3", "f4")),
        ("I'd like to book a visit, OSL please.", ("f3", "f4")),
        ("I'd like to book a visit. Please add: I lost my bill.", ("f5",)),
        ("I'd like to book a visit because of the bill. Please add: I lost my bill.", ("f5", "f6")),
    ],
)
def test_hears_which_facts_are_told_of_numbers_and_like_values(words: str, told: tuple[str, ...]) -> None:
    task = with_facts(
        Fact(id="f1", goal=0, label="number of days", value=1),
        Fact(id="f2", goal=0, label="number of extra days", value=4),
        Fact(id="f3", goal=0, label="origin", value="OSL"),
        Fact(id="f4", goal=0, label="destination", value="OSL"),
        Fact(id="f5", goal=0, label="message", value="I lost my bill."),
        Fact(id="f6", goal=0, label="topic", value="bill"),
    )
    heard = open_listener(task).track((Message(role="user", content=words),))[-1]
    assert heard.state is not None
    assert heard.state.told == told


def test_hears_no_label_in_a_preposition() -> None:
    task = with_facts(
        Fact(id="f1", goal=0, label="Thema", value="bill"), Fact(id="f2", goal=0, label="Nachricht", value="Help.")
    )
    heard = open_listener(task).track((WISH, Message(role="assistant", content="Darf ich nach dem Thema fragen?")))[-1]
    assert heard.state is not None
    assert heard.state.asked == ("f1",)


CHOICES = with_facts(
    Fact(id="f1", goal=0, label="station", value={"/name": "Rome"}, reveal="choice", action="a1", choice="/2"),
    Fact(id="f2", goal=0, label="station", value={"/name": "Paris"}, reveal="choice", action="a1", choice="/1"),
    Fact(id="f3", goal=0, label="trip", value={"/name": "Night Express"}, reveal="choice", action="a2", choice="/0"),
    Fact(id="f4", goal=0, label="rate", value=0.84),
    Fact(id="f5", goal=0, label="rate currency", value="EUR"),
    actions=(
        Action(id="a1", goal=0, tool="stations", arguments={}),
        Action(
            id="a2", goal=0, tool="trips", arguments={"origin": "s3", "destination": "s2"},
            origins={
                "/origin": Origin(kind="output", action="a1", pointer="/2/id", fact="f1"),
                "/destination": Origin(kind="output", action="a1", pointer="/1/id", fact="f2"),
            },
        ),
        Action(
            id="a3", goal=0, tool="book", arguments={"trip": "t1", "rate": 0.84, "currency": "EUR"},
            origins={
                "/trip": Origin(kind="output", action="a2", pointer="/0/id", fact="f3"),
                "/rate": Origin(kind="user", fact="f4"),
                "/currency": Origin(kind="user", fact="f5"),
            },
        ),
    ),
)  # fmt: skip


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ("There is London and Paris, among others. Which one should be the origin?", ("f1",)),
        ("There is London and Paris, among others. Which one should be the destination?", ("f2",)),
        ("There is London and Paris, among others. Which station is it for the trip?", ("f1",)),
        ("Could you tell me the rate and the rate currency?", ("f4", "f5")),
        ("Could you tell me the rate currency?", ("f5",)),
    ],
)
def test_hears_what_is_asked_for_of_what_is_called_alike(words: str, asked: tuple[str, ...]) -> None:
    heard = open_listener(CHOICES).track((WISH, Message(role="assistant", content=words)))[-1]
    assert heard.state is not None
    assert heard.state.asked == asked


@pytest.mark.parametrize(
    ("words", "act"),
    [
        ("It is booked. It has been moved twice, so it can't be moved again.", "response"),
        ("It is booked. Shall I do anything else with it?", "response"),
        ("I'm sorry, I can't book that.", "response_fail"),
    ],
)
def test_hears_that_something_else_cannot_be_done_after_what_was_wanted(words: str, act: str) -> None:
    task = with_facts(actions=(Action(id="a1", goal=0, tool="book", arguments={}),))
    call = ToolCall(id="abcdefghi", name="book", arguments={})
    called = (Message(role="assistant", tool_calls=(call,)), Message(role="tool", content="{}", tool_call_id=call.id))
    heard = open_listener(task).track((WISH, *called, Message(role="assistant", content=words)))[-1]
    assert heard.act == act


@pytest.mark.parametrize(
    "words",
    [
        "What's the password for nora.lind, so that I can log you in?",
        "Sorry, let me put it simply. I need two things from you:\n\n- the password for nora.lind\n- the stock",
        "And what is the member's password?",
    ],
)
def test_hears_a_question_with_marks_within_words_and_in_lists(words: str) -> None:
    password = Fact(id="f1", goal=0, label="member's password", value="harbor-77")
    heard = open_listener(with_facts(password)).track((WISH, Message(role="assistant", content=words)))[-1]
    assert heard.state is not None
    assert (heard.act, heard.state.asked) == ("request", ("f1",))


def test_hears_that_a_thing_is_asked_for_by_its_name() -> None:
    name = Fact(id="f1", goal=0, label="member's name", value="Alisa Lindfors")
    heard = open_listener(with_facts(name)).track((WISH, Message(role="assistant", content="Which member is it?")))[-1]
    assert heard.state is not None
    assert (heard.act, heard.state.asked) == ("request", ("f1",))


def test_hears_two_wishes_for_the_same_tool_however_they_are_put() -> None:
    goals = (Goal(intent="pull up all rooms", tool="rooms"), Goal(intent="list every room there is", tool="rooms"))
    behaves = {"requests": ((0, 1),), "behaviours": (PlannedBehaviour(kind="several_at_once", request=0),)}
    task = with_facts(goals=goals, scenario=behaves)
    for words, shown in (("Pull up all rooms. The same goes for another one.", True), ("Pull up all rooms.", False)):
        heard = open_listener(task).track((Message(role="user", content=words),))[-1]
        assert (heard.behaviours == ("several_at_once",)) == shown


@pytest.mark.parametrize("words", ["Sagen Sie bitte meinen Termin ab.", "Ich bin hier, um meinen Termin abzusagen."])
def test_hears_a_german_verb_in_two_words(words: str) -> None:
    goal = Goal(intent="meinen Termin absagen", tool="pay", topic="Termin")
    scenario = Scenario(requests=((0,),), language="de")
    blueprint = BLUEPRINT.model_copy(update={"goals": (goal,), "scenario": scenario})
    heard = open_listener(blueprint).track((Message(role="user", content=words),))[-1]
    assert heard.act == "inform_intent_clear"


@pytest.mark.parametrize(
    ("words", "act", "asked"),
    [
        ("Sure! What day works for you?", "request", ("f1",)),
        ("Which day would you like?", "request", ("f1",)),
        ("Please let me know your phone number and the number of guests.", "request", ("f2", "f3")),
        ("Could you provide your patient number?", "request", ("unknown:patient number",)),
        ("How many guests will there be?", "request", ("f3",)),
        ("To book it I still miss some details:\n- phone number\n- how many guests there are", "request", ("f2", "f3")),
        ("Sure. What is your phone number? If it can't be booked, I'll let you know.", "request", ("f2",)),
        ("There are openings at 9:15 and 10:00. Which do you prefer?", "suggest", ("f4",)),
        ("You said 4 May, and now there are 9:15 and 10:00. Which one would you like?", "suggest", ("f4",)),
        ("You mentioned both 4 May and 9 May, which is right?", "request", ("f1",)),
        ("You said it's for two, but then you said it's for three. Which number of guests is it?", "request", ("f3",)),
        ("Sie haben erst den 4. Mai und dann den 9. Mai genannt. Welcher Tag gilt?", "request", ("f1",)),
        ("Erst hieß es 4. Mai und dann 9. Mai. Was gilt?", "request", ("f1",)),
        ("Fair enough. And which of the slots shall I take?", "suggest", ("f4",)),
        ("You told me the day and then your phone number. What is the number of guests?", "request", ("f3",)),
        ("You said two of you on 4 May, and then at 10:00. Shall I go ahead?", "confirm_request", ()),
        ("So that is Monday, 4 May. Would you like me to book it?", "confirm_request", ()),
        ("One question I can't leave out: a visit on 4 May. Shall I book it?", "confirm_request", ()),
        ("I'm sorry, I can't do that for you.", "response_fail", ()),
        ("Das kann ich gerade nicht: Keines meiner Werkzeuge ist dafür gemacht.", "response_fail", ()),
        ("I can't find anything for that day. Could you check the day?", "request", ("f1",)),
        ("Sorry, I'll be quick. A visit on 4 May, shall I book it?", "confirm_request", ()),
        ("Thank you for writing to us. Goodbye!", "system_bye", ()),
        ("Your visit is booked for 4 May. Anything else I can do?", "response", ()),
    ],
)
def test_understands_an_assistant(words: str, act: str, asked: tuple[str, ...]) -> None:
    call = ToolCall(id="abcdefghi", name="book", arguments={})
    called = (Message(role="assistant", tool_calls=(call,)), Message(role="tool", content="[]", tool_call_id=call.id))
    heard = open_listener(BLUEPRINT).track((WISH, *called, Message(role="assistant", content=words)))[-1]
    assert heard.state is not None
    assert (heard.act, heard.state.asked) == (act, asked)
    assert 0.5 <= heard.state.confidence < 1


@pytest.mark.parametrize(
    "words",
    [
        "There's a choice of 8 slots, for instance 9:15 and 11:00. Which should I take?",
        "And from the same list, which one is the new time?",
    ],
)
def test_takes_a_choice_for_no_doubt_about_what_was_said_otherwise(words: str) -> None:
    origins = {"/new_time": Origin(kind="output", fact="f4", action="a0", pointer="/3/time")}
    actions = (
        Action(id="a0", goal=0, tool="find", arguments={}),
        Action(id="a1", goal=0, tool="book", arguments={"new_time": "10:00"}, origins=origins),
    )
    told = DialogueState(goal=0, told=("f1",), otherwise={"f1": "2026-05-09"})
    wish = Message(role="user", content="On 9 May.", act="inform_intent_clear", state=told)
    listener = open_listener(BLUEPRINT.model_copy(update={"actions": actions}))
    heard = listener.track((wish, Message(role="assistant", content=words)))[-1]
    assert heard.state is not None
    assert (heard.act, heard.state.asked) == ("suggest", ("f4",))


@pytest.mark.parametrize(
    "words", ["I need the day for that, so it has to wait.", "Ohne day kann ich das noch nicht machen."]
)
def test_nobody_asks_again_for_what_is_not_known(words: str) -> None:
    asked = (WISH, assistant("request", ("f1",)), user("fail_inform", content="I don't know."))
    heard = open_listener(BLUEPRINT).track((*asked, Message(role="assistant", content=words)))[-1]
    assert heard.act == "response_fail"


@pytest.mark.parametrize(
    ("question", "words"),
    [
        (assistant("request", ("f1",)), "Purple monkeys, rather."),
        (assistant("request", ("f1",)), "Tell me about the weather?"),
        (assistant("request", ("f1",)), "You mentioned both 4 May and 9 May, which is right?"),
        (assistant("confirm_request"), "You mentioned both 4 May and 9 May, which is right?"),
        (assistant("suggest", ("goal:0",)), "I'm not sure."),
        (assistant("confirm_request"), "Great, but what does it cost?"),
        (assistant("confirm_request"), "Yes, but isn't it Friday?"),
        (assistant("confirm_request"), "I'm not sure."),
        (assistant("confirm_request", content="On 4 May at 10:30. Shall I?"), "Yes, on 8 May at 10:30."),
        (assistant("confirm_request"), "Yes, but only if it's free."),
    ],
)
def test_says_where_it_is_not_sure(question: Message, words: str) -> None:
    asked = (WISH, question, Message(role="user", content=words))
    heard = open_listener(BLUEPRINT).track(asked)[-1]
    assert heard.state is not None
    assert heard.state.confidence < 0.5


def test_knows_a_request_that_comes_before_its_time() -> None:
    scenario = BLUEPRINT.scenario.model_copy(update={"early": EarlyRequest(request=1, before=0)})
    listener = open_listener(BLUEPRINT.model_copy(update={"scenario": scenario}))
    opening = Message(role="user", content="I need to pay my bill")
    refused = Message(role="assistant", content="I have no tool for that right now.")
    first, second, third = listener.track((opening, refused, Message(role="user", content="Then book a visit, please")))
    assert [message.state.goal for message in (first, third) if message.state] == [1, 0]
    assert second.act == "response_fail"


def test_what_is_wanted_early_takes_nothing_back() -> None:
    late = PlannedBehaviour(kind="changes_mind_late", request=1)
    scenario = {"early": EarlyRequest(request=1, before=1), "behaviours": (late,)}
    done = (WISH, assistant("response", content="Done."))
    wishes = [Message(role="user", content=words) for words in ("Please pay my bill.", "Could you now pay my bill?")]
    said = (*done, wishes[0], assistant("response_fail", content="There is no tool for that yet."), wishes[1])
    heard = open_listener(with_facts(*FACTS, scenario=scenario)).track(said)
    assert [heard[place].act for place in (2, 4)] == ["inform_intent_clear", "change_mind"]


def test_leaves_alone_what_the_rules_said() -> None:
    trajectory = Trajectory(
        blueprint_id="b", toolset="", tools=(), system_prompt="", messages=(WISH, assistant("response")),
        final_digest="", termination="user_ended",
    )  # fmt: skip
    assert with_acts(trajectory, BLUEPRINT) is trajectory


def test_takes_a_value_for_that_of_the_fact_that_has_it() -> None:
    slip = PlannedBehaviour(kind="corrects_itself", request=0, fact="f1", value="2026-05-09", when="breath")
    facts = (FACTS[0], Fact(id="f6", goal=0, label="deadline", value="2026-05-09"))
    scenario = BLUEPRINT.scenario.model_copy(update={"facts": facts, "behaviours": (slip,)})
    blueprint = BLUEPRINT.model_copy(update={"scenario": scenario})

    def otherwise(words: str, *before: Message) -> dict[str, Any]:
        heard = open_listener(blueprint).track((*before, Message(role="user", content=words)))[-1]
        assert heard.state is not None
        return dict(heard.state.otherwise)

    assert otherwise("I want to book a visit, the deadline is 9 May 2026.") == {}
    asked = (WISH, assistant("request", ("f1",)))
    assert otherwise("On 9 May 2026.", *asked) == {"f1": "2026-05-09"}


VISIT = (Action(id="a1", goal=0, tool="book", arguments={}),)


@pytest.mark.parametrize(
    ("words", "act", "asked"),
    [
        ("That one can't be booked any more. Is it the other one, and shall I book it?", "confirm_request", ()),
        ("What I still need is your name; I can't find you without it.", "request", ("f1",)),
        ("I'm afraid I can't do that.", "response_fail", ()),
        ("What shall I do: show a visit, pay for a visit, or book a visit?", "clarify", ()),
        ("What is your name, and is it a blood test, a skin check, or an X-ray?", "request", ("f1", "f2")),
        ("Now I need your name and what it is for.", "request", ("f1",)),
        ("I can't see that yet. Please send me your name.", "request", ("f1",)),
    ],
)
def test_hears_what_has_to_be_answered_before_what_cannot_be_done(words: str, act: str, asked: tuple[str, ...]) -> None:
    facts = (
        Fact(id="f1", goal=0, label="name", value="Ann Lee"),
        Fact(id="f2", goal=0, label="service", value="skin check"),
    )
    heard = open_listener(with_facts(*facts, actions=VISIT)).track((WISH, Message(role="assistant", content=words)))[-1]
    assert heard.state is not None
    assert (heard.act, heard.state.asked) == (act, asked)
    assert heard.state.confidence >= 0.5


def test_hears_no_report_before_anything_was_called() -> None:
    heard = open_listener(with_facts(actions=VISIT)).track(
        (WISH, Message(role="assistant", content="Once I have your card I'll sum it all up for you."))
    )[-1]
    assert heard.state is not None
    assert heard.state.confidence < 0.5


def test_a_look_on_the_way_does_not_make_a_vague_wish_clear() -> None:
    call = ToolCall(id="abcdefghi", name="list_visits", arguments={})
    looked = (Message(role="assistant", tool_calls=(call,)), Message(role="tool", content="[]", tool_call_id=call.id))
    asked = Message(role="assistant", content="Which one is it about, and what would you like to do with it?")
    heard = open_listener(with_facts(actions=VISIT)).track((user("inform_intent_vague"), *looked, asked))[-1]
    assert heard.act == "clarify"


@pytest.mark.parametrize(
    "words",
    [
        "What's the trouble? For instance a lost device, a suspicious mail, or something else.",
        "What should I change on ticket LAG-39? I can set its topic to hardware, lost device or access.",
    ],
)
def test_hears_what_is_wanted_among_what_it_may_be(words: str) -> None:
    topic = Fact(id="f1", goal=0, label="topic", value="lost device", reveal="asked")
    task = with_facts(topic, scenario={"unknown": ("ticket",)}, actions=VISIT)
    heard = open_listener(task).track((WISH, Message(role="assistant", content=words)))[-1]
    assert heard.state is not None
    assert (heard.act, heard.state.asked) == ("request", ("f1",))


def test_hears_that_what_was_told_by_mistake_finds_nothing() -> None:
    wrong = Fact(id="f1", goal=0, label="status", value="consumed", reveal="opening")
    right = Fact(id="f2", goal=0, label="status", value="voided", reveal="asked", instead_of="f1")
    done = PlannedBehaviour(kind="mistaken", request=0, fact="f2", when="question")
    task = with_facts(wrong, right, scenario={"behaviours": (done,)}, actions=VISIT)
    told = DialogueState(goal=0, told=("f1",), filled=("f1",))
    wish = Message(role="user", content="The consumed ones.", act="inform_intent_clear", state=told)
    words = "There aren't any: nobody has consumed notes issued up to 14 March."
    heard = open_listener(task).track((wish, Message(role="assistant", content=words)))[-1]
    assert heard.state is not None
    assert (heard.act, heard.state.asked) == ("request", ("f2",))
