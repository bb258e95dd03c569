"""What a dialogue has said, passed and returned up to a point: where each value of an assistant may come from."""

import json
import re
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from interplay.schemas.json.canonical import canonical_json, leaves
from interplay.schemas.records.dialogue import Message
from interplay.schemas.words.dates import relative_days
from interplay.schemas.words.mentions import said
from interplay.schemas.words.text import Text, normalised

_INDEX = re.compile(r"/\d+(?=/|$)")
_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[T ].*)?")


class Provenance:
    """What has been said and returned up to a point of a dialogue."""

    def __init__(self, system_prompt: str, policy: str) -> None:
        self.user: list[Text] = []
        self.given = [normalised(text) for text in (system_prompt, policy) if text]
        self._results: list[str] = []
        self._values: set[Any] = set()
        self._counts: set[float] = set()
        self._passed: list[Mapping[str, Any]] = []
        self._heard: list[str] = [text.raw.lower() for text in self.given]

    def hear(self, message: Message) -> None:
        """Take in a user's words or a tool's result."""
        if message.role == "user":
            self.user.append(normalised(message.content))
            self._heard.append(message.content.lower())
        elif message.role == "tool":
            self._results.append(message.content)
            self._heard.append(message.content.lower())
            try:
                result = json.loads(message.content)
            except ValueError:
                result = message.content
            _collect(result, self._values, self._counts)

    def take(self, arguments: Mapping[str, Any]) -> None:
        """Take in what was passed to a tool: it may be told, and is judged for itself."""
        self._passed.append(arguments)

    def passed(self) -> list[Text]:
        """Return the texts of what was passed to tools."""
        return [normalised(canonical_json(arguments)) for arguments in self._passed]

    def holds(self, word: str) -> bool:
        """Tell whether a word in lower case stands in what was said, passed or returned."""
        return any(word in text for text in self._heard) or any(word in text.raw.lower() for text in self.passed())

    def heard(self, number: float) -> bool:
        """Tell whether the user, the policy or the system prompt says a number."""
        return any(number in text.numbers for text in (*self.user, *self.given))

    def numbers(self) -> list[float]:
        """Return the numbers of the earlier results, and how long their lists are."""
        return [*self._counts, *(float(value) for value in self._values if isinstance(value, (int, float)))]

    def columns(self) -> list[list[float]]:
        """Return the numbers that stand at the same place of each item of a list, for each list of the earlier results."""
        found: dict[tuple[int, str], list[float]] = {}
        for place, text in enumerate(self._results):
            try:
                result = json.loads(text)
            except ValueError:
                continue
            for pointer, value in leaves(result):
                if isinstance(value, (int, float)) and not isinstance(value, bool):
                    found.setdefault((place, _INDEX.sub("/*", pointer)), []).append(float(value))
        return list(found.values())

    def returned(self, value: Any) -> bool:
        """Tell whether an earlier result holds exactly this value."""
        return _hashable(value) in self._values

    def counted(self, number: float) -> bool:
        """Tell whether an earlier result holds this number, or that many items."""
        return number in self._values or number in self._counts

    def results(self) -> list[Text]:
        """Return the texts of the earlier results."""
        return [normalised(text) for text in self._results]

    def named_relatively(self, value: Any) -> bool:
        """Tell whether the user named this day relative to the first date that the system prompt gives."""
        found = _DATE.fullmatch(value) if isinstance(value, str) else None
        today = today_in(self.given) if found is not None else None
        if found is None or today is None:
            return False
        day = int(found[1]), int(found[2]), int(found[3])
        if not any(day in relative_days(text.folded, today) for text in self.user):
            return False
        return len(value) <= 10 or said([*self.user, *self.results()], value[11:16])


def today_in(given: Iterable[Text]) -> date | None:
    """Return the first date that texts name, if they name one in a year."""
    for text in given:
        for year, month, day in sorted(found for found in text.moments.days if found[0] is not None):
            try:
                return date(year or 1, month, day)
            except ValueError:
                continue
    return None


def _collect(value: Any, values: set[Any], counts: set[float]) -> None:
    if isinstance(value, (str, int, float)):  # most values, before the slow check
        values.add(_hashable(value))
    elif isinstance(value, list):
        counts.add(float(len(value)))
        for item in value:
            _collect(item, values, counts)
    elif isinstance(value, Mapping):
        for item in value.values():
            _collect(item, values, counts)
    else:
        values.add(value)


def _hashable(value: Any) -> Any:
    return ("boolean", value) if isinstance(value, bool) else value
