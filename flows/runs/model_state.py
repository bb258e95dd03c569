"""The state of a run's models -> a small file in its workspace, for other processes that watch the run."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from pydantic import Field, ValidationError

from interplay.flows.runs.committer import RunProgress
from interplay.flows.workspaces.lock import process_holding
from interplay.flows.workspaces.workspace import Workspace
from interplay.generators.models.batches.batched_model import BatchSnapshot
from interplay.generators.models.limits.budget import Spent
from interplay.generators.models.limits.limit_settings import LimitSnapshot
from interplay.schemas.json.record import Record
from interplay.schemas.plain_file import plain


class ModelState(Record):
    """The state of endpoints and batches of a running process, and what was `spent` so far."""

    process: int = Field(description="The one that runs; what another left behind is told to nobody.")
    limits: tuple[LimitSnapshot, ...] = ()
    batches: tuple[BatchSnapshot, ...] = ()
    spent: Spent | None = None


@contextmanager
def told_to_others(workspace: Workspace) -> Iterator[None]:
    """Delete the file when the run ends, however it ends."""
    try:
        yield
    finally:
        with suppress(OSError):
            workspace.models_file.unlink(missing_ok=True)


def tell_others(workspace: Workspace, progress: RunProgress, process: int) -> None:
    """Write the state of the models; errors are ignored, as the file is only for display."""
    state = ModelState(
        process=process,
        limits=tuple(one for one in progress.models if isinstance(one, LimitSnapshot)),
        batches=tuple(one for one in progress.models if isinstance(one, BatchSnapshot)),
        spent=progress.spent,
    )
    partial = workspace.models_file.with_suffix(".partial")
    with suppress(OSError):
        partial.unlink(missing_ok=True)
        partial.write_text(state.model_dump_json(), encoding="utf-8")
        partial.replace(workspace.models_file)


def model_state(workspace: Workspace) -> ModelState | None:
    """Return the state of the models of a running process; None if none runs here, or no model plays."""
    try:
        state = ModelState.model_validate_json(plain(workspace.models_file).read_bytes())
    except (OSError, ValidationError):
        return None
    return state if state.process == process_holding(workspace) else None
