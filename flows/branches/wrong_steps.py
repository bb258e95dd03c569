"""A sound dialogue -> a copy with one wrong step: one left out, an early end, a rule broken, a false claim."""

from interplay.flows.branches.sound_dialogue import (
    Messages,
    SoundDialogue,
    busy,
    new_call,
    outcome_told,
    result_of,
    without_call,
)
from interplay.schemas.records.dialogue import DialogueState, Message
from interplay.schemas.records.tool import is_write
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


def missed_goal(played: SoundDialogue) -> Messages | None:
    """Leave out a call, and continue without mentioning it."""
    used = {origin.action for action in played.blueprint.calls for origin in action.origins.values()}
    options = [pair for pair in played.needed() if pair[0].id not in used]
    if not options:
        return None
    action, made = played.rng.choice(options)
    if any(other.goal == action.goal and other.id != action.id for other, _ in played.needed()):
        return None  # one message reports several calls of this goal
    messages = without_call(played.messages, made)
    told = outcome_told(messages, made.index)
    if told is None or (is_write(played.tools, action.tool) and busy(played, action, made)):
        return None
    content = played.rng.choice(LEFT_OUT)
    said = {"content": content, "act": "clarify", "state": DialogueState(), "spoken": ()}
    messages[told] = messages[told].model_copy(update=said)
    return messages


def early_stop(played: SoundDialogue) -> Messages | None:
    """Let the assistant say goodbye or give up before it has done everything."""
    options = [
        index
        for index, message in enumerate(played.messages)
        if message.role == "assistant" and index and played.messages[index - 1].role in ("user", "tool")
        and any(made.index >= index for _, made in played.needed())
    ]  # fmt: skip
    if not options:
        return None
    index = played.rng.choice(options)
    if any(message.act == "user_bye" for message in played.messages[:index]):
        return None
    state = played.messages[index].state
    goal = state.goal if state is not None else None
    bye = Message(
        role="assistant", content=played.rng.choice(GOODBYES), act="system_bye", state=DialogueState(goal=goal)
    )
    if played.rng.random() < 0.5:
        return [*played.messages[:index], bye]
    due = next(action for action, made in played.needed() if made.index >= index)
    text = played.rng.choice(GIVEN_UP)
    stop = Message(role="assistant", content=text, act="response_fail", state=DialogueState(goal=due.goal))
    end = Message(role="user", content="Oh. Goodbye then.", act="user_bye")
    if any(action.withheld and action.goal == due.goal for action in played.blueprint.actions):
        return [*played.messages[:index], bye]
    if not _asked_for(played, due.goal, index) or due.tool not in played.trajectory.offered_at(index):
        return [*played.messages[:index], bye]  # giving up would be right here
    return [*played.messages[:index], stop, end, bye]


def _asked_for(played: SoundDialogue, goal: int, index: int) -> bool:
    """Tell whether the user's last message before `index` is about the goal, or about another one of the same request."""
    told = [m.state.goal for m in played.messages[:index] if m.role == "user" and m.state is not None]
    request = next((group for group in played.blueprint.scenario.requests if goal in group), (goal,))
    return bool(told) and told[-1] in request


def missing_confirmation(played: SoundDialogue) -> Messages | None:
    """Leave out the question and answer by which a call was confirmed."""
    options: list[Messages] = []
    for index in range(1, len(played.messages) - 1):
        question, answer = played.messages[index], played.messages[index + 1]
        follows = played.messages[index + 2] if index + 2 < len(played.messages) else None
        if question.act == "confirm_request" and answer.act == "affirm" and follows is not None and follows.tool_calls:
            before = played.messages[index - 1]
            if before.role in ("user", "tool") and before.act != "affirm":
                options.append([*played.messages[:index], *played.messages[index + 2 :]])
    return played.rng.choice(options) if options else None


def policy_broken(played: SoundDialogue) -> Messages | None:
    """Make a call that a rule forbids."""
    options: list[Messages] = []
    for action in played.blueprint.actions:
        if action.withheld is None or action.withheld.reason not in ("forbidden", "harmful", "unauthorised"):
            continue
        for index, message in enumerate(played.messages):
            about = message.state.goal if message.state is not None else None
            if message.act == "refuse" and about == action.goal:
                call = new_call(action.tool, action.arguments, played.rng)
                made = Message(role="assistant", tool_calls=(call,), act="call", state=message.state)
                options.append([*played.messages[:index], made, result_of(call), *played.messages[index:]])
                break
    return played.rng.choice(options) if options else None


def false_claim(played: SoundDialogue) -> Messages | None:
    """Leave out a write but still report it; or replace a refusal by the claim that it was done."""
    options: list[Messages] = []
    for action, made in played.done(writes=True):
        used = {origin.action for other in played.blueprint.calls for origin in other.origins.values()}
        if action.id in used or action.failed:
            continue
        told = outcome_told(played.messages, made.index)
        if told is not None and claims(played.messages[told]) and not busy(played, action, made):
            options.append(without_call(played.messages, made))
    held = {
        action.goal for action in played.blueprint.actions if action.withheld and action.withheld.reason == "forbidden"
    }
    refusals = [
        index for index, message in enumerate(played.messages)
        if message.act == "refuse" and message.state is not None and message.state.goal in held
    ]  # fmt: skip
    others = [m for m in played.messages if m.act in ("response_fail", "refuse")]
    if len(refusals) == 1 and len(others) == 1:
        claim = played.messages[refusals[0]].model_copy(
            update={"content": "All right, that has been done.", "act": "response"}
        )
        options.append([*played.messages[: refusals[0]], claim, *played.messages[refusals[0] + 1 :]])
    return played.rng.choice(options) if options else None
