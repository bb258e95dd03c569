"""A Prefect server -> one that takes up runs again whose worker was lost, without a person.

A flow run tells every so often that it lives. Where it falls silent, where its process ended in the middle, or where a
worker took it and never began, an automation schedules it anew, and the next worker goes on with what is in the workspace.
"""

from datetime import timedelta

from prefect.automations import AutomationCore
from prefect.client.orchestration import SyncPrefectClient
from prefect.client.schemas.objects import StateType
from prefect.events.actions import ChangeFlowRunState
from prefect.events.schemas.automations import EventTrigger, Posture

TAG = "interplay"
HEARTBEAT = 30
"""Seconds between two signs of life; Prefect takes no fewer."""
SILENT = 3 * HEARTBEAT
"""Seconds of silence after which a run counts as lost."""
NOT_BEGUN = 180
"""Seconds that a process may take to begin."""

_ENDED = {f"prefect.flow-run.{state}" for state in ("Completed", "Failed", "Cancelled", "Crashed", "AwaitingRetry")}


def _automation(name: str, why: str, trigger: EventTrigger) -> AutomationCore:
    again = ChangeFlowRunState(state=StateType.SCHEDULED, name="AwaitingRetry", message=why)
    return AutomationCore(name=f"interplay: {name}", description=why, trigger=trigger, actions=[again])


def _trigger(posture: Posture, after: set[str], expect: set[str], seconds: int = 0) -> EventTrigger:
    return EventTrigger(
        match={"prefect.resource.id": "prefect.flow-run.*"},
        match_related={"prefect.resource.role": "tag", "prefect.resource.id": f"prefect.tag.{TAG}"},
        for_each={"prefect.resource.id"},
        posture=posture,
        after=after,
        expect=expect,
        within=timedelta(seconds=seconds),
    )


def automations() -> tuple[AutomationCore, ...]:
    """Return what takes up lost runs, all of those that are tagged with interplay."""
    alive, running = "prefect.flow-run.heartbeat", "prefect.flow-run.Running"
    return (
        _automation(
            "take up silent runs",
            f"Taken up again: nothing was heard of it for {SILENT} s.",
            _trigger(Posture.Proactive, {alive}, {alive, *_ENDED}, SILENT),
        ),
        _automation(
            "take up crashed runs",
            "Taken up again: its process ended in the middle.",
            _trigger(Posture.Reactive, set(), {"prefect.flow-run.Crashed"}),
        ),
        _automation(
            "take up runs that never began",
            f"Taken up again: a worker took it, and it had not begun after {NOT_BEGUN} s.",
            _trigger(Posture.Proactive, {"prefect.flow-run.Pending"}, {running, alive, *_ENDED}, NOT_BEGUN),
        ),
    )


def keep_automations(client: SyncPrefectClient) -> tuple[str, ...]:
    """Write the automations to a server, in place of earlier ones of the same names; return the names."""
    wanted = automations()
    for automation in wanted:
        for known in client.read_automations_by_name(automation.name):
            client.delete_automation(known.id)
        client.create_automation(automation)
    return tuple(automation.name for automation in wanted)
