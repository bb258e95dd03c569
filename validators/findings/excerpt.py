"""A dialogue that continues another -> its own part; a verdict on that part -> the same with pointers into the whole."""

import re

from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Trajectory
from interplay.schemas.records.failure import Failure
from interplay.schemas.records.verdict import Issue, Verdict

_MESSAGE = re.compile(r"/messages/(\d+)(?=/|$)")


def excerpt(trajectory: Trajectory, blueprint: Blueprint) -> Trajectory:
    """Return the part of a dialogue that belongs to its task, without the messages from before it."""
    if blueprint.start is None:
        return trajectory
    kept = max(trajectory.kept - blueprint.begins, 0)
    return trajectory.model_copy(update={"messages": trajectory.messages[blueprint.begins :], "kept": kept})


def in_whole(verdict: Verdict, blueprint: Blueprint) -> Verdict:
    """Return a verdict on the task's own part with pointers into the whole dialogue."""
    return _shifted(verdict, blueprint.begins)


def in_excerpt(verdict: Verdict, blueprint: Blueprint) -> Verdict:
    """Return a verdict on a whole dialogue with pointers into the task's own part."""
    return _shifted(verdict, -blueprint.begins)


def _shifted(verdict: Verdict, by: int) -> Verdict:
    if not by or not verdict.issues:
        return verdict
    return verdict.model_copy(update={"issues": tuple(_moved(issue, by) for issue in verdict.issues)})


def failure_of_whole(failure: Failure | None, blueprint: Blueprint) -> Failure | None:
    """Return the failure label of the task's own part with its message index in the whole dialogue."""
    if failure is None or failure.message is None or blueprint.start is None:
        return failure
    return failure.model_copy(update={"message": failure.message + blueprint.begins})


def _moved(issue: Issue, by: int) -> Issue:
    return issue.model_copy(
        update={"pointer": _MESSAGE.sub(lambda found: f"/messages/{int(found[1]) + by}", issue.pointer, count=1)}
    )
