"""A Prefect server -> automations on it that restart runs whose worker was lost, without a person.

A run of a deployment sends a heartbeat, and reports when it has ended or crashed. If it falls silent, if its process crashed,
or if a worker took it and it never began, an automation schedules it again, and the next worker continues in its workspace.

The automations do not use the server's own state events: each must follow the one before, the first event of a scheduled run
is never sent, and so automations receive all of them a quarter of an hour late. Events of interplay and of workers have no
predecessor.
"""

import asyncio
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, Literal
from uuid import UUID

from prefect import Flow, State, get_client
from prefect.automations import AutomationCore
from prefect.client.orchestration import SyncPrefectClient
from prefect.client.schemas.objects import FlowRun, StateType
from prefect.events import emit_event
from prefect.events.actions import ChangeFlowRunState
from prefect.events.schemas.automations import EventTrigger, Posture
from prefect.events.schemas.events import RelatedResource
from prefect.events.worker import EventsWorker
from prefect.exceptions import TerminationSignal
from prefect.logging.handlers import APILogWorker
from prefect.runtime import deployment
from prefect.runtime import flow_run as this_run

from interplay.flows.runs.process_life import leave
from interplay.schemas.errors import InterplayError

TAG = "interplay"
HEARTBEAT = 30
"""Seconds between two heartbeats."""
SILENT = 3 * HEARTBEAT
"""Seconds of silence after which a run counts as lost."""
CRASHED = 30
"""Seconds before a crashed run is restarted: the worker reports a crash twice, the second time some seconds later."""
NOT_BEGUN = 180
"""Seconds that a process may take to begin."""
LAST_WORDS = 5.0
"""Seconds for a cancelled run to send its remaining events and logs."""

AGAIN = "Taken up again:"
"""The beginning of the state message of a run that an automation restarts."""

Sign = Literal["alive", "ended", "crashed"]
_TAKEN, _LEFT = "prefect.worker.submitted-flow-run", "prefect.worker.executed-flow-run"
"""The events of a worker when it takes a run, and when the run's process has ended."""
_RUN = "related:flow-run:prefect.resource.id"
"""Where the events of workers and of interplay name the run."""


def _name(sign: Sign) -> str:
    return f"interplay.run.{sign}"


def tell(sign: Sign, run: str, name: str) -> None:
    """Send the event `sign` about a run to the server."""
    own = {"prefect.resource.id": f"prefect.flow-run.{run}", "prefect.resource.name": name}
    tag = {"prefect.resource.id": f"prefect.tag.{TAG}", "prefect.resource.role": "tag"}
    related = [{**own, "prefect.resource.role": "flow-run"}, tag]
    emit_event(_name(sign), own, related=[RelatedResource.model_validate(one) for one in related])


async def require_unfailed() -> None:
    """Check that this run was not restarted as lost although it had failed: the server may learn of its end too late.

    Raises:
        InterplayError: it had failed, with the original message.
    """
    if deployment.id is None or (this_run.run_count or 1) < 2:
        return
    async with get_client() as client:
        states = await client.read_flow_run_states(UUID(str(this_run.id)))
    told = sorted(states, key=lambda state: state.timestamp)
    asked = next((place for place in range(len(told) - 1, -1, -1) if told[place].type == StateType.SCHEDULED), 0)
    if str(told[asked].message or "").startswith(AGAIN) and asked and told[asked - 1].type == StateType.FAILED:
        raise InterplayError(f"It was taken up again though it had failed: {told[asked - 1].message}"[:_SAID])


_SAID = 2_000
"""The most characters repeated of an error."""


@contextmanager
def signs_of_life() -> Iterator[None]:
    """Send heartbeats while this run of a deployment lives; other runs cannot be restarted, and send none.

    Such a run has a process of its own. When it is cancelled, the process ends with its task, without waiting for threads that
    make a shard or an export and cannot be interrupted: a file appears complete or not at all.
    """
    if deployment.id is None:
        yield
        return
    run, name, over = str(this_run.id), str(this_run.name), threading.Event()

    def beat() -> None:
        tell("alive", run, name)
        while not over.wait(HEARTBEAT):
            tell("alive", run, name)

    threading.Thread(target=beat, name="signs of life", daemon=True).start()
    try:
        yield
    except (asyncio.CancelledError, TerminationSignal):
        task = asyncio.current_task()
        assert task is not None
        task.add_done_callback(lambda _: threading.Thread(target=_leave, name="leaving", daemon=True).start())
        raise
    finally:
        over.set()


def _leave() -> None:
    """Send remaining events and logs to the server, and end this process."""
    for worker in (EventsWorker, APILogWorker):
        worker.drain_all(timeout=LAST_WORDS)
    leave(128 + signal.SIGTERM)


def tell_ended(flow: Flow[..., Any], flow_run: FlowRun, state: State[Any]) -> None:  # noqa: ARG001
    """Report that a run has ended by itself or was cancelled; a hook of flows."""
    if flow_run.deployment_id is not None:
        tell("ended", str(flow_run.id), flow_run.name)


def tell_crashed(flow: Flow[..., Any], flow_run: FlowRun, state: State[Any]) -> None:  # noqa: ARG001
    """Report that the process of a run has crashed; a hook of flows, called by the worker."""
    if flow_run.deployment_id is not None:
        tell("crashed", str(flow_run.id), flow_run.name)


def _automation(name: str, why: str, after: str, expect: set[str], seconds: int) -> AutomationCore:
    trigger = EventTrigger(
        match={"prefect.resource.id": ["prefect.flow-run.*", "prefect.worker.*"]},
        match_related={"prefect.resource.role": "tag", "prefect.resource.id": f"prefect.tag.{TAG}"},
        for_each={_RUN},
        posture=Posture.Proactive,
        after={after},
        expect=expect,
        within=timedelta(seconds=seconds),
    )
    again = ChangeFlowRunState(state=StateType.SCHEDULED, name="AwaitingRetry", message=why)
    return AutomationCore(name=f"interplay: {name}", description=why, trigger=trigger, actions=[again])


def automations() -> tuple[AutomationCore, ...]:
    """Return the automations that restart lost runs, for all runs tagged `interplay`."""
    alive, ended, crashed = _name("alive"), _name("ended"), _name("crashed")
    return (
        _automation(
            "take up silent runs",
            f"{AGAIN} nothing was heard of it for {SILENT} s.",
            alive,
            {alive, ended, crashed},
            SILENT,
        ),
        _automation(
            "take up crashed runs", f"{AGAIN} its process ended in the middle.", crashed, {alive, ended}, CRASHED
        ),
        _automation(
            "take up runs that never began",
            f"{AGAIN} a worker took it, and it had not begun after {NOT_BEGUN} s.",
            _TAKEN,
            {_LEFT, alive, ended, crashed},
            NOT_BEGUN,
        ),
    )


def keep_automations(client: SyncPrefectClient) -> tuple[str, ...]:
    """Create or update the automations on a server, and return their names.

    An existing one is updated, not replaced: events counted for a deleted automation fail, and others with them.
    """
    wanted = automations()
    for automation in wanted:
        known = client.read_automations_by_name(automation.name)
        if not known:
            client.create_automation(automation)
        elif (known[0].trigger, known[0].actions) != (automation.trigger, automation.actions):
            client.update_automation(known[0].id, automation)
    return tuple(automation.name for automation in wanted)
