"""The operations of a gym server, whether asked over HTTP or MCP: tasks, sessions, rewards."""

from collections.abc import Mapping, Sequence
from typing import Any

from interplay.flows.gym.catalogue import Catalogue, GymTask
from interplay.flows.gym.open_sessions import OpenSessions
from interplay.flows.gym.session import AgentCall, Step, open_session
from interplay.flows.gym.verification import verify
from interplay.outputs.exporters.exported_dialogue import function_schemas
from interplay.schemas.errors import InterplayError
from interplay.schemas.records.verdict import Reward

Band = tuple[float, float]


class UnknownTask(InterplayError):
    """No task has this id."""


class GymService:
    """The tasks of a catalogue and the open sessions; results are JSON values."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.sessions = OpenSessions(catalogue, catalogue.config.gym)

    def tasks(
        self,
        split: str | None = None,
        pattern: str | None = None,
        difficulty: Band = (0.0, 1.0),
        pass_rate: Band = (0.0, 1.0),
        offset: int = 0,
        limit: int = 100,
    ) -> dict[str, Any]:
        """Return one page of the tasks that pass the filters, and how many pass in all.

        The pass rate of a task that was tried here is that of its sessions, else that of the workspace: a band of it is a
        curriculum that moves as the agent learns.
        """
        found = list(self.catalogue.listed(split, pattern, difficulty, pass_rate, self.sessions.pass_rates()))
        return {"count": len(found), "tasks": [task.model_dump() for task in found[offset : offset + limit]]}

    async def task(self, name: str, seed: int = 0) -> dict[str, Any]:
        """Return a task with its prompt and tools.

        Raises:
            UnknownTask: there is none.
        """
        found = self._task(name)
        session = await open_session(self.catalogue, found, seed)
        return {**found.summary.model_dump(), "prompt": session.transcript(), "tools": session.tools}

    def tools(self) -> dict[str, Any]:
        """Return all tools of the toolset."""
        return {"tools": function_schemas(self.catalogue.generator.world.toolset.tools)}

    async def open(self, task: str, seed: int = 0) -> dict[str, Any]:
        """Open a task, and return the session with its system prompt, tools and the user's first message.

        Raises:
            UnknownTask: there is no such task.
            TooManySessions: the limit is reached.
        """
        name, session = await self.sessions.open(self._task(task), seed)
        before = session.transcript()
        return {
            "session": name, "task": task, "seed": seed, "system_prompt": session.system_prompt,
            "tools": session.tools, "messages": before, "message": before[-1]["content"],
            "done": session.done, "ended": session.ended,
        }  # fmt: skip

    async def transcript(self, name: str) -> dict[str, Any]:
        """Return the messages of a session, and the tools offered now.

        Raises:
            UnknownSession: there is none.
        """
        async with self.sessions.use(name) as session:
            return {
                "messages": session.transcript(), "tools": session.tools, "done": session.done, "ended": session.ended
            }  # fmt: skip

    async def call(self, name: str, calls: Sequence[AgentCall], text: str = "") -> Step:
        """Make calls in a session.

        Raises:
            UnknownSession: there is none.
            SessionOver: it has ended.
        """
        async with self.sessions.use(name) as session:
            return await session.call(calls, text)

    async def say(self, name: str, text: str) -> Step:
        """Say something to the user of a session.

        Raises:
            UnknownSession: there is none.
            SessionOver: it has ended.
        """
        async with self.sessions.use(name) as session:
            return await session.say(text)

    async def close(self, name: str) -> Reward:
        """Close a session, and return its reward.

        Raises:
            UnknownSession: there is none.
        """
        return await self.sessions.close(name)

    async def verify(self, task: str, messages: Sequence[Mapping[str, Any]], seed: int = 0) -> Reward:
        """Return the reward of a finished transcript.

        Raises:
            UnknownTask: there is none.
        """
        return await verify(self.catalogue, self._task(task), messages, seed)

    def status(self) -> dict[str, Any]:
        """Return the numbers of sessions, their mean reward, and how often each part of it was not full."""
        sessions = self.sessions
        return {
            "tasks": len(self.catalogue.tasks), "sessions": len(sessions), "opened": sessions.opened,
            "closed": sessions.closed, "abandoned": sessions.abandoned,
            "mean_reward": sessions.rewards / sessions.closed if sessions.closed else None,
            "lacking": dict(sessions.failures.most_common()),
        }  # fmt: skip

    def _task(self, name: str) -> GymTask:
        task = self.catalogue.tasks.get(name)
        if task is None:
            raise UnknownTask(f"No task has the id {name[:80]!r}. The list of tasks has their ids.")
        return task
