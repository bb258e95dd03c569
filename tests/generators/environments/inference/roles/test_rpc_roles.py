"""Functions behind dotted paths: what they show and take says what they act on."""

import json
from random import Random
from typing import Any

import pytest
from tests.generators.environments.inline import TEXT, call, operation, sandbox

from interplay.generators.environments.sandbox.sandbox import Sandbox
from interplay.generators.graph.sampling.argument_samples import sample_arguments
from interplay.generators.graph.sampling.world import World
from interplay.schemas.records.dialogue import ToolCall

pytestmark = pytest.mark.anyio

OK = {"type": "boolean", "enum": [True]}
USER_ID = {"type": "string", "title": "User ID", "pattern": "^U[A-Z0-9]{8,}$"}
ROOM_ID = {"type": "string", "title": "Room ID", "pattern": "^[CG][A-Z0-9]{8,}$"}
TS = {"type": "string", "pattern": r"^\d{10}\.\d{6}$"}
USERS = {"type": "string", "description": "A comma separated list of user IDs."}


def answer(**fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"ok": OK, **fields}, "required": ["ok", *fields]}


def thing(**fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields)}


ROOM = thing(id=ROOM_ID, name=TEXT, creator=USER_ID, is_archived={"type": "boolean"})
PERSON = thing(id=USER_ID, name=TEXT)
NOTE = thing(ts=TS, text=TEXT, user=USER_ID)


def chat() -> Sandbox:
    rooms, people = {"type": "array", "items": ROOM}, {"type": "array", "items": PERSON}
    notes, ids = {"type": "array", "items": NOTE}, {"type": "array", "items": USER_ID}
    group = thing(
        id={"type": "string", "pattern": "^S[A-Z0-9]{2,}$"},
        handle=TEXT,
        creator_room={**ROOM_ID, "pattern": "^C[A-Z0-9]{2,}$"},
    )
    return sandbox(
        operation("conversations_create", "POST", "/api/conversations.create", answer(room=ROOM), name=TEXT),
        operation("conversations_list", "GET", "/api/conversations.list", answer(rooms=rooms)),
        operation("conversations_info", "GET", "/api/conversations.info", answer(room=ROOM), query_room=TEXT),
        operation("conversations_archive", "POST", "/api/conversations.archive", answer(), room=TEXT),
        operation("conversations_invite", "POST", "/api/conversations.invite", answer(room=ROOM), room=TEXT, users=USERS),
        operation("conversations_kick", "POST", "/api/conversations.kick", answer(), room=TEXT, user=TEXT),
        operation("conversations_members", "GET", "/api/conversations.members", answer(members=ids), query_room=TEXT),
        operation("conversations_history", "GET", "/api/conversations.history", answer(messages=notes), query_room=TEXT),
        operation("users_list", "GET", "/api/users.list", answer(members=people)),
        operation("users_info", "GET", "/api/users.info", answer(user=PERSON), query_user=TEXT),
        operation("chat_postMessage", "POST", "/api/chat.postMessage", answer(room=TEXT, ts=TEXT, message=NOTE), room=TEXT, text=TEXT),
        operation("chat_update", "POST", "/api/chat.update", answer(message=NOTE), room=TEXT, ts=TEXT, text=TEXT),
        operation("chat_delete", "POST", "/api/chat.delete", answer(ts=TEXT), room=TEXT, ts=TEXT),
        operation("admin_rooms", "POST", "/api/admin.conversations.create", answer(room_id=TEXT), name=TEXT),
        operation("usergroups_list", "GET", "/api/usergroups.list", answer(usergroups={"type": "array", "items": group})),
    )  # fmt: skip


async def done(opened: Sandbox, tool: str, /, **arguments: Any) -> Any:
    result = await opened.call(ToolCall(id="call00001", name=tool, arguments=arguments))
    assert result.error is None, result.error
    return result.value


