"""The workspace: a large and varied database, and tools that keep to their schemas and to what is possible."""

from typing import Any

import pytest
from tests.generators.domains.workspace.office import TABLES, call, first

from interplay.generators.domains.workspace import DOMAIN
from interplay.generators.domains.workspace.data_model import COMPANY, NOW, SERIAL_NUMBER, USER, USERNAME
from interplay.generators.domains.workspace.sample_data import WARNING
from interplay.generators.domains.workspace.seed import make_tables

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
    assert DOMAIN.open().digest() == DOMAIN.open().digest() == "60d2846be9db33ceb292e09ce989068d"


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
