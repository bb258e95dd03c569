"""A tool -> whether it serves programs, rather than something that a person wants.

login(email, password)      opens a session
refreshToken(token)         keeps a session alive
getHealth()                 monitors the server
"""

from functools import lru_cache
from typing import Any

from interplay.schemas.json.fields import object_properties, schema_type
from interplay.schemas.records.tool import Tool
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import beside, word_set, words

_LISTS = beside(__file__)
_ALONE = word_set(_LISTS, "alone")
_ANEW = word_set(_LISTS, "anew")
_LAST = word_set(_LISTS, "last")
_TOGETHER = tuple(tuple(phrase.split()) for phrase in words(_LISTS, "together"))


def is_plumbing(tool: Tool) -> bool:
    """Tell whether a tool is named like one for programs, or takes what only they write, and has no authored wishes."""
    if tool.phrases.wishes:
        return False
    path = tool.http.path.strip("/").split("/") if tool.http is not None else []
    if _takes_patch(tool) or (path == [""] and _says_hello(tool)):
        return True
    if path and path[-1].lower() in _LAST and not any("{" in part for part in path):
        return True
    return any(map(_is_of_machines, (tool.original_name, tool.summary, "/".join(path[-2:]))))


def _takes_patch(tool: Tool) -> bool:
    """Tell whether a tool takes changes as a JSON Patch (RFC 6902), which nobody says aloud."""
    lists = (schema.get("items", {}) for schema in tool.properties.values() if schema_type(schema) == "array")
    return any({"op", "path"} <= object_properties(items).keys() for items in lists)


@lru_cache(maxsize=16_384)
def _is_of_machines(said: str) -> bool:
    """Tell whether a name contains words of tools for programs."""
    tokens = name_tokens(said)
    return not _ALONE.isdisjoint(tokens) or any(_stands_in(phrase, tokens) for phrase in _TOGETHER)


def _says_hello(tool: Tool) -> bool:
    """Tell whether a tool only shows that the server runs, as many root paths do: no arguments, no rows."""
    shown = tool.returns or {}
    return (
        tool.effect == "read" and not tool.properties and not object_properties(shown) and schema_type(shown) != "array"
    )


def converses(tool: Tool) -> bool:
    """Tell whether a tool answers a prompt in free text, which cannot be derived from its arguments."""
    given, shown = (object_properties(schema or {}) for schema in (tool.parameters, tool.returns))
    asks = any(_is_prose(name, schema, _ASKED) for name, schema in given.items())
    return (
        asks and any(_is_prose(name, schema, _ANSWERED) for name, schema in shown.items()) and not tool.phrases.wishes
    )


def _is_prose(name: str, schema: Any, words: frozenset[str]) -> bool:
    return schema_type(schema) == "string" and not words.isdisjoint(name_tokens(name)[-1:])


_ASKED, _ANSWERED = word_set(_LISTS, "asked"), word_set(_LISTS, "answered")


def makes_anew(tool: Tool) -> bool:
    """Tell whether the name, summary or path of a tool says that it creates another row."""
    path = tool.path.rsplit("/", 1)[-1]
    return any(set(name_tokens(said)[:1]) & _ANEW for said in (tool.original_name, tool.summary, path))


def _stands_in(phrase: tuple[str, ...], said: list[str]) -> bool:
    return any(tuple(said[at : at + len(phrase)]) == phrase for at in range(len(said)))
