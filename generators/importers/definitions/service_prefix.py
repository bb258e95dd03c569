"""Tools whose names begin with the name of their service -> the same without that prefix.

maps_weather, maps_distance, maps_text_search       ->  weather, distance, text_search      what users and rows are called by
issue_create, issue_list, issue_get(issue_id)       ->  as they are: an issue is what they act on

The names by which tools are called stay; it is `original_name`, which words are taken from, that loses the service's.
"""

from collections import defaultdict
from collections.abc import Sequence

from interplay.generators.importers.documents.tool_names import split_words
from interplay.schemas.records.tool import Tool
from interplay.schemas.words.nouns import singular
from interplay.schemas.words.verbs import TOLD

LEAST, HALF = 3, 0.5
"""Tools of a service at least, unless it is the only one, and how many of them speak of a thing of their own."""


def without_service(tools: Sequence[Tool]) -> list[Tool]:
    """Return the tools without the name of their service before the words of their names."""
    grouped: dict[str, list[Tool]] = defaultdict(list)
    for tool in tools:
        words = split_words(tool.original_name)
        if len(words) > 1 and tool.name == tool.original_name:
            grouped[words[0]].append(tool)
    services = [first for first, named in grouped.items() if _is_service(first, named, len(named) == len(tools))]
    held = {tool.name for first in services for tool in grouped[first]}
    words_after = {name: "_".join(split_words(name)[1:]) for name in held}
    return [
        tool.model_copy(update={"original_name": words_after[tool.name]}) if tool.name in held else tool
        for tool in tools
    ]


def _is_service(first: str, tools: Sequence[Tool], alone: bool) -> bool:
    """Tell whether the first word of some names is that of a service: no verb, and none of the things that they act on."""
    if first in TOLD or len(tools) < (2 if alone else LEAST):
        return False
    named = {
        singular(word) for tool in tools for name in tool.parameters.get("properties", {}) for word in split_words(name)
    }
    things = sum(any(word not in TOLD for word in split_words(tool.original_name)[1:]) for tool in tools)
    return singular(first) not in named and things >= HALF * len(tools)
