"""A dialogue in another language -> the same with the tools' values added after the words that stand for them.

said      Der Status ist abgesagt.
glossed   Der Status ist abgesagt (cancelled).
"""

import re
from collections.abc import Mapping
from string import whitespace

from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Trajectory
from interplay.schemas.records.tool import Toolset

_END = f".!?…{whitespace}"


class TranslatedValues:
    """The words in other languages for enumeration values of a toolset."""

    def __init__(self, toolset: Toolset) -> None:
        self._values = {code: _by_word(told.values) for code, told in toolset.translations.items() if told.values}
        longest = {code: sorted(words, key=len, reverse=True) for code, words in self._values.items()}
        ways = {code: "|".join(map(re.escape, said)) for code, said in longest.items()}
        self._words = {code: re.compile(rf"(?<!\w)(?:{told})(?!\w)") for code, told in ways.items()}

    def glossed(self, trajectory: Trajectory, blueprint: Blueprint) -> Trajectory:
        """Return a dialogue with its messages glossed; one in English is returned unchanged."""
        code = blueprint.scenario.language
        if code not in self._values:
            return trajectory
        messages = [
            message
            if message.role == "tool" or not message.content
            else message.model_copy(update={"content": self.gloss(message.content, code)})
            for message in trajectory.messages
        ]
        return trajectory.model_copy(update={"messages": tuple(messages)})

    def gloss(self, text: str, code: str) -> str:
        """Return a text with the values that its words stand for in brackets, before its final punctuation."""
        if code not in self._words:
            return text
        said = dict.fromkeys(self._words[code].findall(text.lower()))
        values = [value for word in said for value in self._values[code][word]]
        place = len(text.rstrip(_END))
        return f"{text[:place]} ({', '.join(values)}){text[place:]}" if values else text


def _by_word(values: Mapping[str, str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for value, word in values.items():
        found.setdefault(word.lower(), []).append(value)
    return found
