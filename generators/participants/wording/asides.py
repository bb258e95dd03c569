"""A persona -> remarks about itself: its expertise, its age, its patience."""

from interplay.generators.participants.wording.voice import Voice

ASIDES = 0.02
"""Probability of a remark about oneself, or of an addition to an answer; three times that for remarks of wordy personas."""

HALF = 0.5


def say_aside(words: Voice, does: bool) -> str:
    """Return a remark that shows the persona's expertise, age or patience; mostly empty.

    Only a user who wants something done (`does`) says that it was overdue. Brief personas never make a remark, wordy
    ones more often. A remark holds no value and asks for nothing.
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
    """Return an addition to an answer, now and then, for wordy personas."""
    return words.draw("aside_answer") if words.persona.verbosity == "wordy" and words.rng.random() < ASIDES else ""
