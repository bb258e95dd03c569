"""The exports of a workspace -> what is wrong with them; with `repair`, they are made again."""

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Literal

from interplay.flows.workspaces.manifest import MadeExport, RunFile
from interplay.flows.workspaces.run_store import export_difference, export_run, exports_made, is_anothers
from interplay.flows.workspaces.withdrawals import withdrawals
from interplay.flows.workspaces.workspace import Workspace
from interplay.schemas.errors import InterplayError
from interplay.schemas.json.record import Record

State = Literal["wrong", "repaired", "older"]


class Finding(Record):
    """Something that is wrong."""

    file: str
    why: str
    state: State = "wrong"


def finding_of(path: Path, error: InterplayError) -> Finding:
    """Return an error about a file as a finding."""
    return Finding(file=str(path), why=str(error).removeprefix(f"{path}: "))


def made_again(findings: Sequence[Finding], files: Collection[str]) -> list[Finding]:
    """Return findings, with those about `files` marked as repaired."""
    return [
        finding.model_copy(update={"state": "repaired"}) if finding.file in files else finding for finding in findings
    ]


def export_findings(
    workspace: Workspace, run: RunFile, asked: Sequence[Path], repair: bool, whole: bool
) -> Iterator[Finding]:
    """Compare exports with what was written, and with the workspace if that is `whole`; with `repair`, make wrong ones again."""
    try:
        noted = {made.folder: made for made in exports_made(workspace)}
        taken_out = withdrawals(workspace)
    except InterplayError:
        return  # reported with the small files
    gone = {identifier for each in taken_out if not each.redacted for identifier in each.records}
    wanted = dict.fromkeys(str(path.absolute()) for path in asked)
    own = (name for name, made in noted.items() if Path(name).exists() and not is_anothers(workspace, made))
    for folder in dict.fromkeys((*own, *wanted)):
        made, found = noted.get(folder), list[Finding]()
        try:
            made, found = _look_at_export(workspace, run, Path(folder), noted, folder in wanted, whole, gone)
        except InterplayError as error:
            found = [finding_of(Path(folder) / "export.json", error)]
        if repair and whole and made is not None and any(finding.state == "wrong" for finding in found):
            found = _exported_again(workspace, made, found)
        yield from found


def _look_at_export(
    workspace: Workspace,
    run: RunFile,
    folder: Path,
    noted: dict[str, MadeExport],
    asked: bool,
    whole: bool,
    gone: Collection[str],
) -> tuple[MadeExport | None, list[Finding]]:
    """Return how an export was made, and what is wrong with it; it must not hold records that are `gone`."""
    from interplay.outputs.exporters.export_check import damage, read_note, record_ids  # noqa: PLC0415 - slow to import

    note = read_note(folder)
    like = (note.format, note.shape, note.reasoning, note.settings)
    same = (each for each in noted.values() if (each.format, each.shape, each.reasoning, each.settings) == like)
    known = noted.get(str(folder)) or next(same, None)
    made = MadeExport(
        folder=str(folder), format=note.format, shape=note.shape, reasoning=note.reasoning, settings=note.settings,
        labels=known.labels if known else None,
    )  # fmt: skip
    if note.run != run.run:  # another workspace was exported to the same place since
        why = f"is an export of another run ({note.run})"
        return None, [Finding(file=str(folder), why=why)] if asked else []
    found = [Finding(file=str(path), why=why) for path, why in damage(folder, note)]
    if gone and (held := next((identifier for identifier in record_ids(folder) if identifier in gone), "")):
        why = f"holds record {held}, which was taken out. Export again to have it without that"
        return made, [*found, Finding(file=str(folder), why=why)]
    if not found and whole and (why := export_difference(workspace, made)):
        why = f"holds other rows than the workspace gives now ({why}). Export again to have these"
        found = [Finding(file=str(folder), why=why, state="wrong" if asked else "older")]
    return made, found


def _exported_again(workspace: Workspace, made: MadeExport, found: list[Finding]) -> list[Finding]:
    from interplay.outputs.exporters.export_check import damage, read_note  # noqa: PLC0415 - slow to import

    labels = None if made.labels is None else Path(made.labels)
    try:
        export_run(workspace, made.format, Path(made.folder), made.shape, made.reasoning, labels, made.settings)
    except InterplayError as error:
        return [*found, finding_of(Path(made.folder), error)]
    folder = Path(made.folder)
    others = {str(path) for path, _ in damage(folder, read_note(folder))}  # files that somebody else put there
    return made_again(found, {finding.file for finding in found} - others)
