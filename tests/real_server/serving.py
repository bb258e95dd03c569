"""A real model server in a process of its own, with a tiny model that was written for it."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
MODEL = "tiny"


@contextmanager
def real_server(folder: Path, context: int = 16_384, seed: int = 0) -> Iterator[str]:
    """Write a model and serve it; yield the base URL of its API."""
    from tests.real_server.tiny_model import write_model  # noqa: PLC0415  (its packages may be absent)

    model = write_model(folder / "tiny.gguf", seed)
    command = [sys.executable, "-m", "tests.real_server", str(model), "--context", str(context)]
    with (folder / "server.log").open("w") as log:
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=log, text=True)
        assert process.stdout is not None
        try:
            address = process.stdout.readline().strip()
            assert address, (folder / "server.log").read_text()[-2000:]
            yield f"{address}/v1"
        finally:
            process.kill()
            process.wait()
