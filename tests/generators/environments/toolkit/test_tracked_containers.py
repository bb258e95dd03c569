"""Containers tell before they change."""

import copy
from collections.abc import Callable
from itertools import count
from typing import Any

from interplay.generators.environments.toolkit.tracked_containers import Table, TrackedDict, TrackedList


def test_every_mutator_of_a_dict_reports_before_it_changes() -> None:
    mutations: list[Callable[[Any], Any]] = [
        lambda d: d.__setitem__("a", 9),
        lambda d: d.__delitem__("a"),
        lambda d: d.__ior__({"z": 1}),
        lambda d: d.clear(),
        lambda d: d.pop("a"),
        lambda d: d.popitem(),
        lambda d: d.setdefault("n", 1),
        lambda d: d.update(z=1),
    ]
    for mutate in mutations:
        seen: list[Any] = []
        made = TrackedDict({"a": 1, "b": 2}, ("t", "k"), lambda entry: seen.append((entry, dict(made))))  # noqa: B023
        mutate(made)
        assert seen[0] == (("t", "k"), {"a": 1, "b": 2})
        assert type(made.copy()) is dict
        rows: list[Any] = []
        table = Table("t", {"a": 1, "b": 2}, lambda entry: rows.append((entry, dict(table))), count())  # noqa: B023
        mutate(table)
        assert rows[0][1] == {"a": 1, "b": 2}
        assert list(table.places) == list(table)


def test_every_mutator_of_a_list_reports_before_it_changes() -> None:
    mutations: list[Callable[[Any], Any]] = [
        lambda x: x.__setitem__(0, 9),
        lambda x: x.__delitem__(0),
        lambda x: x.__iadd__([1]),
        lambda x: x.__imul__(2),
        lambda x: x.append(1),
        lambda x: x.clear(),
        lambda x: x.extend([1]),
        lambda x: x.insert(0, 1),
        lambda x: x.pop(),
        lambda x: x.remove(3),
        lambda x: x.reverse(),
        lambda x: x.sort(reverse=False),
    ]
    for mutate in mutations:
        seen: list[Any] = []
        made = TrackedList([3, 1, 2], ("t",), lambda entry: seen.append((entry, list(made))))  # noqa: B023
        mutate(made)
        assert seen[0] == (("t",), [3, 1, 2])
        assert list(made) != [3, 1, 2]
    assert type(copy.deepcopy(made)) is list
