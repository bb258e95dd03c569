"""A persona -> remarks about itself: its expertise, its age, its patience."""

from interplay.generators.participants.wording.voice import Voice

ASIDES = 0.02
"""Chance that somebody says a word about themselves, or adds one to an answer; of wordy people, three times that."""

HALF = 0.5


def say_aside(words: Voice, does: bool) -> str:
    """Return a remark that shows the persona's expertise, age or patience; mostly nothing.

    Only who wants something done, `does`, says that it was to be done long ago. Brief personas never make a remark, wordy
    ones more often. It holds no value and asks for nothing.
    """
    persona, rng = words.persona, words.rng
    if persona.verbosity == "brief" or persona.tone == "terse":
        return ""
    kinds = {"expertise": persona.expertise, "age": persona.age, "patience": persona.patience}
    fitting = [(f"aside_{kind}", own) for kind, own in kinds.items() if own in words.grammar[f"aside_{kind}"]]
    wordy = persona.verbosity == "wordy"
    if rng.random() >= (3 * ASIDES if wordy else ASIDES):
        return ""
    if wordy and does and rng.random() < HALF:
        return words.draw("aside_wordy")
    key, own = rng.choice(fitting) if fitting else ("", "")
    return str(rng.choice(words.grammar[key][own])) if key else ""


def say_afterthought(words: Voice) -> str:
    """Return what a wordy person adds to an answer now and then."""
    return words.draw("aside_answer") if words.persona.verbosity == "wordy" and words.rng.random() < ASIDES else ""
