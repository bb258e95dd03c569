"""A recorded dialogue -> one verdict by facts alone, and the first thing that went wrong."""

from collections.abc import Callable, Iterator

from interplay.schemas.records.recorded import RecordedDialogue
from interplay.schemas.records.verdict import Issue, Verdict
from interplay.validators.recorded.form import form_issues
from interplay.validators.recorded.gold_writes import write_issues
from interplay.validators.recorded.sources import source_issues

CHECKS: tuple[Callable[[RecordedDialogue], Iterator[Issue]], ...] = (form_issues, write_issues, source_issues)
"""What is asked of each dialogue, in this order; of several issues in one message, the first names what went wrong."""

FACTS = "facts"


def check_facts(dialogue: RecordedDialogue) -> Verdict:
    """Return all that facts say against a dialogue."""
    return Verdict(check=FACTS, issues=tuple(issue for check in CHECKS for issue in check(dialogue)))
