"""Exports the accepted records of a run: one file per split, a dataset card, and a check that they load identically.

exports/demo-openai/
  train.jsonl  validation.jsonl  test.jsonl     (or .parquet, or folders of a saved dataset)
  README.md                                     the dataset card; makes `load_dataset(folder)` work
  export.json                                   what the export was made from
"""

import fcntl
import json
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import Field

from interplay.outputs.exporters.export_check import MANIFEST, ExportNote, digests
from interplay.outputs.exporters.export_formats import FormatName, Shape, named_format
from interplay.outputs.exporters.export_rows import RowSource
from interplay.outputs.exporters.export_settings import DEFAULT_SETTINGS, ExportSettings, is_url
from interplay.outputs.exporters.message_lists import SIDES
from interplay.outputs.exporters.reload_check import RowMarks, compare
from interplay.outputs.exporters.row_format import Format, stripped
from interplay.outputs.exporters.selection import Opinions, Tally
from interplay.outputs.exporters.split_files import SplitWriter, open_split, save_dataset, write_json
from interplay.outputs.exporters.templates.chat_template import TemplateReport, common_losses, try_template
from interplay.outputs.exporters.templates.template_process import TemplateProcess
from interplay.outputs.exporters.trainer_files import trainer_snippets, write_trainer_files
from interplay.outputs.report.card import PICTURES, FormatFacts, card_figures, dataset_card
from interplay.outputs.report.coverage import coverage
from interplay.outputs.report.statistics import statistics
from interplay.outputs.store.dataset_store import DatasetStore
from interplay.outputs.store.splits import SPLITS
from interplay.schemas.errors import StoreError, StoreInUse
from interplay.schemas.json.record import Record
from interplay.schemas.records.calibration import Calibration, PersonLabel
from interplay.schemas.records.verdict import Curation


class ExportReport(Record):
    """What an export holds, and the result of loading it again.

    `accepted` counts the accepted records of the run. `left_out` counts losses: what rows of the format cannot hold.
    `rounded` counts rows that came back with the last digit of a number changed; `first_difference` describes the first row
    that came back different otherwise, and is empty if there is none.
    """

    folder: str
    format: FormatName
    shape: Shape
    rows: int
    identical: int
    splits: dict[str, int]
    files: tuple[str, ...]
    left_out: dict[str, int]
    accepted: int = 0
    rounded: int = 0
    first_difference: str = ""
    masked: dict[str, int] = Field(
        default_factory=dict, description="Dialogues with faulty turns: kept with a mask, or left out for want of one."
    )
    left_out_rows: dict[str, int] = Field(
        default_factory=dict, description="Dialogues that stay out since they are too long, or use what is held out."
    )
    template: TemplateReport | None = Field(None, description="What a chat template makes of the dialogues.")
    overruled: dict[str, int] = Field(
        default_factory=dict, description="Verdicts that people overruled: left out, or taken in."
    )
    curated: int = Field(0, description="Accepted dialogues that curation left out.")
    noted: bool = Field(
        True, description="Whether the workspace knows of it, so that what is removed is removed there too."
    )
    strange_labels: tuple[str, ...] = Field((), description="Ids in labels that are those of no record of the run.")

    def summary(self) -> str:
        """Return the result of the reload in one line."""
        line = f"reloaded {self.identical}/{self.rows} identical"
        if self.rounded:
            line = f"{line}, {self.rounded} with the last digit of a number rounded by `datasets`"
        return f"{line}; first difference: {self.first_difference}" if self.first_difference else line


