"""A model asked in batches with all that stands around it, and dialogues that talk to it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.generators.models.wires import endpoint, said, user
from tests.model_server.server import ModelServer

from interplay.generators.models.batches.batch_ledger import BatchLedger
from interplay.generators.models.batches.batch_settings import BatchSettings, WaveSettings
from interplay.generators.models.batches.batched_model import BatchedModel
from interplay.generators.models.batches.waves import Waves
from interplay.generators.models.journal.journal import Journal
from interplay.generators.models.limits.budget import Budget, BudgetSettings
from interplay.generators.models.limits.prices import Price, Prices
from interplay.generators.models.providers.endpoint import SdkEndpoint
from interplay.schemas.records.chat import ChatRequest, Sampling

FAST = BatchSettings(first_look=0.01, longest_look=0.03, patience=30)
HALF = Prices((Price(model="*", input=1.0, output=10.0, batch=0.5),))


@dataclass(frozen=True)
class Desk:
    """The parts."""

    model: BatchedModel
    waves: Waves
    budget: Budget
    journal: Journal
    ledger: BatchLedger

    async def talk(self, number: int, turns: int, **fields: Any) -> list[str]:
        """Have a dialogue; return what the model said."""
        request = ChatRequest(messages=(), sampling=Sampling(max_tokens=50), **fields)
        answers: list[str] = []
        async with self.waves.dialogue():
            for turn in range(turns):
                request = request.model_copy(
                    update={"messages": (*request.messages, user(f"dialogue {number}, turn {turn}"))}
                )
                reply = await self.model.complete(request)
                answers.append(reply.content)
                request = request.model_copy(update={"messages": (*request.messages, said(reply.content))})
        return answers

    async def play(self, dialogues: int = 5, turns: int = 3, **fields: Any) -> list[Any]:
        """Have dialogues at the same time; return what was said in each, or its error."""
        talks = [self.talk(number, turns, **fields) for number in range(dialogues)]
        return await asyncio.gather(*talks, return_exceptions=True)


@asynccontextmanager
async def open_desk(
    folder: Path,
    asked: SdkEndpoint,
    settings: BatchSettings = FAST,
    waves: WaveSettings = WaveSettings(quiet=0.03, linger=5, pause=0.01),  # noqa: B008, it is frozen
    budget: BudgetSettings = BudgetSettings(),  # noqa: B008
    prices: Prices = HALF,
) -> AsyncIterator[Desk]:
    journal = Journal(folder / "journal.sqlite")
    ledger = BatchLedger(journal.path)
    purse = Budget(budget, prices, lambda: journal.sums)
    collected = Waves(waves)
    model = BatchedModel("m", asked, journal, purse, ledger, collected, settings)
    try:
        yield Desk(model, collected, purse, journal, ledger)
    finally:
        await collected.aclose()
        await asked.aclose()
        ledger.close()
        journal.close()


@asynccontextmanager
async def open_at(wire: str, server: ModelServer, folder: Path, **parts: Any) -> AsyncIterator[Desk]:
    async with open_desk(folder, endpoint(wire, server), **parts) as desk:
        yield desk


def expected(dialogues: int = 5, turns: int = 3) -> list[list[str]]:
    """Return what the server says to these dialogues."""
    return [[f"You said: dialogue {number}, turn {turn}" for turn in range(turns)] for number in range(dialogues)]
