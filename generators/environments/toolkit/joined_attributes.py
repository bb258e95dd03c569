"""The attributes of an environment and of the objects with its tools -> one live map of attributes.

environment.tools.db          db                  the assistant's, under their own names
environment.user_tools.db     user_db             the user's
environment.policy            environment_policy  the environment's own
"""

from collections.abc import Iterator, MutableMapping
from typing import Any

PREFIXES = {"assistant": "", "user": "user", "environment": "environment"}


class JoinedAttributes(MutableMapping[str, Any]):
    """The `vars()` of several objects, prefixed by their part (see `PREFIXES`), without attributes whose value is `hidden`."""

    def __init__(self, parts: dict[str, dict[str, Any]], hidden: tuple[object, ...] = ()) -> None:
        self._parts: dict[str, dict[str, Any]] = {}
        for part, attributes in parts.items():
            prefix = PREFIXES[part]
            while any(_without(prefix, name) is not None for name in parts["assistant"]) and prefix:
                prefix = f"{prefix}_side"
            self._parts[prefix] = attributes
        self._hidden = hidden

    def __getitem__(self, name: str) -> Any:
        for prefix, attributes in self._parts.items():
            key = _without(prefix, name)
            if key is not None and key in attributes and self._is_shown(attributes[key]):
                return attributes[key]
        raise KeyError(name)

    def __setitem__(self, name: str, value: Any) -> None:
        attributes, key = self._place(name)
        attributes[key] = value

    def __delitem__(self, name: str) -> None:
        attributes, key = self._place(name)
        del attributes[key]

    def __iter__(self) -> Iterator[str]:
        found: dict[str, None] = {}
        for prefix, attributes in self._parts.items():
            for key, value in attributes.items():
                if self._is_shown(value):  # private names stay private
                    name = f"_{prefix}{key}" if key.startswith("_") else f"{prefix}_{key}"
                    found[name if prefix else key] = None
        return iter(found)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _is_shown(self, value: Any) -> bool:
        return all(value is not each for each in self._hidden)

    def _place(self, name: str) -> tuple[dict[str, Any], str]:
        """Return the attributes and key for a name, existing or new."""
        fitting = [
            (attributes, key)
            for prefix, attributes in self._parts.items()
            if (key := _without(prefix, name)) is not None
        ]
        return next((place for place in fitting if place[1] in place[0]), fitting[-1])


def _without(prefix: str, name: str) -> str | None:
    if not prefix:
        return name
    if name.startswith(f"_{prefix}_"):
        return name[len(prefix) + 1 :]
    return name[len(prefix) + 1 :] if name.startswith(f"{prefix}_") else None
