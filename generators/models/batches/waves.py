"""Questions of many dialogues -> waves: one turn of all open dialogues, asked at once.

A wave is sent when all open dialogues wait for an answer. Answered dialogues continue together; unanswered questions go
into the next wave, with the next questions of the others.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Protocol

from interplay.generators.models.batches.batch_settings import WaveSettings
from interplay.generators.models.client.model import RETRIED
from interplay.generators.models.journal.journal_file import Question
from interplay.generators.models.transport.transport_errors import RateLimited
from interplay.schemas.errors import ModelUnavailable
from interplay.schemas.records.dialogue import Usage

Answers = Mapping[bytes, Exception | None]
"""The outcome of each question by its key: an error, or None if the journal has the answer."""

REFUSALS = 10
"""Number of refusals (`RateLimited`) that count as one attempt."""


class WaveLane(Protocol):
    """Answers the questions to one model; `attempts` is how often a question is asked at most."""

    attempts: int

    async def answer(self, waiting: Sequence["WaitingQuestion"]) -> Answers:
        """Ask the questions, and return the outcome of each."""
        ...


@dataclass(slots=True, eq=False)
class Dialogue:
    """One open dialogue; `blocked` counts its waiting questions."""

    waves: "Waves"
    blocked: int = 0


class WaveHold:
    """Marks a dialogue as waiting for one question, until it is released."""

    __slots__ = ("_dialogue", "_waves")

    def __init__(self, waves: "Waves", dialogue: Dialogue | None) -> None:
        """Count the dialogue as waiting; None for a question from outside a dialogue."""
        self._waves = waves
        self._dialogue = dialogue
        waves.count(dialogue, 1)

    def release(self) -> None:
        """Count the dialogue as no longer waiting for this question; repeated calls have no effect."""
        self._waves.count(self._dialogue, -1)
        self._dialogue = None


@dataclass(eq=False)
class WaitingQuestion:
    """A question and the dialogues that wait for its answer; `line` is its row in a batch.

    `settle` is called with its real cost, `release` when that is in the journal or the question will not be asked;
    `release` may be called more than once.
    """

    lane: WaveLane
    question: Question
    line: bytes
    settle: Callable[[Usage], None]
    release: Callable[[], None]
    holds: list[WaveHold] = field(default_factory=list)
    attempts: int = 0
    refusals: int = 0
    future: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())

    def finish(self, error: Exception | None) -> None:
        """Let the waiting dialogues continue; they count as not waiting at once, before their tasks run."""
        self.release()
        for hold in self.holds:
            hold.release()
        if error is not None:
            self.future.set_exception(error)
            self.future.exception()  # marks it as retrieved, since all waiters may be cancelled
        else:
            self.future.set_result(None)


_DIALOGUE: ContextVar[Dialogue | None] = ContextVar("dialogue", default=None)
_Place = tuple[int, bytes]


class Waves:
    """Collects the questions of a run's dialogues to all batched models; for one event loop."""

    def __init__(self, settings: WaveSettings | None = None) -> None:
        self.settings = settings or WaveSettings()
        self.sent = 0
        self._open = 0
        self._blocked = 0
        self._collected: dict[_Place, WaitingQuestion] = {}
        self._waiting: dict[_Place, WaitingQuestion] = {}
        self._under_way: set[asyncio.Task[None]] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._fruitless = 0

    @asynccontextmanager
    async def dialogue(self) -> AsyncIterator[None]:
        """Open a dialogue: waves wait for the questions of this task, and of tasks that it starts, until the exit."""
        dialogue = Dialogue(self)
        token = _DIALOGUE.set(dialogue)
        self._open += 1
        self._look()
        try:
            yield
        finally:
            _DIALOGUE.reset(token)
            self._open -= 1
            self._look()

    def hold(self) -> WaveHold:
        """Count the current dialogue as waiting."""
        dialogue = _DIALOGUE.get()
        return WaveHold(self, dialogue if dialogue is not None and dialogue.waves is self else None)

    def count(self, dialogue: Dialogue | None, change: int) -> None:
        """Change the number of a dialogue's waiting questions, and check for a wave."""
        if dialogue is not None:
            before, dialogue.blocked = dialogue.blocked, dialogue.blocked + change
            self._blocked += (dialogue.blocked > 0) - (before > 0)
        self._look()

    def find(self, lane: WaveLane, key: bytes) -> WaitingQuestion | None:
        """Return the waiting question with this key, or None."""
        return self._waiting.get((id(lane), key))

    def collected(self, lane: WaveLane) -> int:
        """Return how many questions of a lane wait for the next wave."""
        return sum(waiting.lane is lane for waiting in self._collected.values())

    async def answered(self, waiting: WaitingQuestion, hold: WaveHold) -> None:
        """Wait until a question is answered, in the next wave or the one that contains it already.

        Raises:
            ModelError: it was refused, or not answered after `attempts`.
        """
        place = (id(waiting.lane), waiting.question.key)
        waiting.holds.append(hold)
        if place not in self._waiting:
            self._waiting[place] = self._collected[place] = waiting
            self._look()
        try:
            await asyncio.shield(waiting.future)
        finally:
            waiting.holds.remove(hold)
            if not waiting.holds and self._collected.pop(place, None) is not None:
                self._forget(waiting)
                waiting.release()

    async def aclose(self) -> None:
        """Stop following batches; they continue at the provider, and the next run collects their answers."""
        if self._timer is not None:
            self._timer.cancel()
        for task in self._under_way:
            task.cancel()
        await asyncio.gather(*self._under_way, return_exceptions=True)
        for waiting in self._waiting.values():
            waiting.future.cancel()

    def _look(self) -> None:
        """Send a wave now if it is full, or schedule it for when no new question has come for a while."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if len(self._collected) >= self.settings.most and not self._fruitless:
            self._send()
        elif self._collected and not self._under_way:
            wait = self.settings.quiet if self._blocked >= self._open else self.settings.linger
            pause = min(self.settings.pause * 2.0 ** min(self._fruitless - 1, 20), self.settings.longest_pause)
            wait = max(wait, pause if self._fruitless else 0.0)
            self._timer = asyncio.get_running_loop().call_later(wait, self._send)

    def _send(self) -> None:
        wave, self._collected = list(self._collected.values()), {}
        self.sent += 1
        task = asyncio.get_running_loop().create_task(self._ask(wave))
        self._under_way.add(task)

    async def _ask(self, wave: list[WaitingQuestion]) -> None:
        """Ask all lanes concurrently, and hand out all answers at once, so that the dialogues stay in step."""
        lanes: dict[int, list[WaitingQuestion]] = {}
        for waiting in wave:
            lanes.setdefault(id(waiting.lane), []).append(waiting)
        answers = await asyncio.gather(*(_asked(own) for own in lanes.values()))
        task = asyncio.current_task()
        assert task is not None
        self._under_way.discard(task)
        outcomes = {place: outcome for found in answers for place, outcome in found.items()}
        self._fruitless = 0 if None in outcomes.values() else self._fruitless + 1
        for waiting in wave:
            self._hand_out(waiting, outcomes[id(waiting.lane), waiting.question.key])
        self._look()

    def _hand_out(self, waiting: WaitingQuestion, outcome: Exception | None) -> None:
        """Finish a question, or put it into the next wave if it is worth asking again."""
        if isinstance(outcome, RETRIED):
            waiting.refusals += isinstance(outcome, RateLimited)
            waiting.attempts += not isinstance(outcome, RateLimited)
            if not waiting.holds:
                self._forget(waiting)
                waiting.finish(outcome)
                return
            if waiting.attempts + waiting.refusals // REFUSALS < waiting.lane.attempts:
                self._collected[id(waiting.lane), waiting.question.key] = waiting
                return
            outcome = ModelUnavailable(
                f"A question was in {waiting.attempts + waiting.refusals} batches without an answer; the last time: "
                f"{outcome} Nothing is lost: start the same run again to ask it again."
            )
        self._forget(waiting)
        waiting.finish(outcome)

    def _forget(self, waiting: WaitingQuestion) -> None:
        del self._waiting[id(waiting.lane), waiting.question.key]


async def _asked(waiting: list[WaitingQuestion]) -> dict[_Place, Exception | None]:
    """Ask one lane; an exception that it raises is the outcome of each question without one."""
    lane = waiting[0].lane
    failure: Exception | None = None
    answers: Answers = {}
    try:
        answers = await lane.answer(waiting)
    except Exception as error:
        failure = error
    return {(id(lane), one.question.key): answers.get(one.question.key, failure) for one in waiting}
