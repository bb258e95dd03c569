"""What a message's act tells: that something was done, or that it will not be; unknown if the rules did not write it."""

from interplay.schemas.records.blueprint import Action
from interplay.schemas.records.dialogue import Message, Trajectory

DECLINING_ACTS = ("refuse", "response_fail", "report_error")


def speaks(message: Message) -> bool:
    """Tell whether a message has words of the assistant and no calls."""
    return message.role == "assistant" and bool(message.content) and not message.tool_calls


def is_unread(message: Message) -> bool:
    """Tell whether the act of the assistant's words is unknown, since a model wrote them."""
    return speaks(message) and message.certain_act is None


def claims(message: Message) -> bool:
    """Tell whether the assistant says in a message that something was done."""
    return speaks(message) and message.certain_act == "response"


def declines(message: Message) -> bool:
    """Tell whether the assistant says in a message that something failed or will not be done."""
    return message.role == "assistant" and bool(message.content) and message.certain_act in DECLINING_ACTS


def refused_at(trajectory: Trajectory, action: Action) -> int:
    """Return the index of the message in which the rules refuse an action's goal; else the assistant's last message."""
    said = [index for index, message in enumerate(trajectory.messages) if message.role == "assistant"]
    for index in said:
        message = trajectory.messages[index]
        if message.certain_act == "refuse" and message.state is not None and message.state.goal == action.goal:
            return index
    return said[-1] if said else 0
