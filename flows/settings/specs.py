"""A toolset specification <-> its parts: kind, place, and options.

openapi:apis/shop.yaml?overrides=mine.yaml&without=admin_*
->  Spec(kind="openapi", place="apis/shop.yaml", overrides="mine.yaml", without=("admin_*",))
"""

import difflib
import json
import os
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import unquote

from interplay.schemas.errors import ConfigError
from interplay.schemas.plain_file import at_home

KINDS = ("domain", "openapi", "json", "python", "mcp", "mcp+live", "mcp+recorded")
FILE_KINDS = ("openapi", "json", "mcp+recorded")
"""Kinds of toolsets whose place is a file."""

LIVE_OPTIONS = ("before_start", "first_calls", "set_up", "reset", "start_timeout", "call_timeout")
"""Options that say how a live server is started, reset and waited for; see `ServerSettings`."""

PATIENCE = ("start_timeout", "call_timeout")

OVERRIDES_ENDING = ".interplay.yaml"


@dataclass(frozen=True)
class Spec:
    """One source of tools; `query` holds all other options after the `?`, such as `scenario=FILE` of a Python class.

    `record` is the file to which calls to a live server are recorded, to be replayed as `mcp+recorded:FILE`; `observations` is
    a file of recorded calls with their results; `live` holds the `LIVE_OPTIONS` by name.
    """

    kind: str
    place: str
    query: str = ""
    overrides: str | None = None
    only: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    record: str | None = None
    observations: str | None = None
    live: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        options = [self.query] if self.query else []
        for name in ("overrides", "only", "without", "record", "observations"):
            value = getattr(self, name)
            options += [f"{name}={value if isinstance(value, str) else ','.join(value)}"] if value else []
        options += [
            f"{name}={value.replace('%', '%25').replace('&', '%26').replace('?', '%3F')}" for name, value in self.live
        ]
        said = "&".join(options)
        return f"{self.kind}:{self.place}" + (f"?{said}" if said else "")

    @property
    def is_folder(self) -> bool:
        """Whether it names a folder with a user's own domain, not a bundled one."""
        return self.kind == "domain" and ("/" in self.place or os.sep in self.place)

    @property
    def source(self) -> str:
        """The place with its query, as importers take it."""
        return f"{self.place}?{self.query}" if self.query else self.place

    def overrides_file(self) -> Path | None:
        """Return the file of overrides: the one named, else the one beside the source, if there is one."""
        if self.overrides:
            return at_home(Path(self.overrides))
        beside = self.beside()
        return beside if beside is not None and beside.is_file() else None

    def beside(self) -> Path | None:
        """Return the path of the overrides beside a file: `shop.yaml` -> `shop.interplay.yaml`; None for other kinds."""
        if self.kind not in FILE_KINDS:
            return None
        return Path(self.place).with_suffix(OVERRIDES_ENDING)


def parse_spec(spec: str) -> Spec:
    """Parse a specification; an existing file with a `?` in its name is taken as it is."""
    kind, _, place = spec.partition(":")
    if "?" not in place or (kind in FILE_KINDS and Path(place).is_file()):
        return Spec(kind, place)
    place, _, query = place.rpartition("?")
    found, rest, live = {}, [], []
    for option in query.split("&"):
        key, sign, value = option.partition("=")
        if sign and (
            key in ("overrides", "only", "without", "observations") or (key == "record" and kind == "mcp+live")
        ):
            found[key] = value
        elif sign and key in LIVE_OPTIONS and kind == "mcp+live":
            live.append((key, unquote(value)))
        else:
            rest.append(option)
    only, without = (tuple(filter(None, found.get(key, "").split(","))) for key in ("only", "without"))
    rest_of = "&".join(rest)
    return Spec(
        kind, place, rest_of, found.get("overrides"), only, without, found.get("record"), found.get("observations"),
        tuple(live),
    )  # fmt: skip


def checked_spec(given: str, domains: Collection[str]) -> Spec:
    """Parse and check a specification; `domains` are the names of the bundled ones.

    Raises:
        ConfigError: it is not valid.
    """
    spec = parse_spec(given)
    if spec.kind not in KINDS or not spec.place:
        known = f"expected KIND:PLACE with KIND one of {', '.join(KINDS)}"
        raise ConfigError(f"toolset {given!r}: {known}.{_meant(spec, given, domains)}")
    if spec.kind in FILE_KINDS and "://" in spec.place:
        raise ConfigError(f"toolset {given!r}: is an address. Download it, and name the file: {spec.kind}:FILE")
    if spec.query and (spec.kind in FILE_KINDS or spec.kind == "domain"):
        raise ConfigError(
            f"toolset {given!r}: ?{spec.query} is unknown; expected overrides=, only=, without= or observations=."
        )
    return spec


