"""One tool -> what it does to which resource, by its name and its arguments."""

import re
from collections.abc import Collection
from itertools import pairwise

from interplay.generators.environments.inference.plans import ToolPlan
from interplay.generators.environments.inference.roles.rpc_calls import call_parts
from interplay.generators.environments.inference.tool_words import (
    ALONE,
    VERBS,
    VERSION,
    is_plural,
    resource_name,
    same_noun,
    stem_of,
    verb_of,
)
from interplay.schemas.json.fields import name_tokens
from interplay.schemas.records.tool import Tool
from interplay.schemas.words.nouns import singular

_GENERIC = {"detail", "details", "info", "information", "profile", "data"}
"""Words after a noun that only say that all of it is meant: `get_user_details`."""


_THING = re.compile(
    r"(?:search(?:es)?|finds?|lists?|gets?|retrieves?|fetch(?:es)?|quer(?:y|ies)|browses?|deletes?|creates?|updates?)(?: for| through| or \w+)? "
    r"((?:[\w-]+ ){0,4}?[\w-]+)(?= (?:with|by|in|from|for|using|on|at|of|to|that|which|matching|based|across|within|near)\b|[.,;:(]|$)",
    re.IGNORECASE,
)


def _told(tool: Tool) -> list[str]:
    """Return the noun of a tool whose name is a verb alone, as its description tells it: "Search for flats to rent" -> flats."""
    found = _THING.match(tool.summary or tool.description[:200])
    words = name_tokens(found[1].split()[-1]) if found else []
    return words[-1:] if words and words[-1] not in VERBS else []


def _begins_so(tool: Tool, word: str) -> bool:
    """Tell whether a tool is described by the verb that its name begins with: `disarm_alarm`, "Disarms the alarm system"."""
    first = (tool.summary or tool.description).split(" ", 1)[0].lower()
    return tool.http is None and first in (word, f"{word}s", f"{word}es")


def _acted_on(nouns: list[str], known: Collection[str]) -> str:
    """Return the one of the resources that an action names by an argument which it is about: that in its name, if any."""
    spoken = [stem for stem in known if stem.split("_")[-1] in nouns]
    return min(spoken or known)


_PREPOSITIONS = ("by", "from", "to", "in", "on", "of", "and", "for", "with", "into")


def _split(name: str, nouns: list[str]) -> tuple[list[str], list[str]]:
    """Return what a name speaks of, and what it says of where: `get_tasks_for_tag` -> tasks, tag."""
    tokens = [token for token in name_tokens(name) if not VERSION.match(token)]
    first = next((number for number, token in enumerate(tokens) if token in nouns), len(tokens))
    cut = next(
        (number for number, token in enumerate(tokens) if token in _PREPOSITIONS and number > first), len(tokens)
    )
    before = [word for word in tokens[:cut] if word in nouns and word not in _PREPOSITIONS]
    return before or nouns, tokens[cut + 1 :]


def _joined_to(nouns: list[str], place: list[str], known: Collection[str]) -> str | None:
    """Return the resource that another one is added to or removed from, where arguments name both: `add_tag_to_task`."""
    thing, whole = (singular(words[-1]) if words else "" for words in (nouns, place))
    held = [stem for stem in known if stem.split("_")[-1] == whole]
    there = any(stem.split("_")[-1] == thing for stem in known)
    return held[0] if len(held) == 1 and there and thing != whole else None


def from_name(tool: Tool) -> ToolPlan:
    """Return what a tool does to which resource as far as its name and its arguments tell."""
    parts = (call_parts(tool.http.path) if tool.http else None) or tool.original_name.split(".")
    operation, nouns = verb_of(parts[-1])
    space = resource_name(parts[-2]) if len(parts) > 1 else None
    properties = tool.parameters.get("properties", {})
    if operation is None and tool.effect == "read" and len(nouns) > 1 and nouns[-1] in _GENERIC:
        operation = "read"
    if operation is None and tool.effect == "write" and len(nouns) > 1 and _begins_so(tool, nouns[0]):
        operation, nouns = "action", nouns[1:]
    if operation is None:
        operation = "compute" if tool.effect == "read" else "action"
        nouns = nouns if space is None else []
    spoken = nouns
    nouns = nouns or (_told(tool) if space is None and tool.http is None else [])
    nouns, place = _split(parts[-1], nouns)
    asked = {word for word, after in pairwise(nouns) if singular(after) == "request" or after in _GENERIC}
    # a merge request is a thing, and so is what there are details of: an order, a post
    nouns = [word for word in nouns if word not in VERBS or word in asked] or ([] if space else nouns)
    known = {stem for key in properties for stem in [stem_of(key)] if stem}
    is_shown = tool.effect == "read" and tool.returns is None and nouns[-1:] == ["state"] and {*nouns[-2:-1]} <= known
    nouns = nouns[:-1] if len(nouns) > 1 and (nouns[-1] in _GENERIC or is_shown) else nouns
    resource = resource_name("_".join(nouns[-2:])) if nouns else space
    if space and resource and operation in ("update", "action") and not same_noun(resource, space):
        resource, operation = space, "action"
    changes = operation in ("create", "delete", "update", "action") and not tool.http and not space
    joined = _joined_to(nouns, place, known) if changes else None
    if joined is not None:
        why = f"its name: what is there already comes to a {joined}, or leaves it"
        return ToolPlan(tool, "action", joined, why=why)
    if resource and operation in ("action", "compute", "read", "update", "delete"):
        alike = [stem for stem in sorted(known) if same_noun(stem, resource)]
        owner = resource if len(alike) > 1 and tool.http is None else next(iter(alike), None)  # source and target
        if owner is None and operation in ("update", "action") and (tool.http is None or len(parts) == 1):
            owner = next((stem for stem in sorted(known) if resource.startswith(f"{stem}_")), None)
        if owner is None and operation == "update" and len(known) == 1 and set(nouns[-1:]) & properties.keys():
            owner = next(iter(known)) if tool.http is None else None  # a field: `set_priority(ticket_id, priority)`
        needed = known & {stem_of(key) for key in tool.parameters.get("required", properties)}
        resource = owner or (_acted_on(spoken, needed) if operation == "action" and needed and not space else resource)
    several = bool(nouns) and is_plural(nouns[-1]) and nouns[-1] not in ALONE
    if operation == "read" and several:
        named = any(singular(nouns[-1]) in stem.split("_") for stem in known)
        of_others = not named and not tool.http and tool.returns is None  # as `get_board_labels(boardId)`
        operation = "list" if not known or of_others else "read"
    if operation == "compute" and tool.effect == "write":
        operation = "action"
    return ToolPlan(tool, operation, resource, why="its name" if resource else "no resource recognised")
