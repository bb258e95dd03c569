"""A player by rules, and a model -> the same player in the model's words: its acts stay, their wording is new.

asked      system: whose words, in which manner and language; then what was said last, the act, the sentence, its values
answered   {"text": "Could you tell me which day suits you?"}

A wording is used only if it keeps every value unchanged and adds none; else the rules' own sentence stays.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Literal

from interplay.generators.participants.hearing.equivalence import changed
from interplay.generators.participants.hearing.word_overlap import QUESTION_MARKS, content_stems, share
from interplay.schemas.errors import ModelError, ModelUnavailable
from interplay.schemas.protocols import Assistant, ChatModel, User
from interplay.schemas.records.blueprint import Blueprint, Fact
from interplay.schemas.records.chat import ChatMessage, ChatRequest, OutputSchema, closed_object
from interplay.schemas.records.dialogue import Message, Usage
from interplay.schemas.words.mentions import mentions
from interplay.schemas.words.text import UNSPACED, normalised

INSTRUCTIONS = """\
You put sentences of a chat between a user and an assistant into other words. You are given what the {role} says now, and
write it as {who} would.

How the {role} talks: {manner}.
{language}
Rules:
- Say exactly what the sentence says: leave nothing out, add nothing, ask what it asks, promise nothing more.
- The values that are listed stay to the letter, each of them: names, numbers, dates, addresses.
- No other name, number, date or place appears; no tool, no field and no rule is named that the sentence does not name.
- About as long as the sentence, without lists or markup.

