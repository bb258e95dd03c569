"""The rules of the workspace: each with a call that keeps it and one that breaks it, and the prose that says the same."""

from dataclasses import dataclass, replace
from typing import Any

import pytest
from tests.generators.domains.workspace.office import TABLES, first

from interplay.generators.domains.workspace import DOMAIN
from interplay.generators.domains.workspace.data_model import NOW, USER
from interplay.generators.domains.workspace.rules import POLICY, RULES
from interplay.generators.domains.workspace.sample_data import ROOMS, WARNING
from interplay.schemas.protocols import Policy, PolicyEvent
from interplay.schemas.records.dialogue import ToolCall, ToolResult


@dataclass(frozen=True)
class Case:
    """A call, in the database with some fields set, for a user who agrees, about people who were looked up."""

    tool: str
    arguments: dict[str, Any]
    rows: tuple[tuple[str, str, dict[str, Any]], ...] = ()
    confirmed: bool = True
    looked_up: bool = True


PERSON, COLLEAGUES = (
    first("contacts", department="finance"),
    [key for key, row in TABLES["contacts"].items() if row["department"] == "sales"],
)
OUTSIDER = first("contacts", department="external partners")["username"]
FILE, TASK, MAIL = (
    first("files", owner=USER, confidential=False),
    first("tasks", status="open"),
    first("mails", unread=True),
)
MEETING, OTHER = first("meetings", status="planned", organiser=USER), first("meetings", status="held")
SLOT = first("slots", username=PERSON["username"])
WHO, WHAT, WHEN = PERSON["username"], FILE["file_id"], SLOT["slot_id"]
OWN = ("meetings", MEETING["meeting_id"], {"room": "Attic", "usernames": [COLLEAGUES[0]], "times_moved": 1})
AT_SLOT = {"starts_at": "2026-04-14T10:00:00", "ends_at": "2026-04-14T10:30:00"}
FREE = ("slots", WHEN, AT_SLOT)
ELSEWHERE = {**AT_SLOT, "status": "planned", "room": "Summit", "usernames": []}
SHARE = Case("share_file", {"file_id": WHAT, "username": WHO, "permission": "view"})
DELETE = Case("delete_file", {"file_id": WHAT})
MAILING = Case("send_mail", {"usernames": [WHO], "subject": "Hello", "text": "See you."})
BOOK = Case("schedule_meeting", {"slot_id": WHEN, "title": "Budget questions"}, (FREE,))
MOVE = Case("move_meeting", {"meeting_id": MEETING["meeting_id"], "new_day": "2026-04-14", "new_time": "10:00"}, (OWN,))
ADD = Case("add_attendee", {"meeting_id": MEETING["meeting_id"], "username": WHO}, (OWN,))
CANCEL = Case("cancel_meeting", {"meeting_id": MEETING["meeting_id"]})
REPLY = Case("reply_to_mail", {"mail_id": MAIL["mail_id"], "text": "Thank you."})
CREATE = Case("create_task", {"title": "Check it", "due_date": "2026-03-02", "username": WHO})
UPDATE = Case("update_task", {"task_id": TASK["task_id"], "new_status": "done"})


def with_rows(case: Case, *rows: tuple[str, str, dict[str, Any]]) -> Case:
    return replace(case, rows=(*case.rows, *rows))


def asking(case: Case, **arguments: Any) -> Case:
    return replace(case, arguments={**case.arguments, **arguments})