def export(
    store: DatasetStore,
    run: str,
    format: FormatName,
    to: Path,
    shape: Shape = "jsonl",
    reasoning: bool = True,
    labels: Sequence[PersonLabel] = (),
    calibration: Calibration | None = None,
    curated: tuple[Curation, frozenset[str]] | None = None,
    settings: ExportSettings = DEFAULT_SETTINGS,
    template: Path | None = None,
    graph: str = "",
) -> ExportReport:
    """Export the accepted records of `run` to the folder `to`, load them again, and report how they compare.

    `curated` is the report of a curation and the ids that it left out. `labels` overrule reviewers; the card tells so, and shows
    their `calibration` and `graph`, a picture of the tools. Without `reasoning`, the assistant's reasoning is left out.
    `template` is a chat template to try on the rows. The folder appears complete or not at all; an earlier export there is
    replaced, but files that do not belong to it stay.

    Raises:
        StoreError: the run is unknown or has nothing accepted, the folder is not an earlier export, or the disk is full.
    """
    refuse_foreign(to)
    to = to.absolute()
    source = row_source(store, run, format, reasoning, labels, curated[1] if curated else frozenset(), settings)
    tally, marks = Tally(), RowMarks(source.format.struct_padding)
    opened = TemplateProcess(template) if template is not None else nullcontext()
    with opened as chat, _alone_at(to):
        with _replacing(to) as folder:
            splits, losses = _write_rows(source, tally, folder, shape, marks)
            if not splits:
                raise StoreError(_nothing_to_export(run, source.format, tally))
            tried = None
            if chat is not None and template is not None:
                tried = try_template(chat, template.name, _rows_to_render(source))
            judged: dict[str, Any] = {
                "calibration": calibration, "marks": tally.marks(), "overruled": tally.overruled(), "template": tried,
                "left_out_rows": tally.left_out_rows(), "graph": graph, "curation": curated[0] if curated else None,
            }  # fmt: skip
            _describe_export(source, format, shape, splits, losses, judged, tally, folder)
            note = ExportNote(
                run=run, format=format, shape=shape, splits=splits, settings=settings, reasoning=reasoning, files=digests(folder)
            )  # fmt: skip
            write_json(folder / MANIFEST, note.model_dump(mode="json"))
        came_back = compare(to, shape, marks, lambda: ((split, row) for split, row, _ in source.rows(Tally())))
    return ExportReport(
        folder=str(to),
        format=format,
        shape=shape,
        rows=sum(splits.values()),
        identical=came_back.identical,
        splits=splits,
        files=tuple(sorted((*note.files, MANIFEST))),
        left_out=losses,
        accepted=store.count_accepted(run),
        rounded=came_back.rounded,
        first_difference=came_back.first_difference,
        masked=tally.marks(),
        template=tried,
        left_out_rows=tally.left_out_rows(),
        overruled=tally.overruled(),
        curated=tally.curated,
    )


def row_source(
    store: DatasetStore,
    run: str,
    format: FormatName,
    reasoning: bool,
    labels: Sequence[PersonLabel],
    curated: frozenset[str],
    settings: ExportSettings,
) -> RowSource:
    """Return the maker of a run's rows in a format.

    Raises:
        StoreError: the run is unknown, a held-out tool does not exist, or the tokenizer cannot be read.
    """
    rows_of = named_format(format) if reasoning else stripped(named_format(format))
    return RowSource(store, run, store.run_toolset(run), rows_of, settings, Opinions.of(labels), curated)


def _partial(to: Path) -> Path:
    return to.with_name(f".{to.name}.partial")


@contextmanager
def _alone_at(to: Path) -> Iterator[None]:
    """Make the temporary folder of an export to `to`, and keep other exports from writing there until this one is checked.

    The new folder is locked, also once it is in its place. One that a killed export left is emptied.

    Raises:
        StoreInUse: another one writes there.
        StoreError: the folder cannot be written.
    """
    partial = _partial(to)
    with ExitStack() as held:
        try:
            partial.mkdir(parents=True, exist_ok=True)
            held.callback(os.close, _locked(partial, to))
            for left in partial.iterdir():
                shutil.rmtree(left) if left.is_dir() else left.unlink()
            if to.is_dir():
                held.callback(os.close, _locked(to, to, else_remove=partial))
        except OSError as error:
            raise _unwritable(to, error) from error
        yield


