"""A tool and the row that a call is about -> the optional arguments that the call gives."""

from collections.abc import Callable, Collection, Mapping
from random import Random
from typing import Any

from interplay.generators.blueprints.arguments.argument_labels import SEARCHED
from interplay.generators.blueprints.arguments.item_descriptions import AMOUNTS
from interplay.generators.blueprints.arguments.tool_inputs import Inputs
from interplay.generators.environments.inference.tool_words import bounding
from interplay.generators.graph.sampling.essential_arguments import is_called_by
from interplay.generators.graph.sampling.row_values import row_value
from interplay.generators.graph.sampling.world import Subject, World
from interplay.generators.phrases.labels.field_labels import (
    FIRST_NAMES,
    WHOLE_NAMES,
    is_half_name,
    label_of,
)
from interplay.generators.phrases.speakable_values import is_moment, is_of_a_record, is_opaque, speakable
from interplay.generators.values.number_values import AVERAGED
from interplay.generators.values.texts.ideas import is_called, is_written_about
from interplay.generators.values.texts.past_events import BIRTH
from interplay.schemas.calls.implied_flags import is_implied_flag
from interplay.schemas.json.fields import schema_type
from interplay.schemas.records.tool import Tool, ToolRole
from interplay.schemas.words.identifiers import last_word, name_tokens
from interplay.schemas.words.word_classes import is_participle, is_predicate

EXTRA_FILTERS, EXTRA_FIELDS, LINKED = 0.35, 0.4, 0.5
"""Chances that an optional filter, an optional field of a write, or an optional reference of a new row is given."""

FIELDS, WORDS = 2, 3
"""The most optional fields that are given, and the most words in the name of such a field."""

WHOLE = 4
"""The most optional fields that are given to a new row whose tool requires none."""

MANY = 20
"""Number of rows from which on a look-up is narrowed by a linked row."""

UNSAID_FORMATS = ("uri", "url", "uri-reference", "iri", "uuid", "duration", "binary", "byte", "regex")
"""Formats of texts that programs write, not people."""


def extra_filters(
    inputs: Inputs, role: ToolRole, subject: Subject | None, lookup: bool, world: World, rng: Random
) -> set[str]:
    """Choose optional filters that match the subject; the identity of a single row to read is always given."""
    named = any(role.references.get(f"/{name}") == role.resource for name in inputs.required)
    if subject is None or (role.operation == "read" and named):
        return set()
    own = [name for name in inputs.tool.properties if role.references.get(f"/{name}") == role.resource]
    if role.operation == "read" and subject.resource == role.resource and own:
        return {own[0]}
    found = [name for name in inputs.optional if _finds(name, inputs, role, subject, world, lookup)]
    chance = EXTRA_FILTERS if not lookup else EXTRA_FILTERS / 2
    chosen = [name for name in found if rng.random() < chance]
    if not chosen and not inputs.required and found and role.operation == "list" and rng.random() < 0.7:
        chosen = [rng.choice(found)]
    return set(chosen[: 1 if lookup else 2])


def extra_fields(
    inputs: Inputs, role: ToolRole, world: World, rng: Random, keys: Callable[[str], Collection[str]]
) -> set[str]:
    """Choose optional fields of a write, at least one that changes something; `keys` returns the rows to refer to."""
    tool = inputs.tool
    properties: Mapping[str, Any] = tool.properties
    required, references, optional = inputs.required, inputs.references, inputs.optional
    plain = [name for name in optional if name not in references and name not in inputs.essential]
    plain = [name for name in plain if not is_of_a_record(f"/{name}") and AVERAGED.isdisjoint(name_tokens(name))]
    if role.operation in ("create", "update"):  # a new row has no history, and nobody rewrites that of another one
        plain = [name for name in plain if not is_in_past(name, properties[name])]
    if any(label_of(f"/{name}") in WHOLE_NAMES for name in (*required, *inputs.essential)):
        plain = [name for name in plain if not is_half_name(label_of(f"/{name}"))]
    if not tool.phrases.wishes:  # a flag beside the body says how a program wants it done
        plain = [name for name in plain if schema_type(properties[name]) != "boolean" or not _is_kept(tool, name)]
        worded = [name for name in plain if name not in inputs.wordless]
        plain = worded if worded or (role.operation == "create" and (required or inputs.essential)) else plain
    if role.operation == "update" and not tool.phrases.wishes:  # what identifies a row stays
        settable = [name for name in required if f"/{name}" not in role.references and not tells_what_it_is(name)]
        plain = [name for name in plain if not tells_what_it_is(name)] or ([] if settable else plain)
    if not plain and not inputs.essential and not required - {pointer.split("/")[1] for pointer in role.references}:
        named = str(world.resources[role.resource].identity).split(".")[0] if role.resource else ""
        free = [name for name in properties if name != named and f"/{name}" not in role.references]
        plain = [name for name in free if _is_body(properties[name])][:1]
        plain = plain or [name for name in free if _is_choice(properties[name]) and not _is_kept(tool, name)][:1]
    written = bool(tool.phrases.wishes)  # authored wishes come with chosen arguments
    cared = [name for name in plain if written or is_cared_for(name, properties[name])]
    changes = [name for name in required if f"/{name}" not in role.references and not is_implied_flag(tool, name)]
    whole = (
        role.operation == "create" and not changes and not written
    )  # no argument is known to matter, so more are given
    if whole and len(cared) < FIELDS:
        cared = [name for name in plain if name in cared or schema_type(properties[name]) in ("integer", "number")]
    told = [name for name in cared if whole and not is_written_about(last_word(name))]
    chosen = [name for name in cared if name in told or rng.random() < EXTRA_FIELDS][: WHOLE if whole else FIELDS]
    if not chosen and plain and not inputs.essential and (not changes or role.operation == "update"):
        short = [name for name in plain if _is_short(name)]
        chosen = [rng.choice(cared or short or plain)]
    linked = [name for name in optional if name in references and f"/{name}" in role.references]
    chosen += [name for name in inputs.essential if name not in linked or keys(role.references[f"/{name}"])]
    if role.operation == "create" and linked:
        chosen += [
            name for name in linked if _is_short(name) and rng.random() < LINKED and name not in inputs.essential
        ][:1]
    if role.operation == "update" and not chosen and not changes and linked:
        chosen = [rng.choice(linked)]
    is_named = any(role.references.get(f"/{name}") == role.resource for name in required)
    if role.operation in ("read", "update", "delete", "action") and role.resource and not is_named:
        chosen += [name for name in linked if role.references[f"/{name}"] == role.resource]
    if any(is_half_name(label_of(f"/{name}")) for name in (*required, *chosen)):
        chosen += [name for name in plain if is_half_name(label_of(f"/{name}"))]
    given = {name for name in (*required, *chosen) if name in references}
    return {name for name in chosen if name in given or not _tells_again(name, given)}


