"""The body of a request to the gym -> a checked record, or an error that says where it is wrong."""

from typing import Any, TypeVar

from fastapi import Request
from pydantic import Field, ValidationError

from interplay.flows.gym.session import AgentCall
from interplay.schemas.errors import InterplayError
from interplay.schemas.json.record import Record

Asked = TypeVar("Asked", bound=Record)

MOST_MESSAGES = 2000
MOST_CALLS = 64
MOST_SEED = 2**31 - 1


class OpenRequest(Record):
    """The task to open; another seed changes the user's wording."""

    task: str = Field(max_length=200)
    seed: int = Field(0, ge=0, le=MOST_SEED)


class CallRequest(Record):
    """One call, or several that are made together, with optional words beside them."""

    tool: str = Field("", max_length=200)
    arguments: dict[str, Any] | str = Field(default_factory=dict)
    calls: tuple[AgentCall, ...] = Field((), max_length=MOST_CALLS)
    text: str = ""

    def made(self) -> tuple[AgentCall, ...]:
        """Return all calls."""
        return self.calls or (AgentCall(tool=self.tool, arguments=self.arguments),)


class SayRequest(Record):
    """What the agent says to the user."""

    text: str


class VerifyRequest(Record):
    """A transcript in messages of OpenAI's chat API."""

    task: str = Field(max_length=200)
    messages: tuple[dict[str, Any], ...] = Field(max_length=MOST_MESSAGES)
    seed: int = Field(0, ge=0, le=MOST_SEED)


class InvalidRequest(InterplayError):
    """The body of a request is not as expected."""


async def read_body(request: Request, kind: type[Asked]) -> Asked:
    """Return the body of a request as a record of type `kind`.

    Raises:
        InvalidRequest: it is not one.
    """
    try:
        return kind.model_validate_json(await request.body())
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = "/".join(str(part) for part in first["loc"]) or "body"
        raise InvalidRequest(f"{place}: {first['msg']}") from error
