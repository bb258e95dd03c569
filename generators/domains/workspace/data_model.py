"""The types of the workspace: the arguments and results of its tools, and the rows of its state."""

from datetime import date, datetime
from typing import Annotated, Literal, TypedDict

from pydantic import Field

NOW = datetime(2026, 3, 2, 9, 0)
"""The current time of the workspace; it is fixed, so that calls are reproducible."""
TODAY: date = NOW.date()

COMPANY = "Tarnwick Works"
USER, USERNAME = "Thea Marlow", "thea.marlow"
"""The owner of the workspace, who is the user."""

Department = Literal["sales", "finance", "engineering", "marketing", "operations", "legal", "external partners"]
FileKind = Literal["document", "spreadsheet", "presentation", "PDF", "image"]
Permission = Literal["view", "edit"]
MeetingStatus = Literal["planned", "held", "cancelled"]
Mailbox = Literal["inbox", "sent", "archive", "outbox"]
TaskStatus = Literal["open", "in progress", "done"]
Priority = Literal["low", "normal", "high"]
Topic = Literal["suspicious mail", "lost device", "access", "hardware", "other"]
Connection = Literal["online", "offline"]
SyncState = Literal["up to date", "stopped"]
MailClient = Literal["running", "not responding"]
CalendarPermission = Literal["asked for", "granted"]
Damage = Literal["broken display", "worn keyboard", "weak battery", "loose hinge"]

SERIAL_NUMBER = "TW-48213-K"
"""The serial number on the bottom of the user's laptop."""

Username = Annotated[str, Field(description="Username of the person.")]
FolderId = Annotated[str, Field(description="Id of the folder.")]
FileId = Annotated[str, Field(description="Id of the file.")]
SlotId = Annotated[str, Field(description="Id of the free time.")]
MeetingId = Annotated[str, Field(description="Id of the meeting.")]
MailId = Annotated[str, Field(description="Id of the mail.")]
TaskId = Annotated[str, Field(description="Id of the task.")]
SerialNumber = Annotated[
    str,
    Field(
        description="Serial number on the bottom of the laptop.", pattern=r"^TW-\d{5}-[A-Z]$", examples=[SERIAL_NUMBER]
    ),
]
Clock = Annotated[
    str,
    Field(
        pattern=r"^([01]\d|2[0-3]):[0-5]\d$",
        examples=["09:00", "09:30", "10:15", "11:00", "13:30", "14:00", "15:45", "18:15"],
    ),
]
FullName = Annotated[str, Field(min_length=1, examples=["Ines Calder", "Calder"])]
MeetingTitle = Annotated[
    str,
    Field(
        examples=[
            "Questions on the budget", "Planning the next quarter", "Feedback on the draft", "Getting to know each other",
            "Handing over the project", "Preparing the workshop", "Next steps with the supplier", "Talk about the roadmap",
        ]
    ),
]  # fmt: skip
TaskTitle = Annotated[
    str,
    Field(
        min_length=1,
        examples=[
            "Review the latest draft", "Check the figures", "Prepare the slides", "Call the supplier back",
            "Collect the open questions", "Write a short summary", "Order badges for the visitors", "Plan the handover",
        ],
    ),
]  # fmt: skip
Subject = Annotated[
    str,
    Field(
        min_length=1,
        examples=[
            "A question about the schedule", "Lunch on Thursday", "Numbers for the report", "Your feedback, please",
            "Change of plans", "Short update", "Thanks for your help", "Visit next month",
        ],
    ),
]  # fmt: skip
MailText = Annotated[
    str,
    Field(
        min_length=1,
        examples=[
            "Could you send me the latest figures by Friday?", "I will be ten minutes late.", "That works for me, thank you.",
            "Let us talk about it tomorrow.", "Please have a look when you find the time.", "I agree with your proposal.",
            "Can we move this to next week?", "Here is what we spoke about.",
        ],
    ),
]  # fmt: skip
Note = Annotated[
    str,
    Field(examples=["Please bring your questions", "We will be short", "The agenda follows", "Coffee will be there"]),
]
CancelReason = Annotated[
    str, Field(examples=["I am away that day", "the topic is settled", "we need more time first", "too few can come"])
]
SupportMessage = Annotated[
    str,
    Field(
        min_length=1,
        examples=[
            "Please call me back", "I need help soon", "It began this morning", "Please have a look at it today",
            "I would like to talk to somebody about it",
        ],
    ),
]  # fmt: skip


