"""Plays tasks with a model at an OpenAI-compatible endpoint, and prints their rewards as JSON.

python example.py GYM ENDPOINT [COUNT]
"""

import json
import subprocess
import sys
import time

import httpx
from interplay_gym import Gym
from openai import OpenAI
from openenv import GenericEnvClient

PORT = 8123
TURNS = 40


def played(env: GenericEnvClient, model: OpenAI, task: str) -> float:
    """Play one task and return its reward."""
    result = env.reset(task=task, seed=0)
    messages, tools = result.observation["prompt"], result.observation["tools"]
    for _ in range(TURNS):
        said = model.chat.completions.create(model="scripted", messages=messages, tools=tools).choices[0].message
        messages.append(said.model_dump(exclude_none=True))
        for call in said.tool_calls or ():
            result = env.step({"tool": call.function.name, "arguments": json.loads(call.function.arguments)})
            messages.append({"role": "tool", "tool_call_id": call.id, "content": result.observation["result"]})
        if not said.tool_calls:
            result = env.step({"text": said.content or ""})
            messages.append({"role": "user", "content": result.observation["message"]})
        if result.done:
            return float(result.reward)
        tools = result.observation["tools"] or tools
    return float(env.step({"ends": True}).reward)


def main(gym: str, endpoint: str, count: str = "10") -> None:
    """Serve the environment, and play some tasks in it."""
    server = subprocess.Popen([sys.executable, "-m", "interplay_gym_openenv", "--gym", gym, "--port", str(PORT)])
    url = f"http://127.0.0.1:{PORT}"
    try:
        for _ in range(240):
            try:
                httpx.get(f"{url}/health")
                break
            except httpx.ConnectError:
                time.sleep(0.5)
        with GenericEnvClient(base_url=url).sync() as env:
            model = OpenAI(base_url=endpoint, api_key="none")
            rewards = [played(env, model, task["id"]) for task in Gym(gym).tasks(int(count))]
    finally:
        server.terminate()
        server.wait()
    sys.stdout.write(json.dumps(rewards) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
