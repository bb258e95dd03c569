"""What a behaviour consists of: how it is planned, performed by rules, described to a model, and recognised."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from interplay.generators.blueprints.growth.growth import Growth
from interplay.schemas.records.behaviour import Behaviour, PlannedBehaviour
from interplay.schemas.records.blueprint import Scenario
from interplay.schemas.records.dialogue import DialogueAct


@dataclass(frozen=True)
class Turn:
    """What a user says in place of an answer."""

    act: DialogueAct
    content: str


class Performance(Protocol):
    """The rule-based user while it speaks: `asked` counts questions, `shown` labels its next message."""

    scenario: Scenario
    asked: int
    shown: list[Behaviour]

    def draw(self, key: str, **slots: str) -> str:
        """Return a wording from the grammar."""
        ...


@dataclass(frozen=True)
class Utterance:
    """A message of a model that plays the user, to be read.

    `text` is in lower case; `asked` are the labels of the facts that were asked for, `acts` the user's acts in this
    request, `planned` the behaviours planned at this point. `sounds` tells whether the text matches a pattern of
    `hearing` in the grammar, `names` whether it mentions a label.
    """

    text: str
    sounds: Callable[[str], bool]
    names: Callable[[str], bool]
    asked: Sequence[str] = ()
    acts: Iterable[str] = ()
    planned: Sequence[Behaviour] = ()


@dataclass(frozen=True)
class UserBehaviour:
    """One behaviour; its module sets the fields that it needs, and `wording/grammar/*.yaml` holds the words by key.

    Planned: `extend` adds steps to a draft, `plan` changes only how its task is told; both return whether they found a
    moment. `notice` yields requests that show the behaviour without being planned. `leave_undone` may follow `plan` and
    end the task there.

    Performed: `opening` is the key of what is said with the first request. `instead` returns what is said in place of an
    answer or a confirmation; its `again` tells that it was said before. `lead` returns the act of an answer, and the
    words before it. With the act `retracts`, the user replaces a value said before by the right one. `in_one_breath` is
    the key of both values in one clause, `restates` the key of a second value in the same message.

    Prompted: `prompt` may hold {request}, {label}, {value}, {right}, {when}, {soon} and {gives_in}.

    Recognised: by the `act` of a message, where the behaviour is planned; `recognise` returns how surely an answer is
    that act, from 0 to 1, and `shows` whether any message shows the behaviour.
    """

    name: Behaviour
    extend: Callable[[Growth], Awaitable[bool]] | None = None
    needs_live_state: bool = False
    plan: Callable[[Growth], bool] | None = None
    reorders: bool = False
    leave_undone: Callable[[Growth], bool] | None = None
    notice: Callable[[Growth], Iterable[int]] | None = None
    prompt: str = ""
    opening: str = ""
    instead: Callable[[Performance, PlannedBehaviour, bool], Turn | None] | None = None
    lead: Callable[[Performance, PlannedBehaviour], tuple[DialogueAct, str] | None] | None = None
    retracts: DialogueAct | None = None
    in_one_breath: str = ""
    restates: str = ""
    act: DialogueAct | None = None
    recognise: Callable[[Utterance, PlannedBehaviour], float] | None = None
    shows: Callable[[Utterance], bool] | None = None
