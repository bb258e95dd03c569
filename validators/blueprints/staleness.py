"""A task -> lists that its user chooses from, and conditions, that an earlier request changed after they were read."""

from collections.abc import Iterator, Sequence

from interplay.schemas.json.canonical import MISSING, value_at
from interplay.schemas.records.blueprint import Action, Blueprint
from interplay.schemas.records.verdict import Issue
from interplay.validators.findings.conformance import same
from interplay.validators.findings.replay import Replay, Replays


async def staleness_issues(blueprint: Blueprint, replay: Replay, replays: Replays) -> list[Issue]:
    """Return an issue for each list and each condition that would have another value if it were read again."""
    issues: list[Issue] = []
    made = {action.id for action in blueprint.calls}
    for action, source, place, pointer in _relied_on(blueprint) if replay.failure is None else ():
        calls, earlier = blueprint.calls, blueprint.actions[: blueprint.actions.index(action)]
        read, used = calls.index(source), sum(other.id in made for other in earlier)
        wishes = next((wishes for wishes in blueprint.scenario.requests if action.goal in wishes), (action.goal,))
        changed = [
            number
            for number, step in enumerate(replay.steps[:used])
            if number > read and step.changed and calls[number].goal not in wishes
        ]
        if not changed:
            continue
        before = [step.call for step in replay.steps[: changed[-1] + 1]]
        now = await replays.again(blueprint, before, replay.steps[read].call)
        if now != MISSING and not same(value_at(now, place), value_at(replay.steps[read].result.value, place)):
            text = f"{calls[changed[-1]].tool} changes what {source.tool} has answered before; it is to be read again."
            issues.append(Issue.of("stale_evidence", text, pointer))
    return issues


def _relied_on(blueprint: Blueprint) -> Iterator[tuple[Action, Action, str, str]]:
    """Yield (first action that relies on a read, the read, result pointer that it relies on, blueprint pointer for issues)."""
    made = {action.id: action for action in blueprint.calls}
    for index, fact in enumerate(blueprint.scenario.facts):
        source, user = made.get(str(fact.action)), _first(blueprint.actions, fact.id)
        if fact.choice is not None and source is not None and user is not None:
            yield user, source, fact.choice.rpartition("/")[0], f"/scenario/facts/{index}/choice"
    for index, goal in enumerate(blueprint.goals):
        source = made.get(goal.condition.action) if goal.condition else None
        user = next((action for action in blueprint.actions if action.goal == index and action is not source), None)
        if goal.condition is not None and source is not None and user is not None:
            yield user, source, goal.condition.pointer, f"/goals/{index}/condition"


def _first(actions: Sequence[Action], fact: str) -> Action | None:
    return next((action for action in actions if any(origin.fact == fact for origin in action.origins.values())), None)
