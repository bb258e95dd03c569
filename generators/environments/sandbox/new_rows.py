"""A resource -> new keys, identities and rows, which refer to rows that exist."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any

from interplay.generators.environments.inference.plans import Plan, ResourcePlan, placed, schema_within, spelt_out
from interplay.generators.environments.inference.resources.relations import is_link
from interplay.generators.environments.inference.resources.resource_index import SPOKEN_BY
from interplay.generators.environments.inference.result_rows import at_path
from interplay.generators.environments.rows.projection import tells_success
from interplay.generators.environments.sandbox.own_children import are_listed, owner_of, with_own_children
from interplay.generators.environments.sandbox.shared_identity import identity_in_key, key_below
from interplay.generators.values.error_fields import tells_trouble
from interplay.generators.values.reconciliation import reconciled
from interplay.generators.values.schema_values import Unsatisfiable, is_told, make_valid
from interplay.generators.values.sibling_fields import is_person, shows_name
from interplay.generators.values.texts.code_shapes import code_like_examples
from interplay.generators.values.texts.example_shapes import alike, identifies, varied
from interplay.generators.values.texts.formatted_texts import slug_of
from interplay.generators.values.texts.ideas import Idea, called_by_slug, draw_idea, of_entry
from interplay.generators.values.texts.names.name_endings import opaque
from interplay.generators.values.texts.standards import standard_noun
from interplay.generators.values.truncation import trimmed
from interplay.generators.values.world_seed import WorldSeed
from interplay.schemas.json.canonical import digest, split_pointer
from interplay.schemas.json.fields import object_properties, schema_type
from interplay.schemas.json.object_cache import ObjectCache
from interplay.schemas.json.validation import is_valid
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import word_set

_NAMING = ("name", "title", "label", "subject", "display_name", "full_name", "username", "email", "headline", "topic")
"""Fields that people name a row by."""

Above = Mapping[str, str]
"""Resource -> key of the row that a row belongs to."""
Keys = Callable[[str], Sequence[tuple[str, Above]]]
"""Table -> the keys of its rows, each with what the row belongs to."""

_IDEAS = 12
"""Ideas that are drawn for a row until one is new."""

_PLAIN_SLUG = re.compile(r"[a-z]+([-_][a-z0-9]+)*")
_WORDS = re.compile(r"[a-z]{3,}([-_][a-z]{2,})*")
"""Identities made of words, which say what their row is called: `standard`, `setup_fee`."""

_TRIES = 3
"""Attempts to choose a row that a list does not hold yet."""

_CODES = {"id", "uuid", "guid", "gid", "key", "uid"}
_PEOPLE = {"user", "employee", "contact", "person", "member", "lead", "staff", "candidate", "applicant"}
_MAILED = word_set("people", "mailed")
"""What is a person where it has a mail address."""
_PATHS = (["full", "name"], ["path", "with", "namespace"], ["name", "with", "owner"])
"""Names of fields that join owner and name of a row: `octo/hello`."""


def mint_key(
    resource: ResourcePlan,
    given: Mapping[str, Any],
    above: Above,
    is_taken: Callable[[str], bool],
    is_beside: Callable[[str], bool],
    count: int,
    seed: WorldSeed,
) -> tuple[str, Any]:
    """Return key and identity of a new row: the given identity, else one that no row has or had, another for what else is given.

    Where none is left, one that only rows of other owners have; `is_beside` tells those in use below the same owner.

    Raises:
        Unsatisfiable: the identity's schema admits no other value that was tried.
    """
    if resource.single:
        return above.get(resource.parent or "", "1"), None
    if resource.identity is None:
        while is_taken(f"{resource.name}-{count + 1}"):
            count += 1
        return f"{resource.name}-{count + 1}", None
    stated = resource.identity_of(given)
    if stated is None:  # who gives a row its `teacher_id` gives it its `id`
        spelt = (given[name] for name in spelt_out(given, resource) if given.get(name) is not None)
        stated = next(
            (value for value in spelt if is_valid(value, resource.identity_schema) and not is_taken(str(value))), None
        )
    if stated is not None:
        return str(stated), stated
    schema = resource.identity_schema
    called = next((given[name] for name in _NAMING if isinstance(given.get(name), str)), "")
    named = _slug_like(resource, called) if _is_slug(resource) else ""
    if named and not is_taken(named) and is_valid(named, schema):
        return named, named
    number = f"{count}/{digest(given)}" if given else str(count)
    for attempt in range(40):
        rng = seed.random(f"{resource.name}/key/{number}/{attempt}")
        identity = _agreeing_identity(resource, schema, rng) if resource.worn else _identity(resource, schema, rng)
        if not is_taken(str(identity)):
            return str(identity), identity
    owner = above.get(resource.parent or "")
    for attempt in range(40) if owner is not None else ():
        identity = _identity(resource, schema, seed.random(f"{resource.name}/{owner}/key/{number}/{attempt}"))
        key = key_below(str(identity), str(owner))
        if not is_beside(str(identity)) and not is_taken(key):
            return key, identity
    raise Unsatisfiable(f"no unused identity left for {resource.name}")


def _agreeing_identity(resource: ResourcePlan, schema: Mapping[str, Any], rng: Random) -> Any:
    """Return an identity that as many as possible of the fields that hold it admit."""
    made = []
    for _ in range(12):
        made.append(_identity(resource, schema, rng))
        if all(is_valid(made[-1], worn) for worn in resource.worn):
            return made[-1]
    for worn in resource.worn:
        try:
            made.append(make_valid({**schema, **worn}, rng, resource.identity or "id"))
        except Unsatisfiable:
            continue
    fitting = [item for item in made if is_valid(item, schema)] or made[:1]
    return max(fitting, key=lambda item: sum(is_valid(item, worn) for worn in resource.worn))


def _identity(resource: ResourcePlan, schema: Mapping[str, Any], rng: Random) -> Any:
    asked = _asked_for(schema)
    tokens = name_tokens(resource.identity or "") or ["id"]
    strict = {"format", "pattern", "enum", "const", "maxLength", "minLength"}
    if schema_type(schema) == "string" and not set(asked) & strict and tokens[-1] in _CODES:
        kinds = [*name_tokens(resource.name)[-1:], "id"]
        return code_like_examples(schema, kinds, rng, is_code=True) or opaque(kinds, rng)
    own = resource.identity_path[-1]
    long = str(rng.randint(10**17, 10**18 - 1))
    if "pattern" in asked and not _is_label(own) and is_valid(long, asked):
        return long
    idea = (
        draw_idea(resource.name, rng, resource.schema["properties"], resource.about)
        if _is_slug(resource) or standard_noun(resource.name)
        else None
    )
    if idea is not None and _is_slug(resource) and is_valid(named := _slug_like(resource, idea.name), asked):
        return named
    made = make_valid(asked, rng, f"{resource.name}_{own}" if own == "name" else own, idea=idea)
    if made == " ".join(tokens) and is_valid(coded := opaque(tokens, rng), asked):
        return coded  # nothing is known of it but what it is called
    return _as_shown(made, schema, tokens, rng)


def _as_shown(made: Any, schema: Mapping[str, Any], tokens: list[str], rng: Random) -> Any:
    """Return an identity of the shape that its examples have: `budget.review` where one is `user.signup`."""
    samples = [item for item in schema.get("examples", ()) if isinstance(item, str) and item]
    if not samples or not isinstance(made, str) or "format" in schema:
        return made
    if alike(made, samples) and not any(map(identifies, samples)):
        return made
    other = varied(rng.choice(samples), tokens, rng)
    return other if other not in samples and is_valid(other, schema) else made


_asked_for: ObjectCache[dict[str, Any]] = ObjectCache(
    lambda schema: {key: value for key, value in schema.items() if key not in ("examples", "default")}
)
"""The schema of an identity -> what it asks for."""


def _is_slug(resource: ResourcePlan) -> bool:
    """Tell whether the rows of a resource are told apart by what they are called, as it stands in addresses: `setup_fee`."""
    tokens, examples = name_tokens(resource.identity or ""), resource.identity_schema.get("examples", ())
    words = [isinstance(example, str) and _WORDS.fullmatch(example) for example in examples]
    return tokens[-1:] == ["slug"] or (tokens[-1:] == ["code"] and bool(words) and all(words))


def _slug_like(resource: ResourcePlan, name: str) -> str:
    """Return a name as the identities of a resource are written: with the sign between words that its examples have."""
    joined = any("_" in str(example) for example in resource.identity_schema.get("examples", ()))
    return slug_of(name).replace("-", "_") if joined else slug_of(name)


def _is_label(name: str) -> bool:
    tokens = name_tokens(name)
    return "_".join(tokens) in _NAMING or not _LABELS.isdisjoint(tokens[-1:])


_LABELS = frozenset(("name", "title", "slug", "handle", "login", "label"))
"""Last words of fields that hold what a row is called."""


def _spoken(name: str, resource: ResourcePlan) -> str:
    """Return the name under which a field's values are made: the `title` of a person is a job title."""
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
    """Return the fields that a row gets, each with the name under which its values are made."""
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
) -> dict[str, Any]:
    """Return a row without references; fields for which no value is found, or of which nothing is known, are left out.

    `used` holds labels not to repeat, `asked` fields that tools ask for.
    """
    row: dict[str, Any] = {}
    idea = _fresh_idea(resource, key, seed, used)
    by_slug = _is_slug(resource) and isinstance(identity, str) and _PLAIN_SLUG.fullmatch(identity)
    if by_slug:
        idea = called_by_slug(idea, identity)
    idea = of_entry(idea, identity)
    required, own = {*resource.schema.get("required", ()), *asked}, resource.identity_path
    for name, spoken in _fields(resource, tuple(asked)):
        schema = resource.schema["properties"][name]
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
            if used is None or not _is_label(name) or f"{name}:{row[name]}" not in used:
                break
        if used is not None:
            used.add(f"{name}:{row.get(name)}")
    if by_slug:  # an example of a name would be that of another row
        called = next((name for name in _NAMING if name in row), "")
        row |= {called: idea.name} if is_valid(idea.name, resource.schema["properties"].get(called, False)) else {}
    row = trimmed(_alike(row, resource, idea.name), resource.schema)
    row = reconciled(row, resource.schema["properties"], required) | {
        name: True for name in row if tells_success(name, resource.schema["properties"][name])
    }
    if identity is not None:
        row = placed(_unowned(row, resource), own, identity)
        row |= dict.fromkeys(spelt_out(row, resource), identity)
    return row


