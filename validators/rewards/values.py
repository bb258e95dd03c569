"""Whether the agent told what was asked for: after a result had shown it, and not by reciting the result.

If nothing is to be written or told, the needed reads are counted instead, so that an agent that does nothing earns nothing.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from interplay.schemas.json.canonical import canonical_json, leaves
from interplay.schemas.json.json_text import json_value
from interplay.schemas.records.blueprint import Blueprint, ExpectedOutput
from interplay.schemas.records.dialogue import Message, Trajectory
from interplay.schemas.records.verdict import Issue, RewardPart
from interplay.schemas.words.dates import first_day
from interplay.schemas.words.mentions import mentions, retells, said
from interplay.schemas.words.text import Text, normalised
from interplay.validators.findings.alignment import match_calls
from interplay.validators.findings.deeds import DECLINING_ACTS
from interplay.validators.findings.told_rows import tells_row
from interplay.validators.findings.translated_values import TranslatedValues
from interplay.validators.rewards.case import Case
from interplay.validators.trajectories.outcome import shows_value

RECITED = 8
"""Minimum number of values in a result for a message that tells nearly all of them to count as reciting it."""

NEARLY_ALL = 0.8
ASKED = 1 / 3
RUN = 40
"""Number of characters of a result, with a key among them, that nobody says by chance."""

LOOKED_AT = 1000
"""Maximum number of values of one result that are looked for."""

_WORD = re.compile(r"\w+")
_KEYED = re.compile(r"\"[^\"\n]{1,80}\"\s*:")


def values(case: Case) -> RewardPart:
    """Return the share of the expected outputs that were told; without any and without writes, that of the needed reads.

    A value that the user said itself does not count if the same goal has other values.
    """
    outputs = case.blueprint.expected.outputs
    vain = _failed_for_good(case)
    if vain and not any(declined(said, case.trajectory) for said in case.trajectory.messages[vain + 1 :]):
        text = "The user was never told that a call failed."
        return RewardPart(score=0.0, reasons=(Issue.of("not_declined", text),))
    if not outputs:
        return _looked(case)
    goals = {action.id: action.goal for action in case.blueprint.calls}
    outputs = news(outputs, goals, [message.content for message in case.trajectory.messages if message.role == "user"])
    places = match_calls(case.trajectory, case.blueprint, case.tools).places
    trajectory = TranslatedValues(case.toolset).glossed(case.trajectory, case.blueprint)
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
    reasons = []
    for number, output in enumerate(outputs):
        made = places.get(output.action)
        since = shown.get(number, None if made is None or made.failed else made.index)
        texts = [] if since is None else [text for index, text in told if index > since]
        plainly = said(texts, output.value, output.hint, _name(output)) or retells(texts, output.value)
        if not texts or not (plainly or tells_row(trajectory, case.blueprint, output, told)):
            what = "was shown by no result" if since is None else "was not told"
            text = f"{output.label} {what}: {canonical_json(output.value)[:80]}"
            reasons.append(Issue.of("output_not_said", text, f"/expected/outputs/{number}"))
    return RewardPart(score=1 - len(reasons) / len(outputs), reasons=tuple(reasons))


def news(
    outputs: Sequence[ExpectedOutput], goals: Mapping[str, int], asked: Sequence[str]
) -> tuple[ExpectedOutput, ...]:
    """Return the outputs not said in `asked`; for a goal (by action in `goals`) with none left, its first output."""
    texts = [normalised(text) for text in asked]
    new = [each for each in outputs if not said(texts, each.value, each.hint, _name(each))]
    kept: dict[int | None, ExpectedOutput] = {}
    for each in outputs:
        kept.setdefault(goals.get(each.action), each)
    served = {goals.get(each.action) for each in new}
    alone = [each for goal, each in kept.items() if goal not in served]
    return tuple(each for each in outputs if each in new or each in alone)


def _failed_for_good(case: Case) -> int:
    """Return the message index of the last call that failed for good as planned; 0 if there is none.

    Calls of goals with expected outputs do not count: there, the outputs decide.
    """
    wanted = case.blueprint.calls
    goals = {action.id: action.goal for action in wanted}
    served = {goals.get(output.action) for output in case.blueprint.expected.outputs}
    again = [
        any(later.tool == each.tool and not later.failed for later in wanted[at:]) for at, each in enumerate(wanted)
    ]
    failing = {
        each.tool
        for each, made in zip(wanted, again, strict=True)
        if each.failed and not made and each.goal not in served
    }
    calls = case.trajectory.calls_with_results()
    made = [index for index, call, answer in calls if call.name in failing and answer is not None and answer.failed]
    return max(made, default=0)


def _left_undone(blueprint: Blueprint) -> bool:
    """Tell whether something that the user wants is withheld or fails, other than by the user's own condition."""
    held = (action.withheld for action in blueprint.actions if action.withheld is not None)
    return any(withheld.reason != "condition" for withheld in held) or any(each.failed for each in blueprint.calls)


