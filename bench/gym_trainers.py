"""Plays tasks through the adapters for trainers, each in its own virtual environment with its trainer installed.

    python bench/gym_trainers.py [--json] [--trainer trl] [--python /path/of/an/environment/bin/python] [--tasks 10]

Without --python, an environment is made and the trainer installed there, which takes minutes. The policy is scripted to play
the tasks of the same workspace correctly, so that each reward should be 1. Without --trainer, `none` is run: the client alone,
in this environment.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import gym_agents
from gym_agents import gold
from gym_policy import serving_policy

from interplay.flows.gym.catalogue import workspace_tasks
from interplay.flows.runs.run import run
from interplay.flows.settings.config import RunConfig
from interplay.flows.workspaces.workspace import Workspace

SMALLEST = ("--tasks", "3", "--json")
INTERPLAY = (sys.executable, "-c", "from interplay.flows.commands.cli import main; main()")
GYM = Path(__file__).resolve().parents[1] / "outputs" / "gym"
TRAINERS = {"trl": ("torch", "openai", "jmespath"), "verifiers": ("uv",), "nemo": (), "openenv": ()}
"""Further packages that the example of each adapter needs."""

PORT_LINE = " at "
NONE = """
import json, sys
from interplay_gym import Gym
from urllib.request import Request, urlopen
gym, rewards = Gym(sys.argv[1]), []
for task in gym.tasks(int(sys.argv[3])):
    opened = gym.open(task["id"])
    name, messages, done = opened["session"], opened["messages"], False
    while not done:
        body = json.dumps({"messages": messages}).encode()
        answer = urlopen(Request(sys.argv[2] + "/chat/completions", body, {"Content-Type": "application/json"}))
        said = json.load(answer)["choices"][0]["message"]
        for call in said.get("tool_calls") or ():
            done = gym.call(name, call["function"]["name"], call["function"]["arguments"])["done"]
        if not said.get("tool_calls"):
            done = gym.say(name, said["content"])["done"]
        messages = gym.session(name)["messages"]
    rewards.append(gym.close(name)["reward"])
    assert gym.verify(task["id"], messages)["reward"] == rewards[-1]
print(json.dumps(rewards))
"""


def dialogues_of(folder: Path, count: int, toolset: str = "domain:clinic") -> list[list[dict[str, Any]]]:
    """Make a workspace, and return the messages of a correct session for each of its tasks."""
    config = RunConfig(toolset=(toolset,), records=count, shard_size=min(50, count))
    asyncio.run(run(Workspace(folder), config, lambda _: None))

    async def sessions() -> list[list[dict[str, Any]]]:
        catalogue = await workspace_tasks(Workspace(folder))
        return [(await gym_agents.played(catalogue, task, gold)).transcript() for task in catalogue.tasks.values()]

    return asyncio.run(sessions())


@contextmanager
def serving_gym(folder: Path) -> Iterator[str]:
    """Serve the tasks of a workspace, and yield the address."""
    command = [*INTERPLAY, "serve", str(folder), "--port", "0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        yield server.stdout.readline().split(PORT_LINE)[1].split()[0]
    finally:
        server.kill()
        server.wait()


def python_of(trainer: str, folder: Path) -> Path:
    """Make a virtual environment with a trainer and its adapter; return its Python."""
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    wanted = [str(GYM / "client"), str(GYM / trainer), *TRAINERS[trainer]]
    subprocess.run([python, "-m", "pip", "install", "-q", *wanted], check=True)
    return python


def played(trainer: str, python: Path, tasks: int, folder: Path) -> list[float] | str:
    """Return the rewards that the example of an adapter prints, or its error output."""
    dialogues = dialogues_of(folder / "workspace", tasks)
    if trainer == "none":
        script = folder / "none.py"
        script.write_text(NONE, encoding="utf-8")
    else:
        script = GYM / trainer / "example.py"
    given = {"MODEL_KEY": "none", "TRL_EXPERIMENTAL_SILENCE": "1", "PYTHONPATH": str(GYM / "client")}
    path = f"{python.parent}{os.pathsep}{os.environ['PATH']}"
    with serving_gym(folder / "workspace") as gym, serving_policy(dialogues) as endpoint:
        done = subprocess.run(
            [python, script, gym, endpoint, str(tasks)], capture_output=True, text=True, check=False, cwd=folder,
            env={**os.environ, **given, "PATH": path},
        )  # fmt: skip
    if done.returncode:
        return (done.stdout + done.stderr)[-2000:]
    return [float(reward) for reward in json.loads(done.stdout.splitlines()[-1])]


def main() -> int:
    """Print the rewards; return 1 if any is not 1."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--trainer", choices=("none", *TRAINERS), default="none")
    parser.add_argument("--python", type=Path)
    parser.add_argument("--tasks", type=int, default=10)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as kept:
        folder = Path(kept)
        python = given.python or (
            Path(sys.executable) if given.trainer == "none" else python_of(given.trainer, folder / "venv")
        )
        rewards = played(given.trainer, python, given.tasks, folder)
    if isinstance(rewards, str):
        sys.stdout.write(f"{json.dumps({'trainer': given.trainer, 'error': rewards})}\n")
        return 1
    right = sum(reward == 1 for reward in rewards)
    sys.stdout.write(f"{json.dumps({'trainer': given.trainer, 'tasks': len(rewards), 'reward_is_1': right})}\n")
    return 0 if rewards and right == len(rewards) else 1


if __name__ == "__main__":
    sys.exit(main())
