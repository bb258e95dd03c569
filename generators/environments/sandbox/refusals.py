"""A failure -> the error in the style of the API: a status and a sentence, or an error code of an RPC function.

404 Not Found: there is no conversation 'C1'.    ->    {"ok": false, "error": "channel_not_found"}
"""

import json
import re
from collections.abc import Mapping

from interplay.generators.environments.inference.plans import ToolPlan
from interplay.generators.environments.inference.roles.rpc_calls import call_parts
from interplay.generators.environments.rows.projection import tells_success
from interplay.schemas.json.fields import object_properties

_MISSING = re.compile(r"^404 Not Found: there is no ([a-z0-9 ]+?)(?: '.*| there\.|\.)", re.DOTALL)
_NOT_IN = re.compile(r"^404 Not Found: this ([a-z0-9 ]+) has no ")
_CODES = {"400": "invalid_arguments", "404": "not_found", "409": "already_exists", "500": "internal_error"}


def spoken_words(tools: Mapping[str, ToolPlan]) -> dict[str, str]:
    """Return resource -> the word that results use for its rows, where it differs."""
    found: dict[str, str] = {}
    for plan in tools.values():
        shown = plan.rows.pointer.split("/")[1:2] if plan.rows is not None else []
        for word in plan.words:
            if shown in ([word], [f"{word}s"]) and found.get(str(plan.resource)) != plan.resource:
                found[str(plan.resource)] = word if word == plan.resource else found.get(str(plan.resource), word)
    return found


def refusal(plan: ToolPlan | None, message: str, words: Mapping[str, str]) -> str:
    """Return the text of an error; RPC functions with a success flag return the flag and a code."""
    http = plan.tool.http if plan is not None else None
    if plan is None or http is None or call_parts(http.path) is None:
        return message
    fields = object_properties(plan.tool.returns or {})
    flag = next((name for name, schema in fields.items() if tells_success(name, schema)), None)
    known = re.match(r"^\d{3} ", message)
    return json.dumps({flag: False, "error": _code(message, words)}) if flag is not None and known else message


def _code(message: str, words: Mapping[str, str]) -> str:
    missing, outside = _MISSING.match(message), _NOT_IN.match(message)
    found = missing or outside
    if found is None:
        return _CODES.get(message[:3], "fatal_error")
    noun = found[1].replace(" ", "_")
    word = words.get(noun, noun)
    return f"{word}_not_found" if missing else f"not_in_{word}"
