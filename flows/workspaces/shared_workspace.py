"""A workspace on an object store <-> its cache in a local folder; machines share the object store only.

    s3://bucket/nightly/run.json  toolset.json  graph.json ...   what is to be made
    s3://bucket/nightly/shards/shard-000000.parquet              the records: created once, by the first process
    s3://bucket/nightly/holders/000007.json                      the process that commits

The store (`dataset.duckdb`) is derived on each machine. The journal of models' answers stays on the machine that paid for
them: if two machines make the same shard, the first one counts and the other adopts it.
"""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from socket import gethostname

from interplay.flows.workspaces.run_files import make_folder, parse_lines, write_lines, write_record
from interplay.flows.workspaces.shared_folder import SharedFolder
from interplay.flows.workspaces.withdrawals import REMEDY, Withdrawal, withdrawals
from interplay.flows.workspaces.workspace import SharedPlace, Workspace
from interplay.schemas.errors import ConfigError, StoreError
from interplay.schemas.plain_file import at_home

SMALL = re.compile(
    r"run\.json|toolset\.json|graph\.json|accounts\.json|phrases\.json|calibration\.json|(parents|starts|branched|merged|firings)\.jsonl"
    r"|aims/\d{6,9}\.json"
)
"""Files that machines share unchanged; `withdrawn.jsonl` is merged."""
URL_WITH_ONE_SLASH = re.compile(r"([a-z][a-z0-9]+):(/[^/].*)")
PART = re.compile(r"([^/]+)/run\.json")
SHARD = re.compile(r"shards/shard-(\d{6,9})\.parquet")


def workspace_folder(place: str | Path) -> Path:
    """Return the local folder of a workspace; for a URL, its cache, with the small files brought up to date.

    Raises:
        ConfigError, StoreError: the name is invalid, the object store cannot be reached, or the cache cannot be written.
    """
    if not str(place).strip():
        raise ConfigError("The name of the workspace is empty. Name a folder with --workspace.")
    scheme, apart, name = str(place).partition("://")
    if not apart:
        if misspelt := URL_WITH_ONE_SLASH.match(str(place)):
            raise ConfigError(f"{place}: is a URL with one slash. Write {misspelt[1]}://{misspelt[2].lstrip('/')}")
        return at_home(Path(place))
    if not name.strip("/"):
        raise ConfigError(f"{place}: names no bucket. Name one, and a folder in it: {scheme}://bucket/nightly")
    url = str(place).rstrip("/")
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "interplay"
    workspace = Workspace(caches / re.sub(r"[^\w./-]+|\.\.+", "_", url.replace("://", "/").lstrip("/")))
    if shared_folder(workspace) is None:
        SharedFolder(url).sizes()  # raises before anything is written
        make_folder(workspace.folder)
        write_record(workspace.shared_file, SharedPlace(url=url))
    pull_small(workspace)
    return workspace.folder


def shared_folder(workspace: Workspace) -> SharedFolder | None:
    """Return the folder on an object store that a workspace is the cache of; None for a local workspace.

    Raises:
        StoreError: the note of it is broken.
    """
    held = workspace.shared
    return None if held is None else SharedFolder(held.url)


def place_of(workspace: Workspace) -> str:
    """Return the name of a workspace for other machines: its URL, or its absolute path."""
    folder = shared_folder(workspace)
    return str(workspace.folder.absolute()) if folder is None else folder.url


def holder_of(workspace: Workspace) -> str:
    """Return the name under which this cache holds the shared folder."""
    return f"{gethostname()}:{workspace.folder.absolute()}"


def pull_small(workspace: Workspace) -> None:
    """Download the small files, and those of all parts of a folder of parts."""
    folder = shared_folder(workspace)
    names = folder.sizes() if folder is not None else {}
    for name in names:
        if folder is not None and SMALL.fullmatch(name):
            _take(folder, name, workspace.folder / name)
        elif folder is not None and workspace.run_file.name not in names and (part := PART.fullmatch(name)):
            workspace_folder(f"{folder.url}/{part[1]}")


def push_small(workspace: Workspace) -> None:
    """Upload the small files that differ from those on the object store."""
    folder = shared_folder(workspace)
    if folder is None:
        return
    for path in (*workspace.folder.glob("*.json*"), *workspace.folder.glob("aims/*.json")):
        name = path.relative_to(workspace.folder).as_posix()
        if SMALL.fullmatch(name) or path == workspace.withdrawn_file:
            content = path.read_bytes()
            if folder.read(name) != content:
                folder.write(name, content)


