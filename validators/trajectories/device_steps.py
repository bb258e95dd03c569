"""Judge whose calls are whose: what is made on the user's own device, what is not, and what is only said to be."""

from collections.abc import Iterator, Mapping, Sequence

from interplay.schemas.records.blueprint import Action, Blueprint
from interplay.schemas.records.dialogue import STEP, Message, Trajectory
from interplay.schemas.records.tool import Tool, Toolset
from interplay.schemas.records.verdict import Issue
from interplay.schemas.words.text import fold, words
from interplay.validators.findings.alignment import match_calls
from interplay.validators.language.claims import says_done

_SHORT = 3
"""Letters of the words that say too little of a step to know it by."""


def known_in_all_languages(toolset: Toolset) -> dict[str, Tool]:
    """Return the tools by name; those of the user with the phrases by which they are known in other languages too."""
    found = {tool.name: tool for tool in toolset.tools}
    for tool in (tool for tool in toolset.tools if tool.requestor == "user"):
        others = [
            text
            for said in toolset.translations.values()
            for text in (*map(said.infinitive, tool.phrases), said.tools.get(tool.name, ""))
        ]
        found[tool.name] = tool.model_copy(update={"phrases": (*tool.phrases, *filter(None, others))})
    return found


def step_issues(trajectory: Trajectory, blueprint: Blueprint, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    """Yield an issue for each call of the other side's tools, and for each step that the user says to be done and is not."""
    for index, message in enumerate(trajectory.messages):
        for place, call in enumerate(message.tool_calls):
            tool, pointer = tools.get(call.name), f"/messages/{index}/tool_calls/{place}/name"
            if tool is not None and tool.requestor != message.role:
                code = "users_own_tool" if message.role == "assistant" else "not_the_users_tool"
                yield Issue.of(code, f"{call.name} is not for the {message.role} to call.", pointer)
    yield from _claimed(trajectory, blueprint, tools)


def asked_for(message: Message, tool: Tool, action: str = "") -> bool:
    """Tell whether an assistant asks in a message for a step on the user's device: as it says, or by half of its words."""
    if message.role != "assistant" or message.tool_calls:
        return False
    if message.certain_act is not None:
        return message.certain_act == "guide" and bool(message.state) and (STEP + action) in _asked(message)
    heard = set(words(fold(message.content)))
    described = (*tool.phrases, tool.original_name.replace("_", " "), tool.description.split("\n")[0])
    return any(_speaks_of(heard, text) for text in described)


def _asked(message: Message) -> tuple[str, ...]:
    return message.state.asked if message.state is not None else ()


def _speaks_of(heard: set[str], text: str) -> bool:
    known = {word for word in words(fold(text)) if len(word) > _SHORT}
    return bool(known) and len(known & heard) * 2 >= len(known)


def _claimed(trajectory: Trajectory, blueprint: Blueprint, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    own = [action for action in blueprint.calls if action.requestor == "user" and action.tool in tools]
    if not own:
        return
    missing = {action.id for action in match_calls(trajectory, blueprint, tools).missing}
    for action in own:
        index = _first_claim(trajectory.messages, action, tools[action.tool]) if action.id in missing else None
        if index is not None:
            text = f"The user says that it has done what {action.tool} does, and has not."
            yield Issue.of("claimed_not_done", text, f"/messages/{index}")


def _first_claim(messages: Sequence[Message], action: Action, tool: Tool) -> int | None:
    """Return the first message that answers a request for a step as if it had been made, without a call before it."""
    for index in range(1, len(messages)):
        message, before = messages[index], messages[index - 1]
        if message.role != "user" or message.tool_calls or not asked_for(before, tool, action.id):
            continue
        if message.certain_act == "report" or (message.certain_act is None and says_done(message.content)):
            return index
    return None
