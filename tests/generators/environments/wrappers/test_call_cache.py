"""An environment that answers out of memory: like the one that it stands for, and only in the very same state."""

import asyncio

import pytest

from interplay.generators.domains.clinic import DOMAIN
from interplay.generators.environments.toolkit.toolkit import Toolkit
from interplay.generators.environments.wrappers import call_cache
from interplay.generators.environments.wrappers.call_cache import CachedEnvironment
from interplay.schemas.records.dialogue import ToolCall, ToolResult


class Counting(Toolkit):
    """Counts the calls that reach it."""

    calls = 0

    async def call(self, call: ToolCall) -> ToolResult:
        self.calls += 1
        return await super().call(call)


def opened() -> tuple[Counting, CachedEnvironment]:
    inner = Counting(DOMAIN.tools, DOMAIN.toolset)
    return inner, CachedEnvironment(inner)


def ask(
    environment: CachedEnvironment | Toolkit, name: str, identifier: str = "abc", **arguments: object
) -> ToolResult:
    return asyncio.run(environment.call(ToolCall(id=identifier, name=name, arguments=arguments)))


def booked(environment: CachedEnvironment | Toolkit) -> str:
    rows = environment.state()["appointments"].values()
    return next(str(row["appointment_id"]) for row in rows if row["status"] == "booked")


def test_answers_the_same_call_in_the_same_state_without_running_it() -> None:
    inner, memory = opened()
    first = ask(memory, "get_patient", "one", patient_id="P-0001")
    second = ask(memory, "get_patient", "two", patient_id="P-0001")
    assert inner.calls == 1
    assert (second.value, second.text, second.call_id) == (first.value, first.text, "two")


def test_goes_where_a_change_led_without_making_it_again() -> None:
    inner, memory = opened()
    start, which = memory.snapshot(), booked(memory)
    asked = {"appointment_id": which, "reason": "I am away"}
    first = ask(memory, "cancel_appointment", **asked)
    after, changed = memory.digest(), memory.changes()
    memory.restore(start)
    assert memory.digest() != after
    assert memory.changes() == ()
    second = ask(memory, "cancel_appointment", **asked)
    assert inner.calls == 1
    assert (second, memory.digest(), memory.changes()) == (first, after, changed)
    assert memory.state()["appointments"][which]["status"] == "cancelled"
    memory.restore(start)
    assert inner.state()["appointments"][which]["status"] == "booked"


def test_runs_a_call_again_in_another_state() -> None:
    inner, memory = opened()
    which = booked(memory)
    before = ask(memory, "get_appointment", appointment_id=which)
    ask(memory, "cancel_appointment", appointment_id=which, reason="I am away")
    after = ask(memory, "get_appointment", appointment_id=which)
    assert inner.calls == 3
    assert (before.value["status"], after.value["status"]) == ("booked", "cancelled")


def test_tells_arguments_apart_that_are_only_nearly_the_same() -> None:
    inner, memory = opened()
    ask(memory, "get_patient", patient_id=1)
    ask(memory, "get_patient", patient_id=1.0)
    ask(memory, "get_patient", patient_id=True)
    ask(memory, "get_patient", patient_id=2**70)
    assert inner.calls == 4


def test_forgets_when_there_is_too_much_to_remember(monkeypatch: pytest.MonkeyPatch) -> None:
    inner, memory = opened()
    monkeypatch.setattr(call_cache, "KEPT", 10)
    for patient in ("P-0001", "P-0002", "P-0001"):
        ask(memory, "get_patient", patient_id=patient)
    assert inner.calls == 3


def test_forgets_first_what_was_asked_in_another_state(monkeypatch: pytest.MonkeyPatch) -> None:
    inner, memory = opened()
    home, which = memory.snapshot(), booked(memory)
    size = len(ask(memory, "get_patient", patient_id="P-0001").text)
    monkeypatch.setattr(call_cache, "KEPT", 6 * size)
    asked = {"appointment_id": which, "reason": "I am away"}
    ask(memory, "cancel_appointment", **asked)
    for number in range(2, 9):
        ask(memory, "get_patient", patient_id=f"P-000{number}")
    made = inner.calls
    memory.restore(home)
    ask(memory, "get_patient", patient_id="P-0001")
    assert inner.calls == made
    ask(memory, "cancel_appointment", **asked)
    ask(memory, "get_patient", patient_id="P-0002")
    assert inner.calls == made + 1
