"""The seed of a world -> the database of the workspace in it: invented people and consistent rows, from `sample_data`."""

import random
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from typing import get_args

from interplay.generators.domains import OPENING, WorldSeed, mail_of, people
from interplay.generators.domains.workspace.data_model import (
    COMPANY,
    NOW,
    TODAY,
    USER,
    Contact,
    Department,
    Device,
    File,
    FileKind,
    Folder,
    Mail,
    Mailbox,
    Meeting,
    Slot,
    Tables,
    Task,
    TaskStatus,
)
from interplay.generators.domains.workspace.sample_data import (
    AGENDA,
    COLLEAGUES,
    CONFIDENTIAL,
    GENERAL_FILES,
    JOBS,
    OFFICES,
    PARTNERS,
    PERSONAL_TASKS,
    PROJECTS,
    ROOMS,
    SMALL_TALK,
    SUSPICIOUS,
    WAITING,
    WARNING,
)

TEAM = 5
"""Colleagues who work on a project with the user."""

MEETING_HOURS = [time(9), time(10), time(11), time(13, 30), time(14, 30), time(16)]
FREE_HOURS = [time(7, 30), time(9), time(10), time(11), time(13, 30), time(14, 30), time(15, 30), time(18, 30)]
SLOTS_EACH = 5
MEETINGS = 80
PAIRS = 14
"""Colleagues whom the user meets one-on-one."""

NOT_OWN = 0.25
"""Share of project files and of meetings that belong to somebody else."""


def make_tables(seed: WorldSeed = OPENING) -> Tables:
    """Make the database of a world; the same seed gives the same rows."""
    chance = seed.random("workspace")
    contacts = {row["username"]: row for row in _contacts(chance)}
    teams = {project.title: _team(chance, contacts) for project in PROJECTS}
    folders = {row["folder_id"]: row for row in _folders(seed)}
    files = {row["file_id"]: row for row in _files(seed, chance, folders, teams)}
    meetings = {row["meeting_id"]: row for row in _meetings(seed, chance, contacts, teams)}
    slots = {row["slot_id"]: row for row in _slots(seed, chance, contacts, meetings)}
    mails = {row["mail_id"]: row for row in _mails(seed, chance, contacts, teams)}
    tasks = {row["task_id"]: row for row in _tasks(seed, chance, contacts, teams, files)}
    return {
        "contacts": contacts,
        "folders": folders,
        "files": files,
        "slots": slots,
        "meetings": meetings,
        "mails": mails,
        "tasks": tasks,
    }


def make_device() -> Device:
    """Return the user's laptop after a flight: nothing on it is synchronised."""
    return {
        "airplane_mode": True,
        "free_gigabytes": 0.6,
        "mail_client": "not responding",
        "calendar_permission": "asked for",
    }


def _contacts(chance: random.Random) -> Iterator[Contact]:
    places = [(department, number) for department in get_args(Department) for number in range(COLLEAGUES[department])]
    for (department, number), name in zip(places, people(chance, len(places)), strict=True):
        outside = department == "external partners"
        yield {
            "username": mail_of(name).partition("@")[0],
            "full_name": name,
            "job_title": JOBS[department][number % len(JOBS[department])],
            "department": department,
            "company": PARTNERS[number % len(PARTNERS)] if outside else COMPANY,
            "office": "outside" if outside else chance.choice(OFFICES),
        }


def _team(chance: random.Random, contacts: dict[str, Contact]) -> list[Contact]:
    """Return the people of a project; the last one is from a partner company."""
    inside = [row for row in contacts.values() if row["company"] == COMPANY]
    outside = [row for row in contacts.values() if row["company"] != COMPANY]
    return [*chance.sample(inside, TEAM), chance.choice(outside)]


def _folders(seed: WorldSeed) -> Iterator[Folder]:
    tops = ["Projects", *GENERAL_FILES]
    titles = [*((title, None) for title in tops), *((project.title, "Projects") for project in PROJECTS)]
    for number, (title, inside) in enumerate(titles, start=seed.number("folder")):
        yield {"folder_id": row_id("folder", number), "title": title, "inside": inside}


