"""A request -> how many tokens it would take, without sending it."""

import json
from dataclasses import dataclass, field

from interplay.generators.models.providers.endpoint import SdkEndpoint
from interplay.generators.models.providers.usage import payload_tokens
from interplay.schemas.records.chat import ChatReply, ChatRequest


@dataclass
class CountedModel:
    """A model that counts the tokens of requests and gives a set answer, varied between candidates."""

    endpoint: SdkEndpoint
    answer: ChatReply = field(default_factory=ChatReply)
    calls: float = 0
    prompt: float = 0
    repeated: float = 0
    completion: float = 0
    _before: str = field(default="", repr=False)
    _words: str = field(default="", repr=False)

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Count the request; what it has in common with the one before it is the beginning of its prompt."""
        payload = json.dumps(self.endpoint.payload(request), ensure_ascii=False, separators=(",", ":")).encode()
        text = "".join(f"{message.role}{message.content}" for message in request.messages)
        same = len(self._before) if text.startswith(self._before) and self._before else 0
        fixed = len(payload) - len(text.encode())  # the definitions of the tools, which stand first
        self.calls += 1
        self.prompt += payload_tokens(len(payload))
        self.repeated += payload_tokens(fixed + same) if same else 0
        self._before = text
        chooses = request.output is not None and "best" in request.output.json_schema["properties"]
        if chooses:
            return ChatReply(value={"best": 1})
        self.completion += payload_tokens(len(self._words.encode()))
        if request.sample and self.answer.value is not None and "message" in self.answer.value:
            message = self.answer.value["message"] + " " * request.sample
            return self.answer.model_copy(update={"value": {**self.answer.value, "message": message}})
        return self.answer

    def add(self, other: "CountedModel", part: float) -> None:
        """Count a share of another model's tokens too."""
        self.calls += part * other.calls
        self.prompt += part * other.prompt
        self.repeated += part * other.repeated
        self.completion += part * other.completion

    def begin(self) -> None:
        """Turn to the next dialogue."""
        self._before = ""

    def told(self, text: str, answer: ChatReply) -> None:
        """Take what is to be answered next, worded as `text`."""
        self._words, self.answer = text, answer
