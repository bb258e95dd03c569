"""Several models for one role -> the one that answers this turn: drawn by weight, with the others as fallbacks."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Protocol

from interplay.generators.models.limits.limiter import EndpointDown
from interplay.generators.models.transport.transport_errors import Rejected
from interplay.schemas.errors import ModelUnavailable
from interplay.schemas.records.chat import ChatReply, ChatRequest, Sampling


class Answering(Protocol):
    """A model that can be asked without waiting for a dead endpoint, and about its past answers; see `model.Model`."""

    async def ask(self, request: ChatRequest, patient: bool, speaker: str = "") -> ChatReply:
        """Return the answer, recorded under `speaker`; without `patient` the request does not wait for a dead endpoint."""
        ...

    def journaled(self, request: ChatRequest) -> bool:
        """Tell whether the journal holds an answer to the request."""
        ...


@dataclass(frozen=True)
class Choice:
    """A model with its weight in the draw (0: only a fallback) and its sampling settings."""

    model: Answering
    weight: float = 1.0
    sampling: Sampling = field(default_factory=Sampling)
    name: str = ""

    async def ask(self, request: ChatRequest, patient: bool) -> ChatReply:
        """Return the answer to a request, with this choice's sampling settings and its name as speaker."""
        reply = await self.model.ask(self.with_own_sampling(request), patient, self.name)
        return reply.model_copy(update={"speaker": self.name}) if self.name else reply

    def with_own_sampling(self, request: ChatRequest) -> ChatRequest:
        """Return the request with this choice's sampling settings, where given, in place of its own."""
        if not self._samples:
            return request
        return request.model_copy(update={"sampling": self.sampling.over(request.sampling)})

    @cached_property
    def _samples(self) -> bool:
        return bool(self.sampling.given())


@dataclass(frozen=True)
class RoutedModel:
    """The models of one role in one dialogue.

    Which model is asked depends on seed, index, role and turn alone, never on load or time, so that runs are reproducible.
    With `stays` it does not depend on the turn: one model plays the role in the whole dialogue. If a model is dead or refuses,
    the next one answers; an answer that the journal holds from any of them is used first.
    """

    choices: tuple[Choice, ...]
    seed: int
    index: int
    stays: bool = False

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Return the answer of the drawn model, or of the first fallback that answers.

        Raises:
            ModelError, ModelUnavailable, BudgetExceeded: see `ChatModel.complete`.
        """
        turn = 0 if self.stays else len(request.messages)
        order = ordered(self.choices, self.seed, self.index, request.role, turn)
        for choice in order if len(order) > 1 else ():
            if choice.model.journaled(choice.with_own_sampling(request)):
                return await choice.ask(request, patient=True)
        for choice in order[:-1]:
            try:
                return await choice.ask(request, patient=False)
            except (ModelUnavailable, Rejected):
                continue
        if len(order) > 1:
            try:
                return await order[-1].ask(request, patient=False)
            except EndpointDown:
                pass
        return await order[0].ask(request, patient=True)


def ordered(choices: Sequence[Choice], seed: int, index: int, role: str, turn: int) -> tuple[Choice, ...]:
    """Return the choices with the drawn one first, the others in their given order."""
    if len(choices) == 1:
        return tuple(choices)
    weights = [choice.weight for choice in choices]
    if not any(weights):
        return tuple(choices)
    place = Random(f"{seed}/{index}/{role}/{turn}").choices(range(len(choices)), weights)[0]
    return (choices[place], *choices[:place], *choices[place + 1 :])
