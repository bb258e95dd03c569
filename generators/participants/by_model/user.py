"""A scenario and a model -> the user, which knows its wishes and facts, and never sees tools or ground truth.

asked      system: who you are, what you want, what you know; then the dialogue with the roles swapped
answered   {"about": 1, "message": "I'd like to see Dr. Okafor, please.", "done": false}

The dialogue ends if the user is done and its message is about no open wish, or if it says so repeatedly while nothing is
called; the wording decides nothing.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence

from interplay.generators.participants.by_model.assistant import PromptHistory, as_call, as_chat
from interplay.generators.participants.by_model.behaviour_prompt import conduct_lines
from interplay.generators.participants.by_model.knowledge_prompt import NONE, knowledge_lines, wishes_of
from interplay.generators.participants.wording.languages import ENGLISH, load_grammar
from interplay.generators.phrases.labels.field_labels import words_of
from interplay.schemas.errors import ModelError, ModelUnavailable
from interplay.schemas.json.canonical import canonical_json
from interplay.schemas.protocols import ChatModel
from interplay.schemas.records.blueprint import Goal, Scenario
from interplay.schemas.records.chat import ChatMessage, ChatReply, ChatRequest, ChatTool, OutputSchema, closed_object
from interplay.schemas.records.dialogue import Message, Usage
from interplay.schemas.records.recipe import Persona

INSTRUCTIONS = """\
You play a person who writes to an assistant in a chat. You are the person, never the assistant. The assistant works for you
with tools that you cannot see.

How you write: {manner}.

What you want, as you would think it ("I" and "my" are you, "you" is the assistant). Bring up one number after the other, the
next one when the one before is settled; what stands under one number belongs in one message:
{wishes}

What you know. The assistant knows nothing of it and may not ask for all of it: tell it one or two things at a time, and see to
it that all that belongs to a number has been told before that is carried out:
{knowledge}

What you do as well:
{conduct}

What you do not know: {unknown}. If you are asked for it, say that you do not have it; the assistant can look it up.

Rules:
- Never invent a name, number, date or any other fact that does not stand above or was not told to you. If you are asked for
  something else, say that you do not know it or leave it open.
- Names, numbers and codes stay to the letter, however you write. Say dates and times as people do, none of it left out.
- If the assistant offers several things to choose from, choose by what you know.
- If it asks whether to go ahead with what you want, agree; if it is about to do something else, correct it.
- If something turns out to be impossible, accept it and go on.
- Write as people write in a chat: without lists, without repeating what was said, and briefly unless it says otherwise above.
- You are done when all that you want is done or given up, and you have heard so: not before. Then say goodbye at once.

Each time, answer with one JSON object:
{{"about": the number of what you want that you are at in this message, or 0 where nothing of it is left,
"message": what you write,
"done": true where you say goodbye with it and the chat ends, which takes an "about" of 0; else false}}"""

DEVICE = """

You have a device of your own, which the assistant cannot reach; your tools are what you can do on it. Use one only when the
assistant asks you for what it does, one step at a time and nothing else. Never say that you have done something there, or
what you see there, without having called the tool; then tell what came of it, in your own words and with the values that
matter. Do not name the tools."""

IN_VAIN = 2
"""How many times in a row a `done` message about an open wish is ignored while nothing is called."""

BEGIN = "(The assistant is ready. Write your first message.)"

ANSWER = OutputSchema(
    name="user_turn",
    json_schema=closed_object(
        {
            "about": {"type": "integer", "minimum": 0},
            "message": {"type": "string", "minLength": 1},
            "done": {"type": "boolean"},
        }
    ),
)

_MANNERS = {
    "plain": "plainly", "friendly": "in a friendly way", "formal": "formally and politely",
    "terse": "in as few words as possible", "chatty": "chattily, with a word about why",
}  # fmt: skip
_LONG = ("terse", "chatty")
"""Tones that already imply a message length."""

_UNADORNED = ("formal",)
"""Tones that exclude writing habits."""

_PATIENCE = {"low": "with little patience", "normal": "", "high": "with all the time in the world"}
_EXPERTISE = {
    "novice": "as somebody who has never done this and does not know the terms",
    "regular": "",
    "expert": "as somebody who knows the procedure and its terms",
}
_VERBOSITY = {"brief": "in short messages", "normal": "", "wordy": "at length, with remarks that are not needed"}
_HABITS = {
    "lowercase": "without capital letters", "abbreviates": "with abbreviations such as pls and thx",
    "exclaims": "with many exclamation marks", "emoji": "with an emoji now and then",
    "ellipses": "with trailing dots",
}  # fmt: skip


def manner_of(persona: Persona) -> str:
    """Return a persona's way of talking, in words."""
    known = (_MANNERS[persona.tone], _PATIENCE[persona.patience], _EXPERTISE[persona.expertise])
    length = "" if persona.tone in _LONG else _VERBOSITY[persona.verbosity]
    habits = () if persona.tone in _UNADORNED else (_HABITS[habit] for habit in persona.habits)
    parts = [*known, length, *habits]
    return ", ".join(["as somebody aged " + persona.age, *filter(None, parts)])


