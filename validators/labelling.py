"""A rejected dialogue -> what went wrong first in it, and whose fault that is: read from verdicts, calls and words."""

from collections.abc import Iterator, Mapping, Sequence
from math import inf

from interplay.schemas.blueprint import Action, Blueprint
from interplay.schemas.canonical import leaves
from interplay.schemas.dialogue import Trajectory
from interplay.schemas.protocols import TrajectoryCheck
from interplay.schemas.tools import Tool, Toolset
from interplay.schemas.verdict import Failure, FailureKind, Verdict
from interplay.validators.attempt import Attempt, Sign, message_of
from interplay.validators.chain import Judgement
from interplay.validators.claims import claims
from interplay.validators.declining import declines
from interplay.validators.loops import first_repeat
from interplay.validators.matching import Made, call_key
from interplay.validators.schema import same
from interplay.validators.users_faults import misled, users_faults

LIMITS = ("message_limit", "turn_limit", "call_limit", "turn_call_limit", "token_limit", "time_limit")
BROKEN = ("model_failed", "environment_failure", "stuck")
"""Ends that say nothing of what was done before."""

ORDER: tuple[FailureKind, ...] = (
    "users_fault", "loop", "wrong_tool", "ungrounded_argument", "wrong_argument", "extra_write", "policy_broken",
    "early_stop", "false_claim", "missed_step", "other",
)  # fmt: skip
"""Which fault explains the others, where several begin with one message."""

MEANT: Mapping[str, FailureKind] = {
    "malformed_arguments": "wrong_argument",
    "invalid_arguments": "wrong_argument",
    "unknown_tool": "wrong_tool",
    "tool_not_offered": "wrong_tool",
    "tool_not_available": "wrong_tool",
    "dropped_value": "wrong_argument",
    "ungrounded_argument": "ungrounded_argument",
    "harmful_call": "policy_broken",
    "false_claim": "false_claim",
    "not_retried": "missed_step",
    "fault_ignored": "missed_step",
    "false_success": "false_claim",
    "blind_retry": "loop",
    "repeated_call": "loop",
    "repeated_text": "loop",
}  # fmt: skip
"""Issues that mean one fault whatever else happened."""


async def diagnose(
    trajectory: Trajectory,
    blueprint: Blueprint,
    judgement: Judgement,
    checks: Sequence[TrajectoryCheck],
    toolset: Toolset,
) -> Failure | None:
    """Return the label of a dialogue that a check rejected, after the checks that it did not come to; none for others."""
    if judgement.stage is None:
        return None
    ran = {verdict.check for verdict in judgement.verdicts}
    others = [await check.check(trajectory, blueprint) for check in checks if check.name not in ran]
    tools = {tool.name: tool for tool in toolset.tools}
    return label_failure(trajectory, blueprint, (*judgement.verdicts, *others), judgement.stage, tools)


def label_failure(
    trajectory: Trajectory, blueprint: Blueprint, verdicts: Sequence[Verdict], stage: str, tools: Mapping[str, Tool]
) -> Failure:
    """Return the label of a dialogue that was rejected at `stage`; `verdicts` are those of all checks.

    What begins first is the fault: the rest follows from it. A pure function, without models.
    """
    attempt = Attempt(trajectory, blueprint, tools, verdicts)
    if trajectory.termination in BROKEN:
        end = max(len(trajectory.messages) - 1, 0)
        return Failure(fault="other", stage=stage, message=end, why=trajectory.reason or trajectory.termination)
    signs = [*_by_issue(attempt), *_by_calls(attempt), *_by_claims(attempt), *_by_silence(attempt)]
    signs += [*_circles(attempt), *users_faults(attempt)]
    if not signs:
        return _other(attempt, stage)
    first = min(signs, key=lambda sign: (sign.index, ORDER.index(sign.fault)))
    return Failure(fault=first.fault, stage=stage, message=first.index, why=first.why[:200])


def _other(attempt: Attempt, stage: str) -> Failure:
    issue, index = attempt.errors[0] if attempt.errors else (None, None)
    last = max(len(attempt.messages) - 1, 0)
    why = issue.message[:200] if issue is not None else ""
    return Failure(fault="other", stage=stage, message=last if index is None else index, why=why)


def _by_issue(attempt: Attempt) -> Iterator[Sign]:
    rules = [
        (issue, message_of(issue.pointer))
        for verdict in attempt.verdicts
        for issue in verdict.issues
        if verdict.check == "policy" and issue.severity == "error"
    ]
    for issue, index in attempt.errors:
        fault = MEANT.get(issue.code)
        if index is not None and index < len(attempt.messages) and attempt.messages[index].role == "user":
            yield Sign(index, "users_fault", issue.message)
        elif fault is not None and index is not None:
            yield Sign(index, fault, issue.message)
        elif (issue, index) in rules and index is not None:
            yield Sign(index, "policy_broken", issue.message)


