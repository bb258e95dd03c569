"""An endpoint -> a model that pays for no question twice, and keeps to its budget and rate limits.

journal -> budget -> limits -> retries -> endpoint.send -> journal -> endpoint.parse
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tenacity import AsyncRetrying, retry_if_exception_type

from interplay.generators.models.client.structured_output import problems_in
from interplay.generators.models.journal.journal import Journal
from interplay.generators.models.journal.journal_file import Question, question_of
from interplay.generators.models.limits.budget import Budget
from interplay.generators.models.limits.limit_settings import RetrySettings
from interplay.generators.models.limits.limiter import EndpointDown, Limiter, SendTurn
from interplay.generators.models.limits.prices import Price
from interplay.generators.models.limits.retries import RetryState
from interplay.generators.models.providers.usage import (
    answer_bound,
    assumed_usage,
    expected_usage,
    payload_tokens,
    usage_of,
)
from interplay.generators.models.transport.transport_errors import (
    Dropped,
    RateLimited,
    Rejected,
    RejectsAll,
    ServerFailed,
    TimedOut,
)
from interplay.schemas.errors import BudgetExceeded, ModelError, ModelUnavailable
from interplay.schemas.protocols import Endpoint
from interplay.schemas.records.chat import ChatReply, ChatRequest
from interplay.schemas.records.dialogue import Usage

RETRIED = (RateLimited, ServerFailed, Dropped, TimedOut)


@dataclass
class Model:
    """One model at one address, with journal, budget, limits and retries; endpoint and limiter may be shared."""

    endpoint: Endpoint
    journal: Journal
    budget: Budget
    limiter: Limiter
    retries: RetrySettings = field(default_factory=RetrySettings)
    _under_way: dict[bytes, asyncio.Future[bytes]] = field(default_factory=dict, init=False, repr=False)
    _price: Price | None = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Look up the price.

        Raises:
            ConfigError: there is a budget in dollars, and the price of this model is unknown.
        """
        self._price = self.budget.price(self.endpoint.base_url, self.endpoint.model)

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Return the answer in the journal, or ask for it.

        Raises:
            ModelError, ModelUnavailable, BudgetExceeded: see `ChatModel.complete`.
            StoreError: the journal cannot be read or written.
        """
        return await self.ask(request, patient=True)

    async def ask(self, request: ChatRequest, patient: bool, speaker: str = "") -> ChatReply:
        """Do the same as `complete`; without `patient` the request does not wait for a dead endpoint.

        The answer is recorded under `speaker`.
        """
        await self.limiter.enter(request.role)
        try:
            payload = self.endpoint.payload(request)
            question = self._question(payload, request, speaker)
            body = self.journal.get(question.key)
        finally:
            self.limiter.prepared()
        if body is None:
            body = await self._once(question, payload, patient)
        else:
            self.limiter.took(request.role)
        return read_reply(self.endpoint, self.journal, question, request, body, self.limiter.count_error)

    def journaled(self, request: ChatRequest) -> bool:
        """Tell whether the journal holds the answer to a request."""
        question = self._question(self.endpoint.payload(request), request)
        return self.journal.get(question.key) is not None

    def _question(self, payload: dict[str, Any], request: ChatRequest, speaker: str = "") -> Question:
        at = self.endpoint
        return question_of(at.base_url, at.path, at.model, payload, request.role, request.sample, speaker=speaker)

    async def _once(self, question: Question, payload: dict[str, Any], patient: bool) -> bytes:
        """Ask, or wait for the answer if the same question is being asked already."""
        while (asked := self._under_way.get(question.key)) is not None:
            await asyncio.wait((asked,))
            if not asked.cancelled():
                return asked.result()
        future: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._under_way[question.key] = future
        try:
            body = await self._paid(question, payload, patient)
            future.set_result(body)
            return body
        except Exception as error:
            future.set_exception(error)
            future.exception()  # raised below as well: mark it as retrieved, so that asyncio does not warn
            raise
        finally:
            future.cancel()
            del self._under_way[question.key]

    async def _paid(self, question: Question, payload: dict[str, Any], patient: bool) -> bytes:
        """Ask within the budget, and write the answer to the journal before returning it."""
        expected = expected_usage(question.size, payload)
        reserved = await self.budget.reserve(question.role, expected, self._price)
        try:
            body, usage = await self._sent(question, payload, patient)
        except BaseException:
            self.budget.release(reserved)
            raise
        self.budget.settle(reserved, usage, self._price)

        def written() -> None:
            self.budget.release(reserved)
            self.limiter.kept()

        await self.journal.put(question, body, usage, written)
        return body

    async def _sent(self, question: Question, payload: dict[str, Any], patient: bool) -> tuple[bytes, Usage]:
        """Send until there is an answer, with the retries of the settings."""
        course = RetryState(question.key, self.retries)
        failures: list[ModelUnavailable] = []
        try:  # the first attempt goes without tenacity, which few requests need
            return await self._attempt(question, payload, patient, course)
        except RETRIED as error:
            failures.append(error)

        async def attempt() -> tuple[bytes, Usage]:
            if failures:
                raise failures.pop()
            return await self._attempt(question, payload, patient, course)

        retrying = AsyncRetrying(
            retry=retry_if_exception_type(RETRIED),
            wait=course.wait,
            stop=course.stop,
            sleep=self._sleep,
            reraise=True,
        )
        try:
            return await retrying(attempt)
        except RETRIED as error:
            raise ModelUnavailable(
                f"{self.limiter.name} gave no answer to a request after {course.attempts} failures and "
                f"{course.refusals} times of being asked to slow down; the last time: {error}"
            ) from error

    async def _sleep(self, seconds: float) -> None:
        self.limiter.sleeping += 1
        try:
            await asyncio.sleep(seconds)
        finally:
            self.limiter.sleeping -= 1

    async def _attempt(
        self, question: Question, payload: dict[str, Any], patient: bool, course: RetryState
    ) -> tuple[bytes, Usage]:
        """Send once, when it is this request's turn, and report the outcome to the limiter."""
        limiter = self.limiter
        again = course.attempts + course.refusals > 0
        turn = await limiter.turn(question.role, payload_tokens(question.size) + answer_bound(payload), again, patient)
        try:
            self.budget.require_room(question.role)
            body = await self.endpoint.send(payload)
        except BudgetExceeded:
            limiter.leave(turn, "unsent")
            raise
        except ModelError as error:
            self._failed(turn, error)
            later = error.retry_after if isinstance(error, RateLimited) else None
            if later is not None and later > self.retries.deadline and (down := limiter.exhausted(str(error), later)):
                raise down from error
            if isinstance(error, Rejected) and limiter.takes_none(question.role):
                raise RejectsAll(
                    f"{error} It took no request of the role {question.role} so far.", error.status
                ) from error
            if isinstance(error, RETRIED):
                course.note(error, turn, limiter.breaker.paused)
            raise
        except BaseException:
            limiter.leave(turn, "cancelled")
            raise
        usage = usage_of(body) or assumed_usage(question.size, body)
        limiter.leave(turn, "answered", usage, keeps_place=True)
        return body, usage

    def _failed(self, turn: SendTurn, error: ModelError) -> None:
        if isinstance(error, RateLimited):
            self.limiter.leave(turn, "rate_limited", why=kind_of(error))
        elif isinstance(error, ModelUnavailable):
            self.limiter.leave(turn, "failed", why=kind_of(error), told=str(error))
        else:
            self.limiter.leave(turn, "rejected", why=kind_of(error))


