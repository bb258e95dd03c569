"""Reviewers over labelled dialogues -> how reliable each is, and how much its vote counts from then on."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import get_args

from interplay.flows.reviewers.dialogue_reviews import DialogueReviews, open_reviews
from interplay.flows.reviewers.gold_file import Label, Labelled, holds_labels, read_labelled
from interplay.flows.reviewers.review_cases import case_of_recorded, case_of_trajectory
from interplay.flows.settings.config import RunConfig
from interplay.flows.workspaces.run_files import make_folder, write_record
from interplay.flows.workspaces.run_store import loaded_store
from interplay.flows.workspaces.workspace import Workspace, read_labels
from interplay.outputs.exporters.selection import Opinions
from interplay.schemas.errors import ImportFailure, StoreError
from interplay.schemas.records.calibration import Calibration, PersonLabel, ReviewerFigures, Votes
from interplay.schemas.records.failure import FailureKind
from interplay.schemas.records.review import ReviewCase
from interplay.schemas.records.tool import Toolset
from interplay.schemas.records.verdict import DatasetRecord, Review, Verdict
from interplay.validators.review.dialogue_committee import (
    DialogueCommittee,
    failure_of,
    faulty_turns,
    was_reviewed,
)
from interplay.validators.review.reviewer_agreement import HALF, Finding, figures, threshold, weight

AT_ONCE = 64
"""Dialogues under review at a time."""


@dataclass(frozen=True)
class Specimen:
    """A dialogue as reviewers see it, with its hidden label; `places` maps messages of the case to those that labels count by."""

    case: ReviewCase
    label: Label
    places: Mapping[int, int]


def specimen(labelled: Labelled) -> Specimen:
    """Return the specimen of a labelled dialogue from a file."""
    dialogue = labelled.dialogue
    return Specimen(
        case_of_recorded(dialogue),
        labelled.label,
        {index: dialogue.place(index) for index in range(len(dialogue.messages))},
    )


async def calibrate_in(workspace: Workspace, gold: Path, config: RunConfig, limit: int | None = None) -> Calibration:
    """Calibrate the reviewers of a configuration on a file of labels, and store the result in a workspace.

    Raises:
        ConfigError, ImportFailure: no model reviews, or the file holds no labels.
        ModelUnavailable, BudgetExceeded: see `calibrate`.
        StoreError: the workspace cannot be written.
    """
    specimens = evenly(specimens_in(gold, workspace), limit)
    make_folder(workspace.folder)
    async with open_reviews(config, workspace.journal_file) as reviews:
        found = await calibrate(specimens, reviews, gold.name)
    write_record(workspace.calibration_file, found, indent=2)
    return found


def specimens_in(gold: Path, workspace: Workspace) -> list[Specimen]:
    """Return the labelled dialogues of a file, or, if it holds only labels, the dialogues of a workspace that they are about.

    Raises:
        ConfigError, ImportFailure: the file cannot be read, or holds no labels.
    """
    if not holds_labels(gold):
        return [specimen(one) for one in read_labelled(gold)]
    toolset = workspace.toolset()
    return [_of_record(record, label, toolset) for record, label in labelled_records(workspace, read_labels(gold))]


def _of_record(record: DatasetRecord, label: Label, toolset: Toolset) -> Specimen:
    assert record.trajectory is not None
    assert record.blueprint is not None
    places = {index: index for index in range(len(record.trajectory.messages))}
    return Specimen(case_of_trajectory(record.trajectory, record.blueprint, toolset), label, places)


def evenly(specimens: Sequence[Specimen], limit: int | None) -> list[Specimen]:
    """Return at most `limit` specimens in order: half of them sound if possible, the others spread over the kinds of faults."""
    if limit is None or limit >= len(specimens):
        return list(specimens)
    sound = [one for one in specimens if one.label.sound]
    kinds: dict[str, list[Specimen]] = {}
    for one in specimens:
        if not one.label.sound:
            kinds.setdefault(str(one.label.kind), []).append(one)
    faulty = [one for row in zip_longest(*kinds.values()) for one in row if one is not None]
    half = min(limit // 2, len(faulty))
    chosen = [*faulty[:half], *sound[: limit - half]]
    chosen += faulty[half : half + limit - len(chosen)]
    wanted = {id(one) for one in chosen}
    return [one for one in specimens if id(one) in wanted]


async def calibrate(specimens: Sequence[Specimen], reviews: DialogueReviews, gold: str) -> Calibration:
    """Let all reviewers read all dialogues, and return how they agree with the labels.

    Raises:
        ModelUnavailable, BudgetExceeded: a reviewer cannot be asked now; what was answered is kept.
    """
    reviewers = reviews.reviewers()
    gate = asyncio.Semaphore(10**6 if reviews.cast.batches else AT_ONCE)

    async def read(one: Specimen) -> list[Review]:
        async with gate, reviews.cast.dialogue():
            return list(await asyncio.gather(*(reviewer.review(one.case) for reviewer in reviewers)))

    answers = await asyncio.gather(*(read(one) for one in specimens))
    alone = []
    for seat, reviewer in enumerate(reviewers):
        single = DialogueCommittee([reviewer], reviews.settings.model_copy(update={"quorum": 1}))
        verdicts = [single.verdict(one.case, [given[seat]]) for one, given in zip(specimens, answers, strict=True)]
        alone.append(_figures(reviewer.name, specimens, verdicts))
    votes = Votes(weights=_weights(alone), thresholds=_thresholds(specimens, answers))
    committee = DialogueCommittee(reviewers, reviews.settings, votes)
    verdicts = [committee.verdict(one.case, given) for one, given in zip(specimens, answers, strict=True)]
    return Calibration(
        gold=gold,
        dialogues=len(specimens),
        reviewers=tuple(alone),
        committee=_figures("committee", specimens, verdicts),
        votes=votes,
        dollars=reviews.cast.spent("reviewer").dollars,
    )


def _figures(name: str, specimens: Sequence[Specimen], verdicts: Sequence[Verdict]) -> ReviewerFigures:
    tokens = sum(review.usage.total for verdict in verdicts for review in verdict.reviews)
    found = [finding(one, verdict) for one, verdict in zip(specimens, verdicts, strict=True)]
    return figures(name, found, round(tokens / max(len(specimens), 1)))


def finding(one: Specimen, verdict: Verdict) -> Finding:
    """Return the verdict on a dialogue beside its label."""
    failure = failure_of(verdict, len(one.case.messages))
    turn = None if failure is None or failure.message is None else one.places.get(failure.message)
    return Finding(
        sound=one.label.sound,
        kind=one.label.kind,
        message=one.label.message,
        decided=was_reviewed(verdict),
        rejected=failure is not None,
        fault=failure.fault if failure else None,
        turn=turn,
        found=frozenset(faulty_turns(verdict).values()),
    )


def _weights(alone: Sequence[ReviewerFigures]) -> dict[str, float]:
    """Return the weight of each model: the weight of its best seat."""
    weights: dict[str, float] = {}
    for figure in alone:
        name = figure.reviewer.split(" (")[0]
        weights[name] = max(weights.get(name, 0.0), weight(figure))
    return weights


def _thresholds(specimens: Sequence[Specimen], answers: Sequence[Sequence[Review]]) -> dict[FailureKind, float]:
    """Return the share of votes that rejects, for each kind where it is not one half."""
    found: dict[FailureKind, float] = {}
    if not answers or len(answers[0]) < 2:
        return found
    for kind in get_args(FailureKind):
        told = [(_share(one.case, given, kind), one.label.kind) for one, given in zip(specimens, answers, strict=True)]
        best = threshold(kind, told)
        if best != HALF:
            found[kind] = best
    return found


def _share(case: ReviewCase, reviews: Sequence[Review], kind: FailureKind) -> float:
    """Return the greatest share of votes against any item of a kind."""
    shares = [0.0]
    for item in case.items:
        if item.kind == kind:
            given = [answer.answer for review in reviews for answer in review.answers if answer.item == item.id]
            counted = [answer for answer in given if answer != "abstained"]
            shares.append(counted.count("no") / len(counted) if counted else 0.0)
    return max(shares)


def labelled_records(workspace: Workspace, labels: Sequence[PersonLabel]) -> tuple[tuple[DatasetRecord, Label], ...]:
    """Return the records on which people agree, in the order of the labels, each with its label.

    Raises:
        ConfigError: the workspace holds no run yet.
        ImportFailure: none of the labels is about a dialogue of the workspace.
    """
    sound = Opinions.of(labels).sound
    found: list[tuple[DatasetRecord, Label]] = []
    with loaded_store(workspace) as store:
        for identifier in dict.fromkeys(label.id for label in labels if label.id in sound):
            try:
                record = store.record(identifier)
            except StoreError:
                continue
            if record.trajectory is not None and record.blueprint is not None:
                found.append((record, _label(identifier, sound[identifier], labels)))
    if not found:
        raise ImportFailure(
            f"None of the labels is about a dialogue of {workspace.name}: give ids as interplay show does."
        )
    return tuple(found)


def _label(identifier: str, sound: bool, labels: Sequence[PersonLabel]) -> Label:
    """Return the label of a record from people's labels; the first one with a message gives the place of the fault."""
    against = [label for label in labels if label.id == identifier and not label.sound]
    first = next((label for label in against if label.message is not None), next(iter(against), None))
    if sound or first is None:
        return Label(sound=sound)
    return Label(sound=False, kind=first.kind, message=first.message)
