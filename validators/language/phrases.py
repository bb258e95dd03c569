"""Phrases by which checks read free language, kept as data -> patterns. Where a message has an act, that is asked instead."""

import re

from interplay.schemas.words.lists import beside, table


def pattern(name: str, flags: re.RegexFlag = re.IGNORECASE) -> re.Pattern[str]:
    """Return a pattern of phrases.yaml."""
    return re.compile("".join(table(beside(__file__), "patterns")[name].splitlines()), flags)
