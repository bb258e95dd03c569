"""Goals and their conditions -> the sentences with which users bring them up."""

import re

from interplay.generators.participants.wording.inflection import Wish
from interplay.generators.participants.wording.languages import Filling, fill
from interplay.generators.participants.wording.value_phrases import kinds_of
from interplay.generators.participants.wording.voice import Voice
from interplay.generators.participants.wording.woven_facts import place_of
from interplay.generators.phrases.pronouns import pronominal
from interplay.generators.phrases.wish_grammar import parsed
from interplay.schemas.records.blueprint import Condition, Goal
from interplay.schemas.words.lists import word_set
from interplay.schemas.words.nouns import is_plural


def say_wish(words: Voice, frame: str, intent: Filling, shown: bool = False) -> str:
    """Say a goal in a frame of the grammar; "know ..." becomes a question if the frame has one.

    So does "see ..." if a result is `shown`; without that, one may also "see a doctor".
    """
    own = words.lexicon.wish(intent) if words.lexicon is not None and isinstance(intent, str) else intent
    verb, _, rest = str(own).partition(" ")
    asked = own.asked if isinstance(own, Wish) else rest if verb == "know" else ""
    if asked and f"{frame}_know" in words.grammar:
        return words.draw(f"{frame}_know", what=asked)
    text = own.text if isinstance(own, Wish) else str(own)
    seen = re.fullmatch(words.language.speech["sees"], text) if shown and f"{frame}_see" in words.grammar else None
    if seen is None:
        return words.draw(frame, intent=own)
    if isinstance(own, Wish):
        return words.draw(f"{frame}_see", what=Wish(seen[1]).form(""))
    if seen[1].partition(" ")[0] in _QUESTIONS and f"{frame}_know" in words.grammar:
        return words.draw(f"{frame}_know", what=seen[1])
    wish = parsed(text)
    bare = not wish.determiner and is_plural(wish.head) and not wish.thing[0][:1].isupper()
    return words.draw(f"{frame}_see", what=f"the {seen[1]}" if bare else seen[1])


_QUESTIONS = word_set("stop_words", "questions")


def name_again(words: Voice, intent: str, noun: str) -> Filling:
    """Return a wish that refers to a row mentioned before: "cancel an order" -> "cancel that order"; empty if it names none."""
    if words.lexicon is None:
        place = place_of(intent, noun)
        return f"{place[0]}{pointed_out(words, place[1])}{place[2]}" if place is not None else ""
    term, wish = words.lexicon.term(noun, "noun"), words.lexicon.wish(intent)
    for form, again in words.language.grammar["again"].items():
        said, count = re.subn(rf"(?<!\w){re.escape(term.form(form))}(?!\w)", term.form(again), wish.text)
        if count == 1:
            return Wish(said, wish.know)
    return ""


def pointed_out(words: Voice, noun: str) -> str:
    """Return a reference to a row mentioned before: "that order"."""
    return fill(words.language.speech["same_thing"][is_plural(noun)], {"noun": noun})


def say_question(words: Voice, intent: str, further: bool = False) -> str:
    """Ask for what a user wants to know besides its wish: "know the price" -> "What is the price?"."""
    what = intent.removeprefix("know ")
    if words.lexicon is None and what != intent and what.startswith("the ") and not further:
        head = re.split(r" (?:of|for|in|on) ", what)[0]
        return words.draw("asks_the", what=what, **{"is": words.language.speech["is"][is_plural(head)]})
    return say_wish(words, "second" if further else "asks", intent)


def say_elliptical_wish(words: Voice, frame: str, goal: Goal, same: str) -> tuple[str, str]:
    """Say a goal with a pronoun for its object; return also `same`, unless the pronoun replaces it."""
    short = _pronominal(words, goal)
    said = (
        say_wish(words, frame, short)
        if isinstance(short, str) and short
        else words.draw(frame, intent=short or goal.intent)
    )
    return words.ordered(said), "" if short and goal.again == goal.topic else same


def can_be_elliptical(words: Voice, goal: Goal) -> bool:
    """Tell whether a wish and its questions can be said with a pronoun for its object."""
    named = words.lexicon is not None and any(question.words for question in goal.asks_for)
    return not named and bool(_pronominal(words, goal))


def say_vaguely(words: Voice, noun: str, new: bool) -> str:
    """Hint at a goal by its topic alone; `new` if the goal creates one."""
    many = noun.endswith("s") and not noun.endswith("ss")
    chosen = words.rng.choice(words.grammar["hints_many" if many else "hints_new" if new else "hints"])
    if words.lexicon is None:
        return words.draw("vague", noun=fill(chosen, {"noun": noun}))
    return words.draw("vague", noun=Wish(fill(chosen, {"noun": words.lexicon.term(noun, "noun")})))


def say_condition(words: Voice, condition: Condition) -> str:
    """Say the condition of a wish: "its status is open"."""
    label, noun = condition.label.removeprefix("is "), condition.noun
    if isinstance(condition.value, bool):
        slots: dict[str, Filling] = {"noun": noun}
        if words.lexicon is not None:
            slots = {"noun": words.lexicon.term(noun, "noun"), "label": words.lexicon.term(label)}
        own = words.lexicon.condition(label, condition.value, noun) if words.lexicon else ""
        own = own or words.language.clause("depends", label, kinds_of(label, condition.value), slots) or ""
        return own or words.fixed("depends_yes" if condition.value else "depends_no", noun=noun, label=label)
    said = words.value(condition.value, label)
    if condition.test != "is":
        said = words.draw(condition.test, value=said)
    frame = "depends_own" if label.startswith(noun) else "depends"
    frame += "_amount" if isinstance(condition.value, (int, float)) else ""
    verb = words.language.speech["is"][is_plural(label)]
    return words.quoted_once(words.fixed(frame, noun=noun, label=label, value=said, **{"is": verb}))


def say_conditional(words: Voice, goal: Goal, either: bool) -> str:
    """Say a wish with its condition; if both are about the same row, it is named only once."""
    condition = goal.condition
    assert condition is not None
    short = _pronominal(words, goal) if is_pronominal(words, goal) else ""
    intent = short or goal.intent
    if condition.otherwise:
        return words.ordered(words.draw("conditional_else", intent=intent))
    frame = "conditional_if" if either else "conditional"
    return words.ordered(words.draw(frame, intent=intent, condition=say_condition(words, condition)))


def is_pronominal(words: Voice, goal: Goal) -> bool:
    """Tell whether a conditional wish is said with a pronoun for the row of its condition."""
    return goal.condition is not None and goal.condition.noun == goal.topic and can_be_elliptical(words, goal)


def say_what_is_amiss(words: Voice, condition: Condition) -> str:
    """Say what is wrong now, right after the goal."""
    said = words.value(condition.value, condition.label)
    if isinstance(condition.value, bool):
        return words.draw("amiss_state", state=words.state(condition.label, condition.value, said))
    return words.draw("amiss", value=said)


def _pronominal(words: Voice, goal: Goal) -> Filling:
    """Return a wish with a pronoun for its object; empty if it has no plain object."""
    short = pronominal(goal.intent, goal.topic)
    if words.lexicon is None or not short:
        return short
    return words.lexicon.wish(goal.intent).pronominal or ""
