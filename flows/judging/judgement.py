"""Files of recorded dialogues, with tools, policy and gold where somebody gives them -> each dialogue with its verdict."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from interplay.flows.judging.environment_runs import run_issues
from interplay.flows.worlds.assembly import OpenedWorld, open_world
from interplay.generators.importers.conversations.whole_dialogues import Unread, read_dialogues, read_golds
from interplay.schemas.records.recorded import JudgedDialogue, RecordedDialogue
from interplay.schemas.records.verdict import Verdict
from interplay.validators.recorded.checks import check_facts
from interplay.validators.recorded.first_fault import first_fault, recorded_issue

DialogueReview = Callable[[RecordedDialogue], Awaitable[Verdict]]
"""What asks reviewers about a dialogue; codes of its issues may be kinds of failures, and their pointers name messages."""

Judged = tuple[RecordedDialogue, JudgedDialogue]


async def judge_files(
    files: Sequence[Path],
    toolsets: Sequence[str] = (),
    policy: str = "",
    gold: Path | None = None,
    review: DialogueReview | None = None,
) -> AsyncIterator[Judged | Unread]:
    """Yield each dialogue of the files with what became of it, and the reason of each that cannot be read.

    Where `toolsets` are named, their tools stand for those in the files, and calls are made again in their environment.
    `policy` is the prose that stands for the system prompt of dialogues without one.

    Raises:
        ConfigError, ImportFailure: a specification is not understood, or a file is not there.
    """
    world = open_world(toolsets) if toolsets else None
    golds: Mapping[str, Any] = read_golds(gold) if gold is not None else {}
    for file in files:
        for found in read_dialogues(file, world.toolset if world else None, golds):
            if isinstance(found, Unread):
                yield found
                continue
            dialogue = found if found.system or not policy else found.model_copy(update={"system": policy})
            yield dialogue, await judge(dialogue, world, review)


async def judge(
    dialogue: RecordedDialogue, world: OpenedWorld | None = None, review: DialogueReview | None = None
) -> JudgedDialogue:
    """Judge one dialogue by facts, and where these pass by reviewers, if there are any."""
    verdicts = [check_facts(dialogue)]
    if world is not None:
        verdicts.append(Verdict(check="environment", issues=tuple(await run_issues(dialogue, world))))
    reviewed = review is not None and all(verdict.passed for verdict in verdicts)
    if review is not None and reviewed:
        verdicts.append(await review(dialogue))
    return _judged(dialogue, verdicts, reviewed)


def _judged(dialogue: RecordedDialogue, verdicts: Iterable[Verdict], reviewed: bool) -> JudgedDialogue:
    issues = [issue for verdict in verdicts for issue in verdict.issues]
    fault, turn = first_fault(issues, dialogue)
    return JudgedDialogue(
        id=dialogue.id,
        source=dialogue.source,
        accepted=not any(issue.severity == "error" for issue in issues),
        issues=tuple(recorded_issue(issue, dialogue) for issue in issues),
        fault=fault,
        turn=turn,
        scores={name: score for verdict in verdicts for name, score in verdict.scores.items()},
        reviewed=reviewed,
    )
