"""Needed tools -> the tools that could be taken for them: those that do the like to the same thing, or are called alike."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from interplay.generators.blueprints.growing import READING
from interplay.schemas.fields import name_tokens
from interplay.schemas.protocols import Environment
from interplay.schemas.tools import ToolRole

ALIKE = 0.5
"""Share of the words of two names that they have in common, from which on they are called alike."""


@dataclass(frozen=True)
class Lookalikes:
    """Finds tools that could be taken for others."""

    environment: Environment

    @cached_property
    def _roles(self) -> dict[str, ToolRole]:
        return {role.tool: role for role in self.environment.resources.roles}

    @cached_property
    def _doing(self) -> dict[tuple[str, str], list[str]]:
        """The tools by what they do to what."""
        found: dict[tuple[str, str], list[str]] = {}
        for name, role in self._roles.items():
            if role.resource is not None:
                found.setdefault(_deed(role), []).append(name)
        return found

    def of(self, used: Iterable[str]) -> list[str]:
        """Return the tools that do the like of those used to the same thing, in the order of the toolset."""
        needed = dict.fromkeys(used)
        deeds = {_deed(role): None for name in needed if (role := self._roles.get(name)) is not None}
        alike = (name for deed in deeds for name in self._doing.get(deed, ()))
        return [name for name in dict.fromkeys(alike) if name not in needed]

    def among(self, offered: Sequence[str], used: Sequence[str]) -> tuple[str, ...]:
        """Return those of the tools offered that are not used and could be taken for one that is."""
        near = set(self.of(used))
        return tuple(
            name
            for name in dict.fromkeys(offered)
            if name not in used and (name in near or any(_called_alike(name, own) for own in used))
        )


def _deed(role: ToolRole) -> tuple[str, str]:
    return str(role.resource), "read" if role.operation in READING else role.operation


@lru_cache(maxsize=65_536)
def _called_alike(name: str, other: str) -> bool:
    words, others = frozenset(name_tokens(name)), frozenset(name_tokens(other))
    common = len(words & others)
    return common > 0 and common / len(words | others) >= ALIKE
