"""Scenarios that a model collects: unlike each other, varied, and named by a configuration."""

import asyncio
import json
from pathlib import Path

import pytest
from tests.flows.command_line import interplay
from tests.flows.serving import serving
from tests.model_server.answers import Answer, Ask
from tests.model_server.misbehaviour import Settings

from interplay.flows.drafted_files.mined_scenarios import mine
from interplay.flows.settings.config_file import load_config
from interplay.flows.worlds.assembly import open_world
from interplay.generators.blueprints.by_model.inspirations import unlike
from interplay.schemas.errors import ConfigError
from interplay.schemas.records.chat import ChatReply, ChatRequest

SON = "A mother of two has to move her son's check-up, since the school trip falls on the same day."
SON_AGAIN = "A mother of two must move her son's check-up because the school trip is on the same day."
BILL = "A retired teacher has found an invoice twice in the post and would like to settle it once."
RASH = "A cook burnt a hand at work and asks for the first free appointment with a dermatologist."
PILLS = "A night nurse is running out of tablets and needs the prescription renewed before the weekend."


class Composer:
    """A model that gives these answers in turn, and keeps what it was asked."""

    def __init__(self, *answers: list[str]) -> None:
        self.answers, self.asked = list(answers), list[ChatRequest]()

    async def complete(self, request: ChatRequest) -> ChatReply:
        self.asked.append(request)
        return ChatReply(value={"scenarios": self.answers.pop(0)})


def told(request: ChatRequest) -> dict[str, object]:
    content: dict[str, object] = json.loads(request.messages[1].content)
    return content


def test_leaves_out_what_is_like_another_one() -> None:
    assert unlike([SON, SON_AGAIN, f"  {BILL}\n"], []) == [SON, BILL]
    assert unlike([SON_AGAIN, BILL], [SON]) == [BILL]


def test_varies_what_was_found_until_there_is_enough() -> None:
    model = Composer([SON, SON_AGAIN], [BILL], [RASH, PILLS])
    mined = asyncio.run(mine(open_world(["domain:clinic"]).toolset, model, 3, ["Notes from the desk."]))
    assert mined.scenarios == (SON, BILL, RASH)
    assert mined.alike == 1
    first, second, third = map(told, model.asked)
    assert first["texts"] == ["Notes from the desk."]
    assert "known" not in first
    assert second["known"] == [SON]
    assert "something else done" in str(second["task"])
    assert "somebody else" in str(third["task"])


def test_gives_up_where_nothing_new_comes() -> None:
    model = Composer([SON], *[[SON_AGAIN]] * 3)
    assert asyncio.run(mine(open_world(["domain:clinic"]).toolset, model, 10)).scenarios == (SON,)


def test_the_file_is_what_a_configuration_names(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def brain(_ask: Ask) -> Answer:
        return Answer(text=json.dumps({"scenarios": [SON, SON_AGAIN, BILL]}))

    monkeypatch.setenv("OPENAI_API_KEY", "unused")
    path, found = tmp_path / "models.yaml", tmp_path / "scenarios.yaml"
    with serving(Settings(), brain) as server:
        settings = {"models": {"local": {"model": "m", "base_url": server.openai_url}}, "roles": {"composer": "local"}}
        path.write_text(json.dumps(settings))
        answer = interplay(monkeypatch, capsys, "scenarios", str(path), "--to", str(found), "-n", "2", "--json")
    assert answer.code == 0, answer.err
    assert json.loads(answer.out)["scenarios"] == [SON, BILL]
    path.write_text(json.dumps({**settings, "recipes": {"written": 0.5, "inspirations": "scenarios.yaml"}}))
    assert load_config(path).recipes.inspirations == (SON, BILL)
    found.write_text("no list")
    with pytest.raises(ConfigError, match="should hold a list"):
        load_config(path)
