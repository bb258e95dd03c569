"""A task -> its attempts as records, branches included: each played, checked and labelled."""

import asyncio
import logging
import re
import traceback
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Literal

from interplay.flows.branches.branch_point import BranchStart, branch_of, branches_at, with_mistakes
from interplay.flows.generation.panel import CheckedTask
from interplay.flows.generation.play import OnMessage, play
from interplay.flows.generation.workshop import Workshop
from interplay.flows.reviewers.dialogue_reviews import DialogueReviews
from interplay.flows.roles.cast import Cast
from interplay.flows.settings.config import RunConfig
from interplay.flows.settings.dialogue_settings import BranchSettings
from interplay.generators.models.limits.limiter import EndpointDown
from interplay.schemas.errors import EnvironmentFailure, Misunderstood, ModelError
from interplay.schemas.json.canonical import digest
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Trajectory
from interplay.schemas.records.failure import Failure
from interplay.schemas.records.verdict import DatasetRecord, Issue, Verdict
from interplay.validators.chain import check_trajectory
from interplay.validators.labels.diagnosis import diagnose
from interplay.validators.review.dialogue_committee import (
    as_warnings,
    can_be_masked,
    failure_of,
    faulty_turns,
    was_reviewed,
)
from interplay.validators.review.turn_mask import masked

log = logging.getLogger(__name__)

VERSION = version("interplay")
ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
CRASHES = (
    ArithmeticError, AttributeError, EnvironmentFailure, LookupError, RecursionError, TypeError, ValueError
)  # fmt: skip
"""Exceptions that cost one index or attempt and do not end the run."""

OTHER_INDEX = 1 << 40
"""The offset that keeps the index of a further attempt apart from all indices of a run."""

MESSAGE = 400
"""The most characters kept of an error message."""


