"""Calls that are to be confirmed: what is said of what they are about."""

from random import Random
from typing import Any

import pytest

from interplay.generators.participants.rules.confirmation_request import ConfirmationRequest
from interplay.generators.participants.rules.seen_things import SeenThings
from interplay.generators.participants.wording.result_phrases import clauses
from interplay.generators.participants.wording.voice import Voice, load_grammar
from interplay.schemas.records.blueprint import (
    Action,
    Blueprint,
    Expected,
    ExpectedOutput,
    Fact,
    Goal,
    Origin,
    Scenario,
)
from interplay.schemas.records.recipe import Persona, Recipe
from interplay.schemas.records.tool import ToolRole

TASKS = [
    {"id": 1, "name": "Polish the bell", "owner": {"id": "u1", "name": "Ann"}},
    {"id": 2, "name": "Oil the hinges", "owner": {"id": "u2", "name": "Bob"}},
]


def details(pointer: str, told: dict[str, Any], **later: Any) -> str:
    """Return what is said of a call with a value from the task that the user chose by what it told."""
    chosen = Fact(id="f1", goal=0, label="task", value=told, reveal="choice", action="a0", choice="/0")
    origin = Origin(kind="output", action="a0", pointer=pointer, fact="f1")
    action = Action(id="a1", goal=0, tool="nudge", arguments={"of": 1 if pointer == "/0/id" else "u1"},
                    origins={"/of": origin})  # fmt: skip
    blueprint = Blueprint(
        id="b", recipe=Recipe(index=0, seed=0, target="nudge", pattern="single"), toolset="", pattern="single",
        goals=(Goal(intent="nudge", tool="nudge"),), actions=(action,), expected=Expected(digest=""), tools=("nudge",),
        scenario=Scenario(requests=((0,),), facts=(chosen,)),
    )  # fmt: skip
    words = Voice(load_grammar()["assistant"], Random(1), Persona())
    return ConfirmationRequest(blueprint, words, None, {}, {"a0": TASKS, **later}, {}, {}).details([action])


@pytest.mark.parametrize(
    ("pointer", "told", "said"),
    [
        ("/0/id", {"/name": "Polish the bell"}, "Polish the bell"),
        ("/0/owner/id", {"/name": "Polish the bell"}, "Polish the bell"),
        ("/0/owner/id", {"/owner/name": "Ann"}, "Ann"),
    ],
)
def test_names_what_the_user_chose_though_the_call_takes_a_part_of_it(
    pointer: str, told: dict[str, Any], said: str
) -> None:
    assert said in details(pointer, told)


@pytest.mark.parametrize(
    ("pointer", "told", "later"),
    [
        ("/0/id", {"/name": "Polish the bell"}, {"id": 1, "name": "Ring the bell"}),
        ("/0/owner/id", {"/owner/name": "Ann"}, {"id": "u1", "name": "Ring the bell"}),
    ],
)
def test_names_what_the_user_chose_as_it_is_by_now(pointer: str, told: dict[str, Any], later: dict[str, Any]) -> None:
    assert "Ring the bell" in details(pointer, told, a2=later)


DOCTORS = [{"doctor_id": "D1", "name": "Dr. Jansen"}, {"doctor_id": "D2", "name": "Dr. Holm"}]
VISITS = [{"visit_id": "V1", "specialty": "cardiology", "starts_at": "2026-03-03T09:15:00"}]
SLOTS = [{"slot_id": "S1", "starts_at": "2026-03-05T10:30:00"}, {"slot_id": "S2", "starts_at": "2026-03-06T10:30:00"}]
BILLS = [{"bill_id": "B1", "visit_id": "V1", "subject": "first reminder"}]


def confirmed(
    tool: str, arguments: dict[str, str], origins: dict[str, Origin], results: dict[str, Any], *more: Action
) -> str:
    """Return what is said of a call on a visit, and more of them, after the doctors, visits, slots or bills were listed."""
    slot = Fact(id="f1", goal=0, label="free slot", value={"/starts_at": "2026-03-06T10:30:00"}, reveal="choice",
                action="slots", choice="/1")  # fmt: skip
    doctor = Origin(kind="output", action="doctors", pointer="/1/doctor_id")
    looked = {name: Action(id=name, goal=0, tool=name, arguments={}, origins={}) for name in results}
    if "slots" in looked:
        looked["slots"] = Action(id="slots", goal=0, tool="slots", arguments={"doctor_id": "D2"},
                                 origins={"/doctor_id": doctor})  # fmt: skip
    action = Action(id="a1", goal=0, tool=tool, arguments=arguments, origins=origins)
    blueprint = Blueprint(
        id="b", recipe=Recipe(index=0, seed=0, target=tool, pattern="single"), toolset="", pattern="single",
        goals=(Goal(intent="move a visit", tool=tool),), actions=(*looked.values(), action, *more),
        expected=Expected(digest=""), tools=(tool,), scenario=Scenario(requests=((0,),), facts=(slot,)),
    )  # fmt: skip
    kinds = {"doctors": "doctor", "visits": "visit", "slots": "slot", "bills": "bill"}
    roles = {name: ToolRole(tool=name, operation="list", resource=kinds[name]) for name in results}
    roles["slots"] = ToolRole(tool="slots", operation="list", resource="slot", references={"/doctor_id": "doctor"})
    roles[tool] = ToolRole(tool=tool, operation="update", resource="visit",
                           references={"/visit_id": "visit", "/slot_id": "slot"})  # fmt: skip
    words = Voice(load_grammar()["assistant"], Random(1), Persona())
    return ConfirmationRequest(blueprint, words, None, roles, results, {}, {}).details([action, *more])


