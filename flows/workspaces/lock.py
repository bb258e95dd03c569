"""A lock that lets one process work in a workspace; it names its holder, and is released when that is killed."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

from interplay.flows.workspaces.run_files import make_folder
from interplay.flows.workspaces.shared_workspace import holder_of, pull, push, shared_folder
from interplay.flows.workspaces.workspace import Workspace
from interplay.schemas.errors import StoreError, StoreInUse


@contextmanager
def hold_workspace(workspace: Workspace, everywhere: bool = True) -> Iterator[None]:
    """Hold a workspace during the context, from before the first paid request.

    A workspace on an object store is held there too, unless not `everywhere`: it is pulled first, and pushed at the end.

    Raises:
        StoreInUse: another process holds it.
        StoreError: its folder cannot be written.
    """
    make_folder(workspace.folder)
    try:
        lock = os.open(workspace.lock_file, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o666)
    except OSError as error:
        if workspace.lock_file.is_symlink():  # its target may be some other file
            raise StoreError(f"{workspace.lock_file}: is a link, and no lock. Delete it, and run again.") from error
        raise StoreError(f"{workspace.lock_file}: cannot be written ({error.strerror}). Put this right.") from error
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            told = os.pread(lock, 20, 0).decode("ascii", "replace")
            own = told == str(os.getpid())
            holder = "another part of this process" if own else f"process {told}".rstrip()
            raise StoreInUse(
                f"{workspace.name}: is in use by {holder}. Wait until that is done, or end it, and run again."
            ) from None
        try:
            os.ftruncate(lock, 0)
            os.pwrite(lock, str(os.getpid()).encode(), 0)
        except OSError as error:
            raise StoreError(f"{workspace.lock_file}: cannot be written ({error.strerror}). Put this right.") from error
        try:
            with _held_everywhere(workspace) if everywhere else nullcontext():
                yield
        finally:
            with suppress(OSError):
                os.ftruncate(lock, 0)  # it names nobody who does not work here any more
    finally:
        os.close(lock)


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Wait until no other process is in this context for the same folder, independently of `hold_workspace`; for brief changes.

    Raises:
        OSError: the folder cannot be opened.
    """
    lock = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


@contextmanager
def _held_everywhere(workspace: Workspace) -> Iterator[None]:
    folder = shared_folder(workspace)
    if folder is None:
        yield
        return
    with folder.held(holder_of(workspace)):
        pull(workspace)
        try:
            yield
        except BaseException:
            with suppress(StoreError):  # report the first error
                push(workspace)
            raise
        push(workspace)


def process_holding(workspace: Workspace) -> int | None:
    """Return the id of the process that holds a workspace, or None; the lock file is read, and never locked."""
    try:
        process = int(workspace.lock_file.read_text(encoding="ascii"))
        os.kill(process, 0)
    except PermissionError:  # alive, and of another user
        return process
    except (OSError, ValueError, OverflowError):
        return None
    return process
