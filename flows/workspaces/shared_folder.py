"""A folder on an object store that several machines share, such as s3://bucket/nightly: objects by name, and a lock.

Little is required of the object store: list, read, write, and create an object unless it exists (a conditional put). The
lock is built from these: holders/000007.json names the holder. A process that takes over creates the next number, which
only one can do; a holder that stops updating its object is considered dead. No clocks are compared.
"""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from interplay.schemas.errors import ConfigError, InterplayError, StoreInUse, StoreUnreachable

BEAT, SILENT = 10.0, 45.0
"""Seconds between two heartbeats of a holder, and of silence after which it is considered dead."""
LOOK = 2.0
"""Seconds between two looks at a holder."""
LONGEST = 300
"""The most characters quoted of the object store's error."""


@dataclass(frozen=True)
class SharedFolder:
    """Objects below a URL. All methods raise ConfigError for a wrong setup, and StoreUnreachable for other failures."""

    url: str

    @contextmanager
    def _opened(self) -> Iterator[tuple[Any, str]]:
        """Give the file system of the URL and the path in it; its errors are converted into one-line errors of interplay."""
        try:
            import fsspec  # noqa: PLC0415 - few runs need it

            yield fsspec.url_to_fs(self.url, use_listings_cache=False)
        except InterplayError:
            raise
        except Exception as error:  # each store raises its own
            raise _told(self.url, error) from error

    def sizes(self, below: str = "") -> dict[str, int]:
        """Return the size of each object in bytes, by name."""
        with self._opened() as (files, root):
            found = files.find(f"{root}/{below}".rstrip("/"), detail=True)
            return {path.removeprefix(f"{root}/"): int(info["size"] or 0) for path, info in found.items()}

    def read(self, name: str) -> bytes | None:
        """Return the bytes of an object; None if it does not exist."""
        with self._opened() as (files, root):
            try:
                content: bytes = files.cat_file(f"{root}/{name}")
            except FileNotFoundError:
                return None
            return content

    def write(self, name: str, content: bytes) -> None:
        """Write an object, replacing an existing one."""
        with self._opened() as (files, root):
            self._make_parent(files, f"{root}/{name}")
            files.pipe_file(f"{root}/{name}", content)

    def create(self, name: str, content: bytes) -> bool:
        """Write an object unless it exists; return whether it was written."""
        with self._opened() as (files, root):
            self._make_parent(files, f"{root}/{name}")
            try:
                files.pipe_file(f"{root}/{name}", content, mode="create")
            except FileExistsError:
                return False
            return True

    def delete(self, name: str) -> None:
        """Delete an object, if it exists."""
        with self._opened() as (files, root), suppress(FileNotFoundError):
            files.rm_file(f"{root}/{name}")

    def _make_parent(self, files: Any, path: str) -> None:
        if "file" in (files.protocol if isinstance(files.protocol, tuple) else (files.protocol,)):
            files.makedirs(path.rsplit("/", 1)[0], exist_ok=True)  # object stores have no folders

    @contextmanager
    def held(self, holder: str) -> Iterator[None]:
        """Hold the folder during the context; a silent holder, or one of the same name, which must be gone, is replaced.

        Raises:
            StoreInUse: another process holds it and is alive.
        """
        number = _latest(self)
        if number and not _is_free(self, number, holder):
            self._wait_for_silence(number)
        number += 1
        name = _place(number)
        note: dict[str, Any] = {"holder": holder, "beat": 0, "done": False}
        if not self.create(name, _json(note)) or _latest(self) > number:
            raise StoreInUse(
                f"{self.url}: was taken by another one at this moment. Wait until that is done, and run again."
            )
        for other in self.sizes("holders"):
            if other < name:
                self.delete(other)
        ended = threading.Event()

        def beat() -> None:
            while not ended.wait(BEAT):
                note["beat"] += 1
                with suppress(InterplayError):  # the next heartbeat may arrive
                    self.write(name, _json(note))

        beating = threading.Thread(target=beat, daemon=True, name="holder of the shared folder")
        beating.start()
        try:
            yield
        finally:
            ended.set()
            beating.join()
            with suppress(InterplayError):  # the holder counts as silent then
                self.write(name, _json({**note, "done": True}))

    def _wait_for_silence(self, number: int) -> None:
        before = self.read(_place(number))
        end = time.monotonic() + SILENT
        while time.monotonic() < end:
            time.sleep(LOOK)
            now = self.read(_place(number))
            if _latest(self) > number or (now != before and not _note(now).get("done")):
                raise StoreInUse(
                    f"{self.url}: is in use by {_note(now).get('holder', 'another machine')}. Wait until that is done, or "
                    "end it, and run again."
                )
            if now != before:
                return


def _latest(folder: SharedFolder) -> int:
    names = [name.removeprefix("holders/").removesuffix(".json") for name in folder.sizes("holders")]
    return max((int(name) for name in names if name.isdecimal()), default=0)


def _is_free(folder: SharedFolder, number: int, holder: str) -> bool:
    note = _note(folder.read(_place(number)))
    return bool(note.get("done")) or note.get("holder") == holder


def _place(number: int) -> str:
    return f"holders/{number:06d}.json"


def _json(note: dict[str, Any]) -> bytes:
    return json.dumps(note).encode()


def _note(content: bytes | None) -> dict[str, Any]:
    try:
        note = json.loads(content or b"{}")
    except ValueError:  # a partly written file, if the store is a plain folder
        return {}
    return note if isinstance(note, dict) else {}


def _told(url: str, error: Exception) -> InterplayError:
    """Return an error of the object store as one that says what to do."""
    first = (str(error).splitlines() or [""])[0][:LONGEST] or type(error).__name__
    if isinstance(error, ImportError):
        return ConfigError(f"{url}: needs a library ({first}). Install it with: pip install 'interplay[s3]' (or [gs])")
    if isinstance(error, ValueError) and "rotocol" in first:
        return ConfigError(
            f"{url}: {first}. Name a folder, or a URL such as s3://bucket/nightly or gs://bucket/nightly."
        )
    if isinstance(error, ValueError) and "bucket" in first.lower():
        return ConfigError(f"{url}: {first}. Name a bucket: s3://bucket/nightly")
    if "redential" in f"{type(error).__name__} {first}":
        return ConfigError(
            f"{url}: no credentials ({first}). For s3, set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE."
        )
    if isinstance(error, FileNotFoundError):
        return ConfigError(f"{url}: there is no such bucket or folder ({first}). Make the bucket first.")
    if isinstance(error, PermissionError):
        return ConfigError(f"{url}: access is denied ({first}). Credentials need to list, read and write there.")
    return StoreUnreachable(
        f"{url}: cannot be reached ({first}). Is the address right (for s3, AWS_ENDPOINT_URL names it), and does this machine get "
        "there? Then ask again; what was made here and is not there yet is kept, and the next run brings it there."
    )
