"""The rules of `policy.md` as code: for each rule, whether the next call complies with it."""

from collections.abc import Iterator
from datetime import date, datetime, time
from importlib.resources import files
from typing import Any

from interplay.generators.domains import DomainPolicy, Duty, PolicyEvent, Rule, row, user_has_agreed
from interplay.generators.domains.workspace.data_model import COMPANY, NOW, TODAY, USER, USERNAME
from interplay.generators.domains.workspace.meetings import clashes
from interplay.generators.domains.workspace.sample_data import ROOMS

MANY_RECIPIENTS = 3
MOST_MOVES = 2
OPENS, CLOSES = time(8), time(18)
SATURDAY = 5
SAYS_NOTHING = {"", "-", "?", "call", "catch-up", "chat", "meeting", "n/a", "none", "talk", "tbd"}


def usernames(event: PolicyEvent) -> list[str]:
    """Return the usernames in the call's arguments."""
    one, many = event.call.arguments.get("username"), event.call.arguments.get("usernames")
    return [*([str(one)] if one else []), *map(str, many if isinstance(many, list) else [])]


def names_an_outsider(event: PolicyEvent) -> bool:
    people = [event.state["contacts"].get(username, {}) for username in usernames(event)]
    return any(person.get("company", COMPANY) != COMPANY for person in people)


