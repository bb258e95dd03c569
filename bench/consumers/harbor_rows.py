"""Validates trajectories with Harbor's own models of the interchange format."""

import json
import sys
from pathlib import Path

from harbor.models.trajectories import Trajectory

texts = [
    json.loads(line)["trajectory"]
    for path in Path(sys.argv[1]).glob("atif/*.jsonl")
    for line in path.open(encoding="utf-8")
]
good = 0
for text in texts:
    read = Trajectory.model_validate_json(text)
    kept = json.loads(read.model_dump_json(exclude_none=True))
    good += kept == json.loads(text)
print(json.dumps({"ATIF trajectories": f"{good} of {len(texts)}"}))
