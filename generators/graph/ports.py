"""Tools and their roles -> ports: the fields of results and arguments, with everything that matching needs."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from operator import itemgetter
from typing import Any

from interplay.generators.graph.name_likeness import ID_WORDS, Words, is_generic, stem_of_words, words_of_name
from interplay.schemas.calls.first_page import is_paging
from interplay.schemas.json.canonical import last_name, pointer_token, split_pointer
from interplay.schemas.json.fields import IDENTIFYING, leaf_schemas, object_properties, schema_type
from interplay.schemas.json.object_cache import ObjectCache
from interplay.schemas.records.tool import SEARCH_TOOL, WRITING, ResourceModel, Tool, ToolRole, Toolset
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import beside, word_set

ENVELOPES = word_set(beside(__file__), "envelopes")
"""Names of fields that hold rows; they add no meaning to the fields inside."""

NEVER = word_set(beside(__file__), "status_fields")
"""Words of status, message and paging fields, which are never the end of an edge."""

LEAVES = 600
"""The most fields of one tool's result, or of its arguments, that become ports."""

DEPTH = 5
KEY = "{key}"
"""Stands in a pointer for the key of a map, as `*` stands for any index or key."""

CHOICES = 64
TEXT = 400
"""Characters of a description that are read."""

_QUOTED = re.compile(r"['\"`]([A-Za-z0-9_]{6,40})['\"`]")
_PREFIXED = re.compile(r"([a-z]{2,}(?:_[a-z]{2,})*)_(?=[A-Za-z0-9]*[0-9])[A-Za-z0-9]{4,}")


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """The properties of a field that matching compares; equal ports share one profile.

    `choices` are the values of an enumeration, `form` is the declared format or pattern. `prefixes` are the prefixes of
    an identity's examples: `cus` for `cus_9s6XKzkNRiz8i3`. `named` tells that the resource was recognised by the field's
    name alone, `embedded` that the field belongs to another row inside of a write's result.
    """

    words: Words
    kind: str
    resource: str | None
    described: str
    prefixes: frozenset[str]
    choices: frozenset[str]
    form: str
    named: bool = False
    embedded: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Port:
    """One possible end of an edge. Among ports of one profile, those with the lowest `rank` are the better producers.

    `fresh` marks the identity of a row that was just created, `holding` an argument whose row must contain another row
    that the call names. A fresh identity never feeds a holding argument, since a new row contains nothing.
    """

    tool: str
    pointer: str
    source: str
    profile: Profile
    rank: tuple[int, int, int, str, str]
    fresh: bool = False
    holding: bool = False


@dataclass
class Ports:
    """All outputs and inputs of a toolset that could be the end of an edge."""

    outputs: list[Port] = field(default_factory=list)
    inputs: list[Port] = field(default_factory=list)


def find_ports(toolset: Toolset, model: ResourceModel) -> Ports:
    """Return the ports of all tools in their order. The search tool has none, as it is about no resource."""
    roles = model.by_tool
    reader, ports = _Reader(model), Ports()
    for tool in (tool for tool in toolset.tools if tool.name != SEARCH_TOOL):
        ports.outputs += reader.outputs(tool, roles[tool.name])
        ports.inputs += reader.inputs(tool, roles[tool.name])
    return ports


