"""The errors between a request and its answer, which say whether to ask again, and when.

ModelUnavailable
  RateLimited      the endpoint is alive and says "later": shrink, wait `retry_after` seconds if given, ask again
  ServerFailed     status 5xx (529: overloaded), or an answer that no model wrote: ask again
  Dropped          no connection, or it broke before the answer was whole: ask again
  TimedOut         no whole answer within the request's timeout: ask again
ModelError
  Rejected         the request, the key or the model is wrong: asking again would not help
    RejectsAll     every request of the same role was rejected so far: the settings are wrong
"""

from interplay.schemas.errors import ModelError, ModelUnavailable


class RateLimited(ModelUnavailable):
    """The endpoint asks to slow down, for `retry_after` seconds if it says how long."""

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class ServerFailed(ModelUnavailable):
    """The endpoint failed; `status` is 200 if its body was no answer."""

    def __init__(self, message: str, status: int, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.retry_after = retry_after


class Dropped(ModelUnavailable):
    """There was no connection, or it broke before the answer was whole."""


class TimedOut(ModelUnavailable):
    """There was no whole answer within the request's timeout."""


class Rejected(ModelError):
    """The endpoint rejects this request, and would do so again."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


class RejectsAll(Rejected):
    """The endpoint has accepted no request of the same role so far."""
