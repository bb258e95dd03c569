"""Where each value of a recorded dialogue comes from: arguments that nobody gave, and statements that nothing says."""

from collections.abc import Iterator

from interplay.schemas.records.recorded import RecordedDialogue
from interplay.schemas.records.verdict import Issue
from interplay.validators.trajectories.grounding import grounding_issues


def source_issues(dialogue: RecordedDialogue) -> Iterator[Issue]:
    """Yield an issue for each argument that nobody gave, and for each value that nothing before it says."""
    yield from grounding_issues(dialogue.trajectory(), {tool.name: tool for tool in dialogue.toolset.tools})
