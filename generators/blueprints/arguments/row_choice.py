"""A resource, and what was chosen and mentioned before -> the row that a call is about."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from interplay.generators.blueprints.drafting.draft import DeadEnd, Draft
from interplay.generators.graph.sampling.row_owners import RowOwners, in_turn
from interplay.generators.graph.sampling.row_values import fit_identity
from interplay.generators.graph.sampling.world import Subject, World
from interplay.schemas.json.canonical import leaves
from interplay.schemas.json.fields import schema_type
from interplay.schemas.json.validation import is_valid
from interplay.schemas.records.tool import Tool, ToolRole
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import beside, word_set

ROWS_TRIED = 40
PLACES_TRIED = 12
"""Rows that are tried at most; and how many of these are skipped if they lie outside of rows that came up before."""

REPLACED = 0.5

SPOKEN, SPOKEN_OF_OTHERS = 0.7, 0.9
"""Chances that a row which came up before is used again: where the user owns rows, and where nobody does."""

CHANGING = ("update", "action")
"""Operations that change an existing row."""


@dataclass
class RowChoice:
    """Chooses rows; `came_as` is the user's own row at the start, where users are a resource.

    `owners` tells who owns which rows; `anybody` that the user is not settled yet. Where a conversation takes place in
    one row of the resource `scope`, that row takes the place of the user's, and nobody has to name it.
    """

    world: World
    draft: Draft
    rng: Random
    came_as: Subject | None = None
    owners: RowOwners | None = None
    anybody: bool = False
    scope: str | None = None
    _told: dict[tuple[str, str], bool] = field(default_factory=dict, init=False, repr=False)

    @property
    def me(self) -> Subject | None:
        """The user's own row; a user who signs up becomes the row that this created."""
        own = self.came_as
        if own is None or not self.draft.steps:
            return own
        roles = self.world.roles
        made = (step for step in self.draft.steps if roles[step.tool].operation == "create")
        signed = [step.id for step in made if roles[step.tool].resource == own.resource]
        if not signed:
            return own
        known = self.draft.identities.items()
        keys = (key for (kind, key), at in known if kind == own.resource and at.action in signed)
        return next((row for key in keys if (row := self.world.subject(own.resource, key))), own)

    @property
    def person(self) -> Subject | None:
        """The user's own row, or None where it is the scope's row."""
        return self.me if self.scope is None else None

    def is_given(self, resource: str, key: str) -> bool:
        """Tell whether a row is the one that the conversation takes place in."""
        return resource == self.scope and self.me is not None and self.me.key == key

    def referred(
        self,
        tool: Tool,
        resource: str,
        name: str,
        subject: Subject | None,
        others: dict[str, Subject],
        schema: Mapping[str, Any],
        differs: bool,
    ) -> Any:
        """Return the identity of the row that an argument names; it `differs` from a row that another argument names."""
        near = self.world.linked(subject, resource, name) if subject is not None else None
        itself = differs and near is not None and near == subject
        if itself and near is not None:  # as with source and target, the two must differ
            others.setdefault(resource, near)
            near = None
        if near is not None and subject is not None and self._replaces(tool, resource, name, subject):
            beside_it = self._beside_it(near, subject)
            others |= {resource: beside_it} if beside_it is not None and resource not in others else {}
            near = None
        held: Collection[str] = ()
        if subject is not None and resource != subject.resource and _adds(tool) and self._alone(resource, subject):
            near, held = None, {str(value) for _, value in leaves(dict(subject.row))} | _items(subject.row)
        if near is None and resource not in others:
            joins = _adds(tool) and all(self._alone(resource, other) for other in others.values())
            held = {*held, *(item for other in others.values() if joins for item in _items(other.row))}
            above = (self.world.linked(other, resource) for other in others.values() if not joins)
            row = next((found for found in above if found is not None), None)
            row = row or (None if joins else self._beneath(resource, others)) or self.pick(resource, held)
            if row is None:
                raise DeadEnd(f"there is no {resource} to refer to")
            others[resource] = row
        row = self._other(others, resource) if near is None and differs else others.get(resource)
        if itself and row is None:
            raise DeadEnd(f"there is no other {resource}")
        chosen = fit_identity(self.world.identity(near or row or others[resource]), schema)
        if not is_valid(chosen, schema) and schema_type(schema) == "array":
            return [chosen]
        return chosen

    def _other(self, others: Mapping[str, Subject], resource: str) -> Subject | None:
        """Choose another row than the one chosen for a resource, if one is linked to the same other rows."""
        first = others[resource]
        row = self.pick(resource, {first.key})
        kinds = [kind for kind in others if kind != resource]
        alike = row is not None and all(
            self.world.linked(row, kind) == self.world.linked(first, kind) for kind in kinds
        )
        return row if alike else None

    def _beside_it(self, row: Subject, subject: Subject) -> Subject | None:
        """Choose another row with the same parents as `row` and the subject: another epic of the ticket's project.

        Raises:
            DeadEnd: there is no such row.
        """
        within = {
            kind: self.world.linked(row, kind)
            for kind in self._listed_within(row.resource)
            if self.world.linked(row, kind) == self.world.linked(subject, kind)
        }
        shared = {kind: above for kind, above in within.items() if above is not None}
        if not shared:
            return None
        keys = [{other.key for other in self.world.referring(row.resource, above)} for above in shared.values()]
        rows = [
            other
            for other in self.world.referring(row.resource, next(iter(shared.values())))
            if other.key != row.key and all(other.key in beside for beside in keys[1:])
            if self.me is None or self.mine(other)
        ]
        if not rows:
            raise DeadEnd(f"there is no other {row.resource} of that {next(iter(shared))}")
        taken = self.world.are_referred_to(subject.resource, row.resource)
        free = [other for other in rows if other.key not in taken]
        return self.rng.choice(free or rows)

    def _listed_within(self, resource: str) -> list[str]:
        """Return the resources that a list of another resource requires an identity of: projects, for epics."""
        found = [
            kind
            for role in self.world.roles.values()
            if role.resource == resource and role.operation == "list"
            for pointer, kind in role.references.items()
            if pointer[1:] in self.world.tools[role.tool].required and kind != resource
            if kind in self.world.resources
        ]
        return list(dict.fromkeys(found))

    def tells(self, resource: str, other: str) -> bool:
        """Tell whether rows of a resource are linked to rows of another one, as the first row shows."""
        if resource != other and (resource, other) not in self._told:
            row = self.world.first(resource)
            self._told[resource, other] = row is not None and self.world.linked(row, other) is not None
        return resource != other and self._told[resource, other]

    def _beneath(self, resource: str, others: Mapping[str, Subject]) -> Subject | None:
        """Choose a row that refers to one chosen already: a table of the base that is named beside it."""
        for other in others.values():
            rows = self.world.referring(resource, other) if other.resource != resource else []
            rows = [row for row in rows if self.me is None or self.mine(row)]
            if rows:
                return self.rng.choice(rows)
        return None

    def _alone(self, resource: str, subject: Subject) -> bool:
        """Tell whether neither the resource nor the subject has a parent resource, so that any row will do."""
        resources = self.world.resources
        return resources[resource].parent is None and resources[subject.resource].parent is None

    def _replaces(self, tool: Tool, resource: str, name: str, subject: Subject) -> bool:
        """Guess whether a changing tool wants another row than the one that its subject refers to now."""
        fixed = tool.location(name) == "path"
        role = self.world.roles[tool.name]
        changes = role.operation in CHANGING and resource != subject.resource
        if not changes or fixed or name not in subject.row or _says_where(tool, role, name):
            return False
        every, required = tool.properties, tool.required
        rest = (
            [key for key in keys if role.references.get(f"/{key}") != subject.resource] for keys in (required, every)
        )
        return [name] in rest or self.rng.random() < REPLACED

    def pick(self, resource: str, avoid: Collection[str] = ()) -> Subject | None:
        """Return a row of a resource: one of the user's own, mostly one that came up before, if possible none in `avoid`."""
        if self.me is not None and resource == self.me.resource:
            return self.me
        spoken = [key for known, key in self.draft.identities if known == resource and key not in avoid]
        if spoken and self.rng.random() < (SPOKEN if self.me is not None else SPOKEN_OF_OTHERS):
            return self.world.subject(resource, self.rng.choice(spoken))
        found = None
        places = self._places(resource)
        for tried, key in enumerate(in_turn(self.keys(resource), self.rng, ROWS_TRIED)):
            row = self.world.subject(resource, key)
            if row is not None and (self.me is None or self.mine(row)):
                near = tried >= PLACES_TRIED or not self._is_elsewhere(row, places)
                found = row if near or found is None else found
                if key not in avoid and near:
                    break
        return found

    def _places(self, resource: str) -> dict[str, set[str]]:
        """Return the keys of rows that came up before, by resource; empty where the user owns rows."""
        places: dict[str, set[str]] = {}
        for known, key in self.draft.identities if self.me is None else ():
            if known != resource and known in self.world.resources:
                places.setdefault(known, set()).add(key)
        return places

    def _is_elsewhere(self, row: Subject, places: Mapping[str, set[str]]) -> bool:
        """Tell whether a row belongs to another parent than those that came up before: a project of another workspace."""
        linked = ((self.world.linked(row, kind), keys) for kind, keys in places.items())
        return any(other is not None and other.key not in keys for other, keys in linked)

    def referring(self, resource: str, subject: Subject) -> Subject:
        """Choose one of the user's rows of a resource that refers to a row.

        Raises:
            DeadEnd: there is none.
        """
        rows = [row for row in self.world.referring(resource, subject) if self.me is None or self.mine(row)]
        if not rows:
            raise DeadEnd(f"no {resource} refers to that {subject.resource}")
        return self.rng.choice(rows)

    def keys(self, resource: str) -> list[str]:
        if self.me is not None and self.owners is not None:
            return self.owners.keys(resource, self.me)
        return list(map(str, self.world.environment.state().get(self.world.resources[resource].table, {})))

    def mine(self, row: Subject) -> bool:
        """Tell whether a row belongs to the user, or to nobody in particular."""
        assert self.me is not None
        owner = self.world.linked(row, self.me.resource)
        return owner is None or owner.key == self.me.key


_ADDING = word_set(beside(__file__), "adding")


def _says_where(tool: Tool, role: ToolRole, name: str) -> bool:
    """Tell whether an argument of a plain update only locates its row: it is required, and other fields can change."""
    free = [key for key in tool.properties if key not in tool.required]
    spoken = name_tokens(tool.original_name)[:1] in (["update"], ["edit"], ["modify"])
    return spoken and name in tool.required and any(f"/{key}" not in role.references for key in free)


def _adds(tool: Tool) -> bool:
    """Tell whether a tool adds something to its row, by its name; the added row must not be in the row already."""
    return bool(_ADDING & set(name_tokens(tool.original_name)[:2]))


def _items(row: Mapping[str, Any]) -> set[str]:
    """Return the scalars in the lists of a row."""
    return {
        str(item) for value in row.values() if isinstance(value, list) for item in value if isinstance(item, (str, int))
    }
