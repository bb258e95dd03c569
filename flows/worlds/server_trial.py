"""An unknown live server -> what trying it shows: results, rows, names that change, and tools to leave out.

    notes     "is empty: it begins with 4 rows that create_note makes"
              "roll_dice is left out: it answers otherwise at another start: it: 3, then 5"

It is started, and its reads, then its writes are called, those that create something first; then it is started again, and
the same calls are made. Differences are names that change, or reasons to leave a tool out. Calls and time are limited.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from interplay.flows.worlds.result_schemas import loosened
from interplay.generators.environments.live.live_server import LiveServer, UnsteadyWrite
from interplay.generators.environments.live.recorded_session import RecordedCall, ServerTrial, rows_shown
from interplay.generators.environments.live.server_answers import is_one_text
from interplay.generators.environments.live.varying_answers import STEADY, Varying, compared
from interplay.generators.graph.sampling.argument_samples import EVERY, sample_arguments
from interplay.generators.graph.sampling.world import World
from interplay.generators.importers.normalisation.observed_schemas import says_nothing, schema_of_values
from interplay.generators.results.acknowledgement import text_within
from interplay.generators.values.schema_values import Unsatisfiable
from interplay.schemas.errors import EnvironmentFailure
from interplay.schemas.json.canonical import canonical_json
from interplay.schemas.records.tool import Tool, Toolset

SEEDS, TRIES = 4, 2
"""Rows of each kind that an empty server gets, and successful calls wanted of any other tool."""

WHOLE = 150
"""The most calls of all tools."""

PATIENCE, ALTOGETHER = 10.0, 45.0
"""The most seconds for one call, and for the whole trial."""

SAID = 160
"""The most characters shown of a server's message."""

Tell = Callable[[str], None]


def try_server(server: LiveServer, tell: Tell = lambda _: None) -> ServerTrial:
    """Find out what a server does; afterwards it is as before, except for what it keeps outside of its process.

    Raises:
        EnvironmentFailure: it does not start.
    """
    trial = _Trial(server, tell)
    trial.run()
    return trial.compare()


