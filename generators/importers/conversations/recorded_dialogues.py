"""A JSON or JSON Lines file of recorded conversations -> conversations that a run can continue.

    {"messages": [{"role": "user", "content": "Is pet 7 a cat?"},
                  {"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function",
                   "function": {"name": "get_pet", "arguments": "{\\"id\\": 7}"}}]},
                  {"role": "tool", "tool_call_id": "call_1", "content": "{\\"id\\": 7, \\"tag\\": \\"cat\\"}"},
                  {"role": "assistant", "content": "Yes, it is."}]}
    ->  Conversation(name="chats.json#0", messages=(Message(role="user", ...), ...))

Each is cut after the assistant's last words, and before the first call without a result, since nothing can continue from
there. Conversations to judge are read whole, by `whole_dialogues`.
"""

from dataclasses import dataclass
from pathlib import Path

from interplay.generators.importers.conversations.dialogue_rows import DONE, dialogue_rows
from interplay.generators.importers.conversations.observed_calls import read_roots
from interplay.generators.importers.conversations.whole_messages import WholeMessages, whole_messages
from interplay.schemas.errors import ImportFailure
from interplay.schemas.records.dialogue import Message

MAX_CONVERSATIONS = 100_000
MAX_MESSAGES = 2_000


@dataclass(frozen=True)
class Conversation:
    """One recorded conversation, cut after words of the assistant; `left_out` counts the messages that were dropped."""

    name: str
    messages: tuple[Message, ...]
    system_prompt: str = ""
    left_out: int = 0


def read_conversations(path: Path) -> tuple[Conversation, ...]:
    """Read the conversations of a file, in order; those without words of the assistant are left out.

    Raises:
        ImportFailure: the file cannot be read, or holds no conversation.
    """
    found: list[Conversation] = []
    for root in read_roots(path):
        for number, row in enumerate(dialogue_rows(root, said=DONE)):
            if number == MAX_CONVERSATIONS:
                break
            name, given = f"{path.name}#{number}", row.messages[:MAX_MESSAGES]
            made = _without_end(name, whole_messages(given, name), len(given))
            if made.messages:
                found.append(made)
    if not found:
        raise ImportFailure(
            f"{path.name}: holds no conversation. Give a file with lists of messages, each with a role and a content."
        )
    return tuple(found)


def _without_end(name: str, whole: WholeMessages, count: int) -> Conversation:
    made = _answered(whole.messages)
    end = next(
        (n for n in range(len(made), 0, -1) if made[n - 1].role == "assistant" and not made[n - 1].tool_calls), 0
    )
    begin = next((n for n, message in enumerate(made) if message.role == "user"), end)
    return Conversation(name, tuple(made[min(begin, end) : end]), whole.system_prompt, count - end)


def _answered(messages: tuple[Message, ...]) -> list[Message]:
    """Return the non-empty messages up to the first call without a result, marked as not for training."""
    made: list[Message] = []
    waiting: set[str] = set()
    for message in messages:
        if message.role == "tool":
            waiting.discard(message.tool_call_id or "")
        elif waiting:
            break  # nothing can continue from a call without a result
        elif not message.content and not message.tool_calls:
            continue
        waiting |= {call.id for call in message.tool_calls}
        made.append(message.model_copy(update={"train": False}))
    return made