def _files(
    seed: WorldSeed, chance: random.Random, folders: dict[str, Folder], teams: dict[str, list[Contact]]
) -> Iterator[File]:
    held: list[tuple[str, FileKind, str]] = [
        *((title, kind, project.title) for project in PROJECTS for title, kind in project.files.items()),
        *((title, kind, folder) for folder, files in GENERAL_FILES.items() for title, kind in files.items()),
    ]
    places = {folder["title"]: folder["folder_id"] for folder in folders.values()}
    for number, (title, kind, folder) in enumerate(held, start=seed.number("file")):
        team = teams.get(folder, [])
        others = chance.sample(team[:TEAM], chance.randrange(3)) if team else []
        yield {
            "file_id": row_id("file", number),
            "title": title,
            "kind": kind,
            "folder_id": places[folder],
            "folder_title": folder,
            "owner": team[0]["full_name"] if team and chance.random() < NOT_OWN else USER,
            "confidential": title in CONFIDENTIAL,
            "modified_on": (TODAY - timedelta(days=chance.randrange(1, 90))).isoformat(),
            "viewers": [person["full_name"] for person in others[:1]],
            "editors": [person["full_name"] for person in others[1:]],
            "deleted": False,
        }


def _meetings(
    seed: WorldSeed, chance: random.Random, contacts: dict[str, Contact], teams: dict[str, list[Contact]]
) -> Iterator[Meeting]:
    """Yield meetings from three weeks ago to seven weeks ahead, in chronological order; no two start at the same time."""
    days = [day for offset in range(-21, 49) if (day := TODAY + timedelta(days=offset)).weekday() < 5]
    times = sorted(chance.sample([datetime.combine(day, hour) for day in days for hour in MEETING_HOURS], MEETINGS))
    series = [_series(chance, title, teams[project.title]) for project in PROJECTS for title in project.meetings]
    for person in chance.sample([row for row in contacts.values() if row["company"] == COMPANY], PAIRS):
        series.append(_series(chance, f"Catch-up with {person['full_name'].split()[0]}", [person]))
    held = [*series, *chance.choices(series, k=MEETINGS - len(series))]
    chance.shuffle(held)
    for number, (starts_at, (title, others, room, minutes, organiser)) in enumerate(
        zip(times, held, strict=True), start=seed.number("meeting")
    ):
        yield {
            "meeting_id": row_id("meeting", number),
            "title": title,
            "starts_at": starts_at.isoformat(),
            "ends_at": (starts_at + timedelta(minutes=minutes)).isoformat(),
            "day": starts_at.date().isoformat(),
            "room": room,
            "organiser": organiser,
            "usernames": [person["username"] for person in others],
            "attendees": [person["full_name"] for person in others],
            "status": "held" if starts_at < NOW else "planned",
            "times_moved": chance.choice([0, 0, 0, 0, 1, 1, 2]),
            "cancel_reason": None,
        }


def _series(chance: random.Random, title: str, team: list[Contact]) -> tuple[str, list[Contact], str, int, str]:
    """Return (title, people, room, minutes, organiser), which all meetings of one title share."""
    others = chance.sample(team, min(len(team), chance.randrange(1, 4)))
    room = chance.choice([room for room, seats in ROOMS.items() if seats > len(others)])
    organiser = others[0]["full_name"] if chance.random() < NOT_OWN else USER
    return title, others, room, chance.choice([30, 45, 60]), organiser


def _slots(
    seed: WorldSeed, chance: random.Random, contacts: dict[str, Contact], meetings: dict[str, Meeting]
) -> Iterator[Slot]:
    """Yield the free times of each person in the next three weeks, in chronological order."""
    days = [day for offset in range(1, 20) if (day := TODAY + timedelta(days=offset)).weekday() < 5]
    taken = {(row["starts_at"], row["room"]) for row in meetings.values()}
    busy = {row["starts_at"] for row in meetings.values()}
    number = seed.number("slot") - 1
    for person in contacts.values():
        room = chance.choice(list(ROOMS))
        for starts_at in sorted(
            datetime.combine(day, chance.choice(FREE_HOURS)) for day in chance.sample(days, SLOTS_EACH)
        ):
            if (starts_at.isoformat(), room) in taken or starts_at.isoformat() in busy:
                continue
            number += 1
            yield {
                "slot_id": row_id("slot", number),
                "username": person["username"],
                "full_name": person["full_name"],
                "starts_at": starts_at.isoformat(),
                "ends_at": (starts_at + timedelta(minutes=30)).isoformat(),
                "room": room,
            }


