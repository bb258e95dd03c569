from collections.abc import Callable, Mapping
from typing import Any

import pytest
from tests.generators.environments.probing.world import TOOLS, Answer, Fault, Misbehaving, probed

from interplay.generators.environments.probing.trial import Kind
from interplay.generators.environments.sandbox.sandbox import Sandbox
from interplay.schemas.records.dialogue import ToolCall, ToolResult

Change = Callable[[Any, ToolCall], Any]


def answering(change: Change, *tools: str) -> Fault:
    """Change what some tools answer."""

    async def fault(answer: Answer, _: Sandbox, call: ToolCall) -> ToolResult:
        result = await answer(call)
        return ToolResult.of(call, change(result.value, call)) if call.name in tools and not result.error else result

    return fault


def asking(change: Callable[[Mapping[str, Any]], dict[str, Any]], *tools: str) -> Fault:
    """Change what some tools are asked."""

    async def fault(answer: Answer, _: Sandbox, call: ToolCall) -> ToolResult:
        return await answer(
            call.model_copy(update={"arguments": change(call.arguments)}) if call.name in tools else call
        )

    return fault


def failing(*tools: str) -> Fault:
    async def fault(answer: Answer, _: Sandbox, call: ToolCall) -> ToolResult:
        return ToolResult.failed(call, "404 Not Found.") if call.name in tools else await answer(call)

    return fault


def idle(*tools: str) -> Fault:
    """Take back what some tools write."""

    async def fault(answer: Answer, world: Sandbox, call: ToolCall) -> ToolResult:
        before = world.snapshot()
        result = await answer(call)
        if call.name in tools:
            world.restore(before)
        return result

    return fault


def writing(*tools: str, only_failures: bool = False) -> Fault:
    """Add a pet at each call of some tools."""

    async def fault(answer: Answer, _: Sandbox, call: ToolCall) -> ToolResult:
        result = await answer(call)
        if call.name in tools and (result.error or not only_failures):
            await answer(ToolCall(id="hidden001", name="createPet", arguments={"name": "Rex"}))
        return result

    return fault


def changeable() -> Fault:
    count = iter(range(100_000))
    return answering(lambda row, _: {**row, "name": f"Rex {next(count)}"}, "getOwner")


def credulous() -> Fault:
    """Make up what is not there."""

    async def fault(answer: Answer, _: Sandbox, call: ToolCall) -> ToolResult:
        result = await answer(call)
        unknown = call.name == "getOwner" and result.error
        return ToolResult.of(call, {"id": call.arguments["ownerId"], "name": "Nobody"}) if unknown else result

    return fault


def dropped(*names: str) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    return lambda given: {name: value for name, value in given.items() if name not in names}


def shouted(row: Any, _: ToolCall) -> Any:
    return {**row, "name": row["name"].upper() + "!"}


async def remembers(answer: Answer, world: Sandbox, call: ToolCall) -> ToolResult:
    """List pets as they were in the beginning."""
    if call.name != "listPets":
        return await answer(call)
    before = world.snapshot()
    world.restore({})
    result = await answer(call)
    world.restore(before)
    return result


async def keeps_no_marks(answer: Answer, _: Sandbox, call: ToolCall) -> ToolResult:
    result = await answer(call)
    return (
        ToolResult.of(call, {**result.value, "archived": False})
        if call.name == "getPet" and not result.error
        else result
    )


FAULTS: list[tuple[Kind, tuple[str, ...], Fault]] = [
    ("never_succeeds", ("getOwner",), failing("getOwner")),
    ("read_changes_state", ("listOwners",), writing("listOwners")),
    ("unstable_read", ("getOwner",), changeable()),
    ("unknown_accepted", ("getOwner",), credulous()),
    ("failure_changes_state", ("getPet",), writing("getPet", only_failures=True)),
    ("listed_not_readable", ("listOwners", "getOwner"), failing("getOwner")),
    ("list_and_read_differ", ("listPets", "getPet"), answering(shouted, "getPet")),
    ("filter_ignored", ("listPets",), asking(dropped("colour"), "listPets")),
    ("page_size_ignored", ("listPets",), asking(dropped("limit"), "listPets")),
    ("page_repeated", ("listPets",), asking(dropped("offset"), "listPets")),
    ("child_under_other_parent", ("listToys",), answering(lambda *_: [{"id": "T-1", "label": "Ball"}], "listToys")),
    ("copy_differs", ("getPet", "getOwner"), answering(lambda row, _: {**row, "kind": "home"}, "getOwner")),
    ("named_but_not_there", ("getPet", "getOwner"), failing("getOwner")),
    ("write_changes_nothing", ("updatePet",), idle("updatePet")),
    ("given_not_answered", ("createPet",), answering(shouted, "createPet")),
    ("created_not_shown", ("createPet", "getPet"), asking(dropped("name"), "createPet")),
    ("created_not_listed", ("createPet", "listPets"), remembers),
    ("update_not_shown", ("updatePet", "getPet"), asking(dropped("name", "colour"), "updatePet")),
    ("deleted_still_shown", ("deletePet", "getPet"), idle("deletePet")),
    ("deleted_still_listed", ("deletePet", "listPets"), remembers),
    ("action_not_shown", ("archivePet", "getPet"), keeps_no_marks),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "tools", "fault"), FAULTS, ids=[kind for kind, _, _ in FAULTS])
def test_finds_what_is_planted(kind: Kind, tools: tuple[str, ...], fault: Fault) -> None:
    found = (probed(fault)).findings
    (finding,) = [item for item in found if (item.kind, item.tools) == (kind, tools)]
    assert finding.expected
    assert kind == "never_succeeds" or finding.calls[-1].name in tools


def test_has_a_fault_for_every_kind_and_no_finding_in_a_sound_world() -> None:
    sound = probed()
    assert sound.findings == ()
    assert sound.is_whole
    assert set(sound.checked) == {kind for kind, _, _ in FAULTS} == set(Kind.__args__)


def test_leaves_the_state_as_it_was_and_finds_the_same_again() -> None:
    world = Misbehaving(TOOLS, None)
    before = world.digest()
    first, second = probed(failing("getOwner")), probed(failing("getOwner"))
    assert first == second
    assert world.digest() == before


def test_makes_no_more_calls_than_it_may() -> None:
    found = probed(most_calls=20)
    assert (found.calls, found.is_whole) == (20, False)
    assert found.findings == ()
