"""The parameters of an operation -> those that a person could mean; credentials and transport are left out."""

import re

_TRANSPORT = re.compile(
    r"""authorization | proxy-.* | cookie2? | .*api[-_]?key.* | .*(access|auth|bearer|session|csrf|xsrf|security)[-_]?token.*
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
_DATA = re.compile(
    r"\b(?:refresh|device|push|reset|verification|registration|confirmation|invit\w{0,8}|page|sync|next|continuation)[- ]?token"
    r"|\b(?:token|key)s?\b.{0,20}\b(?:to|be|being|is)\s(?:be\s)?(?:revok|invalidat|introspect|verif|refresh|exchang|delet|remov|rotat"
    r"|inspect|check|decod|validat|regist|stor|sav|updat)",
    re.IGNORECASE,
)
"""A token or key that the operation is about, rather than one that lets the request pass."""


def is_filled_by_sender(name: str, location: str, secured: set[tuple[str, str]]) -> bool:
    """Tell whether a parameter is filled in by whoever sends the request, not by whoever asks for it.

    `secured` holds the (location, lower-case name) pairs that the security schemes name.
    """
    if location == "cookie" or (location, name.lower()) in secured:
        return True
    name = name[:200]
    return location == "header" and (bool(_TRANSPORT.fullmatch(name)) or name.lower() == "token")


def is_credential(name: str, location: str, description: str) -> bool:
    """Tell whether a field outside the headers only lets the request pass; one that the operation is about does not."""
    name, description = name[:200], description[:1_000]
    if not _NAMED.fullmatch(name) and not _KEYS.fullmatch(name):
        return False
    if _DATA.search(description):
        return False
    if location == "query" and _KEYS.fullmatch(name):
        return True
    told = _SURE if location == "body" else _TEXT
    return location in ("query", "form", "body") and bool(told.search(description))
