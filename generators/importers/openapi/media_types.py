"""The `content` of a request or response -> the media type that is imported, and its examples."""

import json
from collections.abc import Iterator
from typing import Any

from interplay.generators.importers.documents.json_references import BrokenReference, Document, References
from interplay.generators.importers.normalisation.samples import MAX_EXAMPLE_CHARACTERS

_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")


def _rank(media_type: str) -> int:
    """Return the preference of a media type, best first: JSON, JSON variants, wildcards, forms, text, others."""
    plain = media_type.partition(";")[0].strip().lower()
    if plain == "application/json":
        return 0
    if plain.endswith("+json") or plain in ("text/json", "application/x-json"):
        return 1
    if plain in ("*/*", "application/*"):
        return 2
    if plain in _FORMS:
        return 3 + _FORMS.index(plain)
    if "json" in plain and "stream" not in plain and "seq" not in plain and "ndjson" not in plain:
        return 2
    if plain.startswith("text/") and plain != "text/event-stream":
        return 5
    return 6


def is_form(media_type: str) -> bool:
    """Tell whether a body of this type is sent as form fields."""
    plain = media_type.partition(";")[0].strip().lower()
    return plain in _FORMS or plain.startswith("multipart/")


def is_binary(media_type: str) -> bool:
    """Tell whether a body of this type is bytes rather than text or data."""
    plain = media_type.partition(";")[0].strip().lower()
    kind, _, name = plain.partition("/")
    packed = kind == "application" and name in ("octet-stream", "pdf", "zip", "gzip", "x-tar")
    return packed or plain.startswith(("image/", "audio/", "video/", "font/"))


def best_media(content: Any, references: References, document: Document) -> tuple[str, dict[str, Any], Document] | None:
    """Return the preferred media type, its object, and the document that holds it; None if there is none."""
    if not isinstance(content, dict):
        return None
    for media_type in sorted((key for key in content if key[:2] != "x-"), key=_rank):
        try:
            media, place = references.value(content[media_type], document)
        except BrokenReference:
            continue
        if isinstance(media, dict):
            return media_type, media, place
    return None


def examples_of(holder: dict[str, Any], references: References, document: Document) -> Iterator[Any]:
    """Yield the values in `example` and `examples` of a media type or parameter (OpenAPI 3)."""
    if "example" in holder:
        yield holder["example"]
    named = holder.get("examples")
    if isinstance(named, list):
        yield from named
    for example in named.values() if isinstance(named, dict) else ():
        try:
            value, _ = references.value(example, document)
        except BrokenReference:
            continue
        if isinstance(value, dict) and "value" in value:
            yield value["value"]


def read_sample(value: Any) -> Any:
    """Return a sample, parsed if it is JSON text."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "[") and len(value) < 20 * MAX_EXAMPLE_CHARACTERS:
        try:
            return json.loads(value, parse_constant=str)
        except (ValueError, RecursionError):
            return value
    return value
