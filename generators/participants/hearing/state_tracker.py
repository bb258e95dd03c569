"""Words -> dialogue acts and states, interpreted by rules from the blueprint and the words alone."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from interplay.schemas.records.behaviour import Behaviour
from interplay.schemas.records.blueprint import Action, Blueprint, Fact, Scenario
from interplay.schemas.records.dialogue import STEP, DialogueAct, DialogueState, Message
from interplay.schemas.records.tool import SEARCH_TOOL

SURE = 0.5
"""The confidence from which on a reading is acted upon."""

_TAKEN_UP = ("request", "confirm_request")
"""Acts of an assistant that has understood the wish."""

Says = Callable[[str, Any, Mapping[str, Any], str], bool]
"""Tells whether a text contains a value, given the value's schema and name."""

UNKNOWN = "unknown:"
"""Prefix, in what the assistant asks for, of an identity that is no fact of the scenario."""


@dataclass
class TrackedState:
    """The state of a dialogue: the current request, the known facts, and the latest acts.

    `paused` are requests that were left for others, `otherwise` temporary values of facts, `done` the user's acts in this
    request, `served` the tools that succeeded in it, `steps` the user's own tools that it has called and not yet reported, `said`
    the words of both sides. `shown` tells whether there was any result yet, `doubted` whether the user asks if something is done.
    """

    request: int = -1
    known: set[str] = field(default_factory=set)
    clear: bool = False
    tried_early: bool = False
    in_vain: bool = False
    strayed: bool = False
    called: bool = False
    looked: bool = False
    failed: bool = False
    shown: bool = False
    doubted: bool = False
    asking: DialogueAct | None = None
    asked: tuple[str, ...] = ()
    heard: DialogueAct | None = None
    latest: int = -1
    paused: list[int] = field(default_factory=list)
    otherwise: dict[str, Any] = field(default_factory=dict)
    done: set[str] = field(default_factory=set)
    served: list[str] = field(default_factory=list)
    calls: dict[str, str] = field(default_factory=dict)
    steps: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    def comes_early(self, scenario: Scenario, goal: int | None) -> bool:
        """Tell whether a wish for a goal is the one planned before its turn, and has not been made yet."""
        early = scenario.early
        due = early is not None and early.before == self.latest + 1 and not self.tried_early
        return early is not None and due and goal in scenario.requests[early.request]


@dataclass(frozen=True)
class Reading:
    """The interpretation of a message: its act, the goal and facts that it is about, and its confidence."""

    act: DialogueAct
    confidence: float
    goal: int | None = None
    told: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    otherwise: Mapping[str, Any] = field(default_factory=dict)
    behaviours: tuple[Behaviour, ...] = ()


