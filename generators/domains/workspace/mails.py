"""Tools about mails."""

from collections.abc import Iterable
from typing import Annotated

from pydantic import Field

from interplay.generators.domains import MOST_ROWS, ToolError, found, has_words, tool
from interplay.generators.domains.workspace.data_model import (
    NOW,
    USER,
    FileId,
    Mail,
    Mailbox,
    MailHeader,
    MailId,
    MailText,
    Subject,
)
from interplay.generators.domains.workspace.folders import existing_file
from interplay.generators.domains.workspace.seed import next_row_id
from interplay.generators.domains.workspace.state import State


@tool(effect="read", phrases=("check my mails", "look through my mails"))
def list_mails(
    office: State,
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
    rows = [row for row in office.mails.values() if has_words(row["subject"], subject)]
    rows = [row for row in rows if mailbox in (None, row["mailbox"]) and has_words(row["correspondent"], correspondent)]
    rows = [row for row in rows if row["unread"] or not unread_only]
    return [header(row) for row in sorted(rows, key=newest, reverse=True)[:MOST_ROWS]]


@tool(effect="read", phrases=("open a mail", "read a mail"))
def get_mail(office: State, mail_id: MailId) -> Mail:
    """Get one mail with its text, and the warning of the mail filter where there is one."""
    return found(office.mails, mail_id, "mail")


@tool(effect="write", phrases=("write a mail", "send somebody a mail"))
def send_mail(
    office: State,
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
    people = [found(office.contacts, username, "person with the username") for username in usernames]
    attached = [existing_file(office, file_id)["title"]] if file_id else []
    return send(office, subject, text, [person["full_name"] for person in people], attached)


@tool(effect="write", phrases=("answer a mail", "reply to a mail"))
def reply_to_mail(office: State, mail_id: MailId, text: MailText) -> Mail:
    """Answer a mail that the user has received.

    Args:
        text: Text of the answer.
    """
    mail = found(office.mails, mail_id, "mail")
    if mail["sender"] == USER:
        raise ToolError(f"Error: '{mail['subject']}' is a mail of {USER}, not to {USER}.")
    mail["unread"] = False
    return send(office, f"Re: {mail['subject'].removeprefix('Re: ')}", text, [mail["sender"]], thread=mail["thread_id"])


def send(
    office: State,
    subject: str,
    text: str,
    recipients: list[str],
    attached: Iterable[str] = (),
    thread: str | None = None,
) -> Mail:
    """Send a mail from the user to people given by full name, in `thread` or a new one."""
    mail_id = next_row_id("mail", office.mails)
    mail: Mail = {
        "mail_id": mail_id,
        "thread_id": thread or f"thread-of-{mail_id}",
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
    office.mails[mail["mail_id"]] = mail
    return mail


def header(mail: Mail) -> MailHeader:
    """Return a mail as it is listed."""
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
    """Return the chronological sort key of a mail; unsent mails count as sent now."""
    return mail["sent_at"] or NOW.isoformat(), mail["mail_id"]
