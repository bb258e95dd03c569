"""An utterance -> its pattern, in which spoken values and numbers are placeholders.

    "Book a table for 4 at Nonna's on 12 May, please."   spoken: ("4", "Nonna's", "12 May")
    "Book a table for <value> at <value> on <value>, please."

Utterances with the same pattern say the same thing in the same words, with other values.
"""

import re
from collections.abc import Iterable

_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")
_MARK = "\ue000"  # private use area, so that no spoken value matches inside a placeholder


def utterance_pattern(content: str, spoken: Iterable[str]) -> str:
    """Return `content` with all numbers masked, and all spoken values, longest first, where they are whole words."""
    text = content
    for value in sorted(set(spoken), key=lambda value: (-len(value), value)):
        if value.strip():
            text = _without(text, value)
    return _NUMBER.sub("<number>", text).replace(_MARK, "<value>")


def _without(text: str, value: str) -> str:
    """Replace `value` in `text` by a mark wherever it is not part of a longer word or number."""
    pieces, start, searched = [], 0, 0
    while (at := text.find(value, searched)) >= 0:
        end = at + len(value)
        inside = _joined(text[at - 1 : at], value[0]) or _joined(value[-1], text[end : end + 1])
        if not inside:
            pieces += [text[start:at], _MARK]
            start = end
        searched = at + 1 if inside else end
    return "".join([*pieces, text[start:]])


def _joined(left: str, right: str) -> bool:
    return left.isalnum() and right.isalnum()
