"""A person -> what it says besides what it wants: how it knows its way, its age, its patience."""

from interplay.generators.participants.wording.voice import Voice

ASIDES = 0.4
"""Chance that somebody says a word about themselves, or adds one to an answer."""


def say_aside(words: Voice) -> str:
    """Return what shows of a person besides what it wants: how it knows its way, its age, its patience; mostly nothing.

    Those who are brief say none of it, those who are wordy always something. It holds no value and asks for nothing.
    """
    persona, rng = words.persona, words.rng
    if persona.verbosity == "brief" or persona.tone == "terse":
        return ""
    kinds = {"expertise": persona.expertise, "age": persona.age, "patience": persona.patience}
    fitting = [(f"aside_{kind}", own) for kind, own in kinds.items() if own in words.grammar[f"aside_{kind}"]]
    wordy = persona.verbosity == "wordy"
    said = [_draw_of(words, *rng.choice(fitting))] if fitting and (wordy or rng.random() < ASIDES) else []
    if wordy and (not said or rng.random() < ASIDES):
        said.append(words.draw("aside_wordy"))
    return " ".join(said)


def say_afterthought(words: Voice) -> str:
    """Return what a wordy person adds to an answer now and then."""
    return words.draw("aside_answer") if words.persona.verbosity == "wordy" and words.rng.random() < ASIDES else ""


def _draw_of(words: Voice, key: str, kind: str) -> str:
    """Return one alternative of an entry that has some for each kind of person."""
    chosen: str = words.rng.choice(words.grammar[key][kind])
    return chosen
