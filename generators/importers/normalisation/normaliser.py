"""A schema of any OpenAPI or JSON Schema dialect, with references -> one bounded draft 2020-12 schema without any.

    {"$ref": "#/components/schemas/Pet"}  ->
    {"type": "object", "title": "Pet", "properties": {"id": {"type": "integer"}}, "required": ["id"]}

A component is inlined at each reference; cycles and subschemas that are too deep are cut to an open schema with title and
description. A schema that would exceed `MAX_NODES` is cut at a smaller depth, so that only the deepest parts are lost.
Results share their parts: treat them as frozen. Expansions are cached per component, depth and the ancestors that it refers
to, so that the result depends on the document alone, not on earlier calls.
"""

from dataclasses import dataclass
from typing import Any

from interplay.generators.importers.documents.import_notes import Note, Notes
from interplay.generators.importers.documents.json_references import BrokenReference, Document, References, Target
from interplay.generators.importers.normalisation.discriminators import (
    admit_alike,
    with_branch_values,
    with_discriminator_values,
)
from interplay.generators.importers.normalisation.expansion import (
    Expansion,
    Frame,
    Key,
    TooLarge,
    add_items,
    has_children,
    stub,
    without_choice_lists,
)
from interplay.generators.importers.normalisation.forced_size import MAX_VALUES, forced_values, without_forced_items
from interplay.generators.importers.normalisation.intersection import (
    HIDDEN,
    Direction,
    merge_all,
    without_other_direction,
)
from interplay.generators.importers.normalisation.keywords import (
    add_required,
    allow_null,
    infer_type,
    name_format,
    plain_keywords,
    settle_values,
    texts_in,
    usable_pattern,
)
from interplay.generators.importers.normalisation.kubernetes import with_group_kind
from interplay.generators.importers.normalisation.samples import types_of, unlike

MAX_NODES = 2_500
MAX_DEPTH = 8
LESS_DEEP = (2, 3, 4, 5, 6)
MAX_ANCESTORS = 40
MAX_NESTING = 40

_REFERRING = ("$ref", "$dynamicRef", "$recursiveRef")


@dataclass(frozen=True)
class Normalised:
    """A normalised schema, and notes on its repairs."""

    schema: dict[str, Any]
    notes: tuple[Note, ...]


def _finite(schema: dict[str, Any], notes: Notes, where: str) -> Normalised:
    if forced_values(schema) > MAX_VALUES:
        schema = without_forced_items(schema)
        notes.repair(f"{where}: minItems dropped, for lists ask for more items than are made")
    return Normalised(schema, tuple(notes.found))


