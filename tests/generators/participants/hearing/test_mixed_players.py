"""One side by rules that hears a model: it asks again where it is lost, and gives up."""

import asyncio
from random import Random

import pytest
from tests.generators.participants.by_model.test_rewrite import Says

from interplay.generators.participants.hearing.mixed_players import AGAIN, ClarifyingPlayer, without_detours
from interplay.generators.participants.wording.voice import Voice, load_grammar
from interplay.schemas.errors import Misunderstood
from interplay.schemas.records.dialogue import DialogueAct, DialogueState, Message
from interplay.schemas.records.recipe import Persona

YES = Message(role="user", content="Yes.", act="affirm", state=DialogueState())


def heard(act: DialogueAct, confidence: float, content: str = "...", offered: tuple[str, ...] | None = None) -> Message:
    state = DialogueState(confidence=confidence)
    return Message(role="assistant", content=content, act=act, state=state, offered=offered)


def attentive() -> ClarifyingPlayer:
    return ClarifyingPlayer(Says(YES), "user", Voice(load_grammar()["user"], Random(1), Persona()))


def test_asks_again_in_other_words_and_then_gives_up() -> None:
    player, messages, asked = attentive(), [YES], []
    for _ in range(AGAIN):
        messages.append(heard("request", 0.3, "Mumble?"))
        messages.append(asyncio.run(player.respond(tuple(messages))))
        asked.append(messages[-1])
    assert {message.act for message in asked} == {"ask_again"}
    assert len({message.content for message in asked}) == AGAIN
    messages.append(heard("request", 0.3, "Mumble?"))
    with pytest.raises(Misunderstood, match="assistant's words were not understood: Mumble"):
        asyncio.run(player.respond(tuple(messages)))


def test_asks_again_for_a_yes_by_saying_again_what_it_is_for() -> None:
    asks = Message(role="assistant", content="Pay 40 EUR. Shall I?", act="confirm_request", state=DialogueState(goal=0))
    player = ClarifyingPlayer(Says(asks), "assistant", Voice(load_grammar()["assistant"], Random(1), Persona()))
    messages = [asks.model_copy(update={"content": "Hello?", "act": "clarify"}), YES]
    messages.append(asyncio.run(player.respond(tuple(messages))))
    for _ in range(AGAIN):
        messages.append(YES.model_copy(update={"content": "Hm?", "state": DialogueState(confidence=0.3)}))
        messages.append(asyncio.run(player.respond(tuple(messages))))
        assert messages[-1].content.endswith(asks.content)
        assert messages[-1].content.count(asks.content) == 1
        assert len(messages[-1].content) > len(asks.content)
        assert messages[-1].model_copy(update={"content": asks.content}) == asks
    left = asyncio.run(player.respond((*messages, YES.model_copy(update={"state": DialogueState(confidence=0.3)}))))
    assert (left.act, left.tool_calls, asks.content in left.content) == ("system_bye", (), False)
    kept = without_detours((*messages, YES), "assistant")
    assert [message.act for message in kept[2:]] == ["confirm_request"] * (AGAIN + 1) + ["affirm"]


def test_goes_on_once_it_understands() -> None:
    player, messages = attentive(), [YES]
    for confidence in (0.3, 0.3, 0.9, 0.3, 0.3, 0.9):
        messages.append(heard("request", confidence))
        messages.append(asyncio.run(player.respond(tuple(messages))))
    assert [message.act for message in messages[2::2]] == ["ask_again", "ask_again", "affirm"] * 2


def test_forgets_what_was_not_understood_but_not_what_is_offered() -> None:
    lost = heard("request", 0.3, offered=("b",))
    again = Message(role="user", content="Sorry?", act="ask_again", state=DialogueState())
    told = heard("request", 0.9, "Which day?")
    assert without_detours((YES, lost, again, told), "user") == (YES, told.model_copy(update={"offered": ("b",)}))
    assert without_detours((YES, told), "user") == (YES, told)
