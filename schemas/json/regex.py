"""Untrusted regular expressions, matched in linear time within a megabyte of memory."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import re2

_OPTIONS = re2.Options()
_OPTIONS.max_mem = 1 << 20
_OPTIONS.log_errors = False


@lru_cache(maxsize=512)  # each may take a megabyte
def compile_pattern(pattern: str) -> Any:
    """Compile `pattern` with RE2; None if RE2 does not support it (look-around, back-references)."""
    try:
        return re2.compile(pattern, _OPTIONS)
    except re2.error:
        return None


@lru_cache(maxsize=512)
def searcher(pattern: str) -> Callable[[str], bool]:
    """Return a predicate: does a text contain a match of `pattern`? It is always true for patterns RE2 does not support."""
    compiled = compile_pattern(pattern)

    @lru_cache(maxsize=4096)
    def is_found(text: str) -> bool:
        # searching bytes saves RE2 from converting match positions back to characters, which takes most of the time
        return compiled is None or compiled.search(text.encode()) is not None

    return is_found
