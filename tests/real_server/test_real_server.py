"""Everything that asks models, against llama.cpp's server with a model of random weights: real grammars, real failures."""

import asyncio
import json
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.flows.command_line import interplay, quiet
from tests.real_server.serving import MODEL, real_server

from interplay.flows.runs.run import run
from interplay.flows.runs.stages import open_generator
from interplay.flows.settings.config import RunConfig
from interplay.flows.settings.config_file import parse_config
from interplay.flows.workspaces.workspace import Workspace
from interplay.generators.models.client.abilities import ABILITIES, CAPITAL, TOOLS
from interplay.generators.models.client.structured_output import read_value
from interplay.generators.models.journal.journal_file import connect
from interplay.generators.models.providers.sdk_endpoints import open_endpoint
from interplay.generators.models.transport.endpoint_settings import EndpointSettings
from interplay.generators.models.transport.transport_errors import Rejected
from interplay.outputs.store.shard_file import read_shard
from interplay.schemas.errors import BudgetExceeded, ConfigError
from interplay.schemas.records.chat import ChatMessage, ChatReply, ChatRequest, Sampling
from interplay.schemas.records.verdict import DatasetRecord
from interplay.validators.chain import check_trajectory

WHY = "needs the extra `real`: pip install --editable '.[real]'"
pytest.importorskip("xllamacpp", reason=WHY)
pytest.importorskip("gguf", reason=WHY)
pytestmark = pytest.mark.real_server

PETS = f"json:{Path(__file__).with_name('pets.json')}"
INDICES, SEEDS = 8, 8
SECONDS = 600.0
"""Time after which a run is taken to hang; it needs about half a minute."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with real_server(tmp_path_factory.mktemp("server")) as address:
        yield address


def configured(address: str, *roles: str, toolset: str = PETS, **settings: Any) -> RunConfig:
    """Return a configuration in which the tiny model plays roles, each index tried once."""
    sampling = {"temperature": 1.0, "max_tokens": 120}
    choices = [{"model": "m", "sampling": {"seed": seed}} for seed in range(SEEDS)]
    busy = {"concurrency": 4, "timeout": 120, "patience": 60}
    model = {"model": MODEL, "base_url": address, "sampling": sampling, **busy}
    return parse_config(
        {
            "toolset": toolset, "models": {"m": model}, "roles": dict.fromkeys(roles, choices), "shard_size": INDICES // 2,
            "max_tries_per_record": 1, **settings,
        },
        "test",
    )  # fmt: skip


def make(folder: Path, config: RunConfig) -> list[DatasetRecord]:
    """Make all records within a bounded time; a random model leaves hardly any that is accepted."""

    async def main() -> None:
        async with asyncio.timeout(SECONDS):
            await run(Workspace(folder), config, quiet, records=INDICES)

    with pytest.raises(BudgetExceeded, match="accepted after"):
        asyncio.run(main())
    return [record for path in Workspace(folder).finished_shards() for record in read_shard(path)]


def answers(folder: Path) -> Counter[str]:
    """Count the answers that a workspace's journal holds, by role."""
    connection = connect(Workspace(folder).journal_file)
    rows = connection.execute("SELECT role, count(*) FROM answers GROUP BY role").fetchall()
    connection.close()
    return Counter(dict(rows))


def ask(address: str, **settings: Any) -> ChatReply:
    """Ask one question."""

    async def main() -> ChatReply:
        endpoint = open_endpoint(EndpointSettings(model=MODEL, base_url=address))
        try:
            said = (ChatMessage(role="user", content=settings.pop("text", "What is the weather in Paris?")),)
            return await endpoint.complete(ChatRequest(messages=said, **settings))
        finally:
            await endpoint.aclose()

    return asyncio.run(main())


def test_every_index_ends_as_a_record_with_a_reason(server: str, tmp_path: Path) -> None:
    config = configured(server, "user", "assistant", "tool")
    made = make(tmp_path, config)
    assert [record.index for record in made] == list(range(INDICES))
    for record in made:
        assert record.status == "accepted" or any(verdict.issues for verdict in record.verdicts), record.index
    assert {record.stage for record in made}.isdisjoint({"crash"})
    counted = answers(tmp_path)
    assert set(counted) == {"user", "assistant", "tool"}
    played = [record.trajectory for record in made if record.trajectory]
    assert all(trajectory.models.keys() == {"user", "assistant", "tool"} for trajectory in played)


