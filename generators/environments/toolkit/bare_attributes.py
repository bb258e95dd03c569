"""The attributes of an object whose whole state is private -> the same under names without underscores.

self._users = {}, self._lock = Lock()     users = {}, lock = Lock()
self.db = {}, self._count = 3             unchanged: the public attributes are the state
"""

from collections.abc import Iterator, MutableMapping
from typing import Any

from interplay.generators.environments.toolkit.plain_json import bare_name
from interplay.generators.environments.toolkit.state_entries import is_state


class BareAttributes(MutableMapping[str, Any]):
    """Private attributes under their bare names; reads and writes go to the attributes themselves."""

    def __init__(self, attributes: dict[str, Any]) -> None:
        self._attributes = attributes
        self._names = {bare_name(name): name for name in attributes}

    def __getitem__(self, name: str) -> Any:
        return self._attributes[self._place(name)]

    def __setitem__(self, name: str, value: Any) -> None:
        self._attributes[self._place(name)] = value

    def __delitem__(self, name: str) -> None:
        del self._attributes[self._place(name)]

    def __iter__(self) -> Iterator[str]:
        for name in list(self._attributes):
            bare = bare_name(name)
            if self._names.setdefault(bare, name) == name:
                yield bare

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _place(self, name: str) -> str:
        return self._names.get(name, name)


def is_private(attributes: dict[str, Any]) -> bool:
    """Tell whether the attributes that are state are all private."""
    held = [name for name, value in attributes.items() if is_state(name, value)]
    return bool(held) and all(name.startswith("_") for name in held)
