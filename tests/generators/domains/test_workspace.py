"""The workspace: a coherent database, tools that keep to their schemas, two sides in line, and what always holds."""

import asyncio
from collections.abc import Mapping
from datetime import datetime
from itertools import combinations
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from interplay.generators.domains.workspace import DOMAIN
from interplay.generators.domains.workspace.records import COMPANY, NOW, SERIAL_NUMBER, USER, USERNAME
from interplay.generators.domains.workspace.seed import make_tables
from interplay.generators.domains.workspace.vocabulary import ROOMS, WARNING
from interplay.schemas.dialogue import ToolCall, ToolResult
from interplay.schemas.json_schema import errors
from interplay.schemas.protocols import Environment
from interplay.schemas.tools import Requestor

TABLES: dict[str, Any] = dict(make_tables())
IDENTITIES = {"contacts": "username"}


def call(environment: Environment, name: str, /, **arguments: Any) -> ToolResult:
    """Call a tool as the one who may call it."""
    requestor: Requestor = environment.toolset.tool(name).requestor
    return asyncio.run(environment.call(ToolCall(id="a00000001", name=name, arguments=arguments, requestor=requestor)))


def first(table: str, **fields: Any) -> dict[str, Any]:
    """Return the first row of the database with these fields."""
    rows = (row for row in TABLES[table].values() if fields.items() <= row.items())
    return dict(next(rows))


PERSON, OUTSIDER = first("contacts", department="finance"), first("contacts", department="external partners")
FILE, FOLDER = first("files", owner=USER, viewers=[], editors=[]), first("folders", title="Travel")
SLOT, TASK = first("slots", username=PERSON["username"]), first("tasks", status="open")
MEETING, MAIL = first("meetings", status="planned", organiser=USER), first("mails", mailbox="inbox", warning=None)
CALLS: dict[str, dict[str, Any]] = {
    "find_contacts": {"full_name": PERSON["full_name"].split()[1].upper(), "department": "finance"},
    "list_contacts": {"department": "external partners"},
    "list_folders": {"title": "website"},
    "list_files": {"folder_id": FOLDER["folder_id"], "kind": "PDF"},
    "find_files": {"title": "budget"},
    "share_file": {"file_id": FILE["file_id"], "username": PERSON["username"], "permission": "edit"},
    "move_file": {"file_id": FILE["file_id"], "folder_id": FOLDER["folder_id"]},
    "delete_file": {"file_id": FILE["file_id"]},
    "list_meetings": {"day": MEETING["day"], "attendee": MEETING["attendees"][0]},
    "list_free_slots": {"username": PERSON["username"]},
    "schedule_meeting": {"slot_id": SLOT["slot_id"], "title": "Questions on the budget"},
    "add_attendee": {"meeting_id": MEETING["meeting_id"], "username": PERSON["username"]},
    "move_meeting": {"meeting_id": MEETING["meeting_id"], "new_day": "2026-07-01", "new_time": "10:00"},
    "cancel_meeting": {"meeting_id": MEETING["meeting_id"], "reason": "the topic is settled"},
    "send_invitation": {"meeting_id": MEETING["meeting_id"], "note": "The agenda follows"},
    "list_mails": {"mailbox": "inbox", "unread_only": True},
    "get_mail": {"mail_id": MAIL["mail_id"]},
    "send_mail": {
        "usernames": [PERSON["username"], OUTSIDER["username"]],
        "subject": "Hello",
        "text": "See you soon.",
        "file_id": FILE["file_id"],
    },
    "reply_to_mail": {"mail_id": MAIL["mail_id"], "text": "Thank you."},
    "list_tasks": {"status": "open", "person": USER},
    "create_task": {"title": "Check the figures", "due_date": "2026-03-20", "file_id": FILE["file_id"]},
    "update_task": {"task_id": TASK["task_id"], "new_status": "done"},
    "open_support_case": {"topic": "hardware", "message": "My screen stays dark."},
    "get_device_status": {},
    "check_warranty": {"serial_number": SERIAL_NUMBER},
    "order_repair": {"serial_number": SERIAL_NUMBER, "damage": "weak battery"},
    "read_sticker": {},
    "check_sync_status": {},
    "toggle_airplane_mode": {},
    "restart_mail_client": {},
    "free_disk_space": {},
    "accept_calendar_permission": {},
}


