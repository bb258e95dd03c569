"""Files of recorded dialogues, with optional tools, policy and gold -> each dialogue with its verdict."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from interplay.flows.generation.continuation import made_again
from interplay.flows.worlds.assembly import OpenedWorld, open_world
from interplay.generators.importers.conversations.whole_dialogues import Unread, read_dialogues, read_golds
from interplay.schemas.errors import EnvironmentFailure
from interplay.schemas.protocols import PolicyEvent
from interplay.schemas.records.dialogue import Start, ToolCall, ToolResult, result_in
from interplay.schemas.records.recorded import JudgedDialogue, RecordedDialogue
from interplay.schemas.records.verdict import Issue, Verdict
from interplay.validators.recorded.checks import check_facts
from interplay.validators.recorded.first_fault import first_fault, recorded_issue
from interplay.validators.review.dialogue_committee import faulty_turns, was_reviewed
from interplay.validators.review.turn_mask import masked

DialogueReview = Callable[[RecordedDialogue], Awaitable[Verdict]]
"""Asks reviewers about a dialogue; issue codes may be kinds of failures, and issue pointers name messages."""

AT_ONCE = 64
"""Dialogues under review at a time."""

Judged = tuple[RecordedDialogue, JudgedDialogue]


async def judge_files(
    files: Sequence[Path],
    toolsets: Sequence[str] = (),
    policy: str = "",
    gold: Path | None = None,
    review: DialogueReview | None = None,
) -> AsyncIterator[Judged | Unread]:
    """Yield each dialogue of the files with its judgement, or the reason why it cannot be read.

    With `toolsets`, their tools replace those in the files, and calls are made again in their environment. `policy` replaces the
    system prompt of dialogues that have none.

    Raises:
        ConfigError, ImportFailure: a specification is not understood, or a file does not exist.
    """
    world = open_world(toolsets) if toolsets else None
    golds: Mapping[str, Any] = read_golds(gold) if gold is not None else {}
    waiting: deque[Awaitable[Judged | Unread]] = deque()
    try:
        for file in files:
            for found in read_dialogues(file, world.toolset if world else None, golds):
                waiting.append(await _begun(found, world, policy, review))
                if len(waiting) >= (AT_ONCE if review is not None else 1):
                    yield await waiting.popleft()
        while waiting:
            yield await waiting.popleft()
    finally:
        for left in waiting:
            if isinstance(left, asyncio.Future):
                left.cancel()


async def _begun(
    found: RecordedDialogue | Unread, world: OpenedWorld | None, policy: str, review: DialogueReview | None
) -> Awaitable[Judged | Unread]:
    """Judge a dialogue by facts, and return an awaitable of its judgement; reviews of several dialogues run concurrently."""
    if isinstance(found, Unread):
        done: asyncio.Future[Judged | Unread] = asyncio.get_running_loop().create_future()
        done.set_result(found)
        return done
    dialogue = found if found.system or not policy else found.model_copy(update={"system": policy})
    verdicts = await _facts(dialogue, world)  # not concurrent: dialogues share the environment

    async def rest() -> Judged | Unread:
        said = await _said(dialogue, verdicts, review)
        marked = dialogue
        if said is not None and said.passed and faulty_turns(said):  # kept, with the faulty turns masked
            marked = dialogue.model_copy(update={"messages": masked(dialogue.messages, faulty_turns(said))})
        return marked, _judged(dialogue, verdicts, said)

    return asyncio.ensure_future(rest())


async def judge(
    dialogue: RecordedDialogue, world: OpenedWorld | None = None, review: DialogueReview | None = None
) -> JudgedDialogue:
    """Judge one dialogue by facts, and then by reviewers, if there are any and it passes."""
    verdicts = await _facts(dialogue, world)
    return _judged(dialogue, verdicts, await _said(dialogue, verdicts, review))


async def _facts(dialogue: RecordedDialogue, world: OpenedWorld | None) -> list[Verdict]:
    verdicts = [check_facts(dialogue)]
    if world is not None:
        verdicts.append(Verdict(check="environment", issues=tuple(await run_issues(dialogue, world))))
    return verdicts


async def _said(
    dialogue: RecordedDialogue, verdicts: Sequence[Verdict], review: DialogueReview | None
) -> Verdict | None:
    """Return the reviewers' verdict, if there are any and the dialogue passes the checks of facts."""
    passed = all(verdict.passed for verdict in verdicts)
    return await review(dialogue) if review is not None and passed else None


def _judged(dialogue: RecordedDialogue, facts: Iterable[Verdict], said: Verdict | None) -> JudgedDialogue:
    verdicts = [*facts, *([said] if said is not None else [])]
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
        reviewed=said is not None and was_reviewed(said),
    )


POLICY_BROKEN = "policy_broken"


async def run_issues(dialogue: RecordedDialogue, world: OpenedWorld) -> list[Issue]:
    """Make the calls of a dialogue from a blank state, and return broken rules and results that differ.

    Whether the user agreed to a call is unknown here, and never breaks a rule. A result that differs is only a warning, as the
    recording may have begun in another state.
    """
    environment = world.environment
    home = environment.snapshot()
    start = Start(
        origin="conversation", source=dialogue.source, imported=len(dialogue.messages), messages=dialogue.messages
    )
    tools = environment.toolset.by_name
    issues: list[Issue] = []
    history: tuple[tuple[ToolCall, ToolResult], ...] = ()
    try:
        for index, call, answer in dialogue.trajectory().calls_with_results():
            if call.name not in tools or call.malformed or answer is None:
                continue
            if not answer.failed:
                issues += _broken(world, call, history, index)
            found = await made_again(
                environment, start, index, call, answer, tools[call.name].effect == "read", world.learn
            )
            issues += (issue.model_copy(update={"pointer": f"/messages/{index}"}) for issue in found)
            history = (*history, (call, result_in(call, answer)))
    except EnvironmentFailure as failure:
        issues.append(Issue.of("environment_failure", str(failure)[:300], severity="warning"))
    finally:
        environment.restore(home)
    return issues


def _broken(
    world: OpenedWorld, call: ToolCall, history: tuple[tuple[ToolCall, ToolResult], ...], index: int
) -> Iterator[Issue]:
    if world.policy is None:
        return
    for issue in world.policy.violations(PolicyEvent(call, history, world.environment.state(), confirmed=True)):
        text = f"{call.name} breaks {issue.code}: {issue.message}"
        yield Issue.of(POLICY_BROKEN, text[:300], f"/messages/{index}")
