"""Regular expressions of strangers: matched in linear time, and within a megabyte."""

from collections.abc import Callable
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


@lru_cache(maxsize=512)
def searcher(pattern: str) -> Callable[[str], bool]:
    """Return what tells whether a pattern is found in a text; one that cannot be judged in linear time is found in any."""
    compiled = compile_pattern(pattern)

    @lru_cache(maxsize=4096)
    def is_found(text: str) -> bool:
        # of bytes, no place of a group is counted back into characters, which takes most of the time
        return compiled is None or compiled.search(text.encode()) is not None

    return is_found
