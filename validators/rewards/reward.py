"""All parts of a reward -> the reward: the outcome times the other parts."""

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import permutations
from math import prod
from typing import Any

from interplay.schemas.json.canonical import MISSING, Change, canonical_json, leaves
from interplay.schemas.protocols import TrajectoryCheck
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Trajectory
from interplay.schemas.records.tool import Toolset
from interplay.schemas.records.verdict import Part, Reward, RewardPart, StepCredit
from interplay.validators.findings.alignment import match_calls
from interplay.validators.findings.excerpt import excerpt
from interplay.validators.rewards.case import Case
from interplay.validators.rewards.own_words import dictated, replaced
from interplay.validators.rewards.reward_parts import efficiency, evidence, form, policy, state, writes
from interplay.validators.rewards.reward_weights import RewardWeights
from interplay.validators.rewards.values import values

OUTCOME: tuple[Part, ...] = ("state", "writes", "values")
PARTS_OF: Mapping[Part, Callable[[Case], RewardPart]] = {
    "state": state, "writes": writes, "values": values,
    "evidence": evidence, "policy": policy, "efficiency": efficiency, "format": form,
}  # fmt: skip

NOT_OF_AGENTS = ("execution", "knowledge", "agreement", "recovery")
"""Checks that do not judge the agent: of the world, of the user, and of planned faults."""

DIGITS = 6
"""Number of decimals of a score."""


async def reward_of(
    trajectory: Trajectory,
    blueprint: Blueprint,
    toolset: Toolset,
    changes: tuple[Change, ...],
    checks: Sequence[TrajectoryCheck],
    weights: RewardWeights,
) -> Reward:
    """Return the reward of a dialogue in which an agent played the assistant.

    `changes` are the differences of the final state from that at the task's beginning, in which the environment must be now.
    """
    tools = toolset.by_name
    own, changes = dictated(excerpt(trajectory, blueprint), blueprint, changes, tools)
    given = {str(value) for call in own.calls() for _, value in leaves(call.arguments)}
    changes = renumbered(changes, blueprint.expected.difference, given)
    if {change.path: change for change in changes} == {change.path: change for change in blueprint.expected.difference}:
        own = own.model_copy(update={"final_digest": blueprint.expected.digest})
    verdicts = {check.name: await check.check(own, blueprint) for check in checks if check.name not in NOT_OF_AGENTS}
    case = Case(own, blueprint, toolset, changes, verdicts)
    parts = {name: _rounded(part(case)) for name, part in PARTS_OF.items()}
    outcome = prod(parts[name].score for name in OUTCOME)
    rest = prod(parts[name].score ** getattr(weights, name) for name in parts if name not in OUTCOME)
    return Reward(
        task=blueprint.id,
        reward=round(outcome * rest, DIGITS),
        outcome=round(outcome, DIGITS),
        progress=parts["state"].score if blueprint.expected.difference else 0.0,
        parts=parts,
        steps=_step_credits(case),
    )


def _step_credits(case: Case) -> tuple[StepCredit, ...]:
    """Return a credit for each call that does an action of the task, in order; together they are at most 1.

    Message indices count within the task's own part of the dialogue.
    """
    needed = [action for action in case.blueprint.calls if action.requestor == "assistant"]
    places = match_calls(case.trajectory, case.blueprint, case.tools).places
    found = []
    for action in needed:
        made = places.get(action.id)
        if made is None or (made.failed and not action.failed):
            continue
        place = case.trajectory.messages[made.index].tool_calls.index(made.call)
        found.append(
            StepCredit(message=made.index, call=place, tool=action.tool, action=action.id, credit=1 / len(needed))
        )
    return tuple(sorted(found, key=lambda credit: (credit.message, credit.call)))


def _rounded(part: RewardPart) -> RewardPart:
    return part.model_copy(update={"score": round(part.score, DIGITS)})


MOST = 5
"""Maximum number of new rows in a table for which all orders are tried."""


def renumbered(changes: tuple[Change, ...], wanted: Sequence[Change], given: Collection[str]) -> tuple[Change, ...]:
    """Return the changes with the names of new rows swapped, if they differ from the wanted changes in nothing else.

    Two mails that may be sent in either order swap their numbers, and so does everything numbered with them, such as threads
    or receipts. A name that a call has `given` to a row is never swapped.
    """
    made, due = _new(changes), _new(wanted)
    if made.keys() != due.keys() or canonical_json(made) == canonical_json(due):
        return changes
    names: dict[str, str] = {}
    for place in {path.rpartition("/")[0] for path in made}:
        own = {path: row for path, row in made.items() if path.rpartition("/")[0] == place}
        found = _names(own, {path: due[path] for path in own}, names, given)
        if found is None:
            return changes
        names |= found
    if {*names} != {*names.values()}:
        return changes  # not a permutation
    return tuple(
        change.model_copy(update={"path": _renamed_path(change.path, names), "after": replaced(change.after, names)})
        if change.before == MISSING
        else change
        for change in changes
    )


def _new(changes: Sequence[Change]) -> dict[str, Any]:
    return {
        change.path: change.after for change in changes if change.before == MISSING and isinstance(change.after, dict)
    }


def _names(
    made: Mapping[str, Any], due: Mapping[str, Any], known: Mapping[str, str], given: Collection[str]
) -> dict[str, str] | None:
    """Return name -> name that turns the rows made into those due, for the first order for which only names differ."""
    paths = sorted(made)
    for order in permutations(sorted(due)) if len(paths) <= MOST else ():
        names: dict[str, str] | None = dict(known)
        for path, wanted in zip(paths, order, strict=True):
            if names is not None:
                ends = (path.rpartition("/")[2], wanted.rpartition("/")[2])
                names = _matched([ends, *_apart(made[path], due[wanted])], names, given)
        if names is not None:
            return names
    return None


def _apart(made: Any, wanted: Any) -> list[tuple[Any, Any]]:
    """Return the pairs of differing leaves of two rows; a leaf that only one row has is paired with None."""
    one, other = dict(leaves(made)), dict(leaves(wanted))
    return [(one.get(path), other.get(path)) for path in one.keys() | other.keys() if one.get(path) != other.get(path)]


def _matched(
    pairs: Sequence[tuple[Any, Any]], known: Mapping[str, str], given: Collection[str]
) -> dict[str, str] | None:
    names = dict(known)
    for one, other in pairs:
        if not isinstance(one, str) or not isinstance(other, str) or {one, other} & {*given}:
            return None
        if names.setdefault(one, other) != other:
            return None
    return names


def _renamed_path(path: str, names: Mapping[str, str]) -> str:
    above, mark, last = path.rpartition("/")
    return f"{above}{mark}{names.get(last, last)}"
