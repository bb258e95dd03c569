"""A field of a result -> what people call it, in that result."""

from collections.abc import Collection, Mapping
from typing import Any

from interplay.generators.phrases.labels.field_labels import is_hollow, label_of, words_of
from interplay.generators.phrases.topic_nouns import topic_of
from interplay.generators.results.result_kinds import list_in, payload_of
from interplay.schemas.json.canonical import join_pointer, value_at
from interplay.schemas.json.fields import schema_at
from interplay.schemas.records.tool import Tool
from interplay.schemas.words.lists import beside, word_set
from interplay.schemas.words.nouns import singular


def label_in_result(value: Any, pointer: str) -> str:
    """Return the label of a field of a result, without the name of a field that holds the whole result.

    `/user/name` in `{"message": "Success", "user": {"name": ...}}` is the "name"; a "user name" is something else. The full
    name of an invoice's recipient, however, is the "recipient full name".
    """
    alone = isinstance(value, Mapping) and len(value) == 1
    whole = join_pointer(next(iter(value)) if alone else payload_of(value) or "")
    within = pointer.startswith(f"{whole}/") and isinstance(value_at(value, whole), Mapping)
    pointer = pointer.removeprefix(whole) if within else pointer
    label = label_of(pointer)
    said = label.split()
    rows, items = list_in(value)
    above = pointer.removeprefix(f"{rows}/" if items is not None else "").split("/")[:-1]
    parts = [part for part in above if part and not part.isdigit() and not is_hollow(part)]
    holder = next(
        (held for part in reversed(parts) if not set(held := singular(words_of(part)).split()) & set(said)), []
    )
    return " ".join((*holder, *said)) if len(said) > 1 and not _BELONGING.isdisjoint(said) else label


_BELONGING = word_set(beside(__file__), "belonging")
"""Words of what belongs to somebody or something that has to be named with it."""


def label_within(pointer: str, noun: Collection[str]) -> str:
    """Return a nested field's label without the resource's own words: `/owner/user/name` in a user -> "name".

    Empty for fields that are not nested, or whose label has no such word.
    """
    label = label_of(pointer)
    own = " ".join(word for word in label.split() if word not in noun)
    return own if own != label and pointer.count("/") > 1 else ""


def keyed(label: str, pointer: str, tool: Tool) -> str:
    """Return the label of a value; a value of a map is called by its key and by what the map holds: "price for gold"."""
    holder, _, key = pointer.rpartition("/")
    schema = schema_at(tool.returns, holder)
    mapped = isinstance(schema.get("additionalProperties"), dict) and key not in schema.get("properties", {})
    held = words_of(holder.rpartition("/")[2]) if holder else topic_of(tool.original_name)
    return f"{held} for {label}" if mapped and held else label
