"""A recorded dialogue -> one verdict by facts alone, and the first thing that went wrong."""

from collections.abc import Callable, Iterator

from interplay.schemas.records.recorded import RecordedDialogue
from interplay.schemas.records.verdict import Issue, Verdict
from interplay.validators.findings.call_agreement import contradictions
from interplay.validators.recorded.form import form_issues
from interplay.validators.recorded.gold_writes import differences, write_issues
from interplay.validators.trajectories.groundedness import grounding_issues


def source_issues(dialogue: RecordedDialogue) -> Iterator[Issue]:
    """Yield an issue for each ungrounded argument, and for each stated value without a source before it."""
    yield from grounding_issues(dialogue.trajectory(), dialogue.toolset.by_name)


def agreement_issues(dialogue: RecordedDialogue) -> Iterator[Issue]:
    """Yield an issue for each argument of a write that is shown otherwise.

    An issue is a warning where the gold makes this very call and the row showed the same before: the tools never show the change.
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
"""What is asked of each dialogue, in this order; of several issues in one message, the first names what went wrong."""

FACTS = "facts"


def check_facts(dialogue: RecordedDialogue) -> Verdict:
    """Return all that facts say against a dialogue."""
    return Verdict(check=FACTS, issues=tuple(issue for check in CHECKS for issue in check(dialogue)))