def _unwritable(to: Path, error: OSError) -> StoreError:
    return StoreError(f"{to}: cannot be written ({error.strerror or error}). Put this right and export again.")


def _locked(folder: Path, to: Path, else_remove: Path | None = None) -> int:
    """Lock a folder; where another export has locked it, or moved it since it was opened, an empty one is removed."""
    with suppress(FileNotFoundError):
        lock = os.open(folder, os.O_RDONLY)
        with suppress(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if folder.exists() and os.path.samestat(os.fstat(lock), folder.stat()):
                return lock
        os.close(lock)
    if else_remove is not None:
        else_remove.rmdir()
    raise StoreInUse(f"{to}: another export is writing there. Wait until it is done, or name another folder.")


@contextmanager
def _replacing(to: Path) -> Iterator[Path]:
    """Yield the temporary folder to write to; it is moved to `to` on success, and deleted otherwise."""
    partial = _partial(to)
    try:
        yield partial
        move_into_place(partial, to)
    except OSError as error:
        raise _unwritable(to, error) from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _nothing_to_export(run: str, format: Format, tally: Tally) -> str:
    if stays_out := tally.left_out_rows():
        told = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in stays_out.items())
        return f"No row of run {run!r} is left: {told}. Raise --max-tokens, or hold out less with --hold-out."
    if tally.curated and not tally.placed:
        return f"No row of run {run!r} is left: curation left out {tally.curated} dialogues. Take that back: interplay curate --off"
    if lost := tally.marks().get("left_out", 0):
        return (
            f"All {lost} accepted records of run {run!r} have faulty turns, which this format cannot mark; openai can."
        )
    if format.of_pair is None:
        return f"Run {run!r} has no accepted records to export."
    return (
        f"Run {run!r} has no attempts that pass beside some that fail from the same point. "
        "Make some: interplay branch, or branches in the configuration."
    )


def _rows_to_render(source: RowSource) -> Iterator[dict[str, Any]]:
    """Yield rows to try a chat template on: the format's own if they continue a prompt, else the dialogues in format `trl`."""
    own = any(side in source.format.features() for side in SIDES)
    settings = source.settings.model_copy(update={"columns": False})
    rows = replace(source, format=source.format if own else named_format("trl"), settings=settings)
    return (row for _, row, _ in rows.rows(Tally()))


def _write_rows(
    source: RowSource, tally: Tally, folder: Path, shape: Shape, marks: RowMarks
) -> tuple[dict[str, int], dict[str, int]]:
    """Write all rows and record their hashes; return split -> number of rows, and loss -> number of rows with it."""
    features = source.features()
    most = source.settings.file_bytes
    writers: dict[str, SplitWriter] = {}
    open_beside = source.format.open_beside
    beside = open_beside(folder, source.toolset) if open_beside is not None else None
    splits: dict[str, int] = {}
    left_out: dict[str, int] = {}
    try:
        for split, row, losses in source.rows(tally):
            if split not in writers:
                writers[split] = open_split(folder, split, shape, features, most)
            writers[split].write(row)
            if beside is not None:
                beside.write(split, row)
            marks.note(split, row)
            splits[split] = splits.get(split, 0) + 1
            for loss in losses:
                left_out[loss] = left_out.get(loss, 0) + 1
    finally:
        for writer in writers.values():
            writer.close()
        if beside is not None:
            beside.close()
    ordered: dict[str, int] = {split: splits[split] for split in SPLITS if split in splits}
    if shape == "dataset" and ordered:
        save_dataset(folder, list(ordered), features, most)
    return ordered, left_out


