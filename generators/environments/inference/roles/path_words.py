"""Paths whose words run together -> the same with the words apart, where the names of operations tell them.

GetSslCertificates      GET /sslcertificates         ->  /ssl_certificates
GroceryList_AddRecipe   POST /grocerylist/recipe     ->  /grocery_list/recipe
"""

import re
from collections.abc import Iterable

from interplay.schemas.records.tool import Tool
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.nouns import singular

_RUN_ON = re.compile(r"[a-z]{8,40}")
_MOST_WORDS = 4


def spelled_out(tools: Iterable[Tool]) -> tuple[Tool, ...]:
    """Return the tools with the words of their paths apart; nothing else of them changes."""
    tools = tuple(tools)
    joined: dict[str, str] = {}
    for tool in tools:
        tokens = name_tokens(tool.original_name) if tool.http is not None else []
        for first in range(len(tokens)):
            for last in range(first + 2, min(len(tokens), first + _MOST_WORDS) + 1):
                words = tokens[first:last]
                if all(len(word) > 1 and word.isalpha() for word in words):
                    joined.setdefault("".join([*words[:-1], singular(words[-1])]), "_".join(words[:-1]))
    return tuple(_spelled(tool, joined) for tool in tools)


def _spelled(tool: Tool, joined: dict[str, str]) -> Tool:
    if tool.http is None:
        return tool
    path = "/".join(_apart(part, joined) for part in tool.http.path.split("/"))
    if path == tool.http.path:
        return tool
    return tool.model_copy(update={"http": tool.http.model_copy(update={"path": path})})


def _apart(part: str, joined: dict[str, str]) -> str:
    """Return a part of a path with its words apart."""
    if not _RUN_ON.fullmatch(part):
        return part
    before = joined.get(singular(part))
    return f"{before}_{part.removeprefix(before.replace('_', ''))}" if before else part
