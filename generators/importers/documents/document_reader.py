"""A YAML or JSON file of unknown origin -> plain JSON values, within bounds on size, depth and expansion.

    paths:                      {"paths": {"/pets": {"get": {"responses": {"200": {
      /pets:               ->      "description": "opened 2024-01-31"}}}}}}
        get: {responses: {200: {description: opened 2024-01-31}}}

Scalars follow the core schema of YAML 1.2, so dates, times, `no` and `0123` stay text; every mapping key is text.
"""

import codecs
import json
import math
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from interplay.schemas.errors import ImportFailure
from interplay.schemas.json.json_text import may_hold_halves, without_halves

MAX_BYTES = 64 * 1024 * 1024
MAX_DEPTH = 200
MAX_NODES = 10_000_000

_INTEGER = re.compile(r"[-+]?(0|[1-9][0-9]{0,300})")
_NUMBER = re.compile(r"[-+]?(\.[0-9]{1,300}|[0-9]{1,300}(\.[0-9]{0,300})?)([eE][-+]?[0-9]{1,4})?")
_LEADING_ZERO = re.compile(r"[-+]?0[0-9]")
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]")
_WORDS: dict[str, Any] = {"": None, "~": None}
_WORDS |= dict.fromkeys(("null", "Null", "NULL"))
_WORDS |= dict.fromkeys(("true", "True", "TRUE"), True)
_WORDS |= dict.fromkeys(("false", "False", "FALSE"), False)


def read_document(path: Path, shown: str | None = None) -> Any:
    """Read a YAML or JSON file; `shown` is how messages name it.

    Raises:
        ImportFailure: the file is missing, too large, too deep, or broken; the message names the line if it is known.
    """
    given, shown = shown or str(path), shown or path.name
    try:
        if not path.is_file():
            kind = "a folder" if path.is_dir() else "no plain file" if path.exists() else "no such file"
            raise ImportFailure(f"{given}: {kind}. Give the path of a YAML or JSON file.")
        if path.stat().st_size > MAX_BYTES:
            raise ImportFailure(f"{shown}: larger than {MAX_BYTES // 1024**2} MB. Split it, or remove examples.")
        return parse_document(path.read_bytes(), shown)
    except OSError as error:
        raise ImportFailure(f"{shown}: cannot be read ({error.strerror}).") from error


def parse_document(data: bytes, shown: str) -> Any:
    """Parse the bytes of a YAML or JSON file; `shown` names it in messages.

    Raises:
        ImportFailure: the text is broken, too deep, or expands too far.
    """
    text = _decode(data)
    if not text.strip():
        raise ImportFailure(f"{shown}: the file is empty.")
    looks_like_json = text.lstrip()[:1] in "{["
    problem = ""
    if looks_like_json:
        try:
            return _parse_json(text, shown)
        except ValueError as error:
            line = getattr(error, "lineno", None)
            problem = f"line {line}: {getattr(error, 'msg', error)}" if line else str(error)
            if problem.endswith("Extra data"):
                raise ImportFailure(f"{shown}: {problem}. Mend the file and import it again.") from error
    try:
        return parse_yaml_text(_UNPRINTABLE.sub("", text), shown)
    except yaml.YAMLError as error:
        mark, said = getattr(error, "problem_mark", None), getattr(error, "problem", None) or str(error).split("\n")[0]
        problem = problem or (f"line {mark.line + 1}: {said}" if mark else said)
        raise ImportFailure(f"{shown}: {problem}. Mend the file and import it again.") from error


