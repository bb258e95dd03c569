"""A tool that creates something -> the optional arguments that users practically always give.

create_booking(trip_id?, passenger_name?, has_dog?)   ->   trip_id, passenger_name
create_closure(name?, start?, end?, colour?)           ->   name, start, end
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from interplay.generators.values.reconciliation import spans_among
from interplay.schemas.json.fields import schema_type
from interplay.schemas.records.tool import Tool, ToolRole
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import beside, rows, word_set

_LISTS = beside(__file__)

MOST = 3
"""The most other rows that one call refers to."""

_NAMES = tuple(map(frozenset, rows(_LISTS, "names")))
"""Kinds of fields by which things are known, best first; one kind is enough."""

_ENDINGS = {_NAMES[0]: " name", _NAMES[1]: " title"}
"""How other names end, tried after a kind: `club name` before the names of a person, `job title` after them."""

_CODES = word_set(_LISTS, "codes")
_REACHED = tuple(sorted(word_set(_LISTS, "reached")))


_ENDS = word_set("moments", "ends")


class Essentials(NamedTuple):
    """Optional arguments that are always given: `names` for name and time, and `references` to other rows."""

    names: tuple[str, ...] = ()
    references: tuple[str, ...] = ()


def essentials_of(tool: Tool, role: ToolRole) -> Essentials:
    """Return the optional arguments that are always given to a tool which creates, acts or works something out.

    For a tool that creates something, these are its name and its time. Where a tool requires no arguments, these are also
    its references to other resources, and to what it works something out about.
    """
    if role.operation not in ("create", "action", "compute"):
        return Essentials()
    properties: Mapping[str, Any] = tool.properties
    asked = [name for name in properties if name in tool.required and not _is_place(tool, role, name)]
    named = _naming(properties) if role.operation == "create" else []
    half = not set(named).isdisjoint(asked)  # a first name is required without the last name
    named = [] if any(known_by(name) for name in asked) and not half else [name for name in named if name not in asked]
    names = tuple(dict.fromkeys((*named, *_reached(properties), *_when(properties))))
    names = names if role.operation == "create" else ()
    if asked:
        return Essentials(names)
    referring = [
        pointer[1:]
        for pointer, to in role.references.items()
        if pointer.count("/") == 1
        and (to != role.resource or role.operation == "compute")
        and not _is_place(tool, role, pointer[1:])
    ]
    known = [name for name in referring if schema_type(properties.get(name, {})) in ("string", "integer", "array")]
    return Essentials(names, tuple(known[:MOST]))


def known_by(name: str) -> bool:
    """Tell whether a field names a thing, or says what it is about."""
    words = " ".join(name_tokens(name))
    return any(words in kind for kind in _NAMES) or words.endswith((" name", " title"))


def is_called_by(name: str, resource: str | None) -> bool:
    """Tell whether a field holds the name of a row of a resource, or a contact address."""
    tokens = name_tokens(name)
    said = " ".join(tokens)
    own = said.endswith((" name", " title")) and set(tokens[:-1]) <= set(name_tokens(resource or ""))
    return own or any(said in kind for kind in _NAMES[:-1]) or said.endswith(_REACHED)


def makes_identity(name: str, role: ToolRole, identity: str | None) -> bool:
    """Tell whether an argument of a creation is the identity that the caller assigns to the new row."""
    return role.operation == "create" and name == identity and is_keyed(name)


def is_keyed(name: str) -> bool:
    """Tell whether a field is named as a number or key: `token_id`."""
    return bool(_CODES & set(name_tokens(name)[-1:]))


def _is_place(tool: Tool, role: ToolRole, name: str) -> bool:
    """Tell whether an argument says where a row is created, rather than describing it."""
    if tool.http is not None:
        return tool.location(name) in ("path", "header")
    return f"/{name}" in role.references


def _naming(properties: Mapping[str, Any]) -> list[str]:
    texts = {name: " ".join(name_tokens(name)) for name, schema in properties.items() if _is_text(schema)}
    for kind in _NAMES:
        found = [name for name, words in texts.items() if words in kind]
        if found:
            return found if kind == _NAMES[1] else found[:1]
        if kind in _ENDINGS:
            owned = [name for name, words in texts.items() if words.endswith(_ENDINGS[kind]) and words not in _NAMES[1]]
            if owned:
                return owned[:1]
    return []


def _reached(properties: Mapping[str, Any]) -> list[str]:
    """Return the email field of a person or account that is created."""
    texts = {" ".join(name_tokens(name)): name for name, schema in properties.items() if _is_text(schema)}
    return [texts[said] for said in ("email", "email address") if said in texts][:1]


def _when(properties: Mapping[str, Any]) -> list[str]:
    """Return the first pair of start and end fields: a closure needs both."""
    texts = [name for name, schema in properties.items() if _is_text(schema)]
    spans = (span[:2] for span in spans_among(tuple(texts)))
    timed = (span for span in spans if not any(_ENDS.isdisjoint(name_tokens(name)) for name in span))
    return list(next(timed, ()))


def _is_text(schema: Mapping[str, Any]) -> bool:
    return schema_type(schema) == "string" and "enum" not in schema and "const" not in schema
