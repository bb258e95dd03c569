"""Tasks of an interplay gym as an OpenEnv environment; talks only to `interplay serve`.

    interplay-gym-openenv --gym http://127.0.0.1:8765 --port 8000

    with GenericEnvClient(base_url="http://127.0.0.1:8000").sync() as env:
        env.reset(task="...", seed=0)                                          # the prompt, the tools
        env.step({"tool": "find_patient", "arguments": {"name": "Ann Abbot"}})  # the result of the call
        env.step({"text": "May I have your date of birth?"})                    # what the user says next
        env.step({"ends": True}).reward                                         # the reward

An episode ends when the user says goodbye or the agent ends it; its last step has the reward. Without a task id, `reset` opens
the task whose position is the seed. Source: openenv-core 0.3, `openenv.core.env_server`.
"""

import argparse
from typing import Any

from interplay_gym import Gym, GymError, result_of
from openenv.core.env_server import create_fastapi_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, Observation, State
from pydantic import Field

SESSIONS = 256
"""Maximum number of concurrent episodes."""


class InterplayAction(Action):
    """A tool call, or words for the user if `tool` is empty; `ends` ends the episode."""

    tool: str = Field("", description="Name of the tool to call; empty to say something.")
    arguments: dict[str, Any] = Field(default_factory=dict, description="Arguments of the call.")
    text: str = Field("", description="What to say to the user.")
    ends: bool = Field(False, description="End the episode.")


class InterplayObservation(Observation):
    """What the user said, or the result of a call; after a reset, the prompt as messages; the tools whenever they change."""

    message: str = ""
    result: str = ""
    failed: bool = False
    prompt: list[dict[str, Any]] = Field(default_factory=list)
    tools: list[dict[str, Any]] = Field(default_factory=list)
    parts: dict[str, float] = Field(default_factory=dict)


class InterplayState(State):
    """The task under way and its session."""

    task: str = ""
    session: str = ""


class InterplayEnvironment(Environment[InterplayAction, InterplayObservation, InterplayState]):
    """An environment that plays one gym session at a time."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, gym: Gym) -> None:
        super().__init__()
        self._gym = gym
        self._state = InterplayState()

    def reset(
        self, seed: int | None = None, episode_id: str | None = None, task: str = "", split: str = "", **_: Any
    ) -> InterplayObservation:
        """Open the task with the id `task`, or else the one at position `seed` among those of `split`."""
        self.close()
        if not task:
            listed = self._gym.tasks(split=split)
            task = listed[(seed or 0) % len(listed)]["id"]
        opened = self._gym.open(task, seed or 0)
        self._state = InterplayState(episode_id=episode_id, task=task, session=opened["session"])
        return InterplayObservation(
            message=opened["message"], prompt=opened["messages"], tools=opened["tools"], done=opened["done"]
        )

    def step(self, action: InterplayAction, timeout_s: float | None = None, **_: Any) -> InterplayObservation:
        """Make a call, say something, or end the episode."""
        name = self._state.session
        self._state.step_count += 1
        if action.ends:
            return self._ended(InterplayObservation())
        try:
            if action.tool:
                step = self._gym.call(name, action.tool, action.arguments)
                failed = any(result["failed"] for result in step["results"])
                seen = InterplayObservation(result=result_of(step), failed=failed, tools=step["tools"] or [])
            else:
                step = self._gym.say(name, action.text)
                seen = InterplayObservation(message=step["message"], tools=step["tools"] or [])
        except GymError as error:
            if error.kind != "SessionOver":
                raise
            return self._ended(InterplayObservation(message=str(error), failed=True))
        return self._ended(seen) if step["done"] else seen

    @property
    def state(self) -> InterplayState:
        """Return the task under way and its session."""
        return self._state

    def close(self) -> None:
        """End the session, if one is open."""
        if self._state.session:
            self._ended(InterplayObservation())

    def _ended(self, seen: InterplayObservation) -> InterplayObservation:
        closed = self._gym.close(self._state.session)
        self._state.session = ""
        parts = {name: float(part["score"]) for name, part in closed["parts"].items()}
        told = {"done": True, "reward": float(closed["reward"]), "parts": parts}
        return seen.model_copy(update=told)


def app_of(gym: Gym) -> Any:
    """Return the FastAPI application of OpenEnv for a gym."""
    return create_fastapi_app(
        lambda: InterplayEnvironment(gym), InterplayAction, InterplayObservation, max_concurrent_envs=SESSIONS
    )


def main() -> None:
    """Serve the gym as an environment of OpenEnv."""
    import uvicorn  # noqa: PLC0415 - only needed to serve

    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--gym", default="http://127.0.0.1:8765", help="where interplay serve listens")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    given = parser.parse_args()
    uvicorn.run(app_of(Gym(given.gym)), host=given.host, port=given.port, log_level="warning")


if __name__ == "__main__":
    main()
