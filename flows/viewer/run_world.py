"""The world of a run -> what each call of a record changed.

The calls are made again in a sandbox. Tools that are code or live servers are not opened just for a look, and nothing is shown
for these.
"""

import asyncio
import threading
from dataclasses import dataclass

from interplay.flows.settings.config import RunConfig
from interplay.flows.worlds.assembly import OpenedWorld, open_world
from interplay.generators.values.world_seed import WorldSeed
from interplay.schemas.errors import EnvironmentFailure, StoreError
from interplay.schemas.json.canonical import Change, since
from interplay.schemas.records.verdict import DatasetRecord

SANDBOXED = ("domain", "openapi", "json")
"""Kinds of toolsets that run here, so that calling their tools has no effect elsewhere."""


@dataclass(frozen=True)
class StateStep:
    """What one call changed, by its number in the dialogue from 0; `differs` if its result is not the recorded one."""

    number: int
    tool: str
    changes: tuple[Change, ...]
    differs: bool = False


class RunWorld:
    """Opens the world of a run when it is first needed, and makes the calls of its records again, one record at a time."""

    def __init__(self, config: RunConfig) -> None:
        self._config = config
        self._lock = threading.Lock()
        self._world: OpenedWorld | None = None

    def steps(self, record: DatasetRecord) -> tuple[StateStep, ...]:
        """Return the changes of each call of a record that writes or changed something.

        Raises:
            InterplayError: its tools are not sandboxed, or its world cannot be opened.
        """
        if "tool" in self._config.roles:
            raise StoreError("What calls changed is told of made-up worlds alone, and not of a model that plays tools.")
        with self._lock:
            return asyncio.run(_steps(record, self._opened(), self._config))

    def _opened(self) -> OpenedWorld:
        if self._world is None:
            foreign = [spec for spec in self._config.toolset if spec.partition(":")[0] not in SANDBOXED]
            if foreign:
                raise StoreError(f"{foreign[0]} is not opened for a look.")
            self._world = open_world(self._config.toolset)
        return self._world


async def _steps(record: DatasetRecord, opened: OpenedWorld, config: RunConfig) -> tuple[StateStep, ...]:
    seed = record.blueprint.world if record.blueprint else None
    world = opened.renewed(WorldSeed.of(seed, config.worlds.rows)) if seed is not None and opened.varies else opened
    environment = world.environment
    tools = {tool.name for tool in environment.toolset.tools}
    writes = {tool.name for tool in environment.toolset.tools if tool.effect == "write"}
    home, found = environment.snapshot(), []
    try:
        before = environment.changes()
        made = record.trajectory.calls_with_results() if record.trajectory else ()
        for number, (_, call, answer) in enumerate(made):
            if call.name not in tools or call.malformed or (answer and answer.failed and answer.fault is not None):
                continue  # it was never executed
            result = await environment.call(call)
            after = environment.changes()
            differs = answer is not None and answer.fault is None and answer.content != result.text
            changes = since(before, after)
            if changes or call.name in writes:
                found.append(StateStep(number, call.name, changes, differs))
            before = after
    except EnvironmentFailure as failure:
        raise StoreError(f"The calls cannot be made again: {failure}") from failure
    finally:
        environment.restore(home)
    return tuple(found)
