"""Settings of a server that misbehaves -> what happens to the request with this index, a pure function of the seed.

429:0.05         of the requests, 5 % get a 429          429=2:0.05      with `Retry-After: 2`
429=250ms:0.05   with `retry-after-ms: 250`              429=date2:0.05  with the date two seconds from now
drop@3,5         requests 3 and 5 lose their connection  refusal         every request is refused
"""

import dataclasses
import email.utils
import hashlib
import time
from dataclasses import dataclass
from random import Random
from typing import Any

from tests.model_server.answers import Answer, Call
from tests.model_server.wire import Delivery

DELIVERIES: dict[str, Delivery] = {
    "drop": "drop", "half": "half", "trickle": "trickle", "silent": "silent", "endless": "endless"
}  # fmt: skip
BODIES = {
    "html": ("text/html", b"<html><body>502 Bad Gateway</body></html>"),
    "bad_json": ("application/json", b'{"id": "x", "choices": [{"mess'),
    "empty_body": ("application/json", b""),
    "json_array": ("application/json", b"[1, 2, 3]"),
    "error_beside": (
        "application/json",
        b'{"status": "failed", "choices": [], "output": [], "content": [], "error": {"message": "upstream is gone"}}',
    ),
    "error_200": ("application/json", b'{"error": {"message": "upstream is gone", "code": 502}}'),
}
SPOILED = ("truncated_arguments", "empty_choices", "null_content", "refusal", "filtered", "length")
INVENTED = ("unknown_tool", "duplicate_ids", "huge")
KINDS = (*DELIVERIES, *BODIES, *SPOILED, *INVENTED, "echo_key")
HUGE = 8_000_000


@dataclass(frozen=True)
class Fault:
    """One kind of misbehaviour, and whom it strikes: a share of the requests, or those with these indices.

    `on` is a part of the path; without it, only questions to the model are struck, never files or batches.
    """

    kind: str
    value: str = ""
    rate: float = 1.0
    at: tuple[int, ...] = ()
    on: str = ""

    @property
    def status(self) -> int:
        """The HTTP status, 0 where it is another kind of fault."""
        return int(self.kind) if self.kind.isdigit() else 0


def read_fault(text: str) -> Fault:
    """Read `KIND[=VALUE][:RATE | @INDEX,INDEX...][!PATH]`."""
    text, _, on = text.partition("!")
    head, _, places = text.partition("@")
    head, _, rate = head.partition(":")
    kind, _, value = head.partition("=")
    if kind not in KINDS and not kind.isdigit():
        raise ValueError(f"{text}: {kind} is no misbehaviour; there are a status, {', '.join(KINDS)}")
    return Fault(kind, value, float(rate or 1), tuple(int(place) for place in places.split(",") if place), on)


@dataclass(frozen=True)
class Settings:
    """How the server behaves. Times are seconds; an outage is counted from the first question."""

    latency: float = 0.0
    spread: float = 0.0
    """Sigma of the lognormal whose median is `latency`; 0 for a fixed latency."""
    faults: tuple[Fault, ...] = ()
    rate: float = 0.0
    """Questions answered a second, 429 to the rest; 0 for all."""
    burst: float = 1.0
    """Seconds' worth of questions that may come at once."""
    rate_retry_after: str = ""
    outage: tuple[float, float] = (0.0, 0.0)
    outage_kind: str = "503"
    key: str = ""
    """The only key that is let in; none lets in all."""
    reply_size: int = 0
    prompt_cached: int = 0
    batch_polls: int = 1
    """How often a batch is asked for until it is done."""
    batch_expired: float = 0.0
    batch_failed: float = 0.0
    batch_rejected: float = 0.0
    """Of the questions, the share that is refused for good."""
    batch_stuck: float = 0.0
    """The share that is never answered, so that the batch only ends when it is cancelled."""
    batch_junk: bool = False
    """Between the results stand rows of any other form, and each result comes twice."""
    batch_crowded: int = 0
    """With more questions than this, a batch of OpenAI's fails because too much is under way."""
    batch_limit: int = 50_000
    batch_bytes: int = 200_000_000
    seed: int = 0


def settings_from(data: dict[str, Any]) -> Settings:
    """Build settings from JSON, the faults as texts."""
    values = dict(data)
    values["faults"] = tuple(read_fault(text) for text in values.get("faults", ()))
    if "outage" in values:
        values["outage"] = tuple(values["outage"])
    return Settings(**values)


def chance(seed: int, *parts: object) -> float:
    """Return a number in [0, 1) that depends on nothing but the arguments."""
    text = ":".join(str(part) for part in (seed, *parts))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest()) / 2**64


def fault_for(settings: Settings, index: int, path: str, asks: bool) -> Fault | None:
    """Choose what befalls a request; shares are disjoint, so that 5 % and 5 % are 10 %."""
    draw = chance(settings.seed, "fault", index) if settings.faults else 1.0
    for fault in settings.faults:
        if (fault.on not in path) if fault.on else not asks:
            continue
        if fault.at:
            if index in fault.at:
                return fault
        elif draw < fault.rate:
            return fault
        else:
            draw -= fault.rate
    return None


def latency_of(settings: Settings, index: int) -> float:
    """Return after how many seconds the request with this index is answered."""
    if not settings.spread:
        return settings.latency
    return settings.latency * Random(f"{settings.seed}:{index}").lognormvariate(0, settings.spread)


def retry_headers(value: str) -> tuple[tuple[str, str], ...]:
    """Return the headers that say when to come back."""
    if not value:
        return ()
    if value.endswith("ms"):
        return (("retry-after-ms", value[:-2]),)
    if value.startswith("date"):
        return (("retry-after", email.utils.formatdate(time.time() + float(value[4:]), usegmt=True)),)
    return (("retry-after", value),)


def spoil(answer: Answer, kind: str) -> Answer:
    """Turn a good answer into one of the bad ones that models give."""
    calls = answer.calls or (Call("lookup", '{"id": "a1", "note": "some longer text"}'),)
    if kind == "truncated_arguments":
        cut = tuple(dataclasses.replace(call, arguments=(call.arguments + " " * 4)[:-6]) for call in calls)
        return dataclasses.replace(answer, text="", calls=cut, stop="length")
    if kind == "unknown_tool":
        return dataclasses.replace(answer, text="", calls=(Call("no_such_tool", '{"x": 1}'),))
    if kind == "duplicate_ids":
        return dataclasses.replace(answer, text="", calls=(dataclasses.replace(calls[0], id="call_same"),) * 2)
    if kind == "huge":
        return Answer(text="word " * (HUGE // 5))
    changes: dict[str, dict[str, Any]] = {
        "empty_choices": {"empty": True},
        "null_content": {"text": None, "calls": ()},
        "refusal": {"text": "", "calls": (), "refusal": "I cannot help with that."},
        "filtered": {"text": "", "calls": (), "stop": "filtered"},
        "length": {"text": (answer.text or "")[:8], "calls": (), "stop": "length"},
    }
    return dataclasses.replace(answer, **changes.get(kind, {}))
