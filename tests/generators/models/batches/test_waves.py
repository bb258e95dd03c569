"""When questions go out together: lanes that answer after a while, on a clock that costs no time."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from tests.generators.models.clock import run_fast

from interplay.generators.models.batches.batch_settings import WaveSettings
from interplay.generators.models.batches.waves import Answers, WaitingQuestion, Waves
from interplay.generators.models.journal.journal_file import Question, question_of
from interplay.generators.models.transport.transport_errors import RateLimited, Rejected, ServerFailed
from interplay.schemas.errors import ModelUnavailable
from interplay.schemas.records.dialogue import Usage

PATIENT = WaveSettings(quiet=1, linger=60, pause=5)


@dataclass
class TalkingLane:
    """Answers after an hour; `fail` tells for each text and each time what goes wrong with it."""

    fail: Callable[[str, int], Exception | None] = lambda _text, _time: None
    attempts: int = 3
    seconds: float = 3600.0
    asked: list[list[str]] = field(default_factory=list)
    at: list[float] = field(default_factory=list)

    async def answer(self, waiting: Sequence[WaitingQuestion]) -> Answers:
        texts = [one.question.role for one in waiting]
        self.asked.append(sorted(texts))
        self.at.append(now())
        time = sum(texts[0] in wave for wave in self.asked)
        await asyncio.sleep(self.seconds)
        return {one.question.key: self.fail(one.question.role, time) for one in waiting}


def now() -> float:
    return asyncio.get_running_loop().time()


def asking(text: str) -> Question:
    return question_of("http://a.test", "/chat", "m", {"text": text}, text, 0, batch=True)


async def put(waves: Waves, lane: TalkingLane, text: str, told: list[str] | None = None) -> None:
    hold = waves.hold()
    try:
        note = told if told is not None else []
        question = asking(text)
        waiting = waves.find(lane, question.key)
        waiting = waiting or WaitingQuestion(lane, question, b"", settle, lambda: note.append(text))
        await waves.answered(waiting, hold)
    finally:
        hold.release()


def settle(_: Usage) -> None:
    pass


def play(scenario: Callable[[Waves], Any], settings: WaveSettings = PATIENT) -> None:
    async def run() -> None:
        waves = Waves(settings)
        await scenario(waves)
        await waves.aclose()

    run_fast(run())


def test_those_who_are_done_are_not_waited_for() -> None:
    lane = TalkingLane()

    async def scenario(waves: Waves) -> None:
        async def talk(name: str, turns: int) -> None:
            async with waves.dialogue():
                for turn in range(turns):
                    await put(waves, lane, f"{name}{turn}")

        await asyncio.gather(talk("a", 3), talk("b", 1), talk("c", 2))
        assert now() < 3 * 3601 + 5

    play(scenario)
    assert lane.asked == [["a0", "b0", "c0"], ["a1", "c1"], ["a2"]]


def test_those_who_are_busy_elsewhere_are_waited_for_but_not_forever() -> None:
    lane = TalkingLane()

    async def scenario(waves: Waves) -> None:
        async def talk(name: str, seconds: float) -> None:
            async with waves.dialogue():
                await asyncio.sleep(seconds)
                await put(waves, lane, name)

        await asyncio.gather(talk("a", 0), talk("b", 0), talk("busy", 50), talk("gone", 500))

    play(scenario)
    assert lane.asked == [["a", "b", "busy"], ["gone"]]
    assert lane.at[0] == pytest.approx(110)


def test_dialogues_that_ask_different_models_go_on_together() -> None:
    fast, slow = TalkingLane(seconds=60), TalkingLane()

    async def scenario(waves: Waves) -> None:
        async def talk(name: str, order: tuple[TalkingLane, ...]) -> None:
            async with waves.dialogue():
                for turn, lane in enumerate(order):
                    await put(waves, lane, f"{name}{turn}")

        await asyncio.gather(talk("a", (fast, slow)), talk("b", (slow, fast)), talk("c", (fast, slow)))

    play(scenario)
    assert fast.asked == [["a0", "c0"], ["b1"]]
    assert slow.asked == [["b0"], ["a1", "c1"]]
    assert fast.at[1] == slow.at[1]


def test_several_questions_of_one_dialogue_are_in_one_wave() -> None:
    lane = TalkingLane()

    async def scenario(waves: Waves) -> None:
        async with waves.dialogue():
            await asyncio.gather(*(put(waves, lane, text) for text in "abc"))

    play(scenario)
    assert lane.asked == [["a", "b", "c"]]


def test_a_wave_goes_out_when_it_is_large_enough() -> None:
    lane = TalkingLane()

    async def scenario(waves: Waves) -> None:
        await asyncio.gather(*(put(waves, lane, f"{number:03}") for number in range(250)))

    play(scenario, PATIENT.model_copy(update={"most": 100}))
    assert [len(wave) for wave in lane.asked] == [100, 100, 50]
    assert lane.at[1] == 0


def test_what_is_left_over_goes_with_the_next_questions_of_the_others() -> None:
    lane = TalkingLane(lambda text, time: ServerFailed("expired", 408) if text == "b0" and time == 1 else None)

    async def scenario(waves: Waves) -> None:
        async def talk(name: str) -> None:
            async with waves.dialogue():
                for turn in range(2):
                    await put(waves, lane, f"{name}{turn}")

        await asyncio.gather(talk("a"), talk("b"), talk("c"))

    play(scenario)
    assert lane.asked == [["a0", "b0", "c0"], ["a1", "b0", "c1"], ["b1"]]


def test_attempts_are_counted_but_not_being_asked_to_come_later() -> None:
    given_up = TalkingLane(lambda _text, _time: ServerFailed("broken", 500))
    later = TalkingLane(lambda _text, time: RateLimited("later") if time < 8 else None)
    gone: list[str] = []

    async def scenario(waves: Waves) -> None:
        with pytest.raises(ModelUnavailable, match="3 batches without an answer; the last time: broken"):
            await put(waves, given_up, "a", gone)
        await put(waves, later, "b")

    play(scenario, PATIENT.model_copy(update={"longest_pause": 20}))
    assert given_up.asked == [["a"]] * 3
    assert later.asked == [["b"]] * 8
    pauses = [after - before - 3600 for before, after in zip(later.at, later.at[1:], strict=False)]
    assert pauses[-1] == pytest.approx(20), "after waves without an answer it waits longer and longer"
    assert gone == ["a"], "what was set aside is given back"


def test_what_is_refused_and_what_breaks_is_told_at_once() -> None:
    refusing = TalkingLane(lambda text, _time: Rejected("no", 400) if text == "bad" else None)

    class BrokenLane(TalkingLane):
        async def answer(self, waiting: Sequence[WaitingQuestion]) -> Answers:
            raise KeyError(waiting[0].question.role)

    async def scenario(waves: Waves) -> None:
        asked = (put(waves, refusing, "bad"), put(waves, refusing, "good"), put(waves, BrokenLane(), "x"))
        first, second, third = await asyncio.gather(*asked, return_exceptions=True)
        assert isinstance(first, Rejected)
        assert second is None
        assert isinstance(third, KeyError)

    play(scenario)
    assert refusing.asked == [["bad", "good"]]


def test_who_leaves_a_wave_that_is_out_is_not_asked_for_again() -> None:
    lane = TalkingLane(lambda _text, _time: ServerFailed("broken", 500))
    gone: list[str] = []

    async def scenario(waves: Waves) -> None:
        task = asyncio.ensure_future(put(waves, lane, "a", gone))
        await asyncio.sleep(100)
        task.cancel()
        await asyncio.wait((task,))
        assert gone == []
        await asyncio.sleep(10_000)

    play(scenario)
    assert lane.asked == [["a"]]
    assert gone == ["a"]


def test_closing_leaves_nobody_waiting() -> None:
    lane = TalkingLane()

    async def scenario(waves: Waves) -> None:
        under_way = asyncio.ensure_future(put(waves, lane, "a"))
        await asyncio.sleep(100)
        collected = asyncio.ensure_future(put(waves, lane, "b"))
        await asyncio.sleep(1)
        await waves.aclose()
        done, _ = await asyncio.wait((under_way, collected), timeout=1)
        assert len(done) == 2

    play(scenario)
