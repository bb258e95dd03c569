"""Steps on the user's own device -> the assistant's requests for them, and the user's reports."""

import json
from collections.abc import Mapping, Sequence

from interplay.generators.participants.wording.result_phrases import clauses, list_of
from interplay.generators.participants.wording.value_phrases import capital, sentence
from interplay.generators.participants.wording.voice import Voice
from interplay.generators.phrases.intents import intents_of
from interplay.schemas.json.canonical import digest
from interplay.schemas.records.blueprint import Action, Blueprint, ExpectedOutput, Scenario
from interplay.schemas.records.dialogue import STEP, Message, ToolCall
from interplay.schemas.records.tool import Tool


class StepRequests:
    """Words a dialogue's requests for steps on the user's device, one at a time; `tools` are those of the user."""

    def __init__(self, blueprint: Blueprint, words: Voice, tools: Mapping[str, Tool]) -> None:
        self._blueprint = blueprint
        self._words = words
        self._tools = tools
        self._asked: list[Action] = []

    def ask(self, action: Action, details: str, seen: bool) -> str:
        """Ask for a step, after its reason; `seen` tells that the assistant itself has looked at what is amiss."""
        tool, words = self._tools[action.tool], self._words
        before = [other for other in self._asked if other.goal == action.goal]
        amiss = self._blueprint.goals[action.goal].amiss
        because = self._because(action, before)
        lead = (
            words.draw("guide_next") if before and not because else ""
        )  # not if the reason already refers to the last report
        if not before and seen and amiss is not None:
            lead = words.draw(
                "guide_amiss", state=words.state(amiss.label, amiss.value, words.value(amiss.value, amiss.label))
            )
        again = any(other.tool == action.tool for other in before)
        frame = "guide_do" if tool.effect == "write" else "guide_check" if again else "guide_look"
        if amiss is None and tool.effect == "read" and seen and not before:
            frame = "guide_confirm"
        step = words.turned(words.rng.choice(intents_of(tool)))
        self._asked.append(action)
        needed = self._needed(action)
        if needed:
            return sentence(lead, capital(words.draw("guide_read", step=step, labels=words.named(needed))))
        said = words.draw(frame, step=step, details=details)
        return sentence(lead, capital(because), capital(said))

    def _needed(self, action: Action) -> list[str]:
        """Return the labels of the values that a look has to provide for a call of the assistant."""
        calls = [other for other in self._blueprint.calls if other.requestor == "assistant"]
        taken = {origin.pointer for other in calls for origin in other.origins.values() if origin.action == action.id}
        sights = self._blueprint.scenario.sights
        return [sight.label for sight in sights if sight.action == action.id and sight.pointer in taken]

    def _because(self, action: Action, before: Sequence[Action]) -> str:
        """Return what the user has reported of the state that a step changes."""
        sights = self._blueprint.scenario.sights
        changed = [sight.pointer for sight in sights if sight.action == action.id and sight.pointer]
        done = {other.id for other in before}
        known = {sight.pointer: sight for sight in sights if sight.action in done}
        earlier = [known[pointer] for pointer in changed if pointer in known]
        if not earlier or self._tools[action.tool].effect == "read":
            return ""
        words = self._words
        said = [words.state(sight.label, sight.value, words.value(sight.value, sight.label)) for sight in earlier]
        return words.draw("guide_since", state=words.enumerate(said))


class DeviceUser:
    """Makes the steps that the user is asked for, and reports them; `own` holds its actions by id, `tools` its tools."""

    def __init__(self, scenario: Scenario, own: Mapping[str, Action], tools: Mapping[str, Tool], words: Voice) -> None:
        self._sights = scenario.sights
        self._own = own
        self._tools = tools
        self._words = words
        self._done: dict[str, Action] = {}

    def calls(self, asked: Sequence[str]) -> tuple[ToolCall, ...]:
        """Return the calls of the requested steps; none if they are not the user's."""
        calls = []
        for action in (self._own[name.removeprefix(STEP)] for name in asked if name.removeprefix(STEP) in self._own):
            identifier = "u" + digest([action.id, action.tool, action.arguments, len(self._done)])[:8]
            self._done[identifier] = action
            calls.append(ToolCall(id=identifier, name=action.tool, arguments=action.arguments, requestor="user"))
        return tuple(calls)

    def told(self, messages: Sequence[Message]) -> tuple[list[str], str]:
        """Return the marks of the steps with the latest results, and the user's report of them."""
        results: list[Message] = []
        for message in reversed(messages):
            if message.role != "tool":
                break
            results.insert(0, message)
        done = [(self._done[str(result.tool_call_id)], result) for result in results]
        return [STEP + action.id for action, _ in done], sentence(*(self._outcome(each, its) for each, its in done))

    def _outcome(self, action: Action, result: Message) -> str:
        words = self._words
        if result.failed:
            return words.draw("step_failed", text=result.content)
        sights = [sight for sight in self._sights if sight.action == action.id]
        changes = self._tools[action.tool].effect == "write"
        seen = self._seen(sights, result)
        return sentence(words.draw("step_looked" if seen and not changes else "step_done"), seen)

    def _seen(self, sights: Sequence[ExpectedOutput], result: Message) -> str:
        """Say what is seen: a text unchanged, the names in a list, or values."""
        words = self._words
        if not sights:
            return ""
        if not sights[0].pointer:
            return words.draw("sees_text", text=words.value(sights[0].value))
        if list_of(json.loads(result.content), sights) is not None:
            named = [words.value(sight.value, sight.label) for sight in sights]
            return capital(words.draw("sees_list", items=words.enumerate(named)))
        return capital(clauses(words, sights, None, ""))
