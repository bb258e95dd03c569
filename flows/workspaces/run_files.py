"""Files of a run: written atomically, and read with errors that say what to do."""

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
from interplay.schemas.plain_file import plain, plain_text
from interplay.schemas.versions import Format

_R = TypeVar("_R", bound=Record)


def make_folder(folder: Path) -> None:
    """Create a folder and its parents, unless it exists.

    Raises:
        StoreError: it cannot be created.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"{folder}: cannot be made ({error.strerror}). Name another folder.") from error


def read_prose(path: Path) -> str:
    """Return the content of a text file.

    Raises:
        ConfigError: it cannot be read.
    """
    try:
        return plain_text(path)
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no text in UTF-8"
        raise ConfigError(f"{path}: cannot be read ({why}). Name a text file.") from error


def require_free(path: Path, force: bool, other: str = "name another file") -> None:
    """Check that nothing exists at `path`, or that it may be replaced with `force`.

    Raises:
        ConfigError: something exists; the message suggests --force or `other`.
    """
    if path.exists() and not force:
        raise ConfigError(f"{path}: is there already. Replace it with --force, or {other}.")


def require_own(path: Path, begins: str) -> None:
    """Check that a file may be overwritten without asking: it does not exist, is empty, or begins with `begins`.

    Raises:
        ConfigError: something else is there.
    """
    try:
        with plain(path).open("rb") as file:
            start = file.read(len(begins))
    except OSError:  # it does not exist, or writing it will raise
        return
    if start not in (b"", begins.encode()):
        raise ConfigError(f"{path}: is there already, and holds something else. Name another file, or delete this one.")


SEAL = "seal"
"""The key that holds the digest of everything else in a file or line."""


def write_text(path: Path, text: str) -> None:
    """Write a file atomically: it is there complete, or unchanged.

    Raises:
        StoreError: it cannot be written.
    """
    if path.is_dir():
        raise StoreError(f"{path}: is a folder. Name a file, or move it away.")
    partial = path.with_name(f"{path.name}.partial")
    make_folder(path.parent)
    try:
        partial.unlink(missing_ok=True)  # it may be a link to some other file
        with partial.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except OSError as error:
        with suppress(OSError):  # on a read-only disk, even deleting a missing file fails
            partial.unlink()
        raise StoreError(f"{path}: cannot be written ({error.strerror}). Put this right and run again.") from error


def write_lines(path: Path, records: Sequence[Record]) -> None:
    """Write one record per line atomically; each line has a digest of its content, its place and the number of lines.

    Raises:
        StoreError: it cannot be written.
    """
    write_text(path, "".join(f"{_sealed_line(record, at, len(records))}\n" for at, record in enumerate(records)))


def _sealed_line(record: Record, at: int, of: int) -> str:
    content = record.model_dump(mode="json")
    return json.dumps({**content, SEAL: digest([content, at, of])}, ensure_ascii=False)


def read_lines(path: Path, record: type[_R], remedy: str) -> tuple[_R, ...]:
    """Read one record per line; lines without a digest, as people write them, are accepted.

    Raises:
        ConfigError: the file is missing, was changed, or holds something else.
    """
    try:
        return parse_lines(plain(path).read_bytes(), str(path), record, remedy)
    except PermissionError as error:
        raise ConfigError(f"{path}: may not be read. Permit it, and run again.") from error
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror}). {remedy}") from error


def parse_lines(content: bytes, where: str, record: type[_R], remedy: str) -> tuple[_R, ...]:
    """Read one record per line from the content of a file.

    Raises:
        ConfigError: it was changed, or is something else.
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
    """Write one record atomically, with a digest by which damage is noticed when it is read.

    Raises:
        StoreError: it cannot be written.
    """
    content = record.model_dump(mode="json")
    write_text(path, json.dumps({**content, SEAL: digest(content)}, indent=indent, ensure_ascii=False) + "\n")


def read_record(path: Path, record: type[_R], remedy: str, kind: Format | None = None) -> _R | None:
    """Read one record, upgraded from any known version of its `kind` of file; None if there is no file.

    Raises:
        ConfigError: the file is of a newer version.
        StoreError: the file cannot be read, was changed, or holds something else; the message ends with `remedy`.
    """
    try:
        loaded = json.loads(plain(path).read_bytes())
        if isinstance(loaded, dict):
            seal = loaded.pop(SEAL, None)  # files from before seals were introduced have none
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
    """Return the path of the journal for a file that models draft: `tools.json` -> `tools.json.journal.sqlite`."""
    return file.with_name(f"{file.name}.journal.sqlite")
