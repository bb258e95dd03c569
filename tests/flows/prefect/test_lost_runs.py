"""A run of a deployment that is ended in the middle."""

import signal
import subprocess
import sys

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
            told, _ = process.communicate(timeout=60)
        finally:
            process.kill()
    assert told == "reported\n"
    assert process.returncode == 128 + signal.SIGTERM