def _alike(row: dict[str, Any], resource: ResourcePlan, name: str) -> dict[str, Any]:
    """Return a row whose name is shown as it is: with the name of what it is about, where one of both has it."""
    shown = [row.get(key) for key in _SHOWN]
    if name not in shown or not all(isinstance(each, str) for each in shown):
        return row
    fields = resource.schema["properties"]
    return row | {key: name for key in _SHOWN if key not in resource.identity_path and is_valid(name, fields[key])}


_SHOWN = ("name", "display_name")


def _fresh_idea(resource: ResourcePlan, key: str, seed: WorldSeed, used: set[str] | None) -> Idea:
    """Return what a row is about: something that no row before it is called after, if possible."""
    for attempt in range(_IDEAS):
        rng = seed.random(f"{resource.name}/{key}/idea/{attempt}")
        idea = draw_idea(resource.name, rng, resource.schema["properties"], resource.about)
        if used is None or f"idea:{idea.name}" not in used:
            break
    if used is not None:
        used.add(f"idea:{idea.name}")
    return idea


def new_row(
    plan: Plan, resource: ResourcePlan, key: str, row: dict[str, Any], above: Above, keys: Keys, seed: WorldSeed
) -> dict[str, Any]:
    """Return a full row: one that was made up, with its references."""
    known, inherited = dict(above), dict[str, str]()
    row = _whole_of_parts(resource, row)
    for pointer, target in _nearest_first(plan, resource.name):
        if row.get(split_pointer(pointer)[0]) is None:
            keys(target)  # what it could refer to is made at the same moment, whether this row shows it or not
            continue
        owner = None
        if are_listed(plan, resource.name, target):
            own, others = keys(resource.name), keys(target)
            whole = with_own_children(plan, row, resource.name, key, pointer, others, own)
            if whole is not None:
                row = whole
                continue
            owner = owner_of(plan, resource.name, key, target, own, others)
        rng = seed.random(f"{resource.name}/{key}{pointer}")
        if pointer[1:] in resource.owners and keys(target):
            row, _ = _refer(row, pointer, plan.resources[target], {target: keys(target)[0][0]}, keys, rng)
            continue
        several = [other for other, name in resource.references.items() if name == target and other.count("/") == 1]
        if len(several) > 1 and pointer in several:  # as origin and destination: not the same one twice
            taken = {str(row.get(other[1:])) for other in several[: several.index(pointer)]}

            def left(table: str, taken: Collection[str] = taken) -> Sequence[tuple[str, Above]]:
                return [option for option in keys(table) if option[0] not in taken] or keys(table)

            row, _ = _refer(row, pointer, plan.resources[target], above, left, rng)
            continue
        if target == resource.mirrors and split_pointer(pointer)[-2:-1] == (target,):  # a member shows its own user
            row, _ = _refer(row, pointer, plan.resources[target], {target: identity_in_key(key)}, keys, rng)
            continue
        *way, last = split_pointer(pointer)
        back = "*" in way or name_tokens(last) == [*name_tokens(resource.name), "id"]
        if target == resource.name and back and _are_parts(resource, tuple(way)):
            continue
        if target == resource.name:  # no row is its own parent
            row, _ = _refer(row, pointer, resource, {}, partial(_beside, keys, key), rng)
            continue
        around = {**known, resource.name: key} if plan.resources[target].parent == resource.name else known
        around = {**inherited, **around} if is_link(pointer, target) else around
        around = {**around, target: owner} if owner is not None else around
        row, chosen = _refer(row, pointer, plan.resources[target], around, keys, rng)
        if chosen is not None and is_link(pointer, target):
            above_it = next((owners for other, owners in keys(target) if other == chosen), {})
            inherited |= {to: key for to, key in above_it.items() if to not in inherited}
        row = _distinct(resource, row, split_pointer(pointer))
        if chosen is not None and pointer.count("/") == 1:
            known.setdefault(target, chosen)
    return {**row, "_parents": dict(above)} if above else row


