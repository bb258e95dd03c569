"""What a pattern consists of: which tools suit it, how a draft grows into it, and how a draft is recognised to have it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from interplay.generators.blueprints.drafting.draft import Draft
from interplay.generators.blueprints.growth.growth import Growth
from interplay.schemas.records.blueprint import Lineage
from interplay.schemas.records.recipe import Pattern, Recipe
from interplay.schemas.records.tool import READING


@dataclass(frozen=True)
class Grown:
    """A draft ready to be finished, its lineage, and whether a request comes before its tool is offered."""

    draft: Draft
    lineage: Lineage
    early: bool


def any_tool(growth: Growth, name: str) -> bool:  # noqa: ARG001
    """Accept every tool."""
    return True


def reading_tool(growth: Growth, name: str) -> bool:
    """Tell whether a tool only reads."""
    return growth.role(name).operation in READING


@dataclass(frozen=True)
class TaskPattern:
    """One pattern. `grow` grows a draft by a tool that `suits`; `is_in` tells whether a draft has the pattern.

    Where the tool that suits is not the recipe's target, the target gets a request of its own.
    """

    name: Pattern
    is_in: Callable[[Grown], bool]
    grow: Callable[[Growth, str, Recipe], Awaitable[None]]
    suits: Callable[[Growth, str], bool] = any_tool
