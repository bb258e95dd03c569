"""Invented companies and projects from `sample_data.yaml`, from which `seed` makes the database."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from interplay.generators.domains import beside, rows, table, words
from interplay.generators.domains.workspace.data_model import FileKind

SAMPLES = beside(__file__)
PARTNERS, OFFICES = (words(SAMPLES, name) for name in ("partners", "offices"))
COLLEAGUES, JOBS = table(SAMPLES, "colleagues"), table(SAMPLES, "jobs")
ROOMS: Mapping[str, int] = table(SAMPLES, "rooms")
"""Rooms and their numbers of seats, including one for the user."""

CONFIDENTIAL = words(SAMPLES, "confidential")
"""Titles of files that must not leave the company."""

GENERAL_FILES = table(SAMPLES, "general_files")
PERSONAL_TASKS, AGENDA = words(SAMPLES, "personal_tasks"), words(SAMPLES, "agenda")
SMALL_TALK, WAITING = table(SAMPLES, "small_talk"), table(SAMPLES, "waiting")
SUSPICIOUS, (WARNING,) = rows(SAMPLES, "suspicious"), words(SAMPLES, "warning")


@dataclass(frozen=True)
class Project:
    """A project of the company; `files` maps titles to kinds, `mails` subjects to the texts of a thread."""

    title: str
    meetings: Sequence[str]
    files: Mapping[str, FileKind]
    mails: Mapping[str, Sequence[str]]
    tasks: Sequence[str]


PROJECTS = tuple(Project(**row) for row in rows(SAMPLES, "projects"))
