"""A text -> keys, tokens and other credentials in it, as the structured plugins of detect-secrets find them.

Plugins that go by entropy or by a keyword nearby are left out: ids and phrases of made-up worlds set them off by the thousand.
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
"""Characters of one line that are looked at together; the next part begins `OVERLAP` before its end."""
OVERLAP = 500


def secrets(text: str) -> Iterator[tuple[str, str]]:
    """Yield each credential in a text: its kind, such as `AWS Access Key`, and the credential itself."""
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
