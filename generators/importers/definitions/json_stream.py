"""A file with one JSON (or YAML) value, several in sequence, or a log with JSON-RPC messages -> one value.

    {"name": "get_pet", ...}                                         several values, one per line or over many lines
    {"name": "add_pet", ...}                                         ->  [{"name": "get_pet", ...}, {"name": "add_pet", ...}]

    server started                                                   the output of a server over stdio, or as events
    data: {"jsonrpc": "2.0", "id": 1, "result": {"tools": [...]}}    ->  [{"jsonrpc": "2.0", "result": {"tools": [...]}}]

Source: JSON-RPC 2.0; Model Context Protocol 2025-06-18, Transports.
"""

import json
import re
from pathlib import Path
from typing import Any

from interplay.generators.importers.documents.document_reader import MAX_BYTES, parse_document, read_document
from interplay.schemas.errors import ImportFailure

MAX_VALUES = 100_000
_GAP = re.compile(r"[\s,]*")


def read_values(path: Path) -> Any:
    """Read a file; several values become a list.

    Raises:
        ImportFailure: it cannot be read, or holds no values.
    """
    try:
        value = read_document(path)
    except ImportFailure:
        values = _messages(path) or _one_after_another(path)
        if not values:
            raise
        return values
    if isinstance(value, list) or (isinstance(value, dict) and "data" not in value):
        return value
    return _messages(path) or value


def _messages(path: Path) -> list[Any]:
    """Return the JSON-RPC messages of a log, one per line."""
    found = []
    for number, line in enumerate(_bytes(path).splitlines(), 1):
        text = line.strip().removeprefix(b"data:").strip()
        if text[:1] == b"{" and text[-1:] == b"}" and b'"jsonrpc"' in text:
            found.append(parse_document(text, f"{path.name}, line {number}"))
    return found


def _one_after_another(path: Path) -> list[Any]:
    """Return the values of a file that consists of several JSON values; empty for any other file."""
    text = _bytes(path).decode("utf-8-sig", errors="replace").strip()
    found: list[Any] = []
    decoder, at = json.JSONDecoder(), 0
    try:
        while at < len(text):
            start, at = at, decoder.raw_decode(text, at)[1]
            if text[start] not in "{[" or len(found) >= MAX_VALUES:
                return []
            found.append(parse_document(text[start:at].encode(), f"{path.name}, value {len(found) + 1}"))
            gap = _GAP.match(text, at)
            at = gap.end() if gap else at
    except (ValueError, RecursionError):
        return []
    return found if len(found) > 1 else []


def _bytes(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() and path.stat().st_size <= MAX_BYTES else b""