class _Reader:
    """Reads the ports of tools; equal profiles are created once."""

    def __init__(self, model: ResourceModel) -> None:
        self._profiles: dict[tuple[Any, ...], Profile] = {}
        self._resources: dict[Words, str] = {}
        self._parents = {resource.name: resource.parent for resource in model.resources}
        self._identities = {resource.name: resource.identity for resource in model.resources}
        tails: dict[Words, list[str]] = {}
        for resource in model.resources:
            words = words_of_name(resource.name)
            self._resources.setdefault(words, resource.name)
            tails.setdefault(words[-1:], []).append(resource.name)
        for tail, names in tails.items():
            if len(names) == 1:
                self._resources.setdefault(tail, names[0])

    def outputs(self, tool: Tool, role: ToolRole) -> Iterator[Port]:
        """Yield the ports of a result: identities and other fields with a meaning of their own."""
        known = dict(role.yields)
        for pointer, name, schema in result_leaves(tool.returns or {}):
            listed = schema_type(schema) == "array"
            resource = known.pop(pointer, None)
            if listed:
                items = schema.get("items")
                if not (
                    isinstance(items, Mapping) and schema_type(items) in IDENTIFYING and ("type" in items or resource)
                ):
                    continue
                schema, pointer = {**items, "description": schema.get("description", "")}, f"{pointer}/*"
            if resource is None and (not pointer or is_silent(name) or schema_type(schema) not in IDENTIFYING):
                continue  # a result of one scalar is a port only if its resource is known
            words = self._words(pointer, name, role.resource)
            named = resource is None
            if named:
                words, resource = self._named(words, name, listed)
                if resource is not None and resource == role.resource and role.operation == "delete":
                    continue  # the identity of a deleted row
            elif _is_embedded(role, resource, pointer):
                yield self._port(tool, role, pointer, words, schema, resource, embedded=True)
                continue
            yield self._port(tool, role, pointer, words, schema, resource, named=named and resource is not None)
        for pointer, resource in known.items():
            name = pointer.rsplit("/", 1)[-1]
            yield self._port(tool, role, pointer, self._words(pointer, name, role.resource), {}, resource)

    def inputs(self, tool: Tool, role: ToolRole) -> Iterator[Port]:
        """Yield the arguments that an output may fill; for writes, plain fields of rows are left out."""
        for pointer, name, schema in islice(leaf_schemas(tool.parameters), LEAVES):
            resource = role.references.get(pointer)
            if resource is None and (
                is_silent(name) or is_paging(name) or schema_type(schema) in ("boolean", "object")
            ):
                continue
            words = self._words(pointer, name, role.resource)
            if resource is None and not self._may_be_fed(tool, role, pointer, words, schema):
                continue
            holding = resource is not None and self._holds(tool, role, pointer, resource)
            yield self._port(tool, role, pointer, words, schema, resource, holding=holding)

    def _holds(self, tool: Tool, role: ToolRole, pointer: str, resource: str) -> bool:
        """Tell whether a call must also name a row below the one that this argument names."""
        return any(
            resource in self._above(below) and is_required(tool.parameters, other)
            for other, below in role.references.items()
            if other != pointer
        )

    def _above(self, resource: str) -> set[str]:
        """Return the ancestors of a resource."""
        found: set[str] = set()
        parent = self._parents.get(resource)
        while parent is not None and parent not in found:
            found.add(parent)
            parent = self._parents.get(parent)
        return found

    def _words(self, pointer: str, name: str, owner: str | None) -> Words:
        """Return the words of a field; where these are generic, preceded by the words of what the field belongs to."""
        words = () if name == KEY else words_of_name(name)
        if words and not is_generic(words):
            return words
        inside = [part for part in pointer.split("/")[1:-1] if part not in ("*", KEY, *ENVELOPES)]
        above = words_of_name(inside[-1] if inside else owner or "")
        return (*above, *(words or ("id",)))

    def _named(self, words: Words, name: str, listed: bool) -> tuple[Words, str | None]:
        """Recognise a resource by the name of an identity, or of a list of scalars, as `reservations: ["ZFA04Y"]`."""
        stem = stem_of_words(words)
        if stem is None and listed and words in self._resources and len(name_tokens(name)) == len(words):
            return (*words, "id"), self._resources[words]
        return words, self._resources.get(stem) if stem is not None and words[-1] in ID_WORDS else None

    def _may_be_fed(self, tool: Tool, role: ToolRole, pointer: str, words: Words, schema: Mapping[str, Any]) -> bool:
        """Tell whether a plain argument may take another tool's result, rather than a value that the caller decides on."""
        if role.operation not in WRITING:
            return True
        if role.operation == "create" and last_name(pointer) == self._identities.get(str(role.resource)):
            return False  # a new row gets an identity of its own
        if not is_required(tool.parameters, pointer) or "enum" in schema or "const" in schema:
            return False
        stem = stem_of_words(words)
        if stem is not None:
            if role.operation == "create" and stem == words_of_name(role.resource or ""):
                return False
            return pointer.count("/") > 1 or not is_generic(words_of_name(pointer[1:]))
        return "*" in pointer

    def _port(
        self, tool: Tool, role: ToolRole, pointer: str, words: Words, schema: Mapping[str, Any], resource: str | None,
        *, named: bool = False, embedded: bool = False, holding: bool = False,
    ) -> Port:  # fmt: skip
        profile = self._profile(words, schema, resource, named, embedded)
        foreign = int(resource is not None and role.resource != resource)
        order = {"list": 0, "read": 1, "create": 2}.get(role.operation, 3)
        rank = (foreign, order, pointer.count("/"), pointer, tool.name)
        fresh = role.operation == "create" and resource is not None and not foreign
        return Port(tool.name, pointer, tool.source.file, profile, rank, fresh, holding)

    def _profile(
        self, words: Words, schema: Mapping[str, Any], resource: str | None, named: bool, embedded: bool
    ) -> Profile:
        kind, described, prefixes, choices, form = _said_by(schema)
        key = (words, kind, resource, described, prefixes, choices, form, named, embedded)
        if key not in self._profiles:
            self._profiles[key] = Profile(*key)
        return self._profiles[key]


