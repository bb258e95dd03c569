"""Runs a model server that replays the clinic's dialogues as rules played them; the first line on stdout is its port.

python bench/dialogue_server.py DIALOGUES [--latency S] [--spread SIGMA] [--slow TIMES] [--short]
"""

import argparse
import asyncio
import dataclasses
import sys
from pathlib import Path

from model_serving import SHORT

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.flows.brains import ReplayingBrain
from tests.model_server.misbehaviour import Fault, Settings
from tests.model_server.server import ModelServer
from tests.model_server.wire import HttpReply, HttpRequest

from interplay.flows.generation.generator import Generator
from interplay.flows.settings.config_file import parse_config
from interplay.flows.worlds.assembly import open_graph, open_world
from interplay.generators.participants.by_model.user import scenario_prompt
from interplay.schemas.json.canonical import canonical_json
from interplay.schemas.records.verdict import DatasetRecord


async def by_rules(count: int, short: bool) -> list[DatasetRecord]:
    """Return the records of the same blueprints, played by rules."""
    world = open_world(["domain:clinic"])
    config = parse_config({"recipes": SHORT} if short else {}, "bench")
    generator = Generator(config, world, await open_graph(world), "run")
    return [await generator.make_record(index) for index in range(count)]


class Server(ModelServer):
    """A model server that answers requests containing `slow` `times` as slowly."""

    slow, times = b"", 1.0

    def _good(self, request: HttpRequest, path: str, index: int, fault: Fault | None) -> HttpReply:
        reply = super()._good(request, path, index, fault)
        late = bool(self.slow) and self.slow in request.body
        return dataclasses.replace(reply, delay=reply.delay * self.times) if late else reply


async def serve(options: argparse.Namespace) -> None:
    """Serve until the end of the process."""
    # A few dialogues are rejected, since those that begin alike are mixed up.
    more = options.dialogues // 4 + min(64, 4 * options.dialogues)
    records = await by_rules(options.dialogues + more, options.short)
    server = Server(Settings(latency=options.latency, spread=options.spread), ReplayingBrain(records), keep=False)
    first = records[0].blueprint
    if options.slow and first is not None:
        server.slow = canonical_json(scenario_prompt(first.scenario, first.goals))[1:-1].encode()
        server.times = options.slow
    await server.start()
    sys.stdout.write(f"{server.port}\n")
    sys.stdout.flush()
    await asyncio.Event().wait()


def main() -> None:
    """Read the arguments, and serve."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dialogues", type=int)
    parser.add_argument("--latency", type=float, default=0.0)
    parser.add_argument("--spread", type=float, default=0.0)
    parser.add_argument("--slow", type=float, default=0.0, help="how much slower the first dialogue's user answers")
    parser.add_argument("--short", action="store_true", help="dialogues of 6 to 12 requests for the most part")
    asyncio.run(serve(parser.parse_args()))


if __name__ == "__main__":
    main()
