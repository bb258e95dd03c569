"""Measures how well and how fast facts alone judge recorded dialogues, compared with two cheap predictors.

    python bench/judging.py [--quick] [--json]

Reads `spoken/` and `tau/` of the shared data (INTERPLAY_SHARED). Spoken dialogues with an even id were used to develop the checks
(`developed`), the others to test them (`checked`). A fault is `caught` if the dialogue is rejected, `placed` if the labelled
message is found, `named` if the kind is the labelled one or a neighbour of it. The labels are read nowhere else.
"""

import argparse
import asyncio
import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from interplay.flows.judging.recorded_judgement import judge
from interplay.generators.importers.conversations.whole_dialogues import read_dialogues, read_golds
from interplay.generators.importers.definitions.importer import import_tool_json
from interplay.schemas.records.failure import NEIGHBOURS
from interplay.schemas.records.recorded import JudgedDialogue, RecordedDialogue
from interplay.validators.recorded.gold_writes import write_issues

SMALLEST = ("--quick", "--json")
SHARED = Path(os.environ.get("INTERPLAY_SHARED", Path(__file__).parents[2] / "shared")) / "data"
SPOKEN = SHARED / "spoken" / "dialogues.jsonl"
AIRLINE = SHARED / "tau" / "airline.json"
TRAJECTORIES = SHARED / "tau" / "airline_trajectories.json"
FACTS = ("wrong_argument", "ungrounded_argument", "extra_write", "false_value")
LOST = ("missed_goal", "early_stop", "false_claim")
"""Kinds that facts can detect if a write of the gold is missing."""

OUTCOME = ("missed_write", "claimed_write", "ended_early", "wrong_argument", "extra_write", "output_not_said")
LONG = 515
"""Characters of the assistant from which the first cheap predictor takes a dialogue for sound."""

MANY = 1_000


def main() -> int:
    """Print the figures; the exit code is 1 if a limit is missed."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="Fewer dialogues for the speed.")
    parser.add_argument("--json", action="store_true", help="One JSON document.")
    arguments = parser.parse_args()
    figures = {**spoken_figures(), "airline": airline_figures(), "speed": speed(100 if arguments.quick else MANY)}
    if arguments.json:
        json.dump(figures, sys.stdout, indent=2)
        sys.stdout.write("\n")
    else:
        for name, value in figures.items():
            print(name, json.dumps(value, indent=2))
    return 0 if figures["all"]["sound_rejected"] <= 1 and figures["airline"]["agree"] >= 99 else 1


def spoken_figures() -> dict[str, Any]:
    """Judge the spoken dialogues, and compare the verdicts with the labels, by part."""
    labels = {row["id"]: row for row in map(json.loads, SPOKEN.read_text(encoding="utf-8").splitlines())}
    judged = [(dialogue, judged_by_facts(dialogue)) for dialogue in dialogues(SPOKEN)]
    parts = {
        "all": judged,
        "developed": [pair for pair in judged if int(pair[0].id, 16) % 2 == 0],
        "checked": [pair for pair in judged if int(pair[0].id, 16) % 2],
    }
    return {name: _figures(part, labels) for name, part in parts.items()}


def _figures(judged: Sequence[tuple[RecordedDialogue, JudgedDialogue]], labels: Mapping[str, Any]) -> dict[str, Any]:
    sound = [verdict for dialogue, verdict in judged if labels[dialogue.id]["sound"]]
    found: dict[str, Any] = {"sound": len(sound), "sound_rejected": sum(not verdict.accepted for verdict in sound)}
    kinds: dict[str, dict[str, int]] = {}
    for dialogue, verdict in judged:
        label = labels[dialogue.id]["fault"]
        if label is None:
            continue
        lost = any(issue.code in OUTCOME[:3] for issue in write_issues(dialogue))
        kind = label["kind"]
        name = f"{kind}, write missing" if kind in LOST and lost else kind
        told = kinds.setdefault(name, dict.fromkeys(("faults", "caught", "placed", "named"), 0))
        told["faults"] += 1
        told["caught"] += not verdict.accepted
        told["placed"] += verdict.turn == label["message"]
        told["named"] += verdict.fault is not None and verdict.fault in NEIGHBOURS.get(kind, ())
    found["kinds"] = dict(sorted(kinds.items()))
    factual = [told for name, told in kinds.items() if name in FACTS or name.endswith("missing")]
    found["by_facts"] = {key: sum(told[key] for told in factual) for key in ("faults", "caught", "placed", "named")}
    right = [(verdict.accepted, labels[dialogue.id]["sound"]) for dialogue, verdict in judged]
    found["right"] = sum(said == true for said, true in right)
    found["right_by_length"] = sum(
        (_length(dialogue) >= LONG) == labels[dialogue.id]["sound"] for dialogue, _ in judged
    )
    same = [(not any(write_issues(dialogue)), labels[dialogue.id]["sound"]) for dialogue, _ in judged]
    found["right_by_writes"] = sum(said == true for said, true in same)
    found["dialogues"] = len(judged)
    return found


def _length(dialogue: RecordedDialogue) -> int:
    return sum(len(message.content) for message in dialogue.messages if message.role == "assistant")


def airline_figures() -> dict[str, Any]:
    """Judge recorded dialogues of tau-bench, and compare the verdicts with the rewards, which the judge does not see."""
    toolset = import_tool_json(AIRLINE).toolset
    rewards = [row["recorded_reward"] == 1 for row in json.loads(TRAJECTORIES.read_text())["trajectories"]]
    agree = rejected = 0
    for dialogue, passed in zip(dialogues(TRAJECTORIES, toolset, read_golds(AIRLINE)), rewards, strict=True):
        verdict = judged_by_facts(dialogue.model_copy(update={"system": toolset.policy}))
        codes = {issue.code for issue in verdict.issues}
        agree += codes.isdisjoint(OUTCOME) == passed
        rejected += passed and not verdict.accepted
    return {"dialogues": len(rewards), "agree": agree, "passed": sum(rewards), "passed_rejected": rejected}


def speed(count: int) -> dict[str, float]:
    """Read and judge at least `count` dialogues, repeating the spoken ones; return the time."""
    begun, done = time.perf_counter(), 0
    while done < count:
        for dialogue in dialogues(SPOKEN):
            judged_by_facts(dialogue)
            done += 1
    seconds = time.perf_counter() - begun
    return {"dialogues": done, "seconds": round(seconds, 2), "seconds_for_1000": round(1000 * seconds / done, 2)}


def dialogues(path: Path, *arguments: Any) -> list[RecordedDialogue]:
    """Return the dialogues of a file."""
    return [found for found in read_dialogues(path, *arguments) if isinstance(found, RecordedDialogue)]


def judged_by_facts(dialogue: RecordedDialogue) -> JudgedDialogue:
    """Judge one dialogue without reviewers."""
    return asyncio.run(judge(dialogue))


if __name__ == "__main__":
    sys.exit(main())
