"""What a model server says so that dialogues come out well: it plays again what the rules played of the same blueprints."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tests.generators.worlds import request_of
from tests.model_server.answers import Answer, Ask, Call
from tests.model_server.anthropic_wire import MESSAGES

from interplay.generators.participants.by_model.user import ANSWER, scenario_prompt
from interplay.schemas.json.canonical import canonical_json, digest
from interplay.schemas.records.dialogue import Message
from interplay.schemas.records.verdict import METRICS, DatasetRecord


def heard_over_any_wire(ask: Ask) -> list[tuple[str, Any]]:
    """Return (role, content) of each message, the system prompt first, as chat completions have them."""
    if ask.path != MESSAGES:
        return [(message["role"], message.get("content")) for message in ask.body["messages"]]
    system = "".join(block["text"] for block in ask.body.get("system", ()))
    return [("system", system), *(said for turn in ask.body["messages"] for said in _blocks(turn))]


def _blocks(turn: dict[str, Any]) -> Iterator[tuple[str, str]]:
    texts = [block["text"] for block in turn["content"] if block["type"] == "text"]
    if turn["role"] == "assistant":
        yield "assistant", "".join(texts)
        return
    for block in turn["content"]:
        if block["type"] == "tool_result":
            yield "tool", block["content"]
    yield from (("user", text) for text in texts)


GOODBYE = (
    Message(role="user", content="Thank you, that is all.", act="user_bye"),
    Message(role="assistant", content="Goodbye!", act="system_bye"),
)
"""How a dialogue ends in which the user has left without a word: a model says that it is done."""


class ReplayingBrain:
    """Answers users and assistants; what it does not know it leaves to the server's rules."""

    def __init__(self, records: Sequence[DatasetRecord]) -> None:
        self._users: dict[str, list[tuple[Message, int]]] = {}
        self._turns: dict[tuple[str, ...], dict[int, Message]] = {}
        for record in records:
            if record.blueprint is None or record.trajectory is None:
                continue
            messages = record.trajectory.messages
            messages = messages if messages[-1].act == "system_bye" else (*messages, *GOODBYE)
            said = [(item, request_of(record.blueprint, item)) for item in messages if item.role == "user"]
            self._users[scenario_prompt(record.blueprint.scenario, record.blueprint.goals)] = said
            for index, message in enumerate(messages):
                if message.role == "assistant":
                    heard = tuple(item.content for item in messages[:index] if item.role != "assistant")
                    self._turns.setdefault(heard, {})[index] = message

    def say(self, prompt: str, turn: int) -> tuple[str, int, bool]:
        """Return what the user of a scenario says in a turn, which request it is at, and whether that is its last word."""
        said = self._users[prompt]
        message, request = said[min(turn, len(said) - 1)]
        return message.content, request, turn >= len(said) - 1

    def __call__(self, ask: Ask) -> Answer | None:
        """Return what was said at this point."""
        messages = heard_over_any_wire(ask)
        if not messages or any(not isinstance(content, str) for _, content in messages):
            return None
        if messages[0][1] in self._users:
            message, request, done = self.say(messages[0][1], sum(role == "assistant" for role, _ in messages))
            text = canonical_json({"about": request, "message": message, "done": done})
            return Answer(calls=(Call(ask.choice, text),)) if ask.choice == ANSWER.name else Answer(text=text)
        heard = tuple(content for role, content in messages if role in ("user", "tool"))
        spoken = self._turns.get(heard, {}).get(len(messages) - 1)
        if spoken is None:
            return None
        return Answer(
            text=spoken.content,
            calls=tuple(Call(call.name, canonical_json(call.arguments)) for call in spoken.tool_calls),
        )


MARK = "as soon as it can be done"
"""What a strict committee wants to read in each wish."""