def _whole_of_parts(resource: ResourcePlan, row: dict[str, Any]) -> dict[str, Any]:
    """Return a row whose parts refer to it: each comment of a ticket by its `ticketId`, and the profile of an application too."""
    own, called = resource.identity_of(row), [*name_tokens(resource.name), "id"]
    if own is None:
        return row

    def referring(part: Any) -> Any:
        if not isinstance(part, Mapping):
            return part
        back = {key: own for key, value in part.items() if name_tokens(key) == called and type(value) is type(own)}
        return {**part, **back}

    lists = [name for name, held in row.items() if isinstance(held, list) and _are_parts(resource, (name, "*"))]
    alone = [name for name, held in row.items() if isinstance(held, dict) and _are_parts(resource, (name,))]
    return (
        row
        | {name: [referring(part) for part in row[name]] for name in lists}
        | {name: referring(row[name]) for name in alone}
    )


def _are_parts(resource: ResourcePlan, path: tuple[str, ...]) -> bool:
    """Tell whether what a path leads to in a row are parts of it that are told apart: the comments inside a ticket.

    So is what joins the row to others: `{"shop_id": 7, "product_id": 3}`, inside a shop.
    """
    said = [name_tokens(name) for name in object_properties(schema_within(resource.schema, path))] if path else []
    back = [*name_tokens(resource.name), "id"]
    joins = back in said and any(tokens[1:] and tokens[-1] == "id" and tokens != back for tokens in said)
    return joins or any(tokens in _OWN_IDS for tokens in said)


