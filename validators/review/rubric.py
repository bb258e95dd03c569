"""A blueprint -> a review by plain rules, without a model: what makes a task worth playing."""

from collections import Counter
from collections.abc import Iterator, Mapping

from interplay.schemas.json.canonical import canonical_json
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.tool import Toolset
from interplay.schemas.records.verdict import METRICS, Metric, Review, Score

BEST, WORST = 5, 1

Fault = tuple[Metric, int, str, int | None]
"""(metric, points that the fault costs, reason, goal that it is about or None)."""


class Rubric:
    """Starts from the best scores, and subtracts points for each fault."""

    name = "rubric"

    def __init__(self, toolset: Toolset) -> None:
        """Note which tools write."""
        self._writes = frozenset(tool.name for tool in toolset.tools if tool.effect == "write")

    async def review(self, blueprint: Blueprint) -> Review:
        """Return scores and reasons; the rubric never abstains."""
        faults = [*self._faults(blueprint), *_told(blueprint), *_plain(blueprint)]
        scores: Mapping[Metric, Score] = {metric: _score(metric, faults) for metric in METRICS}
        goals = sorted({goal for _, _, _, goal in faults if goal is not None})
        return Review(reviewer=self.name, scores=dict(scores), goals=tuple(goals))

    def _faults(self, blueprint: Blueprint) -> Iterator[Fault]:
        """Yield faults for calls whose result is not used, and goals about which the user hears nothing."""
        used = {name for action in blueprint.actions for name in action.depends_on}
        said = {output.action for output in blueprint.expected.outputs}
        shown = {goal.condition.action for goal in blueprint.goals if goal.condition} | {
            fact.action for fact in blueprint.scenario.facts
        }
        for action in blueprint.calls:
            idle = action.tool not in self._writes and action.id not in used | said | shown
            if idle and action.tool != blueprint.goals[action.goal].tool:
                yield "correctness", 2, f"{action.tool} is called for nothing.", action.goal
            elif idle:
                text = f"The user asks for {action.tool} and hears nothing of what it finds."
                yield "satisfaction", 3, text, action.goal


def _told(blueprint: Blueprint) -> Iterator[Fault]:
    """Yield faults for facts that no action uses, and for facts of a goal that share a label when asked for."""
    needed = {origin.fact for action in blueprint.actions for origin in action.origins.values()}
    needed |= {fact.instead_of for fact in blueprint.scenario.facts}
    asked = Counter((fact.goal, fact.label) for fact in blueprint.scenario.facts if fact.reveal == "asked")
    for fact in blueprint.scenario.facts:
        if fact.id not in needed and fact.reveal != "never":
            yield "completeness", 1, f"Nothing depends on the {fact.label} that the user knows.", fact.goal
        if asked[fact.goal, fact.label] > 1:
            yield "completeness", 2, f"Two facts answer to {fact.label} when the user is asked.", fact.goal


def _plain(blueprint: Blueprint) -> Iterator[Fault]:
    """Yield faults that make a task dull: hardly anything to do or to know, or the same wish repeated in the same words."""
    if len(blueprint.actions) == 1 and len(blueprint.scenario.facts) <= 1 and not blueprint.actions[0].withheld:
        yield "creativity", 2, "There is one call to make, and hardly anything to know for it.", None
    if len(blueprint.actions) == 1 and not blueprint.actions[0].arguments:
        yield "creativity", 1, "The one call takes nothing.", None
    seen: set[str] = set()
    for number, goal in enumerate(blueprint.goals):
        aims = [action.arguments for action in blueprint.actions if action.goal == number and action.tool == goal.tool]
        key = canonical_json([goal.intent, sorted(aims[0]) if aims else []])
        if key in seen and not goal.each:
            yield "creativity", 1, f"The user wants to {goal.intent} once more, in the same words.", number
        seen.add(key)


def _score(metric: Metric, faults: list[Fault]) -> Score:
    found = [(cost, text) for name, cost, text, _ in faults if name == metric]
    points = max(WORST, BEST - sum(cost for cost, _ in found))
    reason = " ".join(dict.fromkeys(text for _, text in found))[:400] or "Nothing amiss."
    return Score.model_validate({"score": points, "reason": reason})