def pull(workspace: Workspace) -> None:
    """Download everything new, and drop records that were withdrawn elsewhere."""
    folder = shared_folder(workspace)
    if folder is None:
        return
    pull_small(workspace)
    _join_withdrawals(folder, workspace)
    for name, size in folder.sizes("shards").items():
        found = SHARD.fullmatch(name)
        if found is None:
            continue
        path = workspace.shard(int(found[1]))
        if not path.exists() or path.stat().st_size != size:
            fetch_shard(workspace, int(found[1]))


def push(workspace: Workspace) -> None:
    """Upload everything that is missing on the object store, and replace shards from which records were withdrawn."""
    folder = shared_folder(workspace)
    if folder is None:
        return
    push_small(workspace)
    there = folder.sizes("shards")
    for path in workspace.finished_shards():
        if f"shards/{path.name}" not in there:
            folder.create(f"shards/{path.name}", path.read_bytes())
    run = workspace.run()
    for number in sorted({each.index // run.config.shard_size for each in withdrawals(workspace)} if run else ()):
        path = workspace.shard(number)
        if path.exists() and folder.read(f"shards/{path.name}") != (content := path.read_bytes()):
            folder.write(f"shards/{path.name}", content)


def fetch_shard(workspace: Workspace, number: int) -> bool:
    """Download a shard, if it exists; return whether it does.

    Raises:
        StoreError: the uploaded shard is damaged.
    """
    folder, path = shared_folder(workspace), workspace.shard(number)
    return folder is not None and _take(folder, f"shards/{path.name}", path, _check)


def offer_shard(workspace: Workspace, number: int) -> None:
    """Upload a shard; if another machine was first, adopt its file, so that all machines have the same one."""
    folder, path = shared_folder(workspace), workspace.shard(number)
    if folder is not None and not folder.create(f"shards/{path.name}", path.read_bytes()):
        fetch_shard(workspace, number)


def damaged_shards(workspace: Workspace, delete: bool) -> Iterator[tuple[str, str]]:
    """Yield the URLs of shards on the object store that cannot be read, each with the reason; with `delete`, delete them."""
    folder = shared_folder(workspace)
    for name in sorted(folder.sizes("shards")) if folder is not None else ():
        if folder is not None and SHARD.fullmatch(name):
            try:
                _take(folder, name, workspace.folder / f"{name}.look", _check)
            except StoreError as error:
                yield f"{folder.url}/{name}", str(error)
                if delete:
                    folder.delete(name)
            finally:
                (workspace.folder / f"{name}.look").unlink(missing_ok=True)


def _check(path: Path) -> None:
    from interplay.outputs.store.shard_file import shard_outcomes  # noqa: PLC0415 - Arrow

    for _ in shard_outcomes(path):
        pass


def _take(folder: SharedFolder, name: str, path: Path, check: Callable[[Path], None] = lambda _: None) -> bool:
    """Download an object atomically after checking it; return whether it exists."""
    content = folder.read(name)
    if content is None:
        return False
    if path.exists() and path.read_bytes() == content:
        return True
    make_folder(path.parent)
    partial = path.with_name(f"{path.name}.{gethostname()}-{os.getpid()}.partial")  # others may download the same
    try:
        partial.write_bytes(content)
        try:
            check(partial)
        except StoreError as error:
            raise StoreError(
                f"{folder.url}/{name}: is damaged: its bytes are not those that were written. Run: interplay verify "
                f"{folder.url} --repair"
            ) from error
        partial.replace(path)
    except OSError as error:
        raise StoreError(f"{path}: cannot be written ({error.strerror}). Put this right and run again.") from error
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)
    return True


def _join_withdrawals(folder: SharedFolder, workspace: Workspace) -> None:
    """Merge the withdrawals made elsewhere; shards that may still hold these records are deleted, to be downloaded again."""
    path = workspace.withdrawn_file
    there = parse_lines(folder.read(path.name) or b"", f"{folder.url}/{path.name}", Withdrawal, REMEDY)
    here = withdrawals(workspace)
    new = [each for each in there if each not in here]
    if not new:
        return
    run = workspace.run()
    for each in new:
        if run is not None:
            workspace.shard(each.index // run.config.shard_size).unlink(missing_ok=True)
    for store in workspace.folder.glob(f"{workspace.store_file.name}*"):
        store.unlink()
    write_lines(path, [*there, *(each for each in here if each not in there)])
