"""Text of a model -> the JSON values in it, whether they stand alone, in fences or in prose.

Here you are: ```json {"passed": true} ```   ->   {"passed": true}

What no file could hold is no value: NaN, numbers beyond a double, halves of characters (lone surrogates).
"""

import json
import math
import re
from collections.abc import Iterator
from typing import Any, NoReturn

LONGEST = 400_000
"""Characters of a text in which values are looked for."""

STARTS = 40
"""Places in a text's prose at which a value may begin."""

_ESCAPED = re.compile(r"\\u[dD][89a-fA-F]")
_HALF = re.compile("[\ud800-\udfff]")
_FENCE = re.compile(r"```[A-Za-z]*\s*\n(.*?)```", re.DOTALL)


def values_in(text: str) -> Iterator[Any]:
    """Yield the JSON values in a text: the whole of it, fenced blocks, then what begins with a bracket in its prose."""
    text = text[:LONGEST].strip()
    for candidate in (text, *_FENCE.findall(text)):
        try:
            yield read_json(candidate.strip())
        except (ValueError, RecursionError):
            continue
    position = 0
    for start in [found.start() for found in re.finditer(r"[{\[]", text)][:STARTS]:
        if start < position:
            continue  # inside of a value that was yielded
        try:
            value, position = _DECODER.raw_decode(text, start)
            _check_text(text[start:position], value)
        except (ValueError, RecursionError):
            continue
        yield value


def read_json(text: str) -> Any:
    """Return the one JSON value that a text is.

    Raises:
        ValueError: it is none, or none that could be written again.
        RecursionError: it is nested too deeply.
    """
    value = _DECODER.decode(text)
    _check_text(text, value)
    return value


def read_result(text: str) -> Any:
    """Return the value that the text of a tool's result is: read as JSON, or the text itself."""
    return json_value(text, text)


def json_value(text: str, otherwise: Any = None) -> Any:
    """Return the JSON value that a text is; `otherwise` where it is none, or is nested too deeply to be read."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return otherwise


def without_halves(value: Any) -> Any:
    """Return a JSON value with a replacement mark for each half of a character, which no file could hold."""
    if isinstance(value, str):
        return _HALF.sub("\ufffd", value)
    if isinstance(value, list):
        return [without_halves(item) for item in value]
    if isinstance(value, dict):
        return {without_halves(key): without_halves(item) for key, item in value.items()}
    return value


def may_hold_halves(text: str) -> bool:
    """Tell whether a JSON text may hold halves of characters."""
    return bool(_ESCAPED.search(text) or _HALF.search(text))


def _check_text(text: str, value: Any) -> None:
    if may_hold_halves(text):
        json.dumps(value, ensure_ascii=False).encode()  # raises a ValueError at a half


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(f"{text} is beyond all numbers of JSON")
    return number


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_no_number, parse_float=_finite)