def _by_calls(attempt: Attempt) -> Iterator[Sign]:
    """Yield what calls were made in place of others, and which ones nobody asked for."""
    looping = {name for issue, _ in attempt.found("repeated_call") for name in [issue.message.split(" ", 1)[0]]}
    left = [made for made in attempt.matching.added if made.call.name not in looping]
    for action, made in _substitutes(attempt, left):
        told = misled(attempt, action, made)
        if told is not None:
            yield told
        elif made.call.name == action.tool:
            yield Sign(made.index, "wrong_argument", f"{action.tool} is called with other arguments.")
        else:
            yield Sign(made.index, "wrong_tool", f"{made.call.name} is called in place of {action.tool}.")
        left.remove(made)
    needless = {index for _, index in attempt.found("needless_call")}
    for made in left:
        held = _withheld(attempt, made)
        if held is not None and held.withheld is not None and held.withheld.reason not in ("condition", "unknown"):
            yield Sign(made.index, "policy_broken", f"{made.call.name} is called, which was not to be done.")
        elif attempt.writes(made.call.name) and not made.failed:
            told = misled(attempt, None, made)
            yield told or Sign(made.index, "extra_write", f"Nobody asked for {made.call.name}.")
        elif made.index in needless:
            yield Sign(made.index, "wrong_tool", f"{made.call.name} is called where nothing is to be called.")


def _substitutes(attempt: Attempt, added: Sequence[Made]) -> Iterator[tuple[Action, Made]]:
    """Pair actions that were missed with the calls made for them: of the same tool, else at the place where it was due."""
    left, missed = list(added), list(attempt.missing)
    for action in attempt.missing:
        akin = [made for made in left if made.call.name == action.tool]
        if akin:
            best = min(akin, key=lambda made: (-_alike(action, made), made.index))
            left.remove(best)
            missed.remove(action)
            yield action, best
    for action in missed:
        begin = attempt.begin(action)
        places = attempt.matching.places
        dependants = [
            places[other.id].index
            for other in attempt.blueprint.calls
            if action.id in other.depends_on and other.id in places
        ]
        end = min(dependants, default=inf)
        writes = attempt.writes(action.tool)
        there = [
            made
            for made in left
            if begin <= made.index < end
            and attempt.writes(made.call.name) == writes
            and _withheld(attempt, made) is None
        ]
        if there:
            left.remove(there[0])
            yield action, there[0]


def _alike(action: Action, made: Made) -> int:
    own = dict(leaves(made.call.arguments))
    return sum(pointer in own and same(own[pointer], value) for pointer, value in leaves(action.arguments))


def _withheld(attempt: Attempt, made: Made) -> Action | None:
    """Return the action that a call does though it was to be left: by its arguments, or by its tool where that has no other use."""
    used = {action.tool for action in attempt.blueprint.calls}
    key = call_key(made.call.name, made.call.arguments, attempt.tools)
    for action in attempt.blueprint.actions:
        wanted = action.withheld is not None and action.tool == made.call.name
        if wanted and (action.tool not in used or call_key(action.tool, action.arguments, attempt.tools) == key):
            return action
    return None


def _unserved(attempt: Attempt) -> list[Action]:
    """Return the actions that were missed, and for which nothing else was called."""
    paired = {action.id for action, _ in _substitutes(attempt, attempt.matching.added)}
    return [action for action in attempt.missing if action.id not in paired]


def _by_claims(attempt: Attempt) -> Iterator[Sign]:
    """Yield the first claim of each write that was never made, and of each wish that was to be declined."""
    for action in _unserved(attempt):
        if attempt.writes(action.tool) and attempt.brought_up(action.goal):
            index = _claim(attempt, action.goal, attempt.begin(action))
            if index is not None:
                yield Sign(index, "false_claim", f"It is said to be done, but {action.tool} was not called.")
    for issue, _ in attempt.found("not_declined"):
        goal = int(issue.pointer.rsplit("/", 1)[-1])
        index = _claim(attempt, goal, attempt.raised(goal))
        if index is not None and not any(attempt.writes(made.call.name) for made in attempt.matching.added):
            yield Sign(index, "false_claim", issue.message)


