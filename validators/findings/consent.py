"""Which calls a user's yes was for: where it is followed by several, those of which the question that it answers told."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from interplay.schemas.protocols import Policy
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Message, ToolCall, Trajectory
from interplay.schemas.records.tool import Toolset
from interplay.schemas.words.text import Text, normalised
from interplay.validators.findings.announcement import AnnouncedCall, AnnouncedCalls
from interplay.validators.findings.confirmation import confirmations
from interplay.validators.findings.provenance import today_in
from interplay.validators.language.gloss import Gloss
from interplay.validators.language.paraphrase import SaidBefore

_BEFORE = 6
"""Messages before a question that says nothing itself in which it may have been said what it is about."""

_UNCHANGED = re.compile(r"\b(?:no|nothing|not|keine?|nichts)\b[^.,;:!?]*", re.IGNORECASE)
"""Words that say what is not to be done: no changes."""


_Made = tuple[int, ToolCall, Message | None]
"""A call with the index of the message that makes it, and the message that answers it."""


@dataclass(frozen=True)
class _Yes:
    """A yes: the message with it, the question that it answers, and the places of the calls that follow it."""

    answer: int
    question: int
    calls: tuple[int, ...]


class Consent:
    """Reads from a dialogue what the user agreed to; `policy` says which tools need that at all."""

    def __init__(self, toolset: Toolset, policy: Policy | None) -> None:
        self._policy = policy
        self._glossary = Gloss(toolset)
        self._steps = AnnouncedCalls(toolset)

    def given(self, trajectory: Trajectory, blueprint: Blueprint) -> tuple[bool, ...]:
        """Return for each call, in order, whether the user agreed to it just before.

        One call may follow each yes. Of several that need one, and come out well, those are agreed to of which the question,
        or the yes itself, told: by what they do, or by a value that tells them apart. Where a question tells of none, it
        is read with what was said before it; where that tells of none either, all are.
        """
        agreed = list(confirmations(trajectory.messages))
        if self._policy is None:
            return tuple(agreed)
        calls = tuple(trajectory.calls_with_results())
        for yes in _answers(trajectory, agreed, calls):
            places = [place for place in yes.calls if _needs_one(calls[place], self._policy)]
            if len(places) < 2:
                continue
            steps = self._steps.of(blueprint, trajectory, [calls[place][:2] for place in places])
            for place, told in zip(places, self._told(trajectory, blueprint, yes, steps), strict=True):
                agreed[place] = told
        return tuple(agreed)

    def _told(
        self, trajectory: Trajectory, blueprint: Blueprint, yes: _Yes, steps: Sequence[AnnouncedCall]
    ) -> list[bool]:
        code, today = blueprint.scenario.language, today_in([normalised(trajectory.system_prompt)])

        def hear(message: Message) -> Text:
            heard = _UNCHANGED.sub(" ", message.content) if message.role == "user" else message.content
            return normalised(self._glossary.gloss(heard, code))

        for first in (yes.question, max(yes.question - _BEFORE, 0)):
            said = [message for message in trajectory.messages[first : yes.answer + 1] if message.role != "tool"]
            asked = SaidBefore(tuple(map(hear, said)), today)
            about = next((step for step in steps if step.told(asked)), None)
            if about is not None:
                told = [step.told_beside(asked, steps) for step in steps]
                return told if any(told) else [step.key == about.key for step in steps]
        return [True] * len(steps)


def _needs_one(made: _Made, policy: Policy) -> bool:
    """Tell whether a call needs a yes and came out well."""
    _, call, answer = made
    return answer is not None and not answer.failed and policy.confirms(call.name)


def _answers(trajectory: Trajectory, agreed: Sequence[bool], calls: Sequence[_Made]) -> Iterator[_Yes]:
    """Yield each yes that calls follow."""
    after: dict[int, list[int]] = {}
    answers = [index for index, message in enumerate(trajectory.messages) if message.role == "user"]
    for place, (index, _, _) in enumerate(calls):
        if agreed[place]:
            after.setdefault(max(answer for answer in answers if answer < index), []).append(place)
    for answer, places in after.items():
        spoken = (index for index in range(answer - 1, -1, -1) if _speaks(trajectory, index))
        yield _Yes(answer, next(spoken, 0), tuple(places))


def _speaks(trajectory: Trajectory, index: int) -> bool:
    message = trajectory.messages[index]
    return message.role == "assistant" and bool(message.content.strip())
