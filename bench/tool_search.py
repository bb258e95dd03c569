"""Measures the quality and speed of tool search in a registry of many APIs: by the words of a request, then by others.

    python bench/tool_search.py [--json] [--seed N] [--size TOOLS] [FILE ...]

Files default to the large ones below INTERPLAY_SHARED (default ../shared), merged into one registry. Each tool that an
assistant can call is searched for as the goal of a request. `--size` is the number of tools, renamed copies of these, in an
index whose speed is also measured.
"""

import argparse
import asyncio
import json
import time
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

from shared_data import OPENAPI

from interplay.flows.worlds.assembly import open_world
from interplay.generators.blueprints.offers.tool_searches import ToolSearches
from interplay.generators.environments.wrappers.tool_index import ToolIndex
from interplay.generators.environments.wrappers.tool_search import FOUND
from interplay.generators.phrases.intents import intents_of
from interplay.generators.phrases.topic_nouns import noun_of, topic_of
from interplay.schemas.calls.offer import names_found
from interplay.schemas.protocols import Environment
from interplay.schemas.records.blueprint import Goal
from interplay.schemas.records.dialogue import ToolCall
from interplay.schemas.records.tool import SEARCH_TOOL, Tool, ToolRole

LARGE = (
    "asana.yaml", "stripe_2018_v2.json", "slack_web_v2.json", "trello.yaml", "discord.json", "spotify_official.yml",
    "netlify.yml", "figshare_v2.json", "digitalocean_multifile/DigitalOcean-public.v2.yaml",
    "bigcommerce_customers_v2.yml", "launchdarkly_v2.json", "notion.json", "xero_projects.yaml",
)  # fmt: skip
SMALLEST = ("--size", "200", "--json", "FILE")
"""Arguments of the smallest run, which a test makes."""


def goal_of(tool: Tool, role: ToolRole | None, nouns: Mapping[str, str], rng: Random) -> Goal:
    """Return the goal of a request for one tool, worded as in blueprints; `nouns` are those of its toolset."""
    resource = role.resource if role is not None else None
    intent = rng.choice(intents_of(tool))
    topic = noun_of(resource, nouns) if resource else topic_of(tool.name) or intent
    return Goal(intent=intent, tool=tool.name, topic=topic)


async def quality(environment: Environment, seed: int) -> dict[str, Any]:
    """Return the shares of tools that are found with one, with two and with three queries, and the time per call."""
    rng, searches = Random(seed), ToolSearches(environment, SEARCH_TOOL)
    roles = {role.tool: role for role in environment.resources.roles}
    tools = [tool for tool in environment.toolset.tools if tool.requestor == "assistant" and tool.name != SEARCH_TOOL]
    found = [0, 0, 0]
    best = queries = 0
    missed: list[str] = []
    await environment.call(ToolCall(id="bench0001", name=SEARCH_TOOL, arguments={"query": "build the index"}))
    started = time.process_time()
    for tool in tools:
        goal = goal_of(tool, roles.get(tool.name), environment.toolset.nouns, rng)
        asked = [goal.intent, *(query for query in searches.queries(tool.name, goal, rng) if query != goal.intent)]
        for place, query in enumerate(list(dict.fromkeys(asked))[: len(found)]):
            call = ToolCall(id="bench0001", name=SEARCH_TOOL, arguments={"query": query})
            names = names_found((await environment.call(call)).text)
            queries += 1
            best += place == 0 and names[:1] == (tool.name,)
            if tool.name in names:
                found[place] += 1
                break
        else:
            missed.append(f"{tool.name}: {goal.intent}")
    spent = time.process_time() - started
    count = len(tools)
    return {
        "tools": count, "first_of_first": round(best / count, 3), "within_one": round(found[0] / count, 3),
        "within_two": round(sum(found[:2]) / count, 3), "within_three": round(sum(found) / count, 3),
        "ms_per_call": round(1000 * spent / queries, 2), "missed": sorted(missed)[:10],
    }  # fmt: skip


def speed(tools: list[Tool], size: int) -> dict[str, Any]:
    """Return the time to build an index of `size` tools, and the time of a query in it."""
    many = [
        tools[n % len(tools)].model_copy(update={"name": f"t{n}_{tools[n % len(tools)].name}"}) for n in range(size)
    ]
    started = time.process_time()
    index = ToolIndex(many, ())
    built = time.process_time()
    asked = [intents_of(tool)[0] for tool in tools]
    for query in asked:
        index.best(query, FOUND)
    spent = 1000 * (time.process_time() - built) / len(asked)
    return {"size": size, "build_s": round(built - started, 2), "ms_per_query": round(spent, 2)}


def main() -> None:
    """Measure one registry and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, help="API descriptions")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--seed", type=int, default=1, help="seed of the wordings")
    parser.add_argument("--size", type=int, default=20_000, help="tools in the index whose speed is measured")
    options = parser.parse_args()
    started = time.process_time()
    files = options.files or [OPENAPI / name for name in LARGE if (OPENAPI / name).exists()]
    environment = open_world([f"openapi:{file}" for file in files]).environment
    figures: dict[str, Any] = {"files": len(files), "open_s": round(time.process_time() - started, 1)}
    figures |= asyncio.run(quality(environment, options.seed))
    figures |= speed(list(environment.toolset.tools), options.size)
    if options.json:
        print(json.dumps(figures, indent=2))
    else:
        print("\n".join(f"{key} {value}" for key, value in figures.items()))


if __name__ == "__main__":
    main()
