"""Processes that are killed while batches are under way, at the worst moments: nothing is submitted twice."""

import asyncio
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.generators.models.batches.desks import expected, open_at
from tests.generators.models.wires import KEY, question
from tests.model_server.server import ModelServer, Settings, read_fault

from interplay.generators.models.batches.batch_ledger import BatchLedger
from interplay.generators.models.journal.journal_file import Question, question_of

wires = pytest.mark.parametrize("wire", ["chat", "messages"])


def sizes(server: ModelServer) -> list[int]:
    return [len(batch.items) for batch in server.batches.batches.values()]


async def start(wire: str, server: ModelServer, folder: Path) -> asyncio.subprocess.Process:
    address = server.anthropic_url if wire == "messages" else server.openai_url
    arguments = ("-m", "tests.generators.models.batches.batch_child", wire, address, str(folder))
    return await asyncio.create_subprocess_exec(sys.executable, *arguments)


async def killed_when(moment: Callable[[], bool], child: asyncio.subprocess.Process) -> None:
    async with asyncio.timeout(30):
        while not moment():
            assert child.returncode is None
            await asyncio.sleep(0.005)
    child.kill()
    await child.wait()


async def played(wire: str, server: ModelServer, folder: Path) -> Any:
    async with asyncio.timeout(30), open_at(wire, server, folder) as desk:
        return await desk.play()


async def left_when(moment: Callable[[], bool], wire: str, server: ModelServer, folder: Path) -> None:
    """Stop without a kill, which takes no process."""
    async with open_at(wire, server, folder) as desk:
        playing = asyncio.ensure_future(desk.play())
        async with asyncio.timeout(30):
            while not moment():
                await asyncio.sleep(0.005)
        playing.cancel()
        await asyncio.wait((playing,))


def ledger_rows(folder: Path) -> list[tuple[str, str]]:
    connection = sqlite3.connect(folder / "journal.sqlite")
    return list(connection.execute("SELECT state, remote FROM batches ORDER BY id"))


