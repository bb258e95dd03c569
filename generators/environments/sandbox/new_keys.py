"""A new row -> its key and its identity: as given, else one that no row has or had."""

import re
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from interplay.generators.environments.inference.plans import ResourcePlan, spelt_out
from interplay.generators.environments.sandbox.row_references import Above
from interplay.generators.environments.sandbox.shared_identity import key_below
from interplay.generators.values.schema_values import Unsatisfiable, make_valid
from interplay.generators.values.texts.code_shapes import code_like_examples
from interplay.generators.values.texts.example_shapes import alike, identifies, varied
from interplay.generators.values.texts.formatted_texts import slug_of
from interplay.generators.values.texts.ideas import draw_idea
from interplay.generators.values.texts.names.name_endings import opaque
from interplay.generators.values.texts.standards import standard_noun
from interplay.generators.values.world_seed import WorldSeed
from interplay.schemas.json.canonical import digest
from interplay.schemas.json.fields import schema_type
from interplay.schemas.json.object_cache import ObjectCache
from interplay.schemas.json.validation import is_valid
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import beside, word_set, words

_LISTS = beside(__file__)

NAMING = words(_LISTS, "naming")
"""Fields by which people name a row."""

_WORDS = re.compile(r"[a-z]{3,}([-_][a-z]{2,})*")
"""Identities made of words, as slugs are: `standard`, `setup_fee`."""

_CODES = word_set(_LISTS, "codes")


def mint_key(
    resource: ResourcePlan,
    given: Mapping[str, Any],
    above: Above,
    is_taken: Callable[[str], bool],
    is_beside: Callable[[str], bool],
    count: int,
    seed: WorldSeed,
) -> tuple[str, Any]:
    """Return key and identity of a new row: as given, else an unused identity, which also depends on the other given fields.

    If none is left, an identity that is used only below other owners; `is_beside` tells those used below the same owner.

    Raises:
        Unsatisfiable: no unused identity was found.
    """
    if resource.single:
        return above.get(resource.parent or "", "1"), None
    if resource.identity is None:
        while is_taken(f"{resource.name}-{count + 1}"):
            count += 1
        return f"{resource.name}-{count + 1}", None
    stated = resource.identity_of(given)
    if stated is None:  # a given `teacher_id` is the `id`
        spelt = (given[name] for name in spelt_out(given, resource) if given.get(name) is not None)
        stated = next(
            (value for value in spelt if is_valid(value, resource.identity_schema) and not is_taken(str(value))), None
        )
    if stated is not None:
        return str(stated), stated
    schema = resource.identity_schema
    called = next((given[name] for name in NAMING if isinstance(given.get(name), str)), "")
    named = _slug_like(resource, called) if is_slug(resource) else ""
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
    """Return an identity that is valid for as many as possible of the fields that hold it."""
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
        return code_like_examples(schema, kinds, rng, is_code=True) or _numbered(schema, rng) or opaque(kinds, rng)
    own = resource.identity_path[-1]
    long = str(rng.randint(10**17, 10**18 - 1))
    if "pattern" in asked and not is_label(own) and is_valid(long, asked):
        return long
    idea = (
        draw_idea(resource.name, rng, resource.schema["properties"], resource.about)
        if is_slug(resource) or standard_noun(resource.name)
        else None
    )
    if idea is not None and is_slug(resource) and is_valid(named := _slug_like(resource, idea.name), asked):
        return named
    made = make_valid(asked, rng, f"{resource.name}_{own}" if own == "name" else own, idea=idea)
    if made == " ".join(tokens) and is_valid(coded := opaque(tokens, rng), asked):
        return coded  # nothing but the name of the field is known
    return _as_shown(made, schema, tokens, rng)


def _as_shown(made: Any, schema: Mapping[str, Any], tokens: list[str], rng: Random) -> Any:
    """Return an identity in the shape of its examples: `budget.review` for the example `user.signup`."""
    samples = [item for item in schema.get("examples", ()) if isinstance(item, str) and item]
    if not samples or not isinstance(made, str) or "format" in schema:
        return made
    if numbered := _numbered(schema, rng):
        return numbered
    if alike(made, samples) and not any(map(identifies, samples)):
        return made
    other = varied(rng.choice(samples), tokens, rng)
    return other if other not in samples and is_valid(other, schema) else made


def _numbered(schema: Mapping[str, Any], rng: Random) -> str:
    """Return a number as text if all examples of an identity are such; empty if they are not, or it is not valid."""
    samples = schema.get("examples", ())
    if not samples or not all(isinstance(sample, str) and sample.isdecimal() for sample in samples):
        return ""
    size = max(_DIGITS, *map(len, samples))
    made = str(rng.randrange(10 ** (size - 1), 10**size))
    return made if is_valid(made, schema) else ""


_DIGITS = 4
"""Digits of a number that identifies rows, at least, so that there are enough of them."""

_asked_for: ObjectCache[dict[str, Any]] = ObjectCache(
    lambda schema: {key: value for key, value in schema.items() if key not in ("examples", "default")}
)
"""The schema of an identity -> the same without examples and default."""


def is_slug(resource: ResourcePlan) -> bool:
    """Tell whether rows are identified by a readable name, as in URLs: `setup_fee`."""
    tokens, examples = name_tokens(resource.identity or ""), resource.identity_schema.get("examples", ())
    words = [isinstance(example, str) and _WORDS.fullmatch(example) for example in examples]
    return tokens[-1:] == ["slug"] or (tokens[-1:] == ["code"] and bool(words) and all(words))


def _slug_like(resource: ResourcePlan, name: str) -> str:
    """Return a name as a slug, with the separator of the identity's examples: `_` or `-`."""
    joined = any("_" in str(example) for example in resource.identity_schema.get("examples", ()))
    return slug_of(name).replace("-", "_") if joined else slug_of(name)


def is_label(name: str) -> bool:
    tokens = name_tokens(name)
    return "_".join(tokens) in NAMING or not _LABELS.isdisjoint(tokens[-1:])


_LABELS = word_set(_LISTS, "labels")
"""Last words of fields that hold a name of the row."""
