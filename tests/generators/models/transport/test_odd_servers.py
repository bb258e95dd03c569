"""What servers send besides what the wires know: redirects, floods, other encodings."""

import asyncio
import gzip
import json
import zlib

import pytest
from tests.generators.models.raw import OWN_KEY, Raw, answering, asked_at, asked_of, saying
from tests.generators.models.wires import WAYS, WIRES

from interplay.generators.models.transport.transport_errors import Dropped, Rejected, ServerFailed
from interplay.schemas.errors import ModelError
from interplay.schemas.records.chat import ChatReply

every_wire = pytest.mark.parametrize("wire", WIRES)
every_way = pytest.mark.parametrize("wire", WAYS)


@every_wire
@pytest.mark.parametrize("status", [302, 307, 308])
def test_a_key_does_not_follow_a_redirect(wire: str, status: int) -> None:
    elsewhere = Raw(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}")

    async def run() -> ChatReply | ModelError:
        async with elsewhere as other:
            moved = f"HTTP/1.1 {status} Moved\r\nlocation: {other}/v1\r\ncontent-length: 0\r\n\r\n"
            async with Raw(moved.encode()) as address:
                return await asked_at(wire, address)

    error = asyncio.run(run())
    assert isinstance(error, Rejected)
    assert "set base_url to the address itself" in str(error)
    assert elsewhere.heard == []


@every_wire
def test_an_answer_that_unpacks_to_gigabytes_is_not_unpacked(wire: str) -> None:
    packed = gzip.compress(b" " * 100_000_000)
    head = f"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: {len(packed)}\r\n\r\n"
    server = Raw(head.encode() + packed)

    async def run() -> ChatReply | ModelError:
        async with server as address:
            return await asked_at(wire, address)

    assert isinstance(asyncio.run(run()), Rejected)
    assert b"accept-encoding: identity" in server.heard[0].lower()


@every_wire
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_answers_in_other_encodings_are_read(wire: str, encoding: str) -> None:
    body = json.dumps(saying(wire, "Grüezi."), ensure_ascii=False).encode(encoding)
    reply = asyncio.run(asked_of(wire, answering(body, "content-type: application/json")))
    assert isinstance(reply, ChatReply), reply
    assert reply.content == "Grüezi."


@every_wire
@pytest.mark.parametrize("packing", ["gzip", "deflate", "GZIP", "utf-8", "Identity", ""])
def test_what_is_said_of_packing_is_undone_once_or_taken_as_nothing(wire: str, packing: str) -> None:
    body = json.dumps(saying(wire, "Well. " * 20_000)).encode()
    packed = {"gzip": gzip.compress, "deflate": zlib.compress}.get(packing.lower(), bytes)(body)
    reply = asyncio.run(asked_of(wire, answering(packed, f"content-encoding: {packing}")))
    assert isinstance(reply, ChatReply), reply
    assert reply.content == "Well. " * 20_000


@every_wire
@pytest.mark.parametrize("packings", [["gzip, gzip"], ["gzip", "gzip"], ["identity", "gzip"]])
def test_an_answer_that_is_packed_more_than_once_is_not_unpacked(wire: str, packings: list[str]) -> None:
    body = json.dumps(saying(wire, "Well.")).encode() + b" " * 40_000_000
    for packing in ", ".join(packings).split(", "):
        body = gzip.compress(body) if packing == "gzip" else body
    headers = [f"content-encoding: {packing}" for packing in packings]
    error = asyncio.run(asked_of(wire, answering(body, *headers)))
    assert isinstance(error, ServerFailed), error
    assert "something other than JSON" in str(error)


@every_wire
@pytest.mark.parametrize("charset", ["zip", "hex", "rot13", "undefined", "idna", "nonsense", "utf-8"])
def test_an_error_is_read_whatever_it_is_said_to_be_written_in(wire: str, charset: str) -> None:
    body = '{"error": {"message": "Grüezi."}}'.encode()
    answer = answering(body, f"content-type: application/json; charset={charset}", status="503 Down")
    error = asyncio.run(asked_of(wire, answer))
    assert isinstance(error, ServerFailed), error
    assert "answered 503: Grüezi." in str(error)


@every_wire
@pytest.mark.parametrize("length", [60, 80, 270, 280])
def test_no_beginning_of_a_key_is_left_where_a_message_is_cut(wire: str, length: int) -> None:
    lead = "y" * length
    for answer in (
        answering(f"{lead}{OWN_KEY}".encode(), status="500 Oh"),
        answering(b"{}", f"x: {lead}{OWN_KEY}{'a' * 9000}"),
    ):
        error = asyncio.run(asked_of(wire, answer))
        assert isinstance(error, ServerFailed | Dropped), error
        pieces = {OWN_KEY[start : start + 8] for start in range(len(OWN_KEY) - 7)}
        assert not any(piece in str(error) for piece in pieces), error
