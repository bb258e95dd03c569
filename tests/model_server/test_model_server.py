"""The server misbehaves as told, speaks as the SDKs expect, and counts what it saw."""

import asyncio
import json
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import anthropic
import openai
import pytest
from tests.model_server.answers import example
from tests.model_server.misbehaviour import Fault, Settings, fault_for, latency_of, read_fault, settings_from
from tests.model_server.server import ModelServer

from interplay.schemas.json.validation import is_valid

ROOT = Path(__file__).parents[2]


def body(text: str) -> dict[str, Any]:
    return {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": text}]}


def test_reads_how_to_misbehave() -> None:
    assert read_fault("429=2:0.05") == Fault("429", "2", 0.05)
    assert read_fault("drop@3,5") == Fault("drop", at=(3, 5))
    assert read_fault("503@0!/batches") == Fault("503", at=(0,), on="/batches")
    assert settings_from({"latency": 1, "faults": ["500:0.5"], "outage": [1, 2]}).outage == (1, 2)
    with pytest.raises(ValueError, match="no misbehaviour"):
        read_fault("sulk")


def test_shares_add_up_and_depend_on_the_seed_alone() -> None:
    settings = Settings(faults=(read_fault("429:0.1"), read_fault("500:0.2")))
    kinds = [fault.kind if (fault := fault_for(settings, index, "", True)) else "" for index in range(5000)]
    again = [fault.kind if (fault := fault_for(settings, index, "", True)) else "" for index in range(5000)]
    assert kinds == again
    assert 0.08 < kinds.count("429") / 5000 < 0.12
    assert 0.18 < kinds.count("500") / 5000 < 0.22


def test_latency_may_be_spread() -> None:
    drawn = sorted(latency_of(Settings(latency=2.0, spread=0.5), index) for index in range(999))
    assert 1.8 < drawn[500] < 2.2
    assert drawn[-1] > 4


@pytest.mark.parametrize(
    "schema",
    [
        {
            "type": "object",
            "properties": {"a": {"$ref": "#/$defs/x"}},
            "required": ["a"],
            "$defs": {"x": {"enum": [3]}},
        },
        {"type": "array", "items": {"type": "integer", "minimum": 5}, "minItems": 2},
        {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}]},
        {"type": ["boolean", "null"]},
    ],
)
def test_examples_satisfy_their_schemas(schema: dict[str, Any]) -> None:
    assert is_valid(example(schema), schema)


async def finished_openai(client: openai.AsyncOpenAI, count: int) -> tuple[str, dict[str, int], list[str]]:
    url = "/v1/chat/completions"
    rows = [{"custom_id": f"c{n}", "method": "POST", "url": url, "body": body(f"Q{n}")} for n in range(count)]
    content = "\n".join(json.dumps(row) for row in rows).encode()
    file = await client.files.create(file=("batch.jsonl", content), purpose="batch")
    batch = await client.batches.create(input_file_id=file.id, endpoint=url, completion_window="24h")
    while batch.status in ("validating", "in_progress"):
        batch = await client.batches.retrieve(batch.id)
    found = []
    for name in (batch.output_file_id, batch.error_file_id):
        if name:
            found += [json.loads(line) for line in (await client.files.content(name)).content.splitlines()]
    good = [row["custom_id"] for row in found if row["response"] and row["response"]["status_code"] == 200]
    counts = batch.request_counts
    assert counts is not None
    return batch.status, counts.model_dump(), good


def test_openai_batches_finish_expire_and_fail_in_part() -> None:
    async def run() -> tuple[str, dict[str, int], list[str]]:
        settings = Settings(batch_polls=3, batch_expired=0.2, batch_failed=0.2)
        async with (
            ModelServer(settings) as server,
            openai.AsyncOpenAI(base_url=server.openai_url, api_key="x", max_retries=0) as client,
        ):
            return await finished_openai(client, 40)

    status, counts, good = asyncio.run(run())
    assert status == "expired"
    assert counts == {"total": 40, "completed": len(good), "failed": 40 - len(good)}
    assert 15 < len(good) < 36
    assert good != sorted(good), "the order is free"


