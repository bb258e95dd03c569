"""The result of a step -> an identity in it, with the fact by which the user singles out its item."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import combinations, starmap, takewhile
from random import Random
from typing import Any

from interplay.generators.blueprints.arguments.argument_labels import purpose_of
from interplay.generators.blueprints.arguments.item_descriptions import descriptions
from interplay.generators.blueprints.arguments.known_values import is_naming
from interplay.generators.blueprints.drafting.draft import DeadEnd, Draft, Step
from interplay.generators.blueprints.drafting.reported_values import is_bare_number, is_when_recorded, names_it
from interplay.generators.graph.sampling.world import Subject, World
from interplay.generators.phrases.labels.field_labels import label_of, words_of
from interplay.generators.phrases.speakable_values import (
    is_holdable,
    is_moment,
    is_named_after,
    is_of_a_record,
    is_opaque,
    is_said_beside,
    name_parts,
    speakable_leaves,
)
from interplay.generators.phrases.topic_nouns import noun_of
from interplay.generators.results.result_kinds import shows_part
from interplay.schemas.calls.antecedent import own_identities
from interplay.schemas.json.canonical import at_pointer, last_name, starred, value_at
from interplay.schemas.records.blueprint import Description, Origin
from interplay.schemas.records.tool_graph import Edge
from interplay.schemas.words.nouns import singular

NAMED = 4
"""The most items of a list that the assistant always names, so that the user can choose one by its position."""


@dataclass(frozen=True)
class Picker:
    """Picks values out of results; what the user says about them is added to the draft.

    With `describing`, the user describes the item ("the latest one") where that singles it out; with `naming`, the user
    gives the item's name or date in the opening.
    """

    world: World
    draft: Draft
    rng: Random
    describing: bool = False
    naming: bool = False

    def find(self, result: Any, path: list[str], value: Any) -> str | None:
        """Return a pointer to `value`, or to any scalar if it is None, along a path with `*` for list indices.

        A number written as text counts as that number.
        """
        if not path:
            plain = isinstance(result, (str, int)) and not isinstance(result, bool)
            return "" if result == value or (plain and (value is None or str(result) == str(value))) else None
        if path[0] == "*":
            items = list(enumerate(result)) if isinstance(result, list) else []
            if value is None:
                self.rng.shuffle(items)
            for index, item in items:
                below = self.find(item, path[1:], value)
                if below is not None:
                    return f"/{index}{below}"
            return None
        if isinstance(result, (dict, Mapping)) and path[0] in result:
            below = self.find(result[path[0]], path[1:], value)
            return None if below is None else f"/{path[0]}{below}"
        return None

    def chosen(
        self, step: Step, pointer: str, goal: int, edge: Edge | None = None, changed: Collection[str] = ()
    ) -> Origin:
        """Return the origin of a looked-up identity, with the fact by which the user singles out its item among several.

        The fact uses no field that is to be `changed`, except the name. Where the argument at the end of `edge` says what
        the item is for, the item is called by that word: the origin of a trip.
        """
        places = re.finditer(r"/(\d+)(?=/|$)", pointer)
        lists = ((place, at_pointer(step.value, pointer[: place.start()])) for place in places)
        # A single item needs no choice, but the user may name it.
        fewest = 1 if self.naming or self._writes(edge) else 2
        place, siblings = next(((place, items) for place, items in lists if len(items) >= fewest), (None, []))
        if place is None:
            return Origin(kind="output", action=step.id, pointer=pointer)
        item = pointer[: place.end()]
        goals = self._one_or_the_other(goal)
        told_before = (
            fact
            for fact in self.draft.facts
            if fact.goal in goals
            and (fact.action, fact.choice) == (step.id, item)
            and not (fact.description and fact.description.same)
        )
        known = next(told_before, None)
        if known is not None:
            return Origin(kind="output", action=step.id, pointer=pointer, fact=known.id)
        whole = not shows_part(step.value, len(siblings))
        described = descriptions(siblings, int(place[1])) if self.describing and whole else []
        if described:
            meant = self.rng.choice(described).model_copy(update={"same": self._other_kind(step, pointer)})
            return self._meant(step, pointer, item, goal, meant)
        told = telling(siblings, int(place[1]), changed, self._spoken(step))
        alike = isinstance(siblings[int(place[1])], Mapping) and len(siblings) > 1
        if not told and (alike or len(siblings) > NAMED):  # nobody chooses the second of three that look the same
            raise DeadEnd("the user could not say which one is meant")
        said = {str(fact.value) for fact in self.draft.facts if fact.choice is None}
        plain = told and all(starmap(_names, told.items()))
        if len(siblings) == 1 and (not plain or not said.isdisjoint(map(str, told.values()))):
            return Origin(kind="output", action=step.id, pointer=pointer)
        reveal = "opening" if (self.naming or len(siblings) == 1) and plain else "choice"
        label = self._purpose(step, edge, pointer, item, siblings[int(place[1])])
        fact = self.draft.tell(goal, label, told, {}, reveal=reveal, action=step.id, choice=item)
        return Origin(kind="output", action=step.id, pointer=pointer, fact=fact.id)

    def _writes(self, edge: Edge | None) -> bool:
        """Tell whether the chosen row is changed and rows have no owner, so that the user has to say which one is meant."""
        role = self.world.roles[edge.consumer] if edge is not None else None
        own = self.world.environment.toolset.user_resource is not None
        return role is not None and not own and role.operation in ("update", "delete", "action")

    def _one_or_the_other(self, goal: int) -> tuple[int, ...]:
        """Return a goal, and if it is an alternative of a condition, all goals of its request: they are about the same row."""
        condition = self.draft.goals[goal].condition
        if condition is None or not condition.otherwise:
            return (goal,)
        return next((goals for goals in self.draft.requests if goal in goals), (goal,))

    async def shown_before(self, edge: Edge, value: Any, goal: int, request: int) -> tuple[Origin, Any] | None:
        """Return the origin and value of an identity in an earlier result that still holds, or None."""
        for step in self.draft.steps:
            if step.tool == edge.producer and value is not None:
                found = self.find(step.value, edge.output.split("/")[1:], value)
                if found is not None and not await self.draft.is_outdated(step, request):
                    return self.chosen(step, found, goal, edge), value
        return None

    def looked_up(
        self,
        step: Step,
        edge: Edge,
        subject: Subject,
        value: Any,
        goal: int,
        loose: bool = False,
        changed: Collection[str] = (),
    ) -> tuple[Origin, Any]:
        """Take `value` from a look-up's result; any value if it is None, or if it is missing and the look-up is `loose`.

        Raises:
            DeadEnd: no such value was returned.
        """
        path = edge.output.split("/")[1:]
        found = self.find(step.value, path, value)
        if found is None and loose:
            found = self.find(step.value, path, None)
        if found is None:
            raise DeadEnd(f"{edge.producer} did not return it")
        value = at_pointer(step.value, found)
        origin = self.chosen(step, found, goal, edge, changed)
        self._keep(subject.resource, str(value), origin)
        return origin, value

    def known_facts(self, step: Step, edge: Edge, subject: Subject, goal: int) -> tuple[Origin, Any]:
        """Let the user refer to a row by describing the one item of a list that refers to it.

        Raises:
            DeadEnd: no such item stands out.
        """
        before, _, after = edge.output.partition("/*")
        items, identity = value_at(step.value, before), self.world.identity(subject)
        options = [
            (place, description)
            for place, item in enumerate(items if isinstance(items, list) else ())
            if value_at(item, after) == identity
            for description in descriptions(items, place)
        ]
        if not options:
            raise DeadEnd(f"nothing in {edge.producer} tells which {subject.resource} is meant")
        place, description = self.rng.choice(options)
        nouns = self.world.environment.toolset.spoken_nouns
        meant = description.model_copy(update={"same": noun_of(subject.resource, nouns)})
        item = f"{before}/{place}"
        origin = self._meant(step, item + after, item, goal, meant)
        self._keep(subject.resource, subject.key, origin)
        return origin, identity

    def _keep(self, resource: str, key: str, origin: Origin) -> None:
        """Record the origin of a row's identity, and that the user did not know it."""
        self.draft.identities[resource, key] = origin
        if resource not in self.draft.unknown:
            self.draft.unknown.append(resource)

    def _meant(self, step: Step, pointer: str, item: str, goal: int, description: Description) -> Origin:
        """Return the origin of an identity whose item the user describes."""
        fact = self.draft.tell(
            goal,
            self._kind(step, pointer, item),
            {},
            {},
            reveal="opening",
            action=step.id,
            choice=item,
            description=description,
        )
        return Origin(kind="output", action=step.id, pointer=pointer, fact=fact.id)

    def _kind(self, step: Step, pointer: str, item: str) -> str:
        """Return what people call an item of a list in a result."""
        resource = self._resource(step, pointer, item)
        nouns = self.world.environment.toolset.spoken_nouns
        return noun_of(resource, nouns) if resource else singular(words_of(_list_name(item)))

    def _spoken(self, step: Step) -> list[str]:
        """Return the words by which people call a row of a step's resource."""
        kind = self.world.roles[step.tool].resource
        return noun_of(kind, self.world.environment.toolset.spoken_nouns).split() if kind else []

    def _resource(self, step: Step, pointer: str, item: str) -> str | None:
        """Return the resource of an item: the step's own, or that of a nested list."""
        role, place = self.world.roles[step.tool], starred(item)
        own = [at for at, kind in role.yields.items() if kind == role.resource]
        if not own and role.operation == "read" and _list_name(item):
            return role.yields.get(starred(pointer), role.resource)
        whole = any(at.startswith(f"{place}/") and "*" not in at.removeprefix(place) for at in own)
        if not own or whole or not _list_name(item):
            return role.resource
        return role.yields.get(starred(pointer))

    def _purpose(self, step: Step, edge: Edge | None, pointer: str, item: str, held: Any) -> str:
        """Return what people call an item, by the argument that its identity fills."""
        resource = self._resource(step, pointer, item)
        if edge is None or resource is None or (isinstance(held, Mapping) and last_name(edge.input) in held):
            return self._kind(step, pointer, item)
        return singular(purpose_of(self.world, edge.consumer, edge.input, resource))

    def _other_kind(self, step: Step, pointer: str) -> str:
        """Return the noun of an identity whose item is of another resource: the deploy in a session; else empty."""
        role, nouns = self.world.roles[step.tool], self.world.environment.toolset.spoken_nouns
        kind = role.yields.get(starred(pointer))
        named = noun_of(kind, nouns) if kind is not None and kind != role.resource else ""
        return named if named != noun_of(role.resource, nouns) else ""

    def remember(self, step: Step) -> None:
        """Record the identity of the row that a result is about, so that later steps need no second look-up."""
        role = self.world.roles[step.tool]
        resource = str(role.resource)
        for output in own_identities(role) if resource in self.world.resources else ():
            pointer = output.replace("/*", "/0", 1)
            if "*" in pointer:
                continue
            try:
                value = at_pointer(step.value, pointer)
                alone = "*" not in output or len(at_pointer(step.value, output.split("/*")[0])) == 1
            except LookupError:
                continue
            if alone and isinstance(value, (str, int)) and (resource, str(value)) not in self.draft.identities:
                self.draft.identities[resource, str(value)] = Origin(kind="output", action=step.id, pointer=pointer)


