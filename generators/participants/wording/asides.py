"""A persona -> remarks about itself: its expertise, its age, its patience."""

from interplay.generators.participants.wording.voice import Voice

ASIDES = 0.4
"""Chance that somebody says a word about themselves, or adds one to an answer."""


def say_aside(words: Voice) -> str:
    """Return a remark that shows the persona's expertise, age or patience; mostly nothing.

    Brief personas never make one, wordy ones always do. It holds no value and asks for nothing.
    """
    persona, rng = words.persona, words.rng
    if persona.verbosity == "brief" or persona.tone == "terse":
        return ""
    kinds = {"expertise": persona.expertise, "age": persona.age, "patience": persona.patience}
    fitting = [(f"aside_{kind}", own) for kind, own in kinds.items() if own in words.grammar[f"aside_{kind}"]]
    wordy = persona.verbosity == "wordy"
    said: list[str] = []
    if fitting and (wordy or rng.random() < ASIDES):
        key, own = rng.choice(fitting)
        said.append(rng.choice(words.grammar[key][own]))
    if wordy and (not said or rng.random() < ASIDES):
        said.append(words.draw("aside_wordy"))
    return " ".join(said)


def say_afterthought(words: Voice) -> str:
    """Return what a wordy person adds to an answer now and then."""
    return words.draw("aside_answer") if words.persona.verbosity == "wordy" and words.rng.random() < ASIDES else ""
