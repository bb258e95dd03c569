"""Decides from the messages alone whether everything that an assistant passed to a tool or stated has a source."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date
from itertools import chain, takewhile
from typing import Any

from interplay.schemas.calls.first_page import first_page
from interplay.schemas.calls.implied_flags import is_implied_flag
from interplay.schemas.json.canonical import canonical_json, last_name, leaves, value_at
from interplay.schemas.json.fields import described_fields
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Message, Trajectory, assistant_view
from interplay.schemas.records.failure import FailureKind
from interplay.schemas.records.tool import SEARCH_TOOL, Tool, Toolset
from interplay.schemas.records.verdict import Issue, Verdict
from interplay.schemas.words.calendar import currency_words
from interplay.schemas.words.free_text import is_free_text
from interplay.schemas.words.mentions import said
from interplay.schemas.words.numbers import has_digits
from interplay.schemas.words.text import normalised
from interplay.validators.findings.arithmetic import Arithmetic
from interplay.validators.findings.conformance import Prescribed, prescribed, same
from interplay.validators.findings.provenance import Provenance, is_reckonable
from interplay.validators.findings.shown_rows import ShownRows
from interplay.validators.findings.translated_values import TranslatedValues
from interplay.validators.trajectories.statements import invented, sentences

_CAPITALS = re.compile(r"[A-Z]{2,3}")

COUNTED = 31
"""Whole numbers up to this must be said or returned; nearly any of them could be computed from something."""

_NOTHING = normalised("")


class GroundingCheck:
    """Looks for the source of each argument and stated value: the user, a result, the schema, policy or system prompt."""

    name = "grounding"
    codes = ("false_statement", "ungrounded_argument")
    faults: Mapping[str, FailureKind] = {
        "ungrounded_argument": "ungrounded_argument",
        "false_statement": "false_value",
    }

    def __init__(self, toolset: Toolset) -> None:
        self._tools = toolset.by_name
        self._glossary = TranslatedValues(toolset)
        self._policy = "\n".join([toolset.policy, *(rule.text for rule in toolset.rules)])

    async def check(self, trajectory: Trajectory, blueprint: Blueprint) -> Verdict:
        """Return an issue for each ungrounded argument leaf, and for each stated value without a source."""
        trajectory = self._glossary.glossed(trajectory, blueprint)
        before = blueprint.start.messages if blueprint.start else ()
        needed = {
            (action.tool, pointer, canonical_json(value_at(action.arguments, pointer)))
            for action in blueprint.actions
            for pointer, origin in action.origins.items()
            if origin.kind == "needed"
        }
        found = grounding_issues(trajectory, self._tools, self._policy, before, needed)
        return Verdict(check=self.name, issues=tuple(found))


def grounding_issues(
    trajectory: Trajectory,
    tools: Mapping[str, Tool],
    policy: str = "",
    before: Sequence[Message] = (),
    needed: Collection[tuple[str, str, str]] = (),
) -> Iterator[Issue]:
    """Yield an issue for each ungrounded argument leaf, and for each stated value that has no source before it.

    `before` are the messages from before the task. `needed` holds arguments (tool, pointer, value as JSON) without which the task
    fails: their values may come from the tool's definition.
    """
    sources, rows = Provenance(trajectory.system_prompt, policy), ShownRows()
    for message in assistant_view(before):
        sources.hear(message)
        for call in message.tool_calls:
            sources.take(call.arguments)
    # A search's result is no source of arguments, and the assistant does not see the results of the user's own calls.
    unheard = {call.id for call in trajectory.calls() if call.name == SEARCH_TOOL or call.requestor == "user"}
    writing = {call.id for call in trajectory.calls() if call.name in tools and tools[call.name].effect == "write"}
    for index, message in enumerate(trajectory.messages):
        if message.role != "assistant":
            if message.tool_call_id not in unheard:
                sources.hear(message)
                if message.role == "tool" and not message.failed:
                    rows.take(message.content, message.tool_call_id in writing)
            continue
        for place, call in enumerate(message.tool_calls):
            if call.name == SEARCH_TOOL:
                continue  # the query is in the assistant's own words
            tool = tools.get(call.name)
            schema = tool.parameters if tool is not None else {}
            pointer = f"/messages/{index}/tool_calls/{place}/arguments"
            reads = tool is not None and tool.effect == "read"
            free = {
                path
                for name, path, value in needed
                if name == call.name and _is_named(call.arguments, path, value, schema)
            }
            if tool is not None:
                free |= {
                    f"/{key}" for key, value in call.arguments.items() if value is True and is_implied_flag(tool, key)
                }
            shown = tool.returns if tool is not None and reads else None
            yield from _ungrounded(call.arguments, schema, sources, pointer, reads, free, shown)
            sources.take(call.arguments)
        if message.content:
            pointer = f"/messages/{index}/content"
            yield from _invented(message.content, trajectory, tools, sources, rows, pointer)
            yield from _mixed_up(message.content, rows, sources, pointer)
            for answer in _written(trajectory, index, tools):
                told = (rows.denied(sentence, answer.content, sources.user) for sentence in sentences(message.content))
                for stray in chain.from_iterable(told):
                    yield Issue.of("false_statement", f"{stray} is not what was written."[:200], pointer)


def _invented(
    content: str,
    trajectory: Trajectory,
    tools: Mapping[str, Tool],
    sources: Provenance,
    rows: ShownRows,
    pointer: str,
) -> Iterator[Issue]:
    """Yield an issue if a message states values that nothing before it holds."""
    text = normalised(content)
    if not has_digits(text.folded) and "@" not in content:
        return
    stray = invented(text, sources, lambda: _told_of_tools(trajectory, tools), rows.mentioned)
    if stray:
        yield Issue.of("false_statement", f"Nothing before says {', '.join(stray[:5])}."[:200], pointer)


def _mixed_up(content: str, rows: ShownRows, sources: Provenance, pointer: str) -> Iterator[Issue]:
    """Yield an issue for each sentence that tells one row's value of another row."""
    for sentence in sentences(content):
        for stray in rows.strays(sentence, sources.user):
            yield Issue.of("false_statement", f"{stray} is said of something else than it is shown for."[:200], pointer)


