"""The flows, run for real against a temporary Prefect server."""

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml
from tests.flows.command_line import exported, interplay, interplay_process, run_clinic

from interplay.flows import orchestration
from interplay.flows.orchestration import prefect_environment, require_answer
from interplay.flows.prefect.artifacts import key_of
from interplay.flows.workspaces.lock import hold_workspace
from interplay.flows.workspaces.run_store import loaded_store
from interplay.flows.workspaces.workspace import Workspace
from interplay.schemas.errors import ConfigError
from interplay.schemas.versions import DEPLOYMENT

ROOT = Path(__file__).parents[2]
PREFECT = Path(sys.executable).with_name("prefect")


@pytest.fixture(scope="module")
def prefect_api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A Prefect server for these tests alone, since its services are never idle; what imports Prefect is imported here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PREFECT_HOME", str(tmp_path_factory.mktemp("prefect")))
        patch.setenv("DO_NOT_TRACK", "1")
        patch.setenv("PREFECT_SERVER_ANALYTICS_ENABLED", "false")
        from prefect.settings import PREFECT_FLOWS_HEARTBEAT_FREQUENCY, temporary_settings  # noqa: PLC0415
        from prefect.testing.utilities import prefect_test_harness  # noqa: PLC0415

        from interplay.flows import pipeline  # noqa: PLC0415

        with (
            prefect_test_harness(server_startup_timeout=120),
            temporary_settings({PREFECT_FLOWS_HEARTBEAT_FREQUENCY: None}),
        ):
            yield pipeline


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The export of a run of ten records without a flow."""
    folder = tmp_path_factory.mktemp("plain")
    run_clinic(folder / "workspace", records=10)
    return exported(folder / "workspace", folder / "exported")


def test_the_flow_makes_what_a_plain_run_makes(prefect_api: Any, tmp_path: Path, plain: dict[str, bytes]) -> None:
    config = tmp_path / "interplay.yaml"
    config.write_text("toolset: domain:clinic\nrecords: 10\nshard_size: 4\n")
    summary = asyncio.run(prefect_api.generate_dataset(str(tmp_path / "flow"), config=str(config)))
    assert summary["accepted"] == 10
    assert exported(tmp_path / "flow", tmp_path / "a") == plain


def test_the_stages_run_one_by_one(prefect_api: Any, tmp_path: Path) -> None:
    run_clinic(tmp_path / "w", records=4)
    listed = asyncio.run(prefect_api.import_tools(["domain:clinic"]))
    made = asyncio.run(prefect_api.make_shards(str(tmp_path / "w"), first=1, count=2))
    accepted = asyncio.run(prefect_api.load_store(str(tmp_path / "w")))
    report = asyncio.run(prefect_api.export_dataset(str(tmp_path / "w"), str(tmp_path / "out"), "trl", "parquet"))
    assert len(listed["imported"]) > 5
    assert [Path(path).name for path in made] == ["shard-000001.parquet", "shard-000002.parquet"]
    assert accepted == 4
    assert report["identical"] == 4


@pytest.mark.usefixtures("prefect_api")
def test_every_deployment_names_a_flow_and_its_parameters() -> None:
    from prefect.flows import load_flow_from_entrypoint  # noqa: PLC0415

    deployments = yaml.safe_load((ROOT / "prefect.yaml").read_text())["deployments"]
    for deployment in deployments:
        flow = load_flow_from_entrypoint(deployment["entrypoint"])
        flow.validate_parameters(deployment["parameters"])
        assert deployment["parameters"]["version"] == DEPLOYMENT.version
    assert any("cron" in item for deployment in deployments for item in deployment.get("schedules", []))


@pytest.mark.parametrize("runner", ["threads", "processes"])
def test_shards_made_on_a_task_runner_have_the_same_bytes(
    prefect_api: Any, tmp_path: Path, runner: str, plain: dict[str, bytes]
) -> None:
    config = tmp_path / "interplay.yaml"
    config.write_text("toolset: domain:clinic\nrecords: 10\nshard_size: 4\nworkers: 2\n")
    summary = asyncio.run(prefect_api.generate_dataset(str(tmp_path / "flow"), config=str(config), runner=runner))
    assert summary["accepted"] == 10
    assert exported(tmp_path / "flow", tmp_path / "a") == plain


@pytest.mark.usefixtures("prefect_api")
def test_a_deployment_adds_each_time_shows_what_it_made_and_exports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from prefect.settings import PREFECT_API_URL, PREFECT_HOME  # noqa: PLC0415

    monkeypatch.chdir(tmp_path)
    (tmp_path / "interplay.yaml").write_text("toolset: domain:clinic\nshard_size: 4\n")
    environment = {
        **os.environ, "PREFECT_API_URL": str(PREFECT_API_URL.value()), "PREFECT_HOME": str(PREFECT_HOME.value())
    }  # fmt: skip
    options = ("--workspace", "w", "--add", 3, "--export", "openai", "--cron", "0 2 * * *", "--json")
    answer = interplay(monkeypatch, capsys, "deploy", *options)
    assert answer.code == 0, answer.err
    name = json.loads(answer.out)["deployments"][0]
    command = [str(PREFECT), "worker", "start", "--pool", "interplay", "--run-once"]
    for _ in range(2):
        asyncio.run(_asked(name))
        subprocess.run(command, env=environment, cwd=tmp_path, check=True, capture_output=True, timeout=600)
    with loaded_store(Workspace(tmp_path / "w")) as store:
        assert store.query("SELECT count(*) AS n FROM records WHERE status = 'accepted'") == [{"n": 6}]
    assert (tmp_path / "w/exported/openai/README.md").exists()
    place = Workspace(tmp_path / "w")
    assert asyncio.run(_artifacts(key_of("records", place))) == 2
    kinds = ("progress", "report", "dialogues", "workspace", "graph", "export")
    assert {key_of(kind, place) for kind in kinds} <= asyncio.run(_artifact_keys())
    assert asyncio.run(_folder(name)) == str(tmp_path)  # modules of tools beside the configuration are found there
    (tmp_path / "interplay.yaml").write_text("toolset: domain:clinic\nshard_size: 4\nseed: 7\n")
    answer = interplay(monkeypatch, capsys, "deploy", *options)
    assert "was made with other settings (seed: 0 -> 7)" in answer.out + answer.err
    _is_not_taken_up_again(str(PREFECT_API_URL.value()))


@pytest.mark.usefixtures("prefect_api")
def test_deployments_of_another_name_for_the_same_workspace_are_told(
    tmp_path: Path,
) -> None:
    from interplay.flows.deployment import deploy  # noqa: PLC0415

    place = tmp_path / "shared by two"
    assert deploy("first", place, {}, "interplay", None).others == ()
    assert deploy("first", place, {}, "interplay", None).others == ()
    assert deploy("elsewhere", tmp_path / "other", {}, "interplay", None).others == ()
    told = deploy("second", place, {}, "interplay", None)
    assert told.others == ("generate_dataset/first", "generate_dataset/first-once")


def _is_not_taken_up_again(api: str) -> None:
    """Check that automations hear at once of what they wait for: each sign names its run, and follows nothing."""
    from prefect.server.events.schemas.automations import EventTrigger  # noqa: PLC0415
    from prefect.server.events.schemas.events import ReceivedEvent  # noqa: PLC0415

    from interplay.flows.prefect.lost_runs import automations  # noqa: PLC0415

    silent, _, never_began = [EventTrigger.model_validate(one.trigger.model_dump()) for one in automations()]
    asked = {"filter": {"event": {"name": ["interplay.run.alive", "interplay.run.ended"]}}}
    for _ in range(300):  # the server writes what it is told in the background
        listed = httpx.post(f"{api}/events/filter", json=asked).raise_for_status().json()["events"]
        told = [ReceivedEvent.model_validate({**event, "received": event["occurred"]}) for event in listed]
        alive, ended = (
            {silent.bucketing_key(event) for event in told if event.event == name}
            for name in asked["filter"]["event"]["name"]
        )
        if len(ended) == 2:
            break
        time.sleep(0.1)
    assert alive == ended
    assert {run.partition(".flow-run.")[0] for [run] in ended} == {"prefect"}
    assert all(event.follows is None and silent.covers(event) and never_began.covers(event) for event in told)
    assert all(silent.starts_after(event.event) for event in told if event.event == "interplay.run.alive")
    assert all(silent.expects(event.event) and never_began.expects(event.event) for event in told)


async def _asked(deployment: str) -> None:
    from prefect import get_client  # noqa: PLC0415

    async with get_client() as client:
        await client.create_flow_run_from_deployment((await client.read_deployment_by_name(deployment)).id)


async def _folder(deployment: str) -> object:
    from prefect import get_client  # noqa: PLC0415

    async with get_client() as client:
        return (await client.read_deployment_by_name(deployment)).job_variables["working_dir"]


async def _artifacts(key: str) -> int:
    from prefect import get_client  # noqa: PLC0415
    from prefect.client.schemas.filters import ArtifactFilter, ArtifactFilterKey  # noqa: PLC0415

    async with get_client() as client:
        named = ArtifactFilter(key=ArtifactFilterKey(any_=[key]))
        return len(await client.read_artifacts(artifact_filter=named))


async def _artifact_keys() -> set[str | None]:
    from prefect import get_client  # noqa: PLC0415

    async with get_client() as client:
        return {artifact.key for artifact in await client.read_artifacts()}


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"records": -5}, "records: Input should be greater than or equal to 1"),
        ({"records": 2_000_000_000}, "records: Input should be less than or equal to 1000000000"),
        ({"add": 2_000_000_000}, "add: Input should be less than or equal to 1000000000"),
        ({"part": "week"}, "part: Input should be 'date' or 'number'"),
        ({"records": 5, "add": 5}, "records and add: name one of them"),
        ({"to": "x"}, "Name its format"),
        ({"export": "openai", "to": "s3://bucket/x"}, "to: s3://bucket/x: exports are written to folders"),
        ({"timezone": "Mars/Olympus"}, "timezone 'Mars/Olympus': there is no such zone"),
        ({"scheduler": "tcp://x:1"}, "scheduler: is for Dask alone"),
    ],
)
def test_parameters_that_do_not_fit_cost_one_line(
    prefect_api: Any, tmp_path: Path, given: dict[str, Any], told: str, caplog: pytest.LogCaptureFixture
) -> None:
    state = asyncio.run(prefect_api.generate_dataset(str(tmp_path / "w"), **given, return_state=True))
    assert state.name == "Failed"
    assert told in state.message
    assert "\n" not in state.message
    assert "Traceback" not in caplog.text
    with pytest.raises(ConfigError, match=re.escape(told)):
        asyncio.run(prefect_api.generate_dataset(str(tmp_path / "w"), **given))
    assert not (tmp_path / "w/run.json").exists()


def test_a_firing_that_is_refused_asks_for_nothing(prefect_api: Any, tmp_path: Path) -> None:
    (tmp_path / "interplay.yaml").write_text("shard_size: 4\n")
    settings, place = str(tmp_path / "interplay.yaml"), tmp_path / "w"
    assert asyncio.run(prefect_api.generate_dataset(str(place), config=settings, add=2))["accepted"] == 2
    before = (place / "firings.jsonl").read_bytes()
    (tmp_path / "interplay.yaml").write_text("shard_size: 4\nseed: 7\n")
    with pytest.raises(ConfigError, match="other settings"):
        asyncio.run(prefect_api.generate_dataset(str(place), config=settings, add=2))
    assert (place / "firings.jsonl").read_bytes() == before
    report = asyncio.run(prefect_api.export_dataset(str(place), format="sharegpt"))
    assert report["folder"] == str(place / "exported" / "sharegpt")
    with pytest.raises(ConfigError, match="first: Input should be greater than or equal to 0"):
        asyncio.run(prefect_api.make_shards(str(place), first=-1))


@pytest.mark.parametrize("scheme", ["", "file://"])
def test_a_part_has_records_of_its_own_where_the_workspace_is(
    prefect_api: Any, tmp_path: Path, scheme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    config, there = tmp_path / "interplay.yaml", tmp_path / "w"
    config.write_text("toolset: domain:clinic\nshard_size: 4\n")
    made = [
        asyncio.run(prefect_api.generate_dataset(f"{scheme}{there}", config=str(config), add=3, part="number"))
        for _ in range(2)
    ]
    assert [one["part"] for one in made] == ["0001", "0002"]
    assert len({one["run"] for one in made}) == 2
    assert [one["accepted"] for one in made] == [3, 3]
    assert all((there / part / "shards/shard-000000.parquet").exists() for part in ("0001", "0002"))


def test_a_prepared_workspace_is_made_in_parts_and_loaded_to_new_targets(prefect_api: Any, tmp_path: Path) -> None:
    config, folder = tmp_path / "interplay.yaml", str(tmp_path / "w")
    config.write_text("toolset: domain:clinic\nrecords: 3\nshard_size: 4\n")
    prepared = asyncio.run(prefect_api.prepare_run(folder, config=str(config)))
    assert prepared["records"] == 3
    asyncio.run(prefect_api.make_shards(folder, first=0, count=3))
    assert asyncio.run(prefect_api.load_store(folder)) == 3
    assert asyncio.run(prefect_api.load_store(folder, records=9)) == 9
    run_clinic(tmp_path / "plain", records=9)
    assert exported(tmp_path / "w", tmp_path / "a") == exported(tmp_path / "plain", tmp_path / "b")


def test_a_second_run_of_a_workspace_waits_for_the_first(prefect_api: Any, tmp_path: Path) -> None:
    run_clinic(tmp_path / "w", records=4)
    place = Workspace(tmp_path / "w")

    async def both() -> int:
        with hold_workspace(place):
            waiting = asyncio.ensure_future(prefect_api.load_store(str(place.folder), records=5))
            while ("load w", "Waiting") not in await _flow_runs():
                await asyncio.sleep(0.1)
            assert not waiting.done()
        return int(await waiting)

    assert asyncio.run(both()) == 4  # all that there is
    assert ("load w", "Completed") in asyncio.run(_flow_runs())


@pytest.mark.parametrize("runner", [None, "dask"])
def test_a_run_that_waits_shows_no_progress_opens_no_runner_and_makes_the_same_bytes(
    prefect_api: Any, tmp_path: Path, runner: str | None, monkeypatch: pytest.MonkeyPatch, plain: dict[str, bytes]
) -> None:
    if runner == "dask":
        pytest.importorskip("prefect_dask")
    monkeypatch.setattr(prefect_api, "LOOK_SECONDS", 0.01)
    place = Workspace(tmp_path / f"waits-{runner}")
    config = tmp_path / "interplay.yaml"
    config.write_text("toolset: domain:clinic\nrecords: 10\nshard_size: 4\nworkers: 1\n")

    async def both() -> Any:
        with hold_workspace(place):
            run = prefect_api.generate_dataset(str(place.folder), config=str(config), runner=runner)
            waiting = asyncio.ensure_future(run)
            while (f"generate {place.folder.name}", "Waiting") not in await _flow_runs():
                await asyncio.sleep(0.1)
            await asyncio.sleep(0.2)
        return await waiting

    assert asyncio.run(both())["accepted"] == 10
    assert asyncio.run(_artifacts(key_of("progress", place))) == 1
    assert exported(place.folder, tmp_path / "a") == plain


def test_the_services_of_prefect_keep_quiet(tmp_path: Path) -> None:
    code = """
