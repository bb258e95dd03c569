"""A draft that was run again -> the values that must be said of each of its goals."""

from collections.abc import Sequence

from interplay.generators.blueprints.drafting.draft import DeadEnd, Draft
from interplay.generators.blueprints.drafting.reported_values import ReportedValues
from interplay.generators.blueprints.finishing.rerun import Rerun
from interplay.generators.results.result_kinds import list_in
from interplay.schemas.json.canonical import at_pointer, value_at
from interplay.schemas.records.blueprint import Action, ExpectedOutput, Goal


def outputs_of(draft: Draft, made: Rerun, goals: Sequence[Goal], reports: ReportedValues) -> tuple[ExpectedOutput, ...]:
    """Return what must be said of all goals of a task.

    Raises:
        DeadEnd: an earlier step hides it, or a later one makes it otherwise before it is said.
    """
    steps = {made.renamed[step.id]: step for step in draft.steps}
    try:
        outputs = [
            output
            for action in made.actions
            if action.withheld is None and _reported(action, made.actions, goals)
            if action.requestor == "assistant" or steps[action.id].asked  # of the others the user has told
            for output in reports.outputs(
                steps[action.id],
                action.id,
                made.values[action.id],
                brief=bool(goals[action.goal].each),
                when="when" in goals[action.goal].intent.split(),
            )
        ]
    except LookupError as failure:
        raise DeadEnd("an earlier step hides what would be said") from failure
    _check_late(made, outputs)
    instead = [
        _found_instead(goal, number, made)
        for number, goal in enumerate(goals)
        if goal.condition is not None and not goal.condition.otherwise
    ]
    return tuple(output for output in (*outputs, *instead) if output.action)


def _check_late(made: Rerun, outputs: Sequence[ExpectedOutput]) -> None:
    """Make sure that what is told of a read, and of how many things it shows, is the case when it is told.

    Raises:
        DeadEnd: it is not.
    """
    for name, value in made.late.items():
        (_, then), (_, now) = list_in(made.values[name]), list_in(value)
        told = [output for output in outputs if output.action == name]
        same = all(value_at(value, output.pointer) == output.value for output in told)
        if not same or (then is not None and len(then) != len(now or ())):
            raise DeadEnd("a later step changes what would be said")


def _reported(action: Action, actions: Sequence[Action], goals: Sequence[Goal]) -> bool:
    """Tell whether an action is what its goal is about, rather than a look-up on the way."""
    goal = goals[action.goal]
    own = [other for other in actions if other.goal == action.goal]
    while own[-1].requestor == "user" and own[-1].tool != goal.tool:
        own.pop()  # the user only looks what has come of it
    return action.tool == goal.tool and (action is own[-1] or bool(goal.each))


def _found_instead(goal: Goal, number: int, made: Rerun) -> ExpectedOutput:
    """Return the value to be said where the condition of a goal does not hold."""
    condition = goal.condition
    assert condition is not None
    held_back = any(action.goal == number and action.withheld for action in made.actions)
    return ExpectedOutput(
        action=condition.action if held_back else "",
        pointer=condition.pointer,
        label=condition.label,
        value=at_pointer(made.values[condition.action], condition.pointer),
        hint=condition.hint,
    )
