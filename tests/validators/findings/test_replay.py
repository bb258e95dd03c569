"""A task is run again with the faults that stay, and without those that pass."""

import asyncio

from tests.validators.builders import Notes, make_blueprint

from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.fault import Fault
from interplay.validators.findings.replay import Replays


def opened_with(*faults: Fault) -> Blueprint:
    """Return what an environment is opened for when a task with faults is run again."""
    seen: list[Blueprint] = []

    def opens(blueprint: Blueprint) -> Notes:
        seen.append(blueprint)
        return Notes()

    asyncio.run(Replays(opens).of_blueprint(make_blueprint(faults=faults)))
    return seen[0]


PASSING = Fault(kind="timeout", action="a1", tool="add_note", recovery="retry")
STAYING = Fault(kind="permission_denied", action="a4", tool="count_notes", lasting=True, recovery="report")


def test_only_faults_that_stay_are_part_of_the_task() -> None:
    assert opened_with(PASSING, STAYING).faults == (STAYING,)


def test_one_replay_serves_all_who_ask() -> None:
    notes, blueprint = Notes(), make_blueprint()
    replays = Replays(lambda _: notes)

    async def twice() -> None:
        assert await replays.of_blueprint(blueprint) is await replays.of_blueprint(blueprint)

    asyncio.run(twice())
    assert notes.calls == len(blueprint.calls)
    assert notes.rows == Notes().rows