def test_the_database_is_the_same_every_time() -> None:
    assert make_tables() == TABLES
    assert DOMAIN.open().digest() == DOMAIN.open().digest() == "978ea3cb6206cb49792507df0a79fa01"


def test_the_database_is_large_and_varied() -> None:
    sizes = {table: len(rows) for table, rows in TABLES.items()}
    assert sizes["contacts"] >= 40
    assert sizes["files"] >= 45
    assert sizes["meetings"] == 80
    assert sizes["mails"] >= 95
    assert sizes["tasks"] >= 48
    assert len({row["subject"].removeprefix("Re: ") for row in TABLES["mails"].values()}) >= 40
    assert {row["mailbox"] for row in TABLES["mails"].values()} == {"inbox", "sent", "archive", "outbox"}
    assert {row["status"] for row in TABLES["tasks"].values()} == {"open", "in progress", "done"}


def test_a_name_finds_one_person() -> None:
    assert len({row["full_name"] for row in TABLES["contacts"].values()}) == len(TABLES["contacts"])
    assert USERNAME not in TABLES["contacts"]


def share(table: str, condition: Any) -> float:
    return float(sum(map(condition, TABLES[table].values())) / len(TABLES[table]))


def test_most_rows_allow_the_actions() -> None:
    assert share("files", lambda row: row["owner"] == USER) > 0.6
    assert share("meetings", lambda row: row["starts_at"] > NOW.isoformat()) > 0.6
    assert share("tasks", lambda row: row["status"] != "done") > 0.6
    assert share("mails", lambda row: row["mailbox"] in ("inbox", "archive") and not row["warning"]) > 0.4
    assert {row["username"] for row in TABLES["slots"].values()} == set(TABLES["contacts"])


def test_some_rows_are_what_the_rules_are_about() -> None:
    outside = [slot for slot in TABLES["slots"].values() if not "08:00" <= slot["starts_at"][11:16] < "18:00"]
    assert outside
    assert sum(row["warning"] == WARNING for row in TABLES["mails"].values()) == 5
    assert share("files", lambda row: row["confidential"]) > 0.1
    assert share("contacts", lambda row: row["company"] != COMPANY) > 0.1


@pytest.mark.parametrize(
    ("name", "arguments", "text"),
    [
        ("list_files", {"folder_id": "folder-0"}, "there is no folder folder-0."),
        ("share_file", CALLS["share_file"] | {"username": "nobody"}, "there is no person with the username nobody."),
        (
            "move_file",
            {"file_id": FILE["file_id"], "folder_id": FILE["folder_id"]},
            f"'{FILE['title']}' is in the folder '{FILE['folder_title']}' already.",
        ),
        (
            "add_attendee",
            {"meeting_id": MEETING["meeting_id"], "username": MEETING["usernames"][0]},
            f"{MEETING['attendees'][0]} takes part in '{MEETING['title']}' already.",
        ),
        (
            "reply_to_mail",
            {"mail_id": first("mails", mailbox="sent")["mail_id"], "text": "Yes."},
            f"is a mail of {USER}, not to {USER}.",
        ),
        ("update_task", {"task_id": TASK["task_id"], "new_status": "open"}, "as it is; give another value."),
        ("send_mail", {"usernames": [], "subject": "Hello", "text": "Hi."}, "usernames: [] should be non-empty"),
        ("open_support_case", {"topic": "lunch", "message": "Help."}, "'lunch' is not one of"),
    ],
)
def test_what_is_impossible_is_an_error(name: str, arguments: dict[str, Any], text: str) -> None:
    environment = DOMAIN.open()
    error = call(environment, name, **arguments).error
    assert error is not None
    assert error.startswith("Error")
    assert text in error
    assert environment.changes() == ()


