"""Checks of the JSON Schema formats, shared by the compiled and the interpreted validator.

The interpreted library has such checks too, but is slow to import and follows an old draft for times of day.
"""

import re
from collections.abc import Callable
from datetime import date
from ipaddress import IPv4Address, IPv6Address
from uuid import UUID

from jsonschema_rs import Draft202012Validator
from rfc3339_validator import validate_rfc3339

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_CLOCK = re.compile(r"(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d", re.ASCII)
_HYPHENS = (8, 13, 18, 23)


def _is_date(text: str) -> bool:
    return _DATE.fullmatch(text) is not None and bool(date.fromisoformat(text))


def _is_moment(text: str) -> bool:
    return bool(validate_rfc3339(text.upper()))


def _is_time(text: str) -> bool:
    """Tell whether a text is an RFC 3339 time of day, or one without an offset, as most APIs write it."""
    return _CLOCK.fullmatch(text) is not None or _is_moment(f"1970-01-01T{text}")


_URI = Draft202012Validator({"format": "uri"}, validate_formats=True)


def _is_uuid(text: str) -> bool:
    return bool(UUID(text)) and all(text[position] == "-" for position in _HYPHENS)


FORMATS: dict[str, Callable[[str], bool]] = {
    "date": _is_date,
    "date-time": _is_moment,
    "email": lambda text: "@" in text,
    "ipv4": lambda text: bool(IPv4Address(text)),
    "ipv6": lambda text: not IPv6Address(text).scope_id,
    "time": _is_time,
    "uri": _URI.is_valid,
    "uuid": _is_uuid,
}
"""Format name -> check; a check may also raise ValueError for a text that does not conform."""


def conforms(text: str, name: str) -> bool:
    """Tell whether a text conforms to the format `name`, one of `FORMATS`."""
    try:
        return FORMATS[name](text)
    except ValueError:
        return False
