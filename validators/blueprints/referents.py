"""Checks that whatever the user means without naming it is one row, and that each condition decides as the task says."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from interplay.schemas.json.canonical import at_pointer, canonical_json, join_pointer, split_pointer, value_at
from interplay.schemas.records.blueprint import Action, Blueprint, Condition, Description
from interplay.schemas.records.tool import ResourceModel, Toolset
from interplay.schemas.records.verdict import Issue, Verdict
from interplay.schemas.words.identifiers import is_recorded
from interplay.validators.blueprints.coreference import coreference_issues
from interplay.validators.blueprints.staleness import staleness_issues
from interplay.validators.findings.conformance import same
from interplay.validators.findings.replay import Replays, Step, broken, exists, steps_by_action

_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}.*)?$")


class ReferentCheck:
    """Compares what the user says about rows with the results of the replayed ground truth."""

    name = "referents"
    codes = (
        "ambiguous_choice", "ambiguous_referent", "environment_failure", "item_left_out", "lone_alternative",
        "needless_alternative", "stale_evidence", "unknown_choice", "unknown_condition", "unsaid_same",
        "wrong_choice", "wrong_condition", "wrong_same",
    )  # fmt: skip

    def __init__(self, replays: Replays, toolset: Toolset, known: ResourceModel) -> None:
        self._replays = replays
        self._toolset = toolset
        self._known = known

    async def check(self, blueprint: Blueprint) -> Verdict:
        """Return descriptions that fit no row or several, conditions that decide otherwise, and wrong uses of "the same".

        Values that an earlier request changed after they were read are reported too.
        """
        replay = await self._replays.of_blueprint(blueprint)
        steps = steps_by_action(blueprint, replay)
        issues = [
            *broken(replay),
            *_choices(blueprint, steps),
            *_conditions(blueprint, steps),
            *_each(blueprint, steps),
        ]
        issues += _instead(blueprint, steps)
        issues += await staleness_issues(blueprint, replay, self._replays)
        issues += coreference_issues(blueprint, steps, self._toolset, self._known)
        return Verdict(check=self.name, issues=tuple(issues))


def _choices(blueprint: Blueprint, steps: Mapping[str, Step]) -> Iterator[Issue]:
    """Check that the chosen item exists, is as the user describes it, and differs from the other items."""
    lost = {action.id for action in blueprint.actions if _never_comes(action, blueprint)}
    for index, fact in enumerate(blueprint.scenario.facts):
        if fact.choice is None or fact.action in lost:
            continue
        step, choice = steps.get(fact.action or ""), fact.choice or ""
        pointer = f"/scenario/facts/{index}"
        if step is None or not exists(step, choice):
            yield Issue.of("unknown_choice", f"{fact.action} answers nothing at {choice}.", f"{pointer}/choice")
        elif fact.description is not None:
            if not _singled_out(_siblings(step.result.value, choice), choice, fact.description):
                text = f"The item at {choice} is not {_named(fact.description)}, or not alone."
                yield Issue.of("ambiguous_referent", text, f"{pointer}/description")
        elif isinstance(fact.value, dict) and fact.value:
            if not _fits(at_pointer(step.result.value, choice), fact.value):
                yield Issue.of(
                    "wrong_choice", f"The item at {choice} is not as the user describes it.", f"{pointer}/value"
                )
            elif sum(_fits(item, fact.value) for item in _siblings(step.result.value, choice)) > 1:
                yield Issue.of("ambiguous_choice", "Another item fits what the user says as well.", f"{pointer}/value")


def _never_comes(action: Action, blueprint: Blueprint) -> bool:
    """Tell whether an action never has a result, since it or an action it needs fails for good."""
    return (action.withheld is not None and action.withheld.reason == "failed") or (
        action.failed and blueprint.hit(action.id) is not None
    )


def _fits(item: Any, description: Mapping[str, Any]) -> bool:
    for pointer, value in description.items():
        try:
            if not same(at_pointer(item, pointer), value):
                return False
        except LookupError:
            return False
    return True


def _siblings(result: Any, choice: str) -> list[Any]:
    keys = split_pointer(choice)
    holder = at_pointer(result, join_pointer(*keys[:-1])) if keys else None
    return holder if isinstance(holder, list) else []


def _singled_out(items: list[Any], choice: str, description: Description) -> bool:
    """Tell whether the chosen item is the only one that fits a description."""
    try:
        place = int(split_pointer(choice)[-1])
        if description.kind == "month":
            others = [month for other, item in enumerate(items) if other != place for month in _months(item)]
            own = str(at_pointer(items[place], description.pointer))
            return bool(description.month) and own.startswith(description.month) and description.month[5:] not in others
        values = [at_pointer(item, description.pointer) for item in items]
        own = values[place]
        best = max(values) if description.kind in ("latest", "highest") else min(values)
    except (LookupError, TypeError, ValueError):
        return False
    return same(own, best) and sum(same(value, own) for value in values) == 1


def _months(item: Any) -> Iterator[str]:
    """Yield the months, as "05", of an item's dates, except for timestamps of the record such as created_at."""
    for key, value in item.items() if isinstance(item, dict) else ():
        if isinstance(value, str) and _MOMENT.match(value) and not is_recorded(key):
            yield value[5:7]