def _decode(data: bytes) -> str:
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8-sig"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if data.startswith(mark):
            return data.decode(encoding, errors="replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _parse_json(text: str, shown: str) -> Any:
    """Parse strict JSON; numbers that JSON cannot write back (NaN, 1e999) stay text."""
    try:
        value = json.loads(text, parse_constant=str, parse_float=_finite, object_pairs_hook=_joined)
    except RecursionError as error:
        raise ImportFailure(f"{shown}: nested more than {MAX_DEPTH} levels deep.") from error
    if _depth_exceeds(value, MAX_DEPTH):
        raise ImportFailure(f"{shown}: nested more than {MAX_DEPTH} levels deep.")
    return without_halves(value) if may_hold_halves(text) else value


def _joined(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build an object from key-value pairs; maps under a repeated key are merged, so that no operation is lost."""
    joined = dict(pairs)
    if len(joined) == len(pairs):
        return joined
    joined = {}
    for key, value in pairs:
        known = joined.get(key)
        joined[key] = {**known, **value} if isinstance(known, dict) and isinstance(value, dict) else value
    return joined


def _finite(text: str) -> float | str:
    number = float(text)
    return number if math.isfinite(number) else text


def _depth_exceeds(value: Any, limit: int) -> bool:
    level = [value]
    for _ in range(limit + 1):
        containers = [item for item in level if isinstance(item, (dict, list))]
        level = [item for inner in containers for item in (inner.values() if isinstance(inner, dict) else inner)]
        if not containers:
            return False
    return True


@dataclass
class _Frame:
    """An open container; for a mapping, keys and values alternate in `items`."""

    mapping: bool
    anchor: str | None
    start: int
    items: list[Any] = field(default_factory=list)


@dataclass
class _Builder:
    """Builds values from YAML events without recursion; aliases share a value, but each counts with its full size."""

    shown: str
    frames: list[_Frame] = field(default_factory=list)
    anchors: dict[str, tuple[Any, int]] = field(default_factory=dict)
    count: int = 0
    root: Any = None
    done: bool = False

    def feed(self, event: Any) -> None:
        """Process one parse event."""
        if isinstance(event, yaml.ScalarEvent):
            self._scalar(event)
        elif isinstance(event, yaml.AliasEvent):
            value, size = self.anchors.get(str(event.anchor), (None, -1))
            if size < 0:
                self._fail(event, f"alias *{event.anchor} is unknown or contains itself")
            self._add(value, size, event)
        elif isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
            if len(self.frames) >= MAX_DEPTH:
                self._fail(event, f"nested more than {MAX_DEPTH} levels deep")
            mapping = isinstance(event, yaml.MappingStartEvent)
            self.frames.append(_Frame(mapping, event.anchor, self.count))
        elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
            frame = self.frames.pop()
            value = self._mapping(frame.items) if frame.mapping else frame.items
            if frame.anchor:
                self.anchors[frame.anchor] = (value, self.count - frame.start + 1)
            self._add(value, 1, event)

    def _scalar(self, event: Any) -> None:
        is_key = bool(self.frames) and self.frames[-1].mapping and len(self.frames[-1].items) % 2 == 0
        plain = not event.style and event.implicit[0]
        value = event.value if is_key or not plain else resolve_scalar(event.value)
        if event.anchor:
            self.anchors[event.anchor] = (value, 1)
        self._add(value, 1, event)

    def _add(self, value: Any, size: int, event: Any) -> None:
        self.count += size
        if self.count > MAX_NODES:
            self._fail(event, f"its aliases expand to more than {MAX_NODES} values")
        if self.frames:
            self.frames[-1].items.append(value)
        else:
            self.root, self.done = value, True

    def _mapping(self, items: list[Any]) -> dict[str, Any]:
        merged: dict[str, Any] = {}
        own: list[tuple[str, Any]] = []
        for key, value in zip(items[::2], items[1::2], strict=True):
            if key == "<<" and isinstance(value, (dict, list)):
                for part in reversed(value if isinstance(value, list) else [value]):
                    if isinstance(part, dict):
                        self.count += len(part)
                        merged.update(part)
            else:
                own.append((key if isinstance(key, str) else json.dumps(key, ensure_ascii=False)[:200], value))
        return {**merged, **_joined(own)} if merged else _joined(own)

    def _fail(self, event: Any, reason: str) -> None:
        raise ImportFailure(f"{self.shown}: line {event.start_mark.line + 1}: {reason}.")


def parse_yaml_text(text: str, shown: str) -> Any:
    """Return the first non-empty document of a YAML stream, by YAML 1.2: `yes`, `0777` and `12:30` are texts.

    Raises:
        ImportFailure: it is nested too deeply, or its aliases expand too far; `shown` names it.
        yaml.YAMLError: it is no YAML.
    """
    builder = _Builder(shown)
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    for event in yaml.parse(text, Loader=loader):
        builder.feed(event)
        if builder.done and builder.root is not None:
            break
    return builder.root


def resolve_scalar(text: str) -> Any:
    """Return the value of a plain YAML scalar (YAML 1.2, section 10.3.2); ambiguous ones stay text."""
    if len(text) <= 5 and text in _WORDS:
        return _WORDS[text]
    if not text[:1] or text[0] not in "+-.0123456789" or _LEADING_ZERO.match(text):
        return text
    if _INTEGER.fullmatch(text):
        return int(text)
    if _NUMBER.fullmatch(text):
        return _finite(text)
    return text
