"""A tool that answers with a text and lists or searches -> the names of existing rows.

list_directory  ->  "harbor.txt, garden.txt, meadow.txt"
"""

from collections.abc import Iterable, Mapping
from random import Random
from typing import Any

from interplay.generators.environments.inference.plans import Plan, ResourcePlan, ToolPlan
from interplay.generators.phrases.speakable_values import LONGEST
from interplay.generators.results.acknowledgement import text_within
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.nouns import singular

_LISTS = {"list", "ls", "tree", "browse", "all", "dir", "directory"}
_SEARCHES = {"search", "find", "query", "grep", "lookup", "glob", "filter"}
_NAMED, _FOUND = 4, 2
"""Names in the text of a list, the latest ones; names in that of a search without matches."""


def listed_resource(plan: ToolPlan, whole: Plan) -> ResourcePlan | None:
    """Return the resource whose rows a tool names in its text: its own, or one that its name or description mentions."""
    if plan.tool.effect != "read" or text_within(plan.tool.returns) is None:
        return None
    words = [singular(word) for word in name_tokens(plan.tool.original_name)]
    if not set(words) & (_LISTS | _SEARCHES):
        return None
    said = {singular(word) for word in name_tokens(f"{plan.tool.summary} {plan.tool.description[:200]}")}
    about = [name for name in whole.resources if name == plan.resource or name in words or name in said]
    about.sort(key=lambda name: (name not in words, name != plan.resource))
    return next((whole.resources[name] for name in about if whole.resources[name].identity is not None), None)


def name_text(
    plan: ToolPlan,
    resource: ResourcePlan,
    rows: Iterable[tuple[str, Mapping[str, Any]]],
    arguments: Mapping[str, Any],
    rng: Random,
) -> str:
    """Return the names of rows as a short text; for a search, those that match its arguments."""
    names = [str(resource.identity_of(row)) for _, row in rows]
    if set(name_tokens(plan.tool.original_name)) & _SEARCHES:
        wanted = [str(value).lower() for value in arguments.values() if isinstance(value, str)]
        hits = [name for name in names if any(value in name.lower() for value in wanted)]
        names = hits or rng.sample(names, min(_FOUND, len(names)))
    told = list(reversed(names[-_NAMED:]))
    while len(told) > 1 and len(", ".join(told)) > LONGEST:
        told.pop()
    return ", ".join(told)
