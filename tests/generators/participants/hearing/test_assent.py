"""What is a yes, what is a no, and what is neither."""

from itertools import product
from random import Random
from typing import get_args

import pytest

from interplay.generators.participants.hearing.assent import LONGEST, affirms, answered, declines, denies
from interplay.generators.participants.wording.habits import styled
from interplay.generators.participants.wording.languages import LANGUAGES, load_language
from interplay.generators.participants.wording.value_phrases import sentence
from interplay.schemas.records.recipe import Habit, Persona

HANDS: tuple[tuple[Habit, ...], ...] = ((), *((habit,) for habit in get_args(Habit)), get_args(Habit))


@pytest.mark.parametrize(
    "text",
    [
        "Yes", "YES!!!", "“Yes”", "**Yes**", "- Yes", "yesss", "y", "k", "ok.", "...ok", "Yessir", "Yup, all good", "Mhm", "👍", "OK 👍🏽", "Sure thing",
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


@pytest.mark.parametrize(
    "text",
    [
        "Yes, go ahead. How long does it take?", "Yes, go ahead. How long does it take", "Yes please! When will I get the confirmation?", "Yes. How long will that take?",
        "Yes, go ahead, how long does it take?", "Yes please, and how long will it take?", "yes go ahead and book it, how long does it take?", "How long does it take? Well, yes, go ahead.",
        "Yes, that's correct. Is there anything else I need to do?", "Sure, go ahead. Will I receive an email?", "Yes, please. What happens next?", "Please do. By the way, how soon will it be done?",
        "Yes, go ahead. What does it cost?", "Go ahead, please. How much is the fee?", "Yes, please cancel it. Does the refund go to my card?", "Yes, I confirm. What's the cancellation policy?",
        "Yes, go ahead. Quick question: how long does it take, and when will I hear from you?", "Yes, go ahead. Can I still cancel it later?", "Yes, please. Could you let me know how long it takes?",
        "Yes, do it. Also, where do I park?", "Yes, go ahead and cancel booking B-123. When will I get my money back?",
        "Ja, machen Sie das. Wie lange dauert das?", "Ja bitte! Wann bekomme ich die Bestätigung?", "Ja, nur zu. Was kostet das?", "Ja, bitte. Muss ich noch etwas tun?", "Ja, und wie lange dauert es?",
    ],
)  # fmt: skip
def test_hears_a_yes_beside_a_question_that_leaves_it_as_it_is(text: str) -> None:
    assert answered(text) == "yes"


@pytest.mark.parametrize(
    "text",
    [
        "Yes, but isn't it Friday?", "Yes, go ahead. Isn't it Friday?", "Yes, go ahead. It's on Friday, right?", "Yes, go ahead. Is it Friday?", "Yes, go ahead. Are you sure?",
        "Yes, go ahead. Can you make it Friday?", "Yes, but how long does it take?", "Yes. How long does it take if I pay now?", "Yes, go ahead. What about Friday?", "Yes, go ahead. How about 10:30?",
        "Yes. Which appointment is that?", "Yes, go ahead. Which one was it again?", "Yes, go ahead. Did I say Friday?", "Yes, go ahead. Could you add a second guest?", "Yes, go ahead. Why is it on Friday?",
        "Yes. What does it cost?", "Yes, what is the fee?", "Sure. How long does it take?", "Okay, how long does it take?", "How long does it take?", "Great, when will I get it?", "Yes? How long does it take?",
        "Yes, go ahead. How long does it take, and is it the blue one?", "Yes, go ahead. When is it, Friday?", "Yes. Hmm, wait. How long does it take?", "Yes, go ahead. Does it start on 5 May?",
        "Yes, go ahead. Won't it be too late?", "Yes, go ahead. What time is it at?", "Yes, go ahead. Do you mean the red one?", "Go ahead?", "Yes, go ahead. Will it be the red one?", "Yes, how long does it take and can you move it?",
        "Ja, aber ist das nicht am Freitag?", "Ja, machen Sie das. Das ist am Freitag, oder?", "Ja, nur zu. Ist das der richtige Termin?", "Gut. Wie lange dauert das?", "Ja, und welcher Termin ist das?",
    ],
)  # fmt: skip
def test_hears_no_yes_beside_a_question_about_what_is_to_be_done(text: str) -> None:
    assert answered(text) == "unclear"


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
        for words, tail in product(user["affirm"][tone], (*user["affirm_tail"][tone], *user["affirm_pressed"])):
            assert answered(written(sentence(words, tail))) == "yes", written(sentence(words, tail))
        for words in user["negate"]:
            assert answered(written(sentence(words))) == "no", written(sentence(words))


@pytest.mark.parametrize(
    "text",
    ["Ja, bitte", "Genau so", "Klar, nur zu", "Richtig, das passt", "Schön, nur zu.", "Das ist es, genau.", "Gut."],
)
def test_hears_agreement(text: str) -> None:
    assert affirms(text)
    assert not denies(text)


@pytest.mark.parametrize(
    "text", ["Nein, das nicht", "Nicht ganz", "Moment, noch nicht", "Gut, aber nein", "Ja, aber warten Sie"]
)
def test_hears_disagreement(text: str) -> None:
    assert denies(text)
    assert not affirms(text)


@pytest.mark.parametrize(
    "text",
    [
        "I'm sorry, but I can't do that here.",
        "That is outside of what I can do.",
        "I don't have a tool for music.",
        "I’m not able to play music.",
        "I have to decline.",
    ],
)
def test_hears_words_that_decline(text: str) -> None:
    assert declines(text)


def test_hears_what_is_declined() -> None:
    assert declines("Tut mir leid, das kann ich nicht machen.")
    assert not declines("Der Termin ist gebucht.")


@pytest.mark.parametrize(
    ("text", "declined"),
    [("To get there I need the right doctor first. Which one is it?", False), ("You need the owner for that.", True)],
)
def test_who_needs_something_first_declines_nothing(text: str, declined: bool) -> None:
    assert declines(text) == declined