def recites(message: Message, results: Sequence[str], outputs: Sequence[ExpectedOutput]) -> bool:
    """Tell whether a message copies part of a result, or tells nearly all values of results with much more than was asked for.

    Each line is judged by itself: a message with one line per row or field is a table or a list, and does not recite.
    """
    if any(_run(message.content, result) for result in results):
        return True
    asked = {canonical_json(value) for output in outputs for _, value in leaves(output.value)}
    return any(_recited(line, results, asked) for line in message.content.splitlines())


def _recited(line: str, results: Sequence[str], asked: set[str]) -> bool:
    given: set[str] = set()
    for result in results:
        held = {canonical_json(value): value for value in _values(result)[:LOOKED_AT]}
        if held and sum(_stands_in(value, line) for value in held.values()) >= NEARLY_ALL * len(held):
            if len(held) >= RECITED and len(asked & held.keys()) <= ASKED * len(held):
                return True
            given |= held.keys()
    return len(given) >= RECITED and len(asked & given) <= ASKED * len(given)


def declined(message: Message, trajectory: Trajectory) -> bool:
    """Tell whether an assistant's message says that something was not done, in words that are not all the user's."""
    if message.act not in DECLINING_ACTS:
        return False
    heard = {
        word for each in trajectory.messages if each.role == "user" for word in _WORD.findall(each.content.lower())
    }
    return not heard.issuperset(_WORD.findall(message.content.lower()))


def _stands_in(value: Any, text: str) -> bool:
    """Tell whether a text contains a value literally, as a whole word."""
    return re.search(rf"(?<!\w){re.escape(str(value))}(?!\w)", text) is not None


def _run(text: str, result: str) -> bool:
    """Tell whether a text contains a JSON result, or `RUN` characters of one with a key among them."""
    if result[:1] in ("{", "[") and len(result) > len("[]") and result in text:
        return True
    for found in _KEYED.finditer(text):
        for start in range(max(0, found.end() - RUN), found.start() + 1):
            piece = text[start : start + RUN]
            if len(piece) == RUN and piece in result:
                return True
    return False


def _values(result: str) -> list[Any]:
    """Return the distinct values of a result, without booleans and empty ones."""
    found = {canonical_json(value): value for _, value in leaves(json_value(result)) if not isinstance(value, bool)}
    return [value for value in found.values() if value not in (None, "", [], {})]


def _looked(case: Case) -> RewardPart:
    """Return the share of the needed reads that were made; 0 if nothing that they showed was told."""
    needed = [action for action in case.blueprint.calls if action.requestor == "assistant"]
    tools = case.tools
    if not needed or any(action.tool in tools and tools[action.tool].effect == "write" for action in needed):
        return RewardPart(score=1.0)
    if _left_undone(case.blueprint) and not any(declined(said, case.trajectory) for said in case.trajectory.messages):
        text = "The user was never told that something was not done."
        return RewardPart(score=0.0, reasons=(Issue.of("not_declined", text),))
    if _left_undone(case.blueprint) and _looked_up(case):
        return RewardPart(score=1.0)
    matching = match_calls(case.trajectory, case.blueprint, tools)
    places = matching.places
    vain = [each for each in needed if each.id in places and places[each.id].failed and not each.failed]
    reasons = [
        Issue.of("missed_call", f"Never called: {each.tool}.", f"/actions/{each.id}")
        for each in [*matching.missing, *vain]
    ]
    if not _left_undone(case.blueprint) and not _tells_something(case, {made.call.id for made in places.values()}):
        return RewardPart(
            score=0.0, reasons=(*reasons, Issue.of("nothing_told", "Nothing of what was found was told."))
        )
    return RewardPart(score=max(0.0, 1 - len(reasons) / len(needed)), reasons=tuple(reasons))


def _looked_up(case: Case) -> bool:
    """Tell whether any call of the agent showed something: which read reveals why an action is withheld is up to the agent."""
    results = case.trajectory.calls_with_results()
    return any(
        call.requestor == "assistant" and answer is not None and not answer.failed and _values(answer.content)
        for _, call, answer in results
    )


def _tells_something(case: Case, calls: Collection[str]) -> bool:
    """Tell whether the agent says any value that these calls showed, without reciting; True if they showed none."""
    machine = {issue.pointer for issue in case.errors("structure", ("machine_speech",))}
    trajectory = TranslatedValues(case.toolset).glossed(case.trajectory, case.blueprint)
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
