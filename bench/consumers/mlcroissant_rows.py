"""Validates each croissant.json with mlcroissant, and reads the rows by it."""

import json
import logging
import sys
from pathlib import Path

import mlcroissant

logging.disable(logging.WARNING)


def whole(value):
    """Tell whether a value was found, and in a list of objects some part of each."""
    return not isinstance(value, list) or all(
        any(part is not None for part in each.values()) for each in value if isinstance(each, dict)
    )


good, files = 0, sorted(Path(sys.argv[1]).glob("*/croissant.json"))
for path in files:
    described = mlcroissant.Dataset(jsonld=path)
    rows = [row for found in described.metadata.record_sets for row in described.records(record_set=found.id)]
    splits = json.loads((path.parent / "export.json").read_text(encoding="utf-8"))["splits"]
    told = all(whole(value) for row in rows for value in row.values())
    good += told and len(rows) == sum(splits.values()) and not described.metadata.issues.errors
print(json.dumps({"mlcroissant files": f"{good} of {len(files)}"}))
