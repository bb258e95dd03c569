"""A sound dialogue -> the same with one wrong step: one left out, an early end, a rule broken, a false claim."""

from interplay.flows.branches.scene import (
    Messages,
    Scene,
    busy,
    new_call,
    outcome_told,
    result_of,
    without_call,
)
from interplay.schemas.records.dialogue import DialogueState, Message
from interplay.validators.findings.deeds import claims

LEFT_OUT = (
    "All right. What else can I do for you?", "Good. Is there anything else?", "I see. Can I help with anything else?",
    "Fine, noted. What else do you need?", "Thanks. Anything else that I can do?",
)  # fmt: skip
GOODBYES = (
    "Thank you for writing to us. Goodbye!", "Have a nice day. Goodbye!", "All the best, goodbye!", "Thanks, take care!",
)  # fmt: skip
GIVEN_UP = (
    "I'm sorry, I can't help with that any further.", "I'm afraid that's as far as I can go with this.",
    "Unfortunately, I can't do anything more about that.", "I'm sorry, that's more than I can do here.",
)  # fmt: skip


def missed_goal(scene: Scene) -> Messages | None:
    """Leave a call out, and go on without a word about it."""
    used = {origin.action for action in scene.blueprint.calls for origin in action.origins.values()}
    options = [pair for pair in scene.needed() if pair[0].id not in used]
    if not options:
        return None
    action, made = scene.rng.choice(options)
    if any(other.goal == action.goal and other.id != action.id for other, _ in scene.needed()):
        return None  # what is said of the others would have to be told apart
    messages = without_call(scene.messages, made)
    told = outcome_told(messages, made.index)
    if told is None or (scene.writes(action.tool) and busy(scene, action, made)):
        return None
    content = scene.rng.choice(LEFT_OUT)
    said = {"content": content, "act": "clarify", "state": DialogueState(), "spoken": ()}
    messages[told] = messages[told].model_copy(update=said)
    return messages


def early_stop(scene: Scene) -> Messages | None:
    """Let the assistant say goodbye, or give up, where it has still to do something."""
    options = [
        index
        for index, message in enumerate(scene.messages)
        if message.role == "assistant" and index and scene.messages[index - 1].role in ("user", "tool")
        and any(made.index >= index for _, made in scene.needed())
    ]  # fmt: skip
    if not options:
        return None
    index = scene.rng.choice(options)
    if any(message.act == "user_bye" for message in scene.messages[:index]):
        return None
    state = scene.messages[index].state
    goal = state.goal if state is not None else None
    bye = Message(
        role="assistant", content=scene.rng.choice(GOODBYES), act="system_bye", state=DialogueState(goal=goal)
    )
    if scene.rng.random() < 0.5:
        return [*scene.messages[:index], bye]
    due = next(action for action, made in scene.needed() if made.index >= index)
    text = scene.rng.choice(GIVEN_UP)
    stop = Message(role="assistant", content=text, act="response_fail", state=DialogueState(goal=due.goal))
    end = Message(role="user", content="Oh. Goodbye then.", act="user_bye")
    if any(action.withheld and action.goal == due.goal for action in scene.blueprint.actions):
        return [*scene.messages[:index], bye]
    if not _asked_for(scene, due.goal, index) or due.tool not in scene.trajectory.offered_at(index):
        return [*scene.messages[:index], bye]  # to decline would be right
    return [*scene.messages[:index], stop, end, bye]


def _asked_for(scene: Scene, goal: int, index: int) -> bool:
    """Tell whether the user speaks of a goal, or of others with it, when a message is due."""
    told = [m.state.goal for m in scene.messages[:index] if m.role == "user" and m.state is not None]
    request = next((group for group in scene.blueprint.scenario.requests if goal in group), (goal,))
    return bool(told) and told[-1] in request


def missing_confirmation(scene: Scene) -> Messages | None:
    """Act without the confirmation that a rule asks for."""
    options: list[Messages] = []
    for index in range(1, len(scene.messages) - 1):
        question, answer = scene.messages[index], scene.messages[index + 1]
        follows = scene.messages[index + 2] if index + 2 < len(scene.messages) else None
        if question.act == "confirm_request" and answer.act == "affirm" and follows is not None and follows.tool_calls:
            before = scene.messages[index - 1]
            if before.role in ("user", "tool") and before.act != "affirm":
                options.append([*scene.messages[:index], *scene.messages[index + 2 :]])
    return scene.rng.choice(options) if options else None


def policy_broken(scene: Scene) -> Messages | None:
    """Do what a rule forbids."""
    options: list[Messages] = []
    for action in scene.blueprint.actions:
        if action.withheld is None or action.withheld.reason not in ("forbidden", "harmful", "unauthorised"):
            continue
        for index, message in enumerate(scene.messages):
            about = message.state.goal if message.state is not None else None
            if message.act == "refuse" and about == action.goal:
                call = new_call(action.tool, action.arguments, scene.rng)
                made = Message(role="assistant", tool_calls=(call,), act="call", state=message.state)
                options.append([*scene.messages[:index], made, result_of(call), *scene.messages[index:]])
                break
    return scene.rng.choice(options) if options else None


def false_claim(scene: Scene) -> Messages | None:
    """Leave a change out and say that it was made; or say that what is not to be done was done."""
    options: list[Messages] = []
    for action, made in scene.done(writes=True):
        used = {origin.action for other in scene.blueprint.calls for origin in other.origins.values()}
        if action.id in used or action.failed:
            continue
        told = outcome_told(scene.messages, made.index)
        if told is not None and claims(scene.messages[told]) and not busy(scene, action, made):
            options.append(without_call(scene.messages, made))
    held = {
        action.goal for action in scene.blueprint.actions if action.withheld and action.withheld.reason == "forbidden"
    }
    refusals = [
        index for index, message in enumerate(scene.messages)
        if message.act == "refuse" and message.state is not None and message.state.goal in held
    ]  # fmt: skip
    others = [m for m in scene.messages if m.act in ("response_fail", "refuse")]
    if len(refusals) == 1 and len(others) == 1:
        claim = scene.messages[refusals[0]].model_copy(
            update={"content": "All right, that has been done.", "act": "response"}
        )
        options.append([*scene.messages[: refusals[0]], claim, *scene.messages[refusals[0] + 1 :]])
    return scene.rng.choice(options) if options else None
