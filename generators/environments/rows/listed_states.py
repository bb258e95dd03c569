"""The description of a list -> the states that its rows have: "List active jobs" shows those whose status is active."""

import re
from collections.abc import Mapping
from typing import Any

from interplay.generators.environments.inference.plans import ResourcePlan, ToolPlan
from interplay.generators.environments.rows.initial_fields import STATUS
from interplay.schemas.json.fields import schema_type
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import word_set

_ENDS = re.compile(r"[^\w\s'-]")
_PREPOSITIONS = word_set("prepositions", "common")


def listed_states(plan: ToolPlan, resource: ResourcePlan) -> dict[str, Any]:
    """Return field -> value for states named in a list's description before its noun; fields that have a parameter are left out.

    Two states of one field, as in "open and closed issues", are ignored.
    """
    words = _before_noun(plan)
    taken = {token for name in plan.tool.properties for token in name_tokens(name)}
    found: dict[str, Any] = {}
    for name, schema in resource.schema.get("properties", {}).items():
        tokens = set(name_tokens(name)) - {"is"}
        if tokens & taken:
            continue
        if tokens & STATUS:
            said = [value for value in schema.get("enum", ()) if isinstance(value, str) and value.lower() in words]
            found |= {name: said[0]} if len(said) == 1 else {}
        elif schema_type(schema) == "boolean" and len(tokens) == 1 and tokens <= words:
            found[name] = True
    return found


def has_states(row: Mapping[str, Any], states: Mapping[str, Any]) -> bool:
    """Tell whether a row has all of these values."""
    return all(row.get(name) == value for name, value in states.items())


def _before_noun(plan: ToolPlan) -> set[str]:
    """Return the words before the noun of a tool's summary: get, all, active, job in "Get all active job listings"."""
    tool = plan.tool
    told = tool.summary or tool.description.partition("\n")[0] or " ".join(name_tokens(tool.original_name))
    words = [word.lower() for word in _ENDS.split(told, maxsplit=1)[0].split()]
    end = next((at for at, word in enumerate(words) if word in _PREPOSITIONS), len(words))
    return set(words[: max(0, end - 1)])