LOST = ("support_cases", "case-1", {"topic": "lost device"})
RULE_CASES: dict[str, tuple[Case, Case]] = {
    "look_people_up": (ADD, replace(ADD, looked_up=False)),
    "confirm_deletions": (DELETE, replace(DELETE, confirmed=False)),
    "confirm_mails_to_many": (
        replace(asking(MAILING, usernames=COLLEAGUES[:3]), confirmed=False),
        replace(asking(MAILING, usernames=COLLEAGUES[:4]), confirmed=False),
    ),
    "confirm_sharing_outside": (
        replace(SHARE, confirmed=False),
        replace(asking(SHARE, username=OUTSIDER), confirmed=False),
    ),
    "ask_outside_office_hours": (
        replace(asking(MOVE, new_time="17:00"), confirmed=False),
        replace(asking(MOVE, new_time="17:30"), confirmed=False),
    ),
    "nothing_confidential_outside": (
        with_rows(SHARE, ("files", WHAT, {"confidential": True})),
        with_rows(asking(MAILING, usernames=[WHO, OUTSIDER], file_id=WHAT), ("files", WHAT, {"confidential": True})),
    ),
    "only_own_files": (DELETE, with_rows(DELETE, ("files", WHAT, {"owner": PERSON["full_name"]}))),
    "no_weekends": (MOVE, asking(MOVE, new_day="2026-04-18")),
    "no_double_booking": (BOOK, with_rows(BOOK, ("meetings", OTHER["meeting_id"], ELSEWHERE))),
    "room_is_large_enough": (
        ADD,
        with_rows(ADD, ("meetings", MEETING["meeting_id"], {"usernames": COLLEAGUES[:2]})),
    ),
    "say_what_it_is_about": (BOOK, asking(BOOK, title=" Meeting. ")),
    "only_meetings_ahead": (
        CANCEL,
        with_rows(CANCEL, ("meetings", MEETING["meeting_id"], {"starts_at": NOW.isoformat()})),
    ),
    "only_own_meetings": (
        CANCEL,
        with_rows(CANCEL, ("meetings", MEETING["meeting_id"], {"organiser": PERSON["full_name"]})),
    ),
    "move_twice": (MOVE, with_rows(MOVE, ("meetings", MEETING["meeting_id"], {"times_moved": 2}))),
    "due_dates_ahead": (CREATE, asking(CREATE, due_date="2026-03-01")),
    "done_is_done": (UPDATE, with_rows(UPDATE, ("tasks", TASK["task_id"], {"status": "done"}))),
    "tasks_stay_inside": (CREATE, asking(CREATE, username=OUTSIDER)),
    "suspicious_mails_to_support": (REPLY, with_rows(REPLY, ("mails", MAIL["mail_id"], {"warning": WARNING}))),
    "lost_device_to_support": (REPLY, with_rows(REPLY, LOST)),
}


def broken(case: Case) -> list[str]:
    """Return the ids of the rules that a case breaks."""
    state: dict[str, Any] = {**{name: dict(rows) for name, rows in TABLES.items()}, "support_cases": {}}
    for table, key, fields in case.rows:
        state[table][key] = {**state[table].get(key, {}), **fields}
    search = ToolCall(id="a00000001", name="find_contacts", arguments={"full_name": "any"})
    shown = list(state["contacts"].values()) if case.looked_up else []
    event = PolicyEvent(
        call=ToolCall(id="b00000001", name=case.tool, arguments=case.arguments),
        history=((search, ToolResult.of(search, shown)),),
        state=state,
        confirmed=case.confirmed,
    )
    policy: Policy = POLICY
    return [issue.code for issue in policy.violations(event)]


def test_every_rule_has_its_cases() -> None:
    assert list(RULE_CASES) == [rule.id for rule in RULES]


@pytest.mark.parametrize("rule", RULE_CASES)
def test_a_call_that_keeps_the_rules_breaks_none(rule: str) -> None:
    assert broken(RULE_CASES[rule][0]) == []


@pytest.mark.parametrize("rule", RULE_CASES)
def test_a_call_that_breaks_a_rule_breaks_that_one_alone(rule: str) -> None:
    assert broken(RULE_CASES[rule][1]) == [rule]


