"""A tool -> what all its calls share: required arguments, references, and optional ones that people use."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from random import Random
from typing import Any

from interplay.generators.blueprints.arguments.known_values import nobody_says
from interplay.generators.blueprints.arguments.shared_arguments import (
    common_arguments,
    names_row_again,
    naming_row,
    repeats_identity,
)
from interplay.generators.graph.sampling.argument_samples import fresh_value, is_fixed
from interplay.generators.graph.sampling.essential_arguments import essentials_of, makes_identity
from interplay.generators.graph.sampling.world import World
from interplay.generators.phrases.intents import intents_of
from interplay.generators.phrases.plain_phrases import plain_question
from interplay.generators.phrases.speakable_values import is_technical
from interplay.generators.phrases.wish_grammar import parsed
from interplay.generators.results.calculation import expression_of
from interplay.generators.values.schema_values import Unsatisfiable, is_told
from interplay.generators.values.texts.ideas import draw_idea, lacks_words
from interplay.generators.values.texts.names.named_texts import is_shown
from interplay.schemas.calls.antecedent import referred
from interplay.schemas.calls.first_page import first_page, is_paging
from interplay.schemas.json.canonical import canonical
from interplay.schemas.json.fields import described_fields, schema_at, schema_type
from interplay.schemas.json.validation import is_valid
from interplay.schemas.records.tool import READING, PolicyRule, Tool, ToolRole
from interplay.schemas.words.identifiers import name_tokens

BY_HISTORY = ("identify_first", "requires", "confirm_before")
"""Kinds of rules that earlier calls may satisfy."""


_POINTING = re.compile(r"\b(?:this|that|these|those)\b", re.IGNORECASE)
"""Words that point at something said before, as nothing was when a question opens a request."""


@dataclass(frozen=True)
class Inputs:
    """What one tool takes: names of required arguments, of references, and of optional ones that people use.

    `fillers` are valid stand-ins for references whose rows are chosen later. `essential` arguments are optional but
    always given. `rules` are the policy rules that govern the tool. `where` are the arguments that locate a row, and are
    shared with the tools that show such rows. `states` are the statuses that a row must have for the tool, by field.
    `again` maps arguments that repeat an identity to the one that gives it. `wordless` are those for which no realistic
    text is known.
    """

    tool: Tool
    required: frozenset[str]
    references: frozenset[str]
    optional: tuple[str, ...]
    fillers: Mapping[str, Any]
    role: ToolRole
    essential: tuple[str, ...] = ()
    rules: tuple[PolicyRule, ...] = ()
    where: frozenset[str] = frozenset()
    states: Mapping[str, frozenset[str]] = field(default_factory=dict)
    again: Mapping[str, str] = field(default_factory=dict)
    wordless: frozenset[str] = frozenset()
    _schemas: dict[str, dict[str, Any]] = field(default_factory=dict, init=False, repr=False, compare=False)
    _resources: dict[str, str | None] = field(default_factory=dict, init=False, repr=False, compare=False)

    @cached_property
    def intents(self) -> tuple[str, ...]:
        """Phrases for what people want of the tool."""
        return intents_of(self.tool)

    @cached_property
    def questions(self) -> tuple[str, ...]:
        """Questions that the result answers; derived from the intents where nobody has authored any."""
        if self.tool.phrases.wishes:
            return tuple(text for text in self.tool.phrases.questions if _POINTING.search(text) is None)
        sought = self.required - self.references
        if any(first_page(name, self.schema(f"/{name}")) is None for name in sought):
            return ()  # a search for something particular is no "which are there?"
        derived = plain_question(self.intents[0], self.role)
        return (derived,) if derived else ()

    @cached_property
    def implied(self) -> frozenset[str]:
        """The arguments whose values the wish itself implies."""
        return frozenset(self.tool.phrases.implied)

    @cached_property
    def works_out(self) -> bool:
        """Whether the tool evaluates an expression."""
        return expression_of(self.tool) is not None

    @cached_property
    def strict(self) -> frozenset[str]:
        """The rules that nothing done before a call can satisfy."""
        return frozenset(rule.id for rule in self.rules if rule.kind not in BY_HISTORY and not rule.after)

    def schema(self, pointer: str) -> dict[str, Any]:
        """Return the schema of the argument at a pointer."""
        if pointer not in self._schemas:
            self._schemas[pointer] = schema_at(self.tool.parameters, pointer)
        return self._schemas[pointer]

    def resource(self, pointer: str) -> str | None:
        """Return the resource whose identity the argument at a pointer holds."""
        if pointer not in self._resources:
            self._resources[pointer] = referred(self.role, pointer)
        return self._resources[pointer]


def said_at_least(inputs: Inputs, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return arguments without optional ones that equal their defaults; an update keeps them all."""
    if inputs.role.operation == "update":
        return arguments
    said = {key: value for key, value in arguments.items() if not _goes_without_saying(inputs, key, value)}
    return said if len(said) < len(arguments) and is_valid(said, inputs.tool.parameters) else arguments