class Normaliser:
    """Normalises the schemas of one main document."""

    def __init__(self, references: References) -> None:
        self._references = references
        self._expansions: dict[tuple[Key, Direction, int, bool], list[Expansion]] = {}
        self._leaves: dict[tuple[int, bool], tuple[dict[str, Any], dict[str, Any]]] = {}
        self._direction: Direction = "both"
        self._left = 0
        self._last_resort = False

    def normalise(self, raw: Any, document: Document, direction: Direction = "both", where: str = "") -> Normalised:
        """Normalise the schema `raw` of `document`; `where` names its location in notes."""
        self._direction = direction
        whole = self._attempt(raw, document, where, MAX_DEPTH)
        if whole is not None:
            return _finite(*whole, where)
        best = self._attempt(raw, document, where, LESS_DEEP[0], last_resort=True)
        depth = LESS_DEEP[0]
        for deeper in LESS_DEEP[1:]:
            attempt = self._attempt(raw, document, where, deeper)
            if attempt is None:
                break
            best, depth = attempt, deeper
        assert best is not None
        schema, notes = best
        notes.repair(f"{where}: cut at depth {depth}, for it has more than {MAX_NODES} nodes")
        return _finite(schema, notes, where)

    def _attempt(
        self, raw: Any, document: Document, where: str, depth: int, last_resort: bool = False
    ) -> tuple[dict[str, Any], Notes] | None:
        """Normalise to a depth; None if that takes too many nodes. With `last_resort`, subschemas are left out instead."""
        self._left = MAX_NODES
        self._last_resort = last_resort
        frame = Frame(document, frozenset())
        try:
            return self._schema(raw, frame, where, depth), frame.notes
        except TooLarge:
            return None

    def _spend(self, frame: Frame, nodes: int) -> None:
        frame.nodes += nodes
        self._left -= nodes
        if self._left < 0 and not self._last_resort:
            raise TooLarge

    def _schema(self, raw: Any, frame: Frame, where: str, depth: int, loose: bool = False) -> dict[str, Any]:
        """Normalise one schema; `loose` marks a branch, whose `required` may name properties of its parent."""
        self._spend(frame, 1)
        if frame.nesting + loose > MAX_NESTING:
            frame.notes.repair(f"{where[:100]}: branches {MAX_NESTING} deep, left open")
            return {}
        frame.nesting += loose
        schema = self._any(raw, frame, where, depth, loose)
        frame.nesting -= loose
        return schema

    def _any(self, raw: Any, frame: Frame, where: str, depth: int, loose: bool) -> dict[str, Any]:
        if isinstance(raw, bool):
            return {} if raw else {"not": {}}
        if not isinstance(raw, dict):
            frame.notes.repair(f"{where}: {type(raw).__name__} instead of a schema, left open")
            return {}
        reference = raw.get("$ref", raw.get("$dynamicRef", raw.get("$recursiveRef")))
        if isinstance(reference, str):
            return self._referring(raw, reference, frame, where, depth, loose)
        known = self._leaves.get((id(raw), loose))
        if known is not None and known[0] is raw:
            return known[1]
        if "$ref" in raw:
            frame.notes.repair(f"{where}: $ref that is no text dropped")
        before = frame.nodes, self._left, frame.notes.told
        schema = self._literal(raw, [], frame, where, depth, loose)
        if before == (frame.nodes, self._left, frame.notes.told) and "$ref" not in raw:
            self._leaves[id(raw), loose] = raw, schema
        return schema

    def _referring(
        self, raw: dict[str, Any], reference: str, frame: Frame, where: str, depth: int, loose: bool
    ) -> dict[str, Any]:
        skipped = (*_REFERRING, "summary")
        siblings = {key: value for key, value in raw.items() if key not in skipped and key[:2] != "x-"}
        try:
            target = self._references.resolve(reference, frame.document)
        except BrokenReference as error:
            frame.notes.repair(f"{where}: {error}, left open")
            return self._literal(siblings, [], frame, where, depth, loose) if siblings else {}
        inlined = self._component(target, frame, depth, loose or bool(siblings))
        named = siblings.get("type")
        if "type" in inlined and not any(
            name in types_of(inlined) for name in (named if isinstance(named, list) else [named])
        ):
            siblings.pop("type", None)  # older specifications ignore the siblings of a reference
        return self._literal(siblings, [inlined], frame, where, depth, loose) if siblings else inlined

    def _component(self, target: Target, frame: Frame, depth: int, loose: bool) -> dict[str, Any]:
        """Inline a component, from an earlier expansion if one is valid under these ancestors."""
        frame.seen.add(target.key)
        if target.key in frame.ancestors or len(frame.ancestors) >= MAX_ANCESTORS:
            reason = "circular" if target.key in frame.ancestors else f"behind {MAX_ANCESTORS} references"
            frame.notes.repair(self._place(target), f"{reason}, cut to an open schema")
            return stub(target.value, target.name)
        known = self._expansions.setdefault((target.key, self._direction, depth, loose), [])
        for expansion in known:
            if frame.ancestors & expansion.seen == expansion.cut:
                self._spend(frame, expansion.nodes)
                break
        else:
            expansion = self._expand(target, frame, depth, loose)
            if not (self._last_resort and self._left <= 0):  # it was cut for lack of nodes: no use elsewhere
                known.append(expansion)
            frame.nodes += expansion.nodes
        frame.seen |= expansion.seen
        frame.notes.extend(expansion.notes)
        return expansion.schema

    def _expand(self, target: Target, outer: Frame, depth: int, loose: bool) -> Expansion:
        frame = Frame(target.document, outer.ancestors | {target.key})
        schema = self._schema(target.value, frame, self._place(target), depth, loose)
        if not loose:
            schema = with_discriminator_values(schema, target, frame.notes, self._place(target))
            schema = with_group_kind(schema, target)
        if target.name and "title" not in schema:
            schema = {"title": target.name, **schema}
        seen = frozenset(frame.seen - {target.key})
        return Expansion(schema, tuple(frame.notes.found), frame.nodes, seen, outer.ancestors & seen)

    def _place(self, target: Target) -> str:
        """Return the location of a component, for notes."""
        return f"{'' if target.document is self._references.main else target.document.shown}#{target.pointer}"

    def _literal(
        self, raw: dict[str, Any], parts: list[dict[str, Any]], frame: Frame, where: str, depth: int, loose: bool
    ) -> dict[str, Any]:
        """Normalise a schema without following its reference, and merge it with `parts`, which must hold as well."""
        notes = frame.notes
        raw = without_choice_lists(raw, notes, where)
        schema = plain_keywords(raw, notes, where)
        if depth <= 0 and has_children(raw):
            notes.repair(where, "too deep, cut to an open schema")
            schema = {key: schema[key] for key in ("type", "title", "description") if key in schema} or {}
            schema.setdefault("type", "array" if "items" in raw else "object")
        elif depth > 0:
            self._add_children(schema, raw, frame, where, depth)
        self._add_choices(schema, raw, frame, where, depth)
        parts = parts + self._branches(raw, "allOf", frame, where, depth)
        schema = merge_all(schema, parts, notes, where)
        if depth > 0:
            add_required(schema, raw, notes, where)
        infer_type(schema)
        name_format(schema)
        if raw.get("nullable") is True or raw.get("x-nullable") is True:
            allow_null(schema)
        settle_values(schema, notes, where)
        return schema if loose else without_other_direction(schema, self._direction, notes, where)

    def _add_children(self, schema: dict[str, Any], raw: dict[str, Any], frame: Frame, where: str, depth: int) -> None:
        """Add the keywords that describe the parts of an object or array."""

        def inner(value: Any, key: str) -> dict[str, Any]:
            return self._schema(value, frame, f"{where}/{key}", depth - 1)

        for key in ("properties", "patternProperties", "dependentSchemas"):
            if key in raw:
                children = self._children(raw[key], key, frame, where, depth)
                if children or key == "properties":
                    schema[key] = children
        if "items" in raw or "prefixItems" in raw:
            add_items(schema, raw, inner)
        for key in ("additionalProperties", "unevaluatedProperties"):
            if isinstance(raw.get(key), bool):
                schema[key] = raw[key]
            elif isinstance(raw.get(key), dict):
                schema[key] = inner(raw[key], key) or True
        for key in ("contains", "propertyNames"):
            if isinstance(raw.get(key), dict):
                schema[key] = inner(raw[key], key)
        if isinstance(raw.get("dependentRequired"), dict):
            lists = {
                name: texts_in(names) for name, names in raw["dependentRequired"].items() if isinstance(names, list)
            }
            schema["dependentRequired"] = lists

    def _children(self, raw: Any, key: str, frame: Frame, where: str, depth: int) -> dict[str, Any]:
        """Normalise a map of schemas."""
        if not isinstance(raw, dict):
            frame.notes.repair(f"{where}: {key} that is no map dropped")
            return {}
        if isinstance(raw.get("$ref"), str):
            return self._included_children(raw, key, frame, where, depth)
        children: dict[str, Any] = {}
        for name, value in raw.items():
            if key == "patternProperties" and usable_pattern(name, frame.notes, where) is None:
                continue
            if self._left <= 0 and self._last_resort:
                frame.notes.repair(f"{where}: {len(raw) - len(children)} of {len(raw)} {key} left out, too many")
                break
            children[name] = self._schema(value, frame, f"{where}/{key}/{name}", depth - 1)
        return children

    def _included_children(self, raw: dict[str, Any], key: str, frame: Frame, where: str, depth: int) -> dict[str, Any]:
        """Normalise a map of schemas that includes another map by `$ref`, which no specification allows."""
        own = {name: value for name, value in raw.items() if name != "$ref"}
        try:
            target = self._references.resolve(raw["$ref"], frame.document)
        except BrokenReference as error:
            frame.notes.repair(f"{where}/{key}: {error}, left out")
            return self._children(own, key, frame, where, depth)
        frame.notes.repair(f"{where}/{key}: is a reference, taken as the map that it leads to")
        other = Frame(target.document, frame.ancestors, frame.notes, frame.seen)
        included = target.value
        if isinstance(included, dict) and isinstance(included.get(key), dict):
            included = included[key]
        if isinstance(included, dict) and isinstance(included.get("$ref"), str):
            included = None
        children = self._children(included, key, other, where, depth) | self._children(own, key, frame, where, depth)
        frame.nodes += other.nodes
        return children

    def _add_choices(self, schema: dict[str, Any], raw: dict[str, Any], frame: Frame, where: str, depth: int) -> None:
        """Add `oneOf`, `anyOf`, `not` and conditions; a choice with one branch is merged into the schema."""
        for key in ("oneOf", "anyOf"):
            branches = self._branches(raw, key, frame, where, depth)
            branches = unlike(with_branch_values(branches, raw.get(key), raw.get("discriminator")))
            if len(branches) == 1:
                schema |= merge_all(dict(schema), branches, frame.notes, where)
            elif branches and key == "oneOf" and "anyOf" not in raw and admit_alike(branches, HIDDEN[self._direction]):
                frame.notes.repair(where, "oneOf taken as anyOf, for its branches admit the same values")
                schema["anyOf"] = branches
            elif branches:
                schema[key] = branches
        for key in ("not", "if", "then", "else"):
            if isinstance(raw.get(key), dict):
                schema[key] = self._schema(raw[key], frame, f"{where}/{key}", depth, loose=True)

    def _branches(self, raw: dict[str, Any], key: str, frame: Frame, where: str, depth: int) -> list[dict[str, Any]]:
        if key not in raw:
            return []
        listed = raw[key]
        if isinstance(listed, dict):
            frame.notes.repair(f"{where}: {key} was no list")
            listed = [listed]
        if not isinstance(listed, list) or not listed:
            frame.notes.repair(f"{where}: {key} that is no list of schemas dropped")
            return []
        branches: list[dict[str, Any]] = []
        for index, value in enumerate(listed):
            if self._left <= 0 and self._last_resort:
                frame.notes.repair(f"{where}: {len(listed) - index} of {len(listed)} {key} left out, too many")
                break
            branches.append(self._schema(value, frame, f"{where}/{key}/{index}", depth, loose=True))
        return branches