def _mails(
    seed: WorldSeed, chance: random.Random, contacts: dict[str, Contact], teams: dict[str, list[Contact]]
) -> Iterator[Mail]:
    """Yield the mails of threads in which the user and another person alternate, then suspicious and unsent ones."""
    everybody = list(contacts.values())
    threads = [
        *((subject, texts, teams[project.title]) for project in PROJECTS for subject, texts in project.mails.items()),
        *((subject, texts, everybody) for subject, texts in SMALL_TALK.items()),
    ]
    threads += [
        (f"{title}: agenda", AGENDA, teams[project.title]) for project in PROJECTS for title in project.meetings[:1]
    ]
    number = seed.number("mail") - 1
    for thread, (subject, texts, team) in enumerate(threads, start=seed.number("thread")):
        other, begins = chance.choice(team), chance.random() < 0.7
        sent_at = datetime.combine(TODAY - timedelta(days=chance.randrange(1, 30)), time(chance.randrange(8, 14)))
        for position, text in enumerate(texts):
            number += 1
            received, newest = (position % 2 == 0) == begins, position == len(texts) - 1
            sender, recipient = (other["full_name"], USER) if received else (USER, other["full_name"])
            mailbox: Mailbox = "sent" if not received else "inbox" if newest or chance.random() < 0.6 else "archive"
            unread = received and newest and chance.random() < 0.6
            title = f"Re: {subject}" if position else subject
            yield _mail(number, thread, title, text, sender, recipient, mailbox, sent_at, unread)
            sent_at += timedelta(minutes=chance.randrange(7, 120))
    for subject, sender, text in SUSPICIOUS:
        number, thread = number + 1, thread + 1
        moment = datetime.combine(TODAY - timedelta(days=chance.randrange(1, 9)), time(chance.randrange(1, 6), 12))
        yield _mail(number, thread, subject, text, sender, USER, "inbox", moment, unread=True) | {"warning": WARNING}
    for subject, text in WAITING.items():
        number, thread, other = number + 1, thread + 1, chance.choice(everybody)
        yield _mail(number, thread, subject, text, USER, other["full_name"], "outbox", None)


def _mail(
    number: int,
    thread: int,
    subject: str,
    text: str,
    sender: str,
    recipient: str,
    mailbox: Mailbox,
    sent_at: datetime | None,
    unread: bool = False,
) -> Mail:
    return {
        "mail_id": row_id("mail", number),
        "thread_id": row_id("thread", thread),
        "subject": subject,
        "text": text,
        "sender": sender,
        "recipients": [recipient],
        "correspondent": recipient if sender == USER else sender,
        "sent_at": sent_at.isoformat() if sent_at else None,
        "mailbox": mailbox,
        "unread": unread,
        "warning": None,
        "attachments": [],
    }


def _tasks(
    seed: WorldSeed,
    chance: random.Random,
    contacts: dict[str, Contact],
    teams: dict[str, list[Contact]],
    files: dict[str, File],
) -> Iterator[Task]:
    inside = [person for person in contacts.values() if person["company"] == COMPANY]
    titles = [(title, project.title) for project in PROJECTS for title in project.tasks]
    titles += [(f"Review {file['title']}", file["folder_title"]) for file in list(files.values())[::3]]
    wanted: Sequence[tuple[str, str]] = [*titles, *((title, "") for title in PERSONAL_TASKS)]
    for number, (title, project) in enumerate(wanted, start=seed.number("task")):
        person = chance.choice(teams[project][:TEAM] if project in teams else inside)
        mine = not project or chance.random() < 0.5
        states: list[TaskStatus] = ["open", "open", "open", "in progress", "done"]
        about = [file["file_id"] for file in files.values() if file["folder_title"] == project]
        yield {
            "task_id": row_id("task", number),
            "title": title,
            "status": chance.choice(states),
            "priority": chance.choice(["low", "normal", "normal", "high"]),
            "due_date": _workday(TODAY + timedelta(days=chance.randrange(-4, 40))).isoformat(),
            "assignee": USER if mine else person["full_name"],
            "file_id": next((key for key in about if files[key]["title"] in title), None),
        }


def _workday(day: date) -> date:
    """Return the day, or the Friday before it if it is on a weekend."""
    return day - timedelta(days=max(0, day.weekday() - 4))


def row_id(what: str, number: int) -> str:
    """Return the id of a row, too long for a user to remember: `task-2026-0012`."""
    return f"{what}-2026-{number:04d}"


def next_row_id(what: str, table: Mapping[str, object]) -> str:
    """Return the id for the next row of a table; rows must never be deleted."""
    return row_id(what, int(next(reversed(list(table)), "-0").rpartition("-")[2]) + 1)
