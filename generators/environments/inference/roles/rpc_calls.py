"""A function behind a dotted path -> the words of its name, what its result shows, and the arguments that name rows."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from interplay.generators.environments.inference.plans import Edit, EditKind, Rows, ToolPlan
from interplay.generators.environments.inference.result_rows import is_object
from interplay.generators.environments.inference.roles.segments import path_segments
from interplay.generators.environments.inference.tool_words import (
    ENVELOPES,
    VERBS,
    is_plural,
    resource_name,
    stem_of,
)
from interplay.schemas.calls.first_page import is_paging
from interplay.schemas.json.canonical import join_pointer
from interplay.schemas.json.fields import SCALARS, object_properties, schema_type
from interplay.schemas.records.tool import Operation
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.nouns import singular

_NO_NOUN = {
    "info",
    "detail",
    "match",
    "message_match",
    "error",
    "status",
    "option",
    "setting",
    "permission",
    *ENVELOPES,
}
"""Words of fields that do not name a resource."""

JOINING: Mapping[str, EditKind] = {"invite": "add", "add": "add", "kick": "remove", "remove": "remove"}
PEOPLE_ONLY = ("invite", "kick")
"""Verbs in `JOINING`, which add or remove rows of another resource, that are used for people only."""

_AROUND = {"metadata", "meta", "paging", "pagination", "links", "headers", "warnings", "policies"}
"""Words of fields in a result that never hold rows."""


def call_parts(path: str) -> list[str] | None:
    """Return the parts of a path that names a function: `/api/chat.postMessage` -> ["chat", "postMessage"]; else none."""
    segments = path_segments(path)
    if len(segments) != 1 or "{" in segments[0] or segments[0].startswith("."):
        return None
    parts = segments[0].split(".")
    return parts if len(parts) > 1 and all(parts) else None


@dataclass(frozen=True)
class RemoteCall:
    """One function: its plan by its name alone, the parts of its path, and the words for all resources."""

    plan: ToolPlan
    parts: list[str]
    words: Mapping[str, str] = field(default_factory=dict)

    @property
    def tokens(self) -> list[str]:
        """The words after the last dot."""
        return name_tokens(self.parts[-1])

    @property
    def space(self) -> str:
        """The resource named by the part before the last dot."""
        return resource_name(self.parts[-2])

    @cached_property
    def verb(self) -> str:
        """The first verb after the last dot; empty if there is none."""
        return next((token for token in self.tokens if token in VERBS), "")

    @cached_property
    def nouns(self) -> list[str]:
        """The words after the last dot that are not verbs."""
        return [token for token in self.tokens if token not in VERBS]

    @cached_property
    def shown(self) -> list[tuple[str, str, Mapping[str, Any], bool]]:
        """(word, pointer, schema, whether there are many) for the rows in the result."""
        return list(_shown(self.plan.tool.returns or {}, ""))

    @cached_property
    def listed(self) -> list[str]:
        """The fields of the result that are lists of scalars."""
        fields = object_properties(self.plan.tool.returns or {})
        return [
            key
            for key, item in fields.items()
            if schema_type(item) == "array" and schema_type(item.get("items") or {"type": "null"}) in SCALARS
        ]

    @cached_property
    def arguments(self) -> dict[str, Mapping[str, Any]]:
        """The arguments that can name rows."""
        known = self.plan.tool.parameters.get("properties", {})
        kinds = ("string", "integer", "array", "number")
        return {name: item for name, item in known.items() if schema_type(item) in kinds and not is_paging(name)}

    @property
    def reads(self) -> bool:
        """Whether the call changes nothing."""
        return self.plan.tool.effect == "read"

    @property
    def own(self) -> str:
        """The resource of its namespace."""
        return self.words[self.space]

    @cached_property
    def shown_noun(self) -> str | None:
        """The word for the only rows in the result, if it names a resource."""
        word = self.shown[0][0] if len(self.shown) == 1 and not self.nouns else ""
        return word if word and word not in _NO_NOUN else None

    def words_of(self, resource: str | None) -> tuple[str, ...]:
        """Return the words for a resource."""
        return tuple(word for word, name in self.words.items() if name == resource)

    @cached_property
    def holder(self) -> str | None:
        """The argument that names a row of the namespace's resource."""
        return self.naming(self.words_of(self.own))

    @cached_property
    def named(self) -> str | None:
        """The resource that the function acts on: the one in its last part, else its namespace's."""
        known, joined = self.plan.resource, resource_name("_".join(self.nouns)) if self.nouns else ""
        for noun in (joined, resource_name(self.nouns[-1])) if self.nouns else ():
            if self.words.get(noun, self.own) != self.own:
                return self.own if self.holder and self.plan.operation in ("action", "update") else self.words[noun]
        if known is not None and known not in (self.space, joined):
            return self.words.get(known, known)
        return self.own if not self.nouns or known == self.space else known

    @cached_property
    def named_argument(self) -> str | None:
        """The argument that names a row of the resource that the function acts on."""
        return self.naming(self.words_of(self.named) or (self.named,)) if self.named else None

    @cached_property
    def named_rows(self) -> Rows | None:
        """Where the result shows rows of the resource that the function acts on."""
        return self.rows_of(self.named)

    @property
    def lists_nothing(self) -> bool:
        """Whether the name says that it lists, but the result shows no list of that resource."""
        many = self.named_rows is not None and self.named_rows.many
        return self.plan.operation == "list" and self.plan.tool.returns is not None and not many

    def rows_of(self, resource: str | None) -> Rows | None:
        """Return where the result shows rows of a resource."""
        return next(
            (Rows(at, row, many) for word, at, row, many in self.shown if self.words.get(word, self.own) == resource),
            None,
        )

    @cached_property
    def shown_rows(self) -> tuple[str, str, Mapping[str, Any], bool] | None:
        """The only rows in the result, else those of the namespace's resource."""
        own = [item for item in self.shown if self.words.get(item[0]) == self.own]
        return next(iter(self.shown if len(self.shown) == 1 else own), None)

    @cached_property
    def outer(self) -> tuple[str, str] | None:
        """Argument and resource of the row whose list an inner namespace names: `usergroups.users.list`."""
        outer = self.words.get(resource_name(self.parts[-3])) if len(self.parts) > 2 and self.holder is None else None
        holder = self.naming(self.words_of(outer)) if outer else None
        nested = outer and holder and not self.nouns and is_plural(self.parts[-2])
        return (holder, outer) if nested and holder and outer else None

    @cached_property
    def outer_argument(self) -> str | None:
        """The argument with the values for the list in `outer`."""
        field = self.parts[-2]
        return next((name for name in self.arguments if name in (field, f"{singular(field)}_ids")), None)

    @cached_property
    def joining(self) -> tuple[str, str] | None:
        """Argument and noun of the rows that are added to a row or removed from it: `invite`, `kick`, `addUsers`."""
        if self.reads or self.holder is None or self.verb not in JOINING:
            return None
        noun = resource_name("_".join(self.nouns)) if self.nouns else ""
        for name in self.arguments:
            other = self.words.get(spoken_of(name), self.own)
            is_meant = self.verb in PEOPLE_ONLY or self.words.get(noun) == other
            if name != self.holder and other != self.own and is_meant:
                return name, spoken_of(name)
        return None

    def plan_of(
        self,
        operation: Operation,
        resource: str | None,
        target: str | None,
        rows: Rows | None = None,
        edit: Edit | None = None,
    ) -> ToolPlan:
        """Return the plan with these values."""
        return replace(self.plan, operation=operation, resource=resource, target=target, rows=rows, edit=edit)

    def naming(self, words: tuple[str, ...], many: bool = False) -> str | None:
        """Return the argument that names a row by one of some words (`channel`, `channel_id`); `many` admits lists."""
        for name, schema in self.arguments.items():
            alone = schema_type(schema) != "array" and not is_plural(stem_of(name) or name)
            if spoken_of(name) in words and (many or (alone and name_tokens(name)[-1:] != ["ids"])):
                return name
        return None


def spoken_of(name: str) -> str:
    """Return the noun in the name of an argument or field: `channel_ids`, `channels` and `channel` -> channel."""
    return stem_of(name) or resource_name(name)


def _shown(schema: Mapping[str, Any], pointer: str) -> Iterator[tuple[str, str, Mapping[str, Any], bool]]:
    for key, item in object_properties(schema).items():
        if set(name_tokens(key)) & _AROUND:
            continue
        here = pointer + join_pointer(key)
        if not pointer and key.lower() in ENVELOPES and schema_type(item) == "object":
            inner = list(_shown(item, here))
            yield from inner if len(inner) == 1 and len(object_properties(item)) <= 3 else [("", here, item, False)]
        elif is_object(item) and object_properties(item):
            yield resource_name(key), here, item, False
        elif schema_type(item) == "array" and isinstance(item.get("items"), Mapping) and is_object(item["items"]):
            yield "" if key.lower() in ENVELOPES else resource_name(key), here, item["items"], True
