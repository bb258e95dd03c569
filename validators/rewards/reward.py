"""All parts of a reward -> the reward: the outcome times the rest."""

from collections.abc import Callable, Mapping, Sequence
from math import prod

from interplay.schemas.json.canonical import Change, leaves
from interplay.schemas.protocols import TrajectoryCheck
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Trajectory
from interplay.schemas.records.tool import Toolset
from interplay.schemas.records.verdict import Part, Reward, RewardPart, StepCredit
from interplay.validators.findings.alignment import match_calls
from interplay.validators.findings.excerpt import excerpt
from interplay.validators.rewards.case import Case
from interplay.validators.rewards.own_words import dictated
from interplay.validators.rewards.renumbered_rows import renumbered
from interplay.validators.rewards.reward_parts import efficiency, evidence, form, policy, state, writes
from interplay.validators.rewards.reward_weights import RewardWeights
from interplay.validators.rewards.values import values

OUTCOME: tuple[Part, ...] = ("state", "writes", "values")
PARTS_OF: Mapping[Part, Callable[[Case], RewardPart]] = {
    "state": state, "writes": writes, "values": values,
    "evidence": evidence, "policy": policy, "efficiency": efficiency, "format": form,
}  # fmt: skip

NOT_OF_AGENTS = ("execution", "knowledge", "agreement", "recovery")
"""Checks of the world and of the user, and of what faults make of a dialogue."""

DIGITS = 6
"""Decimals of a score."""


async def reward_of(
    trajectory: Trajectory,
    blueprint: Blueprint,
    toolset: Toolset,
    changes: tuple[Change, ...],
    checks: Sequence[TrajectoryCheck],
    weights: RewardWeights,
) -> Reward:
    """Return the reward of a dialogue in which an agent played the assistant, the environment being where its task begins.

    `changes` are how the state differs at its end from where the task began.
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
    """Return a credit for each call that does an action of the task, in order; together at most 1.

    The message counts within the dialogue about the task.
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