def test_a_time_to_which_something_is_moved_is_told_from_its_own_and_with_whose_it_is() -> None:
    origins = {
        "/visit_id": Origin(kind="output", action="visits", pointer="/0/visit_id"),
        "/slot_id": Origin(kind="output", action="slots", pointer="/1/slot_id", fact="f1"),
    }
    seen = {"doctors": DOCTORS, "visits": VISITS, "slots": SLOTS}
    said = confirmed("move", {"visit_id": "V1", "slot_id": "S2"}, origins, seen)
    assert said.count(";") == 1
    assert said.index("cardiology") < said.index(";") < said.index("Dr. Holm, free slot ")


def test_what_a_bill_named_is_called_by_what_it_is() -> None:
    origins = {"/visit_id": Origin(kind="output", action="bills", pointer="/0/visit_id")}
    said = confirmed("cancel", {"visit_id": "V1"}, origins, {"visits": VISITS, "bills": BILLS})
    assert "cardiology" in said
    assert "reminder" not in said


def test_what_plays_the_same_part_in_several_calls_is_named_together() -> None:
    visit = Origin(kind="output", action="visits", pointer="/0/visit_id")
    origins = [
        {"/doctor_id": Origin(kind="output", action="doctors", pointer=f"/{at}/doctor_id"), "/visit_id": visit}
        for at in (0, 1)
    ]
    second = Action(id="a2", goal=0, tool="tell", arguments={"doctor_id": "D2", "visit_id": "V1"}, origins=origins[1])
    seen = {"doctors": DOCTORS, "visits": VISITS}
    said = confirmed("tell", {"doctor_id": "D1", "visit_id": "V1"}, origins[0], seen, second)
    assert said.index("Dr. Jansen") < said.index("Dr. Holm") < said.index("cardiology")


def test_the_rate_of_a_currency_is_no_sum_of_it() -> None:
    words = Voice(load_grammar()["assistant"], Random(1), Persona())
    shown = {"rate": 58.83, "currency": "GBP"}
    output = ExpectedOutput(action="a1", pointer="/rate", label="rate", value=58.83)
    assert clauses(words, [output], shown, "exchange rate") == "The rate is 58.83"
    assert clauses(words, [output], shown, "room") == "The rate is 58.83 GBP"


def test_what_is_to_be_paid_is_told_with_how_much_and_when() -> None:
    bills = [{"bill_id": "B1", "subject": "first reminder", "amount": 84.15, "currency": "EUR", "due_on": "2026-03-04"}]
    origins = {"/bill_id": Origin(kind="output", action="bills", pointer="/0/bill_id")}
    looked = Action(id="bills", goal=0, tool="bills", arguments={}, origins={})
    action = Action(id="a1", goal=0, tool="pay", arguments={"bill_id": "B1"}, origins=origins)
    blueprint = Blueprint(
        id="b", recipe=Recipe(index=0, seed=0, target="pay", pattern="single"), toolset="", pattern="single",
        goals=(Goal(intent="pay a bill", tool="pay", topic="bill"),), actions=(looked, action), expected=Expected(digest=""),
        tools=("pay",), scenario=Scenario(requests=((0,),)),
    )  # fmt: skip
    roles = {
        "bills": ToolRole(tool="bills", operation="list", resource="bill"),
        "pay": ToolRole(tool="pay", operation="action", resource="bill", references={"/bill_id": "bill"}),
    }

    class Careful:
        rules = ()

        def confirms(self, tool: str) -> bool:
            return tool == "pay"

    words = Voice(load_grammar()["assistant"], Random(1), Persona())
    asking = ConfirmationRequest(blueprint, words, Careful(), roles, {"bills": bills}, {}, {})  # type: ignore[arg-type]
    said = asking.question([action])
    assert "84.15 EUR" in said
    assert "due" in said


def test_what_shares_a_thing_with_somebody_does_not_rename_it() -> None:
    files = [{"file_id": "F1", "title": "Customer list", "kind": "sheet"}]
    shared = {"file_id": "F1", "title": "Customer list", "full_name": "Ada Falk"}
    looked = Action(id="files", goal=0, tool="files", arguments={}, origins={})
    origin = Origin(kind="output", action="files", pointer="/0/file_id")
    action = Action(id="a1", goal=0, tool="share", arguments={"file_id": "F1"}, origins={"/file_id": origin})
    blueprint = Blueprint(
        id="b", recipe=Recipe(index=0, seed=0, target="share", pattern="single"), toolset="", pattern="single",
        goals=(Goal(intent="share a file", tool="share"),), actions=(looked, action), expected=Expected(digest=""),
        tools=("share",), scenario=Scenario(requests=((0,),)),
    )  # fmt: skip
    roles = {
        "files": ToolRole(tool="files", operation="list", resource="file"),
        "share": ToolRole(tool="share", operation="action", resource="file", references={"/file_id": "file"}),
    }
    seen = SeenThings(blueprint, roles, {"files": files, "a1": shared})
    assert seen.thing(origin, action, "/file_id") == files[0]
