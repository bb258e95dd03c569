"""What an assistant is offered -> what it is offered after a search, a call, or a change of the tools."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from interplay.schemas.json.json_text import json_value

HELD = 30
"""Tools found by searches that are offered at once, at most; the search itself and those of the start do not count."""


@dataclass(frozen=True)
class Offer:
    """The tools that are offered, in order of appearance; `found` are those of searches, least recently used first."""

    names: tuple[str, ...]
    found: tuple[str, ...] = ()

    def after_call(self, name: str) -> "Offer":
        """Return the offer after a call: a tool that is used goes last."""
        if name not in self.found:
            return self
        return Offer(names=self.names, found=(*(other for other in self.found if other != name), name))

    def after_search(self, found: Sequence[str]) -> "Offer":
        """Return the offer after a search that found some tools, best first; of the others the longest unused go."""
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
    """Return the names in the text of a search's result, best first; none where it is no such result."""
    items = json_value(result)
    named = [item.get("name") for item in items if isinstance(item, dict)] if isinstance(items, list) else []
    return tuple(dict.fromkeys(name for name in named if isinstance(name, str)))
