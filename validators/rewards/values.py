"""Whether the agent told what was asked for: after a result had shown it, and in words rather than by reciting the result.

Where nothing is to be written or told, the calls that are needed stand for it: who does nothing has told nothing.
"""

import re
from collections.abc import Collection
from typing import Any

from interplay.schemas.records.blueprint import ExpectedOutput
from interplay.schemas.records.verdict import Issue, RewardPart
from interplay.schemas.words.dates import first_day
from interplay.schemas.words.mentions import mentions
from interplay.schemas.words.text import Text, normalised
from interplay.validators.findings.alignment import match_calls
from interplay.validators.findings.gloss import Gloss
from interplay.validators.rewards.case import Case
from interplay.validators.trajectories.outcome import shows_value

RECITED = 8
"""Values of one result from which on telling nearly all of them is reciting it, unless most were asked for."""

NEARLY_ALL = 0.8
ASKED = 1 / 3
RUN = 40
"""Characters of a result, its keys included, that nobody says by chance."""

LOOKED_AT = 1000
"""Values of one result that are looked for."""

DECLINING = ("refuse", "response_fail", "report_error")
"""What the listener hears where an agent says that something was not done."""

_KEYED = re.compile(r"\"[^\"\n]{1,80}\"\s*:")


def values(case: Case) -> RewardPart:
    """Return the share of the values asked for that were told; without any and without writes, of the calls needed."""
    outputs = case.blueprint.expected.outputs
    if not outputs:
        return _looked(case)
    places = match_calls(case.trajectory, case.blueprint, case.tools).places
    trajectory = Gloss(case.toolset).glossed(case.trajectory, case.blueprint)
    today = first_day(trajectory.system_prompt)
    results: list[Text] = []
    shown: dict[int, int] = {}
    told: list[tuple[int, Text]] = []
    raw: list[str] = []
    machine = {issue.pointer for issue in case.errors("structure", ("machine_speech",))}
    for index, message in enumerate(trajectory.messages):
        if message.role == "tool" and not message.failed:
            raw.append(message.content)
            results.append(normalised(message.content, today))
            for number, output in enumerate(outputs):
                if number not in shown and shows_value(results[-1], output, _name(output)):
                    shown[number] = index
        elif message.role != "assistant" or not message.content or f"/messages/{index}/content" in machine:
            continue
        elif not recites(message, raw, outputs):
            told.append((index, normalised(message.content, today)))
    vain = [
        action
        for action in needed
        if not action.failed and action.id in matching.places and matching.places[action.id].failed
    ]
    missing = [*matching.missing, *vain]
    reasons = [Issue.of("missed_call", f"Never called: {each.tool}.", f"/actions/{each.id}") for each in missing]
    if not _left_undone(case.blueprint) and not _tells_something(
        case, {made.call.id for made in matching.places.values()}
    ):
        return RewardPart(
            score=0.0, reasons=(*reasons, Issue.of("nothing_told", "Nothing of what was found was told."))
        )
    return RewardPart(score=max(0.0, 1 - len(reasons) / len(needed)), reasons=tuple(reasons))


def _tells_something(case: Case, calls: Collection[str]) -> bool:
    """Tell whether the agent says, in its own words, any value that one of some calls showed, if they showed any."""
    machine = {issue.pointer for issue in case.errors("structure", ("machine_speech",))}
    trajectory = Gloss(case.toolset).glossed(case.trajectory, case.blueprint)
    shown: list[Any] = []
    raw: list[str] = []
    for index, message in enumerate(trajectory.messages):
        if message.role == "tool" and not message.failed:
            raw.append(message.content)
            shown += _values(message.content)[:LOOKED_AT] if message.tool_call_id in calls else []
        elif message.role == "assistant" and message.content and f"/messages/{index}/content" not in machine:
            words = normalised(message.content)
            if any(mentions(words, value) for value in shown) and not recites(message, raw, ()):
                return True
    return not shown


def _name(output: ExpectedOutput) -> str:
    return f"{output.label} {output.pointer.rsplit('/', 1)[-1]}"
