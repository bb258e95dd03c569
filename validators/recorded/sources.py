"""Sources of values in a recorded dialogue: ungrounded arguments, and statements without a source."""

from collections.abc import Iterator

from interplay.schemas.records.recorded import RecordedDialogue
from interplay.schemas.records.verdict import Issue
from interplay.validators.trajectories.groundedness import grounding_issues


def source_issues(dialogue: RecordedDialogue) -> Iterator[Issue]:
    """Yield an issue for each ungrounded argument, and for each stated value without a source before it."""
    yield from grounding_issues(dialogue.trajectory(), dialogue.toolset.by_name)
