"""The tools of an office assistant, over a database in memory, and those that the user has on the own laptop.

A tool refuses only what cannot be done: an unknown id, a room that is taken. What must not be done is written in
`policy.md` and checked by `rules`.
"""

from collections.abc import Iterable
from datetime import date, datetime, timedelta
from typing import Annotated

from pydantic import Field

from interplay.generators.domains.tables import found
from interplay.generators.domains.workspace.device import (
    CLEARED_GIGABYTES,
    NEEDED_GIGABYTES,
    STICKER,
    WARRANTY,
    bring_in_line,
    sync_status,
)
from interplay.generators.domains.workspace.records import (
    NOW,
    TODAY,
    USER,
    USERNAME,
    Access,
    CancelReason,
    Clock,
    Contact,
    Damage,
    Department,
    Device,
    File,
    FileId,
    FileKind,
    Folder,
    FolderId,
    FullName,
    Mail,
    Mailbox,
    MailHeader,
    MailId,
    MailText,
    Meeting,
    MeetingId,
    MeetingTitle,
    Note,
    Permission,
    Priority,
    Repair,
    SerialNumber,
    Slot,
    SlotId,
    Sticker,
    Subject,
    SupportCase,
    SupportMessage,
    SyncStatus,
    Tables,
    Task,
    TaskId,
    TaskStatus,
    TaskTitle,
    Topic,
    Username,
    Warranty,
)
from interplay.generators.domains.workspace.seed import make_device, make_tables, row_id
from interplay.generators.importers.python import ToolError, tool

MOST_ROWS = 8
"""Rows that a list holds at most."""


