"""Picks records to read: one by id or index, and one that shows well."""

from interplay.flows.storing import load_store
from interplay.flows.workspace import Workspace
from interplay.schemas.errors import StoreError
from interplay.schemas.verdict import DatasetRecord

FITS_A_SCREEN = 28
"""Messages of a dialogue that can be taken in at a glance."""


def find_record(workspace: Workspace, wanted: str) -> DatasetRecord:
    """Return the record with this index, this id, or the only one whose id begins so.

    Raises:
        ConfigError: nothing was made in the workspace yet.
        StoreError: there is none, or several.
    """
    run = workspace.existing_run().run
    with load_store(workspace) as store:
        if wanted.isascii() and wanted.isdigit() and len(wanted) < 19:
            found = store.query("SELECT id FROM records WHERE run = ? AND index = ?", [run, int(wanted)])
            if found:
                return store.record(found[0]["id"])
        return store.record(wanted)


def example(workspace: Workspace) -> DatasetRecord:
    """Return the accepted record with the most kinds of acts among those that fit a screen.

    Raises:
        StoreError: nothing was accepted.
    """
    run = workspace.existing_run().run
    with load_store(workspace) as store:
        rows = store.query(
            "SELECT id FROM records JOIN messages ON messages.record_id = records.id "
            "WHERE run = ? AND status = 'accepted' GROUP BY id, index, calls "
            "ORDER BY count(*) > ?, count(DISTINCT act) DESC, calls DESC, index LIMIT 1",
            [run, FITS_A_SCREEN],
        )
        if not rows:
            raise StoreError(f"{workspace.store_file}: holds no accepted record.")
        return store.record(rows[0]["id"])