def test_asks_nothing_again_that_was_answered(tmp_path: Path) -> None:
    first, again = tmp_path / "first", tmp_path / "again"
    again.mkdir()
    with real_server(tmp_path) as address:
        config = configured(address, "user", "assistant", "tool")
        made = make(first, config)
    shutil.copy(Workspace(first).journal_file, Workspace(again).journal_file)
    kept = answers(first)
    assert make(again, config) == made  # there is no server any more
    assert answers(again) == kept


@pytest.mark.parametrize("toolset", [PETS, "domain:clinic"])
def test_accepts_nothing_that_a_check_rejects(server: str, tmp_path: Path, toolset: str) -> None:
    config = configured(server, "user", "assistant", toolset=toolset)
    made = make(tmp_path, config)
    assert {record.stage for record in made}.isdisjoint({"crash", "model"})
    judged = {record.index: record.stage for record in made if record.trajectory is not None}
    assert judged
    assert asyncio.run(_judged_again(tmp_path, made)) == judged


async def _judged_again(folder: Path, made: list[DatasetRecord]) -> dict[int, str | None]:
    """Return the check that rejects each dialogue, in a world that was opened anew."""
    generator = await open_generator(Workspace(folder))
    place = generator.workshop(0)
    found: dict[int, str | None] = {}
    for record in made:
        if record.blueprint is not None and record.trajectory is not None:
            judgement = await check_trajectory(record.trajectory, record.blueprint, place.trajectory_checks)
            found[record.index] = judgement.stage
    await generator.aclose()
    return found


def test_calls_several_offered_tools_at_once(server: str) -> None:
    replies = [
        ask(server, tools=TOOLS, tool_choice="required", sampling=Sampling(seed=seed, temperature=1.0, max_tokens=400))
        for seed in range(8)
    ]
    whole = [reply for reply in replies if reply.stop == "tool_calls"]
    assert any(len(reply.tool_calls) > 1 for reply in whole)
    for call in [call for reply in whole for call in reply.tool_calls]:
        assert call.name in {tool.name for tool in TOOLS}
        assert isinstance(json.loads(call.arguments)["city"], str)
    assert all(reply.usage.prompt > 0 and reply.usage.completion > 0 for reply in replies)


def test_an_answer_that_is_cut_off_says_so(server: str) -> None:
    replies = [
        ask(server, tools=TOOLS, tool_choice="required", sampling=Sampling(seed=seed, temperature=1.0, max_tokens=24))
        for seed in range(8)
    ]
    cut = [reply for reply in replies if reply.stop == "length"]
    assert cut
    assert any(not _whole(call.arguments) for reply in cut for call in reply.tool_calls)


def _whole(arguments: str) -> bool:
    try:
        json.loads(arguments)
    except ValueError:
        return False
    return True


def test_answers_satisfy_the_schema_that_the_server_enforces(server: str) -> None:
    for seed in range(4):
        reply = ask(server, output=CAPITAL, sampling=Sampling(seed=seed, temperature=1.0, max_tokens=600))
        assert reply.stop == "end"
        assert read_value(reply.content, CAPITAL.json_schema)[1] == ()


def test_a_prompt_beyond_the_context_is_refused_with_the_reason(tmp_path: Path) -> None:
    with real_server(tmp_path, context=512) as address, pytest.raises(Rejected, match="context") as refused:
        ask(address, text="Where is my parcel? " * 400)
    assert refused.value.status == 400


def test_dialogues_beyond_the_context_cost_their_records_alone(tmp_path: Path) -> None:
    with real_server(tmp_path, context=12_500) as address:
        made = make(tmp_path / "workspace", configured(address, "user", "assistant", toolset="domain:clinic"))
    assert len(made) == INDICES
    reasons = [issue.message for record in made for verdict in record.verdicts for issue in verdict.issues]
    assert any("context" in reason for reason in reasons)


def test_a_context_that_no_first_request_fits_in_ends_the_run(tmp_path: Path) -> None:
    with real_server(tmp_path, context=1_280) as address, pytest.raises(ConfigError, match="context"):
        make(tmp_path / "workspace", configured(address, "user", "assistant", toolset="domain:clinic"))


def test_check_prints_what_the_server_can_do(
    server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    config = configured(server, "user", "assistant", "tool").model_dump(mode="json", exclude_defaults=True)
    (tmp_path / "interplay.yaml").write_text(json.dumps(config))
    told = interplay(monkeypatch, capsys, "check", tmp_path / "interplay.yaml")
    for ability in ABILITIES:
        assert ability in told.out
    assert told.out.count("✓") + told.out.count("✗") == len(ABILITIES)
    assert told.out.count("fix:") == told.out.count("✗")
