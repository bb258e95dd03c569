"""The environment -> an endpoint's key and secret headers, and texts without them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import takewhile

from interplay.generators.models.transport.endpoint_settings import KEYS, LOOKS_SECRET, EndpointSettings
from interplay.schemas.errors import ConfigError

NO_KEY = "none"
"""The key for a server that needs none, since the SDKs insist on one."""

REMOVED = "[key]"
ESCAPE = rb"\u00"
"""Occurs in JSON that escapes plain ASCII characters; such a body is searched with slower patterns that allow for it."""

SHORTEST = 8
"""Least length of a secret; shorter values would match everywhere."""


@dataclass(frozen=True)
class Secrets:
    """The secrets of an endpoint; they are left out of its `repr`."""

    key: str = field(default=NO_KEY, repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)

    @cached_property
    def values(self) -> tuple[str, ...]:
        """The values to hide, longest first; header values also without their scheme (`Bearer`, `Basic`)."""
        told = (self.key, *self.headers.values(), *(value.split(" ", 1)[-1].strip() for value in self.headers.values()))
        found = {value for value in told if len(value) >= SHORTEST}
        return tuple(sorted(found, key=lambda value: (-len(value), value)))

    @cached_property
    def _spellings(self) -> tuple[re.Pattern[bytes], ...]:
        return tuple(re.compile("".join(map(_spelt, value)).encode()) for value in self.values)

    @cached_property
    def _escaped_spellings(self) -> tuple[re.Pattern[bytes], ...]:
        return tuple(re.compile("".join(map(_escaped, value)).encode()) for value in self.values)

    def scrub(self, text: str) -> str:
        """Return a message without the secrets, beginnings of them, and whatever looks like a key."""
        scrubbed = self.scrub_body(text.encode(errors="surrogatepass")).decode(errors="surrogatepass")
        for value in self.values:
            scrubbed = _without_beginnings(scrubbed, value)
        return LOOKS_SECRET.sub(REMOVED, scrubbed)

    def scrub_body(self, body: bytes) -> bytes:
        """Return an answer's body without the secrets, in case the server echoes them."""
        for spelling in self._escaped_spellings if ESCAPE in body else self._spellings:
            body = spelling.sub(REMOVED.encode(), body)
        return body


def _without_beginnings(text: str, value: str) -> str:
    """Return a text without beginnings of a secret, since a truncated text may end with one."""
    first, *parts = text.split(value[:SHORTEST])
    rest = value[SHORTEST:]
    for part in parts:
        same = takewhile(lambda pair: pair[0] == pair[1], zip(part, rest, strict=False))
        first += REMOVED + part[sum(1 for _ in same) :]
    return first


def _spelt(character: str) -> str:
    r"""Return a pattern for a character of a secret, plain or as JSON (`\/`, `\u002B`), URLs and HTML escape it."""
    if character.isalnum() or character in "-_.":
        return re.escape(character)
    code = f"{ord(character):02x}"
    return rf"(?:\\*{re.escape(character)}|\\+u(?i:00{code})|(?i:%{code})|&#(?:{ord(character)}|x(?i:{code}));)"


def _escaped(character: str) -> str:
    r"""Return the same, for texts in which letters and digits may be JSON escapes too: `\u0073k`."""
    if not (character.isalnum() or character in "-_."):
        return _spelt(character)
    return rf"(?:{re.escape(character)}|\\+u(?i:00{ord(character):02x}))"


def read_secrets(settings: EndpointSettings, environ: Mapping[str, str]) -> Secrets:
    """Read an endpoint's key and secret headers.

    Raises:
        ConfigError: a required variable is not set, or its value cannot be a header.
    """
    name = settings.api_key_env or (KEYS[settings.provider] if settings.at_home else "")
    headers = {header: _value(settings, variable, environ) for header, variable in settings.headers_env.items()}
    return Secrets(_value(settings, name, environ) if name else NO_KEY, headers)


def _value(settings: EndpointSettings, name: str, environ: Mapping[str, str]) -> str:
    value = environ.get(name, "").strip()
    if not value:
        raise ConfigError(
            f"The environment variable {name} is not set, and {settings.model} at {settings.address} needs it. "
            f"Set it to the key, or name another one in api_key_env."
        )
    if not (value.isascii() and value.isprintable()):
        raise ConfigError(
            f"The environment variable {name} holds a character that no header can have (a line break, or none of ASCII). "
            "Copy the key into it again."
        )
    return value