def _list_name(item: str) -> str:
    """Return the name of the field that holds an item's list."""
    return last_name(item.rpartition("/")[0])


def telling(
    items: list[Any], position: int, changed: Collection[str] = (), spoken: Collection[str] = ()
) -> dict[str, Any]:
    """Return the fewest fields (pointer -> value) that single out an item, people by both names; empty if none do.

    Fields named after the words in `spoken` come first: `song_name`, for songs.

    Fields with many distinct values come before others: nobody names four bookings by two kinds of cover. Bare numbers,
    sums, postcodes and conditions do not serve alone, nor do fields to be `changed`. The fields have to tell most items
    apart: one of four policies is not "the global one" if the others are all alike.
    """
    item = items[position]
    if not isinstance(item, Mapping):
        return {}
    told = _with_full_name(item, _fewest_fields(items, position, changed, spoken))
    distinct = {tuple(str(value_at(other, at)) for at in told) for other in items}
    return told if 2 * len(distinct) > len(items) else {}


def _fewest_fields(
    items: list[Any], position: int, changed: Collection[str], spoken: Collection[str]
) -> dict[str, Any]:
    every = [option for option in speakable_leaves(items[position], naming=True) if not is_bare_number(*option)]
    own = [option for option in every if not any(map(str.isdigit, option[0].split("/")))]
    own.sort(key=lambda option: not is_named_after(option[0], spoken))
    options = (own or every)[:8]  # values inside a list of the item do not name it
    kept = [option for option in options if is_naming(option[0]) or last_name(option[0]) not in changed]
    called_still = any(names_it(*option) and not is_when_recorded(*option) for option in kept)
    options = kept if called_still else options
    options.sort(key=lambda option: 2 * len({str(value_at(item, option[0])) for item in items}) <= len(items))
    told = [option for option in options if not is_when_recorded(*option)]
    called = [option for option in told if not is_said_beside(*option)]
    identity = items[position].get("id")
    others = [item for index, item in enumerate(items) if index != position]
    if found := _one(called, others):
        return _by_name_too(found, called, items)
    alone = all(isinstance(item, Mapping) and item.get("id") != identity for item in others)
    if alone and is_holdable(identity) and not is_opaque(identity):
        return {"/id": identity}
    dated = [option for option in options if is_moment(option[1]) and not is_of_a_record(option[0])]
    if found := _one(dated, others):
        return _by_name_too(found, called, items)
    return next(filter(None, (_fewest(some, others) for some in (called, told, options))), {})


