"""A workspace and a configuration -> the share of dialogues that was accepted there."""

from typing import Any, Literal

from pydantic import Field

from interplay.flows.settings.config import RunConfig
from interplay.flows.workspaces.run_store import loaded_store
from interplay.flows.workspaces.workspace import Workspace
from interplay.outputs.report.intervals import wilson
from interplay.outputs.report.statistics import funnel
from interplay.schemas.json.record import Record


class Yield(Record):
    """The share of played dialogues that is accepted: measured in a workspace, given by the caller, or assumed."""

    share: float = Field(1.0, gt=0, le=1, description="Share of dialogues that is accepted.")
    passing: float = Field(1.0, gt=0, le=1, description="Share that passes all checks by execution, before reviews.")
    sent_back: float = Field(0.0, ge=0, le=1, description="Share of reviews of tasks that send one back.")
    source: Literal["measured", "given", "assumed"] = "assumed"
    dialogues: int = Field(0, description="How many it was measured on.")
    low: float = Field(0.0, description="The 95 % interval of the share, from here")
    high: float = Field(1.0, description="to here.")


def measured_yield(workspace: Workspace, config: RunConfig) -> Yield | None:
    """Return the yield of a run with the same configuration; None if nothing was accepted yet.

    Raises:
        ConfigError, StoreError: the workspace is in use, or a file of it is broken.
    """
    run = workspace.run()
    if run is None:
        return None
    decided = {"shard_size": run.config.shard_size, "start": config.start and run.config.start}
    if run.config.fingerprint() != config.model_copy(update=decided).fingerprint():
        return None
    with loaded_store(workspace) as store:
        left: dict[str, Any] = {step["step"]: step["left"] for step in funnel(store, run.run)}
        reviews = store.query(
            "SELECT count(*) AS judged, count(*) FILTER (NOT passed) AS sent FROM rounds JOIN records ON id = record_id "
            "WHERE run = ? AND attempt = 0 AND check_name = 'committee'",
            [run.run],
        )[0]
    if not left.get("accepted"):
        return None
    low, high = wilson(left["accepted"], left["played"])
    return Yield(
        share=left["accepted"] / left["played"],
        passing=left["checks"] / left["played"],
        sent_back=reviews["sent"] / reviews["judged"] if reviews["judged"] else 0.0,
        source="measured",
        dialogues=left["played"],
        low=low,
        high=high,
    )
