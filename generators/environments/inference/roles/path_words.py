"""Paths whose words run together -> the same with the words separated, as in the names of operations.

GetSslCertificates      GET /sslcertificates         ->  /ssl_certificates
GroceryList_AddRecipe   POST /grocerylist/recipe     ->  /grocery_list/recipe

Paths to a collection with an adjective after it -> one name, if it is a collection of its own:
                        GET, POST /items/found       ->  /found_items
"""

import re
from collections.abc import Collection, Iterable

from interplay.schemas.records.tool import Tool
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.nouns import is_plural, singular
from interplay.schemas.words.word_classes import tells_which

_RUN_ON = re.compile(r"[a-z]{5,40}")
_MOST_WORDS = 4


def spelled_out(tools: Iterable[Tool]) -> tuple[Tool, ...]:
    """Return the tools with the words in their paths separated; nothing else is changed."""
    tools = tuple(tools)
    joined: dict[str, str] = {}
    for tool in tools:
        tokens = name_tokens(tool.original_name) if tool.http is not None else []
        for first in range(len(tokens)):
            for last in range(first + 2, min(len(tokens), first + _MOST_WORDS) + 1):
                words = tokens[first:last]
                if all(len(word) > 1 and word.isalpha() for word in words):
                    joined.setdefault("".join([*words[:-1], singular(words[-1])]), "_".join(words[:-1]))
    methods: dict[str, set[str]] = {}
    for tool in tools:
        if tool.http is not None:
            methods.setdefault(tool.path.rstrip("/"), set()).add(tool.method)
    kept = frozenset(path for path, known in methods.items() if known >= {"GET", "POST"})
    return tuple(_spelled(tool, joined, kept) for tool in tools)


def _spelled(tool: Tool, joined: dict[str, str], kept: frozenset[str]) -> Tool:
    """Return a tool with the words of its path separated; paths in `kept` are collections that are read and created in."""
    if tool.http is None:
        return tool
    path = "/".join(_apart(part, joined) for part in _own_collection(tool.path, kept).split("/"))
    if path == tool.path:
        return tool
    return tool.model_copy(update={"http": tool.http.model_copy(update={"path": path})})


def _apart(part: str, joined: dict[str, str]) -> str:
    """Return a part of a path with its words separated."""
    if not _RUN_ON.fullmatch(part):
        return part
    before = joined.get(singular(part))
    return f"{before}_{part.removeprefix(before.replace('_', ''))}" if before else part


def _own_collection(path: str, kept: Collection[str]) -> str:
    """Return a path with a collection and its adjective joined, if both together are in `kept`: `/items/found/{id}`."""
    parts = path.split("/")
    for at in range(2, len(parts)):
        many, how = parts[at - 1], parts[at]
        if "/".join(parts[: at + 1]) in kept and many.isalpha() and is_plural(many) and tells_which(how):
            return "/".join([*parts[: at - 1], f"{how}_{many}", *parts[at + 1 :]])
    return path
