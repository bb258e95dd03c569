"""Rows of any kind -> the same table with JSON rows, each made when it is read."""

from collections.abc import Iterator, Mapping
from typing import Any

from interplay.generators.environments.toolkit.plain_json import as_json


class ShownRows(Mapping[Any, Any]):
    """A live table as JSON."""

    def __init__(self, table: Mapping[Any, Any]) -> None:
        self._table = table

    def __getitem__(self, key: Any) -> Any:
        return as_json(self._table[key], lenient=True)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._table)

    def __len__(self) -> int:
        return len(self._table)
