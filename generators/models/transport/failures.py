"""An error status, or an answer that no model wrote -> the transport error that says what to do."""

import email.utils
import json
import re
import time
from collections.abc import Mapping
from typing import Any

import orjson

from interplay.generators.models.transport.credentials import Secrets
from interplay.generators.models.transport.transport_errors import RateLimited, Rejected, ServerFailed
from interplay.schemas.errors import ModelError

COMPLAINS = (
    "Correct what it complains of; where it is the output schema or a tool, set structured to another way; "
    "where it is the name max_tokens, set max_tokens_field; where it misses reasoning_content, set send_reasoning; "
    "where it is the size of the context, raise the server's, or offer fewer tools."
)
UNKNOWN = "Check model, base_url (OpenAI's ends in /v1, Anthropic's does not) and api."
ADVICE = {
    400: COMPLAINS,
    401: "Check the key in the variable that api_key_env names.",
    402: "Check the account's balance.",
    403: "Check what the key may do, in the variable that api_key_env names.",
    404: UNKNOWN,
    405: UNKNOWN,
    410: UNKNOWN,
    413: "The request is too large: offer fewer tools, or end dialogues earlier.",
    422: COMPLAINS,
    501: UNKNOWN,
}
REDIRECTED = "It points elsewhere, where no key is sent: set base_url to the address itself."
PASSING = {408, 409, 424, 425, 449, 498, 499}
"""Statuses below 500 that are transient, such as those of Bedrock (424), Groq (498) and Google (499)."""

SPENT = ("insufficient_quota", "billing_hard_limit_reached", "billing_error")
TOO_LOW = "credit balance is too low"
"""Error codes, and a text of Anthropic's, for an account without credit, sent with statuses that mean something else."""

PACKED = ". Where these bytes are packed (br, zstd), have the gateway send them as it is asked to: unpacked."

STREAMED = ". It streams answers to whom did not ask for that: set stream: false under sampling/extra."
_STREAM = re.compile(r"\s*(?:data|event):")

FLAGGED = re.compile(r"(?i)\b(?:input was flagged|(?:request|prompt) blocked|content_policy_violation)\b")
"""What gateways answer about the content of one request with a 403, which otherwise is about the key's permissions."""

OF_GATEWAY = (401, 402, 403, 404)
"""Statuses that a server behind a gateway sends to the gateway: they are not about this key or address, so worth a retry."""

_SECONDS = re.compile(r"\d{1,9}(?:\.\d{1,9})?s")

STATUSES = {"rate_limit_exceeded": 429, "invalid_prompt": 400, "context_length_exceeded": 400}
"""Statuses for error codes in an answer with status 200. Source: OpenAI's Responses API, OpenRouter's errors."""

ANSWERS = ("choices", "output", "content", "data")
"""Keys of which an answer of any protocol has one."""


def status_failure(where: str, secrets: Secrets, error: Any) -> ModelError:
    """Return the transport error for an SDK's status error; `where` names the model and its address."""
    response = error.response
    wait = retry_after(response.headers, time.time())
    return failure_from_body(where, secrets, response.status_code, response.text, wait)


def failure_from_body(
    where: str, secrets: Secrets, status: int, text: str, wait: float | None = None, behind: bool = False
) -> ModelError:
    """Return the error for a status and an error body; `wait` is the Retry-After in seconds.

    `behind` tells that the error comes from a server behind a gateway.
    """
    said, code, delay = _complaint(text)
    wait = delay if wait is None else wait
    said = secrets.scrub(said)[:300]
    message = f"{where} answered {status}: {said}"
    if status == 402 and wait is not None and code not in SPENT:
        status = 429  # OpenRouter: pending requests may use up the credit
    elif status in (400, 403, 429) and (code in SPENT or TOO_LOW in said.lower()):
        status = 402
    if status == 403 and FLAGGED.search(f"{said} {code}"):
        status = 400
    if behind and status in OF_GATEWAY:
        status = 502
    if status == 429:
        return RateLimited(message, wait)
    if status in PASSING or (status >= 500 and status != 501):
        return ServerFailed(message, status, wait)
    advice = ADVICE.get(status, REDIRECTED if 300 <= status < 400 else "")
    return Rejected(f"{message.rstrip('. ')}. {advice}".rstrip(), status)