def test_a_room_cannot_be_taken_twice() -> None:
    environment = DOMAIN.open()
    other = first("meetings", room=MEETING["room"], status="held")
    then = {"new_day": MEETING["day"], "new_time": MEETING["starts_at"][11:16]}
    error = call(environment, "move_meeting", meeting_id=other["meeting_id"], **then).error
    hours = f"from {MEETING['starts_at'][11:16]} to {MEETING['ends_at'][11:16]}"
    assert error == f"Error: the room {MEETING['room']} is taken on {MEETING['day']} {hours}."
    call(environment, "cancel_meeting", meeting_id=MEETING["meeting_id"])
    assert call(environment, "move_meeting", meeting_id=other["meeting_id"], **then).error is None


def test_a_time_is_free_no_more_once_it_is_taken() -> None:
    environment = DOMAIN.open()
    booked = call(environment, "schedule_meeting", **CALLS["schedule_meeting"]).value
    left = call(environment, "list_free_slots", username=PERSON["username"]).value
    assert SLOT["slot_id"] not in [slot["slot_id"] for slot in left]
    call(environment, "cancel_meeting", meeting_id=booked["meeting_id"])
    assert SLOT in call(environment, "list_free_slots", username=PERSON["username"]).value


def test_a_deleted_file_is_found_no_more() -> None:
    environment = DOMAIN.open()
    call(environment, "delete_file", file_id=FILE["file_id"])
    assert FILE["title"] not in [row["title"] for row in call(environment, "find_files", title=FILE["title"]).value]
    assert "has been deleted" in str(call(environment, "share_file", **CALLS["share_file"]).error)


def test_an_editor_is_no_viewer_any_more() -> None:
    environment = DOMAIN.open()
    call(environment, "share_file", **CALLS["share_file"] | {"permission": "view"})
    call(environment, "share_file", **CALLS["share_file"])
    shared = environment.state()["files"][FILE["file_id"]]
    assert (shared["viewers"], shared["editors"]) == ([], [PERSON["full_name"]])
    assert "can edit" in str(call(environment, "share_file", **CALLS["share_file"]).error)


def test_an_answer_stands_in_the_thread_of_its_mail() -> None:
    environment = DOMAIN.open()
    answer = call(environment, "reply_to_mail", mail_id=MAIL["mail_id"], text="Thank you.").value
    assert answer["thread_id"] == MAIL["thread_id"]
    assert answer["recipients"] == [MAIL["sender"]]
    again = call(environment, "reply_to_mail", mail_id=MAIL["mail_id"], text="Thank you again.").value
    assert again["subject"] == answer["subject"]
    assert again["subject"].count("Re: ") == 1


def test_a_person_met_booked_invited_and_given_a_task() -> None:
    environment = DOMAIN.open()
    person = call(environment, "find_contacts", full_name=PERSON["full_name"]).value[0]
    slot = call(environment, "list_free_slots", username=person["username"]).value[0]
    meeting = call(environment, "schedule_meeting", slot_id=slot["slot_id"], title="Budget questions").value
    invitation = call(environment, "send_invitation", meeting_id=meeting["meeting_id"]).value
    assert invitation["recipients"] == [person["full_name"]]
    file = call(environment, "find_files", title=FILE["title"]).value[0]
    call(environment, "share_file", file_id=file["file_id"], username=person["username"], permission="view")
    task = call(
        environment,
        "create_task",
        title="Review it",
        due_date="2026-03-20",
        username=person["username"],
        file_id=file["file_id"],
    ).value
    assert (task["assignee"], task["file_id"]) == (person["full_name"], file["file_id"])


# The two sides.


def test_the_tools_of_the_laptop_are_the_users_alone() -> None:
    environment = DOMAIN.open()
    own = {tool.name for tool in environment.toolset.tools if tool.requestor == "user"}
    assert len(own) == 6
    for name in own:
        refused = asyncio.run(environment.call(ToolCall(id="a00000001", name=name, arguments={})))
        assert refused.error == f"Error: there is no tool called {name} for the assistant."
    assert environment.changes() == ()


