"""Plays tasks with a model at an OpenAI-compatible endpoint, and prints their rewards as JSON.

python example.py GYM ENDPOINT [COUNT]
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path


def main(gym: str, endpoint: str, count: str = "10") -> None:
    """Run an evaluation as `vf-eval` does, and read the traces that it writes."""
    with tempfile.TemporaryDirectory() as folder:
        command = [
            Path(sys.executable).with_name("vf-eval"), "interplay-gym-verifiers",
            "--env.taskset.url", gym, "--env.taskset.limit", count,
            "--env.agent.harness.id", "null", "--env.agent.runtime.type", "subprocess",
            "--client.base-url", endpoint, "--client.api-key-var", "MODEL_KEY", "--model", "scripted",
            "--output-dir", folder, "--push", "false",
        ]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        lines = [line for path in Path(folder).rglob("traces.jsonl") for line in path.read_text().splitlines()]
    traces = [trace for line in lines for trace in json.loads(line)["traces"]]
    if not traces:
        raise SystemExit(done.stdout[-3000:] + done.stderr[-3000:])
    sys.stdout.write(json.dumps([trace["rewards"]["reward"]["score"] for trace in traces]) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
