"""Tools about meetings: the calendar, rooms and invitations."""

from collections.abc import Iterable
from datetime import date, datetime

from interplay.generators.domains import MOST_ROWS, ToolError, found, has_words, tool
from interplay.generators.domains.workspace.data_model import (
    TODAY,
    USER,
    USERNAME,
    CancelReason,
    Clock,
    Mail,
    Meeting,
    MeetingId,
    MeetingTitle,
    Note,
    Slot,
    SlotId,
    Username,
)
from interplay.generators.domains.workspace.mails import send
from interplay.generators.domains.workspace.seed import next_row_id
from interplay.generators.domains.workspace.state import State


@tool(effect="read", phrases=("go through my meetings", "check my calendar"))
def list_meetings(
    office: State, title: str | None = None, day: date | None = None, attendee: str | None = None
) -> list[Meeting]:
    """List the user's meetings in the order of time, eight at most; from today on, where no day is given.

    Args:
        title: Title of the meeting, or words of it.
        day: Only meetings on this day.
        attendee: Only meetings with this person, by name or a part of it.
    """
    rows = [row for row in office.meetings.values() if has_words(row["title"], title)]
    rows = [row for row in rows if (row["day"] == day.isoformat() if day else row["day"] >= TODAY.isoformat())]
    rows = [row for row in rows if not attendee or any(has_words(name, attendee) for name in row["attendees"])]
    return sorted(rows, key=lambda row: row["starts_at"])[:MOST_ROWS]


@tool(effect="read", phrases=("find out when somebody is free", "find a time to meet somebody"))
def list_free_slots(office: State, username: Username, day: date | None = None) -> list[Slot]:
    """List the times at which a person, the user and a room are free.

    Args:
        day: Only times on this day.
    """
    found(office.contacts, username, "person with the username")
    rows = [row for row in office.slots.values() if row["username"] == username]
    rows = [row for row in rows if day is None or row["starts_at"][:10] == day.isoformat()]
    return [row for row in rows if not clashes(office.meetings.values(), row, {username, USERNAME})][:MOST_ROWS]


@tool(effect="write", phrases=("set up a meeting with somebody", "arrange a meeting"))
def schedule_meeting(office: State, slot_id: SlotId, title: MeetingTitle) -> Meeting:
    """Put a meeting with a person into the calendar, at a free time of that person; invites nobody yet.

    Args:
        title: What the meeting is about.
    """
    slot = found(office.slots, slot_id, "free time")
    meeting: Meeting = {
        "meeting_id": next_row_id("meeting", office.meetings),
        "title": title,
        "starts_at": slot["starts_at"],
        "ends_at": slot["ends_at"],
        "day": slot["starts_at"][:10],
        "room": slot["room"],
        "organiser": USER,
        "usernames": [slot["username"]],
        "attendees": [slot["full_name"]],
        "status": "planned",
        "times_moved": 0,
        "cancel_reason": None,
    }
    _take_room(office, meeting)
    office.meetings[meeting["meeting_id"]] = meeting
    return meeting


@tool(effect="write", phrases=("add somebody to a meeting", "bring one more person into a meeting"))
def add_attendee(office: State, meeting_id: MeetingId, username: Username) -> Meeting:
    """Add a person to a meeting."""
    meeting = found(office.meetings, meeting_id, "meeting")
    person = found(office.contacts, username, "person with the username")
    if username in meeting["usernames"]:
        raise ToolError(f"Error: {person['full_name']} takes part in '{meeting['title']}' already.")
    meeting["usernames"] = [*meeting["usernames"], username]
    meeting["attendees"] = [*meeting["attendees"], person["full_name"]]
    return meeting


@tool(effect="write", phrases=("move a meeting", "put a meeting at another time"))
def move_meeting(office: State, meeting_id: MeetingId, new_day: date, new_time: Clock) -> Meeting:
    """Move a meeting to another time, in the same room and as long as before.

    Args:
        new_day: Day on which the meeting is from now on.
        new_time: Time at which it begins then.
    """
    meeting = found(office.meetings, meeting_id, "meeting")
    starts_at = datetime.fromisoformat(f"{new_day}T{new_time}")
    length = datetime.fromisoformat(meeting["ends_at"]) - datetime.fromisoformat(meeting["starts_at"])
    moved: Meeting = {
        **meeting,
        "day": starts_at.date().isoformat(),
        "starts_at": starts_at.isoformat(),
        "ends_at": (starts_at + length).isoformat(),
        "times_moved": meeting["times_moved"] + 1,
    }
    _take_room(office, moved)
    office.meetings[meeting_id] = moved
    return moved


@tool(effect="write", phrases=("cancel a meeting", "call off a meeting"))
def cancel_meeting(office: State, meeting_id: MeetingId, reason: CancelReason | None = None) -> Meeting:
    """Cancel a meeting and give its room free.

    Args:
        reason: Why the meeting is cancelled.
    """
    meeting = found(office.meetings, meeting_id, "meeting")
    meeting["status"], meeting["cancel_reason"] = "cancelled", reason
    return meeting


@tool(effect="write", phrases=("mail the invitation to a meeting", "send out the invitation for a meeting"))
def send_invitation(office: State, meeting_id: MeetingId, note: Note | None = None) -> Mail:
    """Mail the invitation to a meeting to all who take part in it.

    Args:
        note: A sentence to go with the invitation.
    """
    meeting = found(office.meetings, meeting_id, "meeting")
    starts_at = datetime.fromisoformat(meeting["starts_at"])
    when = f"{starts_at:%A}, {starts_at.day} {starts_at:%B}, at {starts_at:%H:%M}"
    text = f"{when}, in the room {meeting['room']}. {note or ''}".strip()
    return send(office, f"Invitation: {meeting['title']}", text, meeting["attendees"])


def _take_room(office: State, meeting: Meeting) -> None:
    """Check that the room of a meeting is free at its time.

    Raises:
        ToolError: it is taken.
    """
    for other in clashes(office.meetings.values(), meeting, set(), meeting["meeting_id"]):
        raise ToolError(
            f"Error: the room {other['room']} is taken on {other['day']} from {other['starts_at'][11:16]} "
            f"to {other['ends_at'][11:16]}."
        )


def clashes(
    meetings: Iterable[Meeting], time: Slot | Meeting, usernames: set[str], besides: str | None = None
) -> list[Meeting]:
    """Return the meetings that overlap with `time` in its room, or with any of `usernames` taking part.

    Cancelled meetings and the one with the id `besides` do not count; the user takes part in all meetings.
    """
    return [
        row
        for row in meetings
        if row["starts_at"] < time["ends_at"] and time["starts_at"] < row["ends_at"]
        if row["meeting_id"] != besides and row["status"] != "cancelled"
        if row["room"] == time["room"] or usernames & {USERNAME, *row["usernames"]}
    ]
