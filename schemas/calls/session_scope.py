"""What tools are about and must be told -> what a whole conversation takes place in: the account that none of them shows."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from interplay.schemas.words.identifiers import name_tokens

FEWEST_TOOLS, LEAST_SHARE = 4, 0.4
"""Tools that must be told a row of a resource, and their share of all, from which on it is what conversations take place in."""


@dataclass(frozen=True)
class ToolNeeds:
    """What a tool lists, reads or makes rows of, if it does, and the resources of which it must be told a row."""

    shows: str | None
    takes: frozenset[str]


def needs_of(operation: str, resource: str | None, references: Mapping[str, str], required: Iterable[str]) -> ToolNeeds:
    """Return the needs of a tool; `references` maps JSON pointers of its arguments to resources.

    Who has to give something new its identity learns none by making it.
    """
    needed = set(required)
    own = (["id"], ["uuid"], [*name_tokens(resource or ""), "id"])
    given = operation == "create" and any(name_tokens(name) in own for name in needed)
    takes = frozenset(held for pointer, held in references.items() if pointer.split("/")[1] in needed)
    return ToolNeeds(resource if operation in ("list", "read", "create") and not given else None, takes)


def session_scope(tools: Iterable[ToolNeeds]) -> str | None:
    """Return the resource of which each conversation is about one row that nobody can look up.

    Many tools must be told its identity, and whatever shows one must be told one itself: `/accounts/{account_id}/domains`
    where no tool lists accounts. The program that the assistant runs in knows which it is.
    """
    tools = tuple(tools)
    counted = Counter(resource for tool in tools for resource in tool.takes)
    shown = {tool.shows for tool in tools if tool.shows not in tool.takes}
    often = max(FEWEST_TOOLS, LEAST_SHARE * len(tools))
    found = [resource for resource, count in counted.items() if count >= often and resource not in shown]
    return min(found, key=lambda resource: (-counted[resource], resource), default=None)