class _Trial:
    """What is known so far of one server under trial."""

    def __init__(self, server: LiveServer, tell: Tell) -> None:
        self.server = server
        self.tell = tell
        self.toolset = _without_wrapped_texts(server.toolset)
        self.made: list[RecordedCall] = []
        self.left_out: dict[str, str] = {}
        self.notes: list[str] = []
        self.filling: dict[str, list[RecordedCall]] = {}
        self.ends = time.monotonic() + ALTOGETHER
        self.patience = min(PATIENCE, server.settings.call_timeout)

    def run(self) -> None:
        """Call the reads, the writes that create something, the reads again, and the other writes."""
        self.server.describe(self.toolset)
        self.tell(f"{self.server.name}: tried, {len(self.toolset.tools)} tools")
        reads = [tool for tool in self.toolset.tools if tool.effect == "read"]
        self.open_reads = [tool for tool in reads if not _required(tool)]
        self._round(self.open_reads, 1)
        self.first = len(self.made)
        self.held = sum(_amount(made.value) for made in self.made if made.error is None)
        self._round(reads, TRIES)
        for _ in range(2):
            self._describe()
            world, roles = World(self.server), self.server.resources.by_tool
            lasting = [tool for tool in self._writes() if roles[tool.name].operation not in ("delete", "update")]
            self._round(sorted(lasting, key=lambda tool: world.depth(roles[tool.name].resource)), SEEDS)
            self._round(reads, TRIES)
        self._describe()
        self.base = len(self.made)
        self._round(self._writes(), 1)
        self.last = len(self.made)
        self._round(self.open_reads, 1)
        self._describe()

    def _writes(self) -> list[Tool]:
        return [tool for tool in self.server.toolset.tools if tool.effect == "write"]

    def _round(self, tools: list[Tool], wanted: int) -> None:
        """Call each tool until it has succeeded `wanted` times in this state."""
        for place, tool in enumerate(tools, 1):
            self.tell(f"{self.server.name}: tries {tool.name} ({place} of {len(tools)})")
            done = sum(made.tool == tool.name and made.error is None for made in self.made)
            if done and tool.effect == "write" and tool.name not in self.filling:
                continue
            for number in range(2 * wanted):
                if tool.name in self.left_out or len(self.made) >= WHOLE or (tool.effect == "write" and done >= wanted):
                    break
                if tool.effect == "read" and number >= wanted:
                    break
                if time.monotonic() > self.ends:
                    self.left_out.setdefault(tool.name, f"not tried within {ALTOGETHER:g} s")
                    break
                worked = self._called(tool, number)
                done += worked
                if worked and tool.effect == "write" and wanted > 1 and not self._fills(tool):
                    break

    def _fills(self, tool: Tool) -> bool:
        """Tell whether the last call made the reads show more than before; such calls fill an empty server."""
        fill, now = self.made[-1], 0
        for read in self.open_reads:
            if read.name not in self.left_out and self._called(read, 0):
                now += _amount(self.made.pop().value)
        more, self.held = now > self.held, now
        if more:
            self.filling.setdefault(tool.name, []).append(fill)
        return more

    def _called(self, tool: Tool, number: int) -> bool:
        """Make one call; return whether it succeeded."""
        rng = Random(f"try/{tool.name}/{number}/{len([made for made in self.made if made.tool == tool.name])}")
        try:
            makes = self.server.resources.by_tool[tool.name].operation == "create"
            arguments = sample_arguments(
                World(self.server), tool, rng, optional=EVERY if makes and number < SEEDS else 0
            )
            made = self.server.attempt(tool, arguments, self.patience)
        except Unsatisfiable:
            return False
        except UnsteadyWrite as failure:
            self._forget(failure.tool)
            return tool.name not in self.left_out and self._called(tool, number)
        except EnvironmentFailure as failure:
            self.left_out[tool.name] = str(failure).removeprefix(f"{self.server.name}: ")
            return False
        self.made.append(made)
        return made.error is None

    def _forget(self, name: str) -> None:
        """Leave out a tool that prevents restoring a state, and continue as if it had not been called."""
        self.left_out[name] = "it answers otherwise when it is called again after a fresh start"
        self.made = [made for made in self.made if made.tool != name]
        self.filling.pop(name, None)
        log = self.server.snapshot()
        self.server.restore(replace(log, calls=tuple(made for made in log.calls if made.tool != name)))

    def _describe(self) -> None:
        """Describe results by observed values, and infer what the tools act on."""
        tools = []
        for tool in self.toolset.tools:
            values = [made.value for made in self.made if made.tool == tool.name and made.error is None]
            values = [value for value in values if value not in ({}, [], "")]
            unknown = says_nothing(tool.returns) or text_within(tool.returns) == ""
            if unknown and values and all(isinstance(value, (dict, list)) for value in values):
                found = loosened(schema_of_values(values))
                tool = tool if says_nothing(found) else tool.model_copy(update={"returns": found})
            tools.append(tool)
        shown = {made.tool for made in self.made if made.error is None and made.arguments == {}} - self.left_out.keys()
        listers = [tool.name for tool in self.open_reads if tool.name in shown]
        self.server.describe(self.toolset.model_copy(update={"tools": tuple(tools)}), listers=listers)

    def compare(self) -> ServerTrial:
        """Start the server again, repeat the calls, and return what differs and what is known."""
        self.tell(f"{self.server.name}: started again, to see what changes")
        self._leave_failing_out()
        again, stateless = self.server.repeated(self.made)
        varying: dict[str, Varying] = {}
        outside = self._outlasts(again)
        for seen, made in zip(self.made, again, strict=True):
            if outside or seen.tool in self.left_out:
                continue
            if isinstance(made, str):
                self.left_out[seen.tool] = made.removeprefix(f"{self.server.name}: ")
                break
            where, other = compared(seen.outcome(), made.outcome())
            if other:
                self.left_out[seen.tool] = f"it answers otherwise at another start: {other[0]}"
            elif where != STEADY:
                varying[seen.tool] = varying.get(seen.tool, STEADY).joined(where)
        if outside:
            self._leave_writes_out()
        elif stateless and not self.filling:
            self._count_as_reads()
        return self._found(varying, self._reset() if not outside else "")

    def _outlasts(self, again: Sequence[RecordedCall | str]) -> bool:
        """Tell whether the server keeps its state over a restart: a list that grew shows as much as at the end."""
        ended = {made.tool: _amount(made.value) for made in self.made[self.last :]}
        for seen, made in zip(self.made[: self.first], again, strict=False):
            if isinstance(made, str) or seen.tool not in ended:
                continue
            if _amount(made.value) == ended[seen.tool] != _amount(seen.value):
                return True
        return False

    def _leave_writes_out(self) -> None:
        for tool in self._writes():
            self.left_out.setdefault(tool.name, "what it writes outlasts the server")
        self.notes.append(
            "what is written outlasts the server, so tasks cannot begin alike. Let it keep its files in {fresh} (as in "
            "mcp+live:DB={fresh}/notes.db COMMAND), or give ?before_start=COMMAND or ?reset=TOOL that brings them back"
        )

    def _count_as_reads(self) -> None:
        """Count tools as reads if the server does not say that they write, and no result shows a change.

        Tools whose names say that they create, update or delete stay writes: there may just have been nothing to change.
        """
        roles = self.server.resources.by_tool
        worked = {made.tool for made in self.made if made.error is None}
        plain = {tool.name for tool in self._writes() if tool.name in worked and not self.server.may_write(tool)
                 and roles[tool.name].operation not in ("create", "update", "delete")}  # fmt: skip
        if plain:
            known = self.server.toolset
            tools = (tool.model_copy(update={"effect": "read"}) if tool.name in plain else tool for tool in known.tools)
            self.server.describe(known.model_copy(update={"tools": tuple(tools)}))
            self.notes.append(f"keeps no state that shows: {', '.join(sorted(plain))} count as reads")

    def _leave_failing_out(self) -> None:
        """Leave out tools without a successful call, except those that act on rows: they may succeed later."""
        roles = self.server.resources.by_tool
        worked = {made.tool for made in self.made if made.error is None}
        failed = {made.tool: str(made.error) for made in self.made if made.error is not None}
        for name, said in failed.items():
            if name not in worked and not roles[name].references:
                self.left_out.setdefault(name, f"no call of it succeeded: {' '.join(said.split())[:SAID]}")

    def _reset(self) -> str:
        """Return the tool that resets the server: the author's, else one that is found to; "" if there is none."""
        if self.server.settings.reset:
            return self.server.settings.reset
        reads = [made for made in self.made[: self.first] if made.tool not in self.left_out]
        if not any(canonical_json(one.outcome()) != canonical_json(two.outcome()) for one in reads
                   for two in self.made[self.last :] if one.tool == two.tool):  # fmt: skip
            return ""  # nothing would show whether it was reset
        able = [tool for tool in self._writes() if not _required(tool) and tool.name not in self.left_out]
        return next((tool.original_name for tool in able if self.server.comes_back(tool, reads)), "")

    def _found(self, varying: dict[str, Varying], reset: str) -> ServerTrial:
        """Return what is known, with the tools that were left out and why."""
        known = self.server.toolset
        kept = tuple(tool for tool in known.tools if tool.name not in self.left_out)
        self.server.describe(known.model_copy(update={"tools": kept}))
        plan = self.server.plan
        begun = rows_shown(plan, [made for made in self.made[: self.first] if made.tool not in self.left_out])
        listers = {
            made.tool for made in self.made
            if made.arguments == {} and made.tool in plan.tools and plan.tools[made.tool].tool.effect == "read"
            and rows_shown(plan, [made])
        }  # fmt: skip
        filling = {id(made) for calls in self.filling.values() for made in calls}
        empty = not any(begun.values())
        seeds = [made for made in self.made if empty and made.tool in plan.tools and id(made) in filling]
        if seeds:
            by = ", ".join(dict.fromkeys(made.tool for made in seeds))
            self.notes.append(f"shows no rows at first: it begins with what {len(seeds)} calls of {by} make")
        if reset:
            self.notes.append(f"is brought back by {reset}")
        self.notes += [f"{name} is left out: {why}" for name, why in self.left_out.items()]
        return ServerTrial(
            toolset=self.server.toolset,
            listers=tuple(tool.name for tool in kept if tool.name in listers),
            seeds=tuple(seeds),
            reset=reset,
            varying=varying,
            notes=tuple(self.notes),
        )


def _amount(value: Any) -> int:
    """Return the amount of data in a result: the items of its lists, and the lines of its texts."""
    if isinstance(value, dict):
        return sum(map(_amount, value.values()))
    if isinstance(value, list):
        return len(value) + sum(_amount(item) for item in value if isinstance(item, (dict, list)))
    return value.count("\n") if isinstance(value, str) else 0


def _required(tool: Tool) -> list[str]:
    return list(tool.required)


def _without_wrapped_texts(toolset: Toolset) -> Toolset:
    """Return tools without result schemas that only wrap one text; what the text holds is to be observed."""
    tools = tuple(
        tool.model_copy(update={"returns": None}) if is_one_text(tool.returns) else tool for tool in toolset.tools
    )
    return toolset.model_copy(update={"tools": tools})
