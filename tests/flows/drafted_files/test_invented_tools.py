"""Tools that a model designs for a domain: they import, and the sandbox runs them."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from tests.flows.command_line import interplay
from tests.flows.serving import serving
from tests.model_server.answers import Answer, Ask
from tests.model_server.misbehaviour import Settings

from interplay.flows.drafted_files.invented_tools import invent
from interplay.flows.generation.generator import Generator
from interplay.flows.settings.config import RunConfig
from interplay.flows.worlds.assembly import open_graph, open_world
from interplay.schemas.records.chat import ChatReply, ChatRequest

LOAN = {"loan_id": {"type": "string"}, "member_id": {"type": "string"}, "title": {"type": "string"},
        "status": {"type": "string", "enum": ["open", "returned"]}}  # fmt: skip
MEMBER = {"member_id": {"type": "string"}, "name": {"type": "string"}, "email": {"type": "string", "format": "email"}}


def tool(name: str, required: dict[str, Any], returns: Any, reads: bool) -> dict[str, Any]:
    parameters = {"type": "object", "properties": required, "required": list(required)}
    text = returns if isinstance(returns, str) else json.dumps(returns)
    words = name.replace("_", " ").capitalize() + "."
    return {
        "name": name,
        "description": words,
        "parameters": json.dumps(parameters),
        "returns": text,
        "reads_only": reads,
    }


def shape(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


TOOLS = [
    tool("list_members", {}, {"type": "array", "items": shape(MEMBER)}, True),
    tool("create_member", {"name": MEMBER["name"], "email": MEMBER["email"]}, shape(MEMBER), False),
    tool("list_loans", {"member_id": LOAN["member_id"]}, {"type": "array", "items": shape(LOAN)}, True),
    tool("create_loan", {"member_id": LOAN["member_id"], "title": LOAN["title"]}, shape(LOAN), False),
    tool("return_loan", {"loan_id": LOAN["loan_id"]}, shape(LOAN), False),
]


class Composer:
    """A model that gives these answers in turn, and keeps what it was asked."""

    def __init__(self, *answers: Any) -> None:
        self.answers, self.asked = list(answers), list[ChatRequest]()

    async def complete(self, request: ChatRequest) -> ChatReply:
        self.asked.append(request)
        return ChatReply(value={"tools": self.answers.pop(0)})


def test_the_tools_of_a_described_domain_run_in_the_sandbox(tmp_path: Path) -> None:
    made = asyncio.run(invent("a public library", 5, Composer(TOOLS)))
    path = tmp_path / "library.json"
    path.write_text(made.text(), encoding="utf-8")
    spec = f"json:{path}"
    world = open_world([spec])
    generator = Generator(RunConfig(toolset=(spec,)), world, asyncio.run(open_graph(world)), "run")
    records = [asyncio.run(generator.make_record(index)) for index in range(12)]
    assert sum(record.status == "accepted" for record in records) >= 11
    assert {item.outcome for item in made.report.reports} == {"imported"}


def test_what_does_not_import_is_asked_for_once_more_with_the_reason() -> None:
    broken = tool("close_library", {}, shape(LOAN), False) | {"parameters": "no schema"}
    model = Composer([*TOOLS, broken], [tool("close_library", {}, shape(LOAN), False)])
    made = asyncio.run(invent("a public library", 6, model))
    assert [item["name"] for item in made.definitions][-1] == "close_library"
    told = json.loads(model.asked[1].messages[1].content)
    assert told["tools"] == 1
    assert told["these_would_not_do"][0]["name"] == "close_library"


def test_what_never_imports_is_left_out() -> None:
    broken = tool("close_library", {}, shape(LOAN), False) | {"parameters": "no schema"}
    made = asyncio.run(invent("a public library", 6, Composer([*TOOLS, broken], [broken])))
    assert [item["name"] for item in made.definitions] == [item["name"] for item in TOOLS]


def test_what_was_answered_is_not_asked_for_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    asked = []

    def brain(ask: Ask) -> Answer:
        asked.append(ask)
        return Answer(text=json.dumps({"tools": TOOLS}))

    monkeypatch.setenv("OPENAI_API_KEY", "unused")
    with serving(Settings(), brain) as server:
        settings = {"models": {"local": {"model": "m", "base_url": server.openai_url}}, "roles": {"composer": "local"}}
        (tmp_path / "models.yaml").write_text(json.dumps(settings))
        command = ("invent", "a public library", str(tmp_path / "models.yaml"), "--to", str(tmp_path / "library.json"))
        for again in ((), ("--force",)):
            answer = interplay(monkeypatch, capsys, *command, *again)
            assert answer.code == 0, answer.err
    assert len(asked) == 1
    assert interplay(monkeypatch, capsys, *command).code == 1  # the file is there
