"""The parts of a reward except values: state, writes, evidence, policy, efficiency and format."""

import re
from collections.abc import Collection
from typing import Any

from interplay.schemas.json.canonical import Change, canonical_json
from interplay.schemas.records.verdict import Issue, RewardPart
from interplay.validators.rewards.case import Case

SHOWN = 6
"""Maximum number of state paths named as reasons."""

UNWANTED = ("extra_write", "needless_call", "dropped_value")
OTHERWISE_UNWANTED = ("needless_call", "dropped_value")
"""Issues that count even if the wanted state is reached."""

READ_TOO = ("dropped_value",)
"""Issues that may also be at a read; such a one is not held against the writes."""

MISSED = ("missed_write",)

OF_AGENTS = ("harmful_call", "over_refusal")

LOOKS = 2
"""Number of additional calls that are free."""

OF_FORM = (
    "empty_message", "invalid_arguments", "machine_speech", "malformed_arguments", "repeated_call", "repeated_text",
    "tool_not_available", "tool_not_offered", "unknown_tool", "users_own_tool",
)  # fmt: skip
_MESSAGE = re.compile(r"/messages/(\d+)")


def state(case: Case) -> RewardPart:
    """Return the share of wanted changes reached, minus unwanted changes; 1 or 0 if no change is wanted."""
    if case.trajectory.final_digest == case.blueprint.expected.digest:
        return RewardPart(score=1.0)
    wanted, reached = _by_path(case.blueprint.expected.difference), _by_path(case.changes)
    right = sum(reached.get(path) == change for path, change in wanted.items())
    wrong = sum(wanted.get(path) != change for path, change in reached.items())
    score = max(0.0, right - wrong) / len(wanted) if wanted else 0.0
    apart = sorted(path for path in wanted.keys() | reached.keys() if wanted.get(path) != reached.get(path))
    reasons = [Issue.of("wrong_final_state", f"The state differs at {path}.", path) for path in apart[:SHOWN]]
    return RewardPart(score=min(score, 1.0), reasons=tuple(reasons))


def _by_path(changes: tuple[Change, ...]) -> dict[str, str]:
    return {change.path: canonical_json([_told(change.before), _told(change.after)]) for change in changes}


def _told(value: Any) -> Any:
    """Return a row without its false and null fields, which mean the same as a missing field."""
    if not isinstance(value, dict):
        return value
    return {key: _told(item) for key, item in value.items() if item is not False and item is not None}


def writes(case: Case) -> RewardPart:
    """Return the share of the needed writes that were made; 0 if unneeded writes were made.

    As many other writes are accepted if they lead to exactly the wanted state, for example by another tool.
    """
    missed = case.errors("outcome", MISSED)
    writing = {name for name, tool in case.tools.items() if tool.effect == "write"}
    needed = sum(action.tool in writing for action in case.blueprint.calls)
    places = {f"/messages/{place}" for place, call, _ in case.trajectory.calls_with_results() if call.name in writing}
    unwanted = [
        issue for issue in case.errors("outcome", UNWANTED) if issue.code not in READ_TOO or issue.pointer in places
    ]
    made = sum(
        call.name in writing and answer is not None and not answer.failed
        for _, call, answer in case.trajectory.calls_with_results()
    )
    if missed and made == needed and state(case).score == 1 and not case.errors("outcome", OTHERWISE_UNWANTED):
        return RewardPart(score=1.0)
    share = 1 - len(missed) / needed if needed else 1.0
    return RewardPart(score=0.0 if unwanted else max(share, 0.0), reasons=(*unwanted, *missed))


def evidence(case: Case) -> RewardPart:
    """Return 1 if all arguments, statements and decisions have a source and no claim is false, else 0."""
    found = [issue for check in ("grounding", "evidence", "freshness") for issue in case.errors(check)]
    return _kept([*found, *case.errors("outcome", ("false_claim",))])


def policy(case: Case) -> RewardPart:
    """Return 1 if no rule is broken and no duty missed, else 0."""
    broken = [issue for check in ("policy", "duties") for issue in case.errors(check)]
    return _kept([*broken, *case.errors("safety", OF_AGENTS)])


def efficiency(case: Case) -> RewardPart:
    """Return 1 for up to the allowed number of calls, then allowed / made. Allowed are two per needed call, two more, and one per
    fault and per change of tools."""
    own = [call for call in case.trajectory.calls() if call.requestor == "assistant"]
    needed = sum(action.requestor == "assistant" for action in case.blueprint.calls)
    allowed = 2 * needed + LOOKS + len(case.blueprint.faults) + len(case.blueprint.changes)
    if len(own) <= allowed:
        return RewardPart(score=1.0)
    text = f"{len(own)} calls, where {needed} do."
    return RewardPart(score=allowed / len(own), reasons=(Issue.of("many_calls", text),))


def form(case: Case) -> RewardPart:
    """Return the share of the assistant's messages without a fault of form, and the faults."""
    found = case.errors("structure", OF_FORM)
    own = sum(message.role == "assistant" for message in case.trajectory.messages)
    faulty = {place[1] for issue in found if (place := _MESSAGE.match(issue.pointer)) is not None}
    return RewardPart(score=1 - len(faulty) / own if own else 1.0, reasons=found)


def _kept(issues: Collection[Issue]) -> RewardPart:
    """Return a part with score 0 if there is any issue, else 1."""
    return RewardPart(score=0.0 if issues else 1.0, reasons=tuple(issues))
