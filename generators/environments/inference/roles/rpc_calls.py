"""A function behind a dotted path -> the words of its name, what its result shows, and the arguments that name rows."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from interplay.generators.environments.inference.plans import ToolPlan, is_paging
from interplay.generators.environments.inference.result_rows import is_object
from interplay.generators.environments.inference.roles.segments import path_segments
from interplay.generators.environments.inference.tool_words import ENVELOPES, VERBS, is_plural, resource_name, stem_of
from interplay.schemas.json.canonical import join_pointer
from interplay.schemas.json.fields import SCALARS, name_tokens, object_properties, schema_type

_AROUND = {"metadata", "meta", "paging", "pagination", "links", "headers", "warnings", "policies"}
"""Words of fields beside the rows of a result that are never rows themselves."""


def call_parts(path: str) -> list[str] | None:
    """Return the parts of a path that names a function: `/api/chat.postMessage` -> ["chat", "postMessage"]; else none."""
    segments = path_segments(path)
    if len(segments) != 1 or "{" in segments[0] or segments[0].startswith("."):
        return None
    parts = segments[0].split(".")
    return parts if len(parts) > 1 and all(parts) else None


@dataclass(frozen=True)
class RemoteCall:
    """One function: its plan as its name alone says it, and its path in parts."""

    plan: ToolPlan
    parts: list[str]

    @property
    def tokens(self) -> list[str]:
        """The words after the last dot."""
        return name_tokens(self.parts[-1])

    @property
    def space(self) -> str:
        """What the part before the last dot names."""
        return resource_name(self.parts[-2])

    @cached_property
    def verb(self) -> str:
        """The first word that is a verb, if there is one."""
        return next((token for token in self.tokens if token in VERBS), "")

    @cached_property
    def nouns(self) -> list[str]:
        """The words after the last dot that are no verbs."""
        return [token for token in self.tokens if token not in VERBS]

    @cached_property
    def shown(self) -> list[tuple[str, str, Mapping[str, Any], bool]]:
        """Word, pointer and schema of the rows in the result, and whether they are many."""
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
        """The arguments by which rows can be named."""
        known = self.plan.tool.parameters.get("properties", {})
        kinds = ("string", "integer", "array", "number")
        return {name: item for name, item in known.items() if schema_type(item) in kinds and not is_paging(name)}

    def naming(self, words: tuple[str, ...], many: bool = False) -> str | None:
        """Return the argument that names a row by one of some words: `channel` or `channel_id`; `many` admits lists."""
        for name, schema in self.arguments.items():
            spoken = spoken_of(name)
            alone = schema_type(schema) != "array" and not is_plural(stem_of(name) or name)
            if spoken in words and (alone or many) and not _ends_plural(name, many):
                return name
        return None


def _ends_plural(name: str, many: bool) -> bool:
    return not many and name_tokens(name)[-1:] == ["ids"]


def spoken_of(name: str) -> str:
    """Return the noun that an argument or field speaks of: `channel_ids`, `channels` and `channel` -> channel."""
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
