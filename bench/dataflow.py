"""Measures the tool graph: the recall of data flows recorded in real use, and the share of edges that work.

    python bench/dataflow.py [--seed SEED] [--sample EDGES] [--json]

First, the recall over the field edges that recordings of 14 airline tools show at least three times. Result schemas are learned
from those recordings; edges are found once by names, types and resources alone, once with recorded values as evidence. Then the
same for recorded flows of five stateful classes and of a small domain, seen at least twice, and how many of them fail
verification. Then the edges of three Python toolkits with state and preconditions: how many are verified, and how many fail.
Finally, random edges of six small descriptions, with their evidence, and the share that a sandbox verified. Inputs are below
INTERPLAY_SHARED (default ../shared).
"""

import argparse
import asyncio
import json
from random import Random
from typing import Any

from shared_data import DATA, OPENAPI, SMALL

from interplay.flows.worlds.assembly import open_graph, open_world
from interplay.generators.environments.accounts.resource_model import resource_model
from interplay.generators.environments.inference.resources.plan_inference import infer_plan
from interplay.generators.graph.candidate_edges import candidate_edges
from interplay.generators.importers.conversations.observed_calls import read_observations, with_observations
from interplay.generators.importers.conversations.observed_flows import value_flows
from interplay.generators.importers.definitions.importer import import_tool_json
from interplay.schemas.records.tool_graph import Edge

SEEN = 3
"""Least number of times that a flow was recorded for it to count."""
TWICE = 2
RECORDED = (
    ("tau/airline.json", "tau/airline.json"),
    ("bfcl/classes.json", "bfcl/multi_turn_base.json"),
    ("tau/mock.json", "tau/mock.json"),
)
"""Files of tools, and of recordings of their calls."""

OTHERS = "python:tests.generators.environments.toolkit.others"
KITS = (f"{OTHERS}.broker:BrokerAPI", f"{OTHERS}.car:Car", f"{OTHERS}.telecom:TelecomTools")
SMALLEST = ("--sample", "3", "--json")
"""Arguments of the smallest run, which a test makes."""


def told(edge: Edge) -> str:
    """Return an edge and its evidence in one line."""
    reasons = "; ".join(f"{reason.kind} {reason.score:.2f} ({reason.detail})" for reason in edge.evidence)
    mark = {True: "works", False: "fails", None: "not run"}[edge.verified]
    return f"{edge.score:.2f} {mark}: {edge.producer} {edge.output} -> {edge.consumer} {edge.input}: {reasons}"


def recall(recordings: str, values: bool, sample: int, seed: int) -> dict[str, Any]:
    """Return the recall over the recorded flows of the airline, the missed ones, and a sample of all edges."""
    known = json.loads((DATA / "tau" / "airline_dataflow_edges.json").read_text())["domains"]["tau1_airline"]["edges"]
    wanted = {(flow["source"], _starred(flow["output"]), flow["target"], _starred(flow["param"])): flow["count"]
              for flow in known if flow["count"] >= SEEN}  # fmt: skip
    observations = read_observations(DATA / "tau" / recordings)
    toolset, _ = with_observations(import_tool_json(DATA / "tau" / "airline.json").toolset, observations)
    flows = value_flows(toolset, observations) if values else ()
    edges = candidate_edges(toolset, resource_model(infer_plan(toolset)), flows)
    found = {(edge.producer, edge.output, edge.consumer, edge.input) for edge in edges}
    missed = [f"{count} times {' '.join(ends)}" for ends, count in wanted.items() if ends not in found]
    return {
        "recordings": recordings, "values_as_evidence": values, "wanted": len(wanted),
        "recall": round(1 - len(missed) / len(wanted), 3), "edges": len(edges), "missed": missed,
        "sample": [told(edge) for edge in Random(seed).sample(edges, min(sample, len(edges)))],
    }  # fmt: skip


async def recorded(tools: str, recordings: str) -> dict[str, Any]:
    """Return the recall of recorded flows, without and with values as evidence, and how many of their edges fail."""
    observations = read_observations(DATA / recordings)
    toolset, _ = with_observations(import_tool_json(DATA / tools).toolset, observations)
    flows = [
        flow for flow in value_flows(toolset, observations) if flow.count >= TWICE and flow.producer != flow.consumer
    ]
    wanted = {(flow.producer, flow.output, flow.consumer, flow.input) for flow in flows}
    plain = candidate_edges(toolset, resource_model(infer_plan(toolset)))
    run = (await open_graph(open_world([f"json:{DATA / tools}?observations={DATA / recordings}"]))).edges
    held = [edge for edge in run if ends(edge) in wanted]
    failed = [edge for edge in held if edge.verified is False]
    return {
        "tools": tools, "wanted": len(wanted),
        "recall_by_names": round(sum(ends(edge) in wanted for edge in plain) / max(1, len(wanted)), 3),
        "recall_with_values": round(len(held) / max(1, len(wanted)), 3),
        "wrongly_failed": f"{len(failed)}/{len(held)}", "sample": [told(edge) for edge in failed],
    }  # fmt: skip


async def kit(spec: str) -> dict[str, Any]:
    """Return how many edges of a Python toolkit were verified, and which failed."""
    edges = (await open_graph(open_world([spec]))).edges
    failed = [edge for edge in edges if edge.verified is False]
    return {
        "toolkit": spec, "edges": len(edges), "verified": sum(edge.verified is True for edge in edges),
        "failed": len(failed), "sample": [told(edge) for edge in failed],
    }  # fmt: skip


def ends(edge: Edge) -> tuple[str, str, str, str]:
    """Return the producer, output, consumer and input of an edge."""
    return edge.producer, edge.output, edge.consumer, edge.input


def _starred(pointer: str) -> str:
    return "/" + pointer.replace("[]", "*").lstrip("/")


async def precision(sample: int, seed: int) -> dict[str, Any]:
    """Return how many edges of the small descriptions were run and verified, and a sample of all edges."""
    edges: list[Edge] = []
    for name in SMALL:
        edges += (await open_graph(open_world([f"openapi:{OPENAPI / name}"]))).edges
    run = [edge for edge in edges if edge.verified is not None]
    chosen = Random(seed).sample(edges, min(sample, len(edges)))
    return {
        "seed": seed, "edges": len(edges), "run": len(run),
        "verified": round(sum(edge.verified is True for edge in run) / max(1, len(run)), 4),
        "verified_in_sample": f"{sum(edge.verified is True for edge in chosen)}/{len(chosen)}",
        "sample": [told(edge) for edge in chosen],
    }  # fmt: skip


def main() -> None:
    """Print all figures, with samples."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1, help="seed of the samples")
    parser.add_argument("--sample", type=int, default=50, help="edges listed of the small descriptions")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    found = [recall("airline.json", values, 20, options.seed) for values in (False, True)]
    found += [asyncio.run(recorded(*pair)) for pair in RECORDED]
    found += [asyncio.run(kit(spec)) for spec in KITS]
    found.append(asyncio.run(precision(options.sample, options.seed)))
    if options.json:
        print(json.dumps(found, indent=2))
        return
    for figures in found:
        print("  ".join(f"{key} {value}" for key, value in figures.items() if not isinstance(value, list)))
        for key in ("missed", "sample"):
            print("".join(f"    {key}: {line}\n" for line in figures.get(key, ())), end="")


if __name__ == "__main__":
    main()