def _meant(spec: Spec, given: str, domains: Collection[str]) -> str:
    """Return a suggestion for an invalid specification, as a further sentence."""
    if spec.kind in ("http", "https"):
        return f" Download a description and name it openapi:FILE; a server of tools is mcp:{given}"
    if given in domains:
        return f" Did you mean domain:{given}?"
    if spec.place:
        near = difflib.get_close_matches(spec.kind, KINDS, n=1)
        return f" Did you mean {near[0]}:{spec.place}?" if near else ""
    if Path(given).suffix in (".yaml", ".yml", ".json"):
        return f" Did you mean openapi:{given}, or json:{given}?"
    return ""


def spec_from(entry: object, where: str) -> object:
    """Return the specification that a mapping of `source` and options spells out; anything else unchanged.

    {"source": "mcp+live:notes", "call_timeout": 5}   ->   "mcp+live:notes?call_timeout=5"

    Raises:
        ConfigError: a key is unknown, or there is no source.
    """
    if not isinstance(entry, Mapping):
        return entry
    source = entry.get("source")
    unknown = [str(key) for key in entry if key not in ("source", *LIVE_OPTIONS)]
    if not isinstance(source, str) or not source.startswith("mcp+live:") or unknown:
        wrong = f"unknown key {unknown[0]!r}" if unknown else "expected source: mcp+live:COMMAND"
        raise ConfigError(f"{where}: toolset: {wrong}. Beside source, there are {', '.join(LIVE_OPTIONS)}.")
    live = {name: _said(name, value) for name, value in entry.items() if name != "source"}
    parts = parse_spec(source)
    return str(replace(parts, live=tuple({**dict(parts.live), **live}.items())))


def _said(name: str, value: object) -> str:
    if isinstance(value, list):
        return ",".join(map(str, value)) if name == "set_up" else json.dumps(value, ensure_ascii=False)
    return str(value)


def narrowed(spec: str, only: tuple[str, ...], without: tuple[str, ...]) -> str:
    """Return a specification with further filters."""
    if not only and not without:
        return spec
    parts = parse_spec(spec)
    return str(replace(parts, only=(*parts.only, *only), without=(*parts.without, *without)))


def absolute_spec(spec: str, folder: Path) -> str:
    """Return a specification whose relative paths start at `folder`."""
    parts = parse_spec(spec)
    if parts.kind not in KINDS or (parts.kind in FILE_KINDS and "://" in parts.place):
        return spec  # reported when it is read
    return str(_with_paths(parts, lambda path: os.path.normpath(folder.absolute() / at_home(Path(path)))))


def relative_to(spec: str, folder: Path) -> str:
    """Return a specification whose relative paths are relative to `folder` instead of the working directory."""

    def relative(path: str) -> str:
        plain = at_home(Path(path))
        return path if plain.is_absolute() else Path(os.path.relpath(plain, folder)).as_posix()

    return str(_with_paths(parse_spec(spec), relative))


def without_folders(spec: str) -> str:
    """Return a specification with file names only and without timeouts, as folders and timeouts differ between machines."""
    parts = parse_spec(spec)
    live = tuple(option for option in parts.live if option[0] not in PATIENCE)
    return str(_with_paths(replace(parts, live=live), lambda path: Path(path).name))


def _with_paths(parts: Spec, change: Callable[[str], str]) -> Spec:
    place = change(parts.place) if (parts.kind in FILE_KINDS and parts.place) or parts.is_folder else parts.place
    if parts.kind == "domain" and place != parts.place and "/" not in place:
        place = f"./{place}"
    query = parts.query
    if parts.kind == "python" and query.startswith("scenario="):
        file, mark, pointer = query.removeprefix("scenario=").partition("#")
        query = f"scenario={change(file)}{mark}{pointer}" if file else query
    overrides, record, observations = (
        change(path) if path else None for path in (parts.overrides, parts.record, parts.observations)
    )
    live = tuple(
        (name, change(value) if name == "first_calls" and not value.lstrip().startswith("[") else value)
        for name, value in parts.live
    )
    return replace(
        parts, place=place, query=query, overrides=overrides, record=record, observations=observations, live=live
    )