REMINDER = (
    "(To yourself, before you answer: what you want is, in this order:\n{wishes}\nGo on with what is left of it.)"
)

CRITIQUE = """\
(To yourself: these are messages that you could write now.

{listed}

Which of them would this person really write here? It goes on with what it wants, answers what it was asked, says one or
two things, invents nothing, and does not say goodbye before all is done or given up.
Answer with one JSON object: {{"best": its number}}.)"""

CHOICE = OutputSchema(
    name="best_turn",
    json_schema=closed_object({"best": {"type": "integer", "minimum": 1}}),
)


class ModelUser:
    """Plays a scenario through a model whose structured answers are checked; `usage` is the cost so far.

    It is reminded of its goals every `reminders` turns (0: never), and takes the best of `candidates` turns by its own
    judgement.
    """

    def __init__(
        self,
        scenario: Scenario,
        goals: Sequence[Goal],
        model: ChatModel,
        reminders: int = 0,
        candidates: int = 1,
        tools: Sequence[ChatTool] = (),
        begins: int = 0,
        purposes: Mapping[str, str] = NONE,
    ) -> None:
        """Set up the player from message `begins` on; `tools` are those of the user's own device.

        `purposes` holds the roles of choices, see `purposes_of`.
        """
        prompt = ChatMessage(role="system", content=scenario_prompt(scenario, goals, purposes))
        self._opening = (prompt, ChatMessage(role="user", content=BEGIN))
        self._tools = tuple(tools)
        self._reminder = REMINDER.format(wishes="\n".join(wishes_of(scenario, goals)))
        self._model = model
        self._reminders = reminders
        self._candidates = candidates
        self._requests = len(scenario.requests)
        self._begins = begins
        self._vain, self._results = 0, 0
        self._told = PromptHistory(_exchanged)
        self.usage = Usage()

    async def respond(self, messages: tuple[Message, ...]) -> Message:
        """Return the next message; see `User.respond`.

        Raises:
            ModelError, ModelUnavailable, BudgetExceeded: see `ChatModel.complete`.
        """
        told = [*self._opening, *_joined(self._told.of(_heard(messages)))]
        turn = sum(message.role == "user" for message in messages)
        if self._reminders and turn and turn % self._reminders == 0 and told[-1].role == "user":
            told[-1] = ChatMessage(role="user", content=f"{told[-1].content}\n\n{self._reminder}")
        asked = ChatRequest(messages=tuple(told), tools=self._tools, output=ANSWER, role="user")
        reply = await self._best(asked)
        if self._tools and reply.tool_calls:
            calls = (as_call(call, len(messages), place, "user") for place, call in enumerate(reply.tool_calls))
            return Message(
                role="user",
                tool_calls=tuple(calls),
                reasoning=reply.reasoning,
                model=reply.model,
                speaker=reply.speaker,
            )
        about = reply.value["about"]
        said = Message(
            role="user",
            content=reply.value["message"],
            about=about if about <= self._requests else 0,
            reasoning=reply.reasoning,
            model=reply.model,
            speaker=reply.speaker,
        )
        if not reply.value["done"]:
            self._vain = 0
            return said
        return said.model_copy(update={"act": "user_bye"}) if self._leaves(messages, said) else said

    def _leaves(self, messages: Sequence[Message], said: Message) -> bool:
        """Tell whether a message marked as done ends the dialogue."""
        results = sum(message.role == "tool" for message in messages)
        self._vain, self._results = (self._vain + 1 if results == self._results else 1), results
        return len(messages) > self._begins and (said.about == 0 or self._vain > IN_VAIN)

    async def _best(self, request: ChatRequest) -> ChatReply:
        """Return an answer: the only one, or the best of several, as judged by the model itself."""
        if self._candidates == 1:
            reply = await self._model.complete(request)
            self.usage = self.usage.plus(reply.usage)
            return reply
        asked = [request.model_copy(update={"sample": number}) for number in range(self._candidates)]
        answers = await asyncio.gather(*(self._model.complete(each) for each in asked), return_exceptions=True)
        replies = [answer for answer in answers if not isinstance(answer, BaseException)]
        failures = [answer for answer in answers if isinstance(answer, BaseException)]
        for reply in replies:
            self.usage = self.usage.plus(reply.usage)
        graver = [each for each in failures if isinstance(each, ModelUnavailable) or not isinstance(each, ModelError)]
        if graver or not replies:
            raise (graver or failures)[0]
        different = {_turn(reply): reply for reply in reversed(replies)}
        options = [reply for reply in replies if different[_turn(reply)] is reply]
        return options[0] if len(options) == 1 else options[await self._judged(request, options)]

    async def _judged(self, request: ChatRequest, options: Sequence[ChatReply]) -> int:
        """Return the index of the answer that the model finds best; 0 if it gives none."""
        listed = "\n".join(f"{number}. {_turn(reply)}" for number, reply in enumerate(options, 1))
        *before, last = request.messages
        critique = ChatMessage(role="user", content=CRITIQUE.format(listed=listed))
        if last.role == "user":
            critique = last.model_copy(update={"content": f"{last.content}\n\n{critique.content}"})
        else:
            before.append(last)
        question = request.model_copy(update={"messages": (*before, critique), "tools": (), "output": CHOICE})
        try:
            judged = await self._model.complete(question)
        except ModelUnavailable:
            raise
        except ModelError:
            return 0
        self.usage = self.usage.plus(judged.usage)
        best = int(judged.value["best"])
        return best - 1 if best <= len(options) else 0


