"""Reads that look at another row than any that the task is about, in place of the one that it is about."""

from collections.abc import Iterator, Mapping

from interplay.schemas.blueprint import Blueprint
from interplay.schemas.canonical import leaves
from interplay.schemas.dialogue import Trajectory
from interplay.schemas.tools import Tool
from interplay.schemas.verdict import Issue
from interplay.validators.matching import Made, match_calls
from interplay.validators.mentions import mentions
from interplay.validators.schema import prescribed, same


def other_rows(trajectory: Trajectory, blueprint: Blueprint, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    """Yield an issue for each read that is made with what was found for something else, where the right one is never made.

    To look at more rows is welcome, and so are the ones that the user names.
    """
    matching = match_calls(trajectory, blueprint, tools)
    known = [value for action in blueprint.actions for _, value in leaves(action.arguments)]
    for action in matching.missing:
        if action.requestor == "user" or action.tool not in tools or tools[action.tool].effect != "read":
            continue
        wanted = dict(leaves(action.arguments))
        found = [pointer for pointer, origin in action.origins.items() if origin.kind == "output" and pointer in wanted]
        for made in (made for made in matching.added if made.call.name == action.tool and not made.failed):
            passed = dict(leaves(made.call.arguments))
            for pointer in found:
                value = passed.get(pointer)
                if value in (None, "") or isinstance(value, bool) or any(same(value, other) for other in known):
                    continue
                if not _named(trajectory, made, value, prescribed(tools[action.tool].parameters, pointer).schema):
                    text = f"{action.tool} looks at {value!r}, which nothing that is wanted is about."
                    yield Issue(code="other_row", message=text[:200], pointer=f"/messages/{made.index}")


def _named(trajectory: Trajectory, made: Made, value: object, schema: Mapping[str, object]) -> bool:
    """Tell whether the user names a value before a call."""
    before = trajectory.messages[: made.index]
    return any(mentions(message.content, value, schema) for message in before if message.role == "user")
