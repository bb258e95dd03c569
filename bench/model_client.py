"""Sends questions to a model server in one of three ways, and prints the cost of doing so; run by the other benchmarks.

python bench/model_client.py ours|sdk|aiohttp PORT REQUESTS CONCURRENCY [--again] [--size BYTES] [--journal FILE] [--timeout S]
"""

import argparse
import asyncio
import gc
import json
import resource
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from model_serving import SYSTEM, TOOLS, wire_payload

Ask = Callable[[int], Awaitable[object]]


async def spread(ask: Ask, numbers: range, workers: int) -> int:
    """Ask all questions with concurrent workers; return how many got no answer."""
    pending = iter(numbers)
    lost = 0

    async def work() -> None:
        nonlocal lost
        for number in pending:
            try:
                await ask(number)
            except Exception as error:
                lost += 1
                sys.stderr.write(f"question {number}: {error}\n")

    await asyncio.gather(*(work() for _ in range(workers)))
    return lost


async def measured(ask: Ask, options: argparse.Namespace, workers: int) -> dict[str, Any]:
    """Ask all questions once, and with `--again` as many more, for the CPU time without start-up."""
    began = time.monotonic()
    lost = await spread(ask, range(options.requests), workers)
    found: dict[str, Any] = {"lost": lost, "seconds": time.monotonic() - began}
    if options.again:
        before = time.process_time()
        await spread(ask, range(options.requests, 2 * options.requests), workers)
        found["cpu_per_1000"] = (time.process_time() - before) / options.requests * 1000
    return found


async def ours(options: argparse.Namespace) -> dict[str, Any]:
    """Ask through journal, budget, limits and retries."""
    from interplay.flows.runs.process_life import COLLECTED_EVERY

    gc.set_threshold(COLLECTED_EVERY)  # before the other imports, as the command does
    from interplay.generators.models.client.model import Model
    from interplay.generators.models.journal.journal import Journal
    from interplay.generators.models.limits.budget import Budget, BudgetSettings
    from interplay.generators.models.limits.limit_settings import LimitSettings, RetrySettings
    from interplay.generators.models.limits.limiter import Limiter
    from interplay.generators.models.limits.prices import load_prices
    from interplay.generators.models.providers.sdk_endpoints import open_endpoint
    from interplay.generators.models.transport.endpoint_settings import EndpointSettings
    from interplay.schemas.records.chat import ChatMessage, ChatRequest, ChatTool

    settings = EndpointSettings(model="bench", base_url=f"http://127.0.0.1:{options.port}/v1", timeout=options.timeout)
    journal = Journal(Path(options.journal))
    budget = Budget(BudgetSettings(tokens=10**12), load_prices(), lambda: journal.sums)
    limiter = Limiter("bench", LimitSettings(concurrency=options.concurrency or None))
    model = Model(open_endpoint(settings), journal, budget, limiter, RetrySettings())
    tools = tuple(ChatTool(name=name, description=text, parameters=schema) for name, text, schema in TOOLS)
    system = ChatMessage(role="system", content=SYSTEM)

    async def ask(number: int) -> object:
        said = [message["content"] for message in wire_payload(number)["messages"][1:]]
        roles = ("user", "assistant", "user")
        messages = (ChatMessage(role=role, content=text) for role, text in zip(roles, said, strict=True))
        return await model.complete(ChatRequest(messages=(system, *messages), tools=tools))

    found = await measured(ask, options, 2 * (options.concurrency or 100))
    found["limits"] = limiter.snapshot().model_dump()
    await model.endpoint.aclose()
    journal.close()
    return found


async def sdk(options: argparse.Namespace) -> dict[str, Any]:
    """Ask through OpenAI's SDK with its faster backend, in a bare loop."""
    import openai

    client = openai.AsyncOpenAI(
        api_key="none",
        base_url=f"http://127.0.0.1:{options.port}/v1",
        max_retries=0,
        http_client=openai.DefaultAioHttpClient(),
    )

    async def ask(number: int) -> object:
        payload = wire_payload(number)
        body = {"messages": payload["messages"], "tools": payload["tools"]}
        return await client.chat.completions.create(model="bench", messages=[], extra_body=body)

    found = await measured(ask, options, options.concurrency)
    await client.close()
    return found


async def bare(options: argparse.Namespace) -> dict[str, Any]:
    """Ask through aiohttp, in a bare loop."""
    import aiohttp

    url = f"http://127.0.0.1:{options.port}/v1/chat/completions"
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

        async def ask(number: int) -> object:
            async with session.post(url, json=wire_payload(number, options.size)) as answer:
                answer.raise_for_status()
                return await answer.json()

        return await measured(ask, options, options.concurrency)


def main() -> None:
    """Ask, and print one JSON object."""
    began = time.monotonic()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("way", choices=("ours", "sdk", "aiohttp"))
    parser.add_argument("port", type=int)
    parser.add_argument("requests", type=int)
    parser.add_argument("concurrency", type=int)
    parser.add_argument("--size", type=int, default=0, help="bytes that a body has at least, of the bare loop")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--journal", default="")
    parser.add_argument("--timeout", type=float, default=60.0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        options.journal = options.journal or str(Path(folder) / "journal.sqlite")
        found = asyncio.run({"ours": ours, "sdk": sdk, "aiohttp": bare}[options.way](options))
    used = resource.getrusage(resource.RUSAGE_SELF)
    found |= {"began": began, "whole": time.monotonic() - began, "peak_mib": round(used.ru_maxrss / 1024)}
    print(json.dumps(found))
    if options.way == "ours":
        end_as_the_command_does()


def end_as_the_command_does() -> None:
    """Exit without Python's regular shutdown."""
    from interplay.flows.runs.process_life import leave

    leave(0)


if __name__ == "__main__":
    main()