def _turn(reply: ChatReply) -> str:
    """Return an answer as text: its calls, or its message."""
    calls = [{"call": call.name, "arguments": call.arguments} for call in reply.tool_calls]
    return canonical_json(calls if reply.value is None else reply.value)


def scenario_prompt(scenario: Scenario, goals: Sequence[Goal], purposes: Mapping[str, str] = NONE) -> str:
    """Return the prompt that describes the user to a model."""
    persona = scenario.persona
    return (
        INSTRUCTIONS.format(
            manner=manner_of(persona),
            wishes="\n".join(wishes_of(scenario, goals)),
            conduct="\n".join(conduct_lines(scenario)) or "- nothing else",
            knowledge="\n".join(knowledge_lines(scenario, purposes)) or "- nothing more",
            unknown=f"the ids or numbers of {lists}"
            if (lists := _unknown(scenario))
            else "any id or number beside these",
        )
        + (DEVICE if scenario.tools else "")
        + _language(scenario.language)
    )


def _unknown(scenario: Scenario) -> str:
    """Return the things whose identities the user does not know: the invoice, the special event."""
    return ", ".join(f"the {words_of(name)}" for name in scenario.unknown)


def _language(code: str) -> str:
    """Return the instruction to write in another language than English; empty for English."""
    if code == ENGLISH:
        return ""
    return f"\n\nWrite in {load_grammar(code)['name']}, whatever language this is in; values stay to the letter."


def _heard(messages: Sequence[Message]) -> list[Message]:
    """Return the messages that the user sees: without the assistant's calls and their results."""
    own = {call.id for message in messages if message.role == "user" for call in message.tool_calls}
    return [
        message
        for message in messages
        if message.role == "user" or message.tool_call_id in own or (message.role == "assistant" and message.content)
    ]


def _exchanged(message: Message) -> ChatMessage:
    """Return a message with the roles swapped: the user's own words and calls are the model's."""
    if message.role == "assistant":
        return ChatMessage(role="user", content=message.content)
    if message.role == "tool":
        return as_chat(message)
    if message.tool_calls:
        return as_chat(message).model_copy(update={"role": "assistant"})
    written = {"about": message.about or 0, "message": message.content, "done": message.act == "user_bye"}
    return ChatMessage(role="assistant", content=json.dumps(written, ensure_ascii=False))


def _joined(told: Sequence[ChatMessage]) -> list[ChatMessage]:
    """Return the messages with consecutive ones of the assistant joined."""
    seen: list[ChatMessage] = []
    for message in told:
        if message.role == "user" and seen and seen[-1].role == "user":
            seen[-1] = ChatMessage(role="user", content=f"{seen[-1].content}\n{message.content}")
        else:
            seen.append(message)
    return seen
