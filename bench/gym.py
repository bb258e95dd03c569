"""Measures the gym: rewards of correct, idle, faulty and cheating agents; speed, memory, and restarts.

    python bench/gym.py [--quick] [--json] [--tasks 200] [--toolset SPEC ...]

The correct agent (`gold`) is the rules, without a model. Rewards are compared with those of `verify`.
"""

import argparse
import asyncio
import json
import resource
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from statistics import median
from typing import Any

import httpx
from gym_agents import CHEATS, FAULTS, answers, faulty, gold, nothing, played
from gym_trainers import dialogues_of, serving_gym
from shared_data import DATA

from interplay.flows.gym.catalogue import Catalogue, composed_tasks
from interplay.flows.gym.open_sessions import OpenSessions
from interplay.flows.gym.session import AgentCall, open_session
from interplay.flows.gym.verification import verify
from interplay.flows.settings.config import RunConfig

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the toolkits are those of tests

SMALLEST = ("--quick", "--json", "--tasks", "3", "--toolset", "domain:clinic")
DESCRIPTIONS = (
    "asana.yaml",
    "spotify_official.yml",
    "stripe_2018_v2.json",
    "train_travel.yaml",
    "trello.yaml",
    "xero_projects.yaml",
)
KITS = ("broker:BrokerAPI", "telecom:TelecomTools")
STARTS = 3
SOURCES = (
    "domain:clinic", "domain:rental", "domain:workspace",
    *(f"python:tests.generators.environments.toolkit.others.{kit}" for kit in KITS),
    *(f"openapi:{DATA / 'openapi' / name}" for name in DESCRIPTIONS),
)  # fmt: skip


async def rewards(catalogue: Catalogue) -> dict[str, Any]:
    """Return how many tasks give the rewards that they should give."""
    found: Counter[str] = Counter()
    cheated: list[str] = []
    for number, task in enumerate(catalogue.tasks.values()):
        idle = task.summary.idle
        found["tasks"] += 1
        found["idle"] += idle
        base = await (await played(catalogue, task, nothing)).close()
        found["nothing_is_0"] += base.reward == 0 or idle
        session = await played(catalogue, task, gold)
        reward = await session.close()
        found["gold_is_1"] += reward.reward == 1
        found["gold_unclear"] += reward.standing == "unclear"
        again = await verify(catalogue, task, session.transcript())
        found["verify_is_the_same"] += again == reward
        twice = await played(catalogue, task, gold)
        found["same_transcript"] += twice.transcript() == session.transcript()
        if idle:
            continue
        for fault in FAULTS:
            session = await open_session(catalogue, task)
            if await faulty(session, fault):
                found["faults"] += 1
                got = await session.close()
                found["faults_below_1"] += got.reward < 1
                if got.reward == 1:
                    cheated.append(f"{fault}: task {task.index}, {got.reward}")
        for place, (name, cheat) in enumerate(CHEATS.items()):
            if place % 4 != number % 4:
                continue  # each cheat is tried in every fourth task
            session = await played(catalogue, task, cheat)
            got = await session.close()
            if got.reward and answers(name, session):
                found["cheats_that_answer"] += 1
                continue
            found["cheats"] += 1
            found["cheats_at_most_nothing"] += got.reward <= base.reward
            if got.reward > base.reward:
                cheated.append(f"{name}: task {task.index}, {got.reward}")
    return {**found, "cheated": cheated[:10]}


async def speed(catalogue: Catalogue, count: int, many: int, abandoned: int) -> dict[str, Any]:
    """Return milliseconds to open a session and to call beside `count` others, and the memory of many and abandoned ones."""
    tasks = list(catalogue.tasks.values())
    beside = [await open_session(catalogue, tasks[number % len(tasks)]) for number in range(count)]
    opened, called = [], []
    for number in range(10 * count):
        task = tasks[number % len(tasks)]
        start = time.perf_counter()
        await open_session(catalogue, task)
        opened.append(1000 * (time.perf_counter() - start))
        session = beside[number % count]
        reads = [action for action in session.blueprint.calls if action.requestor == "assistant"]
        if reads and not session.done:
            start = time.perf_counter()
            await session.call([AgentCall(tool=reads[0].tool, arguments=reads[0].arguments)])
            called.append(1000 * (time.perf_counter() - start))
    before = _memory()
    held = [await open_session(catalogue, tasks[number % len(tasks)]) for number in range(many)]
    with_many = _memory()
    del held, beside
    now = 0.0
    sessions = OpenSessions(catalogue, catalogue.config.gym, lambda: now)
    start = time.perf_counter()
    for number in range(abandoned):
        now += 2.0
        await sessions.open(tasks[number % len(tasks)])
    return {
        "open_ms_p50": _at(opened, 0.5), "open_ms_p99": _at(opened, 0.99),
        "call_ms_p50": _at(called, 0.5), "call_ms_p99": _at(called, 0.99),
        "sessions_held": many, "held_mib": with_many - before, "mib": with_many,
        "abandoned": sessions.abandoned, "mib_after_abandoned": _memory(),
        "opened_per_second": abandoned / (time.perf_counter() - start),
    }  # fmt: skip


def started_again(tasks: int, starts: int) -> dict[str, float]:
    """Start a server repeatedly; return the median seconds until it answers, and until a task is open."""
    answers, opens = [], []
    with tempfile.TemporaryDirectory() as kept:
        dialogues_of(Path(kept) / "workspace", tasks)
        for _ in range(starts):
            start = time.perf_counter()
            with serving_gym(Path(kept) / "workspace") as address:
                task = httpx.get(f"{address}/tasks").json()["tasks"][0]["id"]
                answers.append(time.perf_counter() - start)
                httpx.post(f"{address}/sessions", json={"task": task}).raise_for_status()
                opens.append(time.perf_counter() - start)
    return {"starts_in_s": round(median(answers), 2), "opens_in_s": round(median(opens), 2)}


def _at(values: list[float], share: float) -> float:
    return round(sorted(values)[min(len(values) - 1, int(share * len(values)))], 2) if values else 0.0


def _memory() -> float:
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1)


def main() -> int:
    """Print the figures; return 1 if a cheat is rewarded, or `verify` disagrees."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--tasks", type=int)
    parser.add_argument("--toolset", action="append")
    given = parser.parse_args()
    count = given.tasks or (8 if given.quick else 200)
    sources = given.toolset or [
        spec for spec in SOURCES if not spec.startswith("openapi:") or Path(spec.partition(":")[2]).exists()
    ]
    found: dict[str, Any] = {}
    sound = True
    for spec in sources:
        catalogue = asyncio.run(composed_tasks(RunConfig(toolset=(spec,)), count))
        told = asyncio.run(rewards(catalogue))
        sound = (
            sound and told["cheats_at_most_nothing"] == told["cheats"] and told["verify_is_the_same"] == told["tasks"]
        )
        found[spec.rpartition("/")[2]] = told
        if not given.json:
            sys.stdout.write(f"{spec.rpartition('/')[2]}: {json.dumps(told)}\n")
    sizes = (3, 10, 20) if given.quick else (100, 1000, 100_000)
    found["speed"] = asyncio.run(speed(asyncio.run(composed_tasks(RunConfig(), count)), *sizes))
    found["speed"] |= started_again(count, 1 if given.quick else STARTS)
    sys.stdout.write(f"{json.dumps(found if given.json else found['speed'])}\n")
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
