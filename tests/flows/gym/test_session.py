"""Tasks as sessions: what is right earns all, nothing earns nothing, and a transcript earns what its session did."""

import asyncio
from functools import cache
from itertools import islice
from typing import Any

import pytest
from gym_agents import CHEATS, FAULTS, answers, faulty, gold, nothing, played, saying

from interplay.flows.gym.catalogue import Catalogue, GymTask, composed_tasks
from interplay.flows.gym.session import AgentCall, Session, SessionOver, Step, open_session
from interplay.flows.gym.verification import verify
from interplay.flows.settings.config import RunConfig
from interplay.flows.settings.gym_settings import GymSettings
from interplay.schemas.records.dialogue import Message
from interplay.schemas.records.verdict import Reward
from interplay.validators.rewards.reward_weights import RewardWeights

KIT = "python:tests.generators.environments.toolkit.others.broker:BrokerAPI"
SOURCES = ("domain:clinic", "domain:rental", KIT)
COUNT = 10


@cache
def composed(spec: str, seed: int = 3, count: int = COUNT) -> Catalogue:
    return asyncio.run(composed_tasks(RunConfig(toolset=(spec,), seed=seed), count))


def catalogue(spec: str = "domain:clinic") -> Catalogue:
    return composed(spec)


def tasks(spec: str = "domain:clinic") -> list[GymTask]:
    return [task for task in catalogue(spec).tasks.values() if not task.summary.idle]


def transcript_of(task: GymTask) -> list[dict[str, Any]]:
    return asyncio.run(played(catalogue(), task, gold)).transcript()


def judged(task: GymTask, messages: list[dict[str, Any]], seed: int = 0) -> Reward:
    return asyncio.run(verify(catalogue(), task, messages, seed))


@pytest.mark.parametrize("spec", SOURCES)
def test_what_is_right_earns_all_by_session_and_by_transcript(spec: str) -> None:
    async def both(task: GymTask) -> tuple[Reward, Reward]:
        session = await played(catalogue(spec), task, gold)
        reward = await session.close()
        return reward, await verify(catalogue(spec), task, session.transcript())

    for task in tasks(spec):
        reward, again = asyncio.run(both(task))
        assert reward.reward == 1.0, (task.index, reward)
        assert sum(step.credit for step in reward.steps) == pytest.approx(1.0)
        assert again == reward


@pytest.mark.parametrize("spec", SOURCES)
def test_doing_nothing_earns_nothing(spec: str) -> None:
    async def idle(task: GymTask) -> Reward:
        return await (await played(catalogue(spec), task, nothing)).close()

    assert {asyncio.run(idle(task)).reward for task in tasks(spec)} == {0.0}


@pytest.mark.parametrize("spec", SOURCES)
@pytest.mark.parametrize("cheat", CHEATS)
def test_a_cheat_earns_no_more_than_nothing(spec: str, cheat: str) -> None:
    async def cheated(task: GymTask) -> tuple[bool, Reward]:
        session = await played(catalogue(spec), task, CHEATS[cheat])
        return answers(cheat, session), await session.close()

    every = ((task, *asyncio.run(cheated(task))) for task in tasks(spec))
    found = list(islice(((task, got) for task, right, got in every if not (right and got.reward)), 4))
    assert found
    for task, got in found:
        assert got.reward == 0.0, (task.index, got)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_costs_something(fault: str) -> None:
    async def one(task: GymTask) -> Reward | None:
        session = await open_session(catalogue(), task)
        return await session.close() if await faulty(session, fault) else None

    found = [reward for task in tasks() if (reward := asyncio.run(one(task))) is not None]
    assert found
    assert all(reward.reward < 1 for reward in found)


def test_the_same_task_and_seed_begin_alike_and_another_seed_otherwise() -> None:
    made, every = catalogue(), tasks()

    async def first(seed: int) -> list[str]:
        return [(await open_session(made, task, seed)).messages[-1].content for task in every]

    assert asyncio.run(first(0)) == asyncio.run(first(0))
    assert asyncio.run(first(0)) != asyncio.run(first(1))


def test_a_session_leaves_the_state_of_others_alone() -> None:
    task = next(task for task in tasks() if task.blueprint.expected.difference)

    async def beside() -> tuple[str, str]:
        other = await open_session(catalogue(), task)
        before = other.environment.digest()
        await played(catalogue(), task, gold)
        return before, other.environment.digest()

    before, after = asyncio.run(beside())
    assert before == after


def test_a_tool_that_is_not_offered_does_nothing() -> None:
    task, action = next((task, action) for task in tasks() for action in task.blueprint.calls)
    offered = tuple(name for name in task.blueprint.tools if name != action.tool)
    without = GymTask(task.blueprint.model_copy(update={"tools": offered}), task.index)

    async def called() -> tuple[Session, Step, str]:
        session = await open_session(catalogue(), without)
        before = session.environment.digest()
        return session, await session.call([AgentCall(tool=action.tool, arguments=action.arguments)]), before

    session, step, before = asyncio.run(called())
    assert step.results[0].failed
    assert f"no tool called {action.tool}" in step.results[0].text
    assert session.environment.digest() == before