def _complaint(text: str) -> tuple[str, str, float | None]:
    """Return (message, code, seconds to wait) of an error body, which Google wraps in a list."""
    try:
        body = json.loads(text)
        body = body[0] if isinstance(body, list) else body
        error = body.get("error", body)
        if isinstance(error, str):
            return error, "", None
        said = str(error.get("message") or error.get("detail") or error)
        return said, str(error.get("code") or error.get("type")), _delay(error.get("details"))
    except (ValueError, AttributeError, IndexError, RecursionError):
        return " ".join(text.split())[:300], "", None


def _delay(details: Any) -> float | None:
    """Return the seconds to wait, which Google sends in the body rather than a header. Source: google.rpc.RetryInfo."""
    for detail in details if isinstance(details, list) else ():
        told = detail.get("retryDelay") if isinstance(detail, dict) else None
        if isinstance(told, str) and _SECONDS.fullmatch(told):
            return float(told[:-1])
    return None


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """Return the Retry-After in seconds, None if there is none; `now` is in seconds since 1970.

    A date is relative to the answer's Date header if it has one, since clocks may be hours apart.
    """
    try:
        if headers.get("retry-after-ms", "").replace(".", "", 1).isdigit():
            return float(headers["retry-after-ms"]) / 1000
        value = headers.get("retry-after", "").strip()
        if not value or value.replace(".", "", 1).isdigit():
            return float(value) if value else None
        return max(0.0, _moment(value) - _told_or(headers.get("date", ""), now))
    except (ValueError, TypeError, OverflowError):
        return None


def _moment(text: str) -> float:
    return email.utils.parsedate_to_datetime(text).timestamp()


def _told_or(date: str, now: float) -> float:
    try:
        return _moment(date)
    except (ValueError, TypeError, OverflowError):
        return now


def read_json(body: bytes) -> Any:
    """Parse a JSON body, leniently.

    Raises:
        ValueError, RecursionError: it is not JSON, not even with the deviations of many servers.
    """
    try:
        return orjson.loads(body)
    except ValueError:  # NaN, integers beyond 64 bits, lone surrogates: many servers send them
        return json.loads(body)


def broken_answer(where: str, secrets: Secrets, body: bytes) -> ModelError | None:
    """Return the error for a body with status 200 that is no model's answer; None if it is one."""
    try:
        answer = read_json(body)
    except (ValueError, RecursionError):
        text = body[:80].decode("utf-8", "replace")
        advice = PACKED if "\ufffd" in text[:-1] else STREAMED if _STREAM.match(text) else ""
        return ServerFailed(f"{where} answered with something other than JSON: {secrets.scrub(text)!r}{advice}", 200)
    told = [answer[key] for key in ANSWERS if key in answer] if isinstance(answer, dict) else []
    failed = _failure_in(answer, any(told)) if isinstance(answer, dict) else None
    if failed is not None:
        status = _status_of(failed)
        where = f"{where} answered 200, and the server behind it"
        return failure_from_body(where, secrets, status, json.dumps(failed), behind=True)
    if told:
        return None
    start = secrets.scrub(_complaint(body[:2000].decode("utf-8", "replace"))[0])[:200]
    return ServerFailed(f"{where} answered 200 without an answer: {start}", 200)


def _failure_in(answer: Mapping[str, Any], answered: bool) -> dict[str, Any] | None:
    """Return the error object that an answer holds in place of a model's message, or None."""
    failed = _failed_choice(answer)
    if failed is not None or (answered and answer.get("status") != "failed"):
        return failed
    error = answer.get("error")
    return error if isinstance(error, dict) and error else {"message": str(error)} if error else None


def _status_of(failed: Mapping[str, Any]) -> int:
    """Return the HTTP status that fits an error object."""
    code = failed.get("code")
    if isinstance(code, str):
        code = int(code) if code.isascii() and code.isdigit() and len(code) == 3 else STATUSES.get(code)
    return code if isinstance(code, int) and 400 <= code < 600 else 502


def _failed_choice(answer: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the error that a gateway reports within the first choice, or None."""
    choices = answer.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(first, dict):
        return None
    error = first.get("error")
    if isinstance(error, dict) and error:
        return error
    return {"message": "it failed while it answered"} if first.get("finish_reason") == "error" else None
