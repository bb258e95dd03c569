"""Tasks of an interplay gym as a resource server of NeMo Gym, for its `gymnasium_agent`; talks only to `interplay serve`.

    interplay-gym-nemo --gym http://127.0.0.1:8765 --to tasks.jsonl     # the data set: a row for each task
    app.py of a resource server: from interplay_gym_nemo import InterplayServer; InterplayServer.run_webserver()

`reset` opens the task of a row, `step` makes the calls of a response or says its words to the user, and the last step returns
the server's reward. Source: nemo-gym 0.4, `resources_servers.gymnasium`.
"""

import argparse
import asyncio
import json
from pathlib import Path
from typing import Any

from interplay_gym import Gym, GymError
from nemo_gym.base_resources_server import BaseResourcesServerConfig
from nemo_gym.openai_utils import NeMoGymResponse
from resources_servers.gymnasium import GymnasiumServer, extract_text

AGENT = "interplay_agent"
URL = "http://127.0.0.1:8765"
Stepped = tuple[str | None, float, bool, bool, dict[str, Any]]


class InterplayConfig(BaseResourcesServerConfig):
    """The address of `interplay serve`; a remote server needs its token in INTERPLAY_GYM_TOKEN."""

    gym: str = URL


class InterplayServer(GymnasiumServer):
    """A NeMo Gym server with one gym session per rollout."""

    config: InterplayConfig

    async def reset(self, metadata: dict[str, Any], session_id: str | None = None) -> tuple[str | None, dict[str, Any]]:
        """Open the task of a row; the user's first message is already part of the row."""
        opened = await asyncio.to_thread(Gym(self.config.gym).open, metadata["task"], metadata.get("seed", 0))
        self.session_state[session_id] = opened["session"]
        return None, {"task": opened["task"]}

    async def step(self, action: NeMoGymResponse, metadata: dict[str, Any], session_id: str | None = None) -> Stepped:
        """Make the calls of a response; if it has none, say its words to the user."""
        del metadata
        gym, name = Gym(self.config.gym), self.session_state[session_id]
        calls = [item for item in action.output if item.type == "function_call"]
        outputs, message, done = [], None, False
        try:
            for call in calls:
                step = await asyncio.to_thread(gym.call, name, call.name, call.arguments)
                result = "\n".join(each["text"] for each in step["results"])
                outputs.append({"call_id": call.call_id, "output": result})
                done = done or step["done"]
            if not calls:
                step = await asyncio.to_thread(gym.say, name, extract_text(action))
                message, done = step["message"], step["done"]
        except GymError as error:
            if error.kind != "SessionOver":
                raise
            done = True
        if not done:
            return message, 0.0, False, False, {"tool_outputs": outputs}
        closed = await asyncio.to_thread(gym.close, name)
        parts = {part: told["score"] for part, told in closed["parts"].items()}
        return None, float(closed["reward"]), True, False, {"parts": parts, "standing": closed["standing"]}


def rows(gym: Gym, limit: int = 1000, seed: int = 0, **filters: str) -> list[dict[str, Any]]:
    """Return a data set row for each task; `filters` are split, pattern, difficulty and pass_rate."""
    found = []
    for listed in gym.tasks(limit, **filters):
        task = gym.task(listed["id"], seed)
        tools = [{"type": "function", "strict": False, **tool["function"]} for tool in task["tools"]]
        asked = {"input": [item for message in task["prompt"] for item in _items(message)], "tools": tools}
        agent = {"type": "responses_api_agents", "name": AGENT}
        found.append({"responses_create_params": asked, "task": task["id"], "seed": seed, "agent_ref": agent})
    return found


def _items(message: dict[str, Any]) -> list[dict[str, Any]]:
    """Convert a message of the chat API to items of the Responses API."""
    if message["role"] == "tool":
        return [{"type": "function_call_output", "call_id": message["tool_call_id"], "output": message["content"]}]
    calls = [
        {"type": "function_call", "call_id": call["id"], **call["function"]} for call in message.get("tool_calls") or ()
    ]
    spoken = [{"role": message["role"], "content": message["content"]}] if message.get("content") else []
    return [*spoken, *calls]


def main() -> None:
    """Write the tasks of a gym as a data set of NeMo Gym."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--gym", default=URL, help="where interplay serve listens")
    parser.add_argument("--to", type=Path, required=True)
    parser.add_argument("--limit", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    for name in ("split", "pattern", "difficulty", "pass_rate"):
        parser.add_argument(f"--{name}", default="")
    given = vars(parser.parse_args())
    gym, to = Gym(given.pop("gym")), given.pop("to")
    to.write_text("".join(json.dumps(row) + "\n" for row in rows(gym, **given)), encoding="utf-8")


if __name__ == "__main__":
    main()
