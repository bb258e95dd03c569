"""Recorded calls -> which output field fed which argument, and how often.

get_user -> {"reservations": ["ZFA04Y"]},  cancel(reservation_id="ZFA04Y")
->  ValueFlow(producer="get_user", output="/reservations/*", consumer="cancel", input="/reservation_id", count=1)
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from interplay.generators.importers.conversations.observed_calls import Observations, ObservedCall
from interplay.schemas.json.canonical import leaves, pointer_token, starred
from interplay.schemas.records.tool import Tool, Toolset
from interplay.schemas.records.tool_graph import ValueFlow

COMMON = 0.3
"""Share of recordings above which a value is too common to be evidence of a flow."""

PLACES = 12
"""Most fields per value considered as its source, within one recording; the latest ones count."""

LETTERS, CHARACTERS, NUMBER = 5, 4, 1_000
"""Least length of a text that counts, least length of one with a digit, and smallest number that counts."""

MAX_LEAVES = 5_000


def value_flows(toolset: Toolset, observations: Observations) -> tuple[ValueFlow, ...]:
    """Return the value flows of all recordings, most frequent first; result schemas of `toolset` tell maps from objects."""
    tools = {name: tool for tool in toolset.tools for name in (tool.original_name, tool.name)}
    common = _common(observations)
    counts: Counter[tuple[str, str, str, str]] = Counter()
    examples: dict[tuple[str, str, str, str], str] = {}
    for recording in observations.recordings:
        for flow, value in _flows(recording, tools, common):
            counts[flow] += 1
            examples.setdefault(flow, value)
    return tuple(
        ValueFlow(
            producer=flow[0], output=flow[1], consumer=flow[2], input=flow[3], count=count, example=examples[flow]
        )
        for flow, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    )


def _flows(
    recording: tuple[ObservedCall, ...], tools: Mapping[str, Tool], common: set[str]
) -> Iterator[tuple[tuple[str, str, str, str], str]]:
    """Yield each flow once per call that it fed, with the value."""
    returned: dict[str, dict[tuple[str, str], None]] = defaultdict(dict)
    for call in recording:
        tool = tools.get(call.name)
        if tool is None or call.failed:
            continue
        fed = {
            (value, producer, output, pointer)
            for pointer, value in argument_values(call.arguments)
            if value not in common
            for producer, output in list(returned.get(value, ()))[-PLACES:]
        }
        for value, producer, output, pointer in sorted(fed):
            yield (producer, output, tool.name, pointer), value
        for number, (pointer, value) in enumerate(result_values(call.value, tool.returns or {})):
            if number >= MAX_LEAVES:
                break
            returned[value].pop((tool.name, pointer), None)
            returned[value][tool.name, pointer] = None


def _common(observations: Observations) -> set[str]:
    """Return the argument values that occur in too many recordings to be evidence."""
    spread: Counter[str] = Counter()
    for recording in observations.recordings:
        spread.update({value for call in recording for _, value in argument_values(call.arguments)})
    least = max(3, COMMON * len(observations.recordings))
    return {value for value, count in spread.items() if count > least}


def argument_values(arguments: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the pointer (`*` for any index) and value of each rare leaf of a call's arguments."""
    for pointer, leaf in leaves(dict(arguments)):
        for value in leaf if isinstance(leaf, list) else [leaf]:
            if is_rare(value):
                yield starred(pointer), str(value)


def result_values(
    value: Any, schema: Mapping[str, Any], pointer: str = "", depth: int = 0
) -> Iterator[tuple[str, str]]:
    """Yield the pointer and value of each rare leaf of a result.

    In pointers, `*` is any index or any key of a map; `{key}` points to a map's key itself.
    """
    if depth > 12:
        return
    if isinstance(value, list):
        for item in value:
            yield from result_values(item, _below(schema, "items"), f"{pointer}/*", depth + 1)
    elif isinstance(value, dict):
        properties, mapped = schema.get("properties") or {}, _below(schema, "additionalProperties")
        for key, item in value.items():
            if mapped and key not in properties:
                yield from ((f"{pointer}/{{key}}", key),) if is_rare(key) else ()
                yield from result_values(item, mapped, f"{pointer}/*", depth + 1)
            else:
                below = properties.get(key)
                inner = below if isinstance(below, Mapping) else {}
                yield from result_values(item, inner, f"{pointer}/{pointer_token(str(key))}", depth + 1)
    elif is_rare(value):
        yield pointer, str(value)


def _below(schema: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = schema.get(key)
    return found if isinstance(found, Mapping) else {}


def is_rare(value: Any) -> bool:
    """Tell whether a value is rare enough that its second appearance is no coincidence."""
    if isinstance(value, bool) or value is None:
        return False
    if isinstance(value, (int, float)):
        return abs(value) >= NUMBER
    if not isinstance(value, str) or len(value) > 200:
        return False
    return len(value) >= (CHARACTERS if any(letter.isdigit() for letter in value) else LETTERS)
