"""What an assistant left undone: it says that it is done, it stops before, or it goes on without a word."""

from collections.abc import Collection, Iterator

from interplay.schemas.records.blueprint import Action, Blueprint
from interplay.schemas.words.text import normalised
from interplay.validators.labels.failed_attempt import HALF, FailedAttempt, Symptom, message_of, needs
from interplay.validators.labels.substitution import unserved
from interplay.validators.language.claims import claims, says_done
from interplay.validators.language.decline import declines
from interplay.validators.language.paraphrase import content_words
from interplay.validators.language.phrases import pattern

_GOODBYE = pattern("goodbye")

LIMITS = ("message_limit", "turn_limit", "call_limit", "turn_call_limit", "length_limit", "token_limit", "time_limit")


def false_claims(attempt: FailedAttempt) -> Iterator[Symptom]:
    """Yield the first claim of each write that was never made, and of each wish that was to be declined."""
    for action in unserved(attempt):
        if attempt.writes(action.tool) and attempt.brought_up(action.goal):
            index = _claim(attempt, action.goal, attempt.begin(action))
            if index is not None:
                yield Symptom(index, "false_claim", f"It is said to be done, but {action.tool} was not called.")
    for issue, _ in attempt.found("not_declined"):
        goal = int(issue.pointer.rsplit("/", 1)[-1])
        index = _claim(attempt, goal, attempt.raised(goal))
        if index is not None and not any(attempt.writes(made.call.name) for made in attempt.matching.added):
            yield Symptom(index, "false_claim", issue.message)


def _claim(attempt: FailedAttempt, goal: int, begin: int) -> int | None:
    """Return the first message after `begin` that says a goal to be done, with no write that it could mean."""
    wrote = False
    made = {made.index for made in attempt.matching.places.values() if attempt.writes(made.call.name)}
    for index, message in enumerate(attempt.messages):
        if message.role == "user":
            wrote = False
        wrote = wrote or index in made
        if index <= begin or not _claims(attempt, index) or not attempt.on_topic(index, goal):
            continue
        about = attempt.about(index, goal)
        if (about and message.certain_act is not None) or (about is not False and not wrote):
            return index
    return None


def _claims(attempt: FailedAttempt, index: int) -> bool:
    """Tell whether a message says that something was done, and not only, in asking whether to go on, that it was heard."""
    message = attempt.in_own_words(index)
    if message.certain_act is not None or message.act is None:
        return claims(message) and (message.act is not None or not attempt.asking(index))
    return message.act == "response" and not message.tool_calls and says_done(message.content)


def omissions(attempt: FailedAttempt) -> Iterator[Symptom]:
    """Yield where the assistant stopped or went on though something was still to be done or to be said."""
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
            continue  # the user ended it
        elif not claimed and ended and attempt.brought_up(action.goal):
            yield _left_out(attempt, begin, f"{action.tool} was never called.")
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
            yield Symptom(min(lies), "false_claim", "Another value is said than the one that was returned.")
        else:
            yield _left_out(attempt, place, "What was returned is never said.")
    for issue, _ in attempt.found("not_declined"):
        goal = int(issue.pointer.rsplit("/", 1)[-1])
        if not claimed and not attempt.matching.added and attempt.brought_up(goal):
            yield _left_out(attempt, attempt.raised(goal), issue.message)


def _declined_looks(attempt: FailedAttempt) -> Iterator[Symptom]:
    """Yield where the assistant declines to look up what nothing is to be said of, and nothing else was called for it."""
    for action in attempt.matching.missing:
        if action in attempt.missing or not attempt.brought_up(action.goal) or attempt.matching.added:
            continue
        gave_up = _gave_up(attempt, action, attempt.begin(action))
        if gave_up is not None:
            yield Symptom(gave_up, "early_stop", f"The assistant gives up before {action.tool}.")