def texts(value: Any) -> Iterator[str]:
    """Yield all texts in a result."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from texts(item)


def meeting_after(event: PolicyEvent) -> dict[str, Any]:
    """Return the meeting as it would be after the call; empty if the call names no existing meeting or slot."""
    if event.call.name == "schedule_meeting":
        slot = row(event, "slots", "slot_id")
        return {**slot, "meeting_id": None, "usernames": [slot["username"]]} if slot else {}
    meeting = dict(row(event, "meetings", "meeting_id"))
    if meeting and event.call.name == "add_attendee":
        meeting["usernames"] = [*meeting["usernames"], *usernames(event)]
    if meeting and event.call.name == "move_meeting":
        starts_at = moment(f"{event.call.arguments.get('new_day')}T{event.call.arguments.get('new_time')}")
        if starts_at is None:
            return {}
        length = datetime.fromisoformat(meeting["ends_at"]) - datetime.fromisoformat(meeting["starts_at"])
        meeting |= {"starts_at": starts_at.isoformat(), "ends_at": (starts_at + length).isoformat()}
    return meeting


def moment(text: str) -> datetime | None:
    """Parse an ISO date and time; None if it is none."""
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def people_were_looked_up(event: PolicyEvent) -> bool:
    named = set(usernames(event))
    return not named or named <= {text for _, result in event.history for text in texts(result.value)}


def few_get_it_or_user_has_agreed(event: PolicyEvent) -> bool:
    return event.confirmed is not False or len(usernames(event)) <= MANY_RECIPIENTS


def stays_inside_or_user_has_agreed(event: PolicyEvent) -> bool:
    return event.confirmed is not False or not names_an_outsider(event)


def in_office_hours_or_user_has_agreed(event: PolicyEvent) -> bool:
    meeting = meeting_after(event)
    if event.confirmed is not False or not meeting:
        return True
    starts_at, ends_at = datetime.fromisoformat(meeting["starts_at"]), datetime.fromisoformat(meeting["ends_at"])
    same_day = starts_at.date() == ends_at.date()
    return same_day and starts_at.time() >= OPENS and ends_at.time() <= CLOSES and starts_at.weekday() < SATURDAY


def nothing_confidential_leaves(event: PolicyEvent) -> bool:
    return not (row(event, "files", "file_id").get("confidential", False) and names_an_outsider(event))


def file_is_the_users(event: PolicyEvent) -> bool:
    return bool(row(event, "files", "file_id").get("owner", USER) == USER)


def day_is_a_workday(event: PolicyEvent) -> bool:
    meeting = meeting_after(event)
    return not meeting or datetime.fromisoformat(meeting["starts_at"]).weekday() < SATURDAY


def everybody_is_free(event: PolicyEvent) -> bool:
    meeting: Any = meeting_after(event)
    if not meeting:
        return True
    busy: list[Any] = list(event.state["meetings"].values())
    people = set(usernames(event)) if event.call.name == "add_attendee" else {USERNAME, *meeting["usernames"]}
    if event.call.name == "add_attendee":
        meeting = {**meeting, "room": None}
    return not clashes(busy, meeting, people, meeting["meeting_id"])


def all_have_a_seat(event: PolicyEvent) -> bool:
    meeting = meeting_after(event)
    return not meeting or len(set(meeting["usernames"])) < ROOMS.get(meeting["room"], 0)


def title_says_something(event: PolicyEvent) -> bool:
    return str(event.call.arguments.get("title", "")).strip(" .!").casefold() not in SAYS_NOTHING


def meeting_is_ahead(event: PolicyEvent) -> bool:
    meeting = row(event, "meetings", "meeting_id")
    return not meeting or (meeting["status"] == "planned" and meeting["starts_at"] > NOW.isoformat())


def user_is_organiser(event: PolicyEvent) -> bool:
    return bool(row(event, "meetings", "meeting_id").get("organiser", USER) == USER)


def meeting_was_moved_once_at_most(event: PolicyEvent) -> bool:
    return bool(row(event, "meetings", "meeting_id").get("times_moved", 0) < MOST_MOVES)


def due_date_is_ahead(event: PolicyEvent) -> bool:
    due = event.call.arguments.get("due_date") or event.call.arguments.get("new_due_date") or TODAY
    try:
        return date.fromisoformat(str(due)) >= TODAY
    except ValueError:
        return True


def task_is_not_done(event: PolicyEvent) -> bool:
    return bool(row(event, "tasks", "task_id").get("status") != "done")


def person_is_a_colleague(event: PolicyEvent) -> bool:
    return not names_an_outsider(event)


def mail_bears_no_warning(event: PolicyEvent) -> bool:
    return row(event, "mails", "mail_id").get("warning") is None


def no_device_is_lost(event: PolicyEvent) -> bool:
    return all(case["topic"] != "lost device" for case in event.state["support_cases"].values())


SHARE, MOVE_FILE, DELETE = "share_file", "move_file", "delete_file"
SCHEDULE, ADD, MOVE, CANCEL, INVITE = (
    "schedule_meeting",
    "add_attendee",
    "move_meeting",
    "cancel_meeting",
    "send_invitation",
)
MAIL, REPLY, CREATE, UPDATE = "send_mail", "reply_to_mail", "create_task", "update_task"
FILES, MEETINGS, TASKS = ("find_files", "list_files"), ("list_meetings",), ("list_tasks",)
SUPPORT = Duty(kind="hand_over", tool="open_support_case")
WHO_GETS_WHAT = Duty(kind="say", values=("contact.full_name", "argument.subject"))
WHO_IT_IS = Duty(kind="say", values=("contact.full_name", "contact.company"))
WHEN = Duty(kind="say", values=("slot.starts_at", "argument.new_time"))
RULES = (
    Rule("look_people_up", "identify_first", (SHARE, "list_free_slots", ADD, MAIL, CREATE), people_were_looked_up),
    Rule("confirm_deletions", "confirm_before", (DELETE, CANCEL), user_has_agreed),
    Rule("confirm_mails_to_many", "confirm_before", (MAIL,), few_get_it_or_user_has_agreed, duty=WHO_GETS_WHAT),
    Rule("confirm_sharing_outside", "confirm_before", (SHARE,), stays_inside_or_user_has_agreed, duty=WHO_IT_IS),
    Rule("ask_outside_office_hours", "confirm_before", (SCHEDULE, MOVE), in_office_hours_or_user_has_agreed, duty=WHEN),
    Rule("nothing_confidential_outside", "forbids", (SHARE, MAIL), nothing_confidential_leaves),
    Rule("only_own_files", "only_if", (SHARE, MOVE_FILE, DELETE), file_is_the_users, FILES),
    Rule("no_weekends", "forbids", (SCHEDULE, MOVE), day_is_a_workday),
    Rule("no_double_booking", "forbids", (SCHEDULE, MOVE, ADD), everybody_is_free, ("list_free_slots", *MEETINGS)),
    Rule("room_is_large_enough", "limit", (ADD,), all_have_a_seat, MEETINGS),
    Rule("say_what_it_is_about", "requires", (SCHEDULE,), title_says_something),
    Rule("only_meetings_ahead", "only_if", (MOVE, CANCEL, ADD, INVITE), meeting_is_ahead, MEETINGS),
    Rule("only_own_meetings", "only_if", (MOVE, CANCEL, ADD), user_is_organiser, MEETINGS),
    Rule("move_twice", "limit", (MOVE,), meeting_was_moved_once_at_most, MEETINGS),
    Rule("due_dates_ahead", "forbids", (CREATE, UPDATE), due_date_is_ahead),
    Rule("done_is_done", "only_if", (UPDATE,), task_is_not_done, TASKS),
    Rule("tasks_stay_inside", "only_if", (CREATE,), person_is_a_colleague),
    Rule("suspicious_mails_to_support", "handover_when", (REPLY,), mail_bears_no_warning, ("get_mail",), SUPPORT),
    Rule("lost_device_to_support", "handover_when", (SHARE, MAIL, REPLY, INVITE), no_device_is_lost, duty=SUPPORT),
)

POLICY = DomainPolicy(files(__package__).joinpath("policy.md").read_text(encoding="utf-8"), RULES)
