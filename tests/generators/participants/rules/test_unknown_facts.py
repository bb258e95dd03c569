"""What users answer who are asked for what they do not know."""

import json
from pathlib import Path

import pytest
from tests.generators.worlds import played

from interplay.flows.roles.listener import open_listener
from interplay.schemas.records.dialogue import Message

TEXT = {"type": "string"}


def _tool(name: str, *required: str) -> dict[str, object]:
    parameters = {"type": "object", "properties": dict.fromkeys(required, TEXT), "required": list(required)}
    return {"name": name, "description": name.replace("_", " ").capitalize(), "input_schema": parameters}


@pytest.mark.parametrize(("asked", "meant"), [("the user", False), ("the user's channel", True)])
def test_nobody_takes_the_channel_of_a_user_for_the_user(tmp_path: Path, asked: str, meant: bool) -> None:
    path = tmp_path / "chat.json"
    names = (
        ("remove_user_from_team", "user"),
        ("get_users_in_channel", "channel"),
        ("add_user_to_channel", "user", "channel"),
    )
    path.write_text(json.dumps([_tool(*name) for name in names]))
    question = Message(role="assistant", content=f"Could you tell me {asked}, please?")
    heard = []
    for blueprint, trajectory in played(f"json:{path}", 60, recipes={"sense": 0.0}):
        channels = {fact.id for fact in blueprint.scenario.facts if fact.label == "user's channel"}
        opening = trajectory.messages[0]
        if opening.act != "inform_intent_clear" or opening.state is None or not channels - {*opening.state.told}:
            continue
        read = open_listener(blueprint).track((opening, question))[-1].state
        heard.append(read is not None and read.confidence >= 0.5 and not channels.isdisjoint(read.asked))
    assert heard
    assert any(heard) == meant
