"""A model's user that says it is done -> whether it takes its leave there, or still wants or answers something."""

from collections.abc import Sequence

from interplay.generators.participants.hearing.assent import affirms
from interplay.generators.participants.hearing.assistant_reader import asks_to_confirm
from interplay.generators.participants.hearing.state_tracker import SURE, StateTracker
from interplay.generators.participants.hearing.word_overlap import QUESTION_MARKS, plain
from interplay.generators.participants.wording.languages import heard_as
from interplay.schemas.records.dialogue import Message

IN_VAIN = 2
"""How often in a row a goodbye is not taken again, although nothing has come of the words that it stood with."""

_ASKING = ("request", "suggest", "clarify", "guide", "ask_again")
_WISHES = ("inform_intent_clear", "inform_intent_clear_add", "change_mind", "resume", "off_topic")
_MORE = ("inform_intent_vague", "insist")


class Farewell:
    """Tells of each goodbye in one dialogue whether it is one, by the words beside it.

    It is none before the assistant has answered, where it asks whether to go ahead, and beside a wish, a fact that was not
    known before, or an answer that takes no leave. Words in a language that is not read count by the values in them.
    """

    def __init__(self, tracker: StateTracker, begins: int = 0) -> None:
        """Note who follows the dialogue, and from which message on."""
        self._tracker = tracker
        self._begins = begins
        self._reached: tuple[int, int] | None = None
        self._vain = 0

    def __call__(self, messages: Sequence[Message], said: Message) -> bool:
        """Tell whether a message that says goodbye is one."""
        since = messages[self._begins :]
        if not any(message.role == "assistant" for message in since):
            return False
        asked, heard = self._tracker.track(since)[-1], self._tracker.peek(since, said)
        if not self._goes_on(asked, heard):
            return True
        known = len(heard.state.filled) if heard.state else 0
        reached = (sum(message.role == "tool" for message in since), known)
        self._vain = self._vain + 1 if reached == self._reached else 0
        self._reached = reached
        return self._vain > IN_VAIN

    def _goes_on(self, asked: Message, heard: Message) -> bool:
        """Tell whether words go on with the dialogue, whatever is said of being done."""
        if asked.act == "confirm_request" or asks_to_confirm(asked):
            return True
        if heard.state is None or heard.act == "user_bye":
            return False
        known = asked.state.filled if asked.state else ()
        if set(heard.state.told) - set(known):
            return True
        leaves = heard_as("leaving").search(plain(heard.content)) is not None
        if heard.state.confidence < SURE:
            sure = asked.state is not None and asked.state.confidence >= SURE
            answers = asked.act in _ASKING and (affirms(heard.content) or (sure and not leaves))
            return answers or heard.content.rstrip().endswith(QUESTION_MARKS)
        return heard.act in _WISHES or ((asked.act in _ASKING or heard.act in _MORE) and not leaves)
