"""A task -> the same after gates, committee and revisions: the first revision that passes, or the last one that does not."""

from collections.abc import Sequence
from dataclasses import dataclass

from interplay.flows.generation.workshop import Workshop
from interplay.generators.blueprints.by_model.revision import rewrite
from interplay.generators.participants.by_model.task_reviewer import ModelReviewer
from interplay.schemas.json.record import Record
from interplay.schemas.protocols import ChatModel, Reviewer
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.tool import Toolset
from interplay.schemas.records.verdict import DatasetRecord, Issue, Round, Verdict
from interplay.validators.blueprints.duplicates import Duplicates
from interplay.validators.blueprints.gates import check_blueprint
from interplay.validators.review.committee import NO_QUORUM, Committee, CommitteeSettings
from interplay.validators.review.feedback import feedback_of
from interplay.validators.review.rubric import Rubric


@dataclass(frozen=True)
class CheckedTask:
    """A blueprint with its verdicts, up to the first that rejects."""

    blueprint: Blueprint
    verdicts: tuple[Verdict, ...]

    @property
    def passed(self) -> bool:
        """Whether the last verdict passed."""
        return self.verdicts[-1].passed


class ComposedTask(Record):
    """The outcome of composing an index, as it is sent between processes: a task, an issue, or the record of a crash."""

    blueprint: Blueprint | None = None
    verdicts: tuple[Verdict, ...] = ()
    issue: Issue | None = None
    lost: DatasetRecord | None = None

    def outcome(self) -> CheckedTask | Issue | DatasetRecord:
        """Return the one outcome that is set."""
        found = self.issue or self.lost if self.blueprint is None else CheckedTask(self.blueprint, self.verdicts)
        assert found is not None
        return found


async def check_task(
    made: Blueprint | Issue, place: Workshop, stories: Duplicates | None = None
) -> CheckedTask | Issue:
    """Return a blueprint with the verdicts of the gates; with the `stories` of a shard, it must be new there, and is added."""
    if isinstance(made, Issue):
        return made
    made = await place.composer.spoil(made)
    draft = CheckedTask(made, await check_blueprint(made, place.blueprint_checks))
    if stories is None or not draft.passed:
        return draft
    story = made.story()
    verdict = stories.judge(story)
    if verdict.passed:
        stories.keep(story, made.recipe.index)
    return CheckedTask(made, (*draft.verdicts, verdict))


@dataclass(frozen=True)
class ReviewPanel:
    """The committee that reviews the blueprints of one index, and the model that rewords them; without one, tasks are redrawn."""

    committee: Committee
    rounds: int
    composer: ChatModel | None = None

    async def settle(self, draft: CheckedTask, place: Workshop, rounds: list[Round]) -> CheckedTask:
        """Review and revise a draft until it passes or may not be revised any more; discarded revisions are added to `rounds`.

        Raises:
            ModelUnavailable, BudgetExceeded: a model cannot be asked now; what was answered is kept.
        """
        while True:
            if draft.passed:
                verdict = await self.committee.check(draft.blueprint)
                draft = CheckedTask(draft.blueprint, (*draft.verdicts, verdict))
            if draft.passed or len(rounds) >= self.rounds or _undecided(draft):
                return draft
            feedback = feedback_of(draft.blueprint, draft.verdicts)
            rounds.append(Round(blueprint=draft.blueprint, verdicts=draft.verdicts, feedback=feedback))
            revised = await self._revised(draft, place, rounds)
            if revised is None:
                rounds.pop()
                return draft
            draft = revised

    async def sent_back(
        self, draft: CheckedTask, verdict: Verdict, place: Workshop, rounds: list[Round]
    ) -> CheckedTask | None:
        """Return a task that its dialogue showed to be at fault, reworded by the composer and reviewed again.

        None if no model composes, it was revised too often, or no revision passes; discarded ones are added to `rounds`.

        Raises:
            ModelUnavailable, BudgetExceeded: a model cannot be asked now; what was answered is kept.
        """
        if self.composer is None or len(rounds) >= self.rounds:
            return None
        verdicts = (*draft.verdicts, verdict)
        feedback = feedback_of(draft.blueprint, [verdict])
        told = await rewrite(draft.blueprint, feedback, self.composer)
        if told is None:
            return None
        rounds.append(Round(blueprint=draft.blueprint, verdicts=verdicts, feedback=feedback))
        async with place.turn():
            again = CheckedTask(told, await check_blueprint(told, place.blueprint_checks))
        settled = await self.settle(again, place, rounds)
        return settled if settled.passed else None

    async def _revised(self, draft: CheckedTask, place: Workshop, rounds: Sequence[Round]) -> CheckedTask | None:
        """Return the next revision: the same task reworded if the committee rejected it, else another draw."""
        if self.composer is not None and draft.verdicts[-1].check == self.committee.name:
            told = await rewrite(draft.blueprint, rounds[-1].feedback, self.composer)
            if told is not None:
                async with place.turn():
                    return CheckedTask(told, await check_blueprint(told, place.blueprint_checks))
        async with place.turn():
            made = await place.composer.revise([(item.blueprint, item.feedback) for item in rounds])
            revised = await check_task(made, place)
        return None if isinstance(revised, Issue) else revised


def _undecided(draft: CheckedTask) -> bool:
    """Tell whether the last verdict lacks a quorum, so that a revision cannot help."""
    return any(issue.code == NO_QUORUM for issue in draft.verdicts[-1].issues)


def open_panel(
    settings: CommitteeSettings, models: Sequence[ChatModel], composer: ChatModel | None, toolset: Toolset
) -> ReviewPanel:
    """Return the panel of one index: a seat for each model, and one for the rubric if it is enabled or no model reviews."""
    reviewers: list[Reviewer] = [
        ModelReviewer(f"reviewer {seat + 1}", model, toolset, settings.metrics) for seat, model in enumerate(models)
    ]
    if settings.rubric or not reviewers:
        reviewers.append(Rubric(toolset))
    return ReviewPanel(Committee(reviewers, settings), settings.rounds, composer)
