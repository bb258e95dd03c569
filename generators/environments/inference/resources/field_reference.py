"""A field of a row or an argument -> what rules ask of it: the resource whose identity it holds, by each kind of evidence."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from interplay.generators.environments.inference.plans import schema_within
from interplay.generators.environments.inference.resources.resource_index import SPOKEN_BY, ResourceIndex, is_joined
from interplay.generators.environments.inference.tool_words import ENVELOPES, resource_name, stem_of
from interplay.schemas.json.canonical import split_pointer
from interplay.schemas.json.fields import IDENTIFYING, object_properties, schema_type
from interplay.schemas.words.identifiers import name_tokens

_NEVER = {"date", "date-time", "email", "binary", "time", "byte"}


@dataclass(frozen=True)
class Field:
    """A field of a row or an argument, as the rules for references see it."""

    index: ResourceIndex
    name: str
    pointer: str
    declared: Mapping[str, Any]
    own: str = ""
    """The resource of the row; empty for an argument."""
    row: Mapping[str, Any] = field(default_factory=dict)
    """The schema of the row; empty for an argument."""

    @cached_property
    def listed(self) -> bool:
        """Whether it holds several values."""
        return schema_type(self.declared) == "array" or is_joined(self.declared)

    @cached_property
    def schema(self) -> Mapping[str, Any]:
        """The schema of one value."""
        if schema_type(self.declared) != "array":
            return self.declared
        items = self.declared.get("items")
        return {**items, "description": self.declared.get("description", "")} if isinstance(items, Mapping) else {}

    @cached_property
    def may_refer(self) -> bool:
        """Whether its values can be identities: a string or integer, but no enum and no date."""
        closed = "enum" in self.schema or "const" in self.schema or self.schema.get("format") in _NEVER
        return schema_type(self.schema) in IDENTIFYING and not closed

    @property
    def is_nested(self) -> bool:
        """Whether it is inside an object."""
        return self.pointer.count("/") > 1

    @cached_property
    def stem(self) -> str | None:
        """The noun of an identifier: `owner` for `owner_id`, or for the `id` in `/owner`."""
        stem = stem_of(self.name)
        if stem is None and self.is_nested and self._is_bare:
            holder, above, *_ = [*(part for part in reversed(self.pointer.split("/")[1:-1]) if part != "*"), "", ""]
            related = "/relationships/" in self.pointer and holder in ENVELOPES
            owner = above if related or self.index.wraps(holder, above) else holder
            return resource_name(owner) if owner else None
        return stem

    @property
    def _is_bare(self) -> bool:
        return "_".join(name_tokens(self.name)) in ("id", "uuid", "gid")

    @property
    def is_shown_name(self) -> bool:
        """Whether it is the name in a nested object, which names that object only."""
        return self.stem is None and self.name in SPOKEN_BY and self.is_nested

    @property
    def by_word(self) -> str | None:
        """See `ResourceIndex.by_word`."""
        spoken = self.index.has_words and self.may_refer
        return self.index.by_word(self.name, self.schema, self.listed) if spoken else None

    @property
    def by_shown_name(self) -> str | None:
        """See `ResourceIndex.shown_by`; in a row, any name of an identity counts: `/customer/external_id`."""
        shown = self.is_shown_name or (bool(self.own) and self.is_nested and not self._is_bare)
        return self.index.shown_by(self.name, self.pointer, self.schema) if shown and self.may_refer else None

    @property
    def by_stem(self) -> str | None:
        """The resource of its noun whose identity it can hold."""
        near = self.index.by_stem(self.stem) if self.may_refer and self.stem is not None else ()
        return next((name for name in near if self.index.fits(self.name, self.schema, name)), None)

    @property
    def by_description(self) -> str | None:
        """See `ResourceIndex.described`."""
        unnamed = self.schema.get("format") == "uuid" or (self.listed and self.name not in SPOKEN_BY)
        is_identifier = self.stem is not None or (unnamed and not self.is_shown_name)
        return self.index.described(self.name, self.schema, self.stem) if self.may_refer and is_identifier else None

    @property
    def by_told(self) -> str | None:
        """See `ResourceIndex.told_of`."""
        return self.index.told_of(self.name, self.schema) if self.may_refer else None

    @property
    def by_noun(self) -> str | None:
        """See `ResourceIndex.by_noun`."""
        return self.index.by_noun(self.name, self.schema) if self.may_refer else None

    @property
    def by_listed_noun(self) -> str | None:
        """See `ResourceIndex.by_listed_noun`."""
        listed = self.may_refer and schema_type(self.declared) == "array"
        return self.index.by_listed_noun(self.name, self.schema) if listed else None

    @property
    def by_name(self) -> str | None:
        """See `ResourceIndex.by_name`."""
        open_to_names = self.may_refer and not self.is_shown_name
        return self.index.by_name(self.name, self.schema, self.listed) if open_to_names else None

    @property
    def by_pattern(self) -> str | None:
        """See `ResourceIndex.shared_pattern`."""
        own_id = self.stem is None and self.name in ("id", "uuid") and not self.is_nested
        return self.index.shared_pattern(self.schema, self.own) if self.may_refer and not own_id else None

    @property
    def by_example(self) -> str | None:
        """See `ResourceIndex.shared_example`; the id of an object whose other fields that resource lacks is not one of its."""
        found = self.index.shared_example(self.declared, self.own)
        if found is None or not (self.is_nested and self._is_bare):
            return found
        around = object_properties(schema_within(self.row, split_pointer(self.pointer)[:-1]))
        return None if self.index.is_unlike(found, around.keys() - {self.name}) else found
