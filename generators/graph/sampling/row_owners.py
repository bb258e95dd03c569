"""The rows of an opening state -> their owners, indexed so that no table is searched for the rows of one user."""

from collections.abc import Collection, Iterator, Sequence
from itertools import takewhile
from random import Random
from typing import TypeVar

from interplay.generators.graph.sampling.world import Subject, World

Item = TypeVar("Item")


class RowOwners:
    """By resource, the keys of the rows of each user, and of rows without an owner.

    It is built in the opening state. Rows that are created later are found at the end of their table.
    """

    def __init__(self, world: World, users: str) -> None:
        self._world, self._users = world, users
        self._keys: dict[str, dict[str | None, list[str]]] = {}
        self._known: dict[str, frozenset[str]] = {}
        for resource in world.resources if users in world.resources else ():
            found = self._keys[resource] = {}
            for subject in world.subjects(resource):
                owner = world.linked(subject, users)
                found.setdefault(owner.key if owner else None, []).append(subject.key)
            self._known[resource] = frozenset(key for keys in found.values() for key in keys)
        self._fitting: dict[frozenset[str], tuple[str, ...]] = {}

    def keys(self, resource: str, user: Subject) -> list[str]:
        """Return the keys of rows that a user, or nobody, owned in the opening state, and of all created since."""
        held, known = self._keys[resource], self._known[resource]
        table = self._world.environment.state().get(self._world.resources[resource].table, {})
        latest = reversed(table) if isinstance(table, dict) else reversed(list(table))
        new = takewhile(lambda key: key not in known, map(str, latest))
        return [*held.get(user.key, ()), *held.get(None, ()), *new]

    def count(self, resource: str, user: Subject) -> int:
        """Return how many rows of a resource a user owned in the opening state; rows without an owner are not counted."""
        return len(self._keys[resource].get(user.key, ()))

    def users(self, needed: Collection[str]) -> tuple[str, ...]:
        """Return the keys of the users who own rows of all `needed` resources that have owners; of all users if nobody does."""
        wanted = frozenset(name for name in needed if self.is_owned(name))
        if wanted not in self._fitting:
            everybody = [key for keys in self._keys.get(self._users, {}).values() for key in keys]
            fitting = [key for key in everybody if all(key in self._keys[name] for name in wanted)]
            self._fitting[wanted] = tuple(fitting or everybody)
        return self._fitting[wanted]

    def is_owned(self, resource: str) -> bool:
        """Tell whether each row of a resource has an owner."""
        return resource != self._users and bool(self._keys.get(resource)) and None not in self._keys[resource]


def needed_of(world: World, name: str) -> set[str]:
    """Return the resources that must have rows before a tool is useful: those that it requires, and its own."""
    role = world.roles[name]
    about = {role.resource} if role.resource and role.operation not in ("create", "compute") else set[str]()
    return set(world.needed_references(name).values()) | about


def in_turn(items: Sequence[Item], rng: Random, count: int) -> Iterator[Item]:
    """Yield up to `count` different items in random order, drawn lazily."""
    left = list(items)
    for _ in range(min(count, len(left))):
        place = int(rng.random() * len(left))
        left[place], left[-1] = left[-1], left[place]
        yield left.pop()
