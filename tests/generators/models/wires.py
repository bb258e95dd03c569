"""Ask a server on this machine over each of the three wires, with the real SDKs."""

import asyncio
import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

from tests.model_server.answers import Answer, Ask, Script
from tests.model_server.server import ModelServer, Settings, read_fault

from interplay.generators.models.providers.endpoint import SdkEndpoint
from interplay.generators.models.providers.sdk_endpoints import open_endpoint
from interplay.generators.models.providers.wire import Wire
from interplay.generators.models.transport.endpoint_settings import EndpointSettings
from interplay.generators.models.transport.json_body import Tools
from interplay.schemas.errors import InterplayError
from interplay.schemas.records.chat import ChatCall, ChatMessage, ChatReply, ChatRequest, ChatTool, OutputSchema

WIRES = ("chat", "responses", "messages")
WAYS = (*WIRES, "chat again", "responses again", "messages again")
"""The first request, and one that follows it over the same connection."""

KEY = "sk-planted-0123456789abcdef"
ENVIRON = {"PLANTED_KEY": KEY}

LOOKUP = ChatTool(
    name="lookup",
    description="Look a note up.",
    parameters={"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]},
)
SAVE = ChatTool(name="save", description="Save all.", parameters={})


def body_of(wire: Wire, settings: EndpointSettings, request: ChatRequest) -> dict[str, Any]:
    """Return the body that a wire puts a request into."""
    return wire.payload(settings, request, Tools(wire.tool))


MOOD = OutputSchema(
    name="mood",
    json_schema={
        "type": "object",
        "properties": {"mood": {"enum": ["good", "bad"]}, "why": {"type": "string"}},
        "required": ["mood", "why"],
    },
)


def user(text: str) -> ChatMessage:
    return ChatMessage(role="user", content=text)


def said(text: str, *calls: ChatCall) -> ChatMessage:
    return ChatMessage(role="assistant", content=text, tool_calls=calls)


def result(call_id: str, text: str, failed: bool = False) -> ChatMessage:
    return ChatMessage(role="tool", content=text, tool_call_id=call_id, failed=failed)


def question(text: str = "Hello.", **fields: Any) -> ChatRequest:
    return ChatRequest(messages=(user(text),), **fields)


def endpoint(wire: str, server: ModelServer, environ: Mapping[str, str] = ENVIRON, **fields: Any) -> SdkEndpoint:
    wire = wire.removesuffix(" again")
    settings = {"model": "m", "api_key_env": "PLANTED_KEY", "timeout": 10.0, **fields}
    if wire == "messages":
        made = EndpointSettings(provider="anthropic", base_url=server.anthropic_url, **settings)
        return open_endpoint(made, environ)
    made = EndpointSettings(api="responses" if wire == "responses" else "chat", base_url=server.openai_url, **settings)
    return open_endpoint(made, environ)


@dataclasses.dataclass(frozen=True)
class Exchange:
    """What came of one request: the reply or the error, and the server."""

    server: ModelServer
    reply: ChatReply | None = None
    error: InterplayError | None = None

    @property
    def good(self) -> ChatReply:
        assert self.reply is not None, self.error
        return self.reply

    @property
    def body(self) -> dict[str, Any]:
        """What the server was sent."""
        return dict(self.server.asks[-1].body)


def exchange(
    wire: str,
    request: ChatRequest | None = None,
    faults: tuple[str, ...] = (),
    answer: Answer | Script | None = None,
    behave: Settings = Settings(),  # noqa: B008, it is frozen
    **fields: Any,
) -> Exchange:
    """Ask once, for at most ten seconds; on a wire "again" after a first question that is not counted."""
    script: Callable[[Ask], Answer | None] | None = (lambda _: answer) if isinstance(answer, Answer) else answer
    behave = dataclasses.replace(behave, faults=tuple(read_fault(text) for text in faults))

    async def run() -> Exchange:
        async with ModelServer(script=script) as server:
            asked = endpoint(wire, server, **fields)
            try:
                if wire.endswith("again"):
                    await asked.complete(question("First."))
                server.reset(behave)
                return Exchange(server, reply=await asked.complete(request or question()))
            except InterplayError as error:
                return Exchange(server, error=error)
            finally:
                await asked.aclose()

    return asyncio.run(asyncio.wait_for(run(), 20))
