"""A list of answers, or a function -> a model that gives them, without a network.

It is an endpoint like the others, so that journal, budget and limits work on it as they do on a real one.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from interplay.schemas.errors import ModelError
from interplay.schemas.records.chat import ChatReply, ChatRequest
from interplay.schemas.records.dialogue import Usage

Answer = ChatReply | str | ModelError
"""A reply, its text alone, or what is raised instead of one."""


class ScriptedModel:
    """A model that follows a script.

    A list is used up in the order of the requests, which is that of one dialogue; a function of the request is the
    same however many dialogues there are. `requests` holds what was asked.
    """

    def __init__(
        self, script: Iterable[Answer] | Callable[[ChatRequest], Answer], model: str = "scripted", latency: float = 0.0
    ) -> None:
        """Take the script; `latency` in seconds."""
        self.model = model
        self.base_url = "script:"
        self.path = ""
        self.requests: list[ChatRequest] = []
        self._latency = latency
        self._answer = script if callable(script) else _taken_in_turn(iter(script))

    def payload(self, request: ChatRequest) -> dict[str, Any]:
        """Return the request as JSON."""
        return {"model": self.model, **request.model_dump(mode="json")}

    async def send(self, payload: Mapping[str, Any]) -> bytes:
        """Return the script's answer as JSON.

        Raises:
            ModelError: the script says so, or has no answer left.
        """
        request = ChatRequest.model_validate({key: value for key, value in payload.items() if key != "model"})
        self.requests.append(request)
        if self._latency:
            await asyncio.sleep(self._latency)
        answer = self._answer(request)
        if isinstance(answer, ModelError):
            raise answer
        return self._reply(request, answer).model_dump_json().encode()

    def _reply(self, request: ChatRequest, answer: ChatReply | str) -> ChatReply:
        reply = ChatReply(content=answer) if isinstance(answer, str) else answer
        prompt = sum(len(message.content) for message in request.messages)
        told: dict[str, Any] = {"model": reply.model or self.model, "endpoint": self.base_url}
        if not reply.usage.total:
            told["usage"] = Usage(prompt=1 + prompt // 4, completion=1 + len(reply.content) // 4)
        return reply.model_copy(update=told)

    def parse(self, request: ChatRequest, body: bytes) -> ChatReply:  # noqa: ARG002, the protocol gives it
        """Read the answer back."""
        return ChatReply.model_validate_json(body)

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Ask without anything around it."""
        return self.parse(request, await self.send(self.payload(request)))

    async def aclose(self) -> None:
        """Nothing is open."""


def _taken_in_turn(answers: Any) -> Callable[[ChatRequest], Answer]:
    def answer(_: ChatRequest) -> Answer:
        return next(answers, None) or ModelError("The script has no answer left. Give it more, or a function.")

    return answer
