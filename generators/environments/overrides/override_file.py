"""An author's YAML file of overrides beside a source -> validated overrides, with the rows from the files it names.

petstore.interplay.yaml   resources: {pet: {seed_rows: pets.csv}}   ->   Authored(overrides=Overrides(...), name=..., ...)
"""

import csv
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from interplay.generators.environments.overrides.conditions import suggestion
from interplay.generators.importers.documents.document_reader import read_document
from interplay.schemas.errors import ConfigError, ImportFailure
from interplay.schemas.json.canonical import digest, join_pointer
from interplay.schemas.json.record import Record
from interplay.schemas.records.override import (
    MOST_ROWS,
    AuthoredRule,
    ErrorCase,
    Overrides,
    ResourceOverride,
    ToolOverride,
)
from interplay.schemas.versions import OVERRIDES

LARGEST_FILE = 4 * 1024**2
LARGEST_ROWS = 16 * 1024**2
ROW_ENDINGS = (".json", ".yaml", ".yml", ".csv")
_PARTS: Mapping[str, type[Record]] = {
    "resources": ResourceOverride, "tools": ToolOverride, "rules": AuthoredRule, "errors": ErrorCase
}  # fmt: skip


@dataclass(frozen=True)
class Authored:
    """An author's overrides, with the file name for errors; seed rows of the resources in `textual` come from CSV, as text."""

    overrides: Overrides = field(default_factory=Overrides)
    name: str = ""
    textual: frozenset[str] = frozenset()

    @property
    def mark(self) -> str:
        """The entry in a toolset's provenance; it contains a digest of the overrides."""
        content = json.dumps(self.overrides.model_dump(mode="json", exclude={"version"}), sort_keys=True)
        return f"overrides:{self.name}@{digest(content)[:16]}"

    def error(self, pointer: str, text: str) -> ConfigError:
        """Return an error about the place in the file at `pointer`."""
        return ConfigError(_sentence(f"{self.name}: {pointer}: {text}"))


def load_overrides(path: Path) -> Authored:
    """Read a file of overrides.

    Raises:
        ConfigError: the file or a file of rows is missing, too large or malformed, or a key or value is unknown.
    """
    content = _document(path, LARGEST_FILE, "a file of overrides")
    if content is None:
        return Authored(name=path.name)
    if not isinstance(content, dict):
        raise ConfigError(
            f"{path.name}: expected a mapping with resources, tools or rules, not a {('list' if isinstance(content, list) else type(content).__name__)}."
        )
    try:  # a section in which everything is commented out is null
        given = {key: value for key, value in content.items() if value is not None}
        overrides = Overrides.model_validate(OVERRIDES.current(given, path.name))
    except ValidationError as error:
        raise ConfigError(_explained(error, path.name)) from error
    authored = Authored(overrides, path.name)
    resources, textual = dict(overrides.resources), set()
    for name, resource in overrides.resources.items():
        if isinstance(resource.seed_rows, str):
            at = join_pointer("resources", name, "seed_rows")
            rows = _rows(authored, path.parent, resource.seed_rows, at)
            resources[name] = resource.model_copy(update={"seed_rows": rows})
            textual |= {name} if resource.seed_rows.lower().endswith(".csv") else set()
        if len(resources[name].seed_rows) > MOST_ROWS:
            raise authored.error(join_pointer("resources", name, "seed_rows"), f"more than {MOST_ROWS} rows")
    return Authored(overrides.model_copy(update={"resources": resources}), path.name, frozenset(textual))


def _document(path: Path, limit: int, what: str) -> Any:
    """Read a YAML or JSON file of at most `limit` bytes; none if it is empty or holds only comments."""
    try:
        if path.is_file() and path.stat().st_size > limit:
            raise ConfigError(f"{path.name}: larger than {limit // 1024**2} MB; expected {what}.")
        return read_document(path)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror}).") from error
    except ImportFailure as error:
        raise ConfigError(str(error)) from error


def _rows(authored: Authored, folder: Path, file: str, at: str) -> tuple[dict[str, Any], ...]:
    """Read the rows of a file, which must be in the folder of the overrides or below it."""
    path = (folder / file).resolve()
    if not path.is_relative_to(folder.resolve()):
        raise authored.error(at, f"{file!r} is outside of the folder of {authored.name}; move it there")
    if path.suffix.lower() not in ROW_ENDINGS:
        raise authored.error(at, f"{file!r} must end in {', '.join(ROW_ENDINGS)}")
    if path.suffix.lower() == ".csv":
        return _csv_rows(authored, path, at)
    rows = _document(path, LARGEST_ROWS, "rows")
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise authored.error(at, f"{file} must hold a list of rows, each a mapping of fields to values")
    return tuple(rows)


def _csv_rows(authored: Authored, path: Path, at: str) -> tuple[dict[str, Any], ...]:
    try:
        if path.stat().st_size > LARGEST_ROWS:
            raise authored.error(at, f"{path.name} is larger than {LARGEST_ROWS // 1024**2} MB")
        reader = csv.DictReader(io.StringIO(path.read_text(encoding="utf-8-sig"), newline=""), strict=True)
        rows = tuple(dict(row) for row in reader)
    except OSError as error:
        raise authored.error(at, f"{path.name} cannot be read ({error.strerror})") from error
    except (csv.Error, UnicodeDecodeError) as error:
        raise authored.error(at, f"{path.name} is no CSV in UTF-8 ({error})") from error
    for number, row in enumerate(rows):
        if None in row or None in row.values():
            raise authored.error(at, f"{path.name}, row {number + 1}: not as many cells as the header has")
    return tuple({key: cell for key, cell in row.items() if cell != ""} for row in rows)


def _explained(error: ValidationError, where: str) -> str:
    first = error.errors()[0]
    keys = [part for part in first["loc"] if not (isinstance(part, str) and ("[" in part or part == "str"))]
    pointer = join_pointer(*keys)
    if first["type"] != "extra_forbidden":
        said = first["msg"].replace("Input should be a valid dictionary", "expected a mapping")
        return f"{where}: {pointer}: {said} (found {str(first.get('input'))[:60]!r})."
    holders = [str(part) for part in keys[:-1] if part in _PARTS]
    known = list((_PARTS[holders[-1]] if holders else Overrides).model_fields)
    return _sentence(f"{where}: {pointer}: unknown key{suggestion(str(keys[-1]), known)}")


def _sentence(text: str) -> str:
    return text if text.endswith(("?", ".")) else f"{text}."
