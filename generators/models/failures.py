"""An error status, or an answer that no model wrote -> the transport error that says what to do."""

import email.utils
import json
import time
from collections.abc import Mapping
from typing import Any

import orjson

from interplay.generators.models.secrets import Secrets
from interplay.generators.models.transport import RateLimited, Rejected, ServerFailed
from interplay.schemas.errors import ModelError

ADVICE = {
    400: "Correct what it complains of; where it is the output schema or a tool, set structured to another way.",
    401: "Check the key in the variable that api_key_env names.",
    402: "Check the account's balance.",
    403: "Check what the key may do, in the variable that api_key_env names.",
    404: "Check model, base_url (OpenAI's ends in /v1, Anthropic's does not) and api.",
    413: "The request is too large: offer fewer tools, or end dialogues earlier.",
    422: "Correct what it complains of; where it is the output schema or a tool, set structured to another way.",
}
REDIRECTED = "It points elsewhere, where no key is sent: set base_url to the address itself."
PASSING = {408, 409, 425}
"""Statuses under 500 that say nothing against the request."""

SPENT = ("insufficient_quota", "billing_hard_limit_reached")
"""Codes of a 429 that waiting does not cure."""

ANSWERS = ("choices", "output", "content", "data")
"""What the answers of all wires have one of."""


def status_failure(where: str, secrets: Secrets, error: Any) -> ModelError:
    """Return the error for an SDK's error with a response; `where` names the model and its address."""
    response = error.response
    wait = retry_after(response.headers, time.time())
    return told_failure(where, secrets, response.status_code, response.text, wait)


def told_failure(where: str, secrets: Secrets, status: int, text: str, wait: float | None = None) -> ModelError:
    """Return the error for a status and a body that says what is wrong; `wait` is when to come back, in seconds."""
    said, code = _complaint(text)
    said = secrets.scrub(said)[:300]
    message = f"{where} answered {status}: {said}"
    if status == 429 and code not in SPENT:
        return RateLimited(message, wait)
    if status in PASSING or (status >= 500 and status != 501):
        return ServerFailed(message, status, wait)
    advice = ADVICE.get(402 if code in SPENT else status, REDIRECTED if 300 <= status < 400 else "")
    return Rejected(f"{message.rstrip('. ')}. {advice}".rstrip(), status)


def _complaint(text: str) -> tuple[str, str]:
    """Return (message, code) of an error's body."""
    try:
        body = json.loads(text)
        error = body.get("error", body)
        if isinstance(error, str):
            return error, ""
        return str(error.get("message") or error.get("detail") or error), str(error.get("code") or error.get("type"))
    except (ValueError, AttributeError, RecursionError):
        return " ".join(text.split())[:300], ""


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """Return after how many seconds to come back, none where the endpoint does not say; `now` in seconds since 1970."""
    try:
        if headers.get("retry-after-ms", "").replace(".", "", 1).isdigit():
            return float(headers["retry-after-ms"]) / 1000
        value = headers.get("retry-after", "").strip()
        if not value or value.replace(".", "", 1).isdigit():
            return float(value) if value else None
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - now)
    except (ValueError, TypeError, OverflowError):
        return None


def read_json(body: bytes) -> Any:
    """Return what a body holds.

    Raises:
        ValueError, RecursionError: it is not JSON, not even as many a server has it.
    """
    try:
        return orjson.loads(body)
    except ValueError:  # NaN, integers beyond 64 bits, half characters: JSON to many a server
        return json.loads(body)


def spoiled(where: str, secrets: Secrets, body: bytes) -> ModelError | None:
    """Return the error for a body, sent with status 200, that no model wrote: none for an answer, one for an error in its place."""
    try:
        answer = read_json(body)
    except (ValueError, RecursionError):
        start = secrets.scrub(body[:80].decode("utf-8", "replace"))
        return ServerFailed(f"{where} answered with something other than JSON: {start!r}", 200)
    told = [answer[key] for key in ANSWERS if key in answer] if isinstance(answer, dict) else []
    if told and (any(told) or not answer.get("error")):
        return None
    start = secrets.scrub(_complaint(body[:2000].decode("utf-8", "replace"))[0])[:200]
    return ServerFailed(f"{where} answered 200 without an answer: {start}", 200)
