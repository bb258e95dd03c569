"""A tool and its resource -> the argument that identifies the row, if its path does not say it."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from interplay.generators.environments.inference.plans import ToolPlan
from interplay.generators.environments.inference.roles.rpc_calls import call_parts
from interplay.generators.environments.inference.tool_words import ID_WORDS, is_plural, stem_of
from interplay.schemas.json.fields import schema_type
from interplay.schemas.words.identifiers import last_word, name_tokens

WRITTEN_AS = ("string", "integer")
_WRITES = {"write", "save", "upsert", "store", "put"}


def find_target(plan: ToolPlan) -> ToolPlan:
    """Return the plan with the argument that identifies the row as its target, if the path does not name one.

    A list of the row that the only required argument names is a read: GET /menu/detail ?menuId! -> [menu].
    """
    needed = plan.tool.parameters.get("required", ())
    if plan.operation == "list" and plan.tool.path and len(needed) == 1 and stem_of(needed[0]) == plan.resource:
        last = plan.tool.path.rpartition("/")[2]
        if _is_scalar(needed[0], plan.tool.properties[needed[0]]) and not is_plural(last) and not last.endswith("}"):
            return replace(plan, operation="read", target=needed[0], why=f"{plan.why}; of the one row that is named")
    if (
        plan.target is not None
        or plan.resource is None
        or (plan.operation in ("create", "list", "compute") and not _overwrites(plan))
        or plan.single
        or plan.own
        or plan.keys
    ):
        return plan
    properties = plan.tool.parameters.get("properties", {})
    short = plan.resource.split("_")[-1]
    endings = ("id", "uuid", "key", "number", "iid", "gid", "guid")
    wanted = [f"{noun}_{ending}" for ending in endings for noun in (plan.resource, short)]
    wanted += [f"id_{short}", plan.resource, short, f"{short}_name", "id", "uuid", "name"]
    if not plan.tool.http:
        wanted += ["path", "file_path", "source", "key", "code", "slug"]
    taken = {name for name, _ in plan.parents}
    scalars = {key: item for key, item in properties.items() if _is_scalar(key, item) and key not in taken}
    by_tokens = {"_".join(name_tokens(key)): key for key in scalars}
    found = next((by_tokens[name] for name in wanted if name in by_tokens), None)
    if found is None or last_word(found) == "name":
        longer = [
            key for said, key in by_tokens.items() if said.startswith(f"{short}_") and said.split("_")[-1] in ID_WORDS
        ]
        found = longer[0] if len(longer) == 1 else found  # `storyPublicId`
    by_name = plan.tool.http is None or call_parts(plan.tool.path) is not None
    if by_name and (found is None or last_word(found) == "name"):
        ids = [key for key in plan.tool.parameters.get("required", ()) if key in scalars and stem_of(key)]
        found = _described(plan, scalars) or (ids[0] if found and len(ids) == 1 else found)
    return replace(plan, target=found)


def _is_scalar(name: str, schema: Mapping[str, Any]) -> bool:
    """Tell whether an argument can hold an identity: a string or integer without default, or a number named like an id."""
    if schema.get("default") is not None:
        return False
    return schema_type(schema) in WRITTEN_AS or (schema_type(schema) == "number" and stem_of(name) is not None)


def _overwrites(plan: ToolPlan) -> bool:
    """Tell whether a tool creates a row or overwrites an existing one, as `write_file` does."""
    return (
        plan.tool.http is None
        and plan.operation == "create"
        and not _WRITES.isdisjoint(name_tokens(plan.tool.original_name)[:1])
    )


def _described(plan: ToolPlan, scalars: dict[str, Any]) -> str | None:
    """Return the argument whose description names the resource, required ones first (`channel`: ID of the conversation)."""
    noun = (plan.resource or "").split("_")[-1]
    needed = [key for key in plan.tool.parameters.get("required", ()) if key in scalars]
    spoken = re.compile(
        rf"\bid(?:entifier)? (?:of|for) (?:the |an? )?{re.escape(noun)}s?(?: message| item| record| object)?(?: (?:to|that|which|whose|for|in|of|on|with)\b|[^ \w]|$)"
        rf"|\b{re.escape(noun)} id(?:entifier)?\b"
    )
    for key in dict.fromkeys([*needed, *scalars]):
        if spoken.search(str(scalars[key].get("description", ""))[:80].lower()):
            return str(key)
    return None
