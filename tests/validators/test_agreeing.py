"""What is a yes, what is a no, and what is neither."""

from itertools import product
from random import Random
from typing import get_args

import pytest

from interplay.generators.participants.languages import LANGUAGES, load_language
from interplay.generators.participants.speech import sentence
from interplay.generators.participants.styles import styled
from interplay.schemas.recipe import Habit, Persona
from interplay.validators.agreeing import LONGEST, affirms, answered, denies

HANDS: tuple[tuple[Habit, ...], ...] = ((), *((habit,) for habit in get_args(Habit)), get_args(Habit))


@pytest.mark.parametrize(
    "text",
    [
        "Yes", "YES!!!", "“Yes”", "**Yes**", "- Yes", "yesss", "y", "k", "ok.", "Yessir", "Yup, all good", "Mhm", "👍", "OK 👍🏽", "Sure thing",
        "Thanks, yes.", "Hi, yes please", "Why not?", "I do", "Please do.", "No changes, go ahead.", "No problem, go ahead.", "Works",
        "Yes, please reschedule my appointment to Friday 3 May at 10:30.", "Yes, cancel everything", "Yes, \"No refunds\" is the right title.",
        "Yes, that's correct. Please go ahead and cancel booking B-123 for Mia Torres.", "Yes. I don't need it anymore.",
        "Yes, could you do that, please?", "Yes, let me know when it's done.", "Yes — no further changes needed.", "OK, please cancel it.",
        "Right, that's correct.", "That's perfect. Thank you!", "I confirm the booking.", "Everything looks good to me. Please go ahead.",
        "The appointment on 3 May, yes.", "I can confirm that's correct.", "Yes. I understand that it can't be undone.", "Yes, use my card to cover any difference.", "Yes, please transfer me. ###STOP###",
        "jup", "jo, passt", "Klar, nur zu", "Ja, machen Sie das bitte.", "Ja, den brauche ich nicht mehr.", "Klingt gut, danke!", "Auf jeden Fall!",
        "Oui.", "Oui, volontiers. Merci !", "Sí, adelante", "Sì, grazie", "Да, конечно!", "はい、お願いします。", "好的，谢谢！", "हाँ, ठीक है", "نعم، موافق", "Ya, silakan",
    ],
)  # fmt: skip
def test_hears_a_yes(text: str) -> None:
    assert answered(text) == "yes"
    assert affirms(text)
    assert not denies(text)


@pytest.mark.parametrize(
    "text",
    [
        "No", "Nope", "👎", "Absolutely not!", "Definitely not.", "Certainly not.", "Of course not.", "That's the wrong appointment.", "That's wrong",
        "Okay wait, no", "Yes! No. Don't.", "No, please don't do that.", "I don't want that.", "I changed my mind.", "I'd rather not",
        "No, what else is there?", "That would be a mistake.", "Nein, das nicht", "Natürlich nicht.", "Sicher nicht.", "Bitte nicht.", "Auf keinen Fall",
        "Passt mir gar nicht.", "Richtig ist das nicht.", "Genau das wollte ich nicht.", "So machen wir es nicht.", "Moment, noch nicht",
        "Non, merci.", "Нет!", "いいえ", "不", "لا، شكرا", "Tidak.",
    ],
)  # fmt: skip
def test_hears_a_no(text: str) -> None:
    assert answered(text) == "no"
    assert denies(text)
    assert not affirms(text)


@pytest.mark.parametrize(
    "text",
    [
        "", "Maybe", "Perhaps.", "Yesterday", "I see", "What?", "Wait, what?", "Yes?", "I don't know", "I'm not sure", "Not sure", "Weiß ich nicht", "Please explain the fee.",
        "Yes, but make it Friday.", "Yes, make it Friday.", "Sure, but with card instead.", "Yes and no.", "Alright, alright, but not that one.", "Yes, later.",
        "Yes, if it's free.", "Yes, unless it costs extra.", "Yes, once you've checked the price.", "Yes, but I need to know the cost first.",
        "Great, but what does it cost?", "Yes. What does it cost?", "Good question, what does it cost?", "OK, what is the fee?", "Sure you have the right one?",
        "That's private. Can't you do it without?", "That's too expensive.", "Exactly which appointment is that?", "Correct the date first, it's the 5th.",
        "Right, let me think about it.", "Right now I can't decide.", "Right, I have a meeting then.", "Great, my wife will love Friday.", "Perfectly wrong.",
        "Certainly more than I want to pay.", "Sure, my number is 12.", "Confirm the price.", "Yes, please. Or rather, leave it.", "Ya no quiero.",
        "Yes, the other one.", "Yes to the first part only.", "Sure, if you insist.", "OK then, do nothing.", "I can't confirm that.", "You can go ahead, but only after lunch.",
        "Gut, aber was kostet das?", "Klar ist mir das nicht.", "Ja, aber erst nächste Woche.", "Ja, wenn es nichts kostet.", "Ja, lieber am Freitag.", "Was meinen Sie?",
        "Oui, mais vendredi.", "Sí, pero no hoy", "好的，但是太贵了", "Да, но дорого",
    ],
)  # fmt: skip
def test_takes_what_is_neither_for_no_answer(text: str) -> None:
    assert answered(text) == "unclear"
    assert not affirms(text)
    assert not denies(text)


def test_hears_nothing_in_a_text_that_is_too_long_for_an_answer() -> None:
    assert answered("Yes. ".ljust(LONGEST)) == "yes"
    assert answered("Yes. ".ljust(LONGEST + 1)) == "unclear"
    assert answered("exactly " * 1_000_000) == "unclear"


@pytest.mark.parametrize(("language", "hand"), list(product(LANGUAGES, HANDS)))
def test_hears_whatever_users_by_rules_agree_or_refuse_with(language: str, hand: tuple[Habit, ...]) -> None:
    def written(text: str) -> str:
        return styled(text, (), Persona(habits=hand), Random(len(text)), spoken.speech)

    for tone in ("plain", "friendly", "formal", "terse", "chatty"):
        spoken = load_language(language, tone)
        user = spoken.grammar["user"]
        for words, tail in product(user["affirm"][tone], (*user["affirm_tail"], *user["affirm_pressed"])):
            assert answered(written(sentence(words, tail))) == "yes", written(sentence(words, tail))
        for words in user["negate"]:
            assert answered(written(sentence(words))) == "no", written(sentence(words))
