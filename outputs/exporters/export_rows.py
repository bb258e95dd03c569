"""The records of a run -> the rows of an export, each with its split and its losses."""

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

from interplay.outputs.exporters.columns import BUILT_IN, Columns, TokenCounter, column_features, used_tools
from interplay.outputs.exporters.export_settings import DEFAULT_SETTINGS, ExportSettings
from interplay.outputs.exporters.exported_dialogue import Offered
from interplay.outputs.exporters.message_lists import row_apart
from interplay.outputs.exporters.pairs import pairs_of
from interplay.outputs.exporters.row_format import Format
from interplay.outputs.exporters.selection import Opinions, Tally, selected
from interplay.outputs.report.card import public_name
from interplay.outputs.store.dataset_store import DatasetStore
from interplay.outputs.store.splits import split_at
from interplay.outputs.store.stored_dialogue import StoredDialogue, ended_at, stored_dialogue
from interplay.schemas.errors import StoreError
from interplay.schemas.plain_file import at_home
from interplay.schemas.records.tool import Tool, Toolset
from interplay.schemas.records.verdict import DatasetRecord

MadeRow = tuple[str, dict[str, Any], tuple[str, ...]]
"""(split, row, codes of what the row cannot hold)."""

LOAD_ITS_TOOLS = "Load the toolset that the run was made with."


