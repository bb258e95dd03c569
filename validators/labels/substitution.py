"""Which calls were made in place of the right ones, which actions have no call, and which calls do a withheld action."""

from collections.abc import Iterator, Sequence
from math import inf

from interplay.schemas.json.canonical import leaves
from interplay.schemas.records.blueprint import Action
from interplay.schemas.records.tool import is_write
from interplay.validators.findings.alignment import MadeCall, call_key
from interplay.validators.findings.conformance import same
from interplay.validators.labels.failed_attempt import FailedAttempt


def substitutes(attempt: FailedAttempt, added: Sequence[MadeCall]) -> Iterator[tuple[Action, MadeCall]]:
    """Pair missed actions with calls made in their place: of the same tool, else of the same effect while the action was due."""
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
        writes = is_write(attempt.tools, action.tool)
        there = [
            made
            for made in left
            if begin <= made.index < end
            and is_write(attempt.tools, made.call.name) == writes
            and withheld(attempt, made) is None
        ]
        if there:
            left.remove(there[0])
            yield action, there[0]


def _alike(action: Action, made: MadeCall) -> int:
    own = dict(leaves(made.call.arguments))
    return sum(pointer in own and same(own[pointer], value) for pointer, value in leaves(action.arguments))


def withheld(attempt: FailedAttempt, made: MadeCall) -> Action | None:
    """Return the withheld action that a call does: by equal arguments, or by its tool if the task has no other use for it."""
    used = {action.tool for action in attempt.blueprint.calls}
    key = call_key(made.call.name, made.call.arguments, attempt.tools)
    for action in attempt.blueprint.actions:
        wanted = action.withheld is not None and action.tool == made.call.name
        if wanted and (action.tool not in used or call_key(action.tool, action.arguments, attempt.tools) == key):
            return action
    return None


def unserved(attempt: FailedAttempt) -> list[Action]:
    """Return the missed actions that no other call was made for."""
    paired = {action.id for action, _ in substitutes(attempt, attempt.matching.added)}
    return [action for action in attempt.missing if action.id not in paired]
