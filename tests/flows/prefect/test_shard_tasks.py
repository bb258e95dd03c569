"""Where shards are made: what a task runner needs before it is given work."""

from pathlib import Path

import pytest

from interplay.flows.prefect import shard_tasks
from interplay.flows.prefect.shard_tasks import on_runner
from interplay.flows.workspaces.workspace import Workspace
from interplay.schemas.errors import ConfigError

distributed = pytest.importorskip("distributed", reason="needs the extra dask")
dask = pytest.importorskip("dask")


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shard_tasks, "WORKERS_JOIN", 0.5)


async def _nobody(number: int) -> Path:
    raise AssertionError(f"shard {number} was not to be made")


def test_a_scheduler_that_does_not_answer_is_told(tmp_path) -> None:  # type: ignore[no-untyped-def]
    with (
        dask.config.set({"distributed.comm.timeouts.connect": "1s"}),
        pytest.raises(ConfigError, match=r"no worker .* tcp://127\.0\.0\.1:9 .*dask worker tcp://127\.0\.0\.1:9"),
        on_runner(Workspace(tmp_path), "dask", 1, "tcp://127.0.0.1:9") as orchestrate,
    ):
        orchestrate(_nobody)


def test_a_scheduler_without_workers_is_told_and_not_waited_for(tmp_path) -> None:  # type: ignore[no-untyped-def]
    with (
        distributed.LocalCluster(n_workers=0, processes=False, dashboard_address=None) as cluster,
        pytest.raises(ConfigError, match="no worker of Dask was found"),
        on_runner(Workspace(tmp_path), "dask", 1, cluster.scheduler_address) as orchestrate,
    ):
        orchestrate(_nobody)


def test_a_scheduler_with_a_worker_is_taken(tmp_path) -> None:  # type: ignore[no-untyped-def]
    with (
        distributed.LocalCluster(n_workers=1, processes=False, dashboard_address=None) as cluster,
        on_runner(Workspace(tmp_path), "dask", 1, cluster.scheduler_address) as orchestrate,
    ):
        assert orchestrate(_nobody) is not None
