"""A recorded dialogue and an environment -> its calls made again: rules of the policy that they break, results that differ."""

from collections.abc import Iterator

from interplay.flows.generation.continuation import made_again
from interplay.flows.worlds.assembly import OpenedWorld
from interplay.schemas.errors import EnvironmentFailure
from interplay.schemas.protocols import PolicyEvent
from interplay.schemas.records.dialogue import Start, ToolCall, ToolResult, result_in
from interplay.schemas.records.recorded import RecordedDialogue
from interplay.schemas.records.verdict import Issue

POLICY_BROKEN = "policy_broken"


async def run_issues(dialogue: RecordedDialogue, world: OpenedWorld) -> list[Issue]:
    """Make the calls of a dialogue from a blank state, each followed by what was recorded of it.

    Whether the user agreed to a call is not known here, and breaks no rule. That a result differs is told and rejects nothing:
    the recording may have begun in another state.
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