def tells_what_it_is(name: str) -> bool:
    """Tell whether a field holds a name, a text about the thing, or a date of birth.

    With another value it would be another thing.
    """
    last = name_tokens(name)[-1:]
    return (
        not BIRTH.isdisjoint(name_tokens(name))
        or label_of(f"/{name}") in FIRST_NAMES
        or any(is_called(word) or is_written_about(word) for word in last)
    )


def is_in_past(name: str, schema: Mapping[str, Any]) -> bool:
    """Tell whether a field says when something was done to a thing: `done_at`, `closed_on`."""
    tokens = name_tokens(name)
    return len(tokens) > 1 and is_participle(tokens[0]) and str(schema.get("format", "")).startswith("date")


def _tells_again(name: str, given: Collection[str]) -> bool:
    """Tell whether a field describes a row that another argument names: `person_email` beside `person_id`."""
    holder = name_tokens(name)[:-1]
    return bool(holder) and any(name_tokens(other)[:-1] == holder for other in given)


def is_cared_for(name: str, schema: Mapping[str, Any]) -> bool:
    """Tell whether a user would mention a field unasked: a name, a text, a date, a sum, a choice.

    Flags, URLs, codes and fields with long names matter only to developers.
    """
    options = [branch for key in ("anyOf", "oneOf") for branch in schema.get(key, ()) if branch.get("type") != "null"]
    schema = {**schema, **options[0]} if len(options) == 1 else schema
    kind, words = schema_type(schema), set(label_of(f"/{name}").split())
    if not _is_short(name) or not speakable(name, 1 if kind in ("integer", "number") else "some words"):
        return False
    if kind in ("integer", "number"):
        return not words.isdisjoint(AMOUNTS)
    return kind == "string" and schema.get("format") not in UNSAID_FORMATS


def _is_short(name: str) -> bool:
    """Tell whether the name of a field has few words."""
    return len(name_tokens(name)) <= WORDS


def _finds(name: str, inputs: Inputs, role: ToolRole, subject: Subject, world: World, lookup: bool) -> bool:
    """Tell whether the subject has a value, or a linked row, for an optional filter."""
    if name not in inputs.references:
        schema = inputs.tool.parameters["properties"][name]
        if lookup and not is_called_by(name, role.resource) and not SEARCHED.issuperset(name_tokens(name)[-1:]):
            return False  # nobody looks a thing up by its kind or price
        value = row_value(name, schema, subject.row)
        if isinstance(value, bool) and not _is_said(name):
            return False
        if is_moment(value) and is_of_a_record(f"/{name}") and not bounding(name_tokens(name)):
            return False  # nobody knows to the minute when something was recorded
        own = any(name_tokens(field) == name_tokens(name) for field in subject.row)
        bound = not own and (is_moment(value) or isinstance(value, (int, float)))
        return value is not None and not is_opaque(value) and not (lookup and bound)
    resource = role.references.get(f"/{name}")
    if resource not in world.resources or world.linked(subject, str(resource), name) is None:
        return False
    listed = world.resources.get(str(role.resource))
    few = lookup and listed is not None and len(world.environment.state().get(listed.table, ())) < MANY
    return not few and (role.operation != "list" or resource != role.resource)


def _is_said(flag: str) -> bool:
    """Tell whether a flag reads as an adjective: "active", but not "ack"."""
    last = (name_tokens(flag) or [""])[-1]
    return is_predicate(last) or last.endswith("ed")


def _is_body(schema: Mapping[str, Any]) -> bool:
    """Tell whether a parameter is an object that holds the fields of a row."""
    return schema_type(schema) == "object" and bool(schema.get("properties"))


def _is_choice(schema: Mapping[str, Any]) -> bool:
    """Tell whether a parameter is a union of schemas, or a list of objects."""
    items = schema.get("items")
    listed = schema_type(schema) == "array" and isinstance(items, Mapping) and _is_body(items)
    return listed or bool(schema.get("oneOf") or schema.get("anyOf"))


def _is_kept(tool: Tool, name: str) -> bool:
    """Tell whether an HTTP parameter is outside of the body: a header or a query parameter."""
    return tool.http is not None and tool.http.locations.get(name) not in ("body", "form")