def test_anthropic_batches_finish_expire_and_fail_in_part() -> None:
    async def run() -> list[tuple[str, str]]:
        settings = Settings(batch_polls=3, batch_expired=0.2, batch_failed=0.2)
        async with (
            ModelServer(settings) as server,
            anthropic.AsyncAnthropic(base_url=server.anthropic_url, api_key="x", max_retries=0) as client,
        ):
            requests: Any = [{"custom_id": f"c{n}", "params": body(f"Q{n}")} for n in range(40)]
            batch = await client.messages.batches.create(requests=requests)
            while batch.processing_status != "ended":
                batch = await client.messages.batches.retrieve(batch.id)
            return [(row.custom_id, row.result.type) async for row in await client.messages.batches.results(batch.id)]

    rows = asyncio.run(run())
    assert {name for name, _ in rows} == {f"c{n}" for n in range(40)}
    assert {kind for _, kind in rows} == {"succeeded", "expired", "errored"}


def test_files_and_batches_can_fail_too() -> None:
    async def run() -> list[int]:
        async with (
            ModelServer(Settings(faults=(read_fault("503@1!/batches"),))) as server,
            openai.AsyncOpenAI(base_url=server.openai_url, api_key="x", max_retries=0) as client,
        ):
            with pytest.raises(openai.InternalServerError):
                await finished_openai(client, 3)
            return [server.seen.errands, server.seen.asked.total()]

    assert asyncio.run(run()) == [2, 0]


def test_batches_have_limits() -> None:
    async def run() -> tuple[str, dict[str, int], list[str]]:
        async with (
            ModelServer(Settings(batch_limit=3)) as server,
            openai.AsyncOpenAI(base_url=server.openai_url, api_key="x", max_retries=0) as client,
        ):
            return await finished_openai(client, 4)

    assert asyncio.run(run())[0] == "failed"


def test_runs_in_its_own_process_and_tells_what_it_saw() -> None:
    command = [sys.executable, "-m", "tests.model_server", "--fault", "429=2@1", "--latency", "0.01"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        try:
            assert process.stdout is not None
            address = f"http://127.0.0.1:{int(process.stdout.readline())}"
            statuses = [post(f"{address}/v1/chat/completions", body(text)) for text in ("A.", "A.", "A.")]
            seen = json.loads(urllib.request.urlopen(f"{address}/stats", timeout=10).read())
            post(f"{address}/reset", {"faults": ["500"]})
            after = post(f"{address}/v1/messages", body("A."))
        finally:
            process.terminate()
    assert statuses == [200, 429, 200]
    assert (seen["asked"], seen["answered"], seen["distinct"], seen["answered_twice"]) == (3, 2, 1, 1)
    assert seen["outcomes"] == {"200": 2, "429": 1}
    assert after == 500


def post(url: str, content: dict[str, Any]) -> int:
    request = urllib.request.Request(url, json.dumps(content).encode(), {"content-type": "application/json"})
    try:
        status: int = urllib.request.urlopen(request, timeout=10).status
    except urllib.error.HTTPError as error:
        return error.code
    return status


def test_lets_so_many_a_second_in_and_is_out_for_a_while() -> None:
    async def run(settings: Settings, count: int, pause: float) -> dict[str, int]:
        async with (
            ModelServer(settings) as server,
            openai.AsyncOpenAI(base_url=server.openai_url, api_key="x", max_retries=0) as client,
        ):
            for number in range(count):
                try:
                    await client.chat.completions.create(model="m", messages=[{"role": "user", "content": f"{number}"}])
                except openai.APIStatusError:
                    await asyncio.sleep(pause)
            return dict(server.seen.outcomes)

    assert asyncio.run(run(Settings(rate=0.001, burst=5000), 9, 0.0)) == {"200": 5, "429": 4}
    assert set(asyncio.run(run(Settings(outage=(0.0, 0.2)), 20, 0.05))) == {"200", "503"}
