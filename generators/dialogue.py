"""Blueprint + participants + environment -> trajectory, turn by turn."""

from collections.abc import Mapping

from interplay.schemas.blueprint import Blueprint
from interplay.schemas.dialogue import Message, Trajectory
from interplay.schemas.errors import EnvironmentFailure
from interplay.schemas.protocols import Assistant, Environment, User
from interplay.schemas.record import Record


class Limits(Record):
    """How long a dialogue may get: messages in all, and calls in all."""

    messages: int = 120
    calls: int = 60


async def simulate(
    blueprint: Blueprint,
    user: User,
    assistant: Assistant,
    environment: Environment,
    limits: Limits,
    system_prompt: str = "",
    models: Mapping[str, str] | None = None,
    version: str = "",
) -> Trajectory:
    """Play a blueprint out, turn by turn; running into a limit is recorded, not raised.

    The environment must be in its opening state, and is left as the dialogue leaves it.
    """
    messages: list[Message] = []
    termination = "message_limit"
    calls = 0
    try:
        while len(messages) < limits.messages:
            last = messages[-1] if messages else None
            if last is not None and last.act == "system_bye":
                termination = "user_ended"
                break
            if last is None or (last.role == "assistant" and not last.tool_calls):
                messages.append(await user.respond(tuple(messages)))
                continue
            spoken = await assistant.respond(tuple(messages))
            messages.append(spoken)
            calls += len(spoken.tool_calls)
            if calls > limits.calls:
                termination = "call_limit"
                break
            for call in spoken.tool_calls:
                result = await environment.call(call)
                messages.append(
                    Message(role="tool", content=result.text, tool_call_id=call.id, failed=result.error is not None)
                )
    except EnvironmentFailure:
        termination = "environment_failure"
    return Trajectory.model_validate(
        {
            "blueprint_id": blueprint.id,
            "toolset": blueprint.toolset,
            "tools": blueprint.tools,
            "system_prompt": system_prompt,
            "messages": messages,
            "final_digest": environment.digest(),
            "termination": termination,
            "models": dict(models or {}),
            "seed": blueprint.recipe.seed,
            "version": version,
        }
    )
