"""The settings of one model's endpoint; keys are not part of them, and stay in the environment."""

import re
from functools import lru_cache
from typing import Literal
from urllib.parse import urlsplit

from pydantic import Field, field_validator

from interplay.schemas.json.record import Record

HOMES = {"openai": "https://api.openai.com/v1", "anthropic": "https://api.anthropic.com"}
KEYS = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}

VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]*|[a-z_]+")
LONGEST_WORD = 24
"""Most characters of a variable's name without underscores; a longer one is more likely a key."""

SECRET_HEADERS = {"authorization", "proxy-authorization", "x-api-key", "api-key", "cookie", "x-goog-api-key"}
HEADER = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
"""A legal header name. Source: RFC 9110, section 5.6.2."""
SECRET_QUERY = re.compile(r"(?i)key|token|secret|password|signature|(?<![a-z])(?:sig|auth)(?![a-z])")
"""Matches names of query parameters that hold a secret."""
LOOKS_SECRET = re.compile(r"(?i)\b(?:sk-[a-z0-9_*.-]{6,}|bearer\s+[a-z0-9_.~+/=*-]{6,})")

Structured = Literal["auto", "native", "tool", "instructed"]


class EndpointSettings(Record):
    """One model behind one address.

    Without `api_key_env`, the provider's own variable is read for the provider's own address, and no key is sent to
    any other: a key must not reach a host that it was not meant for.
    """

    model: str = Field(min_length=1, description="The name that the provider or server knows the model by.")
    provider: Literal["openai", "anthropic"] = Field("openai", description="Whose API the server speaks.")
    base_url: str = Field("", description="The server's address; empty for the provider's own.")
    api_key_env: str = Field("", description="The environment variable that holds the key.")
    api: Literal["chat", "responses"] = Field("chat", description="Which of OpenAI's two APIs the model needs.")
    timeout: float = Field(120.0, gt=0, description="Seconds for one whole answer.")
    structured: Structured = Field("auto", description="How an output schema is asked for.")
    max_tokens: int = Field(4096, gt=0, description="For Anthropic, which needs a limit, where sampling sets none.")
    max_tokens_field: Literal["auto", "max_tokens", "max_completion_tokens"] = Field(
        "auto", description="Under which name OpenAI's chat API is told the limit of an answer."
    )
    send_reasoning: bool = Field(False, description="Earlier reasoning goes back to the model as `reasoning_content`.")
    cache: bool = Field(True, description="Ask Anthropic to cache the tools and the system prompt.")
    query: dict[str, str] = Field(
        default_factory=dict,
        description="What addresses end with after a ?, as api-version for Azure; without secrets.",
    )
    headers: dict[str, str] = Field(default_factory=dict, description="Further headers, without secrets.")
    headers_env: dict[str, str] = Field(
        default_factory=dict, description="Further headers whose values are environment variables, by their names."
    )

    @field_validator("base_url")
    @classmethod
    def _an_address_without_credentials(cls, value: str) -> str:
        parts = urlsplit(value)
        if value and (parts.scheme not in ("http", "https") or not parts.hostname):
            raise ValueError("expected http:// or https:// and a host, as in http://localhost:8000/v1")
        if not all(0 < len(label) < 64 for label in (parts.hostname or "x").removesuffix(".").split(".")):
            raise ValueError("a part of the host's name between two dots is empty or too long")
        if parts.username or parts.password or parts.query or parts.fragment:
            raise ValueError(
                "an address holds no credentials; name their variables in api_key_env or headers_env. "
                "What else follows a ?, as api-version, goes under query"
            )
        return value.rstrip("/")

    @field_validator("query")
    @classmethod
    def _a_query_without_secrets(cls, value: dict[str, str]) -> dict[str, str]:
        if any(SECRET_QUERY.search(name) or LOOKS_SECRET.search(text) for name, text in value.items()):
            raise ValueError("the query holds a secret; name the variable that holds it in api_key_env or headers_env")
        return value

    @field_validator("api_key_env")
    @classmethod
    def _a_name_of_a_variable(cls, value: str) -> str:
        if value:
            _check_variable(value)
        return value

    @field_validator("headers_env")
    @classmethod
    def _names_of_variables(cls, value: dict[str, str]) -> dict[str, str]:
        for header, variable in value.items():
            _check_header(header)
            _check_variable(variable)
        return value

    @field_validator("headers")
    @classmethod
    def _headers_without_secrets(cls, value: dict[str, str]) -> dict[str, str]:
        for header, text in value.items():
            _check_header(header, text)
        if any(name.lower() in SECRET_HEADERS or LOOKS_SECRET.search(text) for name, text in value.items()):
            raise ValueError("a header here holds a secret; name the variable that holds it in headers_env")
        return value

    @property
    def address(self) -> str:
        """The base URL."""
        return self.base_url or HOMES[self.provider]

    @property
    def at_home(self) -> bool:
        """Whether the address is the provider's own."""
        return _host(self.address) == _host(HOMES[self.provider])


@lru_cache(maxsize=256)
def _host(address: str) -> str | None:
    return urlsplit(address).hostname


def _check_header(name: str, text: str = "") -> None:
    """Check a header; the message does not repeat it, since it may hold a key."""
    if not HEADER.fullmatch(name) or not (text.isascii() and text.isprintable()):
        raise ValueError(
            "a header's name or value has a character that no header can have (one beyond ASCII, a line break)"
        )


def _check_variable(name: str) -> None:
    """Check a variable's name; the message does not repeat it, since it may be the key itself."""
    if not VARIABLE.fullmatch(name) or (len(name) > LONGEST_WORD and "_" not in name):
        raise ValueError("expected the name of an environment variable, as in MY_KEY, and never the key itself")