def _named(description: Description) -> str:
    """Return a description in words."""
    if description.kind == "month":
        return f"the one in {description.month}"
    return f"the one with the {description.kind} {description.label or 'date'}"


def _conditions(blueprint: Blueprint, steps: Mapping[str, Step]) -> Iterator[Issue]:
    """Check that the value a goal depends on is shown, and that the goal is done exactly if the condition holds."""
    for index, goal in enumerate(blueprint.goals):
        condition = goal.condition
        if condition is None:
            continue
        step, pointer = steps.get(condition.action), f"/goals/{index}/condition"
        if step is None or not exists(step, condition.pointer):
            yield Issue.of("unknown_condition", f"{condition.action} shows nothing at {condition.pointer}.", pointer)
            continue
        holds = condition.decides(at_pointer(step.result.value, condition.pointer))
        held_back = any(
            action.withheld is not None and action.withheld.reason == "condition"
            for action in blueprint.actions
            if action.goal == index
        )
        if holds == held_back:
            found = canonical_json(at_pointer(step.result.value, condition.pointer))[:60]
            yield Issue.of("wrong_condition", f"The {condition.label} is {found}: the other branch is right.", pointer)
        if condition.otherwise and condition.model_copy(update={"otherwise": False}) not in _beside(blueprint, index):
            yield Issue.of(
                "lone_alternative", "There is no goal beside it that this one is an alternative to.", pointer
            )


def _beside(blueprint: Blueprint, goal: int) -> list[Condition | None]:
    """Return the conditions of all goals in the same request."""
    requests = (request for request in blueprint.scenario.requests if goal in request)
    return [blueprint.goals[other].condition for request in requests for other in request]


def _each(blueprint: Blueprint, steps: Mapping[str, Step]) -> Iterator[Issue]:
    """Check that a goal which goes through a list leaves out no item."""
    for index, goal in enumerate(blueprint.goals):
        if not goal.each or goal.each not in steps:
            continue
        step = steps[goal.each]
        taken = [
            str(origin.pointer)
            for action in blueprint.actions
            if action.goal == index and action.tool == goal.tool
            for origin in action.origins.values()
            if origin.action == goal.each
            and exists(step, str(origin.pointer))
            and _cut(str(origin.pointer)) != ("", "")
        ]
        for pointer in taken[:1]:
            holder, below = _cut(pointer)
            identities = [value_at(item, below) for item in at_pointer(step.result.value, holder)]
            used = [at_pointer(step.result.value, other) for other in taken]
            missing = [
                place
                for place, one in enumerate(identities)
                if one is not None and not any(same(one, other) for other in used)
            ]
            if missing:
                text = f"Nothing is done about the item at {holder}/{missing[0]}."
                yield Issue.of("item_left_out", text, f"/goals/{index}/each")


def _cut(pointer: str) -> tuple[str, str]:
    """Split a pointer at its first list index: (pointer of the list, pointer below the item); ("", "") if it has none."""
    keys = split_pointer(pointer)
    place = next((place for place, key in enumerate(keys) if key.isdigit()), None)
    return ("", "") if place is None else (join_pointer(*keys[:place]), join_pointer(*keys[place + 1 :]))


def _instead(blueprint: Blueprint, steps: Mapping[str, Step]) -> Iterator[Issue]:
    """Check that a fact which replaces another one is needed: the calls with the first one found nothing."""
    facts = {fact.id: index for index, fact in enumerate(blueprint.scenario.facts)}
    for fact in blueprint.scenario.facts:
        if not fact.instead_of:
            continue
        first = [
            steps[action.id]
            for action in blueprint.calls
            if action.id in steps and fact.instead_of in {origin.fact for origin in action.origins.values()}
        ]
        if not first or any(_finds(step.result.value) for step in first):
            text = "The first wish finds something: there is no need for another one."
            yield Issue.of("needless_alternative", text, f"/scenario/facts/{facts[fact.id]}/instead_of")


def _finds(value: Any) -> bool:
    """Tell whether a result contains a list with items."""
    if isinstance(value, list):
        return bool(value)
    return isinstance(value, dict) and any(_finds(item) for item in value.values() if isinstance(item, (list, dict)))
