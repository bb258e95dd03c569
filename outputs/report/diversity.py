"""Dialogues -> how much people and assistants say, and how seldom they say the same; measured on samples of one size.

The share of different runs of three words among the first 5,000 words (Li et al. 2016, distinct-n) falls with the length of a
text, so that only samples of one length can be compared; the same holds for sequences of tools.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain, islice
from pathlib import Path
from statistics import median
from typing import Any

import yaml

from interplay.outputs.store.dataset_store import DatasetStore
from interplay.outputs.store.dialogue_texts import dialogue_texts

WORDS = 5_000
DIALOGUES = 100
"""What is looked at of a run at most; of some, the first ones."""

Spoken = tuple[Sequence[str], Sequence[str], Sequence[str]]
"""Of a dialogue: what the user says, what the assistant says, and the tools that are called, in order."""


def diversity(dialogues: Iterable[Spoken]) -> dict[str, Any]:
    """Return the figures of the first `DIALOGUES`; shares are of 1. `words` says how many words of users there were to compare."""
    held = list(islice(dialogues, DIALOGUES))
    users = [text for said, _, _ in held for text in said]
    assistants = [text for _, said, _ in held for text in said]
    return {
        "dialogues": len(held),
        "words": min(WORDS, sum(len(text.split()) for text in users)),
        "user_words": _words(users),
        "assistant_words": _words(assistants),
        "user_distinct": _distinct(users),
        "assistant_distinct": _distinct(assistants),
        "tool_sequences": round(len({tuple(tools) for _, _, tools in held}) / len(held), 3) if held else 0.0,
    }


def stored_diversity(store: DatasetStore, run: str) -> dict[str, Any]:
    """Return the figures of the first accepted dialogues of a run."""
    return diversity(
        (found.said("user"), found.said("assistant"), [name for name, _ in found.calls])
        for found in dialogue_texts(store, run)
    )


@cache
def references() -> list[dict[str, Any]]:
    """Return the figures of recorded dialogues, each with `name` and `source`; a benchmark measures them anew."""
    held: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("references.yaml").read_text(encoding="utf-8"))
    return held


def _words(texts: Sequence[str]) -> int:
    return round(median(len(text.split()) for text in texts)) if texts else 0


def _distinct(texts: Sequence[str]) -> float:
    words = list(islice(chain.from_iterable(text.casefold().split() for text in texts), WORDS))
    runs = [tuple(words[at : at + 3]) for at in range(len(words) - 2)]
    return round(len(set(runs)) / len(runs), 3) if runs else 0.0
