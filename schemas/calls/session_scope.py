"""What tools show and require -> the resource that a whole conversation takes place in: an account that no tool lists."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from interplay.schemas.words.identifiers import name_tokens

FEWEST_TOOLS, LEAST_SHARE = 4, 0.4
"""Minimum number and share of tools that must require a row of a resource for it to be a session scope."""


@dataclass(frozen=True)
class ToolNeeds:
    """The resource that a tool lists, reads or creates rows of, if any, and the resources whose rows it requires."""

    shows: str | None
    takes: frozenset[str]


def needs_of(operation: str, resource: str | None, references: Mapping[str, str], required: Iterable[str]) -> ToolNeeds:
    """Return the needs of a tool; `references` maps JSON pointers of its arguments to resources.

    A create tool whose new row gets its identity from an argument shows nothing: the caller knew the identity already.
    """
    needed = set(required)
    own = (["id"], ["uuid"], [*name_tokens(resource or ""), "id"])
    given = operation == "create" and any(name_tokens(name) in own for name in needed)
    takes = frozenset(held for pointer, held in references.items() if pointer.split("/")[1] in needed)
    return ToolNeeds(resource if operation in ("list", "read", "create") and not given else None, takes)


def session_scope(tools: Iterable[ToolNeeds]) -> str | None:
    """Return the resource that each conversation is about one row of, without any way to look that row up; None if there is none.

    Many tools require its identity, and every tool that shows one requires one itself: `/accounts/{account_id}/domains`
    where no tool lists accounts. The program that the assistant runs in knows which row it is.
    """
    tools = tuple(tools)
    counted = Counter(resource for tool in tools for resource in tool.takes)
    shown = {tool.shows for tool in tools if tool.shows not in tool.takes}
    often = max(FEWEST_TOOLS, LEAST_SHARE * len(tools))
    found = [resource for resource, count in counted.items() if count >= often and resource not in shown]
    return min(found, key=lambda resource: (-counted[resource], resource), default=None)
