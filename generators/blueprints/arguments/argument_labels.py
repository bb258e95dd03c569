"""An argument of a tool -> what people call it, and what a look-up for it finds."""

import re
from collections.abc import Mapping
from typing import Any

from interplay.generators.blueprints.arguments.item_descriptions import AMOUNTS
from interplay.generators.environments.inference.resources.references import NAMED_ROW
from interplay.generators.environments.inference.tool_words import bare_name
from interplay.generators.graph.sampling.row_values import SOUGHT
from interplay.generators.graph.sampling.world import World
from interplay.generators.phrases.labels.field_labels import SEARCH_TERM, label_of, words_of
from interplay.generators.phrases.labels.identity_labels import coded, is_one_of_several, qualified
from interplay.generators.phrases.topic_nouns import noun_of
from interplay.schemas.json.fields import described_fields
from interplay.schemas.records.phrases import argument_name
from interplay.schemas.records.tool import READING, Tool
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import word_set
from interplay.schemas.words.word_classes import is_known

SEARCHED = SOUGHT | {"for"}
"""Words of parameters that take a search term."""

SEARCHING = SEARCHED | {"text", "name", "title"}
"""Words of parameters that take a search term or a name."""


_SPANS = {"from": "start date", "since": "start date", "to": "end date", "until": "end date"}
"""Names of parameters for a day -> what people call that day."""


_IDENTIFYING = ("id", "ids", "uuid", "key", "gid", "slug", "name", "number", "username")
"""Last words of parameters that only identify a row, and do not say what it is for."""


def _dated(schema: Mapping[str, Any]) -> bool:
    """Tell whether a parameter takes a date, with or without a time."""
    return str(schema.get("format")).startswith("date") or bool(_DAY.search(str(schema.get("description", ""))[:200]))


_DAY = re.compile(r"YYYY-MM-DD|\bdate\b", re.IGNORECASE)
"""How descriptions mention a date."""


_PREPOSITIONS = word_set("prepositions", "common")


def purpose_of(world: World, consumer: str, pointer: str, resource: str) -> str:
    """Return what people call the thing a look-up finds: by the parameter that it fills, else by its resource."""
    if is_one_of_several(pointer, world.roles[consumer].references) and qualified(pointer):
        return qualified(pointer)
    role = world.roles[consumer]
    if resource == role.resource and role.because.get(pointer) == NAMED_ROW:
        return noun_of(resource, world.environment.toolset.spoken_nouns)
    name = next(part for part in reversed(pointer.split("/")) if part not in ("*", ""))
    tokens = name_tokens(name)
    known = world.resources.get(resource)
    identity = name_tokens(known.identity or "")[-1:] if known is not None else []
    noun = noun_of(resource, world.environment.toolset.spoken_nouns)
    if tokens[0] == "id" or tokens[-1] in (*_IDENTIFYING, *identity) or tokens[:-1] == noun.split():
        return noun
    return f"{words_of(name)} {noun}" if tokens[-1] in _PREPOSITIONS else words_of(name)  # the from address


def _without_holder(tool: Tool, pointer: str, label: str) -> str:
    """Return the label of a nested measure without what holds it, if nothing else is so called: "order item quantity"."""
    own = words_of(next(part for part in reversed(pointer.split("/")) if part != "*" and not part.isdigit()))
    if pointer.count("/") == 1 or own not in AMOUNTS or not label.endswith(f" {own}"):
        return label
    alone = sum(words_of(name) == own for name, _ in described_fields(tool.parameters)) == 1
    return own if alone else label


def _own_word(world: World, resource: str | None) -> str:
    """Return the service's own word for the identities of a resource, if it is no common one: `sid`."""
    known = world.resources.get(resource) if resource is not None else None
    tokens = name_tokens(known.identity or "") if known is not None else []
    return tokens[-1] if tokens and not is_known(tokens[-1]) else ""


def label_of_argument(world: World, tool: Tool, pointer: str, purpose: str = "") -> str:
    """Return what people call an argument; in a look-up with a `purpose`, as a property of that: "patient's name"."""
    own = tool.phrases.arguments.get(argument_name(pointer))
    if own is not None and own.label:
        return own.label
    name, _, below = pointer[1:].partition("/")
    wire = tool.http.original_names.get(name, "") if tool.http else ""
    label = label_of(f"/{bare_name(wire or name)}{'/' if below else ''}{below}")
    label = _without_holder(tool, pointer, label)
    stem, _, last = label.rpartition(" ")
    toolset, owner = world.environment.toolset, world.roles[tool.name].resource
    reads = world.roles[tool.name].operation in READING  # the `term` of a loan is not searched for
    label = stem if reads and last in SEARCHED and not SEARCHED.issuperset(stem.split()) else label
    if label in _SPANS and _dated(tool.properties.get(name, {})):
        label = _SPANS[label]
    meant = world.roles[tool.name].references.get(pointer)
    word = _own_word(world, meant)
    if word and label.split()[-1] == word:
        thing = label.removesuffix(f" {word}") if label != word else noun_of(meant, toolset.spoken_nouns)
        return coded(thing, toolset.spoken_nouns)
    noun = label.removesuffix(" id")
    if noun != label and meant is not None and not any(map(is_known, noun.split())):
        noun = noun_of(meant, toolset.spoken_nouns)  # the label names the service, or is no word
    if label == "id" and owner is not None:
        noun = noun_of(owner, toolset.spoken_nouns)
    if (label == "id" and owner is not None) or noun != label:
        return coded(noun, toolset.spoken_nouns)
    if wire and name == f"{wire}_body":  # the path parameter of this name holds the present value
        return f"new {label}"
    if label == "name" and toolset.user_resource not in (None, owner) and owner is not None:
        return f"{noun_of(owner, toolset.spoken_nouns)}'s name"
    if not purpose and reads and set(name_tokens(pointer)) <= SEARCHED:
        return SEARCH_TERM
    if not purpose or not reads or label in toolset.sayings or label.startswith(purpose):
        return label
    if set(name_tokens(pointer)) <= SEARCHING:
        return f"{purpose}'s name"
    return f"{purpose}'s {label}"