def _hung_up(attempt: FailedAttempt) -> int | None:
    """Return the message with which the assistant says goodbye to a user who did not, and who then says no more than that."""
    found = None
    for index, message in enumerate(attempt.messages):
        if message.role == "user" and message.act != "user_bye":
            found = None
        elif message.act == "user_bye" and found is None:
            return None
        elif message.tool_calls:
            found = None
        elif found is None and _says_goodbye(attempt, index):
            found = index
    return found


def _says_goodbye(attempt: FailedAttempt, index: int) -> bool:
    message = attempt.messages[index]
    if message.role != "assistant" or message.certain_act is not None:
        return message.act == "system_bye"
    return not attempt.asking(index) and _GOODBYE.search(message.content) is not None


def _gave_up(attempt: FailedAttempt, action: Action, begin: int) -> int | None:
    """Return the message in which the assistant declines what it could have done."""
    blueprint = attempt.blueprint
    if _may_decline(blueprint, action, (action.goal,)):
        return None
    for index, message in enumerate(attempt.messages):
        if index > begin and declines(attempt.in_own_words(index)):
            about, certain = attempt.about(index, action.goal), message.certain_act is not None
            meant = about if certain else about is not False and not attempt.asking(index)
            if meant and not _honest(attempt, index, action):
                return index
    return None


def _honest(attempt: FailedAttempt, index: int, due: Action) -> bool:
    """Tell whether there may be a good reason to decline in a message that may be about what is due."""
    blueprint = attempt.blueprint
    asked = next((message for message in reversed(attempt.messages[:index]) if message.role == "user"), None)
    if asked is not None and asked.act == "off_topic":
        return True
    told = attempt.about(index, due.goal) is not None
    near = attempt.request(due.goal) if told else range(len(blueprint.goals))
    if blueprint.scenario.early is not None and (not told or due.tool not in attempt.trajectory.offered_at(index)):
        return True
    if _may_decline(blueprint, due, near) or any(
        _fails(blueprint, action) for action in blueprint.calls if action.goal in near
    ):
        return True
    wishes = [other.intent for other in blueprint.goals if not other.tool] + [blueprint.scenario.out_of_scope]
    return asked is not None and any(
        attempt.share(normalised(asked.content), content_words(wish)) >= HALF for wish in wishes if wish
    )


def _may_decline(blueprint: Blueprint, due: Action, goals: Collection[int]) -> bool:
    """Tell whether something of these goals is not to be done, as may be known without what is due."""
    return any(
        action.goal in goals and not (action.withheld.reason == "forbidden" and due.id in _before(blueprint, action))
        for action in blueprint.actions
        if action.withheld is not None
    )


def _before(blueprint: Blueprint, action: Action) -> set[str]:
    """Return the actions that one builds on, directly or not."""
    found: set[str] = set()
    waiting = [action]
    while waiting:
        for name in set(needs(waiting.pop())) - found:
            found.add(name)
            waiting.append(blueprint.action(name))
    return found


def _fails(blueprint: Blueprint, action: Action) -> bool:
    """Tell whether an action fails in the end: no call of its tool for the same goal comes out well."""
    alike = (other for other in blueprint.calls if other.tool == action.tool and other.goal == action.goal)
    return action.failed and all(other.failed for other in alike)


def _left_out(attempt: FailedAttempt, begin: int, why: str) -> Symptom:
    """Return the first message after `begin` in which the assistant speaks and asks for nothing that it needs; it left something out.

    Where a limit came before that, it is nobody's fault.
    """
    for index, message in enumerate(attempt.messages):
        if index > begin and message.role == "assistant" and not message.tool_calls and not attempt.asking(index):
            return Symptom(index, "missed_goal", why)
    last = len(attempt.messages) - 1
    if attempt.trajectory.termination in LIMITS:
        return Symptom(last, "unclear", f"A limit cut the dialogue off: {why}")
    return Symptom(last, "missed_goal", why)
