"""The calls of a dialogue compared with its blueprint's actions: which match, which are missing, which are added."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from interplay.schemas.json.canonical import canonical_json
from interplay.schemas.records.blueprint import Action, Blueprint
from interplay.schemas.records.dialogue import ToolCall, Trajectory
from interplay.schemas.records.tool import SEARCH_TOOL, Tool
from interplay.validators.findings.conformance import prescribed, same


@dataclass(frozen=True)
class MadeCall:
    """A call of a dialogue, with the index of its message and whether it failed."""

    index: int
    call: ToolCall
    failed: bool


@dataclass(frozen=True)
class Matching:
    """`places` maps ids of actions to their calls; `missing` are actions without a call, `added` calls without an action."""

    places: Mapping[str, MadeCall]
    missing: tuple[Action, ...]
    added: tuple[MadeCall, ...]


def call_key(name: str, arguments: Mapping[str, Any], tools: Mapping[str, Tool]) -> str:
    """Return a key that is equal for calls asking for the same: arguments that equal their default are left out."""
    tool = tools.get(name)
    return f"{name} {canonical_json(arguments if tool is None else _without_defaults(arguments, tool))}"


def _without_defaults(arguments: Mapping[str, Any], tool: Tool) -> dict[str, Any]:
    return {
        key: value
        for key, value in arguments.items()
        if not any(same(value, default) for default in prescribed(tool.parameters, f"/{key}").defaults)
    }


def match_calls(trajectory: Trajectory, blueprint: Blueprint, tools: Mapping[str, Tool]) -> Matching:
    """Match calls with the actions that ask for the same, in order; successful calls take precedence over failed ones.

    Tool searches, failed calls that were repeated, and reads repeated because of a faulty result are neither missing nor added.
    """
    broken: Counter[str] = Counter()
    waiting: dict[str, list[Action]] = {}
    for action in blueprint.calls:
        waiting.setdefault(call_key(action.tool, action.arguments, tools), []).append(action)
    places: dict[str, MadeCall] = {}
    tried: dict[str, list[MadeCall]] = {}
    added: list[MadeCall] = []
    for index, call, answer in trajectory.calls_with_results():
        if call.name == SEARCH_TOOL:
            continue
        made = MadeCall(index, call, answer is not None and answer.failed)
        key = call_key(call.name, call.arguments, tools)
        if answer is not None and answer.fault and not made.failed and call.name in tools:
            broken[key] += tools[call.name].effect == "read"
        left = waiting.get(key, [])
        if not left or (made.failed and not left[0].failed):
            tried.setdefault(key, []).append(made)
            continue
        places[left.pop(0).id] = made
    for key, attempts in tried.items():
        left = waiting.get(key, [])
        for made in attempts:
            if left:
                places[left.pop(0).id] = made
            elif broken[key] > 0 and not made.failed:
                broken[key] -= 1
            elif not made.failed or key not in waiting:
                added.append(made)
    missing = tuple(action for action in blueprint.calls if action.id not in places)
    return Matching(places, missing, tuple(sorted(added, key=lambda made: made.index)))