@dataclass
class RowSource:
    """Makes the rows of one run in one format; the rows are the same on every iteration."""

    store: DatasetStore
    run: str
    toolset: Toolset
    format: Format
    settings: ExportSettings = DEFAULT_SETTINGS
    opinions: Opinions = field(default_factory=Opinions)
    curated: Container[str] = frozenset()
    columns: Columns = field(init=False)
    held_out: frozenset[str] = field(init=False)
    _tools: Offered = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Resolve the held-out tools, and load the tokenizer if one is named.

        Raises:
            StoreError: the tokenizer cannot be read, or a held-out tool does not exist.
        """
        self._tools = Offered.of(self.toolset.tools)
        self.held_out = frozenset(chain.from_iterable(_held_out(self.toolset, name) for name in self.settings.hold_out))
        self.columns = Columns(self.toolset, token_counter(self.settings.tokenizer))

    def features(self) -> Any:
        """Return the `datasets.Features` of the rows."""
        features = self.format.features()
        for name, kind in column_features().items() if self.settings.columns else ():
            features.setdefault(name, kind)
        return features

    def rows(self, tally: Tally) -> Iterator[MadeRow]:
        """Yield each row by index, and count in `tally` what stays out."""
        if self.format.of_pair is not None:
            return self._of_pairs(tally)
        return self._of_records(tally) if self.format.of_attempts is None else self._of_attempts(tally)

    def _of_records(self, tally: Tally) -> Iterator[MadeRow]:
        reviewed = bool(self.opinions.sound)
        found = self.store.dialogues(self.run, reviewed, self.format.with_task)
        rest = (self.store.continued(self.run), self.opinions, self.format.holds_mask, tally, self.curated)
        for whole in selected(found, *rest):
            until = whole.until if self.format.tools_at_once else None
            dialogue = ended_at(whole, until)
            tools = self._offered(dialogue)
            if (placed := self._place(dialogue, tools, tally)) is not None:
                losses = (*self.format.losses(dialogue), *(() if until is None else ("denied_tools",)))
                yield self._row(dialogue, self.format.to_row(dialogue, tools), placed, losses)

    def _of_pairs(self, tally: Tally) -> Iterator[MadeRow]:
        assert self.format.of_pair is not None
        for attempts in self.store.contested(self.run):
            dialogues: dict[str, StoredDialogue] = {}
            told: set[str] = set()
            for pair in pairs_of(self._wanted(attempts, tally)):
                chosen = dialogues.get(pair.chosen.id) or stored_dialogue(pair.chosen)
                dialogues[chosen.id] = chosen
                if chosen.marked:
                    tally.masked_left_out += 1
                    continue
                offered = (*self._offered(chosen), *self._offered_known(pair.rejected))
                tools = self._tools.ordered(dict.fromkeys(tool.name for tool in offered))
                if (placed := self._place(chosen, tools, tally)) is not None:
                    sides = [side for side in (pair.chosen, pair.rejected) if side.id not in told]
                    told.update(side.id for side in sides)
                    losses = tuple(loss for side in sides for loss in self.format.losses(side))
                    yield self._row(chosen, self.format.of_pair(pair, tools), placed, losses)

    def _of_attempts(self, tally: Tally) -> Iterator[MadeRow]:
        assert self.format.of_attempts is not None
        continued = self.store.continued(self.run)
        for found in self.store.attempts(self.run):
            placed = {}
            for record in self._wanted(found, tally):
                if record.id in continued:
                    continue
                dialogue = stored_dialogue(record)
                if (place := self._place(dialogue, self._offered_known(record), tally)) is not None:
                    placed[record.id] = record, dialogue, place
            told: set[str] = set()
            for record, row in self.format.of_attempts([record for record, _, _ in placed.values()], self._tools):
                losses = () if record.id in told else self.format.losses(record)
                told.add(record.id)
                yield self._row(placed[record.id][1], row, placed[record.id][2], losses)

    def _wanted(self, attempts: Sequence[DatasetRecord], tally: Tally) -> list[DatasetRecord]:
        tally.curated += sum(record.id in self.curated for record in attempts)
        return [
            record
            for record in attempts
            if self.opinions.sound.get(record.id) is None and record.id not in self.curated
        ]

    def _place(self, dialogue: StoredDialogue, tools: tuple[Tool, ...], tally: Tally) -> tuple[str, int] | None:
        """Return the split of a dialogue and its number of tokens (0 if not needed); None if it stays out."""
        split = split_at(dialogue.place, self.settings.shares)
        if self.held_out and split != "test" and not used_tools(dialogue).isdisjoint(self.held_out):
            tally.held_out += 1
            return None
        wanted = self.settings.columns or self.settings.max_tokens is not None
        tokens = self.columns.tokens(dialogue, tools) if wanted else 0
        if self.settings.max_tokens is not None and tokens > self.settings.max_tokens:
            tally.too_long += 1
            return None
        if wanted and dialogue.id not in tally.placed:
            tally.tokens.append(tokens)
        tally.placed[dialogue.id] = None
        return split, tokens

    def _offered(self, record: StoredDialogue) -> Offered:
        """Return the tools offered in a dialogue, in order of appearance.

        Raises:
            StoreError: there is no dialogue, or the toolset lacks one of its tools.
        """
        if record.trajectory is None:
            raise StoreError(f"Record {record.id} is accepted but has no dialogue. {LOAD_ITS_TOOLS}")
        try:
            return self._tools.ordered(record.trajectory.all_tools())
        except KeyError as missing:
            what = f"offers {missing}, which its toolset lacks"
            raise StoreError(f"Record {record.id} is accepted but {what}. {LOAD_ITS_TOOLS}") from missing

    def _offered_known(self, record: DatasetRecord) -> Offered:
        """Return the tools offered in a dialogue, as far as the toolset has them."""
        return self._tools.those(record.trajectory.all_tools() if record.trajectory else ())

    def _row(
        self, dialogue: StoredDialogue, row: dict[str, Any], placed: tuple[str, int], losses: tuple[str, ...]
    ) -> MadeRow:
        split, tokens = placed
        row = row_apart(row) if self.settings.words_apart else row
        if not self.settings.columns:
            return split, row, losses
        return split, {**row, **{**self.columns.of(dialogue, split, tokens), **row}}, losses


def token_counter(path: str) -> TokenCounter:
    """Return a token counter: with the tokenizer in a file, or characters / 4 if `path` is empty.

    Raises:
        StoreError: the file is not a tokenizer, or the package `tokenizers` is missing.
    """
    if not path:
        return TokenCounter()
    try:
        from tokenizers import Tokenizer  # type: ignore[import-not-found] # noqa: PLC0415  (not installed with interplay)

        tokenizer = Tokenizer.from_file(str(at_home(Path(path))))
    except ImportError as error:
        raise StoreError("--tokenizer: needs the package tokenizers. Install it: pip install tokenizers") from error
    except Exception as error:  # the package raises no narrower one
        raise StoreError(f"--tokenizer {path}: is no tokenizer.json ({error}).") from error
    return TokenCounter(Path(path).name, lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids))


def _held_out(toolset: Toolset, name: str) -> set[str]:
    """Return the names of the tools to hold out: the tool called `name`, or all tools of a source with this (partial) name.

    Raises:
        StoreError: there is no such tool or source, or it has all tools.
    """
    found = {tool.name for tool in toolset.tools if tool.name == name}
    asked = {name, name.partition(":")[2] or name}  # with and without the kind of source, as in domain:rental
    found = found or {tool.name for tool in toolset.tools if asked & _names_of(tool.source.file)}
    given = {tool.name for tool in toolset.tools if tool.source.file != BUILT_IN}
    if not found or found >= given:
        why = "all tools come from it" if found else "the toolset has no such tool, and no such source"
        sources = dict.fromkeys(public_name(tool.source.file) for tool in toolset.tools if tool.name in given)
        raise StoreError(f"--hold-out {name}: {why}. Tools come from: {', '.join(sources)}.")
    return found


def _names_of(source: str) -> set[str]:
    return {source, public_name(source), *re.split(r"[./\\:]", public_name(source))}