def status(environment: Environment) -> Mapping[str, Any]:
    return dict(call(environment, "get_device_status").value)


def test_what_the_user_does_on_the_laptop_is_seen_by_the_assistant() -> None:
    environment = DOMAIN.open()
    assert set(status(environment).values()) == {"offline", "stopped", 2}
    call(environment, "toggle_airplane_mode")
    assert status(environment)["connection"] == "online"
    assert status(environment)["file_sync"] == "stopped"
    call(environment, "free_disk_space")
    assert status(environment)["file_sync"] == "up to date"
    call(environment, "accept_calendar_permission")
    assert status(environment)["calendar_sync"] == "up to date"
    call(environment, "restart_mail_client")
    assert status(environment) == {
        "connection": "online",
        "mail_sync": "up to date",
        "calendar_sync": "up to date",
        "file_sync": "up to date",
        "waiting_mails": 0,
    }


def test_the_outbox_is_sent_once_mail_comes_through() -> None:
    environment = DOMAIN.open()
    waiting = [row["mail_id"] for row in call(environment, "list_mails", mailbox="outbox").value]
    assert len(waiting) == 2
    call(environment, "restart_mail_client")
    assert [row["mail_id"] for row in call(environment, "list_mails", mailbox="outbox").value] == waiting
    call(environment, "toggle_airplane_mode")
    assert call(environment, "list_mails", mailbox="outbox").value == []
    sent = call(environment, "get_mail", mail_id=waiting[0]).value
    assert (sent["mailbox"], sent["sent_at"]) == ("sent", NOW.isoformat())


def test_a_laptop_that_goes_offline_again_is_not_in_sync() -> None:
    environment = DOMAIN.open()
    before = environment.snapshot()
    call(environment, "toggle_airplane_mode")
    call(environment, "toggle_airplane_mode")
    assert status(environment)["connection"] == "offline"
    environment.restore(before)
    assert environment.changes() == ()


def test_a_laptop_goes_by_the_number_that_stands_on_it() -> None:
    environment = DOMAIN.open()
    number = call(environment, "read_sticker").value["serial_number"]
    assert call(environment, "check_warranty", serial_number=number).value["model"] == "Corvid 14"
    assert call(environment, "check_warranty", serial_number="TW-00000-A").error is not None
    repair = call(environment, "order_repair", serial_number=number, damage="weak battery").value
    assert repair["pickup_date"] == "2026-03-03"
    again = call(environment, "order_repair", serial_number=number, damage="weak battery")
    assert again.error == "Error: a repair of the weak battery is ordered already."


def test_room_is_made_once() -> None:
    environment = DOMAIN.open()
    call(environment, "free_disk_space")
    assert call(environment, "free_disk_space").error == "Error: the bin and the caches are empty already."


# What always holds.


