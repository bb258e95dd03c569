"""An endpoint -> a model whose questions are asked in batches, at the provider's lower price; see `model.Model`.

journal -> budget -> wave -> batch -> journal -> endpoint.parse
"""

from collections.abc import Callable

from interplay.generators.models.batches.anthropic_batches import AnthropicBatches
from interplay.generators.models.batches.batch_ledger import BatchLedger
from interplay.generators.models.batches.batch_service import BatchService
from interplay.generators.models.batches.batch_settings import BatchSettings
from interplay.generators.models.batches.batcher import Batcher
from interplay.generators.models.batches.openai_batches import OpenAiBatches
from interplay.generators.models.batches.waves import WaitingQuestion, Waves
from interplay.generators.models.client.model import read_reply
from interplay.generators.models.journal.journal import Journal
from interplay.generators.models.journal.journal_file import Question, question_of
from interplay.generators.models.limits.budget import Budget, Reservation
from interplay.generators.models.limits.prices import Price
from interplay.generators.models.providers.endpoint import SdkEndpoint
from interplay.generators.models.providers.usage import expected_usage
from interplay.schemas.errors import StoreError
from interplay.schemas.json.record import Record
from interplay.schemas.records.chat import ChatReply, ChatRequest
from interplay.schemas.records.dialogue import Usage

SERVICES: dict[str, Callable[[SdkEndpoint, float], BatchService]] = {
    "openai": OpenAiBatches,
    "anthropic": AnthropicBatches,
}


class BatchSnapshot(Record):
    """The state of one model's batches: of the `in_batches` questions in open batches, `done` are finished.

    `waves` counts the waves of all models together. Of the submitted `batches`, and the `resumed` ones of an earlier run,
    `ended` are over; `questions` were asked in them, `again` of these not for the first time.

    `oddities` counts errors in results, and failed requests about batches, by kind.
    """

    name: str
    waves: int
    collected: int
    under_way: int
    in_batches: int
    done: int
    batches: int
    resumed: int
    ended: int
    questions: int
    again: int
    answers: int
    oddities: dict[str, int]


class BatchedModel:
    """One model, asked in waves. Dialogues are played as with any other model, but inside `waves.dialogue()`."""

    def __init__(
        self, name: str, endpoint: SdkEndpoint, journal: Journal, budget: Budget, ledger: BatchLedger, waves: Waves,
        settings: BatchSettings,
    ) -> None:  # fmt: skip
        """Look up the price and the provider's batch service; `name` is the model's name in the configuration.

        Raises:
            ConfigError: there is a budget in dollars, and the price of this model is unknown.
        """
        self.name = name
        self.endpoint = endpoint
        self._journal = journal
        self._budget = budget
        self._waves = waves
        self._price = batch_price(budget.price(endpoint.base_url, endpoint.model))
        self._service = SERVICES[endpoint.settings.provider](endpoint, settings.transfer)
        self._batcher = Batcher(name, endpoint, self._service, journal, ledger, settings)

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Return the answer in the journal, or ask for it in the next wave.

        Raises:
            ModelError, ModelUnavailable, BudgetExceeded: see `ChatModel.complete`.
            StoreError: journal or ledger cannot be read or written.
        """
        return await self.ask(request, patient=True)

    async def ask(self, request: ChatRequest, patient: bool, speaker: str = "") -> ChatReply:  # noqa: ARG002, a question in a wave always waits
        """Do the same as `complete`; the answer is recorded under `speaker`."""
        payload = self.endpoint.payload(request)
        question = self._question(payload, request, speaker)
        body = self._journal.get(question.key)
        if body is None:
            await self._answered(question, payload)
            body = self._journal.get(question.key)
        if body is None:
            raise StoreError(f"{self._journal.path}: an answer is gone that was there. Run again to ask for it.")
        oddities = self._batcher.watch.oddities
        return read_reply(self.endpoint, self._journal, question, request, body, lambda kind: oddities.update([kind]))

    def journaled(self, request: ChatRequest) -> bool:
        """Tell whether the journal holds the answer to a request."""
        question = self._question(self.endpoint.payload(request), request)
        return self._journal.get(question.key) is not None

    async def resume(self) -> None:
        """Collect the answers of batches that an earlier run left open; otherwise this happens before the first wave.

        Raises:
            ModelUnavailable, StoreError: see `Batcher.answer`.
        """
        await self._batcher.resume()

    def snapshot(self) -> BatchSnapshot:
        """Return the current state."""
        batcher = self._batcher
        return BatchSnapshot(
            name=self.name,
            waves=self._waves.sent,
            collected=self._waves.collected(batcher),
            under_way=len(batcher.watch.under_way),
            in_batches=sum(size for size, _ in batcher.watch.under_way.values()),
            done=sum(done for _, done in batcher.watch.under_way.values()),
            **{name: batcher.counts[name] for name in ("batches", "resumed", "ended", "questions", "again", "answers")},
            oddities={kind: count for kind, count in sorted(batcher.watch.oddities.items()) if count},
        )

    def _question(self, payload: dict[str, object], request: ChatRequest, speaker: str = "") -> Question:
        at = self.endpoint
        return question_of(
            at.base_url, at.path, at.model, payload, request.role, request.sample, batch=True, speaker=speaker
        )

    async def _answered(self, question: Question, payload: dict[str, object]) -> None:
        """Reserve the cost and wait for the answer; a dialogue that waits for the budget does not delay a wave."""
        hold = self._waves.hold()
        try:
            waiting = self._waves.find(self._batcher, question.key)
            if waiting is None:
                expected = expected_usage(question.size, payload)
                reserved = await self._budget.reserve(question.role, expected, self._price)
                waiting = self._joined(question, payload, reserved)
            await self._waves.answered(waiting, hold)
        finally:
            hold.release()

    def _joined(self, question: Question, payload: dict[str, object], reserved: Reservation) -> WaitingQuestion:
        """Return the waiting question: a new one, or that of a dialogue that asked the same during `reserve`."""
        asked = self._waves.find(self._batcher, question.key)
        if asked is not None:
            self._budget.release(reserved)
            return asked
        held = [reserved]

        def settle(usage: Usage) -> None:
            if held:
                self._budget.settle(reserved, usage, self._price)

        def release() -> None:
            if held:
                self._budget.release(held.pop())

        line = self._service.line(question.key.hex(), payload)
        return WaitingQuestion(self._batcher, question, line, settle, release)


def batch_price(price: Price | None) -> Price | None:
    """Return a model's price in batches."""
    if price is None:
        return None
    told = price.model_dump(include={"input", "cached_input", "cache_write", "output"}, exclude_none=True)
    return price.model_copy(update={name: dollars * price.batch for name, dollars in told.items()})
