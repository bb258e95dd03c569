"""Text of a model -> the JSON values in it, whether bare, in code fences or within prose.

Here you are: ```json {"passed": true} ```   ->   {"passed": true}

Values that no file can hold do not count: NaN, numbers beyond a double, lone surrogates.
"""

import json
import math
import re
from collections.abc import Iterator
from typing import Any, NoReturn

LONGEST = 400_000
"""Maximum number of characters of a text that are searched."""

STARTS = 40
"""Maximum number of opening brackets in a text that are tried."""

_ESCAPED = re.compile(r"\\u[dD][89a-fA-F]")
_HALF = re.compile("[\ud800-\udfff]")
_FENCE = re.compile(r"```[A-Za-z]*\s*\n(.*?)```", re.DOTALL)


def values_in(text: str) -> Iterator[Any]:
    """Yield the JSON values in a text: the whole text, fenced blocks, then values that begin at a bracket in prose."""
    text = text[:LONGEST].strip()
    for candidate in (text, *_FENCE.findall(text)):
        try:
            yield read_json(candidate.strip())
        except (ValueError, RecursionError):
            continue
    position = 0
    for start in [found.start() for found in re.finditer(r"[{\[]", text)][:STARTS]:
        if start < position:
            continue  # inside a value already yielded
        try:
            value, position = _DECODER.raw_decode(text, start)
            _check_text(text[start:position], value)
        except (ValueError, RecursionError):
            continue
        yield value


def read_json(text: str) -> Any:
    """Parse a text that is one JSON value.

    Raises:
        ValueError: it is not JSON, or holds something that cannot be written again.
        RecursionError: it is nested too deeply.
    """
    value = _DECODER.decode(text)
    _check_text(text, value)
    return value


def read_result(text: str) -> Any:
    """Parse the text of a tool's result as JSON; return the text itself if it is not JSON."""
    return json_value(text, text)


def json_value(text: str, otherwise: Any = None) -> Any:
    """Parse a text as JSON; return `otherwise` if it is not JSON or nested too deeply."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return otherwise


def without_halves(value: Any) -> Any:
    """Return a JSON value with each lone surrogate, which no file can hold, replaced by U+FFFD."""
    if isinstance(value, str):
        return _HALF.sub("\ufffd", value)
    if isinstance(value, list):
        return [without_halves(item) for item in value]
    if isinstance(value, dict):
        return {without_halves(key): without_halves(item) for key, item in value.items()}
    return value


def may_hold_halves(text: str) -> bool:
    """Tell whether a JSON text may contain lone surrogates, written out or escaped."""
    return bool(_ESCAPED.search(text) or _HALF.search(text))


def _check_text(text: str, value: Any) -> None:
    if may_hold_halves(text):
        json.dumps(value, ensure_ascii=False).encode()  # raises a ValueError at a lone surrogate


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(f"{text} is beyond all numbers of JSON")
    return number


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_no_number, parse_float=_finite)
