"""The rate limits and retries of an endpoint, as configured, and a snapshot of its state."""

from collections.abc import Sequence

from pydantic import Field

from interplay.schemas.json.record import Record


class LimitSettings(Record):
    """The limits of an endpoint; without `concurrency`, it is found by slow start."""

    concurrency: int | None = Field(None, ge=1, le=10_000)
    requests_per_minute: float | None = Field(None, gt=0)
    tokens_per_minute: float | None = Field(None, gt=0)
    patience: float = Field(
        300.0, gt=0, description="Seconds for which requests wait for a dead endpoint; 6 at most if it never answered."
    )
    weights: dict[str, float] = Field(default_factory=dict, description="Shares of the roles; 1 where none is given.")


class RetrySettings(Record):
    """How long one request is retried; refusals for being too fast, and failures while the endpoint is dead, are no attempts."""

    attempts: int = Field(12, ge=1, le=100)
    deadline: float = Field(900.0, gt=0, description="Seconds from the first sending of a request, pauses left out.")


def tightest(settings: Sequence[LimitSettings]) -> LimitSettings:
    """Return the strictest limits of several settings for one endpoint, with the longest patience."""
    least: dict[str, float] = {}
    for name in ("concurrency", "requests_per_minute", "tokens_per_minute"):
        given = [getattr(one, name) for one in settings if getattr(one, name) is not None]
        if given:
            least[name] = min(given)
    patience = max(one.patience for one in settings)
    return LimitSettings(**least, patience=patience, weights=settings[0].weights)


class LimitSnapshot(Record):
    """The state of one endpoint's limits; `rate` is the pace learnt from 429s, in requests per second."""

    name: str
    in_flight: int
    limit: int
    waiting: int
    waiting_on_rate_limit: int
    rate: float | None
    paused: bool
    pause_reason: str
    requests: int
    answers: int
    prompt_tokens: int
    completion_tokens: int
    errors: dict[str, int]