class Workspace:
    """The files, calendar, mails and tasks of one person; each object has a database of its own."""

    def __init__(self, tables: Tables | None = None, device: Device | None = None) -> None:
        tables = tables or make_tables()
        self.contacts = tables["contacts"]
        self.folders = tables["folders"]
        self.files = tables["files"]
        self.slots = tables["slots"]
        self.meetings = tables["meetings"]
        self.mails = tables["mails"]
        self.tasks = tables["tasks"]
        self.support_cases: dict[str, SupportCase] = {}
        self.repairs: dict[str, Repair] = {}
        self.device = device or make_device()
        self.sync = sync_status(self.device, self.mails)

    def synchronise(self) -> None:
        """Bring the laptop and the servers in line; runs after each call."""
        bring_in_line(self)

    # People

    @tool(effect="read", phrases=("look somebody up", "find a person in the directory"))
    def find_contacts(self, full_name: FullName, department: Department | None = None) -> list[Contact]:
        """Find people in the directory by name, colleagues and partners alike.

        Args:
            full_name: Name of the person, in full or a part of it.
            department: Only people of this department.
        """
        rows = [row for row in self.contacts.values() if has_words(row["full_name"], full_name)]
        return [row for row in rows if department in (None, row["department"])][:MOST_ROWS]

    @tool(effect="read", phrases=("find out who works in a department",))
    def list_contacts(self, department: Department) -> list[Contact]:
        """List the people of a department, or the external partners.

        Args:
            department: Department to list.
        """
        return [row for row in self.contacts.values() if row["department"] == department][:MOST_ROWS]

    # Files

    @tool(effect="read", phrases=("list my folders", "find a folder"))
    def list_folders(self, title: str | None = None) -> list[Folder]:
        """List the folders, or those with certain words in their title.

        Args:
            title: Title of the folder, or words of it.
        """
        return [row for row in self.folders.values() if has_words(row["title"], title)]

    @tool(effect="read", phrases=("look into a folder", "go through the files of a folder"))
    def list_files(self, folder_id: FolderId, kind: FileKind | None = None) -> list[File]:
        """List the files in a folder.

        Args:
            kind: Only files of this kind.
        """
        found(self.folders, folder_id, "folder")
        rows = [row for row in self._active_files() if row["folder_id"] == folder_id]
        return [row for row in rows if kind in (None, row["kind"])][:MOST_ROWS]

    @tool(effect="read", phrases=("find a file", "look for a file"))
    def find_files(self, title: Annotated[str, Field(min_length=1)], kind: FileKind | None = None) -> list[File]:
        """Find files in all folders by their title.

        Args:
            title: Title of the file, or words of it.
            kind: Only files of this kind.
        """
        rows = [row for row in self._active_files() if has_words(row["title"], title)]
        return [row for row in rows if kind in (None, row["kind"])][:MOST_ROWS]

    @tool(effect="write", phrases=("share a file with somebody", "give somebody access to a file"))
    def share_file(self, file_id: FileId, username: Username, permission: Permission) -> Access:
        """Share a file with a person, who can then view or edit it.

        Args:
            permission: Whether the person may only view the file or also edit it.
        """
        file = self._file(file_id)
        person = found(self.contacts, username, "person with the username")
        name, viewers = person["full_name"], [viewer for viewer in file["viewers"] if viewer != person["full_name"]]
        if name in (file["viewers"] if permission == "view" else file["editors"]):
            raise ToolError(f"Error: {name} can {permission} '{file['title']}' already.")
        editors = [editor for editor in file["editors"] if editor != name]
        file["viewers"] = [*viewers, name] if permission == "view" else viewers
        file["editors"] = [*editors, name] if permission == "edit" else editors
        return {
            "file_id": file_id,
            "title": file["title"],
            "full_name": name,
            "permission": permission,
        }

    @tool(effect="write", phrases=("move a file to another folder",))
    def move_file(self, file_id: FileId, folder_id: FolderId) -> File:
        """Move a file to another folder."""
        file, folder = self._file(file_id), found(self.folders, folder_id, "folder")
        if file["folder_id"] == folder_id:
            raise ToolError(f"Error: '{file['title']}' is in the folder '{folder['title']}' already.")
        file["folder_id"], file["folder_title"] = folder_id, folder["title"]
        return file

    @tool(effect="write", phrases=("delete a file", "throw a file away"))
    def delete_file(self, file_id: FileId) -> File:
        """Delete a file; nobody it is shared with can open it any more."""
        file = self._file(file_id)
        file["deleted"], file["viewers"], file["editors"] = True, [], []
        return file

    # Calendar

    @tool(effect="read", phrases=("go through my meetings", "check my calendar"))
    def list_meetings(
        self, title: str | None = None, day: date | None = None, attendee: str | None = None
    ) -> list[Meeting]:
        """List the user's meetings in the order of time, eight at most; from today on, where no day is given.

        Args:
            title: Title of the meeting, or words of it.
            day: Only meetings on this day.
            attendee: Only meetings with this person, by name or a part of it.
        """
        rows = [row for row in self.meetings.values() if has_words(row["title"], title)]
        rows = [row for row in rows if (row["day"] == day.isoformat() if day else row["day"] >= TODAY.isoformat())]
        rows = [row for row in rows if not attendee or any(has_words(name, attendee) for name in row["attendees"])]
        return sorted(rows, key=lambda row: row["starts_at"])[:MOST_ROWS]

    @tool(effect="read", phrases=("find out when somebody is free", "find a time to meet somebody"))
    def list_free_slots(self, username: Username, day: date | None = None) -> list[Slot]:
        """List the times at which a person, the user and a room are free.

        Args:
            day: Only times on this day.
        """
        found(self.contacts, username, "person with the username")
        rows = [row for row in self.slots.values() if row["username"] == username]
        rows = [row for row in rows if day is None or row["starts_at"][:10] == day.isoformat()]
        return [row for row in rows if not clashes(self.meetings.values(), row, {username, USERNAME})][:MOST_ROWS]

    @tool(effect="write", phrases=("set up a meeting with somebody", "arrange a meeting"))
    def schedule_meeting(self, slot_id: SlotId, title: MeetingTitle) -> Meeting:
        """Put a meeting with a person into the calendar, at a free time of that person; invites nobody yet.

        Args:
            title: What the meeting is about.
        """
        slot = found(self.slots, slot_id, "free time")
        meeting: Meeting = {
            "meeting_id": row_id("meeting", len(self.meetings) + 1),
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
        self._take_room(meeting)
        self.meetings[meeting["meeting_id"]] = meeting
        return meeting

    @tool(effect="write", phrases=("add somebody to a meeting", "bring one more person into a meeting"))
    def add_attendee(self, meeting_id: MeetingId, username: Username) -> Meeting:
        """Add a person to a meeting."""
        meeting = found(self.meetings, meeting_id, "meeting")
        person = found(self.contacts, username, "person with the username")
        if username in meeting["usernames"]:
            raise ToolError(f"Error: {person['full_name']} takes part in '{meeting['title']}' already.")
        meeting["usernames"] = [*meeting["usernames"], username]
        meeting["attendees"] = [*meeting["attendees"], person["full_name"]]
        return meeting

    @tool(effect="write", phrases=("move a meeting", "put a meeting at another time"))
    def move_meeting(self, meeting_id: MeetingId, new_day: date, new_time: Clock) -> Meeting:
        """Move a meeting to another time, in the same room and as long as before.

        Args:
            new_day: Day on which the meeting is from now on.
            new_time: Time at which it begins then.
        """
        meeting = found(self.meetings, meeting_id, "meeting")
        starts_at = datetime.fromisoformat(f"{new_day}T{new_time}")
        length = datetime.fromisoformat(meeting["ends_at"]) - datetime.fromisoformat(meeting["starts_at"])
        moved: Meeting = {
            **meeting,
            "day": starts_at.date().isoformat(),
            "starts_at": starts_at.isoformat(),
            "ends_at": (starts_at + length).isoformat(),
            "times_moved": meeting["times_moved"] + 1,
        }
        self._take_room(moved)
        self.meetings[meeting_id] = moved
        return moved

    @tool(effect="write", phrases=("cancel a meeting", "call off a meeting"))
    def cancel_meeting(self, meeting_id: MeetingId, reason: CancelReason | None = None) -> Meeting:
        """Cancel a meeting and give its room free.

        Args:
            reason: Why the meeting is cancelled.
        """
        meeting = found(self.meetings, meeting_id, "meeting")
        meeting["status"], meeting["cancel_reason"] = "cancelled", reason
        return meeting

    @tool(effect="write", phrases=("mail the invitation to a meeting", "send out the invitation for a meeting"))
    def send_invitation(self, meeting_id: MeetingId, note: Note | None = None) -> Mail:
        """Mail the invitation to a meeting to all who take part in it.

        Args:
            note: A sentence to go with the invitation.
        """
        meeting = found(self.meetings, meeting_id, "meeting")
        starts_at = datetime.fromisoformat(meeting["starts_at"])
        when = f"{starts_at:%A}, {starts_at.day} {starts_at:%B}, at {starts_at:%H:%M}"
        text = f"{when}, in the room {meeting['room']}. {note or ''}".strip()
        return self._send(f"Invitation: {meeting['title']}", text, meeting["attendees"])

    # Mail

    @tool(effect="read", phrases=("check my mails", "look through my mails"))
    def list_mails(
        self,
        mailbox: Mailbox | None = None,
        subject: str | None = None,
        correspondent: str | None = None,
        unread_only: bool = False,
    ) -> list[MailHeader]:
        """List mails without their text, the newest first, eight at most.

        Args:
            mailbox: Only mails in this mailbox; the outbox holds what waits on the user's laptop.
            subject: Only mails with these words in their subject.
            correspondent: Only mails from or to this person, by name or a part of it.
            unread_only: Only mails that have not been read.
        """
        rows = [row for row in self.mails.values() if has_words(row["subject"], subject)]
        rows = [
            row for row in rows if mailbox in (None, row["mailbox"]) and has_words(row["correspondent"], correspondent)
        ]
        rows = [row for row in rows if row["unread"] or not unread_only]
        return [header(row) for row in sorted(rows, key=newest, reverse=True)[:MOST_ROWS]]

    @tool(effect="read", phrases=("open a mail", "read a mail"))
    def get_mail(self, mail_id: MailId) -> Mail:
        """Get one mail with its text, and the warning of the mail filter where there is one."""
        return found(self.mails, mail_id, "mail")

    @tool(effect="write", phrases=("write a mail", "send somebody a mail"))
    def send_mail(
        self,
        usernames: Annotated[list[str], Field(min_length=1)],
        subject: Subject,
        text: MailText,
        file_id: FileId | None = None,
    ) -> Mail:
        """Send a mail to one or more people.

        Args:
            usernames: Usernames of the people who get it.
            subject: Subject of the mail.
            text: Text of the mail.
            file_id: File to attach.
        """
        people = [found(self.contacts, username, "person with the username") for username in usernames]
        attached = [self._file(file_id)["title"]] if file_id else []
        return self._send(subject, text, [person["full_name"] for person in people], attached)

    @tool(effect="write", phrases=("answer a mail", "reply to a mail"))
    def reply_to_mail(self, mail_id: MailId, text: MailText) -> Mail:
        """Answer a mail that the user has received.

        Args:
            text: Text of the answer.
        """
        mail = found(self.mails, mail_id, "mail")
        if mail["sender"] == USER:
            raise ToolError(f"Error: '{mail['subject']}' is a mail of {USER}, not to {USER}.")
        mail["unread"] = False
        return self._send(
            f"Re: {mail['subject'].removeprefix('Re: ')}", text, [mail["sender"]], thread=mail["thread_id"]
        )

    # Tasks

    @tool(effect="read", phrases=("go through my tasks", "check what there is to do"))
    def list_tasks(
        self,
        title: str | None = None,
        status: TaskStatus | None = None,
        priority: Priority | None = None,
        person: str | None = None,
    ) -> list[Task]:
        """List tasks, those that are due first, eight at most.

        Args:
            title: Title of the task, or words of it.
            status: Only tasks with this status.
            priority: Only tasks with this priority.
            person: Only tasks of this person, by name or a part of it; those of all people, where it is left out.
        """
        rows = [row for row in self.tasks.values() if has_words(row["title"], title)]
        rows = [row for row in rows if status in (None, row["status"]) and priority in (None, row["priority"])]
        rows = [row for row in rows if has_words(row["assignee"], person)]
        return sorted(rows, key=lambda row: row["due_date"])[:MOST_ROWS]

    @tool(effect="write", phrases=("set up a task", "put something on the task list"))
    def create_task(
        self,
        title: TaskTitle,
        due_date: date,
        username: Username | None = None,
        file_id: FileId | None = None,
        priority: Priority = "normal",
    ) -> Task:
        """Create a task for a person, or for the user where no person is given.

        Args:
            title: What is to be done.
            due_date: Day on which it has to be done.
            username: Username of the person who does it.
            file_id: File that the task is about.
            priority: How important it is.
        """
        person = found(self.contacts, username, "person with the username") if username else None
        task: Task = {
            "task_id": row_id("task", len(self.tasks) + 1),
            "title": title,
            "status": "open",
            "priority": priority,
            "due_date": due_date.isoformat(),
            "assignee": person["full_name"] if person else USER,
            "file_id": self._file(file_id)["file_id"] if file_id else None,
        }
        self.tasks[task["task_id"]] = task
        return task

    @tool(effect="write", phrases=("change a task", "update a task"))
    def update_task(
        self,
        task_id: TaskId,
        new_status: TaskStatus | None = None,
        new_priority: Priority | None = None,
        new_due_date: date | None = None,
    ) -> Task:
        """Change the status, the priority or the due date of a task.

        Args:
            new_status: Status that the task has from now on.
            new_priority: How important it is from now on.
            new_due_date: Day on which it has to be done from now on.
        """
        task = found(self.tasks, task_id, "task")
        changed: Task = {
            **task,
            "status": new_status or task["status"],
            "priority": new_priority or task["priority"],
            "due_date": new_due_date.isoformat() if new_due_date else task["due_date"],
        }
        if changed == task:
            raise ToolError(f"Error: that leaves the task '{task['title']}' as it is; give another value.")
        self.tasks[task_id] = changed
        return changed

    # The IT support, and what is known of the user's laptop

    @tool(effect="write", phrases=("hand something over to the IT support", "open a case with the IT support"))
    def open_support_case(self, topic: Topic, message: SupportMessage) -> SupportCase:
        """Hand a matter over to the IT support, where somebody calls the user back.

        Args:
            topic: What the matter is about.
            message: What the support should know.
        """
        case: SupportCase = {
            "support_case_id": row_id("case", len(self.support_cases) + 1),
            "topic": topic,
            "message": message,
            "created_on": TODAY.isoformat(),
        }
        self.support_cases[case["support_case_id"]] = case
        return case

    @tool(effect="read", phrases=("check whether my laptop is in sync", "find out whether my laptop is online"))
    def get_device_status(self) -> SyncStatus:
        """Tell what the servers know of the user's laptop: whether it is online and what is in sync."""
        return self.sync

    @tool(effect="read", phrases=("check the warranty of my laptop", "find out how long my laptop is under warranty"))
    def check_warranty(self, serial_number: SerialNumber) -> Warranty:
        """Tell until when the maker of a laptop repairs it for nothing."""
        if serial_number != WARRANTY["serial_number"]:
            raise ToolError(f"Error: there is no laptop with the serial number {serial_number}.")
        return WARRANTY

    @tool(effect="write", phrases=("have my laptop repaired", "order a repair of my laptop"))
    def order_repair(self, serial_number: SerialNumber, damage: Damage) -> Repair:
        """Have a laptop fetched on the next working day and repaired.

        Args:
            serial_number: Serial number on the bottom of the laptop.
            damage: What has to be repaired.
        """
        self.check_warranty(serial_number)
        if any(row["damage"] == damage for row in self.repairs.values()):
            raise ToolError(f"Error: a repair of the {damage} is ordered already.")
        repair: Repair = {
            "repair_id": row_id("repair", len(self.repairs) + 1),
            "serial_number": serial_number,
            "damage": damage,
            "fetched_on": (TODAY + timedelta(days=1)).isoformat(),
        }
        self.repairs[repair["repair_id"]] = repair
        return repair

    # What the user does on the laptop

    @tool(effect="read", requestor="user", phrases=("look at the bottom of my laptop", "turn my laptop over"))
    def read_sticker(self) -> Sticker:
        """Read what stands on the bottom of the laptop: its model and serial number."""
        return STICKER

    @tool(
        effect="read", requestor="user", phrases=("look at the settings of my laptop", "open the settings of my laptop")
    )
    def check_sync_status(self) -> Device:
        """Look at what may keep the laptop from being in sync."""
        return self.device

    @tool(effect="write", requestor="user", phrases=("toggle airplane mode", "flip the switch for airplane mode"))
    def toggle_airplane_mode(self) -> Device:
        """Switch airplane mode on where it is off, and off where it is on."""
        self.device["airplane_mode"] = not self.device["airplane_mode"]
        return self.device

    @tool(
        effect="write", requestor="user", phrases=("restart my mail client", "close my mail client and open it again")
    )
    def restart_mail_client(self) -> Device:
        """Close the mail client and open it again."""
        self.device["mail_client"] = "running"
        return self.device

    @tool(
        effect="write",
        requestor="user",
        phrases=("make room on my laptop", "empty the bin and the caches of my laptop"),
    )
    def free_disk_space(self) -> Device:
        """Empty the bin and the caches of the laptop."""
        if self.device["free_gigabytes"] >= NEEDED_GIGABYTES:
            raise ToolError("Error: the bin and the caches are empty already.")
        self.device["free_gigabytes"] += CLEARED_GIGABYTES
        return self.device

    @tool(
        effect="write",
        requestor="user",
        phrases=("let the calendar be synchronised", "allow my laptop to synchronise the calendar"),
    )
    def accept_calendar_permission(self) -> Device:
        """Allow the calendar of the laptop to be synchronised."""
        self.device["calendar_permission"] = "granted"
        return self.device

    def _active_files(self) -> Iterable[File]:
        return (row for row in self.files.values() if not row["deleted"])

    def _file(self, file_id: str) -> File:
        """Return a file that has not been deleted."""
        file = found(self.files, file_id, "file")
        if file["deleted"]:
            raise ToolError(f"Error: '{file['title']}' has been deleted.")
        return file

    def _take_room(self, meeting: Meeting) -> None:
        """Check that the room of a meeting is free then.

        Raises:
            ToolError: another meeting is in it.
        """
        for other in clashes(self.meetings.values(), meeting, set(), meeting["meeting_id"]):
            raise ToolError(
                f"Error: the room {other['room']} is taken on {other['day']} from {other['starts_at'][11:16]} "
                f"to {other['ends_at'][11:16]}."
            )

    def _send(
        self, subject: str, text: str, recipients: list[str], attached: Iterable[str] = (), thread: str | None = None
    ) -> Mail:
        number = len(self.mails) + 1
        mail: Mail = {
            "mail_id": row_id("mail", number),
            "thread_id": thread or f"thread-of-{row_id('mail', number)}",
            "subject": subject,
            "text": text,
            "sender": USER,
            "recipients": list(recipients),
            "correspondent": recipients[0],
            "sent_at": NOW.isoformat(),
            "mailbox": "sent",
            "unread": False,
            "warning": None,
            "attachments": list(attached),
        }
        self.mails[mail["mail_id"]] = mail
        return mail


def header(mail: Mail) -> MailHeader:
    """Return what a list shows of a mail."""
    return {
        "mail_id": mail["mail_id"],
        "thread_id": mail["thread_id"],
        "subject": mail["subject"],
        "correspondent": mail["correspondent"],
        "sent_at": mail["sent_at"],
        "received": mail["sender"] != USER,
        "unread": mail["unread"],
    }


def newest(mail: Mail) -> tuple[str, str]:
    """Return by what mails are sorted in time; what waits to be sent is as new as can be."""
    return mail["sent_at"] or NOW.isoformat(), mail["mail_id"]


def has_words(text: str, wanted: str | None) -> bool:
    """Tell whether a text has all the words that are wanted, if any are."""
    return set((wanted or "").casefold().split()) <= set(text.casefold().split())


def clashes(
    meetings: Iterable[Meeting], time: Slot | Meeting, usernames: set[str], besides: str | None = None
) -> list[Meeting]:
    """Return the planned meetings at a time that are in its room, or that one of some people takes part in.

    The user takes part in all meetings; `besides` is the id of one that does not count.
    """
    return [
        row
        for row in meetings
        if row["starts_at"] < time["ends_at"] and time["starts_at"] < row["ends_at"]
        if row["meeting_id"] != besides and row["status"] != "cancelled"
        if row["room"] == time["room"] or usernames & {USERNAME, *row["usernames"]}
    ]
