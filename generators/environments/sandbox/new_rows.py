"""A resource, and a key with its identity -> a made-up row, still without references."""

import re
from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any

from interplay.generators.environments.inference.plans import ResourcePlan, placed, spelt_out
from interplay.generators.environments.rows.projection import tells_success
from interplay.generators.environments.sandbox.new_keys import NAMING, is_label, is_slug
from interplay.generators.environments.sandbox.owner_names import marked
from interplay.generators.values.lifetimes import tells_trouble
from interplay.generators.values.reconciliation import reconciled
from interplay.generators.values.schema_values import Unsatisfiable, is_told, make_valid
from interplay.generators.values.sibling_fields import is_person, of_own_kind, shows_name
from interplay.generators.values.texts.ideas import Idea, called_by_slug, draw_idea, of_entry
from interplay.generators.values.truncation import trimmed
from interplay.generators.values.world_seed import WorldSeed
from interplay.schemas.json.fields import object_properties
from interplay.schemas.json.object_cache import ObjectCache
from interplay.schemas.json.validation import is_valid
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import beside, word_set

_IDEAS = 12
"""Ideas that are drawn for a row until one is new."""

_PLAIN_SLUG = re.compile(r"[a-z]+([-_][a-z0-9]+)*")
_PEOPLE = word_set(beside(__file__), "people")
_MAILED = word_set("people", "mailed")
"""Nouns that mean a person if the row has an email address."""


def _spoken(name: str, resource: ResourcePlan) -> str:
    """Return the name under which a field's values are made: `job_title` for the `title` of a person."""
    if name == "name" and resource.name.split("_")[-1] in _MAILED and "email" in resource.schema["properties"]:
        return "full_name"
    if shows_name(name) and is_person(resource.schema["properties"]):
        return "full_name"
    if name_tokens(name) == ["display", "name"] and resource.name.split("_")[-1] in _PEOPLE | _MAILED:
        return "full_name"
    if name == "label" and {"name", "title"}.isdisjoint(resource.schema["properties"]):
        return f"{resource.name}_name"
    if name == "title" and resource.name.split("_")[-1] in _PEOPLE:
        return "job_title"
    return f"{resource.name}_{name}" if name == "name" else name


def _fields_of(resource: ResourcePlan, asked: tuple[str, ...]) -> list[tuple[str, str]]:
    """Return the fields that a row gets, with the names under which their values are made."""
    required = {*resource.schema.get("required", ()), *asked}
    troubled = tells_trouble(resource.name)
    found = []
    for name, schema in resource.schema["properties"].items():
        told = name in required or is_told(name, schema) or f"/{name}" in resource.references
        sound = name in required or troubled or not tells_trouble(name)
        if (name,) == resource.identity_path or (told and sound):
            found.append((name, _spoken(name, resource)))
    return found


_fields = ObjectCache(_fields_of)


def made_up(
    resource: ResourcePlan,
    key: str,
    identity: Any,
    seed: WorldSeed,
    used: set[str] | None = None,
    asked: Collection[str] = (),
    below: str = "",
    thin: Mapping[str, Mapping[str, Any]] = MappingProxyType({}),
) -> dict[str, Any]:
    """Return a row without references; fields without a known or valid value are left out.

    `used` holds labels that must not be repeated, `asked` fields that tools ask for; `below` is the key of the parent row,
    and `thin` are narrower schemas of fields, see `thin_fields`.
    """
    row: dict[str, Any] = {}
    idea = _fresh_idea(resource, key, seed, used)
    by_slug = is_slug(resource) and isinstance(identity, str) and _PLAIN_SLUG.fullmatch(identity)
    if by_slug:
        idea = called_by_slug(idea, identity)
    idea = of_entry(idea, identity)
    example = _example(resource, key, seed, used, below)
    if isinstance(called := next((example[name] for name in NAMING if name in example), None), str):
        idea = idea._replace(name=called, topic=called, thing=None)
    required, own = {*resource.schema.get("required", ()), *asked}, resource.identity_path
    for name, spoken in _fields(resource, tuple(asked)):
        schema = thin.get(name) or resource.schema["properties"][name]
        if (name,) == own:
            row[name] = identity
            continue
        whose = f"owner/{'_'.join(name_tokens(name))}" if name in resource.owners else f"{resource.name}/{key}/{name}"
        for attempt in range(4):
            rng = seed.random(f"{whose}/{attempt}")
            try:
                row[name] = make_valid(schema, rng, spoken, depth=1, idea=idea)
            except Unsatisfiable:
                break
            if used is None or not is_label(name) or f"{name}:{row[name]}" not in used:
                break
        if used is not None:
            used.add(f"{name}:{row.get(name)}")
    if by_slug:  # the name must agree with the slug
        called = next((name for name in NAMING if name in row), "")
        row |= {called: idea.name} if is_valid(idea.name, resource.schema["properties"].get(called, False)) else {}
    row = trimmed(_alike(_with_example(row, example), resource, idea.name), resource.schema, kept=asked)
    row = of_own_kind(row, resource.schema["properties"], resource.name)
    row = reconciled(row, resource.schema["properties"], required) | {
        name: True for name in row if tells_success(name, resource.schema["properties"][name])
    }
    if identity is not None:
        row = placed(_unowned(row, resource), own, identity)
        row |= dict.fromkeys(spelt_out(row, resource), identity)
    return marked(_told_within(row, resource, identity), resource.name, idea.person)


