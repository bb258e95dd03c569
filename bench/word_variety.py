"""Measures how varied the words of users are in recorded dialogues, as a reference for the charts of a run.

    python bench/word_variety.py [--write]

The measure is the share of distinct trigrams in the users' first N words (outputs/report/word_variety.py), in the recorded
dialogues of INTERPLAY_SHARED: those of tau-bench (a model plays the user) and the multi-turn questions of the Berkeley Function
Calling Leaderboard (written by people). `--write` saves them in outputs/report/recorded_variety.yaml.
"""

import argparse
import json
from collections.abc import Iterator

import yaml
from shared_data import DATA

from interplay.outputs.report.word_variety import REFERENCES, SIZES, distinct_share

SMALLEST = ()


def told_by_users() -> dict[str, Iterator[str]]:
    """Return the user messages of each source."""
    return {"tau-bench, airline": _tau(), "BFCL, multi-turn": _bfcl()}


def _tau() -> Iterator[str]:
    held = json.loads((DATA / "tau/airline_trajectories.json").read_text(encoding="utf-8"))["trajectories"]
    for trajectory in held:
        messages = trajectory.get("traj") or trajectory["messages"]
        yield from (message["content"] for message in messages if message["role"] == "user" and message["content"])


def _bfcl() -> Iterator[str]:
    for entry in json.loads((DATA / "bfcl/multi_turn_base.json").read_text(encoding="utf-8"))["entries"]:
        for turn in entry["turns"]:
            yield from turn["user"]


def main() -> None:
    """Measure, and print or save the shares."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    found = {}
    for name, texts in told_by_users().items():
        held = list(texts)
        counted = {size: distinct_share(held, size) for size in SIZES}
        found[name] = {size: share for size, share in counted.items() if share is not None}
    text = yaml.safe_dump(found, sort_keys=False)
    if parser.parse_args().write:
        head = REFERENCES.read_text(encoding="utf-8").partition("\n\n")[0] if REFERENCES.exists() else ""
        REFERENCES.write_text(f"{head}\n\n{text}", encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
