"""The parameters of an operation -> those that a person could mean; credentials and transport are left out."""

import re

_TRANSPORT = re.compile(
    r"""authorization | proxy-.* | cookie2? | .*api[-_]?key.* | .*(access|auth|bearer|session|csrf|xsrf|security)[-_]?token.*
    | .*auth[-_]?(key|secret|signature).* | x-auth.* | .*(client|app|application)[-_]?(secret|key) | .*signature
    | accept(-.*)? | content-.* | user-agent | x-user-agent | if-.* | (x-)?idempoten(cy|t)(-?key)?.* | .*-?idempotency-?key
    | (.*[-_])?version | .*tenant.*
    | (.*-)?(request|correlation|trace|span|transaction|client-request)-?id | traceparent | tracestate | x-b3-.*
    | host | origin | referer | connection | date | transfer-encoding | expect | te | upgrade | via | dnt
    | cache-control | pragma | x-forwarded-.* | x-real-ip | x-csrf.* | x-http-method-override""",
    re.IGNORECASE | re.VERBOSE,
)
_KEYS = re.compile(
    r"(x[-_])?(api[-_]?key|access[-_]?token|oauth[-_]?token|auth[-_]?token|bearer[-_]?token)", re.IGNORECASE
)
_TOKEN_TEXT = re.compile(r"authenticat|auth token|access token|bearer|api token", re.IGNORECASE)


def is_transport(name: str, location: str, description: str, secured: set[tuple[str, str]]) -> bool:
    """Tell whether a parameter is filled in by whoever sends the request, not by whoever asks for it.

    `secured` holds the (location, lower-case name) pairs that the security schemes name.
    """
    if location == "cookie" or (location, name.lower()) in secured:
        return True
    name = name[:200]
    if location == "header":
        return bool(_TRANSPORT.fullmatch(name)) or name.lower() == "token"
    if location == "query":
        return bool(_KEYS.fullmatch(name)) or (name.lower() == "token" and bool(_TOKEN_TEXT.search(description)))
    return location == "form" and name.lower() == "token" and bool(_TOKEN_TEXT.search(description))