def check_invariants(state: Mapping[str, Mapping[str, Any]]) -> None:
    """Check what must hold in each state."""
    for table in ("contacts", "folders", "files", "slots", "meetings", "mails", "tasks", "support_cases"):
        identity = IDENTITIES.get(table, f"{table[:-1]}_id")
        assert all(row[identity] == key for key, row in state[table].items())
    names = {row["full_name"] for row in state["contacts"].values()}
    for file in state["files"].values():
        assert file["folder_title"] == state["folders"][file["folder_id"]]["title"]
        assert {*file["viewers"], *file["editors"]} <= names
        assert not set(file["viewers"]) & set(file["editors"])
        assert file["owner"] in names | {USER}
        assert not (file["deleted"] and file["viewers"] + file["editors"])
    for folder in state["folders"].values():
        assert folder["inside"] is None or any(row["title"] == folder["inside"] for row in state["folders"].values())
    for slot in state["slots"].values():
        assert state["contacts"][slot["username"]]["full_name"] == slot["full_name"]
        assert NOW.isoformat() < slot["starts_at"] < slot["ends_at"]
    for meeting in state["meetings"].values():
        assert meeting["starts_at"] < meeting["ends_at"]
        assert meeting["day"] == meeting["starts_at"][:10]
        assert meeting["room"] in ROOMS
        assert [state["contacts"][name]["full_name"] for name in meeting["usernames"]] == meeting["attendees"]
        assert len(set(meeting["usernames"])) == len(meeting["usernames"])
    planned = [row for row in state["meetings"].values() if row["status"] != "cancelled"]
    for one, other in combinations(sorted(planned, key=lambda row: (row["room"], row["starts_at"])), 2):
        assert one["room"] != other["room"] or one["ends_at"] <= other["starts_at"]
    for mail in state["mails"].values():
        assert (mail["sent_at"] is None) == (mail["mailbox"] == "outbox")
        assert (mail["sender"] == USER) == (mail["mailbox"] in ("sent", "outbox"))
        assert mail["correspondent"] in {mail["sender"], *mail["recipients"]}
        assert mail["recipients"]
    for task in state["tasks"].values():
        assert task["assignee"] in names | {USER}
        assert task["file_id"] is None or task["file_id"] in state["files"]
    sync, device = state["sync"], state["device"]
    assert (sync["connection"] == "offline") == device["airplane_mode"]
    assert sync["waiting_mails"] == sum(mail["mailbox"] == "outbox" for mail in state["mails"].values())
    assert not (sync["mail_sync"] == "up to date" and sync["waiting_mails"])


def test_the_database_is_coherent() -> None:
    check_invariants(DOMAIN.open().state())
    for meeting in TABLES["meetings"].values():
        assert datetime.fromisoformat(meeting["starts_at"]).weekday() < 5
        assert len(meeting["usernames"]) < ROOMS[meeting["room"]]
        assert (meeting["status"] == "held") == (meeting["starts_at"] < NOW.isoformat())
    for mail in TABLES["mails"].values():
        assert mail["sent_at"] is None or mail["sent_at"] < NOW.isoformat()


KEYS = {
    "username": sorted(TABLES["contacts"])[:6],
    "usernames": [sorted(TABLES["contacts"])[:2]],
    "file_id": list(TABLES["files"])[:6],
    "folder_id": list(TABLES["folders"])[:4],
    "slot_id": [*list(TABLES["slots"])[:8], "slot-0"],
    "meeting_id": [*list(TABLES["meetings"])[28:36], "meeting-2026-0081"],
    "mail_id": [*list(TABLES["mails"])[:5], "mail-2026-0097"],
    "task_id": list(TABLES["tasks"])[:5],
    "new_day": [row["day"] for row in list(TABLES["meetings"].values())[28:32]],
    "new_time": ["09:00", "10:00", "13:30", "14:00"],
    "title": ["Budget", "Questions on the budget"],
    "subject": ["Re: Old reports"],
    "text": ["Thank you."],
    "day": ["2026-03-05"],
    "due_date": ["2026-03-20"],
    "new_due_date": ["2026-03-20"],
}
"""Values for arguments, few enough that calls of one sequence meet."""


@st.composite
def calls(draw: st.DrawFn) -> ToolCall:
    """Draw a call of any tool with some of its arguments."""
    tool = draw(st.sampled_from(DOMAIN.toolset.tools))
    arguments: dict[str, Any] = {}
    for name, schema in tool.parameters["properties"].items():
        if name in tool.parameters.get("required", ()) or draw(st.booleans()):
            options = KEYS.get(name) or schema.get("enum") or ["some words"]
            arguments[name] = draw(st.booleans() if schema.get("type") == "boolean" else st.sampled_from(options))
    return ToolCall(id="a00000001", name=tool.name, arguments=arguments, requestor=tool.requestor)


@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(calls(), min_size=1, max_size=25))
def test_no_sequence_of_calls_breaks_what_always_holds(made: list[ToolCall]) -> None:
    environment = DOMAIN.open()
    for each in made:
        result = asyncio.run(environment.call(each))
        assert result.error is None or result.error.startswith("Error: ")
        returns = environment.toolset.tool(each.name).returns
        assert result.error is not None or errors(result.value, returns or {}) == []
    check_invariants(environment.state())
