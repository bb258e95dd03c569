"""Tools -> the values that they take, the calls that let them succeed, and their results, all found by calling.

start_engine(mode="START")   fails: "All doors must be locked"           ->  lock_doors(unlock=False, doors=[...]),
    after lock_doors          fails: "The brake pedal must be pressed"       press_brake_pedal(position=1)
    after press_brake_pedal   succeeds
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from interplay.generators.graph.sampling.argument_samples import sample_arguments
from interplay.generators.graph.sampling.world import World
from interplay.generators.graph.trials.bounded_calls import Call, TrialCalls, said
from interplay.generators.graph.trials.value_hints import candidates, choices, told_values
from interplay.generators.values.schema_values import Unsatisfiable
from interplay.schemas.json.canonical import canonical_json
from interplay.schemas.json.fields import object_properties, schema_type
from interplay.schemas.records.dialogue import ToolResult
from interplay.schemas.records.tool import EnablingCall, Precondition, Tool, ToolRole
from interplay.schemas.words.identifiers import name_tokens

SAMPLES, STEPS, VARIANTS, ROUNDS = 5, 8, 10, 5
"""Calls with random arguments, steps towards a call that succeeds, variants of one enabling call, rounds over all tools."""

KINDS = 6
"""The most values of a choice that are each tried separately."""

EACH = 1_500
"""The most calls that are made for one tool."""

KEPT, GRID = 8, 12
"""The most values of one argument that are kept, and steps of a grid between two numbers that work."""


@dataclass
class Way:
    """How a call came to succeed: the calls before it, its arguments, and its result."""

    before: list[Call]
    arguments: dict[str, Any]
    value: Any


@dataclass
class Found:
    """The findings about one tool: ways by choice, results of calls, and the values that it takes by argument."""

    ways: dict[str, Way] = field(default_factory=dict)
    values: dict[str, list[Any]] = field(default_factory=dict)
    answers: list[Any] = field(default_factory=list)
    failure: str = ""


class Explorer:
    """Tries tools out, at first each one alone; `holding` returns what the state holds."""

    def __init__(self, world: World, trials: TrialCalls, holding: Any) -> None:
        self.world, self.trials, self._holding = world, trials, holding
        self.found = {tool.name: Found() for tool in world.tools.values()}

    def explore(self) -> dict[str, Found]:
        """Return the findings by tool; the state is left as it was."""
        try:
            for tool in sorted(self.world.tools.values(), key=lambda tool: tool.effect):
                self._alone(tool)
            for _ in range(ROUNDS):
                if not sum(self._reach(tool, fixed) for tool, fixed in self._open()):
                    break
        finally:
            self.trials.reset()
        return self.found

    def _alone(self, tool: Tool) -> None:
        """Call a tool with random arguments, for each of its choices separately."""
        found = self.found[tool.name]
        for fixed in kinds(tool):
            for number in range(SAMPLES):
                arguments = self._sampled(tool, fixed, number)
                result = None if arguments is None else self.trials.after((), (tool.name, arguments))
                if arguments is not None and result is not None and result.error is None:
                    found.answers.append(result.value)
                    found.ways.setdefault(canonical_json(fixed), Way([], arguments, result.value))
                elif result is not None and result.error is not None:
                    found.failure = result.error

    def _open(self) -> list[tuple[Tool, dict[str, Any]]]:
        """Return the tools, with their choices, for which no call has succeeded yet."""
        return [
            (tool, fixed)
            for tool in self.world.tools.values()
            for fixed in kinds(tool)
            if canonical_json(fixed) not in self.found[tool.name].ways
        ]

    def _sampled(self, tool: Tool, fixed: Mapping[str, Any], number: int) -> dict[str, Any] | None:
        self.trials.reset()
        try:
            chosen = {f"/{name}": value for name, value in fixed.items()}
            return sample_arguments(self.world, tool, Random(f"try/{tool.name}/{number}"), chosen)
        except Unsatisfiable:
            return None

    def _reach(self, tool: Tool, fixed: dict[str, Any]) -> bool:
        """Search for preceding calls and arguments with which a tool succeeds; tell whether some were found."""
        found, spent = self.found[tool.name], self.trials.made
        for number in range(2):
            arguments = self._sampled(tool, fixed, number)
            way = None if arguments is None else self._way(tool, fixed, arguments, spent + EACH)
            if way is not None:
                way = self._shortest(tool.name, way)
                found.ways[canonical_json(fixed)] = way
                found.answers.append(way.value)
                return True
        return False

    def _shortest(self, name: str, way: Way) -> Way:
        """Leave out the preceding calls that a call does not need."""
        for call in list(way.before):
            fewer = [other for other in way.before if other is not call]
            result = self.trials.after(fewer, (name, way.arguments))
            if result is not None and result.error is None:
                way = Way(fewer, way.arguments, result.value)
        return way

    def values(self, tool: Tool) -> dict[str, list[Any]]:
        """Return the values that a tool takes, by argument; without arguments that take any value or refer to rows."""
        ways, required = list(self.found[tool.name].ways.items()), tool.required
        taken: dict[str, list[Any]] = {}
        for name in kinds(tool)[0]:
            taken[name] = [json.loads(key)[name] for key, _ in ways]
        for name, schema in object_properties(tool.parameters).items():
            if (
                not ways
                or name not in required
                or name in taken
                or f"/{name}" in self.world.roles[tool.name].references
            ):
                continue
            way = ways[0][1]
            kind = schema_type(schema)
            if kind == "boolean" or "enum" in schema or self._takes_any(tool, way, name):
                continue
            tried = [way.arguments[name], *choices(schema)] if name in way.arguments else []
            self.trials.reset()
            changes = candidates(tool, way.arguments, self.found[tool.name].failure, self._holding())
            tried += [made[name] for made in changes if made.get(name) != way.arguments.get(name)]
            several = list({canonical_json(value): value for value in tried}.values())[: EACH // 4]
            working = [value for value in several if value != [] and self._works(tool, way, name, value)]
            if kind in ("integer", "number") and len(working) > 1:
                low, high = min(working), max(working)
                grid = [round(low + (high - low) * step / GRID) for step in range(1, GRID)]
                working += [value for value in grid if value not in working and self._works(tool, way, name, value)]
            if working:
                taken[name] = working[:KEPT]
        return taken

    def _takes_any(self, tool: Tool, way: Way, name: str) -> bool:
        """Tell whether a tool takes every value that is made up for an argument."""
        for number in range(SAMPLES):
            made = self._sampled(tool, {}, number)
            if made is not None and name in made and not self._works(tool, way, name, made[name]):
                return False
        return True

    def _works(self, tool: Tool, way: Way, name: str, value: Any) -> bool:
        result = self.trials.after(way.before, (tool.name, {**way.arguments, name: value}))
        return result is not None and result.error is None

    def _way(self, tool: Tool, fixed: dict[str, Any], arguments: dict[str, Any], most: int) -> Way | None:
        """Search step by step, each step leading to another failure, until the call succeeds; else None."""
        before: list[Call] = []
        result = self.trials.after(before, (tool.name, arguments))
        seen: set[str] = set()
        for _ in range(STEPS):
            if result is None:
                return None
            if result.error is None:
                return Way(before, arguments, result.value)
            seen.add(said(result.error, arguments))
            step = self._step(tool, fixed, arguments, before, result.error, seen, most)
            if step is None:
                return None
            before, arguments, result = step
        return None

    def _step(
        self, tool: Tool, fixed: dict[str, Any], arguments: dict[str, Any], before: list[Call], failure: str,
        seen: set[str], most: int,
    ) -> tuple[list[Call], dict[str, Any], ToolResult] | None:  # fmt: skip
        """Return a call that succeeds, else one that fails differently; further preceding calls rank before other arguments."""
        others: list[tuple[list[Call], dict[str, Any], ToolResult]] = []
        for calls, made in self._tries(tool, fixed, arguments, before, failure):
            if self.trials.made >= most or self.trials.is_spent:
                break
            result = self.trials.after(calls, (tool.name, made))
            if result is None:
                continue
            if result.error is None:
                return calls, made, result
            if said(result.error, made) not in seen:
                others.append((calls, made, result))
        others.sort(key=lambda each: len(each[0]) == len(before))
        return others[0] if others else None

    def _tries(
        self, tool: Tool, fixed: dict[str, Any], arguments: dict[str, Any], before: list[Call], failure: str
    ) -> Iterator[tuple[list[Call], dict[str, Any]]]:
        for call in self._enabling(tool, arguments, failure):
            yield [*before, *call], arguments
        self.trials.reset()
        for name, given in before:
            self.trials.now(name, given)
        for made in candidates(tool, arguments, failure, self._holding(), fixed):
            yield before, made

    def _enabling(self, tool: Tool, arguments: Mapping[str, Any], failure: str) -> Iterator[list[Call]]:
        """Yield writes that are known to succeed, after those they need, the ones that the failure mentions first."""
        spoken = _stems(failure)
        writers = [
            name
            for name, found in self.found.items()
            if name != tool.name and found.ways and self.world.tools[name].effect == "write"
        ]
        writers.sort(key=lambda name: -len(spoken & _stems(name)))
        for name in writers:
            for way in list(self.found[name].ways.values()):
                for given in self._variants(name, way, arguments):
                    yield [*way.before, (name, given)]

    def _variants(self, name: str, way: Way, arguments: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return arguments of an enabling call: known ones, the same with values of the call, and each choice in turn."""
        fields = object_properties(self.world.tools[name].parameters)
        same = {key: value for key, value in arguments.items() if key in way.arguments and key in fields}
        made = [{**way.arguments, **{key: value for key, value in same.items() if _is_scalar(value)}}, way.arguments]
        for key, schema in fields.items():
            if key in way.arguments and (schema_type(schema) != "string" or "enum" in schema):
                for base in made[: VARIANTS // 2]:
                    made += [
                        {**base, key: value} for value in [*self.found[name].values.get(key, ()), *choices(schema)]
                    ]
        unique = {canonical_json(item): item for item in made}
        return list(unique.values())[: VARIANTS * 2]


def kinds(tool: Tool) -> list[dict[str, Any]]:
    """Return the alternatives of what a tool does: each value of its first short required enumeration."""
    for name, schema in object_properties(tool.parameters).items():
        listed = schema.get("enum") or (told_values(schema) if schema_type(schema) == "string" else [])
        if name in tool.required and 1 < len(listed) <= KINDS and not {type(item) for item in listed} - {str}:
            return [{name: item} for item in listed]
    return [{}]


def precondition(fixed: dict[str, Any], way: Way) -> Precondition | None:
    """Return the calls that a way needs first as a precondition, or None if there are none."""
    if not way.before:
        return None
    calls = []
    for name, given in way.before:
        same = {
            key: key
            for key, value in given.items()
            if key in way.arguments and way.arguments[key] == value and key not in fixed and not isinstance(value, bool)
        }
        rest = {key: value for key, value in given.items() if key not in same}
        calls.append(EnablingCall(tool=name, arguments=rest, same=same))
    return Precondition(arguments=fixed, calls=tuple(calls))


def is_meant(need: Precondition, arguments: Mapping[str, Any]) -> bool:
    """Tell whether a precondition applies to a call with these arguments."""
    return all(arguments.get(name) == value for name, value in need.arguments.items())


def enabling_calls(need: Precondition, arguments: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Return the calls that a precondition requires before a call with these arguments."""
    return [
        (
            call.tool,
            {**call.arguments, **{name: arguments[other] for name, other in call.same.items() if other in arguments}},
        )
        for call in need.calls
    ]


def _is_scalar(value: Any) -> bool:
    return isinstance(value, (str, int)) and not isinstance(value, bool)


def _stems(text: str) -> set[str]:
    """Return the first letters of the words of a text, which inflected forms share: lock and locked."""
    return {token[:4] for token in name_tokens(text) if len(token) > 2}


def needs(role: ToolRole, found: Found) -> ToolRole:
    """Return a role with the preconditions that were found."""
    made = [precondition(json.loads(key), way) for key, way in found.ways.items()]
    return role.model_copy(update={"needs": tuple(item for item in made if item is not None)})
