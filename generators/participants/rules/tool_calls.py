"""Next actions -> an assistant's calls, with a remark on what it does: searches for tools, goes on looking, tries again."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from interplay.generators.participants.rules.request_progress import RequestProgress
from interplay.generators.participants.wording.voice import Voice
from interplay.schemas.json.canonical import digest
from interplay.schemas.records.blueprint import Action, Blueprint, ToolChange
from interplay.schemas.records.dialogue import DialogueAct, ToolCall
from interplay.schemas.records.fault import FaultKind
from interplay.schemas.records.tool import ToolRole


class MadeCalls(NamedTuple):
    """Calls that are made at once, and the words that go with them."""

    act: DialogueAct
    text: str
    calls: Sequence[ToolCall]


class ToolCalls:
    """Makes the calls of one dialogue, and records in its progress which call belongs to which action."""

    def __init__(
        self, blueprint: Blueprint, words: Voice, roles: Mapping[str, ToolRole], search_tool: str | None
    ) -> None:
        self._blueprint = blueprint
        self._words = words
        self._roles = roles
        self._search_tool = search_tool

    def search(self, at: RequestProgress) -> MadeCalls:
        """Make the next tool search that the blueprint plans for the request."""
        planned = at.searches.pop(0)
        name = f"search{at.request}.{len(at.searched)}"
        call = ToolCall(id=self._id(at, name), name=str(self._search_tool), arguments={"query": planned.query})
        at.calls[call.id] = name
        frame = "searching" if at.clear else "searching_topic"
        if at.searched:
            frame = "searching_on" if self._found_a_tool(at, at.searched[-1]) else "searching_again"
        at.searched.append(planned)
        return MadeCalls("retriever_call", self._words.draw(frame), [call])

    def next(self, at: RequestProgress) -> MadeCalls:
        """Make the next calls."""
        actions = at.called
        writes = any(self._roles[action.tool].operation not in ("list", "read", "compute") for action in actions)
        frame = "looking_on" if any(map(self._looks_on, actions)) else "doing" if writes else "working"
        kinds = {
            self._roles[action.tool].resource for action in actions if self._roles[action.tool].operation == "list"
        }
        if frame == "working" and len(kinds) == len(actions) == 1 and (kind := next(iter(kinds))):
            return MadeCalls(
                "call", self._words.draw("looking", nouns=self._words.nouns(kind, 2)), self._calls(at, actions)
            )
        return MadeCalls("call", self._words.draw(frame), self._calls(at, actions))

    def again(self, at: RequestProgress, hit: Mapping[str, FaultKind]) -> MadeCalls:
        """Say what went wrong, and repeat the calls in `hit`."""
        calls = self._calls(at, [action for action in self._blueprint.actions if action.id in hit])
        return MadeCalls("call", self._words.draw(f"again_{next(iter(hit.values()))}"), calls)

    def _calls(self, at: RequestProgress, actions: Sequence[Action]) -> list[ToolCall]:
        calls = []
        for action in actions:
            call = ToolCall(id=self._id(at, action.id), name=action.tool, arguments=action.arguments)
            at.calls[call.id] = action.id
            calls.append(call)
        return calls

    def _id(self, at: RequestProgress, action: str) -> str:
        return "c" + digest([self._blueprint.id, action, len(at.calls)])[:8]

    def _found_a_tool(self, at: RequestProgress, search: ToolChange) -> bool:
        goals = self._blueprint.scenario.requests[at.request]
        return bool({action.tool for action in self._blueprint.actions if action.goal in goals} & set(search.added))

    def _looks_on(self, action: Action) -> bool:
        """Tell whether an action looks for the user's second choice, after nothing was found for the first."""
        facts = [self._blueprint.scenario.fact(origin.fact) for origin in action.origins.values() if origin.fact]
        return any(fact.instead_of and fact.reveal == "opening" for fact in facts)
