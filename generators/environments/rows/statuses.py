"""The verb of a tool -> the status, flags and times that it sets in a row."""

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from interplay.generators.environments.inference.plans import ToolPlan
from interplay.generators.environments.inference.roles.rpc_calls import call_parts
from interplay.generators.environments.inference.tool_words import VERBS
from interplay.generators.environments.rows.changes import merged
from interplay.generators.environments.rows.clock import as_time, is_time, next_time
from interplay.generators.values.lifetimes import is_over
from interplay.schemas.json.fields import object_properties, schema_type
from interplay.schemas.json.validation import is_valid
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import beside, table, word_set, words
from interplay.schemas.words.nouns import plural
from interplay.schemas.words.word_classes import participle_of

_OUTCOMES = {word: tuple(said.split()) for word, said in table(beside(__file__), "outcomes").items()}
"""Verb -> statuses it leads to that do not share its stem."""

_UNDOING = table(beside(__file__), "undoing")
_SYNONYMS = {word: tuple(said.split()) for word, said in table(beside(__file__), "synonyms").items()}
"""Verb -> other words for it in names of fields."""

_TURNING = word_set(beside(__file__), "turning")
"""Verbs that toggle a flag."""

_STANDING = words(beside(__file__), "standing")
"""Ordinary statuses, to which undoing a verb leads back, the likeliest first."""

_BOUND = {"enum", "const", "pattern", "format"}
"""Keys of a schema that restrict the values of a text."""

_BACK = ("un", "re")
"""Prefixes of verbs that restore an earlier status: unsuspend, reinstate."""

_CONTRARY = {word: tuple(said.split()) for word, said in table(beside(__file__), "contrary").items()}
"""Verb -> words of fields that no longer hold after it."""

STATES = {"status", "state", "stage"}
"""Words of fields that hold a status."""


