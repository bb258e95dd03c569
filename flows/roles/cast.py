"""The configured models and roles -> the models of a run, with journal, budget and limits, opened once."""

import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from interplay.flows.settings.config import RunConfig
from interplay.flows.settings.model_settings import ModelChoice, ModelSettings, Roles, RoleSettings
from interplay.generators.models.batches.batch_ledger import BatchLedger
from interplay.generators.models.batches.batch_settings import WaveSettings
from interplay.generators.models.batches.batched_model import BatchedModel, BatchSnapshot
from interplay.generators.models.batches.waves import Waves
from interplay.generators.models.client.model import Model
from interplay.generators.models.client.routed_model import Choice, RoutedModel
from interplay.generators.models.client.structured_output import Structured
from interplay.generators.models.journal.journal import Journal
from interplay.generators.models.limits.budget import Budget, BudgetSettings, Spent
from interplay.generators.models.limits.limit_settings import LimitSettings, LimitSnapshot, tightest
from interplay.generators.models.limits.limiter import Limiter
from interplay.generators.models.limits.prices import load_prices
from interplay.generators.models.providers.embeddings import AT_ONCE, Embeddings, open_embeddings
from interplay.generators.models.providers.endpoint import SdkEndpoint
from interplay.generators.models.providers.sdk_endpoints import open_endpoint
from interplay.generators.models.transport.endpoint_settings import EndpointSettings
from interplay.generators.models.transport.transport_errors import Rejected, RejectsAll
from interplay.schemas.errors import ConfigError
from interplay.schemas.protocols import ChatModel
from interplay.schemas.records.chat import ChatReply, ChatRequest, ModelRole

CANDIDATE = 1 << 56
"""The offset of a further answer to the same question; apart from all indices."""

WRONG_SETUP = (*range(300, 400), 401, 402, 403, 404, 405, 407, 410, 426, 501)
"""HTTP statuses that say nothing about the request, but that settings or account are wrong."""


SEATS = 16
"""More seats than any committee has: the answers of a seat are told apart by `index * SEATS + seat`."""


