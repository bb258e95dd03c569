"""A failed attempt, with all that its label is read from: calls beside actions, and what the checks found."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from interplay.schemas.records.blueprint import Action, Blueprint
from interplay.schemas.records.dialogue import Message, Trajectory
from interplay.schemas.records.failure import FailureKind
from interplay.schemas.records.tool import SEARCH_TOOL, Tool
from interplay.schemas.records.verdict import Issue, Verdict
from interplay.schemas.words.text import Text, fold, normalised, words
from interplay.validators.findings.alignment import MadeCall, Matching, match_calls
from interplay.validators.findings.confirmation import asks
from interplay.validators.language.assent import denies
from interplay.validators.language.paraphrase import content_words, shares_stem
from interplay.validators.language.phrases import pattern

ASKING = ("request", "clarify", "suggest", "confirm_request")
WHOLE = ("response", "response_fail", "refuse", "report_error", "system_bye")
"""Acts of the assistant that are about all goals of a request."""

_WHAT_ELSE = (
    "anything else",
    "something else",
    "what else",
    "else i can",
    "else can i",
    "help with anything",
    "help you with",
)

_REQUESTS = pattern("requests")
HALF = 0.5
"""The share of the words of a wish from which on a text may speak of it."""


NOT_KNOWING = pattern("not_knowing")
"""Words of a user who lacks what it was asked for."""


@dataclass(frozen=True)
class Symptom:
    """One thing that went wrong, and the message with which it did."""

    index: int
    fault: FailureKind
    why: str


@dataclass(frozen=True)
class FailedAttempt:
    """A dialogue that was rejected, its task, its tools by name, and what all checks found."""

    trajectory: Trajectory
    blueprint: Blueprint
    tools: Mapping[str, Tool]
    verdicts: Sequence[Verdict]

    @cached_property
    def matching(self) -> Matching:
        """Its calls beside the actions."""
        return match_calls(self.trajectory, self.blueprint, self.tools)

    @property
    def messages(self) -> tuple[Message, ...]:
        """Its messages."""
        return self.trajectory.messages

    @cached_property
    def texts(self) -> tuple[Text, ...]:
        """The words of each message."""
        return tuple(normalised(message.content) for message in self.messages)

    @cached_property
    def errors(self) -> tuple[tuple[Issue, int | None], ...]:
        """All that rejects, each with the message that it points to."""
        found = [issue for verdict in self.verdicts for issue in verdict.issues if issue.severity == "error"]
        return tuple((issue, message_of(issue.pointer)) for issue in found)

    def found(self, *codes: str) -> Iterator[tuple[Issue, int]]:
        """Yield the errors with one of these codes, each with its message: the last one where it points to none."""
        last = max(len(self.messages) - 1, 0)
        yield from ((issue, last if index is None else index) for issue, index in self.errors if issue.code in codes)

    def writes(self, name: str) -> bool:
        """Tell whether a tool changes something."""
        return name in self.tools and self.tools[name].effect == "write"

    @cached_property
    def unsaid(self) -> frozenset[str]:
        """The actions of which something was to be said, and was not."""
        outputs = self.blueprint.expected.outputs
        numbers = [issue.pointer.rsplit("/", 1)[-1] for issue, _ in self.errors if issue.code == "output_not_said"]
        return frozenset(outputs[int(number)].action for number in numbers if int(number) < len(outputs))

    @cached_property
    def missing(self) -> tuple[Action, ...]:
        """The actions that were missed and matter: reads are welcome to be done in another way."""
        needed = {name for action in self.matching.missing for name in needs(action)}
        needed |= {action.id for action in self.matching.missing if self._misled(action)}
        return tuple(
            action
            for action in self.matching.missing
            if self.writes(action.tool) or action.id in self.unsaid or action.id in needed
        )

    def _misled(self, action: Action) -> bool:
        """Tell whether another call of the same tool was made, and that, or a call that builds on it, is at fault itself."""
        broken = {index for _, index in self.errors if index is not None}
        places = self.matching.places
        users = [places[o.id].index for o in self.blueprint.calls if action.id in needs(o) and o.id in places]
        return any(made.call.name == action.tool and broken & {made.index, *users} for made in self.matching.added)

    def begin(self, action: Action) -> int:
        """Return the message after which an action was due: the last one that it builds on, or that brings its goal up."""
        places: Mapping[str, MadeCall] = self.matching.places
        earlier = [other for other in self.blueprint.calls if other.goal == action.goal]
        own = earlier[: earlier.index(action)] if action in earlier else []
        before = [places[name].index for name in (*needs(action), *(other.id for other in own)) if name in places]
        return max([*before, self.raised(action.goal)])

    def request(self, goal: int) -> tuple[int, ...]:
        """Return the goals that the user brings up together with one."""
        return next((group for group in self.blueprint.scenario.requests if goal in group), (goal,))

    @cached_property
    def topics(self) -> tuple[int | None, ...]:
        """The goal that the user spoke of last, at each message: by the states, else by the words of the wishes."""
        found: list[int | None] = []
        for index, message in enumerate(self.messages):
            now = found[-1] if found else None
            told = message.state.goal if message.state is not None else None
            if message.role == "user" and told is None and not self._stated:
                told = self._wished(index, found)
            found.append(told if message.role == "user" and told is not None else now)
        return tuple(found)

    @cached_property
    def _stated(self) -> bool:
        return any(message.role == "user" and message.state is not None for message in self.messages)

    def _wished(self, index: int, before: Sequence[int | None]) -> int | None:
        """Return the goal of whose wish a message says most, and more than half; one that is new rather than others."""
        if self._only_answers(index):
            return None
        shares = [self._spoken_in(index, goal) for goal in range(len(self.blueprint.goals))]
        order = sorted(range(len(shares)), key=lambda goal: (-shares[goal], goal in before))
        return order[0] if order and shares[order[0]] > HALF else None

    def _only_answers(self, index: int) -> bool:
        """Tell whether a message says that the user lacks what it was just asked for: it names that, and wishes nothing."""
        asked = index > 0 and self.asking(index - 1)
        return asked and NOT_KNOWING.search(self.messages[index].content) is not None

    def _spoken_in(self, index: int, goal: int) -> float:
        """Return the share of the words of a wish that the user says, or agrees to before it has said any."""
        texts = [normalised(self.in_own_words(index).content)]  # what is passed on for the user is no wish
        opening = sum(message.role == "user" for message in self.messages[:index]) in (1, 2)
        if opening and self.asking(index - 1) and not denies(self.messages[index].content):
            texts.append(self.texts[index - 1])
        return max(self.share(text, self._wishes[goal]) for text in texts)

    @cached_property
    def _wishes(self) -> tuple[tuple[str, ...], ...]:
        """The words of each wish that tell it."""
        return tuple(content_words(goal.intent) or tuple(words(fold(goal.intent))) for goal in self.blueprint.goals)

    def share(self, text: Text, wish: Sequence[str]) -> float:
        """Return the share of the words of a wish that a text has: a word that several wishes have counts less.

        Without the first, which says what is to be done with the rest, it is half at most.
        """
        if not wish:
            return 0.0
        weights = {word: 1 / max(sum(word in other for other in self._wishes), 1) for word in wish}
        heard = sum(weight for word, weight in weights.items() if shares_stem(word, text.words))
        share = heard / sum(weights.values())
        return share if shares_stem(wish[0], text.words) else min(share, HALF)

    def raised(self, goal: int) -> int:
        """Return the message with which the user comes to a goal; without states, the end of the goals before it."""
        request = self.request(goal)
        for index in range(len(self.messages) - 1, -1, -1):
            if self.topics[index] in request and (index == 0 or self.topics[index - 1] not in request):
                return index
        places = self.matching.places
        ends = [
            places[other.id].index for other in self.blueprint.calls if other.goal < min(request) and other.id in places
        ]
        return max(ends, default=0)

    def about(self, index: int, goal: int) -> bool | None:
        """Tell whether a message is about a goal; none where nobody knows.

        What is read from words, and what closes a request, is about all of its goals.
        """
        message = self.messages[index]
        told = message.state.goal if message.state is not None else None
        if told is None:
            topic = None if self._stated or message.act is not None else self.topics[index]
            return None if topic is None else topic in self.request(goal)
        alone = message.certain_act is not None and message.act not in WHOLE
        return told == goal if alone else told in self.request(goal)

    def on_topic(self, index: int, goal: int) -> bool:
        """Tell whether a message may be about a goal: the user spoke of it last, or nothing was called for later ones."""
        request = self.request(goal)
        if self._stated or self.topics[index] is not None:
            return self.topics[index] in request
        places = self.matching.places
        later = [places[o.id].index for o in self.blueprint.calls if o.goal > max(request) and o.id in places]
        return index < min(later, default=len(self.messages))

    def brought_up(self, goal: int) -> bool:
        """Tell whether the user spoke of a goal: by the states of its messages, else by half of the words of the wish."""
        spoken = [message for message in self.messages if message.role == "user"]
        request = self.request(goal)
        if self._stated:
            return any(message.state is not None and message.state.goal in request for message in spoken)
        return any(
            message.role == "user" and self._spoken_in(index, other) >= HALF
            for index, message in enumerate(self.messages)
            for other in request
        )

    def asking(self, index: int) -> bool:
        """Tell whether the assistant asks in a message for what it needs, and not what else it can do."""
        message = self.messages[index]
        if message.role != "assistant" or not message.content:
            return False
        if message.act is not None:
            return message.act in ASKING
        content = self.in_own_words(index).content
        wants = asks(content) or _REQUESTS.search(content) is not None
        return wants and not any(part in fold(content) for part in _WHAT_ELSE)

    def in_own_words(self, index: int) -> Message:
        """Return a message without the words of the user's facts: a reason may be "no way to get there"."""
        message, told = self.messages[index], [fact.value for fact in self.blueprint.scenario.facts]
        values = [value for value in told if isinstance(value, str) and " " in value and value in message.content]
        content = message.content
        for value in sorted(values, key=len, reverse=True):
            content = content.replace(value, " ")
        return message.model_copy(update={"content": content}) if values else message

    @cached_property
    def cut_short(self) -> int | None:
        """The goodbye that the user gives in answer to a question, if it does."""
        for index, message in enumerate(self.messages):
            if message.role == "user" and message.act == "user_bye":
                before = [place for place in range(index) if self.messages[place].role == "assistant"]
                return index if before and self.asking(before[-1]) else None
        return None

    def never_offered(self, action: Action) -> bool:
        """Tell whether the tool for what the user asked for too early was not there yet when the dialogue ended."""
        scenario, offered = self.blueprint.scenario, self.trajectory.offered_at(len(self.messages))
        if scenario.early is None or action.tool in offered or SEARCH_TOOL in offered:
            return False
        return action.goal in scenario.requests[scenario.early.request]

    def last_due(self, action: Action) -> bool:
        """Tell whether nothing was called for what the user brings up after the goal of an action."""
        end = max(self.request(action.goal))
        return not any(other.goal > end and other.id in self.matching.places for other in self.blueprint.calls)


def needs(action: Action) -> tuple[str, ...]:
    """Return the actions that one builds on."""
    origins = [origin.action for origin in action.origins.values() if origin.action is not None]
    return (*action.depends_on, *origins)


def message_of(pointer: str) -> int | None:
    """Return the index of the message that a JSON pointer goes to, if it does."""
    parts = pointer.split("/")
    return int(parts[2]) if len(parts) > 2 and parts[1] == "messages" and parts[2].isdigit() else None
