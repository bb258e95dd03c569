"""Measures how the tool graph scales: time, memory and edges for 5,000 and 20,000 tools.

    python bench/graph_scale.py [--quick] [--json] [--verify EDGES] [--tools NUMBER ...]

The tools are those of the real descriptions below INTERPLAY_SHARED (default ../shared), repeated with other nouns, so that each
variant is a separate API. Each number of tools is measured in its own process; the time covers resource inference, candidate
edges and the graph; opening a sandbox and running EDGES edges in it is measured separately.
"""

import argparse
import asyncio
import gc
import json
import re
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import count
from random import Random
from typing import Any

from shared_data import descriptions

from interplay.flows.runs.process_life import COLLECTED_EVERY
from interplay.flows.worlds.tool_sources import import_spec
from interplay.generators.environments.accounts.resource_model import resource_model
from interplay.generators.environments.inference.resources.plan_inference import infer_plan
from interplay.generators.environments.sandbox.sandbox import Sandbox
from interplay.generators.graph.candidate_edges import candidate_edges
from interplay.generators.graph.multigraph import graph_nodes, graph_of, graph_report, verified
from interplay.schemas.records.tool import HttpBinding, Tool, Toolset

SIZES, QUICK = (5_000, 20_000), (1_000, 4_000)
SMALLEST = ("--tools", "60", "--json")
"""Arguments of the smallest run, which a test makes."""

KEPT = set(
    "get list create update delete add remove set search find all by id ids key name type status data items api rest file "
    "files source object value values path query body date time number code json info batch bulk me self".split()
)
"""Words that are not replaced: verbs, and nouns that every API has."""

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_SYLLABLES = [first + second for first in "bdfgklmnprstvz" for second in ("a", "e", "i", "o", "u", "an", "el", "or")]


class Variant:
    """One API with other nouns; a word is replaced by the same noun everywhere, and shared schemas stay shared."""

    def __init__(self, toolset: Toolset, number: int) -> None:
        rng = Random(f"{toolset.name}/{number}")
        self._toolset, self._number = toolset, number
        self._nouns = {noun: "".join(rng.choices(_SYLLABLES, k=3)) for noun in sorted(_nouns(toolset))}
        self._made: dict[int, Any] = {}

    def tools(self) -> Iterator[Tool]:
        """Yield the tools of the variant; their names may clash with those of other variants."""
        for tool in self._toolset.tools:
            yield tool.model_copy(
                update={
                    "name": self._text(tool.name),
                    "original_name": self._text(tool.original_name),
                    "description": self._text(tool.description),
                    "summary": self._text(tool.summary),
                    "parameters": self._schema(tool.parameters),
                    "returns": None if tool.returns is None else self._schema(tool.returns),
                    "source": tool.source.model_copy(update={"file": f"{self._number}-{tool.source.file}"}),
                    "http": None if tool.http is None else self._binding(tool.http),
                }
            )

    def _binding(self, http: HttpBinding) -> HttpBinding:
        return HttpBinding(
            method=http.method,
            path=self._text(http.path),
            locations={self._text(name): place for name, place in http.locations.items()},
            original_names={self._text(name): self._text(wire) for name, wire in http.original_names.items()},
        )

    def _text(self, text: str) -> str:
        return _WORD.sub(self._word, text)

    def _word(self, match: re.Match[str]) -> str:
        word = match[0].lower()
        stem, ending = (word[:-1], "s") if word not in self._nouns and word.endswith("s") else (word, "")
        made = self._nouns.get(stem)
        if made is None:
            return match[0]
        return (made.capitalize() if match[0][0].isupper() else made) + ending

    def _schema(self, value: Any) -> Any:
        if not isinstance(value, dict | list):
            return value
        if id(value) not in self._made:
            made = [self._schema(item) for item in value] if isinstance(value, list) else self._object(value)
            self._made[id(value)] = made
        return self._made[id(value)]

    def _object(self, value: dict[str, Any]) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for key, item in value.items():
            if key == "properties" and isinstance(item, dict):
                made[key] = {self._text(name): self._schema(inner) for name, inner in item.items()}
            elif key == "required" and isinstance(item, list):
                made[key] = [self._text(name) for name in item]
            elif key in ("description", "title") and isinstance(item, str):
                made[key] = self._text(item)
            else:
                made[key] = item if key in ("enum", "const", "examples", "default", "pattern") else self._schema(item)
        return made


