"""A rerun draft -> the questions of its goals, and the values that have to be told to answer them."""

from collections.abc import Sequence
from random import Random

from interplay.generators.blueprints.drafting.draft import DeadEnd, Draft
from interplay.generators.blueprints.finishing.goal_questions import GoalQuestions, known_values
from interplay.generators.blueprints.finishing.rerun import Rerun
from interplay.generators.results.result_kinds import list_in
from interplay.schemas.json.canonical import at_pointer, value_at
from interplay.schemas.records.blueprint import Action, ExpectedOutput, Fact, Goal, Question


def with_questions(
    draft: Draft, made: Rerun, goals: Sequence[Goal], facts: Sequence[Fact], asking: GoalQuestions, rng: Random
) -> tuple[tuple[Goal, ...], tuple[ExpectedOutput, ...]]:
    """Return the goals with their questions, and the values that answer these.

    Raises:
        DeadEnd: a value is missing after the rerun, or a later step changes it before it is told.
    """
    steps = {made.renamed[step.id]: step for step in draft.steps}
    asked: list[list[Question]] = [[] for _ in goals]
    outputs: list[ExpectedOutput] = []
    known = known_values(facts)
    try:
        for action in made.actions:
            step, goal = steps[action.id], goals[action.goal]
            told = action.requestor == "user" and not step.asked  # the user has told it
            if told or action.withheld is not None or not _reported(action, made.actions, goals):
                continue
            value = made.values[action.id]
            questions = asking.of(goal, step, action.id, value, known, rng)
            if goal.each and asked[action.goal]:
                questions = _alike(asked[action.goal], action.id, value)
            asked[action.goal] += questions[:1] if goal.each else questions
            answers = [
                asking.reports.output(step, action.id, pointer, value)
                for question in (questions[:1] if goal.each else questions)
                for pointer in question.pointers
            ]
            outputs += answers
            known |= {str(answer.value).casefold() for answer in answers}
    except LookupError as failure:
        raise DeadEnd("an earlier step hides what would be said") from failure
    _check_late(made, outputs)
    for number, goal in enumerate(goals):
        if goal.condition is not None and not goal.condition.otherwise:
            found = _found_instead(goal, number, made)
            outputs += [found] if found.action else []
            asked[number] += [Question(action=found.action, pointers=(found.pointer,))] if found.action else []
    wanted = (goal.model_copy(update={"asks_for": tuple(own)}) for goal, own in zip(goals, asked, strict=True))
    return tuple(wanted), tuple(outputs)


def _alike(asked: Sequence[Question], name: str, value: object) -> tuple[Question, ...]:
    """Return the question asked of the first item of a list, for another item; it is worded only once."""
    shown = tuple(pointer for pointer in asked[0].pointers if value_at(value, pointer) is not None)
    return (Question(action=name, pointers=shown),) if shown else ()


def _check_late(made: Rerun, outputs: Sequence[ExpectedOutput]) -> None:
    """Check that told values of a read, and the length of its list, still hold when they are told.

    Raises:
        DeadEnd: they do not.
    """
    for name, value in made.late.items():
        (_, then), (_, now) = list_in(made.values[name]), list_in(value)
        told = [output for output in outputs if output.action == name]
        same = all(value_at(value, output.pointer) == output.value for output in told)
        if not same or (then is not None and len(then) != len(now or ())):
            raise DeadEnd("a later step changes what would be said")


def _reported(action: Action, actions: Sequence[Action], goals: Sequence[Goal]) -> bool:
    """Tell whether an action is the one that its goal is about, rather than a look-up."""
    goal = goals[action.goal]
    own = [other for other in actions if other.goal == action.goal]
    while own[-1].requestor == "user" and own[-1].tool != goal.tool:
        own.pop()  # the user only checks the effect
    return action.tool == goal.tool and (action is own[-1] or bool(goal.each))


def _found_instead(goal: Goal, number: int, made: Rerun) -> ExpectedOutput:
    """Return the value to tell where the condition of a goal does not hold; without an action if it does."""
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