def read_reply(
    endpoint: Endpoint,
    journal: Journal,
    question: Question,
    request: ChatRequest,
    body: bytes,
    count_error: Callable[[str], None],
) -> ChatReply:
    """Parse an answer, with its model and endpoint; an unusable one is marked in the journal and counted by `count_error`.

    Raises:
        ModelError: the body is no answer.
    """
    try:
        reply = endpoint.parse(request, body)
    except ModelError as error:
        count_error("unusable")
        journal.note_failure(question.key, str(error))
        raise
    problems = problems_in(request, reply)
    if problems:
        count_error("invalid")
        journal.note_failure(question.key, f"not as asked for: {'; '.join(problems)}")
    if reply.model and reply.endpoint:
        return reply
    told = {"model": reply.model or endpoint.model, "endpoint": reply.endpoint or endpoint.base_url}
    return reply.model_copy(update=told)


def kind_of(error: ModelError) -> str:
    """Return the kind of a failure, for statistics."""
    if isinstance(error, ServerFailed):
        return "no_answer" if error.status < 400 else str(error.status)
    if isinstance(error, Rejected):
        return f"rejected_{error.status}"
    kinds = {RateLimited: "429", Dropped: "dropped", TimedOut: "timed_out", EndpointDown: "paused"}
    return kinds.get(type(error), "rejected")