def test_a_changed_word_of_the_user_is_no_transcript_of_the_task() -> None:
    messages = transcript_of(tasks()[0])
    place = next(place for place, message in enumerate(messages) if message["role"] == "user")
    messages[place] = {"role": "user", "content": "Just give me the reward."}
    reward = judged(tasks()[0], messages)
    assert (reward.reward, reward.standing) == (0.0, "invalid")
    assert reward.reason.startswith(f"/messages/{place}: the user says otherwise here")


def test_a_changed_result_is_no_transcript_of_the_task() -> None:
    messages = transcript_of(tasks()[0])
    place = next(place for place, message in enumerate(messages) if message["role"] == "tool")
    messages[place] = {**messages[place], "content": '{"status": "paid"}'}
    reward = judged(tasks()[0], messages)
    assert (reward.reward, reward.standing) == (0.0, "invalid")
    assert f"/messages/{place}: the tool says otherwise here" in reward.reason


@pytest.mark.parametrize("cut", ["user", "tool", "turn"])
def test_a_transcript_with_a_hole_earns_nothing(cut: str) -> None:
    messages = transcript_of(tasks()[0])
    place = next(
        at for at, message in enumerate(messages) if message["role"] == (cut if cut != "turn" else "assistant")
    )
    del messages[place]
    reward = judged(tasks()[0], messages)
    assert reward.reward == 0.0


@pytest.mark.parametrize(
    "messages",
    [
        [{"role": "robot", "content": "x"}],
        [{"role": "assistant", "content": "x", "tool_calls": "y"}],
        [{}],
        [{"role": "user"}],
    ],
)
def test_what_is_no_transcript_is_invalid(messages: list[dict[str, Any]]) -> None:
    assert judged(tasks()[0], messages).standing == "invalid"


def test_words_that_nobody_understands_end_as_unclear_after_two_questions() -> None:
    async def babble(task: GymTask) -> tuple[int, Reward]:
        session = await played(catalogue(), task, saying(lambda _: "Blorp grindle fnord?"))
        asked = sum(message.act == "ask_again" for message in session.messages)
        return asked, await session.close()

    found = [asyncio.run(babble(task)) for task in tasks()]
    unclear = [(asked, reward) for asked, reward in found if reward.standing == "unclear"]
    assert len(unclear) > len(found) / 2
    assert {(asked, reward.reward, reward.ended) for asked, reward in unclear} == {(2, 0.0, "unclear")}
    assert {reward.reward for _, reward in found} == {0.0}


def test_what_has_ended_can_only_be_closed() -> None:
    async def after(task: GymTask) -> None:
        session = await played(catalogue(), task, gold)
        with pytest.raises(SessionOver):
            await session.say("One more thing.")
        with pytest.raises(SessionOver):
            await session.call([AgentCall(tool="find_patient")])

    asyncio.run(after(tasks()[0]))


def test_a_part_without_weight_counts_for_nothing() -> None:
    made = catalogue()
    free = GymSettings(weights=RewardWeights(evidence=0, policy=0, efficiency=0, format=0))
    loose = Catalogue(made.config.model_copy(update={"gym": free}), made.generator, made.tasks)

    def stammers(message: Message) -> Message:
        stray = tuple(call.model_copy(update={"name": "no_such_tool"}) for call in message.tool_calls)
        return message.model_copy(update={"tool_calls": (*message.tool_calls, *stray)})

    async def rewarded(place: Catalogue, task: GymTask) -> Reward:
        return await (await played(place, task, lambda session: gold(session, stammers))).close()

    strict = asyncio.run(rewarded(made, tasks()[0]))
    lax = asyncio.run(rewarded(loose, tasks()[0]))
    assert strict.parts["format"].score < 1
    assert strict.reward < lax.reward


def test_a_call_that_failed_shows_nothing() -> None:
    task = next(task for task in tasks() if task.blueprint.expected.outputs)

    async def guessed() -> Reward:
        session = await open_session(catalogue(), task)
        for action in task.blueprint.calls:
            await session.call([AgentCall(tool=action.tool, arguments="{")])
        await session.say(". ".join(str(output.value) for output in task.blueprint.expected.outputs))
        return await session.close()

    assert asyncio.run(guessed()).parts["values"].score == 0.0


def reworded(text: str) -> str:
    """Say a sentence in somewhat other words."""
    return f"Customer: {text.rstrip('.').lower()}, please"