def _nouns(toolset: Toolset) -> set[str]:
    """Return the words of path literals, or of tool names without paths, except `KEPT`: the nouns specific to an API."""
    spread = Counter(
        word.lower()
        for tool in toolset.tools
        for word in set(_WORD.findall(re.sub(r"\{[^}]*\}", "", tool.http.path) if tool.http else tool.name))
    )
    return {word[:-1] if word.endswith("s") else word for word in spread if len(word) > 3} - KEPT


def many_tools(number: int) -> Toolset:
    """Return a toolset of `number` tools: one variant of each real description, then further variants."""
    original = cache(import_spec)
    tools: dict[str, Tool] = {}
    for variant in count():
        for path in sorted(descriptions()):
            for tool in Variant(original(f"openapi:{path}").toolset, variant).tools():
                name = tool.name[:64] if tool.name[:64] not in tools else f"{tool.name[:55]}_{len(tools)}"
                tools[name] = tool.model_copy(update={"name": name})
                if len(tools) == number:
                    return Toolset(name="many", tools=tuple(tools.values()))
    raise AssertionError


def measure(number: int, verify: int) -> dict[str, Any]:
    """Return the figures for a number of tools; times are in seconds, peak memory in MiB."""
    toolset = many_tools(number)
    before = _peak()
    wall, cpu = time.perf_counter(), time.process_time()
    model = resource_model(infer_plan(toolset))
    inferred = time.process_time()
    edges = candidate_edges(toolset, model)
    matched = time.process_time()
    graph = graph_of(graph_nodes(toolset, model), edges)
    built = time.process_time()
    figures = {
        "tools": number, "wall_s": round(time.perf_counter() - wall, 1), "cpu_s": round(built - cpu, 1),
        "resources_s": round(inferred - cpu, 1), "candidates_s": round(matched - inferred, 1), "graph_s": round(built - matched, 1),
        "edges": len(graph.edges), "resources": len(model.resources),
        "orphans": len(graph_report(graph).orphans),
        "most_edges_into_one_input": max(Counter((edge.consumer, edge.input) for edge in edges).values()),
        "tools_mib": before, "peak_mib": _peak(),
    }  # fmt: skip
    if verify:
        started = time.process_time()
        environment = Sandbox(toolset)
        opened = time.process_time()
        found = candidate_edges(environment.toolset, environment.resources)
        found = asyncio.run(verified(found, environment, bound=verify))
        graph = graph_of(graph_nodes(environment.toolset, environment.resources), found)
        tried = [edge for edge in graph.edges if edge.verified is not None]
        figures |= {
            "open_sandbox_s": round(opened - started, 1), "build_and_verify_s": round(time.process_time() - opened, 1),
            "tried": len(tried), "verified": sum(edge.verified is True for edge in tried), "peak_with_sandbox_mib": _peak(),
        }  # fmt: skip
    return figures


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def main() -> None:
    """Measure each size in its own process and print its line, then the growth in time."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} tools instead of {SIZES}")
    parser.add_argument("--tools", type=int, nargs="+", help="other numbers of tools")
    parser.add_argument("--verify", type=int, default=0, metavar="EDGES", help="also run so many edges in a sandbox")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    sizes = options.tools or (QUICK if options.quick else SIZES)
    if options.alone:
        gc.set_threshold(COLLECTED_EVERY)  # as the command line does
        print(json.dumps(measure(sizes[0], options.verify)))
        return
    found = []
    for size in sizes:
        command = [sys.executable, __file__, "--alone", "--tools", str(size), "--verify", str(options.verify)]
        found.append(json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout))
        if not options.json:
            print("  ".join(f"{key} {value}" for key, value in found[-1].items()), flush=True)
    growth = round(found[-1]["cpu_s"] / max(0.1, found[0]["cpu_s"]), 2)
    if options.json:
        print(json.dumps({"sizes": found, "growth": growth}, indent=2))
    else:
        print(f"time grew {growth}-fold from {sizes[0]} to {sizes[-1]} tools")


if __name__ == "__main__":
    main()
