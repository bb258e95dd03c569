"""A text -> the keys, tokens and other credentials in it, as detect-secrets' plugins for structured secrets find them.

Plugins that use entropy or nearby keywords are left out: ids and phrases of made-up worlds cause thousands of false alarms.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any

from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class
from detect_secrets.plugins.base import BasePlugin
from detect_secrets.plugins.high_entropy_strings import HighEntropyStringsPlugin
from detect_secrets.plugins.ip_public import IPPublicDetector
from detect_secrets.plugins.keyword import KeywordDetector

LEFT_OUT = (HighEntropyStringsPlugin, KeywordDetector, IPPublicDetector)
LONGEST = 20_000
"""Number of characters of a line that are scanned at once; consecutive parts overlap by `OVERLAP`."""
OVERLAP = 500


def secrets(text: str) -> Iterator[tuple[str, str]]:
    """Yield (kind, such as `AWS Access Key`, credential) for each credential in a text."""
    for line in text.splitlines():
        for start in range(0, max(1, len(line)), LONGEST - OVERLAP):
            part = line[start : start + LONGEST]
            for plugin in _plugins():
                for found in sorted(set(plugin.analyze_string(part))):
                    yield plugin.secret_type, found


@cache
def _plugins() -> tuple[BasePlugin, ...]:
    known: Any = get_mapping_from_secret_type_to_class()
    return tuple(known[name]() for name in sorted(known) if not issubclass(known[name], LEFT_OUT))