class StrictCommittee:
    """Plays reviewers that reject most tasks at first, for a reason that they name, and a composer that mends it.

    They find fault with the wording of `share` of all wishes; one that says `MARK` they accept. Without `composes`, the
    composer holds that words cannot mend it.
    """

    def __init__(self, share: float = 0.7, *, composes: bool = True) -> None:
        self._share = share
        self._composes = composes
        self.asked = {"review": 0, "revise": 0}

    def __call__(self, ask: Ask) -> Answer | None:
        """Review or rewrite; anything else is left to the server's rules."""
        fields = (ask.output or {}).get("properties", {})
        if "goals_at_fault" in fields:
            self.asked["review"] += 1
            return Answer(text=canonical_json(self._review(json.loads(ask.body["messages"][1]["content"]))))
        if "mendable" in fields:
            self.asked["revise"] += 1
            return Answer(text=canonical_json(self._revise(json.loads(ask.body["messages"][1]["content"]))))
        return None

    def _review(self, case: dict[str, Any]) -> dict[str, Any]:
        wishes = [wish for request in case["user"]["wants"] for wish in request]
        faulty = [wish["goal"] for wish in wishes if self._dislikes(wish["intent"])]
        fine = {"reason": "Nothing amiss.", "score": 5}
        review = dict.fromkeys(METRICS, fine)
        if faulty:
            review["satisfaction"] = {"reason": "The wish does not say how soon.", "score": 1}
        return {**review, "goals_at_fault": faulty}

    def _dislikes(self, intent: str) -> bool:
        return MARK not in intent and int(digest(intent), 16) % 1000 < 1000 * self._share

    def _revise(self, told: dict[str, Any]) -> dict[str, Any]:
        faulty = told["goals_at_fault"] if self._composes else []
        goals = [
            {"number": wish["number"], "intent": f"{wish['intent']} {MARK}"}
            for wish in told["wants"]
            if wish["number"] in faulty
        ]
        return {"mendable": bool(goals), "goals": goals, "tell_at_once": []}


def asked_items(prompt: str, question: str) -> list[str]:
    """Return the ids of all items that a reviewer of a dialogue is asked about."""
    standing = prompt.split("\nItems:\n")[1].split("\n\nPolicy:")[0]
    own = question.rsplit("Answer these items too:\n", 1)[1]
    listed = (re.match(r"([\w.-]+(?: [\w.-]+)*): ", line) for line in (*standing.splitlines(), *own.splitlines()))
    return [identifier for found in listed if found for identifier in found[1].split()]


Objection = tuple[str, int, str]
"""An item, the message at fault, and words of it."""


class ReviewingBrain:
    """Plays reviewers of tasks, who like all of them, and of dialogues, who object as `objects` says to the messages.

    Anything else is left to another brain.
    """

    def __init__(self, other: Any = None, objects: Callable[[str], Sequence[Objection]] = lambda _: ()) -> None:
        self._other = other
        self._objects = objects
        self.asked = 0

    def __call__(self, ask: Ask) -> Answer | None:
        """Review a task or a dialogue."""
        fields = (ask.output or {}).get("properties", {})
        if "goals_at_fault" in fields:
            review = {metric: {"reason": "Nothing amiss.", "score": 5} for metric in METRICS}
            return Answer(text=canonical_json({**review, "goals_at_fault": []}))
        if "naturalness" not in fields:
            return self._other(ask) if self._other is not None else None
        self.asked += 1
        (_, prompt), (_, question), *_ = heard_over_any_wire(ask)
        return Answer(text=canonical_json(review_of(prompt, question, self._objects(question))))


def review_of(prompt: str, question: str, objections: Sequence[Objection] = ()) -> dict[str, Any]:
    """Return an answer that agrees to all items but those that are objected to."""
    named = {item for item, _, _ in objections}
    return {
        "walk": [],
        "no": [{"item": item, "message": at, "quote": quote, "why": "planted"} for item, at, quote in objections],
        "yes": [item for item in asked_items(prompt, question) if item not in named],
        "coherence": 4,
        "naturalness": 4,
        "helpfulness": 4,
    }