def with_status(plan: ToolPlan, schema: Mapping[str, Any], row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return `row` with the status, flags and times that the tool's verb sets, where its schema has them."""
    undoing = plan.tool.method == "DELETE"
    properties = schema.get("properties", {})
    turned = _turned(plan, properties, row)
    if turned is not None:
        return {**row, turned: not row.get(turned)}
    inner = object_properties(properties.get("attributes", {}))
    held = row.get("attributes")
    for verb in _verbs(plan):
        changed = _changed_by(verb, properties, row, undoing)
        changed |= _counted(verb, properties, row, undoing)
        if changed:
            return {**row, **changed}
        within = _changed_by(verb, inner, held if isinstance(held, Mapping) else {}, undoing)
        if within:
            return merged(row, {"attributes": within}) if isinstance(held, Mapping) else {**row, "attributes": within}
    return _without_part(plan, schema, row) if undoing and plan.operation == "action" else row


def _without_part(plan: ToolPlan, schema: Mapping[str, Any], row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return `row` without the fields of the part that a path ends in: `image_url` for DELETE /items/{id}/image."""
    part = name_tokens(plan.tool.path.rstrip("/").rpartition("/")[2])
    properties, required = schema.get("properties", {}), schema.get("required", ())
    named = [name for name in row if part and name_tokens(name)[: len(part)] == part and name in properties]
    empty = {name: None for name in named if is_valid(None, properties[name])}
    return {**{name: value for name, value in row.items() if name not in named or name in required}, **empty}


def needed_status(plan: ToolPlan, schema: Mapping[str, Any], row: Mapping[str, Any]) -> str:
    """Return the status that a row must have for a tool to undo it; empty if it may be called: to resume, it must be paused."""
    for verb in _verbs(plan):
        undone = str(_UNDOING.get(verb, ""))
        for name, field in schema.get("properties", {}).items() if undone else ():
            if not set(name_tokens(name)) & STATES or row.get(name) not in field.get("enum", ()):
                continue
            options = [item for item in field["enum"] if isinstance(item, str)]
            done = [
                item for item in options if _alike(undone, item.lower()) or item.lower() in _OUTCOMES.get(undone, ())
            ]
            if done and row[name] not in (*done, _status(verb, field)):
                return done[0]
    return ""


def _turned(plan: ToolPlan, properties: Mapping[str, Any], row: Mapping[str, Any]) -> str | None:
    """Return the flag that a tool toggles: the one that its words name, else the only one that it shows."""
    path = plan.tool.path.rstrip("/").rpartition("/")[2]
    called = {*name_tokens(plan.tool.original_name), *name_tokens(path)}
    if _TURNING.isdisjoint(called):
        return None
    said = called | set(name_tokens(plan.tool.summary or plan.tool.description[:_READ]))
    flags = [
        name
        for name, schema in properties.items()
        if schema_type(schema) == "boolean" and isinstance(row.get(name, False), bool)
    ]
    shown = object_properties(plan.rows.schema) if plan.rows is not None else {}
    named = [name for name in flags if any(_says(word, name_tokens(name)) for word in said)]
    options = named if len(named) == 1 else [name for name in named or flags if name in shown]
    return options[0] if len(options) == 1 else None


def _changed_by(verb: str, properties: Mapping[str, Any], row: Mapping[str, Any], undoing: bool) -> dict[str, Any]:
    """Return the fields that a verb changes, with their new values."""
    found = {name: _led_to(verb, name, schema, row, undoing) for name, schema in properties.items()}
    return {name: led[0] for name, led in found.items() if led}


def _counted(verb: str, properties: Mapping[str, Any], row: Mapping[str, Any], undoing: bool) -> dict[str, Any]:
    """Return the fields that count how often a verb was done, counted up or down by one: `likes` and `like_count` for `like`."""
    undone = _UNDOING.get(verb, "")
    step = -1 if undoing or undone else 1
    counts = {
        name: row[name] + step
        for name, schema in properties.items()
        if schema_type(schema) == "integer" and type(row.get(name)) is int
        if [token for token in name_tokens(name) if token not in _NUMBERS]
        in ([plural(undone or verb)], [undone or verb])
    }
    return {name: count for name, count in counts.items() if count >= 0 and is_valid(count, properties[name])}


_NUMBERS = word_set(beside(__file__), "numbers")
"""Words in names of counters besides what is counted."""


def _verbs(plan: ToolPlan) -> list[str]:
    """Return the words that may be the verb of a tool: those of the last path literal, and the verbs in its name."""
    last = plan.tool.path.rstrip("/").split("/")[-1]
    last = (call_parts(plan.tool.path) or [last])[-1]
    words = name_tokens(plan.tool.original_name)
    marked = words[-1:] if words[:1] in (["mark"], ["flag"]) else []
    told = _MARKED.match(plan.tool.summary or plan.tool.description[:_READ])
    marked += [told[1].lower()] if told else []
    pairs = ["_".join(part[:2]) for part in (name_tokens(last), words)]
    phrasal = [pair for pair in pairs if pair in _OUTCOMES]
    acting = (word for word in words if VERBS.get(word) == "action")
    halves = {half for pair in phrasal for half in pair.split("_")}
    single = [word for word in (*name_tokens(last), *marked, *acting) if word not in halves]
    return list(dict.fromkeys([*phrasal, *single]))


_MARKED = re.compile(
    r"(?:mark|flag|set)s? (?:an? |the )?[\w ]{1,40}? (?:as|to) ['\"]?(\w+)['\"]?(?:[.,;]|$)", re.IGNORECASE
)
"""Descriptions that name a status: "Mark a ticket as solved"."""
_READ = 200
"""Characters of a description that are searched for a status."""


def _led_to(verb: str, name: str, schema: Mapping[str, Any], row: Mapping[str, Any], undoing: bool) -> list[Any]:
    """Return the value of a field after a verb, as the only item of a list; an empty list if the verb does not change it."""
    tokens = name_tokens(name)
    status = _status(verb, schema) if set(tokens) & STATES else None
    if status is not None:
        return [status]
    done, undone = (
        _says(verb, tokens),
        _says(_UNDOING.get(verb, ""), tokens) or any(token in _CONTRARY.get(verb, ()) for token in tokens),
    )
    if not done and not undone:
        return []
    holds = (done and not undoing) or (undone and undoing)
    if schema_type(schema) == "boolean":
        return [holds]
    if not is_time(name, schema):
        return []
    value = as_time(next_time(row), schema) if holds else None
    return [value] if is_valid(value, schema) else []


def _says(verb: str, tokens: list[str]) -> bool:
    """Tell whether a field records what a verb does: `archived`, `is_archived`, `archived_at` for `archive`.

    For a verb with a particle, the field must have both: `checked_in_at` for `check_in`, but not `checked_out`.
    """
    head, _, particle = verb.partition("_")
    if particle:
        return any(_alike(head, word) and after == particle for word, after in pairwise(tokens))
    return any(_alike(form, token) for form in (verb, *_SYNONYMS.get(verb, ())) for token in tokens if form)


def _status(verb: str, schema: Mapping[str, Any]) -> str | None:
    if schema_type(schema) == "string" and not _BOUND & schema.keys():
        return participle_of(verb) if verb in _OUTCOMES and verb not in _UNDOING else None
    options = [item for item in schema.get("enum", ()) if isinstance(item, str)]
    outcomes = _OUTCOMES.get(verb, ())
    by_outcome = (item for outcome in outcomes for item in options if item.lower() == outcome)
    back = verb in _UNDOING and verb.startswith(_BACK)
    again = (item for word in _STANDING if back for item in options if item.lower() == word)
    alike = next((item for item in options if _alike(verb, item.lower())), None)
    undone = _UNDOING.get(verb, "")
    stood = any(undone and _alike(undone, item.lower()) for item in options)
    first = (item for item in options if stood and not _alike(undone, item.lower()) and not is_over(item))
    return alike or next(by_outcome, None) or next(again, None) or next(first, None)


def _alike(verb: str, word: str) -> bool:
    """Tell whether a word is a form of a verb, `archived` of `archive`, or the adjective in it, `valid` in `validate`."""
    made = verb.endswith("ate") and len(verb) > len("create") and word.removesuffix("e") == verb.removesuffix("ate")
    stem = verb[:-1] if verb.endswith(("e", "y")) else verb
    return made or word == verb or (len(stem) >= 3 and word.startswith(stem) and len(word) - len(stem) <= 4)
