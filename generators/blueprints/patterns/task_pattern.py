"""What a pattern is: the tools that it can be made of, how a draft grows into it, and how it is seen in a draft."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from interplay.generators.blueprints.drafting.draft import Draft
from interplay.generators.blueprints.growth.growth import Growth
from interplay.schemas.records.blueprint import Lineage
from interplay.schemas.records.recipe import Pattern, Recipe
from interplay.schemas.records.tool import READING


@dataclass(frozen=True)
class Grown:
    """A draft that is to be finished, where it comes from, and whether a request comes before its tool is offered."""

    draft: Draft
    lineage: Lineage
    early: bool


def any_tool(growth: Growth, name: str) -> bool:  # noqa: ARG001
    """Every tool suits."""
    return True


def reading_tool(growth: Growth, name: str) -> bool:
    """Tell whether a tool only reads."""
    return growth.role(name).operation in READING


@dataclass(frozen=True)
class TaskPattern:
    """One pattern. `grow` lets a draft grow by a tool that `suits`; `is_in` tells whether a draft has the pattern.

    The tool that a recipe aims at, where that is another one, is brought up as a request of its own.
    """

    name: Pattern
    is_in: Callable[[Grown], bool]
    grow: Callable[[Growth, str, Recipe], Awaitable[None]]
    suits: Callable[[Growth, str], bool] = any_tool
