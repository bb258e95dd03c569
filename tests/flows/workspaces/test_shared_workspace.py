"""Workspaces on an object store: several machines, each with a cache of its own, make, commit and read the same records."""

import asyncio
import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any

import fsspec
import pytest
from tests.flows.command_line import INTERPLAY, exported, interplay, quiet, run_clinic

from interplay.flows.runs.record_removal import remove
from interplay.flows.runs.run import prepare_alone, run
from interplay.flows.runs.shards import make_shard_here
from interplay.flows.runs.verification.verified_run import verify
from interplay.flows.settings.config import RunConfig
from interplay.flows.workspaces import shared_folder
from interplay.flows.workspaces.lock import hold_workspace
from interplay.flows.workspaces.run_store import loaded_store
from interplay.flows.workspaces.shared_folder import SharedFolder
from interplay.flows.workspaces.shared_workspace import place_of, workspace_folder
from interplay.flows.workspaces.withdrawals import withdrawals
from interplay.flows.workspaces.workspace import Workspace
from interplay.schemas.errors import ConfigError, StoreError, StoreInUse, StoreUnreachable

CONFIG = RunConfig(shard_size=2, records=6)
GROWN, MANY = (8, 2), (24, 2)
"""Records and shard sizes of runs that go on elsewhere."""


@pytest.fixture(scope="module")
def s3_server() -> Iterator[str]:
    pytest.importorskip("s3fs", reason="needs the extra s3")
    moto = pytest.importorskip("moto.server", reason="needs moto[s3] and Flask, a stand-in for S3")
    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    yield "http://{}:{}".format(*server.get_host_and_port())
    server.stop()


@pytest.fixture(scope="module")
def gs_server() -> Iterator[str]:
    """A stand-in for Google Cloud Storage, which refuses to create what is there as the service does: with 412."""
    with pytest.MonkeyPatch.context() as here:
        here.setenv("GCSFS_EXPERIMENTAL_ZB_HNS_SUPPORT", "false")  # it would ask Google what kind of bucket this is
        pytest.importorskip("gcsfs", reason="needs the extra gs")
        emulator = pytest.importorskip("gcp_storage_emulator.server", reason="needs gcp-storage-emulator")
        from gcp_storage_emulator.handlers import objects  # noqa: PLC0415

        upload = objects._multipart_upload

        def conditional(request: Any, response: Any, storage: Any) -> None:
            bucket, name = request.params["bucket_name"], request.data["meta"]["name"]
            if request.query.get("ifGenerationMatch") == ["0"] and name in storage.objects.get(bucket, {}):
                response.status = HTTPStatus.PRECONDITION_FAILED
            else:
                upload(request, response, storage)

        here.setattr(objects, "_multipart_upload", conditional)
        with emulator.create_server("127.0.0.1", 0, in_memory=True) as server:
            yield "http://{}:{}".format(*server._api._httpd.socket.getsockname())


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[int, int], dict[str, bytes]]:
    """The exports of runs that one machine made in a folder of its own."""
    found = {}
    for size in (GROWN, MANY):
        folder = tmp_path_factory.mktemp("plain")
        run_clinic(folder / "workspace", *size)
        found[size] = exported(folder / "workspace", folder / "exported")
    return found


@pytest.fixture(params=["file", "s3", "gs"])
def url(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A place of each kind, for tests of what the kinds of store do in different ways."""
    if request.param == "file":
        return f"file://{tmp_path}/there/nightly"
    place = {"s3": s3_url, "gs": gs_url}[request.param]
    return place(request.getfixturevalue(f"{request.param}_server"), monkeypatch, tmp_path.name)


@pytest.fixture
def folder_url(tmp_path: Path) -> str:
    """A place of the cheapest kind, for tests of what is the same in all of them."""
    return f"file://{tmp_path}/there/nightly"


def s3_url(server: str, monkeypatch: pytest.MonkeyPatch, name: str) -> str:
    told = {"ENDPOINT_URL": server, "ACCESS_KEY_ID": "a", "SECRET_ACCESS_KEY": "b", "DEFAULT_REGION": "us-east-1"}
    for key, value in told.items():
        monkeypatch.setenv(f"AWS_{key}", value)
    bucket = name.replace("_", "-").lower().strip("-")[:50]
    fsspec.filesystem("s3").mkdir(f"b-{bucket}")
    return f"s3://b-{bucket}/nightly"


def gs_url(server: str, monkeypatch: pytest.MonkeyPatch, name: str) -> str:
    monkeypatch.setenv("STORAGE_EMULATOR_HOST", server)
    bucket = name.replace("_", "-").lower().strip("-")[:50]
    fsspec.filesystem("gs").mkdir(f"b-{bucket}")
    return f"gs://b-{bucket}/nightly"


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Go to another machine: one with a cache of its own."""

    def go(name: str, url: str) -> Workspace:
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / name))
        return Workspace(workspace_folder(url))

    return go


def make(workspace: Workspace, **settings: Any) -> Any:
    return asyncio.run(run(workspace, CONFIG.model_copy(update=settings), quiet))


