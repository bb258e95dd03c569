"""Texts that only acknowledge a call, and tools that only note down a thought and return nothing else.

create_directory(path="reports")  ->  "Done: reports"
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from interplay.schemas.json.fields import object_properties, schema_type
from interplay.schemas.records.tool import Tool
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import beside, word_set

_LISTS = beside(__file__)

SAID = ("content", "text", "message", "result", "output", "response", "msg", "detail", "status")
"""Names of the only field of a result that is just a text."""

_BOUND = ("enum", "const", "format", "pattern", "contentEncoding")
_WELL = word_set(_LISTS, "well")
"""Words that only say that the call succeeded."""

_THOUGHTS = word_set(_LISTS, "thoughts")
_ABOUT_THOUGHTS = _THOUGHTS | word_set(_LISTS, "about_thoughts")
_REASONS = {"thought", "thoughts", "reasoning", "reflection", "scratchpad"}


def text_within(schema: Mapping[str, Any] | None) -> str | None:
    """Return the name of the only field of a result that is just a free text, "" if the result is itself a text, else None."""
    if schema is None or any(key in schema for key in _BOUND):
        return None
    if schema_type(schema) == "string":
        return ""
    fields = object_properties(schema)
    name = next(iter(fields), "")
    if len(fields) != 1 or name.lower() not in SAID or schema_type(fields[name]) != "string":
        return None
    return None if any(key in fields[name] for key in _BOUND) else name


def as_text(schema: Mapping[str, Any], text: str) -> Any:
    """Return a text in the form of a result schema that `text_within` accepts."""
    name = text_within(schema)
    return {name: text} if name else text


def is_thought(tool: Tool) -> bool:
    """Tell whether a tool only records its caller's thoughts, as `think` and `scratchpad` do: no user asks for it."""
    words = set(name_tokens(tool.original_name.rsplit(".", 1)[-1]))
    if not words & _THOUGHTS or not words <= _ABOUT_THOUGHTS:
        return False
    fields, needed = object_properties(tool.parameters), tool.required
    texts = [name for name in fields if schema_type(fields[name]) == "string"]
    told = len(needed or fields) == 1 == len(texts) or any(_REASONS & set(name_tokens(name)) for name in texts)
    return told and (tool.returns is None or text_within(tool.returns) is not None or not _REASONS.isdisjoint(fields))


def acknowledgement(named: Iterable[Any]) -> str:
    """Return the text that acknowledges a call, listing the values in `named`."""
    about = [*map(str, named)]
    return f"Done: {', '.join(about)}" if about else "Done."


def documented(returns: Mapping[str, Any], arguments: Mapping[str, Any], tool: Tool) -> str | None:
    """Return the acknowledgement that a tool's result schema documents in an example or a description, if any."""
    name = text_within(returns)
    schema = object_properties(returns)[name] if name else returns
    told = (*schema.get("examples", ()), *(of.get("description") for of in (schema, returns)))
    texts = (text.strip() for text in told if isinstance(text, str))
    return next((text for text in texts if _is_said(text) and says_nothing(text, arguments, tool.original_name)), None)


def _is_said(text: str) -> bool:
    """Tell whether a text is short enough for an acknowledgement and in the ASCII letters that `says_nothing` reads."""
    return text.isascii() and any(map(str.isalpha, text)) and len(text) <= _SHORT


_SHORT = 80
"""Maximum length of an acknowledgement, in characters."""


def says_nothing(text: str, arguments: Mapping[str, Any], tool: str) -> bool:
    """Tell whether a text only acknowledges a call, in words of the call: "Successfully wrote to notes.txt"."""
    if text.startswith(acknowledgement([""])):
        return True
    rest = text
    for value in sorted((str(value) for value in arguments.values() if value not in ("", None)), key=len, reverse=True):
        rest = rest.replace(value, " ")
    known = {
        _stem(token) for token in (*name_tokens(tool), *(word for name in arguments for word in name_tokens(name)))
    }
    left = [word for word in re.findall(r"[a-z]+|\d+", rest.lower()) if word not in _WELL]
    return all(_stem(word) in known for word in left)


def _stem(word: str) -> str:
    for ending in ("ing", "ed", "es", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) > 2:
            word = word.removesuffix(ending)
            break
    return word[:-1] if word[-2:-1] == word[-1:] else word
