"""The two sides of the workspace: what users do on their laptop is seen by the assistant, and done by nobody else."""

import asyncio
from collections.abc import Mapping
from typing import Any

from tests.generators.domains.workspace.office import call

from interplay.generators.domains.workspace import DOMAIN
from interplay.generators.domains.workspace.data_model import NOW
from interplay.schemas.protocols import Environment
from interplay.schemas.records.dialogue import ToolCall


def test_the_tools_of_the_laptop_are_the_users_alone() -> None:
    environment = DOMAIN.open()
    own = {tool.name for tool in environment.toolset.tools if tool.requestor == "user"}
    assert len(own) == 6
    for name in own:
        refused = asyncio.run(environment.call(ToolCall(id="a00000001", name=name, arguments={})))
        assert refused.error == f"Error: there is no tool called {name} for the assistant."
    assert environment.changes() == ()


def status(environment: Environment) -> Mapping[str, Any]:
    return dict(call(environment, "get_device_status").value)


def test_what_the_user_does_on_the_laptop_is_seen_by_the_assistant() -> None:
    environment = DOMAIN.open()
    assert set(status(environment).values()) == {"offline", "stopped", 2}
    call(environment, "toggle_airplane_mode")
    assert status(environment)["connection"] == "online"
    assert status(environment)["file_sync"] == "stopped"
    call(environment, "free_disk_space")
    assert status(environment)["file_sync"] == "up to date"
    call(environment, "accept_calendar_permission")
    assert status(environment)["calendar_sync"] == "up to date"
    call(environment, "restart_mail_client")
    assert status(environment) == {
        "connection": "online",
        "mail_sync": "up to date",
        "calendar_sync": "up to date",
        "file_sync": "up to date",
        "waiting_mails": 0,
    }


def test_the_outbox_is_sent_once_mail_comes_through() -> None:
    environment = DOMAIN.open()
    waiting = [row["mail_id"] for row in call(environment, "list_mails", mailbox="outbox").value]
    assert len(waiting) == 2
    call(environment, "restart_mail_client")
    assert [row["mail_id"] for row in call(environment, "list_mails", mailbox="outbox").value] == waiting
    call(environment, "toggle_airplane_mode")
    assert call(environment, "list_mails", mailbox="outbox").value == []
    sent = call(environment, "get_mail", mail_id=waiting[0]).value
    assert (sent["mailbox"], sent["sent_at"]) == ("sent", NOW.isoformat())


def test_a_laptop_that_goes_offline_again_is_not_in_sync() -> None:
    environment = DOMAIN.open()
    before = environment.snapshot()
    call(environment, "toggle_airplane_mode")
    call(environment, "toggle_airplane_mode")
    assert status(environment)["connection"] == "offline"
    environment.restore(before)
    assert environment.changes() == ()


def test_a_laptop_goes_by_the_number_that_stands_on_it() -> None:
    environment = DOMAIN.open()
    number = call(environment, "read_sticker").value["serial_number"]
    assert call(environment, "check_warranty", serial_number=number).value["model"] == "Corvid 14"
    assert call(environment, "check_warranty", serial_number="TW-00000-A").error is not None
    repair = call(environment, "order_repair", serial_number=number, damage="weak battery").value
    assert repair["pickup_date"] == "2026-03-03"
    again = call(environment, "order_repair", serial_number=number, damage="weak battery")
    assert again.error == "Error: a repair of the weak battery is ordered already."


def test_room_is_made_once() -> None:
    environment = DOMAIN.open()
    call(environment, "free_disk_space")
    assert call(environment, "free_disk_space").error == "Error: the bin and the caches are empty already."
