"""Makes records whose dialogues models play, and prints the cost of doing so; run by `model_dialogues.py`.

python bench/dialogue_client.py PORT FOLDER DIALOGUES CONCURRENCY [--open N] [--short] [--prompts]
"""

import argparse
import asyncio
import gc
import json
import os
import resource
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable
from functools import wraps
from importlib import import_module
from os.path import commonprefix
from pathlib import Path
from typing import Any

from model_serving import SHORT

from interplay.flows.generation import attempts
from interplay.flows.generation.task_process import TaskProcess
from interplay.flows.runs.committer import RunProgress
from interplay.flows.runs.process_life import COLLECTED_EVERY
from interplay.flows.runs.run import run
from interplay.flows.runs.task_server import compose
from interplay.flows.settings.config import RunConfig
from interplay.flows.settings.config_file import parse_config
from interplay.flows.workspaces.workspace import Workspace
from interplay.generators.models.client.model import Model
from interplay.schemas.records.chat import ChatReply, ChatRequest

THIRD = 2
"""Index of the third turn, from which on each prompt should begin with the one before, so that providers can cache it."""

spent: dict[str, float] = defaultdict(float)
"""CPU seconds by part."""
started: list[float] = []
"""CPU seconds before the first dialogue: of this process, and of the one that composes."""
ended: list[float] = []
"""The time at which each dialogue was judged."""
asked: dict[tuple[int, str], list[str]] = defaultdict(list)
"""The prompts of each dialogue, by its index and the role."""


def timed(part: str, work: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    """Wrap a coroutine function to add its CPU time to `spent`; valid since it never waits, so that nothing runs meanwhile."""

    @wraps(work)
    async def wrapped(*arguments: Any, **settings: Any) -> Any:
        before = time.process_time()
        try:
            return await work(*arguments, **settings)
        finally:
            spent[part] += time.process_time() - before
            if part == "check":
                ended.append(time.monotonic())

    return wrapped


def of_children() -> float:
    """Return the CPU seconds of this process's running children; 0 on systems other than Linux."""
    own, ticks = os.getpid(), os.sysconf("SC_CLK_TCK")
    listed = Path(f"/proc/{own}/task/{own}/children")
    children = listed.read_text().split() if listed.exists() else ()
    fields = [Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split() for child in children]
    return sum(int(user) + int(system) for user, system in (row[11:13] for row in fields)) / ticks


def watch(prompts: bool) -> None:
    """Patch the parts to measure their time, and if `prompts` to keep all prompts."""
    play = attempts.play  # type: ignore[attr-defined]

    async def begun(*arguments: Any, **settings: Any) -> Any:
        if not started:
            started.extend((time.process_time(), of_children()))
        return await play(*arguments, **settings)

    attempts.play = begun  # type: ignore[attr-defined]
    attempts.check_trajectory = timed("check", attempts.check_trajectory)  # type: ignore[assignment, attr-defined]
    if not prompts:
        return
    answer = Model.ask

    async def kept(model: Model, request: ChatRequest, *settings: Any) -> ChatReply:
        payload = model.endpoint.payload(request)
        text = json.dumps([payload.get("tools"), payload["messages"]])
        asked[request.sample, request.role].append(text)
        return await answer(model, request, *settings)

    Model.ask = kept  # type: ignore[assignment, method-assign]


def repeated() -> float:
    """Return the share of the prompts' text, from the third turn on, that repeats the beginning of the prompt before."""
    pairs = [
        (before, now)
        for prompts in asked.values()
        for before, now in zip(prompts[THIRD - 1 :], prompts[THIRD:], strict=False)
    ]
    same = sum(len(commonprefix(pair)) for pair in pairs)  # noqa: RUF071  (character by character is what is meant)
    return same / max(sum(len(now) for _, now in pairs), 1)


def configured(options: argparse.Namespace) -> RunConfig:
    """Return the configuration of a run in which one model plays both sides."""
    model = {"model": "bench", "base_url": f"http://127.0.0.1:{options.port}/v1", "concurrency": options.concurrency}
    roles = {"user": "m", "assistant": "m"}
    recipes = SHORT if options.short else {}
    told = {"models": {"m": model}, "roles": roles, "dialogues": options.open or 64, "recipes": recipes}
    told["shard_size"] = min(50, options.dialogues)
    return parse_config(told, "bench")


def tell(_progress: RunProgress) -> None:
    """Ignore the progress."""


def main() -> None:
    """Make the records, and print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("port", type=int)
    parser.add_argument("folder", type=Path)
    parser.add_argument("dialogues", type=int)
    parser.add_argument("concurrency", type=int)
    parser.add_argument("--open", type=int, default=0, help="dialogues that are open at a time")
    parser.add_argument("--short", action="store_true", help="dialogues of 6 to 12 requests for the most part")
    parser.add_argument("--prompts", action="store_true", help="keep the prompts, which takes time of its own")
    options = parser.parse_args()
    watch(options.prompts)
    gc.set_threshold(COLLECTED_EVERY)  # as the command does
    for name in ("aiohttp", "openai", "interplay.flows.workspaces.run_store", "interplay.outputs.store.dataset_store"):
        import_module(name)  # lazy imports, which count as start-up
    began = time.monotonic()
    place, config = Workspace(options.folder), configured(options)
    with TaskProcess(config, compose) as ahead:
        summary = asyncio.run(run(place, config, tell, records=options.dialogues, ahead=ahead))
    composing = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent["compose"] = composing.ru_utime + composing.ru_stime - started[1]
    found: dict[str, Any] = {
        "accepted": summary.accepted,
        "rejected": summary.rejected,
        "seconds": time.monotonic() - began,
        "cpu": time.process_time(),
        "threads": time.process_time() - time.thread_time(),
        "start": started[0],
        "compose_start": started[1],
        "parts": dict(spent),
        "ended": [round(moment - began, 3) for moment in ended],
        "repeated": round(repeated(), 3),
    }
    if summary.spent is not None:
        found |= {"calls": summary.spent.calls, "tokens": summary.spent.tokens}
    print(json.dumps(found))


if __name__ == "__main__":
    main()
