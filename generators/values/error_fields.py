"""The name of a field -> whether it tells what went wrong: in an answer of a call that went well it is empty or missing.

{"status": "sent", "error": null, "_warnings": []}
"""

from functools import lru_cache

from interplay.schemas.words.identifiers import name_tokens

_TROUBLES = {"error", "errors", "warning", "warnings", "exception", "exceptions", "failure", "failures"}
_TOLD = {"message", "messages", "code", "codes", "description", "detail", "details", "type", "reason", "text", "info"}


@lru_cache(maxsize=16_384)
def tells_trouble(name: str) -> bool:
    """Tell whether a field says what went wrong."""
    tokens = name_tokens(name)
    last = tokens[:-1] if tokens[-1:] and tokens[-1] in _TOLD else tokens
    return bool(last) and last[-1] in _TROUBLES
