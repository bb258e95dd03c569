"""A recorded dialogue -> one verdict by facts alone."""

from collections.abc import Callable, Iterator

from interplay.schemas.records.recorded import RecordedDialogue
from interplay.schemas.records.verdict import Issue, Verdict
from interplay.validators.findings.call_agreement import contradictions
from interplay.validators.findings.conformance import violations
from interplay.validators.findings.loops import loop_issues
from interplay.validators.recorded.gold_writes import differences, write_issues
from interplay.validators.trajectories.groundedness import grounding_issues


def source_issues(dialogue: RecordedDialogue) -> Iterator[Issue]:
    """Yield an issue for each ungrounded argument, and for each stated value that has no source before it."""
    yield from grounding_issues(dialogue.trajectory(), dialogue.toolset.by_name)


def form_issues(dialogue: RecordedDialogue) -> Iterator[Issue]:
    """Yield issues of messages, calls and their arguments; without known tools, no call counts as unknown."""
    if not any(message.role == "assistant" for message in dialogue.messages):
        yield Issue.of("no_messages", "The assistant never says or does anything.", "/messages/0")
    for problem in dialogue.problems:
        yield Issue.of("unreadable_message", problem.what, f"/places/{problem.place}")
    tools = dialogue.toolset.by_name
    answered = {message.tool_call_id for message in dialogue.messages}
    for index, message in enumerate(dialogue.messages):
        if not message.content and not message.tool_calls and message.role != "tool":
            yield Issue.of("empty_message", f"The {message.role} says nothing.", f"/messages/{index}")
        for place, call in enumerate(message.tool_calls):
            pointer = f"/messages/{index}/tool_calls/{place}"
            if tools and call.name not in tools:
                yield Issue.of("unknown_tool", f"There is no tool {call.name[:64]}.", pointer)
            elif call.malformed:
                text = f"The arguments of {call.name[:64]} are not a JSON object: {call.malformed[:80]}"
                yield Issue.of("malformed_arguments", text, pointer)
            elif call.name in tools:
                yield from violations(call.arguments, tools[call.name].parameters, "invalid_arguments", pointer)
            if call.id not in answered:
                yield Issue.of("unanswered_call", f"Nothing answers this call of {call.name[:64]}.", pointer)
    yield from loop_issues(dialogue.trajectory(), tools)


def agreement_issues(dialogue: RecordedDialogue) -> Iterator[Issue]:
    """Yield an issue for each argument of a write that a result contradicts.

    It is a warning if the gold makes this very call and the row had the shown value before: the tools never show the change.
    """
    tools = dialogue.toolset.by_name
    for issue, stale in contradictions(dialogue.trajectory(), tools):
        index = int(issue.pointer.split("/")[2])
        calls = dialogue.messages[index].tool_calls
        wanted = dialogue.gold.writes if dialogue.gold else ()
        right = any(not differences(gold, call, tools.get(call.name)) for gold in wanted for call in calls)
        yield issue.model_copy(update={"severity": "warning"}) if stale and right else issue


CHECKS: tuple[Callable[[RecordedDialogue], Iterator[Issue]], ...] = (
    form_issues,
    write_issues,
    source_issues,
    agreement_issues,
)
"""The checks of each dialogue, in order; of several issues in one message, the first one names the fault."""

FACTS = "facts"


def check_facts(dialogue: RecordedDialogue) -> Verdict:
    """Return a verdict with the issues of all `CHECKS`."""
    return Verdict(check=FACTS, issues=tuple(issue for check in CHECKS for issue in check(dialogue)))
