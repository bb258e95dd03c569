"""A sound dialogue -> one in which the assistant makes one mistake, with its calls run again; what comes before stays the same.

Each mistake is a function that returns the messages of a dialogue with this mistake only, or None if the dialogue has no
place for it. Results and final state come from running all calls again, so that nothing else gives the mistake away.
"""

from collections.abc import Callable, Mapping
from functools import partial

from interplay.flows.branches.sound_dialogue import Messages, SoundDialogue
from interplay.flows.branches.wrong_calls import extra_write, loop, wrong_argument, wrong_tool
from interplay.flows.branches.wrong_steps import (
    early_stop,
    false_claim,
    missed_goal,
    missing_confirmation,
    policy_broken,
)
from interplay.generators.environments.wrappers.faulty_calls import with_faults
from interplay.schemas.protocols import PolicyEvent
from interplay.schemas.records.dialogue import ToolResult, Trajectory
from interplay.schemas.records.failure import FailureKind

MISTAKES: Mapping[FailureKind, Callable[[SoundDialogue], Messages | None]] = {
    "wrong_tool": wrong_tool,
    "wrong_argument": partial(wrong_argument, grounded=True),
    "ungrounded_argument": partial(wrong_argument, grounded=False),
    "missed_goal": missed_goal,
    "extra_write": extra_write,
    "early_stop": early_stop,
    "missing_confirmation": missing_confirmation,
    "policy_broken": policy_broken,
    "false_claim": false_claim,
    "loop": loop,
}


async def replayed(messages: Messages, played: SoundDialogue, name: str) -> Trajectory | None:
    """Run all calls again from the start, and return the dialogue with their new results; None if that undoes the mistake."""
    environment = played.world.environment
    faulty = with_faults(environment, played.blueprint.faults)
    start = environment.snapshot()
    results: dict[str, ToolResult] = {}
    history = played.blueprint.start.history() if played.blueprint.start else ()
    unasked, broken = _unasked(messages, played), False
    for message in messages:
        for call in message.tool_calls:
            event = PolicyEvent(call, history, environment.state(), call.id not in unasked)
            broken = broken or (played.world.policy is not None and bool(played.world.policy.violations(event)))
            results[call.id] = await faulty.call(call)
            history = (*history, (call, results[call.id]))
    filled = []
    for message in messages:
        if message.role == "tool":
            result = results[message.tool_call_id or ""]
            told = {"content": result.text, "failed": result.error is not None, "fault": result.fault}
            message = message.model_copy(update=told)
        filled.append(message)
    final = environment.digest()
    environment.restore(start)
    own = {call.id for call in played.trajectory.calls()}
    if name in ("missing_confirmation", "policy_broken") and not broken:
        return None
    if name == "extra_write" and any(result.error is not None for call, result in results.items() if call not in own):
        return None
    return played.trajectory.model_copy(update={"messages": tuple(filled), "final_digest": final})


def _unasked(messages: Messages, played: SoundDialogue) -> set[str]:
    """Return the ids of the calls whose confirmation is left out of `messages`."""
    kept = {id(message) for message in messages}
    found: set[str] = set()
    gone = False
    for message in played.messages:
        gone = id(message) not in kept if message.role == "user" else gone
        found |= {call.id for call in message.tool_calls if gone}
    return found
