"""The `models` and `roles` sections of a configuration, and which of their settings decide a record."""

from collections import Counter
from typing import Any, Literal, Self

from pydantic import Field, field_validator, model_validator

from interplay.generators.models.batches.batch_settings import BatchSettings
from interplay.generators.models.limits.limit_settings import LimitSettings, RetrySettings
from interplay.generators.models.providers.claude_generations import refuses_temperature, thought_tokens
from interplay.generators.models.transport.endpoint_settings import EndpointSettings
from interplay.schemas.json.record import Record
from interplay.schemas.records.chat import ModelRole, Sampling

DECIDING = {
    "provider", "model", "base_url", "api", "structured", "max_tokens", "max_tokens_field", "send_reasoning", "sampling"
}  # fmt: skip
"""Settings of a model that decide its answers; the others are its key, its limits and its retries."""

UNLIMITED = 64
"""Requests under way that are assumed for a model whose limit is found by slow start."""

IN_A_WAVE = 1000
"""Open dialogues if a model is asked in batches: a wave may take hours, however large it is."""


class ModelSettings(EndpointSettings):
    """One model: where it is, how it is sampled, how fast and how patiently it is asked."""

    sampling: Sampling = Field(Sampling(), description="How answers are sampled, unless a role says otherwise.")
    concurrency: int | None = Field(
        None, ge=1, le=10_000, description="Requests at a time; found by slow start where it is not set."
    )
    requests_per_minute: float | None = Field(
        None, gt=0, description="Requests in a minute at most; no limit if not set."
    )
    tokens_per_minute: float | None = Field(None, gt=0, description="Tokens in a minute at most; no limit if not set.")
    patience: float = Field(
        300.0, gt=0, description="Seconds for which requests wait for a dead endpoint; 6 at most if it never answered."
    )
    attempts: int = Field(12, ge=1, le=100, description="How often one request is tried.")
    deadline: float = Field(900.0, gt=0, description="Seconds after which one request is given up.")
    batch: bool = Field(False, description="Ask in the provider's batches: cheaper, but an answer may take a day.")
    batch_requests: int | None = Field(
        None, ge=1, description="The most in one batch; the provider's limit if not set."
    )
    batch_deadline: float = Field(90_000.0, gt=0, description="Seconds after which a batch is cancelled.")

    @model_validator(mode="after")
    def _sampled_as_it_can_be(self) -> Self:
        if told := unknown_sampling(self, self.sampling):
            raise ValueError(told)
        return self

    def limits(self, weights: dict[str, float], workers: int = 1) -> LimitSettings:
        """Return the limits of one of `workers` processes, which share those of the endpoint."""
        per_worker = {"requests_per_minute": self.requests_per_minute, "tokens_per_minute": self.tokens_per_minute}
        shared = {name: value / workers for name, value in per_worker.items() if value is not None}
        concurrency = None if self.concurrency is None else max(1, self.concurrency // workers)
        return LimitSettings(concurrency=concurrency, patience=self.patience, weights=weights, **shared)

    def retries(self) -> RetrySettings:
        """Return how often and for how long one request is retried."""
        return RetrySettings(attempts=self.attempts, deadline=self.deadline)

    def batches(self) -> BatchSettings:
        """Return the size and deadline of batches."""
        return BatchSettings(requests=self.batch_requests, deadline=self.batch_deadline)

    def identity(self) -> dict[str, Any]:
        """Return the settings that decide the model's answers; none of them is secret."""
        return self.model_dump(mode="json", include=DECIDING)


class ModelChoice(Record):
    """A model that may play a role: its share of the turns, and its own sampling there."""

    model: str = Field(description="A name under `models`.")
    weight: float = Field(1.0, ge=0, description="Its share of the turns, relative to the other models of the role.")
    sampling: Sampling = Field(
        Sampling(), description="How it is sampled in this role; what is left out is the model's own."
    )

    def sampled(self, model: ModelSettings) -> Sampling:
        """Return the sampling in this role, with the model's own where the role sets none."""
        return self.sampling.over(model.sampling)


class RoleSettings(Record):
    """Who plays a role; written as a name, a list of names or choices, or in full.

    `rewrite` in place of `models` names who puts what the rules say into other words. `share` weighs the role against the
    others where they wait for the same endpoint.
    """

    models: tuple[ModelChoice, ...] = Field(
        min_length=1, description="Models that play the role: names, or choices in full."
    )
    fallback: tuple[str, ...] = Field((), description="Names of models that answer when the others cannot.")
    share: float = Field(1.0, gt=0, description="Weight against other roles that wait for the same endpoint.")
    mode: Literal["model", "rewrite"] = Field("model", description="Who decides what is done: the model, or the rules.")
    language: str = Field("", max_length=40, description="The language of other words; without it, that of the rules.")
    reminders: int = Field(0, ge=0, le=100, description="Turns after which a user is reminded of its goals; 0: never.")
    per: Literal["turn", "dialogue"] = Field(
        "turn", description="For how long the model that is drawn among several speaks."
    )
    candidates: int = Field(1, ge=1, le=8, description="Turns of a user among which it takes the best.")

    @model_validator(mode="before")
    @classmethod
    def _in_full(cls, value: Any) -> Any:
        if isinstance(value, dict) and "rewrite" in value and "models" not in value:
            named = value["rewrite"]
            rest = {key: item for key, item in value.items() if key != "rewrite"}
            return {**rest, "models": [named] if isinstance(named, str) else named, "mode": "rewrite"}
        return {"models": [value] if isinstance(value, str) else value} if isinstance(value, (str, list)) else value

    @field_validator("models", mode="before")
    @classmethod
    def _choices(cls, value: Any) -> Any:
        value = [value] if isinstance(value, str) else value
        return (
            [{"model": item} if isinstance(item, str) else item for item in value] if isinstance(value, list) else value
        )

    def choices(self) -> tuple[ModelChoice, ...]:
        """Return the models in order, with fallbacks last and without a share."""
        return (*self.models, *(ModelChoice(model=name, weight=0) for name in self.fallback))

    def named_choices(self) -> tuple[tuple[str, ModelChoice], ...]:
        """Return the choices with names for records: "local", and "local (2)" for the second choice of a model."""
        places: Counter[str] = Counter()
        named = []
        for choice in self.choices():
            places[choice.model] += 1
            again = f" ({places[choice.model]})" if places[choice.model] > 1 else ""
            named.append((f"{choice.model}{again}", choice))
        return tuple(named)


Roles = dict[ModelRole, RoleSettings]


def unknown_sampling(model: EndpointSettings, sampling: Sampling) -> str:
    """Return what is wrong with sampling settings that a model's API does not support, or ""."""
    api = "Anthropic's API" if model.provider == "anthropic" else "OpenAI's Responses API"
    lacks = model.provider == "anthropic" or model.api == "responses"
    if lacks and sampling.seed is not None:
        return f"sampling/seed: {api} knows no seed; leave it out"
    if sampling.stop and lacks and model.provider != "anthropic":
        return f"sampling/stop: {api} knows no stop sequences; leave them out, or ask with api: chat"
    if model.provider == "anthropic" and sampling.reasoning_effort not in (None, "none"):
        most = sampling.max_tokens or model.max_tokens
        tokens = thought_tokens(model.model, sampling.reasoning_effort, most)
        if tokens is not None and tokens >= most:
            return f"sampling/reasoning_effort: {model.model} thinks for {tokens} of its max_tokens at least; set more"
    drawn = sampling.temperature not in (None, 1) or sampling.top_p not in (None, 1)
    if model.provider == "anthropic" and drawn and refuses_temperature(model.model):
        return f"sampling: {model.model} takes no temperature and no top_p; leave them out"
    if lacks and any(not stop.strip() for stop in sampling.stop):
        return f"sampling/stop: {api} takes no stop sequence of blanks alone; leave it out"
    return ""


def misplaced_setting(role: ModelRole, settings: RoleSettings) -> str:
    """Return which setting has no effect in a role, or ""."""
    if settings.mode == "rewrite" and role not in ("user", "assistant"):
        return "only what user and assistant say can be put into other words; name the model itself"
    if settings.language and settings.mode != "rewrite":
        return "language: it belongs to `rewrite: NAME`, which puts what the rules say into other words"
    if (settings.reminders or settings.candidates > 1) and (role != "user" or settings.mode == "rewrite"):
        return "reminders, candidates: they belong to a user that a model plays"
    if settings.per != "turn" and role not in ("user", "assistant", "tool"):
        return "per: it belongs to roles in a dialogue"
    return ""


def check_names(models: dict[str, ModelSettings], roles: Roles) -> None:
    """Check that roles name existing models, and that their settings take effect.

    Raises:
        ValueError: they do not.
    """
    for role, settings in roles.items():
        for choice in settings.choices():
            if choice.model not in models:
                known = ", ".join(models) or "none"
                raise ValueError(
                    f"roles/{role}: no model is called {choice.model!r} under `models` (there are: {known})"
                )
            if told := unknown_sampling(models[choice.model], choice.sampled(models[choice.model])):
                raise ValueError(f"roles/{role}/{choice.model}: {told}")
        if told := misplaced_setting(role, settings):
            raise ValueError(f"roles/{role}: {told}")


def models_identity(models: dict[str, ModelSettings], roles: Roles) -> dict[str, Any]:
    """Return the settings of models and roles that decide a record; empty without roles."""
    if not roles:
        return {}
    playing = {choice.model for settings in roles.values() for choice in settings.choices()}
    later = {
        "mode",
        "language",
        "reminders",
        "per",
        "candidates",
    }  # newer settings count only if set, to keep earlier fingerprints
    played = {
        role: settings.model_dump(mode="json", exclude={"share", *later})
        | settings.model_dump(mode="json", include=later, exclude_defaults=True)
        for role, settings in roles.items()
    }
    return {"models": {name: models[name].identity() for name in sorted(playing)}, "roles": played}


def open_dialogues(models: dict[str, ModelSettings], roles: Roles) -> int:
    """Return twice the requests that the playing models may have under way, or more if some are asked in batches."""
    playing = {choice.model for settings in roles.values() for choice in settings.choices()}
    asked = sum(models[name].concurrency or UNLIMITED for name in playing)
    return max(IN_A_WAVE if any(models[name].batch for name in playing) else UNLIMITED, 2 * asked)