def test_another_machine_reads_and_continues_what_one_made(
    url: str, machine: Any, tmp_path: Path, plain: dict[tuple[int, int], dict[str, bytes]]
) -> None:
    assert make(machine("a", url)).accepted == 6
    away = machine("b", url)
    with loaded_store(away) as store:
        assert store.count_accepted(away.existing_run().run) == 6
    again = make(away, records=GROWN[0])
    assert (again.accepted, again.made) == (8, 2)
    assert exported(away.folder, tmp_path / "ours") == plain[GROWN]
    assert asyncio.run(verify(machine("c", url))).sound


def test_machines_make_shards_of_a_prepared_workspace_and_one_commits_them(folder_url: str, machine: Any) -> None:
    home = machine("a", folder_url)
    asyncio.run(prepare_alone(home, CONFIG))
    for name, number in (("b", 1), ("c", 0), ("b", 2)):
        machine(name, folder_url)
        make_shard_here(folder_url, number, lambda _: None)
    assert place_of(home) == folder_url
    assert not home.shard(1).exists()
    summary = make(machine("a", folder_url))
    assert (summary.accepted, summary.made) == (6, 0)


def test_commands_tell_the_url_and_not_the_cache(
    folder_url: str, machine: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    machine("a", folder_url)
    (tmp_path / "small.yaml").write_text("shard_size: 2\n")
    told = interplay(monkeypatch, capsys, "run", tmp_path / "small.yaml", "--records", "2", "--workspace", folder_url)
    assert told.code == 0, told.err
    assert f"Workspace: {folder_url}" in told.out
    assert f"interplay show 0 --workspace {folder_url}" in told.out
    checked = interplay(monkeypatch, capsys, "verify", folder_url)
    assert checked.out.startswith(f"{folder_url}: 1 shards")
    assert "No such record" not in interplay(monkeypatch, capsys, "show", "0", "--workspace", folder_url).err
    lost = interplay(monkeypatch, capsys, "show", "999", "--workspace", folder_url)
    assert lost.err.startswith(f"interplay: {folder_url}: no record has the index 999")


def test_parts_are_found_on_another_machine_and_joined(
    folder_url: str, machine: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for number, part in enumerate(("2026-11-29", "2026-11-30")):
        make(machine("a", f"{folder_url}/{part}"), records=4, seed=number)
    remove(machine("b", f"{folder_url}/2026-11-30"), "1", "asked for")
    assert [part.name for part in machine("c", folder_url).parts()] == [
        f"{folder_url}/2026-11-29",
        f"{folder_url}/2026-11-30",
    ]
    told = interplay(monkeypatch, capsys, "merge", folder_url, "--to", tmp_path / "joined")
    assert told.code == 0, told.err
    joined = Workspace(tmp_path / "joined")
    assert json.loads(joined.merged_file.read_text().splitlines()[0])["workspace"] == f"{folder_url}/2026-11-29"
    assert [each.why for each in withdrawals(joined)] == ["asked for"]
    assert asyncio.run(verify(joined)).sound


def test_a_shard_is_created_once_and_who_comes_second_takes_it(url: str, machine: Any) -> None:
    first, second = machine("a", url), None
    make(first)
    held = first.shard(0).read_bytes()
    second = machine("b", url)
    folder = SharedFolder(url)
    assert not folder.create("shards/shard-000000.parquet", b"other bytes")
    assert folder.read("shards/shard-000000.parquet") == held
    make(second)
    assert second.shard(0).read_bytes() == held


def test_a_shard_that_is_another_one_there_is_brought_again(folder_url: str, machine: Any) -> None:
    home, away = machine("a", folder_url), machine("b", folder_url)
    make(home)
    held = home.shard(1).read_bytes()
    asyncio.run(prepare_alone(away, CONFIG))
    away.shard(1).write_bytes(home.shard(0).read_bytes() + b"more")
    with loaded_store(away):
        assert away.shard(1).read_bytes() == held


def test_one_machine_commits_at_a_time(url: str, machine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_folder, "BEAT", 0.05)
    monkeypatch.setattr(shared_folder, "LOOK", 0.02)
    first, second = machine("a", url), machine("b", url)
    with hold_workspace(first), pytest.raises(StoreInUse, match=r"is in use by .*/a/"), hold_workspace(second):
        pass
    with hold_workspace(second):
        pass


def test_a_holder_that_fell_silent_loses_it_and_one_of_the_same_folder_is_gone(
    url: str, machine: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_folder, "SILENT", 0.3)
    monkeypatch.setattr(shared_folder, "LOOK", 0.1)
    place = machine("a", url)
    folder = SharedFolder(url)
    folder.create("holders/000007.json", b'{"holder": "gone:/cache", "beat": 3, "done": false}')
    started = time.monotonic()
    with hold_workspace(place):
        assert time.monotonic() - started >= 0.3
        assert list(folder.sizes("holders")) == ["holders/000008.json"]
    with hold_workspace(place):
        assert list(folder.sizes("holders")) == ["holders/000009.json"]


@pytest.mark.parametrize("url", ["s3"], indirect=True)
def test_a_run_that_is_killed_goes_on_elsewhere(
    url: str, machine: Any, tmp_path: Path, plain: dict[tuple[int, int], dict[str, bytes]]
) -> None:
    (tmp_path / "interplay.yaml").write_text(f"toolset: [domain:clinic]\nrecords: {MANY[0]}\nshard_size: {MANY[1]}\n")
    command = [INTERPLAY, "run", "--workspace", url]
    going = subprocess.Popen(
        command, cwd=tmp_path, env={**os.environ, "XDG_CACHE_HOME": str(tmp_path / "a")}, stderr=subprocess.DEVNULL
    )
    folder, end = SharedFolder(url), time.monotonic() + 60
    while len(folder.sizes("shards")) < 3 and time.monotonic() < end and going.poll() is None:
        time.sleep(0.05)
    going.send_signal(signal.SIGKILL)
    going.wait()
    assert 3 <= len(folder.sizes("shards")) < 12
    home = machine("a", url)  # the same folder: nobody waits
    asyncio.run(run(home, RunConfig(records=MANY[0], shard_size=MANY[1]), quiet))
    assert exported(home.folder, tmp_path / "ours") == plain[MANY]


def test_a_record_that_is_taken_out_is_gone_from_the_store_and_from_other_machines(url: str, machine: Any) -> None:
    home, away = machine("a", url), machine("b", url)
    make(home)
    with loaded_store(away) as store:
        text = next(iter(store.accepted(away.existing_run().run))).id
    remove(home, text, "a customer asked for it")
    with loaded_store(away) as store, pytest.raises(StoreError, match="no record"):
        store.record(text)
    assert (
        away.shard(0).read_bytes()
        == home.shard(0).read_bytes()
        == SharedFolder(url).read("shards/shard-000000.parquet")
    )


def test_damage_on_the_store_is_told_and_repaired(folder_url: str, machine: Any) -> None:
    home = machine("a", folder_url)
    make(home)
    folder, name = SharedFolder(folder_url), "shards/shard-000001.parquet"
    sound = folder.read(name)
    assert sound is not None
    folder.write(name, sound[:900] + bytes([sound[900] ^ 1]) + sound[901:])
    away = machine("b", folder_url)
    with pytest.raises(StoreError, match=r"shard-000001\.parquet: is damaged: .* --repair"), loaded_store(away):
        pass
    report = asyncio.run(verify(home))
    assert [finding.file for finding in report.findings] == [f"{folder_url}/{name}"]
    assert asyncio.run(verify(home, repair=True)).sound
    assert folder.read(name) == sound
    folder.write(name, sound[:900])
    assert asyncio.run(verify(away, repair=True)).sound  # which has no copy of it: it is made again
    assert folder.read(name) == sound


def test_a_store_that_breaks_off_is_told_and_the_run_goes_on_later(
    s3_server: str, machine: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    url = s3_url(s3_server, monkeypatch, tmp_path.name)
    home = machine("a", url)
    create, calls = SharedFolder.create, []

    def break_off(folder: SharedFolder, name: str, content: bytes) -> bool:
        calls.append(name)
        if name.endswith("shard-000002.parquet"):
            raise shared_folder._told(url, ConnectionError("Connection reset by peer"))
        return create(folder, name, content)

    with monkeypatch.context() as broken:
        broken.setattr(SharedFolder, "create", break_off)
        with pytest.raises(
            StoreUnreachable, match=r"cannot be reached .*AWS_ENDPOINT_URL.*the next run brings it there"
        ):
            make(home)
    assert "shards/shard-000002.parquet" not in SharedFolder(url).sizes("shards")
    assert make(home).accepted == 6
    assert "shards/shard-000002.parquet" in SharedFolder(url).sizes("shards")


@pytest.mark.parametrize(
    ("place", "without", "told"),
    [
        ("s3://no-such-bucket/x", (), "no such bucket"),
        ("s3://b/x", ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"), "no credentials"),
        ("nowhere://b/x", (), "Name a folder, or a URL"),
    ],
)
def test_a_wrong_place_is_told_in_one_line(
    s3_server: str, place: str, without: tuple[str, ...], told: str,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path,
) -> None:  # fmt: skip
    s3_url(s3_server, monkeypatch, tmp_path.name)
    fsspec.get_filesystem_class("s3").clear_instance_cache()
    for name in without:
        monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "a"))
    answer = interplay(monkeypatch, capsys, "stats", "--workspace", place)
    fsspec.get_filesystem_class("s3").clear_instance_cache()
    assert answer.code == 1
    assert told in " ".join(answer.err.split())
    assert "Traceback" not in answer.err
    assert not (tmp_path / "a").exists()


def test_a_place_of_a_store_stays_in_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = workspace_folder(f"file://{tmp_path}/there/../../out")
    assert (tmp_path / "cache") in folder.resolve().parents
    with pytest.raises(ConfigError):
        Workspace(folder).existing_run()
