"""Other words for what the rules decide: which are taken, and what is wrong with those that are not."""

import asyncio
from typing import Any

import pytest
from tests.generators.participants.by_model.test_model_roles import Scripted

from interplay.generators.participants.by_model.rewrite import RewrittenPlayer
from interplay.schemas.errors import ModelError
from interplay.schemas.records.blueprint import Blueprint, Expected, ExpectedOutput, Fact, Scenario
from interplay.schemas.records.chat import ChatReply
from interplay.schemas.records.dialogue import DialogueState, Message, ToolCall, Usage
from interplay.schemas.records.recipe import Recipe

BLUEPRINT = Blueprint(
    id="b", recipe=Recipe(index=0, seed=0, target="book_visit", pattern="single"), toolset="", pattern="single",
    goals=(), actions=(), tools=("book_visit",), scenario=Scenario(facts=(
        Fact(id="f1", goal=0, label="dog", value=True),
        Fact(id="f2", goal=0, label="payment", value="direct debit", hint={"enum": ["direct debit", "card"]}),
        Fact(id="f3", goal=0, label="days", value=["2026-05-05", "2026-05-07"]),
    )),
    expected=Expected(digest="", outputs=(ExpectedOutput(action="a0", pointer="/paid", label="paid", value=False),)),
)  # fmt: skip


class Says:
    """A player that says one thing."""

    def __init__(self, message: Message) -> None:
        self.message = message

    async def respond(self, messages: tuple[Message, ...]) -> Message:  # noqa: ARG002
        """Say it."""
        return self.message


def said(act: str, content: str, *spoken: str, role: str = "user", **state: Any) -> Message:
    fields = {"role": role, "content": content, "act": act, "spoken": spoken, "state": DialogueState(**state)}
    return Message.model_validate(fields)


def reworded(message: Message, text: str, language: str = "") -> tuple[Message, RewrittenPlayer]:
    model = Scripted(ChatReply(value={"text": text}, usage=Usage(prompt=9), model="tiny"))
    role: Any = message.role
    player = RewrittenPlayer(Says(message), role, model, BLUEPRINT, language=language, tools=("book_visit", "search"))
    before = tuple(Message(role=side, content="When would you like to come?") for side in ("user", "assistant"))
    made = asyncio.run(player.respond(before))
    assert message.content in model.asked[0].messages[1].content
    assert "When would you like to come?" in model.asked[0].messages[1].content
    assert all(f"- {value}" in model.asked[0].messages[1].content for value in message.spoken) or language
    return made, player


DAY = said("inform", "The day is 4 May 2026, at 10 am, with Dr. Okafor.", "4 May 2026", "10 am", "Dr. Okafor")


def test_takes_words_that_keep_every_value() -> None:
    text = "I'd come on 4 May 2026 if that suits Dr. Okafor. One thing: 10 am is best."
    made, player = reworded(DAY, text)
    assert (made.content, made.model, made.act, made.state, made.spoken) == (
        text,
        "tiny",
        "inform",
        DAY.state,
        DAY.spoken,
    )
    assert player.counts == {"reworded": 1}
    assert player.usage.prompt == 9


