"""Measures curation (near duplicates, secrets, benchmark contamination, selection) with planted cases.

    python bench/curation.py [--quick] [--json] [--texts 100000]

Texts have 200 random words; one in a hundred is a copy with three words changed. Secrets of each kind that detect-secrets can
verify are planted in messages of the bundled domains, and benchmark tasks in dialogues.
"""

import argparse
import asyncio
import json
import os
import random
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from interplay.flows import run
from interplay.flows.curation.benchmark_files import read_benchmark
from interplay.flows.curation.curated_run import curate
from interplay.flows.settings.curation_settings import CurationSettings, SelectSettings
from interplay.flows.workspaces.run_store import loaded_store
from interplay.flows.workspaces.workspace import Workspace
from interplay.outputs.store.dialogue_texts import dialogue_texts
from interplay.validators.curation.contamination import Contamination
from interplay.validators.curation.near_duplicates import Sketchbook
from interplay.validators.curation.personal_data import personal_data
from interplay.validators.curation.secrets import secrets

SHARED = Path(os.environ.get("INTERPLAY_SHARED", Path(__file__).parents[2] / "shared")) / "data"
SMALLEST = ("--quick", "--json", "--texts", "500")
WORDS = 200
TOGETHER = 4_000


def near_duplicates(count: int) -> dict[str, Any]:
    """Return CPU seconds, memory, and the recall of planted near duplicates among `count` texts."""
    rng = random.Random(7)
    vocabulary = [f"word{number}" for number in range(20_000)]
    base = [rng.choices(vocabulary, k=WORDS) for _ in range(min(count, 20_000))]
    book, spent, planted, originals = Sketchbook(), 0.0, set(), dict[int, list[str]]()
    for start in range(0, count, TOGETHER):
        texts = []
        for place in range(start, min(count, start + TOGETHER)):
            if place % 100 == 99 and originals:
                words = list(originals[rng.choice(list(originals)[-50:])])
                changes = 3
                planted.add(place)
            else:
                words = list(base[place % len(base)])
                changes = WORDS // 2
            for _ in range(changes):
                words[rng.randrange(WORDS)] = vocabulary[rng.randrange(len(vocabulary))]
            if place % 100 == 50:
                originals[place] = words
                originals = dict(list(originals.items())[-200:])
            texts.append(" ".join(words))
        begun = time.process_time()
        book.add(texts)
        spent += time.process_time() - begun
    begun = time.process_time()
    found = book.repeats(0.85)
    spent += time.process_time() - begun
    return {
        "texts": count,
        "cpu_seconds": round(spent, 2),
        "recall": round(len(planted & found.keys()) / max(1, len(planted)), 4),
        "false": len(found.keys() - planted),
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def stored(folder: Path, records: int) -> dict[str, Any]:
    """Return the cost of curating records of several domains, false findings in them, and the recall of planted cases."""
    sources = [f"domain:{name}" for name in ("clinic", "rental", "workspace")]
    asyncio.run(run(folder, {"toolset": sources, "seed": 11, "shard_size": min(50, records)}, records=records))
    workspace = Workspace(folder)
    begun = time.process_time()
    whole = asyncio.run(curate(workspace, CurationSettings()))
    spent = time.process_time() - begun
    few = asyncio.run(
        curate(workspace, CurationSettings(near_duplicates=None, select=SelectSettings(rows=records // 10)))
    )
    with loaded_store(workspace) as store:
        dialogues = list(dialogue_texts(store, workspace.existing_run().run))
    keys = _keys()
    texts = [text for dialogue in dialogues for text in dialogue.said("user", "assistant")]
    caught = sum(any(key.rpartition("=")[2] in value or value in key for _, value in secrets(f"{text} {key} {text}")) for key, text in zip(
        keys * 20, texts, strict=False)) / min(len(keys) * 20, len(texts))  # fmt: skip
    return {
        "records": whole.looked_at,
        "cpu_ms_a_record": round(1000 * spent / whole.looked_at, 2),
        "left_out": dict(whole.left_out),
        "selected_share_of": few.covered,
        "messages": len(texts),
        "false_secrets": sum(1 for text in texts for _ in secrets(text)),
        "secrets_found": round(caught, 4),
        "personal_in_talk": sum(1 for text in texts for _ in personal_data(text)),
        "benchmarks": benchmarks([dialogue.said("user", "assistant") for dialogue in dialogues]),
    }


def benchmarks(texts: list[list[str]]) -> dict[str, Any]:
    """Return the recall of planted benchmark tasks, and the number of clean dialogues that are rejected."""
    files = [SHARED / name for name in ("tau/airline.json", "tau/mock.json", "bfcl/multi_turn_base.json")]
    if not all(path.exists() for path in files):
        return {"left_out": f"{SHARED} is not there"}
    index = Contamination(task for path in files for task in read_benchmark(path))
    found, planted, rng = 0, 0, random.Random(3)
    for path in files:
        content = json.loads(path.read_text(encoding="utf-8"))
        for entry in content.get("tasks") or content["entries"]:
            wish = entry.get("instruction") or " ".join(text for turn in entry["turns"] for text in turn["user"])
            words = str(wish).split()
            for _ in range(len(words) // 25):
                words[rng.randrange(len(words))] = "rather"
            planted += 1
            found += not index.judge(["Hello!", " ".join(words), *texts[planted % len(texts)]], ()).passed
    blamed = sum(not index.judge(said, ()).passed for said in texts)
    return {"planted": planted, "found": round(found / planted, 4), "blamed": blamed}


def _keys() -> list[str]:
    rng = random.Random(5)

    def letters(count: int, alphabet: str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") -> str:
        return "".join(rng.choices(alphabet, k=count))

    capital = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
    return [
        key
        for _ in range(10)
        for key in (
            f"AKIA{letters(16, capital)}", f"ghp_{letters(36)}", f"sk_live_{letters(24)}", f"xoxb-{letters(12, '0123456789')}-{letters(24)}",
            f"glpat-{letters(20)}", f"SG.{letters(22)}.{letters(43)}", f"//registry.npmjs.org/:_authToken=npm_{letters(36)}",
            f"SK{letters(32, '0123456789abcdef')}",
        )
    ]  # fmt: skip


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="few texts and records")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--texts", type=int, help="texts to look for near duplicates in; else 100000, or 5000 with --quick"
    )
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = {
            "near_duplicates": near_duplicates(asked.texts or (5_000 if asked.quick else 100_000)),
            "stored": stored(Path(folder) / "w", 20 if asked.quick else 1_000),
        }
    if asked.json:
        json.dump(figures, sys.stdout, indent=2)
        return
    for name, held in figures.items():
        print(name)
        for key, value in held.items():
            print(f"  {key.replace('_', ' ')}: {value}")


if __name__ == "__main__":
    main()