@wires
def test_a_batch_under_way_is_taken_up_again(wire: str, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with ModelServer(Settings(batch_polls=15)) as server:
            for wave in (1, 2):
                child = await start(wire, server, tmp_path)
                await killed_when(lambda wave=wave: under_way(server, wave), child)  # type: ignore[misc]
            assert await played(wire, server, tmp_path) == expected()
            assert sizes(server) == [5, 5, 5]
            assert set(server.seen.answered.values()) == {1}
            assert [state for state, _ in ledger_rows(tmp_path)] == ["ended"] * 3
            assert server.batches.files == {}
            assert not list(tmp_path.glob("*.lock"))
            assert all(KEY.encode() not in path.read_bytes() for path in tmp_path.iterdir())

    asyncio.run(scenario())


def under_way(server: ModelServer, count: int) -> bool:
    batches = list(server.batches.batches.values())
    return len(batches) == count and batches[-1].polls > 1


@wires
def test_a_batch_whose_id_was_never_heard_is_found_again(wire: str, tmp_path: Path) -> None:
    async def scenario() -> None:
        path = "messages/batches" if wire == "messages" else "v1/batches"
        async with ModelServer(Settings(faults=(read_fault(f"silent@1!{path}"),))) as server:
            child = await start(wire, server, tmp_path)
            await killed_when(lambda: sizes(server) == [5], child)
            assert ledger_rows(tmp_path) == [("prepared", "")]
            assert await played(wire, server, tmp_path) == expected()
            assert sizes(server) == [5, 5, 5]

    asyncio.run(scenario())


@wires
def test_a_batch_that_never_came_to_be_is_submitted(wire: str, tmp_path: Path) -> None:
    async def scenario() -> None:
        path = "messages/batches" if wire == "messages" else "v1/batches"
        async with ModelServer(Settings(faults=(read_fault(f"500@1,2,3,4,5,6,7,8,9!{path}"),))) as server:
            child = await start(wire, server, tmp_path)
            await killed_when(lambda: server.seen.errands > 1, child)
            assert ledger_rows(tmp_path) == [("prepared", "")]
            server.reset(Settings())
            assert await played(wire, server, tmp_path) == expected()
            assert sizes(server) == [5, 5, 5]
            assert [state for state, _ in ledger_rows(tmp_path)] == ["ended"] * 4

    asyncio.run(scenario())


def test_a_strangers_batch_of_the_same_size_is_not_taken_for_ours(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with ModelServer(Settings(faults=(read_fault("500@1,2,3,4,5,6,7,8,9!messages/batches"),))) as server:
            await left_when(lambda: server.seen.errands > 1, "messages", server, tmp_path / "ours")
            server.reset(Settings())
            async with open_at("messages", server, tmp_path / "theirs") as desk:
                await asyncio.gather(*(desk.model.complete(question(f"other {number}")) for number in range(5)))
            assert sizes(server) == [5]
            assert await played("messages", server, tmp_path / "ours") == expected()
            assert sizes(server) == [5, 5, 5, 5]

    asyncio.run(scenario())


def test_a_strangers_batch_that_does_not_end_is_neither_waited_for_nor_cancelled(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with ModelServer(Settings(faults=(read_fault("500@1,2,3,4,5,6,7,8,9!messages/batches"),))) as server:
            await left_when(lambda: server.seen.errands > 1, "messages", server, tmp_path / "ours")
            connection = sqlite3.connect(tmp_path / "ours" / "journal.sqlite")
            with connection:
                connection.execute("UPDATE batches SET began = 0")
            server.reset(Settings(batch_polls=1000))
            await left_when(lambda: under_way(server, 1), "messages", server, tmp_path / "theirs")
            server.reset(Settings())
            server.batches.batches["msgbatch_0"].polls = -1000
            assert await played("messages", server, tmp_path / "ours") == expected()
            assert sizes(server) == [5, 5, 5, 5]
            assert server.batches.batches["msgbatch_0"].status == "in_progress"

    asyncio.run(scenario())


@wires
def test_a_batch_that_the_provider_has_forgotten_is_submitted_again(wire: str, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with ModelServer(Settings(batch_polls=1000)) as server:
            await left_when(lambda: under_way(server, 1), wire, server, tmp_path)
            server.reset(Settings())
            server.batches.batches.clear()
            assert await played(wire, server, tmp_path) == expected()

    asyncio.run(scenario())


@wires
def test_answers_that_were_taken_before_a_kill_are_not_counted_again(wire: str, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with ModelServer() as server:
            async with open_at(wire, server, tmp_path) as desk:
                await desk.play(turns=1)
                sums = desk.journal.sums
                (remote,) = desk.ledger.known(desk.model.endpoint.base_url)
                keys = [bytes.fromhex(item[0]) for item in server.batches.batches[remote].items]
                at = desk.model.endpoint
                again = [Question(key, 100, "assistant", at.model, at.base_url, 0, True) for key in keys]
                desk.ledger.submitted(desk.ledger.prepare("m", at.path, "", again), remote)
            async with open_at(wire, server, tmp_path) as desk:
                await desk.model.resume()
                assert desk.journal.sums == sums
                assert [calls for (calls, *_) in sums.values()] == [5]
            assert sizes(server) == [5]

    asyncio.run(scenario())


def test_the_batches_of_a_living_process_are_its_own(tmp_path: Path) -> None:
    first, second, third = (BatchLedger(tmp_path / "journal.sqlite") for _ in range(3))
    asked = question_of("http://a.test/v1", "/chat/completions", "m", {"a": 1}, "user", 3, batch=True, speaker="a (2)")
    entry = first.submitted(first.prepare("small", "/chat/completions", "file-1", [asked]), "batch_1")
    place = ("small", "http://a.test/v1", "/chat/completions", "m")
    assert first.unfinished(*place) == (entry,)
    assert second.unfinished(*place) == ()
    first.close()
    assert second.unfinished("large", *place[1:]) == ()
    assert second.unfinished(*place) == (entry,)
    assert third.unfinished(*place) == ()
    second.ended(entry)
    assert second.unfinished(*place) == ()
    assert third.known("http://a.test/v1") == {"batch_1"}
