"""An MCP server's answer to a call -> its value, its error, and the text that the caller sees.

    CallToolResult(content=[text '{"sum":3}'], structuredContent={"sum": 3})    ->   value {"sum": 3}, text '{"sum":3}'
    CallToolResult(content=[text "no such note"], isError=true)                 ->   error "no such note"

Source: Model Context Protocol 2025-06-18, Tool Result.
"""

import json
from collections.abc import Mapping
from typing import Any

from interplay.generators.results.spoken_error import refusal_in
from interplay.schemas.json.canonical import canonical_json
from interplay.schemas.json.fields import object_properties, schema_type
from interplay.schemas.records.tool import Tool

LARGEST = 200_000
"""Characters of an answer at most; a longer one becomes an error."""
DEEPEST = 100
"""Levels of nesting at most; a deeper value is replaced by the text."""


def read_answer(answer: Any, tool: Tool, arguments: Mapping[str, Any]) -> tuple[Any, str | None, str]:
    """Return value, error and text of a server's answer to a call of `tool`.

    Arguments repeated in an answer do not make an error a success: {"error": "no such note", "note_id": "N7"} is an error. The
    text is the server's own, unless the structured content says more than the text; then it is that content as JSON.
    """
    if isinstance(answer, Exception):
        said = str(answer) or type(answer).__name__
        return None, said, said
    if sum(len(getattr(block, "text", "") or getattr(block, "data", "")) for block in answer.content) > LARGEST:
        said = f"Error: the answer of {tool.name} is longer than {LARGEST:,} characters."
        return None, said, said
    blocks = [block.model_dump(mode="json", by_alias=True, exclude_none=True) for block in answer.content]
    structured = answer.structured_content if _is_shallow(answer.structured_content) else None
    spoken = all(block.get("type") == "text" for block in blocks)
    text = "\n".join(block["text"] for block in blocks) if spoken else json.dumps(blocks, ensure_ascii=False)
    if answer.is_error:
        said = text or (json.dumps(structured) if structured else f"{tool.name} failed without a word.")
        return None, said, said
    if spoken and refusal_in(_unrepeated(_parsed(text), arguments)) is not None:
        return None, text, text
    if structured is not None and (tool.returns is not None or not blocks) and not _repeats(structured, text, tool):
        same = spoken and canonical_json(_parsed(text)) == canonical_json(structured)
        return structured, None, text if same else json.dumps(structured, ensure_ascii=False)
    return _parsed(text) if spoken else blocks, None, text


def is_one_text(schema: dict[str, Any] | None) -> bool:
    """Tell whether a result schema is an object with a single text field, so that the text itself must be looked at."""
    properties = object_properties(schema or {})
    return len(properties) == 1 and all(schema_type(held) == "string" for held in properties.values())


def _repeats(structured: dict[str, Any], text: str, tool: Tool) -> bool:
    """Tell whether structured content only wraps the text, while the tool's result schema describes something richer."""
    return list(structured.values()) == [text] and not is_one_text(tool.returns)


def _unrepeated(value: Any, arguments: Mapping[str, Any]) -> Any:
    """Return a value without the fields that repeat an argument of the call."""
    if not isinstance(value, dict):
        return value
    return {name: held for name, held in value.items() if name not in arguments or arguments[name] != held}


def _parsed(text: str) -> Any:
    """Return a text parsed as JSON, or the text if it is not JSON or too deeply nested."""
    try:
        value = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return text
    return value if _is_shallow(value) else text


def _is_shallow(value: Any, levels: int = DEEPEST) -> bool:
    held = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return levels > 0 and all(_is_shallow(item, levels - 1) for item in held)


def _refuse(word: str) -> Any:
    raise ValueError(f"{word} is no JSON")
