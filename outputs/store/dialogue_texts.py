"""The accepted dialogues of a run -> their texts and calls, read some thousands of indices at a time without the records."""

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from interplay.outputs.store.dataset_store import FAILED, DatasetStore

SPAN = 2_000
"""Number of indices read at once."""


@dataclass(frozen=True)
class DialogueText:
    """The messages of a dialogue as (role, text, text with values masked), and its calls as (tool, arguments), in order."""

    id: str
    index: int
    messages: tuple[tuple[str, str, str], ...]
    calls: tuple[tuple[str, Any], ...]

    def masked(self, *roles: str) -> str:
        """Return the masked texts of the messages of `roles`, one per line."""
        return "\n".join(f"{role}: {masked}" for role, _, masked in self.messages if role in roles and masked)

    def said(self, *roles: str) -> list[str]:
        """Return the texts of the messages of `roles`."""
        return [content for role, content, _ in self.messages if role in roles and content]


def dialogue_texts(store: DatasetStore, run: str, failed: bool = False) -> Iterator[DialogueText]:
    """Yield the accepted dialogues of a run, or with `failed` those in which the assistant failed, by index and attempt.

    Raises:
        StoreError: the store cannot be read.
    """
    condition = FAILED if failed else "status = 'accepted'"
    bounds = store.query("SELECT min(index) AS low, max(index) AS high FROM records WHERE run = ?", [run])[0]
    if bounds["low"] is None:
        return
    for low in range(bounds["low"], bounds["high"] + 1, SPAN):
        place = {"run": run, "low": low, "high": low + SPAN - 1}
        chosen = f"SELECT id FROM records WHERE run = $run AND index BETWEEN $low AND $high AND {condition}"
        rows = store.query(f"SELECT id, index FROM records WHERE id IN ({chosen}) ORDER BY index, attempt", place)
        messages: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
        calls: dict[str, list[tuple[str, Any]]] = defaultdict(list)
        for row in store.query(
            "SELECT record_id, role, coalesce(content, '') AS content, coalesce(masked, content, '') AS masked "
            f"FROM messages WHERE record_id IN ({chosen}) ORDER BY record_id, position",
            place,
        ):
            messages[row["record_id"]].append((row["role"], row["content"], row["masked"]))
        for row in store.query(
            f"SELECT record_id, tool, arguments FROM calls WHERE record_id IN ({chosen}) ORDER BY record_id, position, call_id",
            place,
        ):
            calls[row["record_id"]].append((row["tool"], json.loads(row["arguments"] or "{}")))
        for row in rows:
            yield DialogueText(row["id"], row["index"], tuple(messages[row["id"]]), tuple(calls[row["id"]]))
