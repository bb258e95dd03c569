"""Chains of capabilities as data, and the tools of a toolset that fit their links."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml
from pydantic import Field

from interplay.generators.blueprints.growth.growth import Growth
from interplay.generators.phrases.escalation import hands_over
from interplay.generators.phrases.intents import intents_of
from interplay.schemas.json.fields import leaf_schemas, schema_type
from interplay.schemas.json.record import Record
from interplay.schemas.records.recipe import Risk
from interplay.schemas.records.tool import READING, Effect, Operation, Tool
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import word_set
from interplay.schemas.words.nouns import plural, singular

PER_LINK = 40
"""The most tools that are kept for one link of a chain."""

_WORDS = Path(__file__).with_name("private_words.yaml")
PERSONS = word_set(_WORDS, "persons")
MATTERS = word_set(_WORDS, "matters")
INTIMATE = word_set(_WORDS, "intimate")
"""Words of resources and fields that are personal and private."""


class Link(Record):
    """One link of a chain: the properties that a tool needs to fit it."""

    effect: Effect
    operations: tuple[Operation, ...] = ()
    words: tuple[str, ...] = ()
    private: bool = False
    own: bool = False
    related: bool = True


class Chain(Record):
    """A chain of capabilities, and the purposes that harmful, borderline and benign users state for it."""

    scenario: str
    confidential: bool = False
    risks: dict[Risk, int]
    links: tuple[Link, ...] = Field(min_length=1, max_length=2)
    harmful: tuple[str, ...]
    borderline: tuple[str, ...]
    unauthorised: tuple[str, ...]
    benign: tuple[str, ...]
    motive: tuple[str, ...]


@dataclass(frozen=True)
class Instance:
    """A chain, and the tool for each of its links."""

    chain: Chain
    tools: tuple[str, ...]


@lru_cache(maxsize=1)
def load_chains() -> tuple[Chain, ...]:
    """Load the chains that ship with the package."""
    rows: list[Mapping[str, Any]] = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
    return tuple(Chain.model_validate(row) for row in rows)


def instances(growth: Growth) -> tuple[Instance, ...]:
    """Return all instances of chains that the offered tools allow."""
    usable = [tool for tool in growth.callable() if not hands_over(tool)]
    users = growth.world.environment.toolset.user_resource in growth.world.resources
    found: list[Instance] = []
    for chain in load_chains():
        if chain.confidential and users and not chain.links[0].own:
            continue  # with users, private means owned by another user
        fitting = [[tool for tool in usable if _fits(growth, link, tool)][:PER_LINK] for link in chain.links]
        if len(fitting) == 1:
            found += [Instance(chain, (tool.name,)) for tool in fitting[0]]
            continue
        found += [
            Instance(chain, (first.name, last.name))
            for last in fitting[1]
            for first in fitting[0]
            if first is not last and (not chain.links[1].related or _related(growth, first.name, last.name))
        ]
    return tuple(found)


def _fits(growth: Growth, link: Link, tool: Tool) -> bool:
    role = growth.role(tool.name)
    if tool.effect != link.effect or (link.operations and role.operation not in link.operations):
        return False
    if link.effect == "read" and role.operation not in READING[:2]:
        return False
    if link.words and not set(link.words) & set(_words(growth, tool)):
        return False
    if link.own:
        return _belongs_to_users(growth, tool)
    return not link.private or is_private(growth, tool)


def _words(growth: Growth, tool: Tool) -> Iterator[str]:
    for text in (tool.original_name, *intents_of(tool)[:2], str(growth.role(tool.name).resource or "")):
        for token in name_tokens(text):
            yield singular(token)


def _belongs_to_users(growth: Growth, tool: Tool) -> bool:
    """Tell whether a tool shows, for a required argument, what belongs to one of the users."""
    world, own = growth.world, growth.world.environment.toolset.user_resource
    role = growth.role(tool.name)
    if own not in world.resources or not tool.required:
        return False
    if role.resource == own or own in role.references.values():
        return True
    rows = world.subjects(str(role.resource)) if role.resource in world.resources else []
    return bool(rows) and world.linked(rows[0], str(own)) is not None


def is_private(growth: Growth, tool: Tool) -> bool:
    """Tell whether a tool shows personal data, by the names of its resource and fields."""
    resource = growth.role(tool.name).resource
    words = {singular(token) for token in name_tokens(str(resource or ""))}
    return bool(words & (PERSONS | MATTERS)) or bool(INTIMATE & set(_fields(growth, tool)))


def _fields(growth: Growth, tool: Tool) -> Iterator[str]:
    """Yield the words of a tool's result fields, from its schema and from the first row."""
    shown: Any = tool.returns or {}
    shown = shown.get("items", {}) if schema_type(shown) == "array" else shown
    for _, name, _ in leaf_schemas(shown):
        yield from name_tokens(name)
    resource = growth.role(tool.name).resource
    for subject in growth.world.subjects(str(resource))[:1] if resource in growth.world.resources else ():
        for name in subject.row:
            yield from name_tokens(name)


def _related(growth: Growth, first: str, last: str) -> bool:
    """Tell whether a tool is about what another one shows: by an edge, or by their resources."""
    if any(edge.producer == first for edge in growth.graph.found_for(last)):
        return True
    shown, used = growth.role(first).resource, growth.role(last)
    return shown is not None and (shown == used.resource or shown in used.references.values())


OTHERS = ("my neighbour", "somebody else", "my colleague", "another person", "my ex-partner", "a stranger")
_MINE = re.compile(r"\bmy own\b|\bmy\b|\b(?:for |about |at )?me\b|\bI (?!am\b)(\w+)\b")
_PAST = ("had", "did", "was", "got", "made")


def of_others(intent: str, who: str, noun: str = "") -> str:
    """Return a wish about the user's own things as one about another person's: "my invoices" -> "a stranger's invoices".

    Where the wish has no owner, `noun` gets one: "cancel a booking" -> "cancel a stranger's booking".
    """
    whose = [f"{who}'s"]

    def turned(found: re.Match[str]) -> str:
        text = found[0]
        if text.startswith("my"):
            return whose.pop() if whose else "their"
        if found[1]:
            verb = {"have": "has"}.get(
                found[1], found[1] if found[1].endswith("ed") or found[1] in _PAST else f"{found[1]}s"
            )
            return f"{who} {verb}"
        return text.replace("me", who)

    said = _MINE.sub(turned, intent)
    if said == intent and noun:
        said = re.sub(rf"\b(?:an?|the) (?={re.escape(noun)}\b)", f"{who}'s ", intent, count=1)
    return said


def joined(first: str, last: str, noun: str, new: bool = False) -> str:
    """Join two wishes, with a pronoun for what both name: "find a file and then delete it".

    If the second creates something `new`, the pronoun is "another one".
    """
    said = "another one" if new else "one of them" if re.search(rf"\b{re.escape(plural(noun))}\b", first) else "it"
    if re.search(rf"\b{re.escape(singular(noun))}", first):
        before, found, tail = _parted(last, noun)
        last = f"{before}{said}{'' if tail.strip() in first else tail}" if found else last
    return f"{first} and then {last}"


def _parted(intent: str, noun: str) -> tuple[str, bool, str]:
    """Return the text before and after the noun with its article or owner, and whether it was found."""
    found = re.search(rf"(?:\b(?:an?|the|their)|\b(?:my )?\S+(?: \S+)?'s) {re.escape(noun)}\b", intent)
    return (intent[: found.start()], True, intent[found.end() :]) if found else (intent, False, "")