@dataclass(frozen=True)
class Seat:
    """A model in one dialogue: its `sample` keeps its questions apart from the same ones in other dialogues."""

    model: ChatModel
    sample: int

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Ask the model for this dialogue; see `ChatModel.complete`.

        Raises:
            ConfigError: key, address, model or account are wrong, so that every other dialogue would fail too.
        """
        sample = self.sample + request.sample * CANDIDATE
        try:
            return await self.model.complete(request.model_copy(update={"sample": sample}))
        except Rejected as refusal:
            if refusal.status in WRONG_SETUP or isinstance(refusal, RejectsAll):
                raise ConfigError(str(refusal)) from refusal
            raise


class Cast:
    """The models of a run, which share a journal, a budget and the limits of their endpoints; must be closed.

    It belongs to the event loop of its first request. With several `workers`, each process gets a share of limits and budget.
    """

    def __init__(
        self,
        models: Mapping[str, ModelSettings],
        roles: Roles,
        journal: Path,
        budget: BudgetSettings,
        prices: Path | None = None,
        workers: int = 1,
        environ: Mapping[str, str] = os.environ,
    ) -> None:
        """Open the journal, and read keys and prices; no model is asked yet.

        Raises:
            ConfigError: a key is missing, or a price that a budget in dollars needs.
            StoreError: the journal cannot be opened.
        """
        self._roles = roles
        self._settings = models
        self._environ = environ
        playing = dict.fromkeys(choice.model for role in roles.values() for choice in role.choices())
        self._endpoints = {name: open_endpoint(models[name], environ) for name in playing}
        known = load_prices(prices)
        self._journal = Journal(journal)
        self._budget = Budget(budget, known, lambda: self._journal.sums, 1 / workers)
        self._waves = Waves(WaveSettings())
        self._ledger = BatchLedger(journal) if any(models[name].batch for name in playing) else None
        weights: dict[str, float] = {role: settings.share for role, settings in roles.items()}
        limits = {name: models[name].limits(weights, workers) for name in playing}
        try:
            self._limiters = _limiters(self._endpoints, limits)
            self._models = {name: self._open(name, endpoint) for name, endpoint in self._endpoints.items()}
        except BaseException:
            self._close_files()
            raise

    def _open(self, name: str, endpoint: SdkEndpoint) -> Model | BatchedModel:
        settings = self._settings[name]
        if settings.batch and self._ledger is not None:
            journal, budget, ledger = self._journal, self._budget, self._ledger
            return BatchedModel(name, endpoint, journal, budget, ledger, self._waves, settings.batches())
        return Model(endpoint, self._journal, self._budget, self._limiters[name], settings.retries())

    def connect(self) -> None:
        """Create the clients of all models except fallbacks, to save the first request the time."""
        for name in dict.fromkeys(choice.model for role in self._roles.values() for choice in role.models):
            self._endpoints[name].connect()

    @property
    def batches(self) -> bool:
        """Whether some models are asked in batches, which takes hours."""
        return self._ledger is not None

    @asynccontextmanager
    async def dialogue(self) -> AsyncIterator[None]:
        """Count as an open dialogue: a batch is sent when all open dialogues wait for an answer."""
        async with self._waves.dialogue():
            yield

    def model(self, role: ModelRole, seed: int, index: int) -> ChatModel | None:
        """Return the model that plays a role in one dialogue; None if the rules do."""
        settings = self._roles.get(role)
        if settings is None:
            return None
        choices = tuple(self._choice(item, name) for name, item in settings.named_choices())
        return Seat(RoutedModel(choices, seed, index, settings.per == "dialogue"), index)

    def _choice(self, item: ModelChoice, name: str = "") -> Choice:
        return Choice(self._models[item.model], item.weight, item.sampled(self._settings[item.model]), name)

    def settings(self, role: ModelRole) -> RoleSettings:
        """Return the settings of a role that models play."""
        return self._roles[role]

    def player(self, role: ModelRole, seed: int, index: int) -> ChatModel | None:
        """Return `model`, with answers validated against the output schemas of requests; None if the rules play the role."""
        model = self.model(role, seed, index)
        return None if model is None else Structured(model)

    def reviewers(self, seed: int, index: int, seats: int) -> tuple[ChatModel, ...]:
        """Return the models on a committee; empty if no model reviews.

        They take the seats in turn. A model with several seats is sampled once for each.
        """
        settings = self._roles.get("reviewer")
        if settings is None:
            return ()
        sitting: list[ChatModel] = []
        for seat in range(seats):
            own, others = settings.models[seat % len(settings.models)], settings.choices()[len(settings.models) :]
            choices = tuple(self._choice(item) for item in (own, *others))
            sitting.append(Structured(Seat(RoutedModel(choices, seed, index), index * SEATS + seat)))
        return tuple(sitting)

    @asynccontextmanager
    async def embeddings(self, settings: EndpointSettings) -> AsyncIterator[Embeddings]:
        """Open an embedding model, which shares the journal and the budget.

        Raises:
            ConfigError: a key is missing, or a price that a budget in dollars needs.
        """
        endpoint = open_embeddings(settings, self._environ)
        limiter = Limiter(settings.model, LimitSettings(concurrency=AT_ONCE))
        model = Model(endpoint, self._journal, self._budget, limiter)
        try:
            yield Embeddings(model)
        finally:
            await endpoint.aclose()

    def snapshots(self) -> tuple[LimitSnapshot | BatchSnapshot, ...]:
        """Return the state of each limiter and of each model asked in batches."""
        standing = (model if isinstance(model, BatchedModel) else model.limiter for model in self._models.values())
        return tuple(one.snapshot() for one in dict.fromkeys(standing))

    def spent(self, role: str = "") -> Spent:
        """Return what was spent so far, in this and earlier processes: for one role, or for all."""
        return self._budget.spent(role)

    def spent_by_workers(self) -> Spent:
        """Return what all processes have spent so far; for the main process, which makes no calls itself."""
        self._journal.refresh()
        return self._budget.spent()

    async def aclose(self) -> None:
        """Close connections and journal; batches under way continue, and the next run collects their answers."""
        await self._waves.aclose()
        for model in self._models.values():
            await model.endpoint.aclose()
        self._close_files()

    def _close_files(self) -> None:
        if self._ledger is not None:
            self._ledger.close()
        self._journal.close()


def _limiters(endpoints: Mapping[str, SdkEndpoint], limits: Mapping[str, LimitSettings]) -> dict[str, Limiter]:
    """Return the limiter of each name; names with the same address, model and key share one."""
    names: dict[tuple[str, str, str], list[str]] = {}
    for name, endpoint in endpoints.items():
        names.setdefault((endpoint.base_url, endpoint.model, endpoint.settings.api_key_env), []).append(name)
    found: dict[str, Limiter] = {}
    for alike in names.values():
        shared = Limiter(", ".join(alike), tightest([limits[name] for name in alike]))
        found |= dict.fromkeys(alike, shared)
    return found


@asynccontextmanager
async def open_composer(config: RunConfig, journal: Path) -> AsyncIterator[ChatModel]:
    """Open the composer's model, with answers validated against output schemas; its answers are journaled.

    Raises:
        ConfigError: the configuration names none; see also `Cast`.
        StoreError: the journal cannot be opened.
    """
    cast = open_cast(config, journal)
    try:
        model = cast.player("composer", config.seed, 0) if cast is not None else None
        if model is None:
            raise ConfigError("roles/composer: name the model that is to be asked, as in roles: {composer: local}.")
        yield model
    finally:
        if cast is not None:
            await cast.aclose()


def open_cast(config: RunConfig, journal: Path, workers: int = 1) -> Cast | None:
    """Return the models that play in a run; None if the rules play all roles.

    Raises:
        ConfigError, StoreError: see `Cast`.
    """
    if not config.roles:
        return None
    return Cast(config.models, config.roles, journal, config.budget, config.prices, workers)
