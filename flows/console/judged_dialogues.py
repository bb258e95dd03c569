"""Judged dialogues -> text in the terminal, or one JSON object per line for programs."""

import json
from collections import Counter
from pathlib import Path

from interplay.flows.console.safe_console import open_console
from interplay.flows.console.visible_text import print_line
from interplay.generators.importers.conversations.whole_dialogues import Unread
from interplay.schemas.errors import ConfigError
from interplay.schemas.records.recorded import JudgedDialogue, RecordedDialogue


class JudgementReport:
    """Prints each dialogue as it is judged, and counts the outcomes."""

    def __init__(self, as_json: bool) -> None:
        self._as_json = as_json
        self._console = open_console()
        self._accepted = 0
        self._unread = 0
        self._reviewed = 0
        self._faults: Counter[str] = Counter()

    def tell(self, found: tuple[RecordedDialogue, JudgedDialogue] | Unread) -> None:
        """Print the judgement of one dialogue, or why a file could not be read as one."""
        if isinstance(found, Unread):
            self._tell_unread(found.source, found.reason)
            return
        judged = found[1]
        self._accepted += judged.accepted
        self._reviewed += judged.reviewed
        if not judged.accepted:
            self._faults[judged.fault or "form"] += 1
        if self._as_json:
            print_line(json.dumps(judged.model_dump(mode="json"), ensure_ascii=False))
            return
        status = "accepted" if judged.accepted else f"rejected: {judged.fault or 'form'}"
        where = f", message {judged.turn}" if judged.turn is not None else ""
        self._console.print(f"{judged.id}  {status}{where}", markup=False)
        for issue in judged.issues:
            at = "" if issue.turn is None else f"message {issue.turn}: "
            self._console.print(f"    {issue.code}  {at}{issue.message}", markup=False)

    def _tell_unread(self, source: str, reason: str) -> None:
        self._unread += 1
        if self._as_json:
            row = {"id": source, "accepted": False, "unread": reason}
            print_line(json.dumps(row, ensure_ascii=False))
        else:
            self._console.print(f"{source}  not read: {reason}", markup=False)

    def end(self, to: Path | None, written: bool) -> None:
        """Print the totals; `written` tells whether any accepted dialogue was written to `to`.

        Raises:
            ConfigError: there was no dialogue to judge, or none could be written.
        """
        rejected = sum(self._faults.values())
        if not self._accepted and not rejected:
            raise ConfigError(
                "No dialogue was judged. Give files that hold some: lists of messages, each with a role and a content."
            )
        if to is not None and not written:
            raise ConfigError(
                f"{rejected + self._accepted} dialogues were judged, and none is one to keep: {to} is not written."
            )
        if self._as_json:
            return
        kinds = ", ".join(f"{name} {count}" for name, count in self._faults.most_common())
        told = f"{self._accepted} accepted, {rejected} rejected" + (f" ({kinds})" if kinds else "")
        unread = f", {self._unread} not read" if self._unread else ""
        kept = f"; the accepted ones are in {to}" if to is not None else ""
        judges = f"{self._reviewed} by reviewers too" if self._reviewed else "by facts alone"
        self._console.print(f"\n{told}{unread}, {judges}{kept}", markup=False)