@pytest.mark.parametrize("fields", [{"usernames": [WHO]}, {"usernames": [], "room": SLOT["room"]}, {"usernames": []}])
def test_nobody_and_no_room_is_in_two_meetings_at_once(fields: dict[str, Any]) -> None:
    taken = ("meetings", OTHER["meeting_id"], {**ELSEWHERE, **fields})
    assert broken(with_rows(BOOK, taken)) == ["no_double_booking"]
    cancelled = ("meetings", OTHER["meeting_id"], {**ELSEWHERE, **fields, "status": "cancelled"})
    assert broken(with_rows(BOOK, cancelled)) == []


def test_who_is_in_another_meeting_cannot_be_added() -> None:
    then = {key: MEETING[key] for key in ("starts_at", "ends_at")}
    taken = ("meetings", OTHER["meeting_id"], {**ELSEWHERE, **then, "usernames": [WHO]})
    assert broken(with_rows(ADD, taken)) == ["no_double_booking"]


@pytest.mark.parametrize(("starts", "ends"), [("07:30", "08:00"), ("17:45", "18:15"), ("18:30", "19:00")])
def test_a_free_time_outside_office_hours_is_asked_about(starts: str, ends: str) -> None:
    early = ("slots", WHEN, {"starts_at": f"2026-04-14T{starts}:00", "ends_at": f"2026-04-14T{ends}:00"})
    assert broken(with_rows(replace(BOOK, confirmed=False), early)) == ["ask_outside_office_hours"]
    assert broken(with_rows(BOOK, early)) == []


def test_a_failed_search_shows_nobody() -> None:
    made = ToolCall(id="a00000001", name="find_contacts", arguments={"full_name": PERSON["full_name"]})
    event = PolicyEvent(
        call=ToolCall(id="b00000001", name="list_free_slots", arguments={"username": WHO}),
        history=((made, ToolResult.failed(made, "Error: no such person.")),),
        state={**TABLES, "support_cases": {}},
        confirmed=False,
    )
    assert [issue.code for issue in POLICY.violations(event)] == ["look_people_up"]


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("cancel_meeting", {"meeting_id": "meeting-0"}),
        ("move_meeting", {"meeting_id": "meeting-0", "new_day": "2026-04-18", "new_time": "10:00"}),
        ("move_meeting", {"meeting_id": MEETING["meeting_id"], "new_day": "soon", "new_time": "early"}),
        ("schedule_meeting", {"slot_id": "slot-0", "title": "Budget questions"}),
        ("delete_file", {"file_id": "file-0"}),
        ("update_task", {"task_id": "task-0", "new_due_date": "soon"}),
        ("reply_to_mail", {"mail_id": "mail-0"}),
    ],
)
def test_what_leads_nowhere_breaks_no_rule(tool: str, arguments: dict[str, Any]) -> None:
    assert broken(Case(tool, arguments, (("meetings", MEETING["meeting_id"], {"times_moved": 0}),))) == []


def test_the_policy_and_the_table_agree() -> None:
    assert list(POLICY.texts) == [rule.id for rule in RULES]
    names = {tool.name for tool in DOMAIN.toolset.tools if tool.requestor == "assistant"}
    for rule in DOMAIN.toolset.rules:
        assert f"**{rule.id}**" in POLICY.prose
        assert rule.text == POLICY.texts[rule.id]
        assert set(rule.tools) <= names


def test_the_policy_names_the_clock_and_the_rooms() -> None:
    said = " ".join(POLICY.prose.split())
    assert f"{NOW:%A}, {NOW.day} {NOW:%B %Y}, {NOW:%H:%M}" in said
    numbers = {3: "three", 4: "four", 6: "six", 8: "eight", 12: "twelve"}
    for room, seats in ROOMS.items():
        assert f"{numbers[seats]} in {room}" in said
    assert USER in said


def test_what_cannot_be_taken_back_is_confirmed() -> None:
    policy = POLICY
    assert policy.confirms("delete_file")
    assert not policy.confirms("list_mails")
