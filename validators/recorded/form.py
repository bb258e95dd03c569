"""The form of a recorded dialogue: messages that cannot be read, calls that cannot be made, arguments against their schemas."""

from collections.abc import Iterator

from interplay.schemas.records.recorded import RecordedDialogue
from interplay.schemas.records.verdict import Issue
from interplay.validators.findings.conformance import violations
from interplay.validators.findings.loops import loop_issues


def form_issues(dialogue: RecordedDialogue) -> Iterator[Issue]:
    """Yield what is wrong with messages, calls and their arguments; without tools, calls cannot be told to be unknown."""
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
