"""Tools that show the caller's own rows -> the fields of these rows that name whose they are.

GET /orders/my -> [{id, user_id, status}]     each `user_id` is the caller's, the `id` that /users/me shows
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from interplay.generators.environments.inference.plans import Plan, ResourcePlan
from interplay.schemas.records.tool import Tool
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import beside, word_set, words

_PEOPLE = word_set("people", "served", "traders", "actors", "staff", "mailed")
_MINE = word_set(beside(__file__), "mine")
_SIGNED_IN = {tuple(pair.split()) for pair in words(beside(__file__), "signed_in")}


_READ = 400
_OF_CALLER = re.compile(
    rf"\b(?:of|for|by) the (?:{'|'.join(' '.join(pair) for pair in sorted(_SIGNED_IN))})\b", re.IGNORECASE
)
"""Where a description, of which so many characters are read, says whose rows are shown."""


def owner_fields(plan: Plan, resource: ResourcePlan) -> tuple[str, ...]:
    """Return the fields that hold the caller's identity in all rows of a resource; none where callers see those of others.

    A field by which a tool chooses among rows is not one.
    """
    tools = [item for item in plan.tools.values() if item.resource == resource.name]
    if not any(item.operation == "list" and _is_own(item.tool) for item in tools):
        return ()
    told = {tuple(name_tokens(name)) for item in tools for name in _choosing(item.tool)}
    return tuple(
        name
        for name in resource.schema.get("properties", {})
        if _names_person(name) and tuple(name_tokens(name)) not in told
    )


def _is_own(tool: Tool) -> bool:
    """Tell whether a tool says of itself that it shows what is the caller's."""
    named = any(not _MINE.isdisjoint(said) or not _SIGNED_IN.isdisjoint(pairwise(said)) for said in _said(tool))
    return named or _OF_CALLER.search(tool.description[:_READ]) is not None


def _choosing(tool: Tool) -> Iterator[str]:
    """Yield the arguments that stand in no body, which may say which rows are meant."""
    yield from (name for name in tool.properties if tool.location(name) != "body")


def _said(tool: Tool) -> Iterator[list[str]]:
    yield from (name_tokens(tool.original_name), name_tokens(tool.summary))
    yield from (name_tokens(part) for part in tool.path.split("/") if "{" not in part)


def _names_person(field: str) -> bool:
    *whose, last = name_tokens(field) or [""]
    return last in ("id", "uuid") and bool(whose) and whose[-1] in _PEOPLE