@dataclass(frozen=True)
class Attempts:
    """Turns tasks into the records of a run; `cast` holds the models that play, `reviews` those that review dialogues.

    `hear` is called with each message of a dialogue.
    """

    config: RunConfig
    run: str
    cast: Cast | None = None
    reviews: DialogueReviews | None = None
    hear: OnMessage = field(default=lambda _: None, repr=False, compare=False)

    async def branched(self, index: int, parent: DatasetRecord, place: Workshop) -> list[DatasetRecord]:
        """Return the records of a dialogue from another run: the dialogue itself, judged again, and its branches."""
        assert parent.blueprint is not None
        assert parent.trajectory is not None
        if parent.blueprint.start is not None:
            place, _ = await place.after(parent.blueprint.start)
        first = await self.judged(index, parent.trajectory, CheckedTask(parent.blueprint, ()), place, 0)
        return [first, *await self.branches(first, parent.attempt, place, 1)]

    async def branches(self, record: DatasetRecord, worded: int, place: Workshop, first: int) -> list[DatasetRecord]:
        """Return the branches of a dialogue as attempts at its task, numbered from `first`; `worded` is the dialogue's number."""
        settings = self.config.branches or BranchSettings()
        cut = branches_at(record, settings)
        if cut is None or record.blueprint is None:
            return []
        by_rules = self.cast is None or self.cast.player("assistant", self.config.seed, record.index) is None
        wanted = settings.with_mistakes(by_rules) if record.status == "accepted" else 0
        draft = CheckedTask(record.blueprint, ())
        try:
            async with place.turn():
                wrong = await with_mistakes(record, cut, place.world, wanted)
        except CRASHES as error:
            return [self.lost(record.index, error, record.blueprint, first)]
        made = [
            await self.judged(record.index, trajectory, draft, place, first + n) for n, trajectory in enumerate(wrong)
        ]
        branch = branch_of(record, cut, numbered(record.blueprint, worded))
        for number in range(first + len(made), first + settings.count):
            made.append(await self.played(record.index, draft, place, number, branch))
        return made

    async def step(self) -> None:
        """Let the other indices of a group catch up, where the rules play.

        Rules never wait, so without this each index would run to its end. Taking each step together keeps its code in the
        processor's cache. Interruptions are handled here too.
        """
        if self.cast is None:
            await asyncio.sleep(0)

    async def played(
        self, index: int, draft: CheckedTask, place: Workshop, number: int, branch: BranchStart | None = None
    ) -> DatasetRecord:
        """Play a task, check the dialogue, and label it if it fails."""
        made = draft.blueprint
        try:
            again = numbered(made, number)
            trajectory = await play(
                again, place, self.cast, VERSION, self.config.limits, self.hear, branch, self.config.prose
            )
            await self.step()
            return await self.judged(index, trajectory, draft, place, number)
        except EndpointDown:
            raise
        except (ModelError, Misunderstood, *CRASHES) as error:
            return self.lost(index, error, made, number)

    async def judged(
        self, index: int, trajectory: Trajectory, draft: CheckedTask, place: Workshop, number: int
    ) -> DatasetRecord:
        """Check a dialogue, have it reviewed, and label it if it fails."""
        made = draft.blueprint
        async with place.turn():
            judgement = await check_trajectory(trajectory, made, place.trajectory_checks)
            failure = await diagnose(trajectory, made, judgement, place.trajectory_checks, place.world.toolset)
        verdicts = (*draft.verdicts, *judgement.verdicts)
        record = self.record(index, judgement.stage, made, trajectory, verdicts, number, failure)
        if self.reviews is None or record.status == "rejected" or not self.reviews.concern(trajectory, made):
            return record
        return reviewed(
            record,
            await self.reviews.of_trajectory(trajectory, made, place.world.toolset, index),
            self.reviews.settings.keep,
        )

    def lost(self, index: int, error: Exception, blueprint: Blueprint | None = None, attempt: int = 0) -> DatasetRecord:
        """Return the record of an attempt that ended with an exception: a crash, or a model that did not answer."""
        if isinstance(error, ModelError):
            stage, code, message = "model", "model_failed", str(error)
        elif isinstance(error, Misunderstood):
            stage, code, message = "branch", "cannot_go_on", str(error)
        else:
            # No file, line or memory address: a record is a function of configuration and index alone.
            stage, code, message = "crash", "crashed", f"{type(error).__name__}: {ADDRESS.sub('', str(error))[:200]}"
            place = traceback.extract_tb(error.__traceback__)[-1:]
            where = "".join(f"{frame.filename}:{frame.lineno}" for frame in place)
            log.warning("index %s, attempt %s: %s (%s)", index, attempt, message, where)
        verdict = Verdict(check=stage, issues=(Issue(code=code, message=message[:MESSAGE]),))
        return self.record(index, stage, blueprint, verdicts=(verdict,), attempt=attempt)

    def record(
        self,
        index: int,
        stage: str | None,
        blueprint: Blueprint | None = None,
        trajectory: Trajectory | None = None,
        verdicts: tuple[Verdict, ...] = (),
        attempt: int = 0,
        failure: Failure | None = None,
    ) -> DatasetRecord:
        return DatasetRecord(
            id=digest([self.run, index, blueprint.id if blueprint else None, *([attempt] if attempt else [])]),
            run=self.run,
            index=index,
            attempt=attempt,
            status="accepted" if stage is None else "rejected",
            stage=stage,
            failure=failure,
            blueprint=blueprint,
            trajectory=trajectory,
            verdicts=verdicts,
        )


def reviewed(record: DatasetRecord, verdict: Verdict, keep: Literal["sound", "masked"]) -> DatasetRecord:
    """Return a record after its review: accepted, rejected, or, if `keep` is "masked", accepted with the faulty turns masked."""
    assert record.trajectory is not None
    told = record.model_copy(update={"reviewed": was_reviewed(verdict)})
    failure = failure_of(verdict, len(record.trajectory.messages))
    if failure is None:
        return told.model_copy(update={"verdicts": (*record.verdicts, verdict)})
    if keep == "masked" and can_be_masked(verdict, record.trajectory.messages):
        messages = masked(record.trajectory.messages, faulty_turns(verdict))
        trajectory = record.trajectory.model_copy(update={"messages": messages})
        return told.model_copy(update={"trajectory": trajectory, "verdicts": (*record.verdicts, as_warnings(verdict))})
    return told.rejected_by(verdict).model_copy(update={"failure": failure})


def numbered(blueprint: Blueprint, number: int) -> Blueprint:
    """Return a blueprint under an index of its own for attempt `number`: rules word it otherwise, and models are asked anew."""
    if not number:
        return blueprint
    recipe = blueprint.recipe.model_copy(update={"index": blueprint.recipe.index + number * OTHER_INDEX})
    return blueprint.model_copy(update={"recipe": recipe})
