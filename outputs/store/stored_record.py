"""The JSON of a record, written by this or an older version -> the record; outdated names are replaced by their successors.

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
    """Parse the JSON text of a record.

    Raises:
        ValidationError: it is not a record.
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
    """Return only the blueprint of the record in a JSON text, or None; the rest of the text is not validated.

    Raises:
        ValidationError: its blueprint is not of this version.
    """
    return _Task.model_validate_json(text).blueprint


class _Task(BaseModel):
    model_config = ConfigDict(defer_build=True)

    blueprint: Blueprint | None = None


def _renamed(text: str) -> str | None:
    """Return the JSON text of an older record with outdated names replaced; None if it cannot be parsed."""
    try:
        record: dict[str, Any] = json.loads(text)
        for key, field, names in (("failure", "fault", FAULTS), ("trajectory", "termination", TERMINATIONS)):
            held = record.get(key) or {}
            if held.get(field) in names:
                held[field] = names[held[field]]
        return json.dumps(record)
    except (ValueError, AttributeError, TypeError, RecursionError):
        return None