@lru_cache(maxsize=65_536)
def is_silent(name: str) -> bool:
    """Tell whether a field only reports on a call or pages through a list; `message_id` does not."""
    tokens = name_tokens(name)
    return bool(set(tokens) & NEVER and tokens[-1] not in ID_WORDS) or is_paging(name)


def is_required(schema: Mapping[str, Any], pointer: str) -> bool:
    """Tell whether each step of a pointer is required by the schema above it."""
    for key in split_pointer(pointer):
        if key == "*":
            schema = schema.get("items", {})
            continue
        if key not in schema.get("required", ()):
            return False
        schema = object_properties(schema).get(key, {})
    return True


def choices_of(schema: Mapping[str, Any]) -> frozenset[str]:
    """Return the values that a field, or an item of it, can have; empty where the schema does not enumerate them."""
    items = schema.get("items")
    inner = items if isinstance(items, Mapping) else schema
    branches = [branch for key in ("anyOf", "oneOf") for branch in inner.get(key, ())[:CHOICES]]
    found = [_listed(branch) for branch in branches if branch.get("type") != "null"] or [_listed(inner)]
    return frozenset(str(choice) for choices in found for choice in choices[:CHOICES]) if all(found) else frozenset()


def _listed(schema: Mapping[str, Any]) -> list[Any]:
    return [schema["const"]] if "const" in schema else list(schema.get("enum", ()))


def form_of(schema: Mapping[str, Any]) -> str:
    """Return the format of a text field, else its pattern, else ""."""
    form = schema.get("format") or schema.get("pattern")
    return form if isinstance(form, str) and schema_type(schema) == "string" else ""


def identity_prefixes(schema: Mapping[str, Any]) -> frozenset[str]:
    """Return the prefixes of identities in a field's examples, or in quotes of its description."""
    examples = [example for example in schema.get("examples", ())[:8] if isinstance(example, str)]
    description = schema.get("description")
    if isinstance(description, str) and "_" in description:
        examples += _QUOTED.findall(description[:TEXT])
    found = (_PREFIXED.fullmatch(example[:64]) for example in examples)
    return frozenset(match[1] for match in found if match)


def _said(schema: Mapping[str, Any]) -> tuple[str, str, frozenset[str], frozenset[str], str]:
    """Return the parts of a profile that a schema gives: type, description, identity prefixes, choices and form."""
    described = str(schema.get("description") or "")[:TEXT]
    kind = schema_type(schema) if schema else ""
    return kind, described, identity_prefixes(schema), choices_of(schema), form_of(schema)


_said_by = ObjectCache(_said)


def _is_embedded(role: ToolRole, resource: str | None, pointer: str) -> bool:
    """Tell whether an identity in the result of a write is that of another row, inside of the written one."""
    if role.operation not in WRITING or resource == role.resource:
        return False
    own = (role.resource or "").split("_")[-1]
    return any(part not in ("*", *ENVELOPES, role.resource, own) for part in pointer.split("/")[1:-1])


def result_leaves(schema: Mapping[str, Any]) -> list[tuple[str, str, Mapping[str, Any]]]:
    """Return pointer, name and schema of each scalar (or list of scalars) in a result, scalars of each object first.

    Lists and maps are entered through `*`; the key of a map whose keys are described is a field too, under `{key}`. At
    most `LEAVES` are returned.
    """
    found: list[tuple[str, str, Mapping[str, Any]]] = []
    _add_leaves(found, schema, "", "", 0)
    return found[:LEAVES]


def _add_leaves(
    found: list[tuple[str, str, Mapping[str, Any]]], schema: Mapping[str, Any], pointer: str, name: str, depth: int
) -> None:
    """Add the leaves of the part of a result in the field `name`."""
    if depth > DEPTH or len(found) >= LEAVES:
        return
    kind = schema_type(schema)
    below = schema.get("items") if kind == "array" else schema.get("additionalProperties")
    if kind == "array" and isinstance(below, Mapping) and (schema_type(below) in ("object", "array") or not pointer):
        _add_leaves(found, below, f"{pointer}/*", name, depth + bool(pointer))
    elif kind != "object":
        found.append((pointer, name, schema))
    else:
        kinds = [
            (key, item, schema_type(item) in ("object", "array")) for key, item in object_properties(schema).items()
        ]
        for key, item, _ in sorted(kinds, key=itemgetter(2)):
            token = pointer_token(str(key))
            _add_leaves(found, item, f"{pointer}/{token}", name if token in ("*", "") else token, depth + 1)
        if isinstance(below, Mapping) and below and not schema.get("properties"):
            named = schema.get("propertyNames")
            if isinstance(named, Mapping):
                found.append((f"{pointer}/{KEY}", KEY, {"type": "string", **named}))
            _add_leaves(found, below, f"{pointer}/*", name, depth + 1)