class StateTracker:
    """Follows one dialogue, and interprets each message that has no act and state."""

    def __init__(
        self,
        blueprint: Blueprint,
        read_user: Callable[[Blueprint, TrackedState, Message], Reading],
        read_assistant: Callable[[Blueprint, TrackedState, Message], Reading],
    ) -> None:
        self._blueprint = blueprint
        self._read = {"user": read_user, "assistant": read_assistant}
        self._heard: list[Message] = []
        self._at = TrackedState(known={fact.id for fact in blueprint.scenario.facts if fact.reveal == "before"})

    def track(self, messages: Sequence[Message]) -> tuple[Message, ...]:
        """Return the messages with acts and states; earlier ones keep theirs."""
        for message in messages[len(self._heard) :]:
            self._heard.append(self._tagged(message))
            self._follow(self._heard[-1])
        return tuple(
            known.model_copy(update={"offered": message.offered}) if known.offered != message.offered else known
            for known, message in zip(self._heard, messages, strict=True)
        )

    def read(self, message: Message) -> Reading:
        """Return the interpretation of the next message, without recording it."""
        return self._read[message.role](self._blueprint, self._at, message)

    def askable(self) -> tuple[list[Fact], list[Action]]:
        """Return what the user can be asked for now: open facts, and steps on its own device."""
        return waiting(self._blueprint, self._at), pending_steps(self._blueprint, self._at)

    def _tagged(self, message: Message) -> Message:
        if message.role == "tool" or message.state is not None:
            return message
        return self.tagged(message, self.read(message))

    def tagged(self, message: Message, reading: Reading) -> Message:
        """Return the next message with the act and the state of its reading."""
        goal = reading.goal if reading.goal is not None else self._goal()
        tool = self._blueprint.goals[goal].tool if goal is not None and message.role == "assistant" else None
        known = self._at.known | set(reading.told)
        state = DialogueState(
            goal=goal,
            tool=(tool or None) if self._at.clear else None,
            filled=(
                *(fact.id for fact in self._blueprint.scenario.facts if fact.id in known),
                *sorted(name for name in known if name.startswith(STEP)),
            ),
            asked=reading.asked,
            told=reading.told,
            otherwise=dict(reading.otherwise),
            next_act=reading.act if message.role == "assistant" else None,
            confidence=reading.confidence,
        )
        told = {"act": reading.act, "state": state, "behaviours": reading.behaviours}
        return message.model_copy(update=told)

    def _goal(self) -> int | None:
        requests = self._blueprint.scenario.requests
        return requests[self._at.request][0] if 0 <= self._at.request < len(requests) else None

    def _follow(self, message: Message) -> None:
        """Update the state by a message."""
        at, state = self._at, message.state
        at.calls |= {call.id: call.name for call in message.tool_calls}
        if message.role != "tool":
            at.said.append(message.content)
        if message.role == "tool":
            at.served += [] if message.failed else [at.calls.get(str(message.tool_call_id), "")]
            if not at.steps:
                at.looked, at.failed = True, message.failed
                at.shown = at.shown or not message.failed
        elif message.role == "user" and message.tool_calls:
            at.steps += [call.name for call in message.tool_calls]
        elif message.role == "assistant":
            at.called = at.called or bool(message.tool_calls)
            at.clear = at.clear or message.act in _TAKEN_UP or self._begun(message)
            if message.act != "ask_again" and not message.tool_calls:
                at.asking, at.asked = message.act, state.asked if state else ()
            at.doubted = message.act == "response" and state is not None and state.confidence < SURE
        elif message.act != "ask_again" and (state is None or state.confidence >= SURE):
            at.looked = at.failed = False
            at.known |= set(state.told if state else ())
            for name in state.told if state else ():
                at.otherwise.pop(name, None)
            at.otherwise |= state.otherwise if state else {}
            at.heard = message.act
            at.steps.clear()
            at.done.add(str(message.act))
            self._follow_wish(message.act, state.goal if state else None)

    def _begun(self, message: Message) -> bool:
        """Tell whether a message calls the tool of a goal, and not just a look-up for it."""
        goals = self._blueprint.scenario.requests[self._at.request] if self._at.request >= 0 else ()
        return not {self._blueprint.goals[goal].tool for goal in goals}.isdisjoint(
            call.name for call in message.tool_calls
        )

    def _follow_wish(self, act: DialogueAct | None, goal: int | None) -> None:
        at, scenario = self._at, self._blueprint.scenario
        at.in_vain = False
        if act == "off_topic":
            at.strayed = True
        if act == "resume" and at.paused:
            at.request = at.paused.pop()
        begins = act in ("inform_intent_clear", "inform_intent_vague")
        following = at.latest + 1
        if act == "change_mind" and scenario.behaves("changes_mind_late", following) and goal is not None:
            begins = following < len(scenario.requests) and goal in scenario.requests[following]
        if not begins:
            at.clear = at.clear or (act is not None and act != "negate")
            return
        if at.comes_early(scenario, goal):
            at.tried_early = at.in_vain = True
            return
        if scenario.behaves("comes_back", at.request) and at.asking in ("request", "suggest"):
            at.paused.append(at.request)
        at.request = at.latest = min(following, len(scenario.requests) - 1)
        at.clear, at.called = act != "inform_intent_vague", False
        at.done.clear()
        at.served.clear()
        at.calls.clear()


def waiting(blueprint: Blueprint, at: TrackedState, request: int | None = None) -> list[Fact]:
    """Return the open facts of a request, in the order in which its actions need them; by default of the current one.

    A fact is open if it is unknown, or known with a temporary value.
    """
    scenario, found = blueprint.scenario, dict[str, Fact]()
    place = at.request if request is None else request
    goals = scenario.requests[place] if 0 <= place < len(scenario.requests) else ()
    for action in blueprint.actions:
        for origin in action.origins.values():
            if action.goal in goals and origin.fact is not None and _open(at, origin.fact):
                found.setdefault(origin.fact, scenario.fact(origin.fact))
    before = {goal for earlier in scenario.requests[: max(place, 0)] for goal in earlier}
    for due in (goals, before):  # facts of earlier requests may still be asked for
        for fact in scenario.facts:
            if fact.goal in due and _open(at, fact.id) and not (due is before and fact.choice is not None):
                found.setdefault(fact.id, fact)
    return list(found.values())


def of_request(blueprint: Blueprint, place: int) -> list[Fact]:
    """Return the facts of a request's goals."""
    requests = blueprint.scenario.requests
    goals = requests[place] if 0 <= place < len(requests) else ()
    return [fact for fact in blueprint.scenario.facts if fact.goal in goals]


def _open(at: TrackedState, fact: str) -> bool:
    return fact not in at.known or fact in at.otherwise


def pending_steps(blueprint: Blueprint, at: TrackedState) -> list[Action]:
    """Return the steps on the user's device for the current request that it has not reported yet."""
    requests = blueprint.scenario.requests
    goals = requests[at.request] if 0 <= at.request < len(requests) else ()
    own = [action for action in blueprint.calls if action.requestor == "user" and action.goal in goals]
    return [action for action in own if STEP + action.id not in at.known]


def is_settled(blueprint: Blueprint, at: TrackedState) -> bool:
    """Tell whether all calls for the goals of the current request were made with success."""
    goals = blueprint.scenario.requests[at.request] if at.request >= 0 else ()
    tools = {goal: blueprint.goals[goal].tool for goal in goals}
    calls = [action for action in blueprint.calls if action.tool == tools.get(action.goal)]
    due = Counter(action.tool for action in calls if not action.failed)
    tried = {action.tool for action in calls} <= set(at.calls.values())
    return all(tools.values()) and bool(calls) and tried and due <= Counter(at.served)


def is_search(message: Message) -> bool:
    """Tell whether a message calls nothing but the tool search."""
    return all(call.name == SEARCH_TOOL for call in message.tool_calls)
