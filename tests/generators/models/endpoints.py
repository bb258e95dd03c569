"""Endpoints without a network, whose behaviour over time a function decides."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

from tests.generators.models.clock import OUTSIDE

from interplay.generators.models.client.model import Model
from interplay.generators.models.journal.journal import Journal
from interplay.generators.models.journal.journal_file import Question
from interplay.generators.models.limits.budget import Budget, BudgetSettings
from interplay.generators.models.limits.limit_settings import LimitSettings, RetrySettings
from interplay.generators.models.limits.limiter import Limiter
from interplay.generators.models.limits.prices import Price, Prices
from interplay.schemas.errors import ModelError
from interplay.schemas.records.chat import ChatMessage, ChatReply, ChatRequest
from interplay.schemas.records.dialogue import Usage

FREE = Prices((Price(model="*", input=1.0, output=10.0),))


class TalkingEndpoint:
    """Answers with an echo of the last message, when and if `behave` lets it."""

    path = "/chat/completions"

    def __init__(
        self,
        behave: Callable[[int], Awaitable[None]] | None = None,
        model: str = "echo",
        base_url: str = "http://echo.test/v1",
        usage: Usage | None = None,
    ) -> None:
        self.model, self.base_url = model, base_url
        self.asked: list[str] = []
        self.in_flight = self.peak = 0
        self._behave = behave
        self._usage = usage or Usage(prompt=10, completion=5)

    def payload(self, request: ChatRequest) -> dict[str, Any]:
        messages = [{"role": message.role, "content": message.content} for message in request.messages]
        bound = {} if request.sampling.max_tokens is None else {"max_tokens": request.sampling.max_tokens}
        return {"model": self.model, "messages": messages, "temperature": request.sampling.temperature, **bound}

    async def send(self, payload: Mapping[str, Any]) -> bytes:
        self.in_flight += 1
        self.peak = max(self.peak, self.in_flight)
        said = payload["messages"][-1]["content"]
        self.asked.append(said)
        try:
            if self._behave is not None:
                await self._behave(len(self.asked) - 1)
        finally:
            self.in_flight -= 1
        return json.dumps({"said": said, "usage": self._usage.model_dump()}).encode()

    def parse(self, request: ChatRequest, body: bytes) -> ChatReply:  # noqa: ARG002
        content = json.loads(body)
        if content["said"].startswith("unusable"):
            raise ModelError("The answer cannot be used.")
        return ChatReply(content=content["said"], usage=self._usage)

    async def aclose(self) -> None:
        pass


class TimelessJournal(Journal):
    """A journal whose writing takes no time on the clock of `clock.py`."""

    async def put(self, question: Question, body: bytes, usage: Usage, counted: Callable[[], None]) -> None:
        OUTSIDE.append(question)
        try:
            await super().put(question, body, usage, counted)
        finally:
            OUTSIDE.remove(question)


def question(text: str, **settings: Any) -> ChatRequest:
    return ChatRequest(messages=(ChatMessage(role="user", content=text),), **settings)


def open_model(
    folder: Path,
    endpoint: TalkingEndpoint,
    limits: LimitSettings | None = None,
    retries: RetrySettings | None = None,
    budget: BudgetSettings | None = None,
    prices: Prices = FREE,
) -> Model:
    journal = TimelessJournal(folder / "journal.sqlite")
    settings = limits or LimitSettings(concurrency=100)
    purse = Budget(budget or BudgetSettings(), prices, lambda: journal.sums)
    return Model(endpoint, journal, purse, Limiter(endpoint.model, settings), retries or RetrySettings())


async def answers(model: Model, texts: list[str], **settings: Any) -> list[Any]:
    """Ask all at once; return the answers and errors in order."""
    requests = [model.complete(question(text, **settings)) for text in texts]
    return await asyncio.gather(*requests, return_exceptions=True)