def _told_within(row: dict[str, Any], resource: ResourcePlan, identity: Any) -> dict[str, Any]:
    """Return a row whose parts that name it, or give its identity, agree with it: the `menuname` of a menu's orders."""
    noun, called = resource.name.split("_")[-1], next((row[name] for name in NAMING if name in row), None)
    own = {f"{noun}name": called, f"{noun}title": called, f"{noun}id": identity}
    found = dict(row)
    for name, value in row.items():
        fields = object_properties(resource.schema["properties"].get(name, {}).get("items", {}))
        told = {key: own.get("".join(name_tokens(key))) for key in fields}
        told = {key: said for key, said in told.items() if said is not None and is_valid(said, fields[key])}
        if told and isinstance(value, list):
            found[name] = [{**item, **told} if isinstance(item, dict) else item for item in value]
    return found


def _alike(row: dict[str, Any], resource: ResourcePlan, name: str) -> dict[str, Any]:
    """Return a row whose `name` and `display_name` are both `name`, if one of them is."""
    shown = [row.get(key) for key in _SHOWN]
    if name not in shown or not all(isinstance(each, str) for each in shown):
        return row
    fields = resource.schema["properties"]
    return row | {key: name for key in _SHOWN if key not in resource.identity_path and is_valid(name, fields[key])}


_SHOWN = ("name", "display_name")


def _fresh_idea(resource: ResourcePlan, key: str, seed: WorldSeed, used: set[str] | None) -> Idea:
    """Return an idea of what a row is about, with a name that no earlier row has, if possible."""
    for attempt in range(_IDEAS):
        rng = seed.random(f"{resource.name}/{key}/idea/{attempt}")
        idea = draw_idea(resource.name, rng, resource.schema["properties"], resource.about)
        if used is None or f"idea:{idea.name}" not in used:
            break
    if used is not None:
        used.add(f"idea:{idea.name}")
    return idea


def _example(resource: ResourcePlan, key: str, seed: WorldSeed, used: set[str] | None, below: str) -> Mapping[str, Any]:
    """Return the values that a row takes from an unused example of its resource; if all are used, from any without a name.

    Some examples are kept for rows that users create.
    """
    if not resource.examples:
        return {}
    chance = seed.random(f"{resource.name}/examples")
    order = chance.sample(resource.examples, len(resource.examples))
    order = order[: max(1, len(order) - len(order) // KEPT)]
    order = seed.random(f"{resource.name}/examples/{below}").sample(order, len(order))
    if used is not None:
        for place, example in enumerate(order):
            if (taken := f"example:{below}/{place}") not in used:
                used.add(taken)
                return example
    nameless = [example for example in order if used is None or not any(name in example for name in NAMING)]
    return seed.random(f"{resource.name}/{key}/example").choice(nameless) if nameless else {}


KEPT = 4
"""One of so many examples is not used for initial rows."""


def _with_example(row: dict[str, Any], example: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with the values of an example; objects are merged."""
    held = {name: row.get(name) for name, value in example.items() if isinstance(value, Mapping)}
    inner = {name: {**mine, **example[name]} for name, mine in held.items() if isinstance(mine, Mapping)}
    return {**row, **{name: value for name, value in example.items() if name not in held}, **inner}


def _unowned(row: dict[str, Any], resource: ResourcePlan) -> dict[str, Any]:
    """Return `row` without the reference to the same resource beside a nested identity."""
    holder, inner = resource.identity_path[0], row.get(resource.identity_path[0])
    if len(resource.identity_path) != 2 or not isinstance(inner, Mapping):
        return row
    return {**row, holder: {key: value for key, value in inner.items() if "_".join(name_tokens(key)) != resource.name}}
