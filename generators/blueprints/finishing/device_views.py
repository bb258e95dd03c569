"""Calls that the user makes on its own device -> the values that it tells of their results."""

from collections.abc import Mapping, Sequence
from typing import Any

from interplay.generators.blueprints.drafting.reported_values import ReportedValues
from interplay.generators.phrases.labels.field_labels import label_of
from interplay.generators.phrases.speakable_values import hint_of, speakable_leaves
from interplay.generators.results.result_kinds import list_in
from interplay.schemas.json.canonical import at_pointer
from interplay.schemas.json.fields import schema_at
from interplay.schemas.records.blueprint import Action, ExpectedOutput
from interplay.schemas.words.identifiers import name_tokens

TOLD = 5
"""The most values that a user reads out of a result, and the most items of a list that it names."""


def device_views(
    actions: Sequence[Action], values: Mapping[str, Any], reports: ReportedValues
) -> tuple[ExpectedOutput, ...]:
    """Return what the user tells of its own calls: the values that the assistant needs, else what is new or has changed."""
    toolset, found = reports.environment.toolset, list[ExpectedOutput]()
    seen: dict[str, Any] = {}
    looked: dict[str, Mapping[str, Any]] = {}
    for action in actions:
        if action.requestor == "user" and action.withheld is None:
            value = values[action.id]
            leaves = dict(speakable_leaves(value)) if isinstance(value, dict) else {}
            writes = toolset.tool(action.tool).effect == "write"
            known = seen if writes else looked.get(action.tool, {})
            for pointer in needed_of(action.id, actions) or _told(action, value, leaves, known, writes):
                schema = schema_at(toolset.tool(action.tool).returns, pointer)
                label = label_of(pointer) if pointer else "result"
                found.append(
                    ExpectedOutput(
                        action=action.id,
                        pointer=pointer,
                        label=label,
                        value=at_pointer(value, pointer),
                        hint=hint_of(schema),
                    )
                )
            seen |= leaves
            looked[action.tool] = leaves
    return tuple(found)


def needed_of(look: str, actions: Sequence[Action]) -> list[str]:
    """Return the pointers of values in the result of a user's call that calls of the assistant take."""
    calls = [action for action in actions if action.requestor == "assistant"]
    origins = [origin for action in calls for origin in action.origins.values() if origin.action == look]
    return list(dict.fromkeys(origin.pointer for origin in origins if origin.pointer is not None and not origin.fact))


def _told(action: Action, value: Any, leaves: Mapping[str, Any], known: Mapping[str, Any], writes: bool) -> list[str]:
    """Return the pointers that are told: of a read, new or changed values; of a write, what it changed or is named after."""
    if isinstance(value, str):
        return [""] if value.strip() and value.isprintable() else []
    if isinstance(value, (bool, int, float)):
        return [] if writes else [""]
    pointer, items = list_in(value) if isinstance(value, list) else ("", None)
    if items is not None:
        named = [
            (place, next((below for below, _ in speakable_leaves(item, naming=True)), None))
            for place, item in enumerate(items[:TOLD])
            if isinstance(item, dict)
        ]
        return [f"{pointer}/{place}{below}" for place, below in named if below is not None]
    if writes and not leaves.keys() & known.keys():
        tokens = set(name_tokens(action.tool))
        return [below for below in leaves if tokens & set(name_tokens(below))][:1]
    return [below for below, told in leaves.items() if known.get(below, leaves) != told][:TOLD]
