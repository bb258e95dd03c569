"""Peak memory of importing the largest API description, building its graph and making 500 records, in a fresh process.

    python bench/memory.py [--records N] [FILE ...]

Files default to the largest by bytes below INTERPLAY_SHARED (default ../shared). Exit code 1 above the limit.
"""

import argparse
import asyncio
import resource
import subprocess
import sys
from pathlib import Path

from shared_data import descriptions

from interplay.flows.generation.generator import Generator
from interplay.flows.settings.config import RunConfig
from interplay.flows.worlds.assembly import open_graph, open_world

LIMIT = 1536
"""MiB that may be used at most."""
SMALLEST = ("--records", "4", "FILE")
"""Arguments of the smallest run, which a test makes."""


async def work(path: Path, records: int) -> None:
    """Import, build the graph, make the records."""
    spec = f"openapi:{path}"
    world = open_world([spec])
    graph = await open_graph(world)
    made = Generator(RunConfig(toolset=(spec,), seed=7), world, graph, "run")
    for index in range(records):
        await made.make_record(index)


def main() -> None:
    """Measure each file in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, help="API descriptions")
    parser.add_argument("--records", type=int, default=500, help="records for each file")
    parser.add_argument("--here", action="store_true", help="measure in this process")
    options = parser.parse_args()
    files = options.files or descriptions()[-1:]
    if options.here:
        asyncio.run(work(files[0], options.records))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(f"file {files[0].name}  records {options.records}  peak_mib {peak}")
        sys.exit(peak > LIMIT)
    found = [
        subprocess.run([sys.executable, __file__, "--here", "--records", str(options.records), str(path)]).returncode
        for path in files
    ]
    sys.exit(max(found))


if __name__ == "__main__":
    main()
