"""Indices -> sessions: several tasks of one user in a row, each in the state that the previous one left."""

import asyncio
from collections.abc import Sequence
from random import Random
from typing import Protocol

from interplay.flows.generation.continuation import start_after
from interplay.flows.settings.config import RunConfig
from interplay.flows.workspaces.manifest import DialogueStart
from interplay.schemas.records.recipe import Recipe
from interplay.schemas.records.verdict import DatasetRecord


class RecordMaker(Protocol):
    """Makes the records of an index."""

    async def make_records(self, index: int) -> tuple[DatasetRecord, ...]:
        """Return the records of an index."""
        ...


class Sessions:
    """Tracks where each session of a run stands: after its last task that passed, or at its beginning."""

    def __init__(self, config: RunConfig, beginnings: Sequence[DialogueStart] = ()) -> None:
        self._config = config
        self._beginnings = beginnings
        self._ends: dict[int, asyncio.Future[DialogueStart | None]] = {}

    async def beginning(self, index: int, maker: RecordMaker) -> DialogueStart | None:
        """Return where the dialogue of an index begins, once the previous task of its session is done; None if blank."""
        if self._config.tasks_per_session > 1:
            self._end(index)
        if not self._config.part(index):
            return self._first(index)
        if index - 1 not in self._ends:
            await maker.make_records(index - 1)
        found = await self._end(index - 1)
        del self._ends[index - 1]
        return found

    def _first(self, index: int) -> DialogueStart | None:
        """Return where a session begins: the next of the given beginnings, or None for a blank one."""
        settings = self._config.start
        if not self._beginnings or settings is None:
            return None
        session = self._config.session(index)
        if Random(f"{self._config.seed}/{session}/start").random() >= settings.share:
            return None
        return self._beginnings[session % len(self._beginnings)]

    def ended(self, index: int, records: Sequence[DatasetRecord], began: DialogueStart | None) -> None:
        """Store where the next task of the session begins; a task that does not pass leaves no trace."""
        end = self._ends.get(index)
        if end is None or end.done():
            return
        passed = next((record for record in records if record.status == "accepted"), None)
        persona = passed.blueprint.scenario.persona if passed is not None and passed.blueprint is not None else None
        end.set_result(
            began if passed is None else DialogueStart(start=start_after(passed, "session"), persona=persona)
        )

    def _end(self, index: int) -> "asyncio.Future[DialogueStart | None]":
        return self._ends.setdefault(index, asyncio.get_running_loop().create_future())


def continued_recipe(recipe: Recipe, beginning: DialogueStart) -> Recipe:
    """Return a recipe for a task in the middle of a conversation: the user stays the same, and no tools come or go."""
    told = {"registry": False, "tool_changes": False, "retells": None, "evolve": None}
    return recipe.model_copy(update={**told, "persona": beginning.persona or recipe.persona})
