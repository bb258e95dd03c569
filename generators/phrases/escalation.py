"""A tool -> whether it hands a matter over to a person, and how a user asks for that."""

import re

from interplay.schemas.records.tool import Tool
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import word_set
from interplay.schemas.words.nouns import singular

PEOPLE = word_set("people", "desks")
_PASSES = re.compile(r"\b(?:hand|pass|transfer|escalate|forward|refer)s?\b.{0,60}?\b(?:to|over)\b", re.IGNORECASE)

ASKED_FOR = ("talk to a person", "speak to somebody in person", "get through to a person")
"""Default wishes for a tool that hands over to a person and has no phrases of its own."""


def hands_over(tool: Tool) -> bool:
    """Tell whether a tool hands a matter over to a person, by its name or the first sentence of its description."""
    tokens = name_tokens(tool.original_name)
    if {"handover", "escalate", "handoff"} & set(tokens) or tokens[:2] == ["hand", "over"]:
        return True
    people = PEOPLE & set(tokens)
    if tokens[:1] == ["transfer"] and (people or "it" in tokens):
        return True
    first = tool.description.strip().split("\n\n")[0].split(". ")[0]
    said = {singular(token) for token in re.findall(r"[a-z]+", first.lower())}
    return tool.effect == "write" and bool(PEOPLE & said) and _PASSES.match(first) is not None
