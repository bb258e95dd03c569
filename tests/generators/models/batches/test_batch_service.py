"""Streams of results -> lines, however they are cut and however long they are; ids and objects that servers give."""

import asyncio
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interplay.generators.models.batches.batch_service import _lines, answered, count_in, id_in, read_object
from interplay.generators.models.transport.credentials import Secrets
from interplay.generators.models.transport.transport_errors import RateLimited, Rejected, ServerFailed

HERE: Any = SimpleNamespace(model="m", base_url="http://a.test", secrets=Secrets("sk-planted-0123456789"))
LONGEST = 8


async def read(chunks: list[bytes], most: int = 10**6) -> tuple[list[bytes], int]:
    taken: list[bytes] = []

    async def each(line: bytes) -> bool:
        taken.append(line)
        return len(taken) < most

    async def stream() -> AsyncIterator[bytes]:
        for chunk in chunks:
            yield chunk

    return taken, await _lines(stream(), LONGEST, each)


@given(
    st.lists(st.lists(st.sampled_from([b"a", b"bb", b"ccccc", b"\n", b"\n\n"]), max_size=6).map(b"".join), max_size=8)
)
def test_lines_do_not_depend_on_how_a_stream_is_cut(chunks: list[bytes]) -> None:
    whole = b"".join(chunks).split(b"\n")
    whole = whole if whole[-1] else whole[:-1]
    taken, left_out = asyncio.run(read(chunks))
    assert taken == [line for line in whole if len(line) <= LONGEST]
    assert left_out == sum(len(line) > LONGEST for line in whole)


def test_reads_no_further_than_it_is_told() -> None:
    taken, _ = asyncio.run(read([b"a\nb\nc\n", b"d\n"], most=2))
    assert taken == [b"a", b"b"]


@pytest.mark.parametrize("found", [None, 7, "", "..", "a/b", "a?b", "a" * 300, "http://elsewhere.test", "a\nb", "a b"])
def test_an_id_that_would_lead_elsewhere_is_none(found: Any) -> None:
    with pytest.raises(ServerFailed):
        id_in(HERE, {"id": found})


def test_takes_the_ids_of_both_providers() -> None:
    for name in ("batch_abc123", "file-0-6f", "msgbatch_01HkcTjaV5uDC8jWR4ZsDV8d"):
        assert id_in(HERE, {"id": name}) == name


@pytest.mark.parametrize("body", [b"", b"<html>", b"[1]", b"null", b"[" * 100_000, b'{"a":'])
def test_what_is_no_object_is_a_failure_of_the_server(body: bytes) -> None:
    with pytest.raises(ServerFailed):
        read_object(HERE, body)


def test_reads_counts_that_are_counts() -> None:
    assert count_in({"a": 2, "b": True, "c": -1, "d": "3", "e": 4}, *"abcdef") == 6
    assert count_in("none", "a") == 0


def test_tells_answers_from_what_went_wrong() -> None:
    assert answered(HERE, 200, {"choices": []}) == b'{"choices":[]}'
    assert isinstance(answered(HERE, 200, {"error": "gone"}), ServerFailed)
    assert isinstance(answered(HERE, 500, {}), ServerFailed)
    assert isinstance(answered(HERE, 429, {"error": {"code": "rate_limit"}}), RateLimited)
    assert isinstance(answered(HERE, 429, {"error": {"code": "insufficient_quota"}}), Rejected)
    refused = answered(HERE, 400, {"error": {"message": "not with sk-planted-0123456789"}})
    assert isinstance(refused, Rejected)
    assert "planted" not in str(refused)
