"""The tools an assistant is offered, and how the offer changes after a search, a call or a tool change."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from interplay.schemas.json.json_text import json_value

HELD = 30
"""Maximum number of searched tools on offer; the search tool itself and the tools offered from the start do not count."""


@dataclass(frozen=True)
class Offer:
    """The offered tools in order of appearance; `found` are those that came by search, least recently used first."""

    names: tuple[str, ...]
    found: tuple[str, ...] = ()

    def after_call(self, name: str) -> "Offer":
        """Return the offer after a call: the tool called becomes the most recently used."""
        if name not in self.found:
            return self
        return Offer(names=self.names, found=(*(other for other in self.found if other != name), name))

    def after_search(self, found: Sequence[str]) -> "Offer":
        """Return the offer after a search that found `found`, best first; beyond `HELD`, the least recently used go."""
        older = [name for name in self.found if name not in found]
        newer = [name for name in reversed(found) if name in self.found or name not in self.names]
        kept = tuple([*older, *newer][-HELD:])
        gone = set(self.found) - set(kept)
        names = [name for name in self.names if name not in gone]
        return Offer(names=(*names, *(name for name in found if name in kept and name not in names)), found=kept)

    def after_change(self, added: Sequence[str], removed: Collection[str]) -> "Offer":
        """Return the offer after some tools came and others went."""
        names = [name for name in self.names if name not in removed]
        return Offer(
            names=(*names, *(name for name in added if name not in names)),
            found=tuple(name for name in self.found if name not in removed),
        )

    def changed_from(self, before: "Offer") -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the names that came and those that went since `before`."""
        added = tuple(name for name in self.names if name not in before.names)
        return added, tuple(name for name in before.names if name not in self.names)


def names_found(result: str) -> tuple[str, ...]:
    """Return the tool names in a search result's text, best first; empty if the text is not such a result."""
    items = json_value(result)
    named = [item.get("name") for item in items if isinstance(item, dict)] if isinstance(items, list) else []
    return tuple(dict.fromkeys(name for name in named if isinstance(name, str)))
