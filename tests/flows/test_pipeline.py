"""The flows, run for real against a temporary Prefect server."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.flows.command_line import exported, interplay_process, run_clinic

from interplay.flows.orchestration import prefect_environment
from interplay.flows.workspaces.workspace import Workspace
from interplay.schemas.versions import DEPLOYMENT

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def prefect_api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A Prefect server for the session; what imports Prefect is imported here."""
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


def test_the_flow_makes_what_a_plain_run_makes(prefect_api: Any, tmp_path: Path) -> None:
    config = tmp_path / "interplay.yaml"
    config.write_text("toolset: domain:clinic\nrecords: 10\nshard_size: 4\n")
    summary = asyncio.run(prefect_api.generate_dataset(str(tmp_path / "flow"), config=str(config)))
    assert summary["accepted"] == 10
    run_clinic(tmp_path / "plain", records=10)
    assert exported(tmp_path / "flow", tmp_path / "a") == exported(tmp_path / "plain", tmp_path / "b")


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
    options = ("--records", 3, "--workspace", tmp_path / "w")
    answer = interplay_process("run", *options, "--json", env=environment, cwd=tmp_path)
    assert answer.code == 0, answer.err
    assert json.loads(answer.out)["accepted"] == 3
    (tmp_path / "w/shards/shard-000000.parquet").write_bytes(b"torn")
    answer = interplay_process("run", *options, env=environment, cwd=tmp_path)
    assert answer.code == 1
    assert len(answer.err.strip().splitlines()) == 1
    assert "shard-000000.parquet" in answer.err
    assert {("generate w", "Completed"), ("generate w", "Failed")} <= asyncio.run(_flow_runs())


async def _flow_runs() -> set[tuple[str, str | None]]:
    from prefect import get_client  # noqa: PLC0415

    async with get_client() as client:
        return {(run.name, run.state_name) for run in await client.read_flow_runs()}


def test_a_server_that_does_not_answer_costs_one_line(tmp_path: Path) -> None:
    environment = {**os.environ, "PREFECT_API_URL": "http://127.0.0.1:9/api"}
    answer = interplay_process("run", "--records", 3, "--workspace", tmp_path / "w", env=environment, cwd=tmp_path)
    assert answer.code == 1
    assert len(answer.err.strip().splitlines()) == 1
    assert "unset PREFECT_API_URL" in answer.err
