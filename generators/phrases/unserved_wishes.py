"""A toolset -> wishes that none of its tools serves, for users who ask for something out of scope.

Near its resources: "print the list of jobs", or "delete a review" if reviews can only be created. Unrelated: a taxi.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from interplay.generators.phrases.topic_nouns import noun_of
from interplay.schemas.records.tool import ResourceModel, Toolset
from interplay.schemas.words.articles import with_article
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import beside, table, word_set
from interplay.schemas.words.nouns import plural, singular

_WISHES: Mapping[str, Sequence[str]] = table(beside(__file__), "wishes")
_NEAR: Mapping[str, Sequence[str]] = table(beside(__file__), "near")
_REMOVING = word_set(beside(__file__), "removing")


def unserved_wishes(toolset: Toolset) -> tuple[str, ...]:
    """Return wishes that share no word with the name of any tool; all wishes if none is left."""
    return _left(tuple(tool.original_name for tool in toolset.tools))


@lru_cache(maxsize=64)
def _left(tools: tuple[str, ...]) -> tuple[str, ...]:
    names = {singular(token) for name in tools for token in name_tokens(name)}
    found = [frame.format(thing) for frame, things in _WISHES.items() for thing in things]
    kept = [text for text in found if not {singular(word) for word in text.lower().split()[1:]} & names]
    return tuple(kept or found)


def nearby_wishes(toolset: Toolset, model: ResourceModel, language: str) -> tuple[str, ...]:
    """Return wishes about a toolset's own resources that no tool serves; none if any tool has wishes of its own.

    They exist in English only. A wish is left out if one of its words occurs in the name or texts of any tool.
    """
    if language != "en" or any(tool.phrases.wishes for tool in toolset.tools):
        return ()
    told = {
        singular(word)
        for tool in toolset.tools
        for word in name_tokens(f"{tool.original_name} {tool.summary} {tool.description[:_READ]}")
    }
    operations: dict[str | None, set[str]] = {}
    for role in model.roles:
        operations.setdefault(role.resource, set()).add(role.operation)
    found = []
    for resource in model.resources:
        does = operations.get(resource.name, set())
        noun = noun_of(resource.name, toolset.spoken_nouns)
        if "list" not in does or len(noun.split()) > _SHORT:
            continue
        frames = [frame for frame, words in _NEAR.items() if told.isdisjoint(words)]
        found += [frame.format(nouns=plural(noun), one=with_article(noun)) for frame in frames]
        if "create" in does and told.isdisjoint(_REMOVING):
            found.append(f"delete {with_article(noun)}")
    return tuple(found[:_MOST])


_READ, _SHORT, _MOST = 200, 2, 40
"""Characters of a description that are read, maximum words of a noun, and maximum number of wishes."""
