"""The configured reviewers -> a function from dialogues to verdicts.

async with open_judge(config, journal) as judge:
    verdict = await judge(dialogue)      # a RecordedDialogue
"""

from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from interplay.flows.reviewers.review_cases import case_of_recorded, case_of_trajectory
from interplay.flows.roles.cast import Cast, open_cast
from interplay.flows.settings.config import RunConfig
from interplay.flows.settings.config_file import load_config
from interplay.flows.workspaces.run_files import make_folder
from interplay.flows.workspaces.workspace import Workspace
from interplay.generators.participants.by_model.dialogue_reviewer import ModelDialogueReviewer
from interplay.schemas.errors import ConfigError
from interplay.schemas.protocols import DialogueReviewer
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.calibration import Votes
from interplay.schemas.records.dialogue import Trajectory
from interplay.schemas.records.recorded import RecordedDialogue
from interplay.schemas.records.tool import Toolset
from interplay.schemas.records.verdict import Verdict
from interplay.validators.review.dialogue_committee import (
    ALIKE,
    DialogueCommittee,
    ReviewSettings,
    as_warnings,
    can_be_masked,
)

Judge = Callable[[RecordedDialogue], Awaitable[Verdict]]


async def review(
    dialogue: RecordedDialogue,
    reviewers: Sequence[DialogueReviewer],
    settings: ReviewSettings | None = None,
    votes: Votes = ALIKE,
) -> Verdict:
    """Return the reviewers' verdict on a dialogue recorded elsewhere.

    Raises:
        ModelUnavailable, BudgetExceeded: a reviewer cannot be asked now.
    """
    return await DialogueCommittee(reviewers, settings or ReviewSettings(), votes).check(case_of_recorded(dialogue))


@dataclass(frozen=True)
class DialogueReviews:
    """The reviewers of a run; `votes` are the weights found by calibration."""

    cast: Cast
    settings: ReviewSettings
    seed: int = 0
    votes: Votes = ALIKE

    def reviewers(self, index: int = 0) -> tuple[DialogueReviewer, ...]:
        """Return the reviewers of one dialogue, named after their models; empty if no model reviews."""
        models = self.cast.reviewers(self.seed, index, self.settings.reviewers)
        names = seat_names([choice.model for choice in self.cast.settings("reviewer").models], len(models))
        return tuple(
            ModelDialogueReviewer(name, model, self.settings.window) for name, model in zip(names, models, strict=True)
        )

    def concern(self, trajectory: Trajectory, blueprint: Blueprint) -> bool:
        """Tell whether a dialogue is to be reviewed: one in which a model speaks, or any if the settings ask for all."""
        own = trajectory.messages[blueprint.begins :]
        return self.settings.dialogues == "all" or any(message.model for message in own if message.role != "tool")

    async def of_trajectory(
        self, trajectory: Trajectory, blueprint: Blueprint, toolset: Toolset, index: int
    ) -> Verdict:
        """Return the verdict on a dialogue that was played and passed the checks by execution.

        Raises:
            ModelUnavailable, BudgetExceeded: a reviewer cannot be asked now.
        """
        committee = DialogueCommittee(self.reviewers(index), self.settings, self.votes)
        return await committee.check(case_of_trajectory(trajectory, blueprint, toolset))

    async def of_recorded(self, dialogue: RecordedDialogue) -> Verdict:
        """Return the verdict on a dialogue recorded elsewhere; see `review`.

        If faulty turns are to be masked, and all issues can be, they are only warnings.
        """
        verdict = await review(dialogue, self.reviewers(), self.settings, self.votes)
        kept = self.settings.keep == "masked" and can_be_masked(verdict, dialogue.messages)
        return as_warnings(verdict) if kept else verdict


def seat_names(models: Sequence[str], seats: int) -> tuple[str, ...]:
    """Return the names of the seats: "local", and "local (2)" for the second seat of a model."""
    taken: Counter[str] = Counter()
    names = []
    for seat in range(seats):
        name = models[seat % len(models)]
        taken[name] += 1
        names.append(name if taken[name] == 1 else f"{name} ({taken[name]})")
    return tuple(names)


def reviews_of(config: RunConfig, cast: Cast | None, votes: Votes = ALIKE) -> DialogueReviews | None:
    """Return the reviewers of a run's dialogues; None if no model reviews."""
    if cast is None or not config.reviews_dialogues():
        return None
    return DialogueReviews(cast, config.review, config.seed, votes)


@asynccontextmanager
async def open_reviews(config: RunConfig, journal: Path, votes: Votes = ALIKE) -> AsyncIterator[DialogueReviews]:
    """Open the reviewers that a configuration names, with their journal.

    Raises:
        ConfigError: it names none, or a key is missing.
        StoreError: the journal cannot be opened.
    """
    cast = open_cast(config, journal)
    try:
        found = reviews_of(config, cast, votes)
        if found is None:
            raise ConfigError(
                "roles/reviewer: name the models that review, as in roles: {reviewer: local}, with a seat in review/reviewers."
            )
        yield found
    finally:
        if cast is not None:
            await cast.aclose()


@asynccontextmanager
async def open_judge(config: RunConfig, journal: Path, votes: Votes = ALIKE) -> AsyncIterator[Judge]:
    """Open a function from recorded dialogues to verdicts; see `open_reviews`."""
    async with open_reviews(config, journal, votes) as found:

        async def judge(dialogue: RecordedDialogue) -> Verdict:
            async with found.cast.dialogue():
                return await found.of_recorded(dialogue)

        yield judge


@asynccontextmanager
async def judge_of(config: Path, workspace: Workspace) -> AsyncIterator[Judge]:
    """Open a judge from a configuration file, with journal and calibrated votes of a workspace; see `open_judge`.

    Raises:
        ConfigError, StoreError: see `open_judge`, or the file cannot be read.
    """
    make_folder(workspace.folder)
    known = workspace.calibration()
    async with open_judge(load_config(config), workspace.journal_file, known.votes if known else ALIKE) as judge:
        yield judge
