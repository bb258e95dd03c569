"""What users answer who are asked for what they do not know."""

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest
from tests.generators.worlds import records

from interplay.generators.participants.hearing.word_overlap import sentences

TEXT = {"type": "string"}


def _tool(name: str, *required: str) -> dict[str, object]:
    parameters = {"type": "object", "properties": dict.fromkeys(required, TEXT), "required": list(required)}
    return {"name": name, "description": name.replace("_", " ").capitalize(), "input_schema": parameters}


@pytest.mark.xfail(reason="the sample holds no such question any more", strict=False)
def test_nobody_takes_the_channel_of_a_user_for_the_user(tmp_path: Path) -> None:
    path = tmp_path / "chat.json"
    names = (
        ("remove_user_from_team", "user"),
        ("get_users_in_channel", "channel"),
        ("add_user_to_channel", "user", "channel"),
    )
    path.write_text(json.dumps([_tool(*name) for name in names]))
    answers = []
    for record in records(f"json:{path}", 60, recipes={"asks_unknown": 0.3}):
        if record.blueprint is None or record.trajectory is None:
            continue
        known = any(fact.label == "user" for fact in record.blueprint.scenario.facts)
        said = record.trajectory.messages
        answers += [
            after.act
            for before, after in pairwise(said)
            if not known
            and before.act == "request"
            and re.search(r"\bthe user(?!'s|\w| \w+ ID)", sentences(before.content)[-1])
        ]
    assert answers
    assert "inform" not in answers