def _goes_without_saying(inputs: Inputs, key: str, value: Any) -> bool:
    if key in inputs.required or key in inputs.references:
        return False
    schema = inputs.schema(f"/{key}")
    return "default" in schema and canonical(schema["default"]) == canonical(value)


def inputs_of(world: World, name: str, can_find: Callable[[str], bool] = lambda _: True) -> Inputs:
    """Return what all calls of a tool share; `can_find` tells whether the user can name a row for a pointer."""
    tool, role = world.tools[name], world.roles[name]
    properties: Mapping[str, Any] = tool.properties
    required = frozenset(tool.required)
    references = frozenset(pointer.split("/")[1] for pointer in role.references)
    made = world.resources.get(role.resource or "")
    own = made.identity if made is not None else None
    optional = tuple(
        key
        for key, schema in properties.items()
        if key not in required
        and not makes_identity(key, role, own)
        and not repeats_identity(key, tool, role, own)
        and not names_row_again(key, tool, role)
        and not (role.operation != "create" and is_paging(key))  # in a creation, `start` is a date
        and (key in references or (_is_simple(schema) and is_told(key, _without_null(schema))))
        if not is_technical(key, schema) and not is_fixed(schema)
        if key in references or role.operation in READING or not nobody_says(key, schema)
    )
    if tool.phrases.optional is not None:
        said = {name.partition(".")[0] for name in tool.phrases.optional}
        optional = tuple(key for key in optional if key in said)
    fillers = {}
    for key, schema in properties.items():
        if role.references.get(f"/{key}") in world.resources and schema_type(schema) in ("string", "integer"):
            try:
                fillers[key] = fresh_value(key, schema, Random(key))
            except Unsatisfiable:
                continue
    known = essentials_of(tool, role)
    found = (key for key in known.references if role.references[f"/{key}"] in world.resources and can_find(f"/{key}"))
    essential = tuple(key for key in (*known.names, *found) if key in optional)
    rules = tuple(rule for rule in world.environment.toolset.rules if not rule.tools or name in rule.tools)
    states = _states(tool, world) if role.operation != "create" else {}
    again = {key: naming_row(role) for key in properties if repeats_identity(key, tool, role, own)}
    where = _where(world, tool, role) | again.keys()
    idea = draw_idea(role.resource or "", Random(0), (*properties, *world.fields(role.resource)), world.about)
    wordless = frozenset(
        key for key in optional if lacks_words(idea, name_tokens(key)) and not is_shown(key, properties[key])
    )
    return Inputs(tool, required, references, optional, fillers, role, essential, rules, where, states, again, wordless)


def _states(tool: Tool, world: World) -> Mapping[str, frozenset[str]]:
    """Return the statuses, by field, that the wish for a tool mentions: "finalize a draft invoice" -> status: draft."""
    said, resource = set(parsed(intents_of(tool)[0].lower()).thing[:-1]), world.roles[tool.name].resource
    if not said or resource is None:
        return {}
    reading = (role.tool for role in world.roles.values() if role.resource == resource and role.operation in READING)
    shown = (world.tools[name].returns for name in (tool.name, next(reading, tool.name)))
    found: dict[str, set[str]] = {}
    for name, schema in chain.from_iterable(map(described_fields, shown)):
        named = {option for option in schema.get("enum", ()) if str(option).lower() in said}
        if named:
            found.setdefault(name, set()).update(named)
    return {name: frozenset(values) for name, values in found.items()}


def _where(world: World, tool: Tool, role: ToolRole) -> frozenset[str]:
    """Return the arguments of a tool that it shares with the tools showing its rows."""
    if role.resource is None or role.operation in ("create", "compute"):
        return frozenset()
    showing = (other for other in world.roles.values() if other.resource == role.resource and other.tool != tool.name)
    found = (
        common_arguments(tool, role, world.tools[other.tool], other)
        for other in showing
        if other.operation in ("list", "read")
    )
    return frozenset(name for names in found for name in names)


def _is_simple(schema: Mapping[str, Any]) -> bool:
    """Tell whether an optional field is simple enough for people to mention: a scalar or a list of scalars."""
    schema = _without_null(schema)
    kind = schema_type(schema)
    if schema.get("format") in ("binary", "byte", "uuid") or "oneOf" in schema or "anyOf" in schema:
        return False
    items = schema.get("items")
    return kind in ("string", "integer", "number", "boolean") or (
        kind == "array" and isinstance(items, Mapping) and schema_type(items) in ("string", "integer", "number")
    )


def _without_null(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a schema with its only branch other than null: frameworks wrap optional fields in such a union."""
    for key in ("anyOf", "oneOf"):
        branches = [branch for branch in schema.get(key, ()) if branch.get("type") != "null"]
        if len(branches) == 1 and len(schema[key]) > 1:
            return {**{name: value for name, value in schema.items() if name != key}, **branches[0]}
    return schema