_OWN_IDS = (["id"], ["uuid"], ["key"])
"""Fields that tell the parts of a row apart."""


def _beside(keys: Keys, own: str, table: str) -> Sequence[tuple[str, Above]]:
    return [option for option in keys(table) if option[0] != own]


def with_path(resource: ResourcePlan, row: Mapping[str, Any]) -> dict[str, Any]:
    """Return `row` with its full name made of its owner and its name, where it shows both."""
    owners = [split_pointer(pointer) for pointer, to in resource.references.items() if to == resource.parent]
    owner = next((leaf for path in owners if path[-1] in SPOKEN_BY for leaf in at_path(row, path)), None)
    own, fields = resource.identity_of(row), resource.schema["properties"]
    if not isinstance(owner, str) or not isinstance(own, str):
        return dict(row)
    joined = {name: f"{owner}/{own}" for name in row if name_tokens(name) in _PATHS}
    return {**row, **{name: value for name, value in joined.items() if is_valid(value, fields.get(name, {}))}}


def _distinct(resource: ResourcePlan, row: dict[str, Any], path: tuple[str, ...]) -> dict[str, Any]:
    """Return a row whose list of other rows holds each once, as far as the schema admits."""
    held = row.get(path[0])
    if len(path) != 3 or path[1] != "*" or not isinstance(held, list):
        return row
    named = [item.get(path[2]) if isinstance(item, Mapping) else None for item in held]
    once = [item for at, item in enumerate(held) if named[at] is None or named[at] not in named[:at]]
    return {**row, path[0]: once} if is_valid(once, resource.schema["properties"].get(path[0], {})) else row