async def refused(opened: Sandbox, name: str, **arguments: Any) -> Any:
    return json.loads(str((await call(opened, name, **arguments)).error))


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def test_what_a_namespace_shows_is_its_resource() -> None:
    opened = chat()
    roles = {role.tool: (role.operation, role.resource) for role in opened.resources.roles}
    assert {roles[name][1] for name in roles if name.startswith("conversations_")} == {"conversation", "message"}
    assert roles["users_list"] == ("list", "user")
    assert roles["conversations_history"] == ("list", "message")
    assert roles["conversations_invite"] == ("action", "conversation")
    made = (await done(opened, "conversations_create", name="launch"))["room"]
    assert (await done(opened, "conversations_info", room=made["id"]))["room"] == made
    assert made in (await done(opened, "conversations_list"))["rooms"]
    await done(opened, "conversations_archive", room=made["id"])
    assert (await done(opened, "conversations_info", room=made["id"]))["room"]["is_archived"] is True


async def test_an_unknown_reference_fails_as_the_api_fails() -> None:
    opened = chat()
    room = next(iter(opened.state()["conversation"]))
    assert await refused(opened, "chat_postMessage", room="C0", text="Hi") == {"ok": False, "error": "room_not_found"}
    assert (await refused(opened, "conversations_invite", room=room, users="U0"))["error"] == "user_not_found"
    assert (await refused(opened, "chat_update", room=room, ts="1.2", text="Hi"))["error"] == "message_not_found"


async def test_inviting_and_kicking_change_the_members_that_are_shown() -> None:
    opened = chat()
    room = next(iter(opened.state()["conversation"]))
    before = (await done(opened, "conversations_members", room=room))["members"]
    one, two = [key for key in opened.state()["user"] if key not in before][:2]
    await done(opened, "conversations_invite", room=room, users=f"{one},{two}")
    assert (await done(opened, "conversations_members", room=room))["members"] == [*before, one, two]
    await done(opened, "conversations_kick", room=room, user=one)
    assert (await done(opened, "conversations_members", room=room))["members"] == [*before, two]
    assert (await refused(opened, "conversations_kick", room=room, user=one))["error"] == "not_in_room"


async def test_what_is_to_be_removed_is_sampled_from_what_is_there() -> None:
    opened = chat()
    world = World(opened)
    for number in range(6):
        arguments = sample_arguments(world, world.tools["conversations_kick"], Random(number), optional=2)
        before = opened.snapshot()
        await done(opened, "conversations_kick", **arguments)
        opened.restore(before)


async def test_messages_lie_below_their_conversation_and_are_told_apart_by_ts() -> None:
    opened = chat()
    room, other = list(opened.state()["conversation"])[:2]
    posted = await done(opened, "chat_postMessage", room=room, text="Lunch?")
    assert posted["room"] == room
    assert posted["ts"] == posted["message"]["ts"]
    assert posted["ts"][:2] in ("17", "18")
    assert posted["message"] in (await done(opened, "conversations_history", room=room))["messages"]
    assert posted["message"] not in (await done(opened, "conversations_history", room=other))["messages"]
    assert (await done(opened, "chat_update", room=room, ts=posted["ts"], text="Dinner?"))["message"][
        "text"
    ] == "Dinner?"
    assert (await refused(opened, "chat_delete", room=other, ts=posted["ts"]))["error"] == "message_not_found"
    assert (await done(opened, "chat_delete", room=room, ts=posted["ts"]))["ts"] == posted["ts"]


async def test_an_identity_is_one_that_all_fields_admit_that_hold_it() -> None:
    opened = chat()
    groups = (await done(opened, "usergroups_list"))["usergroups"]
    assert {group["creator_room"] for group in groups} <= opened.state()["conversation"].keys()
    made = await done(opened, "admin_rooms", name="quiet")
    assert (await done(opened, "conversations_info", room=made["room_id"]))["room"]["name"] == "quiet"
