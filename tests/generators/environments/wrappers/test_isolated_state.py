"""Dialogues that are open side by side in one world do not see each other."""

import asyncio

from tests.generators.environments.specs import spec

from interplay.generators.environments.sandbox.sandbox import Sandbox
from interplay.generators.environments.wrappers.isolated_state import isolated
from interplay.schemas.records.dialogue import ToolCall, ToolResult


def add(name: str) -> ToolCall:
    """Return a call that adds a pet."""
    return ToolCall(id="call00001", name="addPet", arguments={"name": name, "photoUrls": []})


def test_branches_do_not_see_each_other() -> None:
    async def play() -> None:
        shared = Sandbox(spec("petstore_v3.yaml"))
        lock, start = asyncio.Lock(), shared.digest()
        first, second = await isolated(shared, lock), await isolated(shared, lock)
        made = await first.call(add("Rex"))
        assert made.error is None
        assert shared.digest() == second.digest() == start != first.digest()
        assert shared.changes() == second.changes() == ()
        assert [change.path for change in first.changes()] == [f"/pet/{made.value['id']}"]
        read = ToolCall(id="call00002", name="getPetById", arguments={"petId": made.value["id"]})
        assert (await first.call(read)).value["name"] == "Rex"
        assert (await second.call(read)).error is not None
        assert str(made.value["id"]) in first.state()["pet"]
        assert str(made.value["id"]) not in second.state()["pet"]

    asyncio.run(play())


def test_a_branch_goes_back() -> None:
    async def play() -> None:
        shared = Sandbox(spec("petstore_v3.yaml"))
        branch = await isolated(shared, asyncio.Lock())
        before, start = branch.snapshot(), branch.digest()
        await branch.call(add("Rex"))
        branch.restore(before)
        assert branch.digest() == start
        assert branch.changes() == ()
        again = await branch.call(add("Max"))
        assert again.value["name"] == "Max"

    asyncio.run(play())


class Waiting(Sandbox):
    """A sandbox that lets others run in the middle of a call."""

    async def call(self, call: ToolCall) -> ToolResult:
        """Wait, then answer."""
        await asyncio.sleep(0)
        return await super().call(call)


def test_calls_of_an_environment_that_waits_do_not_mix() -> None:
    async def play() -> None:
        shared = Waiting(spec("petstore_v3.yaml"))
        lock = asyncio.Lock()
        branches = [await isolated(shared, lock) for _ in range(5)]
        await asyncio.gather(*(branch.call(add(f"pet {place}")) for place, branch in enumerate(branches)))
        for place, branch in enumerate(branches):
            changed = [change.after["name"] for change in branch.changes()]
            assert changed == [f"pet {place}"]
        assert shared.changes() == ()

    asyncio.run(play())
