"""Python values as JSON: objects that are met again are told apart from those that are made anew."""

import json
from collections.abc import Iterator, Mapping

from interplay.generators.environments.toolkit.plain_json import EXPANDED, as_json


class Fresh(Mapping[str, tuple[str, ...]]):
    """Makes each of its values when it is asked for, as rows of a database are."""

    def __getitem__(self, key: str) -> tuple[str, ...]:
        return (key, key)

    def __iter__(self) -> Iterator[str]:
        return map(str, range(EXPANDED + 100))

    def __len__(self) -> int:
        return EXPANDED + 100


def test_values_that_are_made_anew_are_never_taken_for_earlier_ones() -> None:
    assert as_json(Fresh(), lenient=True) == {key: [key, key] for key in Fresh()}


def test_a_module_that_code_imports_is_named_and_not_looked_into() -> None:
    assert as_json({"rows": [1], "json": json}, lenient=True) == {"rows": [1], "json": "json"}
