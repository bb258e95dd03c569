"""Regular expressions of strangers: matched in linear time, and within a megabyte."""

from functools import lru_cache
from typing import Any

import re2

_OPTIONS = re2.Options()
_OPTIONS.max_mem = 1 << 20
_OPTIONS.log_errors = False


@lru_cache(maxsize=512)  # each may take its megabyte
def compile_pattern(pattern: str) -> Any:
    """Compile `pattern` for linear-time search; none where RE2 cannot take it (look-around, back-references)."""
    try:
        return re2.compile(pattern, _OPTIONS)
    except re2.error:
        return None