def _written(trajectory: Trajectory, index: int, tools: Mapping[str, Tool]) -> list[Message]:
    """Return the result of the write that a message reports, if it is the only call since the user spoke."""
    since = list(takewhile(lambda message: message.role != "user", reversed(trajectory.messages[:index])))
    calls = [call for message in since for call in message.tool_calls]
    answers = [message for message in since if message.role == "tool" and not message.failed]
    tool = tools.get(calls[0].name) if len(calls) == 1 else None
    return answers if tool is not None and tool.effect == "write" else []


def _told_of_tools(trajectory: Trajectory, tools: Mapping[str, Tool]) -> str:
    """Return the definitions of the called tools as text: the assistant may tell their limits and units."""
    names = dict.fromkeys(call.name for call in trajectory.calls() if call.name in tools)
    told = [tools[name] for name in names]
    return "\n".join(canonical_json([tool.description, tool.parameters, tool.returns]) for tool in told)


def _ungrounded(
    arguments: Mapping[str, Any],
    schema: Mapping[str, Any],
    sources: Provenance,
    pointer: str,
    reads: bool,
    free: Collection[str] = (),
    shown: Mapping[str, Any] | None = None,
) -> Iterator[Issue]:
    """Yield an issue for each argument leaf without a source; a call that `reads` has more freedom.

    `free` are pointers that need no source, and `shown` is the schema of the tool's result.
    """
    required = schema.get("required") or ()
    for path, value in leaves(arguments):
        if value is None or value == "" or value == {} or value == [] or path in free:
            continue
        says = prescribed(schema, path)
        name = last_name(path)
        chosen = path.strip("/") not in required or first_page(name, says.schema) is not None
        if _fixed(value, says) or (reads and _counts(value, says) and chosen):
            continue  # how many rows a read shows is up to the assistant
        items: list[tuple[str, Any]] = [(path, value)]
        if isinstance(value, list):
            items = [(f"{path}/{place}", item) for place, item in enumerate(value)]
        for where, item in items:
            told = says if where == path else prescribed(schema, where)
            if sources.was_passed(item) or _grounded(item, told, name, sources):
                continue
            parts = _quoted(item) if reads else []
            if parts and all(_grounded(part, told, name, sources) for part in parts):
                continue
            if any(item == field for field, _ in described_fields(shown)):
                continue  # {"field": "name"}: the name of a field to search by
            if not (reads and (_is_choice(item, told) or _is_near(item, sources))):
                text = f"Nobody gave {name or 'this'}: {canonical_json(item)[:80]}"
                yield Issue.of("ungrounded_argument", text, pointer + where)


