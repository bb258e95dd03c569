"""Parameters that authenticate or carry a request -> left out: credentials, headers, keys that nearly every call takes.

GET /pets(X-Api-Key, limit)                                ->  GET /pets(limit)
POST /webhooks/delete(key, id), POST /tags/list(key), ...  ->  POST /webhooks/delete(id), POST /tags/list(), ...
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from interplay.generators.importers.documents.json_references import BrokenReference, References
from interplay.generators.importers.openapi.operations import Operation
from interplay.schemas.json.fields import schema_type
from interplay.schemas.records.tool import Tool
from interplay.schemas.words.identifiers import lets_pass, name_tokens
from interplay.schemas.words.lists import beside, words

LEAST, SHARE = 6, 0.8
"""Least number and share of tools that take a key for it to be left out."""

_FURTHER = {tuple(name.split("_")) for name in words(beside(__file__), "shared_keys")}
"""Further names that are credentials if nearly all calls take them."""

_TRANSPORT = re.compile(
    r"""authorization | proxy-.* | cookie2? | (x-)?api[-_].* | .*api[-_]?key.* | .*(access|auth|bearer|session|csrf|xsrf|security)[-_]?token.*
    | .*auth[-_]?(key|secret|signature).* | x-auth.* | .*(client|app|application)[-_]?(secret|key|id) | .*signature
    | accepts?(-.*)? | content-.* | user-agent | x-user-agent | if-.* | (x-)?idempoten(cy|t)(-?key)?.* | .*-?idempotency-?key
    | (.*[-_])?version | .*tenant.* | x([-_][a-z0-9]+)+[-_]id
    | (.*-)?(request|correlation|trace|span|transaction|client-request)-?id | traceparent | tracestate | x-b3-.*
    | host | origin | referer | connection | date | transfer-encoding | expect | te | upgrade | via | dnt
    | cache-control | pragma | x-forwarded-.* | x-real-ip | x-csrf.* | x-http-method-override""",
    re.IGNORECASE | re.VERBOSE,
)
_KEYS = re.compile(
    r"(x[-_])?(api[-_]?key|access[-_]?token|oauth[-_]?token|auth[-_]?token|bearer[-_]?token)", re.IGNORECASE
)
_NAMED = re.compile(
    r"(?:x[-_])?(?:(?:api|access|auth|oauth|bearer|authentication|user|bot|app)[-_]?)?(?:token|key)|auth|app[-_]?id",
    re.IGNORECASE,
)
_TEXT = re.compile(
    r"authenticat|auth token|access token|bearer|api[- ]?token|api[- ]?key|requires? scope|authoriz(?:e|ing) (?:the|this|your)",
    re.IGNORECASE,
)
_SURE = re.compile(
    r"\s*authentication token\b|requires? scope|your (?:own )?(?:api|access|auth)[- ]?(?:key|token)"
    r"|(?:authenticat|authoriz)\w*\s(?:(?:the|this|your|each|all|every|with the|against the)\s)?(?:api\b|requests?\b|calls?\b|caller)",
    re.IGNORECASE,
)
_KINDS, _VERBS = ("|".join(words(beside(__file__), name)) for name in ("token_kinds", "token_verbs"))
_DATA = re.compile(
    rf"\b(?:{_KINDS})[- ]?token|\b(?:token|key)s?\b.{{0,20}}\b(?:to|be|being|is)\s(?:be\s)?(?:{_VERBS})", re.IGNORECASE
)
"""Matches texts about a token or key that the operation acts on, rather than authenticates with."""


def leave_out_shared_keys(operations: Sequence[Operation]) -> None:
    """Remove keys and headers that nearly all operations take, with a remark on each operation."""
    keys = shared_keys([operation.tool for operation in operations if operation.tool is not None])
    for operation in operations if keys else ():
        changed = without_keys(operation.tool, keys) if operation.tool is not None else None
        if changed is not operation.tool:
            operation.tool = changed
            operation.notes.remark(f"{', '.join(sorted(keys))} left out: nearly all operations take it")


def shared_keys(tools: Sequence[Tool]) -> frozenset[str]:
    """Return the names of the credentials and headers that nearly all tools take."""
    found = Counter(name for tool in tools for name in tool.properties if _is_key(name, tool))
    return frozenset(name for name, count in found.items() if count >= max(LEAST, SHARE * len(tools)))


def _is_key(name: str, tool: Tool) -> bool:
    locations = tool.http.locations if tool.http else {}
    if locations.get(name) == "header":
        return True  # a header of nearly all calls is about the protocol: X-Requested-With
    schema = tool.parameters["properties"][name]
    if schema_type(schema) != "string":
        return False
    if schema.get("default") is not None and name not in tool.required:
        return locations.get(name) in ("query", "form")  # a common setting with a default: locale
    named = lets_pass(name) or tuple(name_tokens(name)) in _FURTHER
    return named and locations.get(name) in ("query", "form", "body")


def without_keys(tool: Tool, keys: frozenset[str]) -> Tool:
    """Return the tool without those of its parameters that `keys` names."""
    taken = [name for name in tool.properties if name in keys]
    if not taken or tool.http is None:
        return tool
    parameters = dict(tool.parameters)
    parameters["properties"] = {name: item for name, item in parameters["properties"].items() if name not in taken}
    if "required" in parameters:
        parameters["required"] = [name for name in parameters["required"] if name not in taken]
    places = {name: place for name, place in tool.http.locations.items() if name not in taken}
    wire = {name: own for name, own in tool.http.original_names.items() if name not in taken}
    http = tool.http.model_copy(update={"locations": places, "original_names": wire})
    return tool.model_copy(update={"parameters": parameters, "http": http})


def is_filled_by_sender(name: str, location: str, secured: set[tuple[str, str]]) -> bool:
    """Tell whether the HTTP client fills in a parameter, not the caller of the tool.

    `secured` comes from `secured_parameters`.
    """
    if location == "cookie" or (location, name.lower()) in secured:
        return True
    name = name[:200]
    return location == "header" and (bool(_TRANSPORT.fullmatch(name)) or name_tokens(name)[-1:] == ["token"])


def is_credential(name: str, location: str, description: str) -> bool:
    """Tell whether a field outside the headers only authenticates the request, rather than being what it acts on."""
    name, description = name[:200], description[:1_000]
    if not _NAMED.fullmatch(name) and not _KEYS.fullmatch(name):
        return False
    if _DATA.search(description):
        return False
    if location == "query" and _KEYS.fullmatch(name):
        return True
    told = _SURE if location == "body" else _TEXT
    return location in ("query", "form", "body") and bool(told.search(description))


def secured_parameters(root: dict[str, Any], references: References) -> set[tuple[str, str]]:
    """Return (location, lower-case name) of the parameters that the security schemes name as credentials."""
    components = root.get("components")
    schemes = [
        root.get("securityDefinitions"),
        components.get("securitySchemes") if isinstance(components, dict) else None,
    ]
    found: set[tuple[str, str]] = set()
    for holder in schemes:
        for raw in holder.values() if isinstance(holder, dict) else ():
            try:
                scheme, _ = references.value(raw, references.main)
            except BrokenReference:
                continue
            if isinstance(scheme, dict) and isinstance(scheme.get("name"), str) and isinstance(scheme.get("in"), str):
                found.add((scheme["in"].lower(), scheme["name"].lower()))
    return found
