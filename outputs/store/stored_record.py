"""The JSON of a record, as this version or an older one wrote it -> the record; names that were given up get their successors.

{"failure": {"fault": "users_fault", ...}, ...}   ->   DatasetRecord with the fault `user_fault`
"""

import json
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.verdict import DatasetRecord

FAULTS = {"users_fault": "user_fault", "missed_step": "missed_goal", "other": "unclear"}
TERMINATIONS = {"stuck": "unclear"}


def read_record(text: str) -> DatasetRecord:
    """Return the record that a JSON text holds.

    Raises:
        ValidationError: it holds none.
    """
    try:
        return DatasetRecord.model_validate_json(text)
    except ValidationError as error:
        renamed = _renamed(text)
        if renamed is None:
            raise
        try:
            return DatasetRecord.model_validate_json(renamed)
        except ValidationError:
            raise error from None


def read_task(text: str) -> Blueprint | None:
    """Return the blueprint of the record that a JSON text holds, if it has one; the rest of it is not looked at.

    Raises:
        ValidationError: it holds none of this version.
    """
    return _Task.model_validate_json(text).blueprint


class _Task(BaseModel):
    model_config = ConfigDict(defer_build=True)

    blueprint: Blueprint | None = None


def _renamed(text: str) -> str | None:
    """Return the text of an older record with the names of today; none where nothing can be renamed."""
    try:
        record: dict[str, Any] = json.loads(text)
        for key, field, names in (("failure", "fault", FAULTS), ("trajectory", "termination", TERMINATIONS)):
            held = record.get(key) or {}
            if held.get(field) in names:
                held[field] = names[held[field]]
        return json.dumps(record)
    except (ValueError, AttributeError, TypeError, RecursionError):
        return None
