"""Accepted dialogues -> a file of rows in the format of an export, one dialogue per row."""

import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Self

from interplay.outputs.exporters.export import move_into_place, refuse_foreign
from interplay.outputs.exporters.export_check import MANIFEST, digests
from interplay.outputs.exporters.export_formats import FormatName, named_format
from interplay.outputs.exporters.split_files import open_split, write_json
from interplay.outputs.store.stored_dialogue import is_marked
from interplay.schemas.errors import ConfigError, StoreError
from interplay.schemas.records.recorded import RecordedDialogue
from interplay.schemas.records.tool import Toolset
from interplay.schemas.records.verdict import DatasetRecord

SPLIT = "train"
RUN = "recorded"

_ANY_TOOLSET = Toolset(name="", tools=())
"""The placeholder for the toolset of the files beside the rows: each dialogue has its own."""


class AcceptedFiles:
    """Writes accepted dialogues one by one; at the end of the context, the folder appears if it is complete and not empty.

    Dialogues with masked turns are counted, and left out if the format holds no mask.
    """

    def __init__(self, to: Path, format: FormatName, sources: Iterable[Path]) -> None:
        """Start a folder; `sources` are the files that the dialogues come from."""
        self._format = named_format(format)
        if self._format.of_pair is not None:
            raise ConfigError(f"--format {format}: is made of pairs of attempts, and recorded dialogues have none.")
        if self._format.with_task:
            raise ConfigError(f"--format {format}: is made of tasks, and recorded dialogues have none.")
        if self._format.one_toolset:
            raise ConfigError(
                f"--format {format}: describes one toolset beside its rows, and each recorded dialogue brings its own. "
                "Choose another format."
            )
        refuse_foreign(to)
        self._name, self._to = format, to.absolute()
        self._partial = self._to.with_name(f".{self._to.name}.partial")
        shutil.rmtree(self._partial, ignore_errors=True)
        try:
            self._partial.mkdir(parents=True)
            self._writer = open_split(self._partial, SPLIT, "jsonl", None)
            self._beside = self._format.open_beside and self._format.open_beside(self._partial, _ANY_TOOLSET)
        except OSError as error:
            raise StoreError(f"{to}: cannot be made ({error.strerror}). Name another folder.") from error
        self._sources = [path.name for path in sources]
        self.rows = self.masked = self.masked_left_out = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _: object, error: BaseException | None, trace: object) -> None:
        self._writer.close()
        if self._beside is not None:
            self._beside.close()
        try:
            if error is None and self.rows:
                self._finish()
        finally:
            shutil.rmtree(self._partial, ignore_errors=True)

    def write(self, dialogue: RecordedDialogue) -> None:
        """Add one dialogue."""
        record = DatasetRecord(
            id=dialogue.id, run=RUN, index=self.rows, status="accepted", trajectory=dialogue.trajectory()
        )
        if is_marked(record):
            self.masked += self._format.holds_mask
            self.masked_left_out += not self._format.holds_mask
            if not self._format.holds_mask:
                return
        if self._format.of_attempts is None:
            self._write_row(self._format.to_row(record, dialogue.toolset.tools))
        else:
            for _, row in self._format.of_attempts([record], dialogue.toolset.tools):
                self._write_row(row)
        self.rows += 1

    def _write_row(self, row: dict[str, Any]) -> None:
        self._writer.write(row)
        if self._beside is not None:
            self._beside.write(SPLIT, row)

    def _finish(self) -> None:
        """Write the manifest, and move the folder into place."""
        told = {"interplay": 1, "run": RUN, "format": self._name, "shape": "jsonl", "splits": {SPLIT: self.rows}}
        told["masked"] = {"kept": self.masked, "left_out": self.masked_left_out}
        told |= {"sources": self._sources, "files": digests(self._partial)}
        write_json(self._partial / MANIFEST, told)
        move_into_place(self._partial, self._to)
