"""One side by rules, the other by a model -> a dialogue that both understand: words are interpreted before the rules answer."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Literal

from interplay.generators.participants.hearing.state_tracker import SURE, StateTracker
from interplay.generators.participants.wording.value_phrases import sentence
from interplay.generators.participants.wording.voice import Voice
from interplay.schemas.errors import Misunderstood
from interplay.schemas.protocols import Assistant, User
from interplay.schemas.records.dialogue import DialogueState, Message

MadeOut = Callable[[Sequence[Message]], Awaitable[Message]]
"""Returns the last message of a dialogue, with its act and state if it can tell them."""

AGAIN = 2
"""How many times in a row a player by rules asks again before it gives up."""

SHOWN = 200
"""Maximum characters of an unclear message that are kept as the reason."""


class TrackedPlayer:
    """A player through a model, whose messages get the act and state that a tracker reads in them.

    Messages that the tracker cannot interpret go to `made_out` first, if given.
    """

    def __init__(
        self, player: User | Assistant, tracker: StateTracker, begins: int = 0, made_out: MadeOut | None = None
    ) -> None:
        """Set up the player; the tracker follows from message `begins` on."""
        self._player = player
        self._tracker = tracker
        self._begins = begins
        self._made_out = made_out

    async def respond(self, messages: tuple[Message, ...]) -> Message:
        """Return the next message; see `User.respond` and `Assistant.respond`."""
        heard = (*messages, await self._player.respond(messages))[self._begins :]
        if self._made_out is not None:
            heard = (*heard[:-1], await self._made_out(heard))
        return self._tracker.track(heard)[-1]


class LatePlayer:
    """A player by rules in a continued dialogue: it sees only the messages since its task began."""

    def __init__(self, player: User | Assistant, begins: int) -> None:
        self._player = player
        self._begins = begins

    async def respond(self, messages: tuple[Message, ...]) -> Message:
        """Return the next message; see `User.respond` and `Assistant.respond`."""
        return await self._player.respond(messages[self._begins :])


class ClarifyingPlayer:
    """A player by rules that asks again if the model's words are unclear.

    If it has asked for a confirmation, it repeats that question, since a yes refers to the question right before it. If it gets
    no clear yes in the end, it does not act and ends the dialogue.
    """

    def __init__(self, player: User | Assistant, role: Literal["user", "assistant"], words: Voice) -> None:
        self._player = player
        self._role = role
        self._words = words
        self._asked = 0
        self._confirming: Message | None = None

    async def respond(self, messages: tuple[Message, ...]) -> Message:
        """Return the next message; see `User.respond` and `Assistant.respond`.

        Raises:
            Misunderstood: it has asked again `AGAIN` times in vain.
        """
        heard = messages[-1] if messages else None
        if heard is None or not is_unclear(heard, self._role):
            self._asked = 0
            return self._noted(await self._player.respond(without_detours(messages, self._role)), heard)
        if self._asked == AGAIN and self._confirming is not None:
            return self._left_undone(self._confirming)
        if self._asked == AGAIN:
            other = "assistant" if self._role == "user" else "user"
            raise Misunderstood(f"The {other}'s words were not understood: {heard.content[:SHOWN]}")
        self._asked += 1
        if self._confirming is not None:
            said = sentence(self._words.draw("confirm_again"), self._confirming.content)
            return self._confirming.model_copy(update={"content": said})
        before = heard.state or DialogueState()
        state = DialogueState(goal=before.goal, filled=before.filled)
        called = heard.act == "response" and any(message.role == "tool" for message in messages)
        again = "ask_whether" if called and self._role == "user" else "ask_again"
        return Message(role=self._role, content=self._words.draw(again), act="ask_again", state=state)

    def _left_undone(self, question: Message) -> Message:
        """Say goodbye without having done what was asked about."""
        state = (question.state or DialogueState()).model_copy(update={"next_act": "system_bye"})
        told = {"content": self._words.draw("unconfirmed"), "act": "system_bye", "state": state, "spoken": ()}
        return question.model_copy(update=told)

    def _noted(self, said: Message, heard: Message | None) -> Message:
        """Record an open confirmation request; a reminder after a digression does not replace it."""
        if said.act != "confirm_request":
            self._confirming = None
        elif heard is None or heard.act != "wander":
            self._confirming = said
        return said


def is_unclear(message: Message, role: str) -> bool:
    """Tell whether a message of the other side has no sure interpretation."""
    return message.role not in (role, "tool") and message.state is not None and message.state.confidence < SURE


def without_detours(messages: tuple[Message, ...], role: str) -> tuple[Message, ...]:
    """Return a dialogue without unclear messages and repeated questions; changes of offered tools are kept."""
    kept: list[Message] = []
    offered = None
    for message in messages:
        if is_unclear(message, role) or message.act == "ask_again":
            offered = message.offered if message.offered is not None else offered
            continue
        kept.append(message.model_copy(update={"offered": offered}) if message.offered is None and offered else message)
        offered = None
    return tuple(kept)
