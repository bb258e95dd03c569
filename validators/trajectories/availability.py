"""Checks the offer of tools: no tool is called while it is not offered, and every change of the offer has a cause."""

from collections.abc import Iterator

from interplay.schemas.calls.offer import names_found
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Message, Trajectory
from interplay.schemas.records.tool import SEARCH_TOOL
from interplay.schemas.records.verdict import Issue


def call_issues(trajectory: Trajectory) -> Iterator[Issue]:
    """Yield an issue for each call of a tool that is never offered, not yet offered, or no longer offered."""
    ever = frozenset(trajectory.all_tools())
    offered, seen = frozenset(trajectory.tools), set(trajectory.tools)
    for index, message in enumerate(trajectory.messages):
        for place, call in enumerate(message.tool_calls if message.role == "assistant" else ()):
            pointer = f"/messages/{index}/tool_calls/{place}/name"
            if call.name not in ever:
                yield Issue.of("tool_not_offered", f"{call.name} is not among the tools offered.", pointer)
            elif call.name not in offered:
                when = "is not offered any more" if call.name in seen else "is not offered yet"
                yield Issue.of("tool_not_available", f"{call.name} {when} at this message.", pointer)
        if message.offered is not None:
            offered = frozenset(message.offered)
            seen |= offered


def change_issues(trajectory: Trajectory, blueprint: Blueprint) -> Iterator[Issue]:
    """Yield an issue for each tool that comes or goes without a search that found it or a planned change."""
    searches = {call.id for call in trajectory.calls() if call.name == SEARCH_TOOL}
    planned = {name for change in blueprint.changes if not change.query for name in change.added}
    leaving = {name for change in blueprint.changes if not change.query for name in change.removed}
    found: set[str] = set()
    offered = frozenset(trajectory.tools)
    for index, message in enumerate(trajectory.messages):
        if message.offered is None:
            continue
        pointer, now = f"/messages/{index}/offered", frozenset(message.offered)
        if len(now) < len(message.offered):
            yield Issue.of("duplicate_tool", "A tool is offered twice.", pointer)
        by_search = message.role == "tool" and message.tool_call_id in searches and not message.failed
        listed = set(names_found(message.content)) if by_search else set()
        if message.role == "assistant":
            yield Issue.of("misplaced_change", "The assistant cannot change what it is offered.", pointer)
        for name in sorted(now - offered - (listed if by_search else planned)):
            source = "The search did not find" if by_search else "No request brings"
            yield Issue.of("tool_from_nowhere", f"{source} {name}.", pointer)
        for name in sorted(offered - now - (found if by_search else leaving)):
            yield Issue.of("tool_lost", f"Nothing takes {name} away.", pointer)
        found |= listed
        offered = now
    yield from _unkept(trajectory.messages, trajectory.tools, blueprint)


def _unkept(messages: tuple[Message, ...], start: tuple[str, ...], blueprint: Blueprint) -> Iterator[Issue]:
    """Yield an issue if the tool changes at the user's messages are not the planned ones, in order."""
    planned = [(set(change.added), set(change.removed)) for change in blueprint.changes if not change.query]
    made: list[tuple[set[str], set[str]]] = []
    offered = set(start)
    for message in messages:
        if message.offered is not None:
            if message.role == "user":
                made.append((set(message.offered) - offered, offered - set(message.offered)))
            offered = set(message.offered)
    if made != planned:
        text = f"The blueprint plans {len(planned)} changes with requests; {len(made)} were made, or other ones."
        yield Issue.of("changes_not_kept", text, "/messages")
