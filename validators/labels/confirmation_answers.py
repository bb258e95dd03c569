"""What the user answers to whether a step is to be done that it wants: no, or neither yes nor no."""

from collections.abc import Iterator

from interplay.schemas.records.blueprint import Action
from interplay.validators.labels.failed_attempt import FailedAttempt, Symptom
from interplay.validators.language.assent import denies

SURE = 0.5
"""The confidence from which on what was read in a message holds."""


def answers_to_confirm(attempt: FailedAttempt) -> Iterator[Symptom]:
    """Yield where the user says no to a step that is exactly what it wants, or leaves open whether it wants it."""
    yield from _took_back(attempt)
    yield from _never_confirms(attempt)


def _took_back(attempt: FailedAttempt) -> Iterator[Symptom]:
    """Yield where the user says no to a step that is exactly what it wants."""
    for action in attempt.missing:
        if not attempt.writes(action.tool) or any(made.call.name == action.tool for made in attempt.matching.added):
            continue
        for index in _asked_to_confirm(attempt, action):
            message = attempt.messages[index]
            refused = message.act == "negate" if message.act is not None else denies(message.content)
            if refused and index > attempt.begin(action):
                yield Symptom(index, "user_fault", "The user refuses what it wants.")


def _never_confirms(attempt: FailedAttempt) -> Iterator[Symptom]:
    """Yield the first of the last answers that say neither yes nor no to a step that the user wants, if there are several."""
    for action in attempt.missing:
        unclear: list[int] = []
        for index in _asked_to_confirm(attempt, action):
            state = attempt.messages[index].state
            unclear = [*unclear, index] if state is not None and state.confidence < SURE else []
        if len(unclear) > 1 and attempt.writes(action.tool):
            yield Symptom(
                unclear[0], "user_fault", "The user is asked whether to go ahead, and says neither yes nor no."
            )


def _asked_to_confirm(attempt: FailedAttempt, action: Action) -> Iterator[int]:
    """Yield the user's answers to whether an action is to be done."""
    for index, message in enumerate(attempt.messages[1:], start=1):
        question = attempt.messages[index - 1]
        about = question.state.goal if question.state is not None else None
        asked = about == action.goal or (about is None and attempt.on_topic(index - 1, action.goal))
        if message.role == "user" and question.act == "confirm_request" and asked:
            yield index