def _quoted(value: Any) -> list[str]:
    """Return the quoted texts in a search expression: name ILIKE '%Ann Lee%'."""
    found = _QUOTED.findall(value) if isinstance(value, str) else []
    return [(single or double).strip("%* ") for single, double in found]


_QUOTED = re.compile(r"'([^']{1,200})'|\"([^\"]{1,200})\"")


def _counts(value: Any, says: Prescribed) -> bool:
    """Tell whether a value is a number, or digits as text if the default is such a text too."""
    written = [isinstance(each, str) and each.isdigit() for each in (value, *says.defaults)]
    return is_reckonable(value) or (len(written) > 1 and all(written))


def _fixed(value: Any, says: Prescribed) -> bool:
    return any(same(value, fixed) for fixed in (*says.defaults, *says.constants))


def _is_choice(value: Any, says: Prescribed) -> bool:
    """Tell whether a value is one of the choices that the schema lists or describes."""
    if not isinstance(value, str) or has_digits(value):
        return False
    told = [normalised(text) for schema in says.schemas if isinstance(text := schema.get("description"), str)]
    return any("enum" in schema for schema in says.schemas) or said(told, value)


def _is_named(arguments: Mapping[str, Any], path: str, wanted: str, schema: Mapping[str, Any]) -> bool:
    """Tell whether an argument has the needed value, and its schema names that value: a choice, a flag, a bound."""
    value = value_at(arguments, path)
    if canonical_json(value) != wanted:
        return False
    says = prescribed(schema, path)
    told = [normalised(text) for each in says.schemas if isinstance(text := each.get("description"), str)]
    items = value if isinstance(value, list) else [value]
    return isinstance(value, bool) or all(_is_choice(item, says) or said(told, item) for item in items)


def _is_near(value: Any, sources: Provenance) -> bool:
    """Tell whether a date is derived from a known one: a day or a week away, or a known number of days or weeks."""
    if not isinstance(value, str) or len(value) > len("2026-05-03"):
        return False
    try:
        day = date.fromisoformat(value)
    except ValueError:
        return False
    reckoning = Arithmetic(sources, "")
    steps = {1, 7, *reckoning.spans("day", _NOTHING), *(7 * count for count in reckoning.spans("week", _NOTHING))}
    return any(abs((day - known).days) in steps for known in reckoning.days)


def _grounded(value: Any, says: Prescribed, name: str, sources: Provenance) -> bool:
    if value is None or value == "" or _fixed(value, says) or sources.returned(value):
        return True
    if is_free_text(value, says.schemas) or (isinstance(value, str) and _abbreviates(value)):
        return True
    schema = next(
        (each for each in says.schemas if "enum" in each), says.schema
    )  # the one that says most about wording
    return (
        said(sources.user, value, schema, name)
        or said(sources.given, value, schema, name)
        or (not isinstance(value, bool) and said([*sources.user, *sources.results()], value, schema, name))
        or sources.named_relatively(value)
        or sources.names_parts(value)
        or (is_reckonable(value) and _reckoned(float(value), sources))
    )


def _abbreviates(value: str) -> bool:
    """Tell whether a value is an abbreviation of a name, as of an airport, a country or a currency."""
    return _CAPITALS.fullmatch(value) is not None or value in currency_words()


def _reckoned(number: float, sources: Provenance) -> bool:
    if number.is_integer() and abs(number) <= COUNTED:
        return False
    return Arithmetic(sources, "").gives(abs(number), 0 if number.is_integer() else 2, (), _NOTHING)
