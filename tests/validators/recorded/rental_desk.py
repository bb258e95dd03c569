"""A recorded dialogue about two vans, sound as it stands, and ways to change a message of it."""

import json
from typing import Any

from tests.validators.builders import make_tool

from interplay.schemas.records.dialogue import Message, ToolCall
from interplay.schemas.records.recorded import Gold, GoldCall, RecordedDialogue
from interplay.schemas.records.tool import Toolset

TEXT = {"type": "string"}
DAY = {"type": "string", "format": "date"}
DESK = Toolset(
    name="desk",
    tools=(
        make_tool("find_customer", {"name": TEXT, "birth_date": DAY}, ["name", "birth_date"], "read", None),
        make_tool("list_bookings", {"customer_id": TEXT}, ["customer_id"], "read", None),
        make_tool(
            "move_booking", {"booking_id": TEXT, "start_date": DAY, "reason": TEXT}, ["booking_id"], "write", None
        ),
        make_tool("cancel_booking", {"booking_id": TEXT, "reason": TEXT}, ["booking_id"], "write", None),
        make_tool("pass_on", {"summary": TEXT}, ["summary"], "write", None),
    ),
)
BOOKINGS: list[dict[str, Any]] = [
    {"booking_id": "BK-0178", "vehicle": "Harrow Cargo Long", "branch": "Port Elden", "start_date": "2026-04-03",
     "total": 591.57, "status": "booked"},
    {"booking_id": "BK-0151", "vehicle": "Harrow Cargo", "branch": "Oakhurst", "start_date": "2026-03-24",
     "total": 604.08, "status": "booked"},
]  # fmt: skip
MOVED = {**BOOKINGS[1], "start_date": "2026-03-27"}
CANCELLED = {**BOOKINGS[0], "status": "cancelled"}
GOLD = Gold(
    writes=(
        GoldCall(name="move_booking", arguments={"booking_id": "BK-0151", "start_date": "2026-03-27"}),
        GoldCall(name="cancel_booking", arguments={"booking_id": "BK-0178", "reason": "I found a lift with a friend"}),
    )
)


def user(text: str) -> Message:
    return Message(role="user", content=text)


def says(text: str) -> Message:
    return Message(role="assistant", content=text)


def calls(tool: str, **arguments: Any) -> Message:
    identifier = f"{tool}{json.dumps(arguments)}"
    return Message(role="assistant", tool_calls=(ToolCall(id=identifier, name=tool, arguments=arguments),))


def answers(call: Message, value: Any, failed: bool = False) -> Message:
    content = value if isinstance(value, str) else json.dumps(value)
    return Message(role="tool", content=content, tool_call_id=call.tool_calls[0].id, failed=failed)


FIND = calls("find_customer", name="Piet Dunmore", birth_date="1985-04-10")
LIST = calls("list_bookings", customer_id="CU-0012")
MOVE = calls("move_booking", booking_id="BK-0151", start_date="2026-03-27")
CANCEL = calls("cancel_booking", booking_id="BK-0178", reason="A friend gives me a lift")
SOUND: tuple[Message, ...] = (
    user("I'm Piet Dunmore, born 10 April 1985. Move my van of 24 March to the 27th, and I won't need the other one."),
    FIND,
    answers(FIND, {"customer_id": "CU-0012", "name": "Piet Dunmore"}),
    LIST,
    answers(LIST, BOOKINGS),
    says("You have 2 vans. Shall I move the Harrow Cargo from Oakhurst to 27 March 2026?"),
    user("Yes."),
    MOVE,
    answers(MOVE, MOVED),
    says("It now begins on 27 March. Shall I also cancel the Harrow Cargo Long of 3 April for 591.57?"),
    user("Please do, I found a lift."),
    CANCEL,
    answers(CANCEL, CANCELLED),
    says("The Harrow Cargo Long is cancelled; together they would have been 1,195.65."),
    user("Thanks!"),
    says("You're welcome."),
)


def recorded(
    messages: tuple[Message, ...] = SOUND, gold: Gold | None = GOLD, toolset: Toolset = DESK
) -> RecordedDialogue:
    return RecordedDialogue(id="d1", toolset=toolset, gold=gold, messages=messages)


def replaced(changes: dict[int, Message | None]) -> tuple[Message, ...]:
    """Return the sound dialogue with other messages at some places, or without them."""
    made = [changes.get(index, message) for index, message in enumerate(SOUND)]
    return tuple(message for message in made if message is not None)