Each time, answer with one JSON object: {{"text": what the {role} writes}}."""

ANSWER = OutputSchema(
    name="wording",
    json_schema=closed_object({"text": {"type": "string", "minLength": 1}}),
)

SHOWN = 4
"""Earlier messages that are shown with a sentence."""

LONGER, MORE = 3, 160
"""A wording may have at most `LONGER` times the characters of the sentence, plus `MORE`."""

SHORTER = 3
"""The sentence may have at most this many times the characters of a wording."""

_BRIEFLY = ("affirm", "negate")
"""Acts for which one word is enough."""

_ABOUT = ("inform_intent_clear", "inform_intent_clear_add", "request")
"""Acts whose wording must share a word with the sentence."""

REWORDED = "reworded"
"""The count of wordings that were used; other counts are named after their fault."""

_WHO = {"user": "a person who writes to an assistant", "assistant": "a helpful assistant"}
_ACTS = {
    "inform_intent_clear": "says what it wants", "inform_intent_clear_add": "says more clearly what it wants",
    "inform_intent_vague": "hints at what it wants, and no more", "inform": "answers with what it was asked for",
    "fail_inform": "says that it does not know", "affirm": "agrees", "negate": "says no", "choose": "chooses",
    "insist": "insists", "off_topic": "asks for something else", "user_bye": "says goodbye",
    "request": "asks for something that is missing", "clarify": "asks what is wanted", "suggest": "offers what there is",
    "confirm_request": "asks whether to go ahead", "call": "says that it is at work", "response": "reports",
    "retriever_call": "says that it looks for a way", "response_fail": "says that it cannot help with that",
    "refuse": "refuses", "system_bye": "says goodbye", "ask_again": "has not understood", "guide": "asks the user for a step on the user's own device, which stays the same step",
    "report": "tells what came of a step on its own device",
}  # fmt: skip
_CAPITALS = {"german", "deutsch", "de"}
"""Languages that capitalise common nouns, so that names cannot be recognised by their first letter."""

_COMMON = {"i", "ok", "okay", "id", "hi", "hello", "mr", "mrs", "ms", "dr"}
_ORDINAL = re.compile(r"the \w+ one|number \d+|d(?:en|ie|as) \w+ten?|Nummer \d+")
_ENDING = re.compile(r"(.*\w)[-'’]([^\W\d_]{1,5})")
_CODE = re.compile(r"[@_/\\]|\w\.\w|[a-z][A-Z]|\d")
_MARKUP = re.compile(r"[{}<>`|]|\*\*|^[^\S\n]*[-*#]\s", re.MULTILINE)
_OPENING = re.compile(r"(?:^|[.!?:…\"“„(]\s*|\n\s*)$")


@cache
def _token() -> re.Pattern[str]:
    """Return the pattern of a word with its punctuation marks; see `_within`."""
    return re.compile(rf"[^\s,;:!?()\"“”„{UNSPACED}]+")


@cache
def _within() -> re.Pattern[str]:
    """Return the pattern of two letters of one word, compiled on first use since such large sets are slow to compile."""
    return re.compile(rf"[^\W_{UNSPACED}]{{2}}")


@cache
def _unspaced() -> re.Pattern[str]:
    """Return the pattern of a character of a script without spaces; see `_within`."""
    return re.compile(f"[{UNSPACED}]")


class RewrittenPlayer:
    """A player whose sentences are reworded by a model; `usage` holds the cost, `counts` the outcomes."""

    def __init__(
        self,
        player: User | Assistant,
        role: Literal["user", "assistant"],
        model: ChatModel,
        blueprint: Blueprint,
        manner: str = "politely and to the point",
        language: str = "",
        tools: Sequence[str] = (),
    ) -> None:
        """Set up the player; an empty `language` keeps that of the rules."""
        told = (
            f"\nWrite in {language}, whatever language the sentence is in; the values stay as they are.\n"
            if language
            else ""
        )
        text = INSTRUCTIONS.format(role=role, who=_WHO[role], manner=manner, language=told)
        self._prompt = ChatMessage(role="system", content=text)
        self._player = player
        self._role: Literal["user", "assistant"] = role
        self._model = model
        self._blueprint = blueprint
        self._language = language
        self._tools = frozenset(name for name in tools if "_" in name or not name.islower())
        self.usage = Usage()
        self.counts: Counter[str] = Counter()
        self._taken: dict[str, str] = {}

    async def respond(self, messages: tuple[Message, ...]) -> Message:
        """Return the next message, reworded if the wording has no fault; see `User.respond`.

        Raises:
            ModelUnavailable, BudgetExceeded: see `ChatModel.complete`.
        """
        said = await self._player.respond(messages)
        if not said.content.strip():
            return said
        request = ChatRequest(messages=(self._prompt, self._asked(messages, said)), output=ANSWER, role=self._role)
        try:
            reply = await self._model.complete(request)
        except ModelUnavailable:
            raise
        except ModelError:
            self.counts["no_answer"] += 1
            return said
        self.usage = self.usage.plus(reply.usage)
        text = reply.value["text"].strip()
        own = (message.content for message in reversed(messages) if message.role == self._role and message.content)
        again = text == next(own, "") or self._taken.get(text, said.act) != said.act
        fault = self.fault(said, text) or ("repeated" if again else "")
        self.counts[fault or REWORDED] += 1
        if fault:
            return said
        self._taken[text] = str(said.act)
        return said.model_copy(
            update={"content": text, "reasoning": "", "model": reply.model, "speaker": reply.speaker}
        )

    def _asked(self, messages: Sequence[Message], said: Message) -> ChatMessage:
        before = [message for message in messages if message.role != "tool" and message.content][-SHOWN:]
        lines = [f"{message.role}: {message.content}" for message in before]
        values = "\n".join(f"- {value}" for value in self._fixed(said)) or "- none"
        text = (
            f"Said before:\n{chr(10).join(lines) or '(nothing)'}\n\nNow the {self._role} {_ACTS.get(str(said.act), 'speaks')}"
            f".\nSentence: {said.content}\nValues that stay to the letter:\n{values}"
        )
        return ChatMessage(role="user", content=text)

    def _fixed(self, said: Message) -> list[str]:
        """Return the values that must stay unchanged; ordinals are translated with the sentence."""
        values = [value for value in said.spoken if value and _stands(said.content, value)]
        return [value for value in values if not (self._language and _ORDINAL.fullmatch(value))]

    def fault(self, said: Message, text: str) -> str:
        """Return what is wrong with a wording for a message; empty if nothing is."""
        if not text:
            return "empty"
        if len(text) > LONGER * len(said.content) + MORE:
            return "too_long"
        if said.act not in _BRIEFLY and (SHORTER * _length(text) < len(said.content) or _is_word(text, said.content)):
            return "too_short"
        if _MARKUP.search(text) and not _MARKUP.search(said.content):
            return "markup"
        if any(name in text and name not in said.content for name in self._tools):
            return "tool_named"
        if not all(self._holds(text, value) for value in self._fixed(said)):
            return "value_lost"
        if self._adds(said.content, text):
            return "value_added"
        if not self._language and any(_names_other(fact, said.content, text) for fact in self._told(said)):
            return "value_added"
        if not self._language and said.act in _ABOUT and content_stems(said.content) and not share(said.content, text):
            return "meaning_changed"
        if "?" in said.content and not any(mark in text for mark in QUESTION_MARKS):
            return "question_lost"
        return changed(said, text, self._language) or ("" if self._keeps_heard(said, text) else "value_lost")

    def _holds(self, text: str, value: str) -> bool:
        """Tell whether a text contains a value unchanged, or all items of an enumeration."""
        return _stands(text, value) or all(_stands(text, part) for part in re.split(r", | and | und ", value))

    def _adds(self, draft: str, text: str) -> bool:
        known = {token.strip(".'’") for token in _token().findall(draft)}
        spelled = {word.lower() for word in re.findall(r"[^\W\d_]+", draft)}
        for found in _token().finditer(text):
            token = found[0].strip(".'’…")
            ended = _ENDING.fullmatch(token) if self._language else None
            if token in known or not token or (ended is not None and ended[1] in known):
                continue
            if _CODE.search(token) and token not in draft:
                return True
            if self._is_name(text, found.start(), token) and not _spelled(token) <= spelled | _COMMON:
                return True
        few = {0, 1, 2}  # "one moment", "both", "in no time"
        return not self._language and bool(normalised(text).figures - normalised(draft).figures - few)

    def _is_name(self, text: str, start: int, token: str) -> bool:
        if self._language.lower() in _CAPITALS or not token[:1].isupper():
            return False
        return _OPENING.search(text[:start]) is None and re.match(r"I(?:['’]|$)", token) is None

    def _told(self, said: Message) -> list[Fact]:
        told = said.state.told if said.state and said.role == "user" else ()
        return [fact for fact in self._blueprint.scenario.facts if fact.id in told]

    def _keeps_heard(self, said: Message, text: str) -> bool:
        """Tell whether the values that are understood in a message are understood in its wording too, in any language."""
        told: list[tuple[Any, Mapping[str, Any], str]] = [
            (fact.value, fact.hint, fact.label) for fact in self._told(said)
        ]
        if said.act == "response":
            told += [(out.value, out.hint, out.label) for out in self._blueprint.expected.outputs]
        return all(mentions(text, *value) for value in told if mentions(said.content, *value))


def _length(text: str) -> int:
    """Return the length of a text in letters; a character of a script without spaces counts as three."""
    return len(text) + 2 * len(_unspaced().findall(text))


def _is_word(text: str, sentence: str) -> bool:
    """Tell whether one word replaces a sentence of several, in a script with spaces."""
    return len(text.split()) == 1 < len(sentence.split()) and not _unspaced().search(text)


def _names_other(fact: Fact, draft: str, text: str) -> bool:
    """Tell whether a wording has a value of a fact's enumeration that the draft has not."""
    others = [value for value in fact.hint.get("enum", ()) if isinstance(value, str)]
    drafted, worded = draft.lower(), text.lower()
    return any(_stands(worded, value.lower()) and not _stands(drafted, value.lower()) for value in others if value)


def _stands(text: str, value: str) -> bool:
    """Tell whether a text contains a value as whole words."""
    within = _within()
    place = text.find(value)
    while place != -1:
        end = place + len(value)
        if not within.fullmatch(text[max(place - 1, 0) : place + 1]) and not within.fullmatch(text[end - 1 : end + 1]):
            return True
        place = text.find(value, place + 1)
    return False


def _spelled(token: str) -> set[str]:
    return {word.lower() for word in re.findall(r"[^\W\d_]{2,}", token)}
