"""Needed tools -> tools that could be mistaken for them: by operation and resource, or by name."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from interplay.schemas.protocols import Environment
from interplay.schemas.records.tool import READING, ToolRole
from interplay.schemas.words.identifiers import name_tokens

ALIKE = 0.5
"""Share of common words from which on two names are similar."""


@dataclass(frozen=True)
class LookalikeTools:
    """Finds tools that could be mistaken for others."""

    environment: Environment
    _alike: dict[str, frozenset[str]] = field(default_factory=dict, init=False, repr=False, compare=False)

    @cached_property
    def _roles(self) -> Mapping[str, ToolRole]:
        return self.environment.resources.by_tool

    @cached_property
    def _doing(self) -> dict[tuple[str, str], list[str]]:
        """The tools by resource and operation."""
        found: dict[tuple[str, str], list[str]] = {}
        for name, role in self._roles.items():
            if role.resource is not None:
                found.setdefault(_deed(role), []).append(name)
        return found

    def of(self, used: Iterable[str]) -> list[str]:
        """Return the tools that do to the same resource what used ones do."""
        needed = dict.fromkeys(used)
        deeds = {_deed(role): None for name in needed if (role := self._roles.get(name)) is not None}
        alike = (name for deed in deeds for name in self._doing.get(deed, ()))
        return [name for name in dict.fromkeys(alike) if name not in needed]

    def among(self, offered: Sequence[str], used: Sequence[str]) -> tuple[str, ...]:
        """Return the unused offered tools that could be mistaken for a used one."""
        near = set(self.of(used)).union(*(self._called_like(name) for name in used)).difference(used)
        return tuple(name for name in dict.fromkeys(offered) if name in near)

    def _called_like(self, name: str) -> frozenset[str]:
        """Return the tools with a similar name, from a cache."""
        if name not in self._alike:
            words = _words(name)
            self._alike[name] = frozenset(
                tool.name for tool in self.environment.toolset.tools if _alike(words, _words(tool.name))
            )
        return self._alike[name]


def _deed(role: ToolRole) -> tuple[str, str]:
    return str(role.resource), "read" if role.operation in READING else role.operation


def _words(name: str) -> frozenset[str]:
    return frozenset(name_tokens(name))


def _alike(words: frozenset[str], others: frozenset[str]) -> bool:
    common = len(words & others)
    return common > 0 and common / len(words | others) >= ALIKE
