"""Run a model server in this process; the first line on stdout is its port."""

import argparse
import asyncio
import contextlib

from tests.model_server.misbehaviour import Settings, read_fault
from tests.model_server.server import ModelServer


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.model_server", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--latency", type=float, default=0.0, help="seconds")
    parser.add_argument("--spread", type=float, default=0.0, help="sigma of a lognormal latency")
    parser.add_argument(
        "--fault", action="append", default=[], help="KIND[=VALUE][:RATE | @INDEX,...][!PATH], repeatable"
    )
    parser.add_argument("--rate", type=float, default=0.0, help="requests a second, 429 to the rest")
    parser.add_argument("--rate-retry-after", default="", help="what such a 429 says: 2, 250ms, date2")
    parser.add_argument("--outage", default="0-0", help="FROM-TO in seconds since the first request")
    parser.add_argument("--outage-kind", default="503", help="503, drop or silent")
    parser.add_argument("--reply-size", type=int, default=0, help="characters")
    parser.add_argument("--batch-polls", type=int, default=1)
    parser.add_argument("--batch-expired", type=float, default=0.0)
    parser.add_argument("--batch-failed", type=float, default=0.0)
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


async def run(arguments: argparse.Namespace) -> None:
    start, end = arguments.outage.split("-")
    settings = Settings(
        latency=arguments.latency,
        spread=arguments.spread,
        faults=tuple(read_fault(text) for text in arguments.fault),
        rate=arguments.rate,
        rate_retry_after=arguments.rate_retry_after,
        outage=(float(start), float(end)),
        outage_kind=arguments.outage_kind,
        reply_size=arguments.reply_size,
        batch_polls=arguments.batch_polls,
        batch_expired=arguments.batch_expired,
        batch_failed=arguments.batch_failed,
        seed=arguments.seed,
    )
    server = ModelServer(settings, keep=False)
    await server.start(arguments.port)
    print(server.port, flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(run(read_arguments()))