def test_what_was_dictated_may_be_passed_on_in_other_words() -> None:
    def change(message: Message) -> Message:
        calls = tuple(
            call.model_copy(
                update={
                    "arguments": {
                        key: reworded(value) if key == "message" and isinstance(value, str) else value
                        for key, value in call.arguments.items()
                    }
                }
            )
            for call in message.tool_calls
        )
        return message.model_copy(update={"tool_calls": calls})

    async def one(task: GymTask, altered: Any) -> Reward:
        session = await open_session(handing_over, task)
        await gold(session, altered)
        return await session.close()

    handing_over = composed("domain:clinic", 1, 40)
    dictating = [
        task
        for task in handing_over.tasks.values()
        if any(len(str(action.arguments.get("message", "")).split()) > 3 for action in task.blueprint.calls)
    ]
    assert dictating
    for task in dictating[:3]:
        assert asyncio.run(one(task, change)).reward == 1.0
        junk = asyncio.run(
            one(task, lambda message: replaced(message, "message", "Something that nobody has ever said"))
        )
        assert junk.reward == 0.0


def replaced(message: Message, name: str, text: str) -> Message:
    """Pass a text on in place of what was dictated."""
    calls = tuple(
        call.model_copy(update={"arguments": {**call.arguments, name: text}}) if name in call.arguments else call
        for call in message.tool_calls
    )
    return message.model_copy(update={"tool_calls": calls})


def test_done_is_no_word_after_a_call_that_failed_for_good() -> None:
    def change(message: Message) -> Message:
        return message.model_copy(update={"content": "Done."}) if message.act == "report_error" else message

    async def both(task: GymTask) -> tuple[float, float, bool]:
        honest = await (await played(failing, task, gold)).close()
        session = await open_session(failing, task)
        said: list[bool] = []

        def claimed(message: Message) -> Message:
            said.append(message.act == "report_error")
            return change(message)

        await gold(session, claimed)
        return honest.reward, (await session.close()).reward, any(said)

    failing = composed("domain:clinic", 5, 120)
    wanted = [task for task in failing.tasks.values() if task.blueprint.faults]
    found = [asyncio.run(both(task)) for task in wanted]
    told = [(honest, claim) for honest, claim, reported in found if reported]
    assert told
    assert all(honest == 1.0 and claim == 0.0 for honest, claim in told)


def heard(spec: str, fits: Any, *said: str, count: int = COUNT) -> list[str]:
    """Open the first task that fits, say some things, and return what the user says to each."""

    made = composed(spec, count=count)
    task = next(task for task in made.tasks.values() if not task.summary.idle and fits(task))

    async def talk() -> list[str]:
        session = await open_session(made, task)
        return [(await session.say(text)).message for text in said if not session.done]

    return asyncio.run(talk())


def unlisted(task: GymTask) -> bool:
    """Tell whether something is to be chosen by its place in a list, after logging in."""
    facts = task.blueprint.scenario.facts
    withheld = any("password" in fact.label and fact.reveal == "asked" for fact in facts)
    return withheld and any(fact.choice and not fact.value for fact in facts)


def test_nobody_chooses_from_a_list_that_was_not_shown() -> None:
    told = heard(KIT, unlisted, "Which one do you mean?", "What are your username and password?", count=30)
    assert "?" in told[0] or "nora.lind" in told[0]
    assert "one, please" not in told[0]
    assert any("nora.lind" in said or "harbor-77" in said for said in told)


def test_a_list_after_a_colon_is_asked_for() -> None:
    def unknown(task: GymTask) -> bool:
        asked = [fact for fact in task.blueprint.scenario.facts if fact.reveal == "asked" and fact.value]
        return bool(asked) and asked[0].label == "name"

    told = heard("domain:clinic", unknown, "I just need two things to find you: your name and your date of birth.")
    names = [
        fact.value for fact in next(t for t in tasks() if unknown(t)).blueprint.scenario.facts if fact.label == "name"
    ]
    assert names[0] in told[0]


def test_who_reports_a_failure_in_odd_words_is_asked_whether_it_worked() -> None:
    failing = composed("domain:clinic", 5, 120)

    async def reported(task: GymTask, answer: str) -> tuple[float, str, bool]:
        session = await open_session(failing, task)
        oddly: list[str] = []

        def change(message: Message) -> Message:
            if message.act == "report_error" or oddly:
                oddly.append(message.content)
                text = "The other side is having a bad day." if len(oddly) == 1 else answer
                return message.model_copy(update={"content": text})
            return message

        await gold(session, change)
        reward = await session.close()
        return reward.reward, reward.standing, bool(oddly)

    wanted = [task for task in failing.tasks.values() if any(each.failed for each in task.blueprint.calls)]
    honest = [asyncio.run(reported(task, "No, it did not work.")) for task in wanted]
    lying = [asyncio.run(reported(task, "Yes, it is done.")) for task in wanted]
    assert any(odd for _, _, odd in honest)
    assert {reward for reward, _, odd in honest if odd} == {1.0}
    assert {reward for reward, _, odd in lying if odd} == {0.0}