@pytest.mark.parametrize(
    ("message", "text", "fault"),
    [
        (DAY, "   ", "empty"),
        (DAY, "On 4 May 2026 at 10, with Dr. Okafor.", "value_lost"),
        (DAY, "On 14 May 2026, at 10 am, with Dr. Okafor.", "value_lost"),
        (DAY, "On 4 May 2026, at 10 am, with Dr. Okafor, for 3 people.", "value_added"),
        (DAY, "On 4 May 2026, at 10 am, with Dr. Okafor, for three people.", "value_added"),
        (DAY, "On 4 May 2026 (a Monday), at 10 am, with Dr. Okafor.", "value_added"),
        (DAY, "On 4 May 2026, at 10 am, with Dr. Okafor, says Anna.", "value_added"),
        (DAY, "On 4 May 2026, at 10 am, with Dr. Okafor, or mail me@home.org.", "value_added"),
        (DAY, "On 4 May 2026, at 10 am, with Dr. Okafor. " + "Really. " * 60, "too_long"),
        (DAY, "- 4 May 2026\n- 10 am\n- Dr. Okafor", "markup"),
        (DAY, "Use book_visit for 4 May 2026, 10 am, Dr. Okafor.", "tool_named"),
        (said("confirm_request", "Shall I go ahead?", role="assistant"), "I go ahead.", "question_lost"),
        (said("affirm", "Yes, please."), "No, thanks.", "meaning_changed"),
        (said("affirm", "Yes, please."), "Perhaps.", "meaning_changed"),
        (said("negate", "No, not that."), "Yes, that.", "meaning_changed"),
        (said("refuse", "I'm sorry, I can't do that.", role="assistant"), "Consider it settled.", "meaning_changed"),
        (said("response", "That's done.", role="assistant"), "I can't do that.", "meaning_changed"),
        (said("affirm", "Yes, please."), "Yes, please. Or rather, leave it.", "meaning_changed"),
        (said("inform", "By direct debit.", told=("f2",)), "By direct debit, or card.", "value_added"),
        (said("inform", "By direct debit.", told=("f2",)), "By direct debit. No, wait, cash.", "meaning_changed"),
        (said("choose", "Then the first."), "When would you like to come?", "repeated"),
        (said("call", "I'll find the right tool for this.", role="assistant"), "value", "too_short"),
        (said("call", "Checking now.", role="assistant"), "value", "too_short"),
        (said("request", "All I need is your birth date.", role="assistant"), "Colourless green ideas.", "meaning_changed"),
        (said("inform_intent_clear", "I have to sign up at the clinic."), "Furiously sleeping.", "meaning_changed"),
        (said("inform", "With a dog.", told=("f1",)), "Without a dog.", "value_lost"),
        (said("response", "It is not paid.", role="assistant"), "It is paid.", "value_lost"),
    ],
)  # fmt: skip
def test_keeps_the_sentence_where_other_words_do_not_say_it(message: Message, text: str, fault: str) -> None:
    made, player = reworded(message, text)
    assert made is message
    assert player.counts == {fault: 1}


def test_says_nothing_else_in_the_same_words() -> None:
    wordings = {"call": "One moment.", "request": "And the day?", "response": "All is well now."}
    model = Scripted(*[ChatReply(value={"text": "Bon, un moment."}, model="tiny")] * 3)
    player = Says(DAY)
    rewriting = RewrittenPlayer(player, "assistant", model, BLUEPRINT, language="French")
    spoken = []
    for act, words in wordings.items():
        player.message = said(act, words.replace("?", "."), role="assistant")
        spoken.append(asyncio.run(rewriting.respond(())).content)
    assert spoken == ["Bon, un moment.", "And the day.", "All is well now."]
    assert rewriting.counts == {"reworded": 1, "repeated": 2}


def test_takes_only_words_in_which_the_values_are_heard() -> None:
    message = said("inform", "On 5 and 7 May 2026.", "5 and 7 May 2026", told=("f3",))
    made, player = reworded(message, "7 May 2026和5。", language="Chinese")
    assert made is message
    assert player.counts == {"value_lost": 1}
    unpaid = said("response", "It is not paid.", role="assistant")
    assert reworded(unpaid, "还没有付款。", language="Chinese")[0] is unpaid  # which no check would hear
    assert reworded(message, "是5 and 7 May 2026。", language="Chinese")[1].counts == {"reworded": 1}


def test_takes_any_language_with_the_values_as_they_are() -> None:
    german = "Am 4 May 2026 um 10 am bei Dr. Okafor, bitte; der Montag passt."
    made, player = reworded(DAY, german, language="German")
    assert made.content == german
    assert "Write in German" in player._prompt.content
    chosen = said("choose", "The second one, please.", "the second one")
    assert reworded(chosen, "Das zweite, bitte.", language="German")[0].content == "Das zweite, bitte."
    several = said("inform", "For Ana, Bo and Cy.", "Ana, Bo and Cy")
    assert reworded(several, "Für Ana, Bo und Cy.", language="German")[0].content == "Für Ana, Bo und Cy."
    assert reworded(DAY, "Am 5 May 2026 um 10 am bei Dr. Okafor.", language="German")[0] is DAY


