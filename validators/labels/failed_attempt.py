"""A failed attempt with everything that its label depends on: calls compared with actions, and the issues of checks."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from interplay.schemas.json.canonical import leaves, value_at
from interplay.schemas.json.json_text import json_value
from interplay.schemas.records.blueprint import Action, Blueprint
from interplay.schemas.records.dialogue import Message, Trajectory
from interplay.schemas.records.failure import FailureKind
from interplay.schemas.records.tool import SEARCH_TOOL, Tool, is_write
from interplay.schemas.records.verdict import Issue, Verdict
from interplay.schemas.words.dates import first_day
from interplay.schemas.words.text import Text, normalised
from interplay.validators.findings.alignment import MadeCall, Matching, match_calls
from interplay.validators.findings.conformance import same

ASKING = ("request", "clarify", "suggest", "confirm_request", "guide")
WHOLE = ("response", "response_fail", "refuse", "report_error", "system_bye")
"""Assistant acts that concern all goals of a request."""


@dataclass(frozen=True)
class Symptom:
    """One thing that went wrong, and the index of its message."""

    index: int
    fault: FailureKind
    why: str


@dataclass(frozen=True)
class FailedAttempt:
    """A rejected dialogue, its task, its tools by name, and the verdicts of all checks."""

    trajectory: Trajectory
    blueprint: Blueprint
    tools: Mapping[str, Tool]
    verdicts: Sequence[Verdict]

    @cached_property
    def matching(self) -> Matching:
        """Its calls matched with the actions.

        A read with other arguments counts as the expected one if it shows every value that is taken from that.
        """
        found = match_calls(self.trajectory, self.blueprint, self.tools)
        places, added = dict(found.places), list(found.added)
        for action in (action for action in found.missing if not is_write(self.tools, action.tool)):
            like = (made for made in added if made.call.name == action.tool and self._shows(made, action))
            made = next(like, None)
            if made is not None:
                places[action.id] = made
                added.remove(made)
        missing = tuple(action for action in found.missing if action.id not in places)
        return Matching(places, missing, tuple(added))

    def _shows(self, made: MadeCall, action: Action) -> bool:
        """Tell whether a call's result holds all values that other actions and the expected outputs take from an action."""
        taken = [output.value for output in self.blueprint.expected.outputs if output.action == action.id]
        for other in self.blueprint.calls:
            sources = (pointer for pointer, origin in other.origins.items() if origin.action == action.id)
            taken += [value_at(other.arguments, pointer) for pointer in sources]
        wanted = [leaf for value in taken for _, leaf in leaves(value)]
        result = next((m for m in self.messages if m.role == "tool" and m.tool_call_id == made.call.id), None)
        if not wanted or result is None or result.failed:
            return False
        shown = [leaf for _, leaf in leaves(json_value(result.content))]
        return all(any(same(value, leaf) for leaf in shown) for value in wanted)

    @property
    def messages(self) -> tuple[Message, ...]:
        """The messages of the dialogue."""
        return self.trajectory.messages

    @cached_property
    def texts(self) -> tuple[Text, ...]:
        """The text of each message."""
        today = first_day(self.trajectory.system_prompt)
        return tuple(normalised(message.content, today) for message in self.messages)

    @cached_property
    def errors(self) -> tuple[tuple[Issue, int | None], ...]:
        """The rejecting issues, each with the index of the message it points to, or None."""
        found = [issue for verdict in self.verdicts for issue in verdict.issues if issue.severity == "error"]
        return tuple((issue, message_of(issue.pointer)) for issue in found)

    def found(self, *codes: str) -> Iterator[tuple[Issue, int]]:
        """Yield the errors with one of these codes, each with its message; the last message if it points to none."""
        last = max(len(self.messages) - 1, 0)
        yield from ((issue, last if index is None else index) for issue, index in self.errors if issue.code in codes)

    @cached_property
    def unsaid(self) -> frozenset[str]:
        """The ids of the actions with an expected output that was not said."""
        outputs = self.blueprint.expected.outputs
        numbers = [issue.pointer.rsplit("/", 1)[-1] for issue, _ in self.errors if issue.code == "output_not_said"]
        return frozenset(outputs[int(number)].action for number in numbers if int(number) < len(outputs))

    @cached_property
    def missing(self) -> tuple[Action, ...]:
        """The missed actions that matter: reads may be done in another way."""
        needed = {name for action in self.matching.missing for name in needs(action)}
        needed |= {action.id for action in self.matching.missing if self._misled(action)}
        return tuple(
            action
            for action in self.matching.missing
            if is_write(self.tools, action.tool) or action.id in self.unsaid or action.id in needed
        )

    def _misled(self, action: Action) -> bool:
        """Tell whether another call of the tool was made, and there is an error at it or at a call that builds on the action."""
        broken = {index for _, index in self.errors if index is not None}
        places = self.matching.places
        users = [places[o.id].index for o in self.blueprint.calls if action.id in needs(o) and o.id in places]
        return any(made.call.name == action.tool and broken & {made.index, *users} for made in self.matching.added)

    def begin(self, action: Action) -> int:
        """Return the message after which an action was due: the last that it builds on, or that brings up its goal."""
        places: Mapping[str, MadeCall] = self.matching.places
        earlier = [other for other in self.blueprint.calls if other.goal == action.goal]
        own = earlier[: earlier.index(action)] if action in earlier else []
        before = [places[name].index for name in (*needs(action), *(other.id for other in own)) if name in places]
        return max([*before, self.raised(action.goal)])

    def request(self, goal: int) -> tuple[int, ...]:
        """Return the goals that are brought up together with `goal`, itself included."""
        return next((group for group in self.blueprint.scenario.requests if goal in group), (goal,))

    def goal_of(self, index: int) -> int | None:
        """Return the goal that a message is about, if the rules wrote it; else None."""
        message = self.messages[index]
        return message.state.goal if message.state is not None and message.certain_act is not None else None

    @cached_property
    def topics(self) -> tuple[int | None, ...]:
        """The goal that a rule-based user spoke of last, at each message."""
        found: list[int | None] = []
        for index, message in enumerate(self.messages):
            told = self.goal_of(index) if message.role == "user" else None
            found.append(told if told is not None or not found else found[-1])
        return tuple(found)

    def raised(self, goal: int) -> int:
        """Return the message with which the user turns to a goal; without states, the last call of earlier goals."""
        request = self.request(goal)
        for index in range(len(self.messages) - 1, -1, -1):
            if self.topics[index] in request and (index == 0 or self.topics[index - 1] not in request):
                return index
        places = self.matching.places
        ends = [
            places[other.id].index for other in self.blueprint.calls if other.goal < min(request) and other.id in places
        ]
        return max(ends, default=0)

    def about(self, index: int, goal: int) -> bool:
        """Tell whether a message written by rules is about a goal; one that closes a request is about all its goals."""
        told = self.goal_of(index)
        if told is None:
            return False
        return told in self.request(goal) if self.messages[index].certain_act in WHOLE else told == goal

    def brought_up(self, goal: int) -> bool:
        """Tell whether a goal is known to have been mentioned, by the user or by an assistant that took it up."""
        return any(self.goal_of(index) in self.request(goal) for index in range(len(self.messages)))

    def asking(self, index: int) -> bool:
        """Tell by its act whether a message of the assistant asks for something that a goal needs."""
        message = self.messages[index]
        return message.role == "assistant" and message.certain_act in ASKING and self.goal_of(index) is not None

    def unread(self, role: str) -> bool:
        """Tell whether the side `role` says something that the rules did not write."""
        spoken = (message for message in self.messages if message.role == role and message.content)
        return any(message.certain_act is None for message in spoken)

    @cached_property
    def cut_short(self) -> int | None:
        """The message in which the user says goodbye instead of answering a question; None if there is none."""
        for index, message in enumerate(self.messages):
            if message.role == "user" and message.act == "user_bye":
                before = [place for place in range(index) if self.messages[place].role == "assistant"]
                return index if before and self.asking(before[-1]) else None
        return None

    def never_offered(self, action: Action) -> bool:
        """Tell whether the tool for a request made too early was still not offered when the dialogue ended."""
        scenario, offered = self.blueprint.scenario, self.trajectory.offered_at(len(self.messages))
        if scenario.early is None or action.tool in offered or SEARCH_TOOL in offered:
            return False
        return action.goal in scenario.requests[scenario.early.request]

    def last_due(self, action: Action) -> bool:
        """Tell whether no call was made for any goal that comes after the action's request."""
        end = max(self.request(action.goal))
        return not any(other.goal > end and other.id in self.matching.places for other in self.blueprint.calls)


def needs(action: Action) -> tuple[str, ...]:
    """Return the ids of the actions that an action builds on."""
    origins = [origin.action for origin in action.origins.values() if origin.action is not None]
    return (*action.depends_on, *origins)


def message_of(pointer: str) -> int | None:
    """Return the index of the message that a JSON pointer leads to; None if it leads elsewhere."""
    parts = pointer.split("/")
    return int(parts[2]) if len(parts) > 2 and parts[1] == "messages" and parts[2].isdigit() else None
