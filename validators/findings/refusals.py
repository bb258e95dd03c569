"""A wish that is not granted -> the message with which it is refused."""

from interplay.schemas.records.blueprint import Action
from interplay.schemas.records.dialogue import Trajectory


def refused_at(trajectory: Trajectory, action: Action) -> int:
    """Return the message with which a wish is refused, where rules say so; else the last one of the assistant."""
    said = [index for index, message in enumerate(trajectory.messages) if message.role == "assistant"]
    for index in said:
        message = trajectory.messages[index]
        if message.certain_act == "refuse" and message.state is not None and message.state.goal == action.goal:
            return index
    return said[-1] if said else 0
