"""Measures recorded dialogues as cards measure those of a run, so that both can stand side by side.

    python bench/diversity.py [--quick] [--json] [--write]

With --write, `outputs/report/references.yaml` is written anew.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from interplay.outputs.report.diversity import Spoken, diversity

SMALLEST = ("--quick", "--json")
SHARED = Path(os.environ.get("INTERPLAY_SHARED", Path(__file__).parents[2] / "shared")) / "data"
REFERENCES = Path(__file__).parents[1] / "outputs" / "report" / "references.yaml"
HEAD = "# Figures of recorded dialogues, as `bench/diversity.py --write` measures them.\n"


def recorded(path: Path) -> Iterator[Spoken]:
    """Yield the dialogues of a file of recorded trajectories."""
    for each in json.loads(path.read_text(encoding="utf-8"))["trajectories"]:
        messages = each.get("messages") or each["traj"]
        yield (
            [message["content"] for message in messages if message["role"] == "user" and message.get("content")],
            [message["content"] for message in messages if message["role"] == "assistant" and message.get("content")],
            [call["function"]["name"] for message in messages for call in message.get("tool_calls") or ()],
        )


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    path = SHARED / "tau" / "airline_trajectories.json"
    found: list[dict[str, Any]] = []
    if path.exists():
        name = "airline dialogues of tau-bench, users and assistants played by models"
        found.append({"name": name, **diversity(recorded(path))})
    if given.write and found:
        REFERENCES.write_text(HEAD + yaml.safe_dump(found, sort_keys=False, width=120), encoding="utf-8")
    sys.stdout.write(json.dumps(found, indent=None if given.json else 2) + "\n")


if __name__ == "__main__":
    main()
