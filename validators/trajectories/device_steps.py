"""Judge who makes a call: steps on the user's own device are the user's, other calls the assistant's, and none is only claimed."""

from collections.abc import Iterator, Mapping, Sequence

from interplay.schemas.records.blueprint import Action, Blueprint
from interplay.schemas.records.dialogue import STEP, Message, Trajectory
from interplay.schemas.records.tool import Tool
from interplay.schemas.records.verdict import Issue
from interplay.validators.findings.alignment import match_calls


def step_issues(trajectory: Trajectory, blueprint: Blueprint, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    """Yield an issue for each call of the other side's tools, and for each step that the user says to be done and is not."""
    for index, message in enumerate(trajectory.messages):
        for place, call in enumerate(message.tool_calls):
            tool, pointer = tools.get(call.name), f"/messages/{index}/tool_calls/{place}/name"
            if tool is not None and tool.requestor != message.role:
                code = "users_own_tool" if message.role == "assistant" else "not_the_users_tool"
                yield Issue.of(code, f"{call.name} is not for the {message.role} to call.", pointer)
    yield from _claimed(trajectory, blueprint, tools)


def _asks_for(message: Message, action: Action) -> bool:
    """Tell whether an assistant by rules asks in a message for a step on the user's device."""
    asked = message.state.asked if message.state is not None else ()
    return message.role == "assistant" and message.certain_act == "guide" and STEP + action.id in asked


def _claimed(trajectory: Trajectory, blueprint: Blueprint, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    own = [action for action in blueprint.calls if action.requestor == "user" and action.tool in tools]
    if not own:
        return
    missing = {action.id for action in match_calls(trajectory, blueprint, tools).missing}
    for action in own:
        index = _first_claim(trajectory.messages, action) if action.id in missing else None
        if index is not None:
            text = f"The user says that it has done what {action.tool} does, and has not."
            yield Issue.of("claimed_not_done", text, f"/messages/{index}")


def _first_claim(messages: Sequence[Message], action: Action) -> int | None:
    """Return the first message that answers a request for a step as if it had been made, without a call before it."""
    for index in range(1, len(messages)):
        message, before = messages[index], messages[index - 1]
        if message.certain_act == "report" and not message.tool_calls and _asks_for(before, action):
            return index
    return None
