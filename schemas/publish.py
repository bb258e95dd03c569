"""Publishes the JSON Schema (draft 2020-12) of every record, one file each: `DatasetRecord.schema.json`.

    {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "urn:interplay:schema:DatasetRecord", ...}

The files in `published/` are committed; a test fails when they differ from the records.
"""

import json
from pathlib import Path
from typing import Any

from interplay.schemas.errors import StoreError
from interplay.schemas.json import canonical
from interplay.schemas.json.record import Record
from interplay.schemas.records import (
    blueprint,
    calibration,
    chat,
    dialogue,
    failure,
    fault,
    override,
    phrases,
    recorded,
    review,
    tool,
    tool_graph,
    verdict,
)

DIALECT = "https://json-schema.org/draft/2020-12/schema"
MODULES = (
    tool,
    phrases,
    override,
    blueprint,
    fault,
    dialogue,
    failure,
    review,
    calibration,
    verdict,
    recorded,
    tool_graph,
    canonical,
    chat,
)


def records() -> tuple[type[Record], ...]:
    """Return every record class of this room, sorted by name."""
    found = {
        item.__name__: item
        for module in MODULES
        for item in vars(module).values()
        if isinstance(item, type) and issubclass(item, Record) and item is not Record
    }
    return tuple(found[name] for name in sorted(found))


def schema_of(record: type[Record]) -> dict[str, Any]:
    """Return the JSON Schema of a record in its serialised form, in which every field is present."""
    schema = record.model_json_schema(mode="serialization")
    return {"$schema": DIALECT, "$id": f"urn:interplay:schema:{record.__name__}", **schema}


def schema_texts() -> dict[str, str]:
    """Return the published files: file name -> content."""
    return {
        f"{record.__name__}.schema.json": json.dumps(schema_of(record), indent=2, ensure_ascii=False) + "\n"
        for record in records()
    }


def write_schemas(folder: Path) -> tuple[Path, ...]:
    """Write the schema of every record into `folder`, which is created if missing, and return the paths.

    Raises:
        StoreError: the folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in schema_texts().items():
            (folder / name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise StoreError(f"{folder}: cannot be written ({error.strerror}). Name another folder.") from error
    return tuple(folder / name for name in schema_texts())
