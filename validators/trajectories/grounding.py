"""Decide, from the messages alone, whether everything that an assistant passed to a tool came from somewhere."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from interplay.schemas.json.canonical import canonical_json, last_name, leaves
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Message, Trajectory, assistant_view
from interplay.schemas.records.failure import FailureKind
from interplay.schemas.records.tool import SEARCH_TOOL, Tool, Toolset
from interplay.schemas.records.verdict import Issue, Verdict
from interplay.schemas.words.mentions import said
from interplay.schemas.words.numbers import has_digits
from interplay.schemas.words.text import Text, normalised
from interplay.validators.findings.conformance import Prescribed, prescribed, same
from interplay.validators.findings.provenance import Provenance
from interplay.validators.language.gloss import Gloss
from interplay.validators.trajectories.statements import invented


class GroundingCheck:
    """Asks of each argument: who said so? The user, a result, the schema, the policy, or the system prompt."""

    name = "grounding"
    codes = ("false_statement", "ungrounded_argument", "unsupported_statement")
    faults: Mapping[str, FailureKind] = {
        "ungrounded_argument": "ungrounded_argument",
        "false_statement": "false_value",
    }

    def __init__(self, toolset: Toolset) -> None:
        self._tools = {tool.name: tool for tool in toolset.tools}
        self._glossary = Gloss(toolset)
        self._policy = "\n".join([toolset.policy, *(rule.text for rule in toolset.rules)])

    async def check(self, trajectory: Trajectory, blueprint: Blueprint) -> Verdict:
        """Return an issue for each argument leaf that nobody gave, and for each value that nothing says."""
        trajectory = self._glossary.glossed(trajectory, blueprint)
        before = blueprint.start.messages if blueprint.start else ()
        return Verdict(
            check=self.name, issues=tuple(grounding_issues(trajectory, self._tools, self._policy, before))
        )


def grounding_issues(
    trajectory: Trajectory, tools: Mapping[str, Tool], policy: str = "", before: Sequence[Message] = ()
) -> Iterator[Issue]:
    """Yield an issue for each argument leaf that nobody gave, and for each value stated that nothing before it says.

    `before` are the messages that were had before the dialogue.
    """
    sources = Provenance(trajectory.system_prompt, policy)
    for message in assistant_view(before):
        sources.hear(message)
        for call in message.tool_calls:
            sources.take(call.arguments)
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
            tool = tools.get(call.name)
            schema = tool.parameters if tool is not None else {}
            pointer = f"/messages/{index}/tool_calls/{place}/arguments"
            yield from _ungrounded(call.arguments, schema, sources, pointer)
            sources.take(call.arguments)
        if message.content:
            yield from _invented(message.content, trajectory, tools, sources, f"/messages/{index}/content")


def _invented(
    content: str, trajectory: Trajectory, tools: Mapping[str, Tool], sources: Provenance, pointer: str
) -> Iterator[Issue]:
    """Yield what a message states and nothing holds: an error where that is certain, else a warning."""
    text = normalised(content)
    if not has_digits(text.folded) and "@" not in content:
        return
    doubts = list(_unsupported(text, sources, pointer))
    stray = invented(text, sources, lambda: _told_of_tools(trajectory, tools), bool(doubts))
    if stray:
        message = f"Nothing before says {', '.join(stray[:5])}."[:200]
        yield Issue.of("false_statement", message, pointer)
    else:
        yield from doubts


def _told_of_tools(trajectory: Trajectory, tools: Mapping[str, Tool]) -> str:
    """Return what the definitions of the tools say that were called: their limits and units may be told."""
    names = dict.fromkeys(call.name for call in trajectory.calls() if call.name in tools)
    told = [tools[name] for name in names]
    return "\n".join(canonical_json([tool.description, tool.parameters, tool.returns]) for tool in told)


def _ungrounded(
    arguments: Mapping[str, Any], schema: Mapping[str, Any], sources: Provenance, pointer: str
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
                yield Issue.of("ungrounded_argument", text, pointer + where)


def _fixed(value: Any, says: Prescribed) -> bool:
    return any(same(value, fixed) for fixed in (*says.defaults, *says.constants))


def _grounded(value: Any, says: Prescribed, name: str, sources: Provenance) -> bool:
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


def _unsupported(text: Text, sources: Provenance, pointer: str) -> Iterator[Issue]:
    """Yield a warning if the assistant's prose names days or numbers that stand nowhere before it."""
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
        yield Issue.of("unsupported_statement", message, pointer, severity="warning")


def _strange_days(text: Text, sources: list[Text]) -> list[str]:
    """Return the days that no source names; of a numeric date that reads two ways, one reading suffices."""
    known = {day for day in text.moments.days if any(_knows(source, day) for source in sources)}
    known |= {(year, day, month) for year, month, day in known}
    strange = sorted(text.moments.days - known, key=str)
    return ["-".join(f"{part:02d}" for part in day if part is not None) for day in strange]


def _knows(text: Text, day: tuple[int | None, int, int]) -> bool:
    days = text.moments.days
    return day in days or any(known[1:] == day[1:] and (day[0] is None or known[0] is None) for known in days)
