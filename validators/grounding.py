"""Decide, from the messages alone, whether everything that an assistant passed to a tool came from somewhere."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any

from interplay.schemas.blueprint import Blueprint
from interplay.schemas.canonical import canonical_json, last_name, leaves
from interplay.schemas.dialogue import Message, Trajectory, assistant_view
from interplay.schemas.tools import SEARCH_TOOL, Toolset
from interplay.schemas.verdict import Issue, Verdict
from interplay.validators.amounts import has_digits
from interplay.validators.dates import relative_days
from interplay.validators.glossary import Glossary
from interplay.validators.mentions import said
from interplay.validators.schema import Prescribed, prescribed, same
from interplay.validators.text import Text, normalised

_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[T ].*)?")


class Sources:
    """What has been said and returned up to a point of a dialogue."""

    def __init__(self, system_prompt: str, policy: str) -> None:
        self.user: list[Text] = []
        self.given = [normalised(text) for text in (system_prompt, policy) if text]
        self._results: list[str] = []
        self._values: set[Any] = set()
        self._counts: set[float] = set()

    def hear(self, message: Message) -> None:
        """Take in a user's words or a tool's result."""
        if message.role == "user":
            self.user.append(normalised(message.content))
        elif message.role == "tool":
            self._results.append(message.content)
            try:
                result = json.loads(message.content)
            except ValueError:
                result = message.content
            _collect(result, self._values, self._counts)

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


class GroundingCheck:
    """Asks of each argument: who said so? The user, a result, the schema, the policy, or the system prompt."""

    name = "grounding"

    def __init__(self, toolset: Toolset) -> None:
        self._tools = {tool.name: tool for tool in toolset.tools}
        self._glossary = Glossary(toolset)
        self._policy = "\n".join([toolset.policy, *(rule.text for rule in toolset.rules)])

    async def check(self, trajectory: Trajectory, blueprint: Blueprint) -> Verdict:
        """Return an issue for each argument leaf that nobody gave."""
        trajectory = self._glossary.glossed(trajectory, blueprint)
        issues: list[Issue] = []
        sources = Sources(trajectory.system_prompt, self._policy)
        for message in assistant_view(blueprint.start.messages) if blueprint.start else ():
            sources.hear(message)
        # The definition of a tool gives no value to any argument, and what the user sees the assistant only hears of.
        unheard = {call.id for call in trajectory.calls() if call.name == SEARCH_TOOL or call.requestor == "user"}
        for index, message in enumerate(trajectory.messages):
            if message.role != "assistant":
                if message.tool_call_id not in unheard:
                    sources.hear(message)
                continue
            for place, call in enumerate(message.tool_calls):
                if call.name == SEARCH_TOOL:
                    continue  # the assistant's own words
                tool = self._tools.get(call.name)
                schema = tool.parameters if tool is not None else {}
                pointer = f"/messages/{index}/tool_calls/{place}/arguments"
                issues.extend(_ungrounded(call.arguments, schema, sources, pointer))
            if message.content:
                issues.extend(_unsupported(normalised(message.content), sources, f"/messages/{index}/content"))
        return Verdict(check=self.name, issues=tuple(issues))


def _ungrounded(
    arguments: Mapping[str, Any], schema: Mapping[str, Any], sources: Sources, pointer: str
) -> Iterator[Issue]:
    for path, value in leaves(arguments):
        if value is None or value == "" or value == {} or value == []:
            continue
        says = prescribed(schema, path)
        if _fixed(value, says):
            continue
        name = last_name(path)
        items: list[tuple[str, Any]] = [(path, value)]
        if isinstance(value, list):
            items = [(f"{path}/{place}", item) for place, item in enumerate(value)]
        for where, item in items:
            if not _grounded(item, says if where == path else prescribed(schema, where), name, sources):
                text = f"Nobody gave {name or 'this'}: {canonical_json(item)[:80]}"
                yield Issue(code="ungrounded_argument", message=text, pointer=pointer + where)


def _fixed(value: Any, says: Prescribed) -> bool:
    return any(same(value, fixed) for fixed in (*says.defaults, *says.constants))


def _grounded(value: Any, says: Prescribed, name: str, sources: Sources) -> bool:
    if value is None or value == "" or _fixed(value, says) or sources.returned(value):
        return True
    schema = _wording(says)
    return (
        said(sources.user, value, schema, name)
        or said(sources.given, value, schema, name)
        or (not isinstance(value, bool) and said([*sources.user, *sources.results()], value, schema, name))
        or sources.named_relatively(value)
    )


def _wording(says: Prescribed) -> Mapping[str, Any]:
    """Return the subschema that tells most of how a value is worded: the one with an enum, else the first."""
    return next((schema for schema in says.schemas if "enum" in schema), says.schema)


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


def _unsupported(text: Text, sources: Sources, pointer: str) -> Iterator[Issue]:
    """Yield a warning if the assistant's prose names days or numbers that stand nowhere before it."""
    if not has_digits(text.folded):
        return
    heard = [*sources.user, *sources.given]
    days = _strange_days(text, heard)
    numbers = [
        number
        for number in text.numbers
        if not sources.counted(number) and not any(number in known.numbers for known in heard)
    ]
    if days or numbers:
        returned = sources.results()
        days = _strange_days(text, [*heard, *returned]) if days else []
        numbers = [number for number in numbers if not any(number in known.all_numbers for known in returned)]
    stray = [f"{number:g}" for number in sorted(numbers)] + days
    if stray:
        message = f"Nothing before supports {', '.join(stray[:5])}."
        yield Issue(code="unsupported_statement", message=message, pointer=pointer, severity="warning")


def _strange_days(text: Text, sources: list[Text]) -> list[str]:
    """Return the days that no source names; of a numeric date that reads two ways, one reading suffices."""
    known = {day for day in text.moments.days if any(_knows(source, day) for source in sources)}
    known |= {(year, day, month) for year, month, day in known}
    strange = sorted(text.moments.days - known, key=str)
    return ["-".join(f"{part:02d}" for part in day if part is not None) for day in strange]


def _knows(text: Text, day: tuple[int | None, int, int]) -> bool:
    days = text.moments.days
    return day in days or any(known[1:] == day[1:] and (day[0] is None or known[0] is None) for known in days)
