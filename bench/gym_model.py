"""Plays tasks of the gym with a model at an OpenAI-compatible endpoint, and counts rewards and users that gave up.

    python bench/gym_model.py http://127.0.0.1:8123/v1 --toolset domain:clinic --tasks 10 --to played

Without an endpoint, a scripted model that plays correctly is served here. With --to, each dialogue is written to a text file.
"""

import argparse
import asyncio
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
from gym_agents import gold, played
from gym_policy import serving_policy

from interplay.flows.gym.catalogue import Catalogue, GymTask, composed_tasks
from interplay.flows.gym.session import AgentCall, Session, open_session
from interplay.flows.settings.config import RunConfig
from interplay.schemas.records.verdict import Reward

SMALLEST = ("--tasks", "3", "--json")
WAITS = 7200.0
"""Timeout of an answer in seconds; the model may be a person."""


async def play(client: httpx.AsyncClient, catalogue: Catalogue, task: GymTask, seed: int) -> tuple[Session, Reward]:
    """Let a model play a task."""
    session = await open_session(catalogue, task, seed)
    while not session.done:
        asked = {"model": "policy", "messages": session.transcript(), "tools": list(session.tools)}
        answer = await client.post("chat/completions", json=asked)
        said = answer.raise_for_status().json()["choices"][0]["message"]
        calls = [
            AgentCall(tool=call["function"]["name"], arguments=call["function"]["arguments"])
            for call in said.get("tool_calls") or ()
        ]
        text = said.get("content") or ""
        await (session.call(calls, text) if calls else session.say(text))
    return session, await session.close()


def page(session: Session, reward: Reward) -> str:
    """Return a dialogue, its scenario and its reward as text."""
    lines = [session.system_prompt, ""]
    for message in session.messages:
        calls = "".join(f"\n    {call.name} {json.dumps(call.arguments)}" for call in message.tool_calls)
        lines.append(f"{message.role}: {message.content}{calls}")
    scenario = json.dumps(session.blueprint.scenario.model_dump(mode="json", exclude_defaults=True), indent=1)
    return "\n".join([*lines, "", reward.model_dump_json(indent=1), "", scenario])


async def figures(endpoint: str, specs: list[str], count: int, seed: int, folder: Path | None) -> dict[str, Any]:
    """Return counts of how the tasks of each toolset end."""
    found: dict[str, Any] = {}
    async with httpx.AsyncClient(base_url=f"{endpoint.rstrip('/')}/", timeout=WAITS) as client:
        for spec in specs:
            catalogue = await composed_tasks(RunConfig(toolset=(spec,), seed=seed), count)
            ended = await asyncio.gather(*(play(client, catalogue, task, seed) for task in catalogue.tasks.values()))
            name = spec.rpartition("/")[2].replace(":", "_")
            found[name] = {
                "tasks": len(ended),
                "ended": dict(Counter(reward.ended for _, reward in ended)),
                "unclear": sum(reward.standing == "unclear" for _, reward in ended),
                "reward_is_1": sum(reward.reward == 1 for _, reward in ended),
            }
            for session, reward in ended if folder else ():
                path = Path(str(folder)) / f"{name}-{session.task.index}.txt"
                path.write_text(page(session, reward), encoding="utf-8")
    return found


async def right(specs: list[str], count: int, seed: int) -> list[list[dict[str, Any]]]:
    """Return the messages of correct dialogues, for the scripted model."""
    made = []
    for spec in specs:
        catalogue = await composed_tasks(RunConfig(toolset=(spec,), seed=seed), count)
        made += [(await played(catalogue, task, gold, seed)).transcript() for task in catalogue.tasks.values()]
    return made


def main() -> int:
    """Print the figures; return 1 if users gave up in more than one in twenty tasks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("endpoint", nargs="?")
    parser.add_argument("--toolset", action="append")
    parser.add_argument("--tasks", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--to", type=Path)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    specs = given.toolset or ["domain:clinic"]
    if given.to is not None:
        given.to.mkdir(parents=True, exist_ok=True)
    if given.endpoint is None:
        with serving_policy(asyncio.run(right(specs, given.tasks, given.seed))) as endpoint:
            found = asyncio.run(figures(endpoint, specs, given.tasks, given.seed, given.to))
    else:
        found = asyncio.run(figures(given.endpoint, specs, given.tasks, given.seed, given.to))
    for name, told in found.items():
        sys.stdout.write("" if given.json else f"{name}: {json.dumps(told)}\n")
    if given.json:
        sys.stdout.write(f"{json.dumps(found)}\n")
    tasks, unclear = (sum(told[key] for told in found.values()) for key in ("tasks", "unclear"))
    return int(20 * unclear > tasks)


if __name__ == "__main__":
    sys.exit(main())
