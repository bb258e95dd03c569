"""What an assistant left undone: it claims that it was done, stops before it, or passes over it."""

from collections.abc import Collection, Iterator

from interplay.schemas.records.blueprint import Action, Blueprint
from interplay.schemas.records.failure import FailureKind
from interplay.schemas.records.tool import is_write
from interplay.validators.findings.deeds import claims, declines, is_unread, speaks
from interplay.validators.labels.failed_attempt import FailedAttempt, Symptom, message_of, needs
from interplay.validators.labels.substitution import unserved

LIMITS = ("message_limit", "turn_limit", "call_limit", "turn_call_limit", "length_limit", "token_limit", "time_limit")


def false_claims(attempt: FailedAttempt) -> Iterator[Symptom]:
    """Yield the first claim about each write that was never made, and about each goal that had to be declined."""
    for action in unserved(attempt):
        if is_write(attempt.tools, action.tool) and attempt.brought_up(action.goal):
            index = _claim(attempt, action.goal, attempt.begin(action))
            if index is not None:
                yield Symptom(index, "false_claim", f"It is said to be done, but {action.tool} was not called.")
    for issue, _ in attempt.found("not_declined"):
        goal = int(issue.pointer.rsplit("/", 1)[-1])
        index = _claim(attempt, goal, attempt.raised(goal))
        if index is not None and not any(is_write(attempt.tools, made.call.name) for made in attempt.matching.added):
            yield Symptom(index, "false_claim", issue.message)


def _claim(attempt: FailedAttempt, goal: int, begin: int) -> int | None:
    """Return the index of the first message after `begin` whose act says that a goal is done."""
    later = range(begin + 1, len(attempt.messages))
    return next((index for index in later if claims(attempt.messages[index]) and attempt.about(index, goal)), None)


def omissions(attempt: FailedAttempt) -> Iterator[Symptom]:
    """Yield where the assistant stopped or went on although something was still to be done or said."""
    claimed = {sign.index for sign in false_claims(attempt)}
    ended = attempt.trajectory.termination == "user_ended"
    hung_up = _hung_up(attempt)
    last = len(attempt.messages) - 1
    for action in unserved(attempt):
        begin = attempt.begin(action)
        gave_up = _gave_up(attempt, action, begin)
        if gave_up is not None:
            yield Symptom(gave_up, "early_stop", f"The assistant gives up before {action.tool}.")
        elif hung_up is not None:
            yield Symptom(hung_up, "early_stop", f"The assistant ends the dialogue before {action.tool}.")
        elif attempt.never_offered(action) or (attempt.cut_short is not None and attempt.last_due(action)):
            continue  # the user ended the dialogue
        elif not claimed and ended and attempt.brought_up(action.goal):
            yield _left_out(attempt, begin, "missed_goal", f"{action.tool} was never called.")
        elif attempt.trajectory.termination in LIMITS:
            yield Symptom(last, "unclear", f"A limit cut the dialogue off before {action.tool}.")
    yield from _declined_looks(attempt)
    strange = [
        message_of(issue.pointer)
        for verdict in attempt.verdicts
        for issue in verdict.issues
        if issue.code == "false_statement"
    ]
    for name in sorted(attempt.unsaid & attempt.matching.places.keys()):
        place = attempt.matching.places[name].index
        lies = [index for index in strange if index is not None and index > place and not attempt.asking(index)]
        gave_up = _gave_up(attempt, attempt.blueprint.action(name), place)
        if gave_up is not None:
            yield Symptom(gave_up, "early_stop", "The assistant gives up before it says what was returned.")
        elif lies:
            yield Symptom(min(lies), "false_value", "Another value is said than the one that was returned.")
        else:
            yield _left_out(attempt, place, "unanswered_question", "What was returned is never said.")
    for issue, _ in attempt.found("not_declined"):
        goal = int(issue.pointer.rsplit("/", 1)[-1])
        if not claimed and not attempt.matching.added and attempt.brought_up(goal):
            yield _left_out(attempt, attempt.raised(goal), "missed_goal", issue.message)


