"""Plants mistakes of assistants and faults of users in sound dialogues, which `labels.py` must label correctly."""

from collections.abc import Callable, Mapping

from interplay.flows.branches.mistakes import MISTAKES, replayed
from interplay.flows.branches.sound_dialogue import Messages, SoundDialogue, strange, with_call
from interplay.schemas.json.canonical import canonical_json, set_leaf
from interplay.schemas.json.validation import is_valid
from interplay.schemas.records.blueprint import Blueprint, Fact
from interplay.schemas.records.dialogue import DialogueState, Message, Trajectory
from interplay.schemas.words.mentions import said
from interplay.schemas.words.text import normalised

ASKING = ("request", "clarify", "suggest", "confirm_request")
__all__ = ["PLANTS", "SoundDialogue", "replayed", "without_acts"]


def user_fault(played: SoundDialogue) -> Messages | None:
    """Let the user end too early, withhold a fact, or say another value than it knows."""
    ways = [_user_ends, _user_keeps_back, _user_invents]
    played.rng.shuffle(ways)
    return next((made for way in ways if (made := way(played)) is not None), None)


def _bye(words: str) -> Messages:
    return [
        Message(role="user", content=words, act="user_bye"),
        Message(role="assistant", content="Goodbye!", act="system_bye"),
    ]


def _user_ends(played: SoundDialogue) -> Messages | None:
    options = [
        index
        for index, message in enumerate(played.messages)
        if message.role == "assistant" and not message.tool_calls and message.act in (*ASKING, "response")
        and any(made.index > index for _, made in played.needed())
    ]  # fmt: skip
    options = [index for index in options if played.messages[index].act != "response" or _something_left(played, index)]
    if not options:
        return None
    return [*played.messages[: played.rng.choice(options) + 1], *_bye("I have to go, never mind. Bye!")]


def _something_left(played: SoundDialogue, index: int) -> bool:
    """Tell whether a request was not brought up yet at a message."""
    raised = {m.state.goal for m in played.messages[: index + 1] if m.role == "user" and m.state is not None}
    return any(
        made.index > index and not raised & set(_request(played.blueprint, action.goal))
        for action, made in played.needed()
    )


def _request(blueprint: Blueprint, goal: int) -> tuple[int, ...]:
    return next((group for group in blueprint.scenario.requests if goal in group), (goal,))


def _told_at(played: SoundDialogue) -> list[tuple[int, Fact]]:
    """Return (index, fact) of messages in which the user tells a fact that it was asked for and that a call needs."""
    used = {o.fact for a, _ in played.needed() for o in a.origins.values() if o.kind == "user" and o.fact}
    found = []
    for index in range(1, len(played.messages)):
        question, message = played.messages[index - 1], played.messages[index]
        if message.role != "user" or message.act != "inform" or message.state is None or question.state is None:
            continue
        if len(message.state.told) == 1 and message.state.told[0] in used & set(question.state.asked):
            found.append((index, played.blueprint.scenario.fact(message.state.told[0])))
    return found


def _user_keeps_back(played: SoundDialogue) -> Messages | None:
    options = [(index, fact) for index, fact in _told_at(played) if not isinstance(fact.value, bool)]
    if not options:
        return None
    index, fact = played.rng.choice(options)
    silent = Message(
        role="user", content="Sorry, I don't know that.", act="fail_inform", state=DialogueState(goal=fact.goal)
    )
    text = "I'm sorry, without it I can't go on."
    sorry = Message(role="assistant", content=text, act="response_fail", state=DialogueState(goal=fact.goal))
    return [*played.messages[:index], silent, sorry, *_bye("Too bad. Bye.")]


def _user_invents(played: SoundDialogue) -> Messages | None:
    options = []
    for index, fact in _told_at(played):
        if isinstance(fact.value, bool) or fact.instead_of or not isinstance(fact.value, str | int | float):
            continue
        if any(done.fact == fact.id for done in played.blueprint.scenario.behaviours):
            continue
        told = {canonical_json(other.value) for other in played.blueprint.scenario.facts}
        for other in strange(fact.value, played.rng):
            if canonical_json(other) not in told and said(
                [normalised(f"It is {other}.")], other, fact.hint, fact.label
            ):
                options.append((index, fact, other))
    if not options:
        return None
    index, fact, other = played.rng.choice(options)
    messages = list(played.messages)
    messages[index] = messages[index].model_copy(update={"content": f"It is {other}."})
    changed = False
    for action, made in played.done():
        for pointer, origin in action.origins.items():
            if origin.kind == "user" and origin.fact == fact.id and made.index > index:
                calls = [c for c in messages[made.index].tool_calls if c.id == made.call.id]
                arguments = set_leaf(calls[0].arguments, pointer, other)
                if not is_valid(arguments, played.tools[action.tool].parameters):
                    return None
                call = made.call.model_copy(update={"arguments": arguments})
                messages[made.index] = with_call(messages[made.index], made.call.id, (call,))
                changed = True
    return messages if changed else None


PLANTS: Mapping[str, Callable[[SoundDialogue], Messages | None]] = {
    **{str(kind): plant for kind, plant in MISTAKES.items()},
    "user_fault": user_fault,
}


def without_acts(trajectory: Trajectory) -> Trajectory:
    """Return a dialogue as if models had worded it: without acts and states, except goodbyes that the user began."""
    plain: Messages = []
    gone = False
    for message in trajectory.messages:
        gone = gone or message.act == "user_bye"
        act = message.act if gone and message.act in ("user_bye", "system_bye") else None
        plain.append(message.model_copy(update={"act": act, "state": None, "spoken": (), "model": "model"}))
    return trajectory.model_copy(update={"messages": tuple(plain)})