@pytest.mark.parametrize(
    ("language", "right", "wrong"),
    [
        ("Japanese", "4 May 2026の10 amに、Dr. Okaforです。", "4 May 2026の10 amに、Dr. Okafoです。"),
        ("Korean", "4 May 2026에 10 am입니다. Dr. Okafor와 함께.", "14 May 2026에 10 am입니다. Dr. Okafor와 함께."),
        ("Chinese", "4 May 2026，10 am，是Dr. Okafor。", "4 May 2026，10 am，是Dr. Okafor，P-0021。"),
        ("Thai", "วันที่4 May 2026เวลา10 amกับDr. Okafor", "วันที่4 May 2026เวลา10 pmกับDr. Okafor"),
        ("Hungarian", "4 May 2026-ra, 10 am-re, Dr. Okafor-hoz.", "4 May 2026-ra, 10 am-re, Dr. Okafor-hoz, 65-re."),
        ("Turkish", "4 May 2026'da, 10 am'de, Dr. Okafor'a.", "4 May 2026'da, 10 am'de, Dr. Okafor'a, 3'te."),
    ],
)
def test_values_may_take_particles_and_endings(language: str, right: str, wrong: str) -> None:
    assert reworded(DAY, right, language)[0].content == right
    assert reworded(DAY, wrong, language)[0] is DAY


YES, NO = said("affirm", "Yes, please."), said("negate", "No, not that.")
REFUSAL = said("refuse", "I'm sorry, I can't do that.", role="assistant")


@pytest.mark.parametrize(
    ("message", "language", "right", "wrong"),
    [
        (YES, "German", "Ja, sehr gern.", "Nein, auf keinen Fall, bitte nichts tun."),
        (NO, "German", "Nein, das nicht.", "Ja, gern."),
        (REFUSAL, "German", "Das kann ich leider nicht machen.", "Alles klar, das ist erledigt."),
        (YES, "French", "Oui, volontiers.", "Non, surtout pas, ne faites rien."),
        (NO, "français", "Non, pas ça.", "Oui, volontiers."),
        (REFUSAL, "fr", "Désolée, je ne peux pas.", "D'accord, c'est fait."),
        (YES, "Spanish", "Sí, adelante.", "No, gracias."),
        (REFUSAL, "Portuguese", "Lamento, não posso.", "Claro, está feito."),
        (YES, "Italian", "Certo, va bene.", "No, lasci stare."),
        (NO, "Russian", "Нет, не это.", "Да, конечно."),
        (YES, "Chinese", "好的，没问题。", "不，不可以。"),
        (REFUSAL, "Japanese", "申し訳ありませんが、できません。", "はい、完了しました。"),
        (YES, "Hindi", "हाँ, ठीक है।", "नहीं, मत कीजिए।"),
        (YES, "Arabic", "نعم، بالتأكيد.", "لا، شكرا."),
        (NO, "Indonesian", "Tidak, bukan itu.", "Ya, silakan."),
    ],
)
def test_a_yes_stays_a_yes_in_any_language_that_is_known(
    message: Message, language: str, right: str, wrong: str
) -> None:
    assert reworded(message, right, language)[0].content == right
    made, player = reworded(message, wrong, language)
    assert made is message
    assert player.counts == {"meaning_changed": 1}


def test_a_yes_keeps_its_words_where_nobody_knows_the_language() -> None:
    made, player = reworded(YES, "Igen, persze.", language="Hungarian")
    assert made is YES
    assert player.counts == {"not_heard": 1}
    assert reworded(said("inform", "It is old."), "Ez régi.", language="Hungarian")[0].content == "Ez régi."


def test_leaves_silent_calls_and_calls_themselves_alone() -> None:
    call = ToolCall(id="abcdefghi", name="book_visit", arguments={"day": "2026-05-04"})
    silent = Message(role="assistant", act="call", tool_calls=(call,))
    model = Scripted()
    assert asyncio.run(RewrittenPlayer(Says(silent), "assistant", model, BLUEPRINT).respond(())) is silent
    assert model.asked == []
    speaking = silent.model_copy(update={"content": "One moment."})
    assert reworded(speaking, "Let me see.")[0].tool_calls == (call,)


def test_keeps_the_sentence_where_no_answer_comes() -> None:
    class Refusing:
        async def complete(self, request: Any) -> ChatReply:
            """Refuse."""
            raise ModelError(f"no {request.role}")

    player = RewrittenPlayer(Says(DAY), "user", Refusing(), BLUEPRINT)
    assert asyncio.run(player.respond(())) is DAY
    assert player.counts == {"no_answer": 1}