def _claim(attempt: Attempt, goal: int, begin: int) -> int | None:
    """Return the first message after `begin` that says a goal to be done, with no write that it could mean."""
    wrote = False
    made = {made.index for made in attempt.matching.places.values() if attempt.writes(made.call.name)}
    for index, message in enumerate(attempt.messages):
        if message.role == "user":
            wrote = False
        wrote = wrote or index in made
        if index <= begin or not claims(message) or not attempt.on_topic(index, goal):
            continue
        about = message.state.goal if message.state is not None else None
        if about == goal or (about is None and not wrote):
            return index
    return None


def _by_silence(attempt: Attempt) -> Iterator[Sign]:
    """Yield where the assistant stopped or went on though something was still to be done or to be said."""
    claimed = {sign.index for sign in _by_claims(attempt)}
    ended = attempt.trajectory.termination == "user_ended"
    hung_up = _hung_up(attempt)
    last = len(attempt.messages) - 1
    for action in _unserved(attempt):
        begin = attempt.begin(action)
        gave_up = _gave_up(attempt, action, begin)
        if gave_up is not None:
            yield Sign(gave_up, "early_stop", f"The assistant gives up before {action.tool}.")
        elif hung_up:
            yield Sign(last, "early_stop", f"The assistant ends the dialogue before {action.tool}.")
        elif not claimed and ended and attempt.brought_up(action.goal):
            yield Sign(_went_on(attempt, begin), "missed_step", f"{action.tool} was never called.")
        elif attempt.trajectory.termination in LIMITS:
            yield Sign(last, "early_stop", f"The dialogue was cut off before {action.tool}.")
    strange = [
        message_of(issue.pointer)
        for verdict in attempt.verdicts
        for issue in verdict.issues
        if issue.code == "unsupported_statement"
    ]
    for name in sorted(attempt.unsaid & attempt.matching.places.keys()):
        place = attempt.matching.places[name].index
        lies = [index for index in strange if index is not None and index > place]
        if lies:
            yield Sign(min(lies), "false_claim", "Another value is said than the one that was returned.")
        else:
            yield Sign(_went_on(attempt, place), "missed_step", "What was returned is never said.")
    for issue, _ in attempt.found("not_declined"):
        if not claimed and not attempt.matching.added:
            goal = int(issue.pointer.rsplit("/", 1)[-1])
            yield Sign(_went_on(attempt, attempt.raised(goal)), "missed_step", issue.message)


def _hung_up(attempt: Attempt) -> bool:
    """Tell whether the assistant says goodbye to a user who did not."""
    spoke = [message for message in attempt.messages if message.role == "user"]
    ends = bool(attempt.messages) and attempt.messages[-1].act == "system_bye"
    return ends and bool(spoke) and spoke[-1].act != "user_bye"


def _gave_up(attempt: Attempt, action: Action, begin: int) -> int | None:
    """Return the message in which the assistant declines what it could have done."""
    blueprint = attempt.blueprint
    if any(other.withheld and other.goal == action.goal for other in blueprint.actions):
        return None
    for index, message in enumerate(attempt.messages):
        if index > begin and declines(message):
            about = message.state.goal if message.state is not None else None
            if about == action.goal or (about is None and message.act is None and not _honest(attempt, index)):
                return index
    return None


def _honest(attempt: Attempt, index: int) -> bool:
    """Tell whether there may be a good reason to decline in a message."""
    blueprint = attempt.blueprint
    if blueprint.scenario.early or any(action.withheld or action.failed for action in blueprint.actions):
        return True
    wishes = [goal.intent for goal in blueprint.goals if not goal.tool] + [blueprint.scenario.out_of_scope]
    asked = next((m.content for m in reversed(attempt.messages[:index]) if m.role == "user"), "")
    return any(attempt.speaks_of(asked, wish) for wish in wishes if wish)


def _went_on(attempt: Attempt, begin: int) -> int:
    """Return the first message after `begin` in which the assistant speaks and asks for nothing that it needs."""
    for index, message in enumerate(attempt.messages):
        if index > begin and message.role == "assistant" and not message.tool_calls and not attempt.asking(index):
            return index
    return len(attempt.messages) - 1


def _circles(attempt: Attempt) -> Iterator[Sign]:
    """Yield where calls or words go round until a limit ends it."""
    if attempt.trajectory.termination == "repeated_calls":
        last = max(index for index, message in enumerate(attempt.messages) if message.role == "assistant")
        yield Sign(last, "loop", "The same call is made again and again.")
    elif attempt.trajectory.termination in LIMITS and attempt.missing:
        index = first_repeat(attempt.trajectory)
        if index is not None:
            yield Sign(index, "loop", "The assistant says the same again and again.")
