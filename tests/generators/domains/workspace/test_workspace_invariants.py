"""What always holds in the workspace, at the start and after any calls."""

import asyncio
from collections.abc import Mapping
from datetime import datetime
from itertools import combinations
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.generators.domains.workspace.office import TABLES

from interplay.generators.domains.workspace import DOMAIN
from interplay.generators.domains.workspace.data_model import NOW, USER
from interplay.generators.domains.workspace.sample_data import ROOMS
from interplay.schemas.json.validation import errors
from interplay.schemas.records.dialogue import ToolCall

IDENTITIES = {"contacts": "username"}


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