def _describe_export(
    source: RowSource,
    format: FormatName,
    shape: Shape,
    splits: dict[str, int],
    left_out: dict[str, int],
    judged: dict[str, Any],
    tally: Tally,
    folder: Path,
) -> None:
    known, store, run, settings = source.format, source.store, source.run, source.settings
    figures = _figures(store, run, tally) | judged
    if graph := figures.pop("graph", ""):
        figures["pictures"]["graph.svg"] = graph
    figures["made"] = {"run": run, "seed": store.run_seed(run), "tokens": source.columns.counter.name}
    told = [(known.describe_loss(name), count) for name, count in sorted(left_out.items())]
    features = source.features()
    files = {split: sorted(path.name for path in folder.glob(f"{split}*.{shape}")) for split in splits}
    sharded = frozenset(split for split, names in files.items() if len(names) > 1)
    losses = {kind: models for kind, models in common_losses().items() if figures["together"][kind]}
    facts = FormatFacts(
        format, known.note, known.rows, features, sharded, trainer_snippets(format, shape, files), settings.columns,
        losses if {"messages", "prompt"} & {name for name in features if type(features[name]).__name__ == "List"} else {},
    )  # fmt: skip
    card = dataset_card(source.toolset, figures, facts, shape, splits, told)
    (folder / "README.md").write_text(card, encoding="utf-8")
    (folder / PICTURES).mkdir()
    for name, picture in figures["pictures"].items():
        (folder / PICTURES / name).write_text(picture, encoding="utf-8")
    if shape != "dataset":
        write_trainer_files(folder, format, source.toolset.name, source.toolset.licence, files, features)


def _figures(store: DatasetStore, run: str, tally: Tally) -> dict[str, Any]:
    """Return the card's figures: those of the dialogues that have rows, and in `whole_run` those of the whole run."""
    whole = statistics(store, run)
    with store.narrowed(tally.placed):
        own = whole if len(tally.placed) >= whole["accepted"] else statistics(store, run)
        return {**own, **card_figures(store, run, tally.tokens), "coverage": coverage(store, run), "whole_run": whole}


def refuse_foreign(to: Path) -> None:
    """Refuse to replace a folder that is not an earlier export.

    Raises:
        StoreError: `to` is not empty and not an earlier export, is the current folder or above it, or is a URL.
    """
    if is_url(to):
        raise StoreError(f"{to}: exports are written to folders. Name one, and copy it, or push it with --push.")
    if Path.cwd().is_relative_to(to.absolute()):
        raise StoreError(f"{to}: is the folder that this runs in, and would be replaced. Run it from another one.")
    try:
        if not to.exists() or (to.is_dir() and not any(to.iterdir())):
            return
    except OSError as error:
        raise StoreError(f"{to}: cannot be looked at ({error.strerror}). Choose another folder.") from error
    try:
        if "interplay" in json.loads((to / MANIFEST).read_text(encoding="utf-8")):
            return
    except (OSError, ValueError, TypeError):
        pass
    raise StoreError(f"{to}: exists and is not an earlier export. Choose another folder, or delete this one.")


def move_into_place(partial: Path, to: Path) -> None:
    """Move a finished export to `to`, replacing an earlier one; files that the earlier manifest does not list are kept."""
    old = to.with_name(f".{to.name}.old")
    if to.exists():
        if old.exists():  # left behind by an export that was killed in between
            _keep_others(old, to)
        to.rename(old)
    partial.rename(to)
    if old.exists():
        _keep_others(old, to)


def _keep_others(old: Path, to: Path) -> None:
    """Move files that are not part of the earlier export `old` to the new one, and delete the rest."""
    try:
        own = set(json.loads((old / MANIFEST).read_text(encoding="utf-8"))["files"])
    except (
        OSError,
        ValueError,
        LookupError,
        TypeError,
    ):  # written by an older version: everything belongs to the export
        own = {path.relative_to(old).as_posix() for path in old.rglob("*")}
    own.add(MANIFEST)
    for path in sorted(old.rglob("*")):
        name = path.relative_to(old).as_posix()
        holds_own = any(each == name or each.startswith(f"{name}/") for each in own)
        if path.exists() and not holds_own and not (to / name).exists():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            path.rename(to / name)
    shutil.rmtree(old, ignore_errors=True)