def _unowned(row: dict[str, Any], resource: ResourcePlan) -> dict[str, Any]:
    """Return `row` without the field beside a nested identity that names a row of the same resource."""
    holder, inner = resource.identity_path[0], row.get(resource.identity_path[0])
    if len(resource.identity_path) != 2 or not isinstance(inner, Mapping):
        return row
    return {**row, holder: {key: value for key, value in inner.items() if "_".join(name_tokens(key)) != resource.name}}


def _references(plan: Plan, name: str) -> list[tuple[str, str]]:
    """Return the references of rows: top-level fields first, and of these the targets with most shared references."""
    resource = plan.resources[name]
    targets = set(resource.references.values())

    def said(target: str) -> int:
        return len(targets & (set(plan.resources[target].references.values()) - {target}))

    return sorted(resource.references.items(), key=lambda item: (item[0].count("/"), -said(item[1])))


_nearest_first = ObjectCache(_references)


def _refer(
    row: dict[str, Any], pointer: str, target: ResourcePlan, above: Above, keys: Keys, rng: Random
) -> tuple[dict[str, Any], str | None]:
    """Return the row with one reference made to hold, and the key that it holds then."""
    options = keys(target.name)
    if not options:
        return row, None
    fitting = [key for key, _ in rows_within(options, above) or options]
    whole = schema_type(target.identity_schema) == "integer"
    chosen: list[str] = []

    def pick() -> Any:
        key = identity_in_key(above.get(target.name) or rng.choice(fitting))
        chosen.append(key)
        return int(key) if whole and key.lstrip("-").isdigit() else key

    return dict(_with_leaves(row, split_pointer(pointer), pick)), chosen[0] if chosen else None


def _with_leaves(value: Any, path: tuple[str, ...], pick: Callable[[], Any]) -> Any:
    if not path:
        return list(dict.fromkeys(pick() for _ in value)) if isinstance(value, list) else pick()
    if path[0] == "*" and isinstance(value, list):
        items: list[Any] = []
        for item in value:
            shown = [list(at_path(other, path[1:])) for other in items]
            made = (_with_leaves(item, path[1:], pick) for _ in range(_TRIES))
            fresh = (other for other in made if list(at_path(other, path[1:])) not in shown)
            items.append(next(fresh, _with_leaves(item, path[1:], pick)))
        return items
    if isinstance(value, Mapping) and path[0] in value and value[path[0]] is not None:
        return {**value, path[0]: _with_leaves(value[path[0]], path[1:], pick)}
    return value


def rows_within(options: Sequence[tuple[str, Above]], above: Above) -> list[tuple[str, Above]]:
    """Return the rows that belong to nothing else than what `above` says."""
    return [item for item in options if all(above.get(owner, key) == key for owner, key in item[1].items())]
