"""What a model server says so that dialogues come out well: it plays again what the rules played of the same blueprints."""

from collections.abc import Sequence

from tests.model_server.answers import Answer, Ask, Call

from interplay.generators.participants.model_user import scenario_prompt
from interplay.schemas.canonical import canonical_json
from interplay.schemas.dialogue import Message
from interplay.schemas.verdict import DatasetRecord


class ReplayingBrain:
    """Answers chat completions of users and assistants; what it does not know it leaves to the server's rules."""

    def __init__(self, records: Sequence[DatasetRecord]) -> None:
        self._users: dict[str, list[Message]] = {}
        self._turns: dict[tuple[str, ...], dict[int, Message]] = {}
        for record in records:
            if record.blueprint is None or record.trajectory is None:
                continue
            messages = record.trajectory.messages
            said = [message for message in messages if message.role == "user"]
            self._users[scenario_prompt(record.blueprint.scenario, record.blueprint.goals)] = said
            for index, message in enumerate(messages):
                if message.role == "assistant":
                    heard = tuple(item.content for item in messages[:index] if item.role == "user")
                    self._turns.setdefault(heard, {})[index] = message

    def __call__(self, ask: Ask) -> Answer | None:
        """Return what was said at this point."""
        messages = ask.body["messages"]
        if any(not isinstance(message.get("content"), str) for message in messages):
            return None
        said = self._users.get(messages[0]["content"])
        if said is not None:
            turn = sum(message["role"] == "assistant" for message in messages)
            done = turn == len(said) - 1
            return Answer(text=canonical_json({"message": said[turn].content, "done": done}))
        heard = tuple(message["content"] for message in messages if message["role"] == "user")
        spoken = self._turns.get(heard, {}).get(len(messages) - 1)
        if spoken is None:
            return None
        return Answer(
            text=spoken.content,
            calls=tuple(Call(call.name, canonical_json(call.arguments)) for call in spoken.tool_calls),
        )
