"""Verdicts on a blueprint -> feedback: the points to revise it for, and the goals that they are about."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from interplay.schemas.json.canonical import split_pointer
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.verdict import Feedback, Issue, Verdict

POINTS, TEXT = 12, 400
"""Maximum number of points passed on, and maximum length of each in characters."""


def feedback_of(blueprint: Blueprint, verdicts: Sequence[Verdict]) -> Feedback:
    """Return what was held against `blueprint`, without repetitions, and the goals concerned, as far as known."""
    errors = [issue for verdict in verdicts for issue in verdict.issues if issue.severity == "error"]
    points = dict.fromkeys(f"{issue.code}: {issue.message}"[:TEXT] for issue in errors)
    places = {goal for issue in errors if issue.pointer for goal in _goals(blueprint, issue)}
    places |= {goal for verdict in verdicts if not verdict.passed for goal in _named(verdict)}
    goals = tuple(sorted(goal for goal in places if 0 <= goal < len(blueprint.goals)))
    return Feedback(points=tuple(points)[:POINTS], goals=goals)


def _named(verdict: Verdict) -> Iterator[int]:
    """Yield the goals blamed by at least half of the reviewers who blame any."""
    naming = [review.goals for review in verdict.reviews if review.goals]
    for goal in sorted({goal for goals in naming for goal in goals}):
        if 2 * sum(goal in goals for goals in naming) >= len(naming):
            yield goal


def _goals(blueprint: Blueprint, issue: Issue) -> Iterator[int]:
    """Yield the goal that the place of an issue belongs to, if any."""
    keys = split_pointer(issue.pointer)
    facts = blueprint.scenario.facts
    for name, number in pairwise(keys):
        if not number.isdigit():
            continue
        place = int(number)
        if name == "goals":
            yield place
        elif name == "actions" and place < len(blueprint.actions):
            yield blueprint.actions[place].goal
        elif name == "facts" and place < len(facts):
            yield facts[place].goal
        elif name == "outputs" and place < len(blueprint.expected.outputs):
            serving = blueprint.expected.outputs[place].action
            yield from (action.goal for action in blueprint.actions if action.id == serving)
