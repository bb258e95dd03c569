"""Reads of another row in place of the row that the task is about."""

from collections.abc import Iterator, Mapping

from interplay.schemas.json.canonical import leaves
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Trajectory
from interplay.schemas.records.tool import Tool
from interplay.schemas.records.verdict import Issue
from interplay.schemas.words.dates import first_day
from interplay.schemas.words.mentions import mentions
from interplay.validators.findings.alignment import MadeCall, match_calls
from interplay.validators.findings.conformance import prescribed, same


def wrong_row_issues(trajectory: Trajectory, blueprint: Blueprint, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    """Yield an issue for each read that is made about another row, where the read that the task asks for is missing.

    The user asks when order 7 arrives, and the assistant reads order 9 and never order 7. It is no issue if

    - order 7 is read as well: to look at more rows is welcome;
    - the user has named order 9 before, unless it did so for other requests alone;
    - another read of the task is about order 9 and is missing too: this is that read, made with other words;
    - the read failed and the user is to be told nothing of order 7, or a later call of the tool succeeds.

    Each value is looked at by itself: a call with one right and one wrong value is an issue.
    """
    matching = match_calls(trajectory, blueprint, tools)
    told = {output.action for output in blueprint.expected.outputs}
    for action in matching.missing:
        if action.requestor == "user" or action.tool not in tools or tools[action.tool].effect != "read":
            continue
        wanted = dict(leaves(action.arguments))
        alike = [other for other in matching.missing if other.tool == action.tool]
        known = [value for other in alike for _, value in leaves(other.arguments)]
        found = [
            name for name, origin in action.origins.items() if origin.kind in ("output", "user") and name in wanted
        ]
        for made in (made for made in matching.added if made.call.name == action.tool):
            if made.failed and (action.id not in told or _succeeds_later(trajectory, made)):
                continue  # it was noticed
            passed = dict(leaves(made.call.arguments))
            for pointer in found:
                value = passed.get(pointer)
                if value in (None, "") or isinstance(value, bool) or any(same(value, other) for other in known):
                    continue
                schema = prescribed(tools[action.tool].parameters, pointer).schema
                if _of_another(blueprint, action.goal, value) or not _named(trajectory, made, value, schema):
                    text = f"{action.tool} is called with {value!r}, which nothing that is wanted is about."
                    yield Issue.of("other_row", text[:200], f"/messages/{made.index}")


def _succeeds_later(trajectory: Trajectory, made: MadeCall) -> bool:
    """Tell whether any call of a tool comes out well after one that failed."""
    later = (pair for pair in trajectory.calls_with_results() if pair[0] > made.index)
    return any(call.name == made.call.name and answer is not None and not answer.failed for _, call, answer in later)


def _of_another(blueprint: Blueprint, goal: int, value: object) -> bool:
    """Tell whether the user knows a value for other requests alone."""
    request = next((group for group in blueprint.scenario.requests if goal in group), (goal,))
    goals = {fact.goal for fact in blueprint.scenario.facts if fact.choice is None and same(fact.value, value)}
    return bool(goals) and not goals & set(request)


def _named(trajectory: Trajectory, made: MadeCall, value: object, schema: Mapping[str, object]) -> bool:
    """Tell whether the user names a value before a call."""
    before = trajectory.messages[: made.index]
    today = first_day(trajectory.system_prompt)
    return any(mentions(message.content, value, schema, today=today) for message in before if message.role == "user")