class Contact(TypedDict):
    """A person in the directory: a colleague, or somebody of a partner company."""

    username: str
    full_name: str
    job_title: str
    department: Department
    company: str
    office: str


class Folder(TypedDict):
    """A place for files; `inside` is the title of the folder around it."""

    folder_id: str
    title: str
    inside: str | None


class File(TypedDict):
    """A file; `viewers` and `editors` are the full names of those it is shared with."""

    file_id: str
    title: str
    kind: FileKind
    folder_id: str
    folder_title: str
    owner: str
    confidential: bool
    modified_on: str
    viewers: list[str]
    editors: list[str]
    deleted: bool


class Access(TypedDict):
    """What a person may do with a file."""

    file_id: str
    title: str
    full_name: str
    permission: Permission


class Slot(TypedDict):
    """A time at which a person can be met, and a room for it."""

    slot_id: str
    username: str
    full_name: str
    starts_at: str
    ends_at: str
    room: str


class Meeting(TypedDict):
    """A meeting of the user with others; `usernames` are those of the others."""

    meeting_id: str
    title: str
    starts_at: str
    ends_at: str
    day: str
    room: str
    organiser: str
    usernames: list[str]
    attendees: list[str]
    status: MeetingStatus
    times_moved: int
    cancel_reason: str | None


class MailHeader(TypedDict):
    """What a list of mails shows of each; the correspondent is the other one: who has sent it to the user, or gets it."""

    mail_id: str
    thread_id: str
    subject: str
    correspondent: str
    sent_at: str | None
    received: bool
    unread: bool


class Mail(TypedDict):
    """A mail; one in the outbox has not been sent yet. `warning` is what the mail filter says of it."""

    mail_id: str
    thread_id: str
    subject: str
    text: str
    sender: str
    recipients: list[str]
    correspondent: str
    sent_at: str | None
    mailbox: Mailbox
    unread: bool
    warning: str | None
    attachments: list[str]


class Task(TypedDict):
    """Something that somebody has to do, perhaps with a file."""

    task_id: str
    title: str
    status: TaskStatus
    priority: Priority
    due_date: str
    assignee: str
    file_id: str | None


class SupportCase(TypedDict):
    """A matter that was handed over to the people of the IT support."""

    support_case_id: str
    topic: Topic
    message: str
    created_on: str


class Device(TypedDict):
    """The user's laptop, as the user sees it."""

    airplane_mode: bool
    free_gigabytes: float
    mail_client: MailClient
    calendar_permission: CalendarPermission


class Sticker(TypedDict):
    """What stands on the bottom of the user's laptop."""

    model: str
    serial_number: str


class Warranty(TypedDict):
    """What the maker of a laptop still stands for."""

    serial_number: str
    model: str
    covered_until: str


class Repair(TypedDict):
    """A repair of a laptop: somebody fetches it and brings it back."""

    repair_id: str
    serial_number: str
    damage: Damage
    pickup_date: str


class SyncStatus(TypedDict):
    """What the servers know of the user's laptop: whether they hear from it, and what does not come through."""

    connection: Connection
    mail_sync: SyncState
    calendar_sync: SyncState
    file_sync: SyncState
    waiting_mails: int


class Tables(TypedDict):
    """The whole database."""

    contacts: dict[str, Contact]
    folders: dict[str, Folder]
    files: dict[str, File]
    slots: dict[str, Slot]
    meetings: dict[str, Meeting]
    mails: dict[str, Mail]
    tasks: dict[str, Task]
