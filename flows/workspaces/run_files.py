"""Files of a run: written in one step, read with errors that say what to do."""

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from interplay.schemas.errors import ConfigError, StoreError
from interplay.schemas.json.canonical import digest
from interplay.schemas.json.record import Record
from interplay.schemas.plain_file import plain
from interplay.schemas.versions import Format

_R = TypeVar("_R", bound=Record)


def make_folder(folder: Path) -> None:
    """Make a folder, and those above it, unless it is there.

    Raises:
        StoreError: it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"{folder}: cannot be made ({error.strerror}). Name another folder.") from error


def read_prose(path: Path) -> str:
    """Return a text that somebody wrote.

    Raises:
        ConfigError: it cannot be read.
    """
    try:
        return plain(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no text in UTF-8"
        raise ConfigError(f"{path}: cannot be read ({why}). Name a text file.") from error


def require_free(path: Path, force: bool, other: str = "name another file") -> None:
    """Check that nothing is at a path that is to be written, or that it may be replaced.

    Raises:
        ConfigError: something is; it tells to use --force or to do the `other`.
    """
    if path.exists() and not force:
        raise ConfigError(f"{path}: is there already. Replace it with --force, or {other}.")


def require_own(path: Path, begins: str) -> None:
    """Check that a file may be written without asking: nothing is there, or one that begins as it does.

    Raises:
        ConfigError: something else is there.
    """
    try:
        with plain(path).open("rb") as file:
            start = file.read(len(begins))
    except OSError:  # not there, or told where it is written
        return
    if start not in (b"", begins.encode()):
        raise ConfigError(f"{path}: is there already, and holds something else. Name another file, or delete this one.")


SEAL = "seal"
"""The key of a file that holds the digest of all else in it."""


def write_text(path: Path, text: str) -> None:
    """Write a file in one step: it is there complete, or as it was.

    Raises:
        StoreError: it cannot be written.
    """
    if path.is_dir():
        raise StoreError(f"{path}: is a folder. Name a file, or move it away.")
    partial = path.with_name(f"{path.name}.partial")
    make_folder(path.parent)
    try:
        partial.unlink(missing_ok=True)  # it may be a link to anybody's file
        with partial.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except OSError as error:
        with suppress(OSError):  # on a disk that is read-only, not even what is missing can be deleted
            partial.unlink()
        raise StoreError(f"{path}: cannot be written ({error.strerror}). Put this right and run again.") from error


def write_lines(path: Path, records: Sequence[Record]) -> None:
    """Write one record a line in one step, each with a digest of what it holds, of its place, and of how many there are.

    Raises:
        StoreError: it cannot be written.
    """
    write_text(path, "".join(f"{_sealed_line(record, at, len(records))}\n" for at, record in enumerate(records)))


def _sealed_line(record: Record, at: int, of: int) -> str:
    content = record.model_dump(mode="json")
    return json.dumps({**content, SEAL: digest([content, at, of])}, ensure_ascii=False)


def read_lines(path: Path, record: type[_R], remedy: str) -> tuple[_R, ...]:
    """Read one record a line; lines that people wrote have no digest.

    Raises:
        ConfigError: the file is missing, is not as it was written, or holds something else.
    """
    try:
        return parse_lines(plain(path).read_bytes(), str(path), record, remedy)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror}). {remedy}") from error


def parse_lines(content: bytes, where: str, record: type[_R], remedy: str) -> tuple[_R, ...]:
    """Read one record a line from what a file holds.

    Raises:
        ConfigError: it is not as it was written, or something else.
    """
    read: list[_R] = []
    lines = content.splitlines()
    for at, line in enumerate(lines):
        try:
            loaded = json.loads(line)
            seal = loaded.pop(SEAL, None) if isinstance(loaded, dict) else None
            read.append(record.model_validate_json(line if seal is None else json.dumps(loaded)))
        except (ValueError, RecursionError) as error:
            raise ConfigError(
                f"{where}: line {at + 1} is no {record.__name__}, of which each holds one. {remedy}"
            ) from error
        if seal not in (None, digest([loaded, at, len(lines)])):
            raise ConfigError(f"{where}: line {at + 1} is damaged, or others are missing or out of place. {remedy}")
    return tuple(read)


def write_record(path: Path, record: Record, indent: int | None = None) -> None:
    """Write one record in one step, with a digest by which damage is noticed when it is read.

    Raises:
        StoreError: it cannot be written.
    """
    content = record.model_dump(mode="json")
    write_text(path, json.dumps({**content, SEAL: digest(content)}, indent=indent, ensure_ascii=False) + "\n")


def read_record(path: Path, record: type[_R], remedy: str, kind: Format | None = None) -> _R | None:
    """Read one record, of any version of its kind of file that is known; none where there is no file.

    Raises:
        ConfigError: the file is of a newer version.
        StoreError: the file cannot be read, is not as it was written, or holds something else; the `remedy` says what to do.
    """
    try:
        loaded = json.loads(plain(path).read_bytes())
        if isinstance(loaded, dict):
            seal = loaded.pop(SEAL, None)  # files from before there were seals have none
            if seal not in (None, digest(loaded)):
                raise StoreError(f"{path}: was damaged, or changed by hand. {remedy}")
            loaded = loaded if kind is None else kind.current(loaded, str(path))
        return record.model_validate_json(json.dumps(loaded))
    except FileNotFoundError:
        return None
    except NotADirectoryError as error:
        raise StoreError(f"{path.parent}: is a file. Name a folder with --workspace.") from error
    except OSError as error:
        raise StoreError(f"{path}: cannot be read ({error.strerror}). Put this right and run again.") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = "/".join(str(part) for part in first["loc"]) or "the file"
        raise StoreError(f"{path}: is broken, or of another version ({where}: {first['msg']}). {remedy}") from error
    except (ValueError, RecursionError) as error:
        raise StoreError(f"{path}: is no JSON. {remedy}") from error


def journal_beside(file: Path) -> Path:
    """Return where the model's answers are kept from which a file is made: `tools.json` -> `tools.json.journal.sqlite`."""
    return file.with_name(f"{file.name}.journal.sqlite")
