"""Tasks of an interplay gym as a taskset of verifiers (v1), with the user's turns; talks only to `interplay serve`.

    eval interplay-gym-verifiers --env.taskset.url http://127.0.0.1:8765 --env.taskset.split train \\
        --env.agent.harness.id null --env.agent.runtime.type subprocess --model MODEL

A task's prompt and tools come from the server. What the agent writes is said to the user, whose answer starts the next turn; its
calls go to the session. The reward is the server's, and its parts are metrics. Source: verifiers 0.4, `verifiers.v1`.
"""

import asyncio
from collections.abc import Iterator
from typing import Any, cast

import verifiers.v1 as vf
from interplay_gym import Gym, GymError, result_of
from mcp.server.mcpserver import Context, MCPServer
from mcp.types import CallToolResult, TextContent, Tool
from verifiers.v1.dialects import parse_message

__all__ = ["InterplayEnv", "InterplayTaskset"]

URL = "http://127.0.0.1:8765"


class InterplayConfig(vf.TasksetConfig):
    """The server and the filters for its tasks; a remote server needs its token in INTERPLAY_GYM_TOKEN."""

    url: str = URL
    split: str = ""
    pattern: str = ""
    difficulty: str = ""
    """A range, as in "0.2,0.6"."""
    pass_rate: str = ""
    """A range, as in "0.2,0.6"; raise it step by step for a curriculum."""
    limit: int = 1000
    seed: int = 0
    tools: vf.SharedToolsetConfig = vf.SharedToolsetConfig()


class InterplayData(vf.TaskData):
    """One task of the server."""

    url: str
    seed: int


class InterplayState(vf.State):
    """The session of a rollout, shared by its hooks and the tools."""

    url: str = ""
    session: str = ""


class InterplayTask(vf.Task[InterplayData, InterplayState]):
    """A task that opens a gym session, and gets its reward when it closes the session."""

    @property
    def key(self) -> str:
        """The identifier of the task across runs."""
        return f"{self.data.id}:{self.data.seed}"

    async def setup(self, trace: vf.Trace, runtime: vf.Runtime) -> None:
        """Open the session."""
        gym, data = Gym(self.data.url), self.data
        opened = await asyncio.to_thread(gym.open, str(data.id), data.seed)
        trace.state.url, trace.state.session = data.url, opened["session"]

    async def finalize(self, trace: vf.Trace, runtime: vf.Runtime) -> None:
        """Close the session."""
        state = trace.state
        trace.info["interplay"] = await asyncio.to_thread(Gym(state.url).close, state.session)

    @vf.reward
    async def reward(self, trace: vf.Trace) -> float:
        """Return the server's reward."""
        return float(trace.info["interplay"]["reward"])

    @vf.metric
    async def parts(self, trace: vf.Trace) -> dict[str, float]:
        """Return the parts of the reward, the progress, and 1.0 for `unclear` if the user could not make out the agent."""
        closed = trace.info["interplay"]
        told = {name: float(part["score"]) for name, part in closed["parts"].items()}
        return told | {"progress": float(closed["progress"]), "unclear": float(closed["standing"] == "unclear")}


class InterplayTools(vf.Toolset[vf.SharedToolsetConfig, InterplayState]):
    """The tools that a session offers; one tool server for all rollouts."""

    TOOL_PREFIX = None

    def register(self, mcp: MCPServer) -> None:
        """Make the server list and call the session's own tools."""
        server = cast(Any, mcp)
        server.list_tools = self._with_state(self.list_tools)
        server.call_tool = self._with_state(self.call_tool)

    async def list_tools(self) -> list[Tool]:
        """Return the tools on offer now."""
        offered = (await asyncio.to_thread(Gym(self.state.url).session, self.state.session))["tools"]
        return [
            Tool(
                name=tool["function"]["name"],
                description=tool["function"].get("description") or None,
                input_schema=tool["function"].get("parameters") or {"type": "object"},
            )
            for tool in offered
        ]

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Context | None = None) -> CallToolResult:
        """Call a tool of the session; a refusal becomes an error result."""
        try:
            step = await asyncio.to_thread(Gym(self.state.url).call, self.state.session, name, arguments)
        except GymError as error:
            return CallToolResult(content=[TextContent(type="text", text=str(error))], is_error=True)
        failed = any(result["failed"] for result in step["results"])
        return CallToolResult(content=[TextContent(type="text", text=result_of(step))], is_error=failed)


class InterplayTaskset(vf.Taskset[InterplayTask, InterplayConfig]):
    """The tasks of a server that match the filters."""

    @classmethod
    def toolsets(cls, config: InterplayConfig) -> list[vf.Toolset]:
        """Return the only tool server."""
        return [InterplayTools(config.tools)]

    def load(self) -> Iterator[InterplayTask]:
        """Yield each task with its prompt."""
        config, gym = self.config, Gym(self.config.url)
        filters = {name: getattr(config, name) for name in ("split", "pattern", "difficulty", "pass_rate")}
        for listed in gym.tasks(config.limit, **filters):
            system, *spoken = gym.task(listed["id"], config.seed)["prompt"]
            yield InterplayTask(
                InterplayData(
                    id=listed["id"], name=f"{listed['pattern']}:{listed['index']}", url=config.url, seed=config.seed,
                    system_prompt=system["content"], prompt=[parse_message(message) for message in spoken],
                ),
                config.task,
            )  # fmt: skip


class InterplayEnvConfig(vf.EnvConfig):
    """The configuration of the agent in training."""

    agent: vf.AgentConfig = vf.AgentConfig()


class InterplayEnv(vf.Env[InterplayEnvConfig]):
    """The agent and the session's user take turns until one of them ends the dialogue."""

    async def run(self, task: vf.Task, agents: vf.Agents) -> None:
        """Play one task."""
        async with agents.agent.interaction(task) as interaction:
            segment = await interaction.turn()
            while not segment.terminated:
                state = interaction.trace.state
                try:
                    step = await asyncio.to_thread(Gym(state.url).say, state.session, segment.last_reply)
                except GymError as error:
                    if error.kind != "SessionOver":
                        raise
                    break
                if step["done"]:
                    break
                segment = await interaction.turn(step["message"])


if __name__ == "__main__":
    InterplayTools.run()