import logging
from prefect.logging.configuration import setup_logging
setup_logging()
logging.getLogger("EventsWorker").warning("Still processing items")
"""
    quiet = prefect_environment(Workspace(tmp_path))
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PREFECT_")} | quiet
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stderr == ""


@pytest.mark.usefixtures("prefect_api")
def test_the_command_runs_as_a_flow_where_a_server_is_named(tmp_path: Path) -> None:
    from prefect.settings import PREFECT_API_URL  # noqa: PLC0415

    environment = {**os.environ, "PREFECT_API_URL": str(PREFECT_API_URL.value())}
    (tmp_path / "interplay.yaml").write_text("shard_size: 4\n")
    options = ("--records", 3, "--workspace", tmp_path / "w")
    answer = interplay_process("run", *options, "--json", env=environment, cwd=tmp_path)
    assert answer.code == 0, answer.err
    assert json.loads(answer.out)["accepted"] == 3
    (tmp_path / "w/shards/shard-000000.parquet").write_bytes(b"torn")
    answer = interplay_process("run", *options, env=environment, cwd=tmp_path)
    assert answer.code == 1
    [told] = [line for line in answer.err.splitlines() if line.startswith("interplay:")]
    assert "shard-000000.parquet" in told
    assert "Traceback" not in answer.err
    assert {("generate w", "Completed"), ("generate w", "Failed")} <= asyncio.run(_flow_runs())
    command = [str(PREFECT.with_name("interplay")), "run", "--records", "5000", "--workspace", str(tmp_path / "ended")]
    with subprocess.Popen(
        command, env=environment, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as run:
        while not (tmp_path / "ended/shards/shard-000000.parquet").exists():
            assert run.poll() is None
            time.sleep(0.1)
        run.terminate()
        told = run.communicate()[1]
    assert run.returncode in (143, -signal.SIGTERM), told  # the latter where Prefect passes the signal on
    assert "Traceback" not in told


async def _flow_runs() -> set[tuple[str, str | None]]:
    from prefect import get_client  # noqa: PLC0415

    async with get_client() as client:
        return {(run.name, run.state_name) for run in await client.read_flow_runs()}


@pytest.mark.skipif(sys.platform != "linux", reason="the processes of another one are told there")
def test_the_server_of_a_run_that_is_killed_ends_with_it(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PREFECT_")}
    command = [Path(sys.executable).with_name("interplay"), "run", "--prefect", "--workspace", tmp_path / "w"]
    nowhere = subprocess.DEVNULL
    with subprocess.Popen(command, env=environment, cwd=tmp_path, stdout=nowhere, stderr=nowhere) as run:
        while not (servers := _servers_of(run.pid)):
            assert run.poll() is None
            time.sleep(0.1)
        time.sleep(1)  # it has been seen to
        run.kill()
    ends = time.monotonic() + 60
    while any(_command(server) for server in servers) and time.monotonic() < ends:
        time.sleep(0.1)
    assert not any(_command(server) for server in servers)


def _servers_of(process: int) -> list[str]:
    begun = [path.read_text().split() for path in Path(f"/proc/{process}/task").glob("*/children")]
    return [child for children in begun for child in children if b"uvicorn" in _command(child)]


def _command(process: str) -> bytes:
    """Return what a process runs; nothing of one that has ended."""
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""


def test_a_server_that_does_not_answer_costs_one_line(tmp_path: Path) -> None:
    environment = {**os.environ, "PREFECT_API_URL": "http://127.0.0.1:9/api"}
    answer = interplay_process("run", "--records", 3, "--workspace", tmp_path / "w", env=environment, cwd=tmp_path)
    assert answer.code == 1
    assert len(answer.err.strip().splitlines()) == 1
    assert "unset PREFECT_API_URL" in answer.err


def test_a_server_that_is_no_api_of_prefect_is_told() -> None:
    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()

    with HTTPServer(("127.0.0.1", 0), Page) as page, ThreadPoolExecutor(1) as threads:
        threads.submit(page.handle_request)
        with pytest.raises(ConfigError, match=r"addresses end in /api, such as"):
            require_answer(f"http://127.0.0.1:{page.server_port}")


def test_a_server_that_is_silent_is_told_and_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from prefect.settings import PREFECT_API_URL, temporary_settings  # noqa: PLC0415

    from interplay.flows.deployment import deploy  # noqa: PLC0415

    monkeypatch.setattr(orchestration, "ANSWERS_WITHIN", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/api"
        told = rf"Prefect at {url}: no answer within .* prefect server start"
        with pytest.raises(ConfigError, match=told):
            require_answer(url)
        with temporary_settings({PREFECT_API_URL: url}), pytest.raises(ConfigError, match=told):
            deploy("nightly", tmp_path, {}, "interplay", None)
    require_answer("http://127.0.0.1:9/api")  # it refuses at once, which Prefect tells
