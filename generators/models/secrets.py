"""The environment -> an endpoint's key and secret headers, and texts in which they do not appear."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from interplay.generators.models.settings import KEYS, LOOKS_SECRET, EndpointSettings
from interplay.schemas.errors import ConfigError

NO_KEY = "none"
"""What is sent to a server that wants no key: the SDKs insist on one."""

REMOVED = "[key]"
SHORTEST = 8
"""Values shorter than this are no secrets, and would be found everywhere."""


@dataclass(frozen=True)
class Secrets:
    """What must appear nowhere; its own text is empty of it."""

    key: str = field(default=NO_KEY, repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)

    @cached_property
    def values(self) -> tuple[str, ...]:
        """The values to keep out of sight, the longest first."""
        found = {value for value in (self.key, *self.headers.values()) if len(value) >= SHORTEST}
        return tuple(sorted(found, key=lambda value: (-len(value), value)))

    def scrub(self, text: str) -> str:
        """Return a message without the secrets, nor what looks like a part of one."""
        for value in self.values:
            text = text.replace(value, REMOVED)
        return LOOKS_SECRET.sub(REMOVED, text)

    def scrub_body(self, body: bytes) -> bytes:
        """Return an answer's body without the secrets, should the server echo them; otherwise as it came."""
        for value in self.values:
            if (secret := value.encode()) in body:
                body = body.replace(secret, REMOVED.encode())
        return body


def read_secrets(settings: EndpointSettings, environ: Mapping[str, str]) -> Secrets:
    """Read an endpoint's key and secret headers.

    Raises:
        ConfigError: a variable that is needed is not set.
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
    return value