def _by_name_too(told: dict[str, Any], options: list[tuple[str, Any]], items: list[Any]) -> dict[str, Any]:
    """Return the fields with the item's name put first, where it has one that fewer than half of the items share."""
    better = takewhile(lambda option: option[0] not in told, options)  # fields that rank above those chosen
    at, name = next(((at, name) for at, name in better if is_naming(at) and names_it(at, name)), ("", None))
    alike = sum(value_at(item, at) == name for item in items)
    return {at: name, **told} if at and not any(map(is_naming, told)) and 2 * alike < len(items) else told


def _with_full_name(item: Any, told: dict[str, Any]) -> dict[str, Any]:
    """Return the fields with both names of a person where one of them was chosen."""
    found: dict[str, Any] = {}
    for pointer, value in told.items():
        whole = {part: value_at(item, part) for part in name_parts(item, pointer) if part}
        found |= whole if whole and all(whole.values()) else {pointer: value}
    return found


def _names(pointer: str, value: Any) -> bool:
    """Tell whether people would mention a thing by a value unasked: its name, its number, or its date."""
    return (
        is_naming(pointer)
        or label_of(pointer).endswith("number")
        or (is_moment(value) and not is_when_recorded(pointer, value))
    )


def _one(options: list[tuple[str, Any]], others: list[Any]) -> dict[str, Any]:
    """Return one naming field whose value occurs in no other item, in any field; empty if there is none."""
    own = ((pointer, value) for pointer, value in options if names_it(pointer, value))
    single = (
        (pointer, value)
        for pointer, value in own
        if all(value_at(item, pointer) != value for item in others)
        if not isinstance(value, str) or not any(value in _texts(item) for item in others)
    )
    return dict([option]) if (option := next(single, None)) else {}


def _texts(item: Any) -> list[str]:
    return [value for value in item.values() if isinstance(value, str)] if isinstance(item, Mapping) else []


def _fewest(options: list[tuple[str, Any]], others: list[Any]) -> dict[str, Any]:
    """Return one field, or two, whose values no other item has in common; empty if there are none."""
    if found := _one(options, others):
        return found
    for first, second in combinations(options, 2):
        picked = dict([first, second])
        if not any(all(value_at(item, pointer) == value for pointer, value in picked.items()) for item in others):
            return picked
    return {}
