"""The whole path over the real SDKs: a server that misbehaves and echoes keys, retries, and a journal on the disk."""

import asyncio
import sqlite3
from pathlib import Path

import pytest
from tests.generators.models.endpoints import open_model
from tests.generators.models.wires import KEY, WIRES, endpoint, question
from tests.model_server.answers import Answer, Ask
from tests.model_server.server import ModelServer, Seen, Settings, read_fault

from interplay.generators.models.journal.journal_file import unpacked
from interplay.schemas.records.chat import ChatReply

KINDS = ("429=20ms", "500", "drop", "half", "echo_key", "html", "bad_json")
FAULTS = tuple(f"{kind}@{place},{place + 20},{place + 40}" for place, kind in enumerate(KINDS))


def echo(ask: Ask) -> Answer:
    return Answer(text=f"{ask.text} was asked with {dict(ask.headers)} " + "and so on " * 100)


async def play(wire: str, journal: Path) -> tuple[list[ChatReply], Seen]:
    async with ModelServer(Settings(faults=tuple(read_fault(fault) for fault in FAULTS)), echo) as server:
        asked = endpoint(wire, server)
        model = open_model(journal, asked)
        replies = await asyncio.gather(*(model.complete(question(f"Question {number}")) for number in range(60)))
        await asked.aclose()
        model.journal.close()
        return replies, server.seen


@pytest.mark.parametrize("wire", WIRES)
def test_all_are_answered_once_and_no_key_reaches_the_disk(wire: str, tmp_path: Path) -> None:
    replies, seen = asyncio.run(play(wire, tmp_path))
    assert [reply.content.split(" was ")[0] for reply in replies] == [f"Question {number}" for number in range(60)]
    assert set(seen.answered.values()) == {1}
    assert {"200", "429", "500", "drop", "half", "unusable"} == set(seen.outcomes), "the server misbehaved"
    kept = list(sqlite3.connect(next(tmp_path.rglob("*.sqlite*"))).execute("SELECT packed, body FROM answers"))
    bodies = [unpacked(packed, body) for packed, body in kept]
    assert len(bodies) == 60
    assert all(b"[key]" in body for body in bodies), "the server echoed the key"
    everything = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()) + b"".join(bodies)
    assert KEY.encode() not in everything
