"""A run of a deployment that is ended in the middle."""

import asyncio
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from prefect.client.schemas.objects import State, StateType

from interplay.flows.prefect import lost_runs
from interplay.schemas.errors import InterplayError

ENGINE = """
import asyncio, time
from types import SimpleNamespace
from prefect._internal import control_listener
from prefect.utilities.engine import capture_sigterm
from interplay.flows.prefect import lost_runs

lost_runs.deployment = SimpleNamespace(id="nightly")
lost_runs.this_run = SimpleNamespace(id="run", name="run")
lost_runs.tell = lambda *_: None
control_listener.get_intent = lambda: "cancel"

def export():
    print("begun", flush=True)
    time.sleep(600)

async def stage():
    with lost_runs.signs_of_life():
        await asyncio.to_thread(export)

async def engine():
    with capture_sigterm():
        try:
            await stage()
        finally:
            print("reported", flush=True)

asyncio.run(engine())
"""


def test_a_run_that_is_cancelled_ends_without_its_threads() -> None:
    with subprocess.Popen([sys.executable, "-c", ENGINE], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == "begun\n"
            process.send_signal(signal.SIGTERM)
            told, _ = process.communicate(timeout=600)
        finally:
            process.kill()
    assert told == "reported\n"
    assert process.returncode == 128 + signal.SIGTERM


START = datetime(2026, 11, 29, tzinfo=UTC)


def states(*told: tuple[StateType, str]) -> list[State[Any]]:
    moments = (START + timedelta(seconds=second) for second in range(len(told)))
    return [State(type=kind, message=said, timestamp=at) for (kind, said), at in zip(told, moments, strict=True)]


@pytest.mark.parametrize(
    ("before", "again", "fails"),
    [
        ((StateType.FAILED, "ConfigError: no such file"), "Taken up again: nothing was heard of it for 90 s.", True),
        ((StateType.FAILED, "ConfigError: no such file"), "A person wants it once more", False),
        ((StateType.CRASHED, "killed"), "Taken up again: its process ended in the middle.", False),
        ((StateType.RUNNING, ""), "Taken up again: nothing was heard of it for 90 s.", False),
    ],
)
def test_what_has_failed_is_not_taken_up_as_lost(
    monkeypatch: pytest.MonkeyPatch, before: tuple[StateType, str], again: str, fails: bool
) -> None:
    class Client:
        async def __aenter__(self) -> "Client":
            return self

        async def __aexit__(self, *_: object) -> None:
            return None

        async def read_flow_run_states(self, _: object) -> list[State[Any]]:
            begun = ((StateType.SCHEDULED, ""), (StateType.RUNNING, ""), before)
            return states(*begun, (StateType.SCHEDULED, again), (StateType.PENDING, ""), (StateType.RUNNING, ""))[::-1]

    monkeypatch.setattr(lost_runs, "get_client", Client)
    monkeypatch.setattr(lost_runs, "deployment", SimpleNamespace(id="nightly"))
    run = "0198a5f2-0000-7000-8000-000000000000"
    monkeypatch.setattr(lost_runs, "this_run", SimpleNamespace(id=run, name="run", run_count=2))
    if not fails:
        asyncio.run(lost_runs.require_unfailed())
        return
    with pytest.raises(InterplayError, match="though it had failed: ConfigError: no such file"):
        asyncio.run(lost_runs.require_unfailed())
