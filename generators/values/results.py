"""What kind of thing a tool returned: one row, a list of them, or nothing."""

from typing import Any


def list_in(value: Any) -> tuple[str, list[Any] | None]:
    """Return pointer and items of the list that a result is about, if it is about one."""
    if isinstance(value, list):
        return "", value
    if isinstance(value, dict):
        lists = [key for key, item in value.items() if isinstance(item, list) and item and isinstance(item[0], dict)]
        if len(lists) == 1 and not any(key in value for key in ("id", "name", "title")) and len(value) <= 6:
            return f"/{lists[0]}", value[lists[0]]
    return "", None


def is_empty(value: Any) -> bool:
    """Tell whether a result is an empty list, alone or in an envelope."""
    lists = [item for item in value.values() if isinstance(item, list)] if isinstance(value, dict) else []
    return value == [] or (bool(lists) and not any(lists))