def _declined_looks(attempt: FailedAttempt) -> Iterator[Symptom]:
    """Yield where the assistant declines a read whose result is not needed, if no other call was made instead."""
    for action in attempt.matching.missing:
        if action in attempt.missing or not attempt.brought_up(action.goal) or attempt.matching.added:
            continue
        gave_up = _gave_up(attempt, action, attempt.begin(action))
        if gave_up is not None:
            yield Symptom(gave_up, "early_stop", f"The assistant gives up before {action.tool}.")


def _hung_up(attempt: FailedAttempt) -> int | None:
    """Return the assistant's goodbye if it says goodbye first, and the user answers with nothing but a goodbye."""
    found = None
    for index, message in enumerate(attempt.messages):
        if message.role == "user" and message.act != "user_bye":
            found = None
        elif message.act == "user_bye" and found is None:
            return None
        elif message.tool_calls:
            found = None
        elif found is None and message.certain_act == "system_bye":
            found = index
    return found


def _gave_up(attempt: FailedAttempt, action: Action, begin: int) -> int | None:
    """Return the index of the message in which the assistant declines something that it could have done."""
    blueprint = attempt.blueprint
    if _may_decline(blueprint, action, (action.goal,)):
        return None
    for index, message in enumerate(attempt.messages):
        meant = index > begin and declines(message) and attempt.about(index, action.goal)
        if meant and not _honest(attempt, index, action):
            return index
    return None


def _honest(attempt: FailedAttempt, index: int, due: Action) -> bool:
    """Tell whether there may be a good reason to decline in a message about the due action."""
    blueprint = attempt.blueprint
    asked = next((message for message in reversed(attempt.messages[:index]) if message.role == "user"), None)
    if asked is not None and asked.certain_act in (None, "off_topic"):
        return True  # a model plays the user, so it is unknown what was asked
    near = attempt.request(due.goal)
    if blueprint.scenario.early is not None and due.tool not in attempt.trajectory.offered_at(index):
        return True
    fails = any(_fails(blueprint, action) for action in blueprint.calls if action.goal in near)
    return fails or _may_decline(blueprint, due, near)


def _may_decline(blueprint: Blueprint, due: Action, goals: Collection[int]) -> bool:
    """Tell whether an action of these goals is withheld for a reason that may be known without making the due action."""
    return any(
        action.goal in goals and not (action.withheld.reason == "forbidden" and due.id in _before(blueprint, action))
        for action in blueprint.actions
        if action.withheld is not None
    )


def _before(blueprint: Blueprint, action: Action) -> set[str]:
    """Return the ids of the actions that an action builds on, directly or indirectly."""
    found: set[str] = set()
    waiting = [action]
    while waiting:
        for name in set(needs(waiting.pop())) - found:
            found.add(name)
            waiting.append(blueprint.action(name))
    return found


def _fails(blueprint: Blueprint, action: Action) -> bool:
    """Tell whether an action fails for good: every call of its tool for the same goal fails."""
    alike = (other for other in blueprint.calls if other.tool == action.tool and other.goal == action.goal)
    return action.failed and all(other.failed for other in alike)


def _left_out(attempt: FailedAttempt, begin: int, fault: FailureKind, why: str) -> Symptom:
    """Return a symptom at the first message after `begin` in which the assistant speaks without asking for something it needs.

    It is `unclear` at the last message if the dialogue ends before, or at a message that a model worded.
    """
    for index in range(begin + 1, len(attempt.messages)):
        if is_unread(attempt.messages[index]):
            break
        if speaks(attempt.messages[index]) and not attempt.asking(index):
            return Symptom(index, fault, why)
    return Symptom(len(attempt.messages) - 1, "unclear", why)
