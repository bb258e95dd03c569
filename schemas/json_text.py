"""Text of a model -> the JSON values in it, whether they stand alone, in fences or in prose.

Here you are: ```json {"passed": true} ```   ->   {"passed": true}
"""

import json
import re
from collections.abc import Iterator
from typing import Any, NoReturn

LONGEST = 400_000
"""Characters of a text in which values are looked for."""

STARTS = 40
"""Places in a text's prose at which a value may begin."""

_FENCE = re.compile(r"```[A-Za-z]*\s*\n(.*?)```", re.DOTALL)


def values_in(text: str) -> Iterator[Any]:
    """Yield the JSON values in a text: the whole of it, fenced blocks, then what begins with a bracket in its prose."""
    text = text[:LONGEST].strip()
    for candidate in (text, *_FENCE.findall(text)):
        try:
            yield _DECODER.decode(candidate.strip())
        except (ValueError, RecursionError):
            continue
    position = 0
    for start in [found.start() for found in re.finditer(r"[{\[]", text)][:STARTS]:
        if start < position:
            continue  # inside of a value that was yielded
        try:
            value, position = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        yield value


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_no_number)
