import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.generators.models.clock import run_fast
from tests.generators.models.endpoints import TalkingEndpoint, answers, open_model, question
from tests.generators.models.wires import MOOD

from interplay.generators.models.client.structured_output import OutputInvalid, Structured
from interplay.generators.models.journal.journal_file import Question
from interplay.generators.models.journal.journal_report import counts, entries
from interplay.generators.models.limits.limit_settings import LimitSettings, RetrySettings
from interplay.generators.models.limits.limiter import UNWANTED, EndpointDown
from interplay.generators.models.transport.transport_errors import (
    Dropped,
    RateLimited,
    Rejected,
    RejectsAll,
    ServerFailed,
)
from interplay.schemas.errors import ModelError, ModelUnavailable
from interplay.schemas.records.dialogue import Usage

TEXTS = [f"question {number}" for number in range(200)]


def now() -> float:
    return asyncio.get_running_loop().time()


def test_asks_nothing_twice(tmp_path: Path) -> None:
    first, second = TalkingEndpoint(), TalkingEndpoint()
    for endpoint in (first, second):
        model = open_model(tmp_path, endpoint)
        assert [reply.content for reply in asyncio.run(answers(model, TEXTS))] == TEXTS
        model.journal.close()
    assert sorted(first.asked) == sorted(TEXTS)
    assert second.asked == []


def test_what_a_kill_would_lose_never_exceeds_the_limit(tmp_path: Path) -> None:
    endpoint = TalkingEndpoint(lambda _: asyncio.sleep(0))
    model = open_model(tmp_path, endpoint, LimitSettings(concurrency=5))
    keep, unkept, most = model.journal.put, 0, 0

    async def put(asked: Question, body: bytes, usage: Usage, written: Callable[[], None]) -> None:
        nonlocal unkept, most
        unkept += 1
        most = max(most, unkept + endpoint.in_flight)

        def outlives_a_kill() -> None:
            nonlocal unkept
            unkept -= 1
            written()

        await asyncio.sleep(0.002)
        await keep(asked, body, usage, outlives_a_kill)

    model.journal.put = put  # type: ignore[method-assign]
    assert [reply.content for reply in asyncio.run(answers(model, TEXTS))] == TEXTS
    assert most == 5
    assert model.limiter.snapshot().in_flight == 0


def test_an_answer_that_is_not_as_asked_for_counts_as_failed(tmp_path: Path) -> None:
    model = open_model(tmp_path, TalkingEndpoint())

    async def scenario() -> None:
        with pytest.raises(OutputInvalid):
            await Structured(model).complete(question("no JSON", output=MOOD))
        await Structured(model).complete(question('{"mood": "good", "why": ""}', output=MOOD))

    asyncio.run(scenario())
    model.journal.close()
    assert [(count.outcome, count.answers) for count in counts(model.journal.path)] == [("answered", 1), ("failed", 2)]
    assert "no JSON value" in next(entry.reason for entry in entries(model.journal.path) if entry.reason)
    assert model.limiter.snapshot().errors == {"invalid": 2}


def test_asks_once_what_is_asked_at_the_same_time(tmp_path: Path) -> None:
    endpoint = TalkingEndpoint(lambda _: asyncio.sleep(1))
    replies = run_fast(answers(open_model(tmp_path, endpoint), ["same"] * 20))
    assert {reply.content for reply in replies} == {"same"}
    assert endpoint.asked == ["same"]


def test_goes_on_for_the_others_when_the_one_who_asks_is_cancelled(tmp_path: Path) -> None:
    endpoint = TalkingEndpoint(lambda _: asyncio.sleep(1))
    model = open_model(tmp_path, endpoint)

    async def scenario() -> str:
        first = asyncio.ensure_future(model.complete(question("same")))
        await asyncio.sleep(0.5)
        second = asyncio.ensure_future(model.complete(question("same")))
        await asyncio.sleep(0.1)
        first.cancel()
        return (await second).content

    assert run_fast(scenario()) == "same"
    assert endpoint.asked == ["same", "same"]
    assert model.limiter.in_flight == 0


def test_asks_again_for_another_sample(tmp_path: Path) -> None:
    endpoint = TalkingEndpoint()
    model = open_model(tmp_path, endpoint)

    async def scenario() -> None:
        for sample in (0, 1, 1):
            await model.complete(question("same", sample=sample))

    asyncio.run(scenario())
    assert endpoint.asked == ["same", "same"]


def test_says_who_answered(tmp_path: Path) -> None:
    reply = asyncio.run(open_model(tmp_path, TalkingEndpoint()).complete(question("hello")))
    assert (reply.model, reply.endpoint) == ("echo", "http://echo.test/v1")


def test_keeps_an_answer_that_cannot_be_used_and_does_not_buy_it_again(tmp_path: Path) -> None:
    for asked in (1, 0):
        endpoint = TalkingEndpoint()
        model = open_model(tmp_path, endpoint)
        with pytest.raises(ModelError, match="cannot be used"):
            asyncio.run(model.complete(question("unusable")))
        model.journal.close()
        assert len(endpoint.asked) == asked
        assert model.limiter.snapshot().errors == {"unusable": 1}


def test_loses_nothing_to_failures(tmp_path: Path) -> None:
    async def behave(index: int) -> None:
        await asyncio.sleep(0.05)
        if index % 10 < 3:
            raise (ServerFailed("no", 500), Dropped("gone"), RateLimited("slow"))[index % 10]

    endpoint = TalkingEndpoint(behave)
    model = open_model(tmp_path, endpoint)
    assert [reply.content for reply in run_fast(answers(model, TEXTS))] == TEXTS
    shown = model.limiter.snapshot()
    assert (shown.answers, shown.in_flight, shown.waiting, shown.waiting_on_rate_limit) == (200, 0, 0, 0)
    assert shown.requests == len(endpoint.asked) == 200 + sum(shown.errors.values())
    assert set(shown.errors) == {"500", "dropped", "429"}


def test_does_not_repeat_what_is_rejected(tmp_path: Path) -> None:
    async def behave(_index: int) -> None:
        raise Rejected("no such model", 404)

    endpoint = TalkingEndpoint(behave)
    model = open_model(tmp_path, endpoint)
    with pytest.raises(Rejected):
        run_fast(model.complete(question("hello")))
    assert len(endpoint.asked) == 1
    assert model.limiter.snapshot().errors == {"rejected_404": 1}


def test_says_so_where_no_request_of_a_role_is_taken_from_the_first_one_on(tmp_path: Path) -> None:
    async def behave(_index: int) -> None:
        if endpoint.asked[-1].startswith("odd"):
            raise Rejected("tools are off.", 400)

    endpoint = TalkingEndpoint(behave)
    model = open_model(tmp_path, endpoint)
    odd = [f"odd {number}" for number in range(UNWANTED)]
    run_fast(answers(model, ["even"], role="user"))
    told = run_fast(answers(model, odd, role="assistant"))
    assert [type(error) for error in told] == [Rejected] * (UNWANTED - 1) + [RejectsAll]
    assert "tools are off. It took no request of the role assistant so far." in str(told[-1])
    run_fast(answers(model, ["even"], role="assistant"))
    for role in ("user", "assistant"):
        assert {type(error) for error in run_fast(answers(model, odd, role=role))} == {Rejected}


def test_gives_up_after_so_many_attempts(tmp_path: Path) -> None:
    async def behave(index: int) -> None:
        if index % 2 == 0:
            raise ServerFailed("broken", 500)

    endpoint = TalkingEndpoint(behave)
    model = open_model(tmp_path, endpoint, retries=RetrySettings(attempts=1))
    with pytest.raises(ModelUnavailable, match="after 1 failures"):
        run_fast(model.complete(question("hello")))
    assert len(endpoint.asked) == 1


def test_an_endpoint_that_refuses_all_for_longer_than_the_deadline_is_down(tmp_path: Path) -> None:
    async def behave(_index: int) -> None:
        raise RateLimited("slow", retry_after=3600)

    model = open_model(tmp_path, TalkingEndpoint(behave), retries=RetrySettings(deadline=600))

    async def scenario() -> float:
        with pytest.raises(EndpointDown, match=r"come back in 3600 s: slow Nothing is lost"):
            await model.complete(question("hello"))
        return now()

    assert run_fast(scenario()) < 60


def test_a_question_that_alone_is_told_to_come_back_too_late_is_asked_again(tmp_path: Path) -> None:
    async def behave(index: int) -> None:
        await asyncio.sleep(0.05)
        if index == 3:
            raise RateLimited("slow", retry_after=3600)

    model = open_model(tmp_path, TalkingEndpoint(behave), retries=RetrySettings(deadline=600))
    assert [reply.content for reply in run_fast(answers(model, TEXTS))] == TEXTS


def test_waits_as_long_as_it_is_told_and_lets_the_others_pass(tmp_path: Path) -> None:
    ended: list[float] = []

    async def behave(index: int) -> None:
        await asyncio.sleep(0.05)
        if index == 3:
            raise RateLimited("slow", retry_after=30)
        ended.append(now())

    run_fast(answers(open_model(tmp_path, TalkingEndpoint(behave)), TEXTS))
    assert len(ended) == len(TEXTS)
    assert 30 < ended[-1] < 31
    assert ended[-2] < 1


def test_survives_an_outage_without_counting_it_as_failures(tmp_path: Path) -> None:
    ended: list[float] = []

    async def behave(_index: int) -> None:
        if 0.2 < now() < 15.2:
            raise Dropped("refused")
        await asyncio.sleep(0.05)
        ended.append(now())

    endpoint = TalkingEndpoint(behave)
    replies = run_fast(answers(open_model(tmp_path, endpoint), [f"q {number}" for number in range(500)]))
    assert all(not isinstance(reply, Exception) for reply in replies)
    assert ended[-1] < 20.2
    assert len(endpoint.asked) < 500 + 200 + 40  # those under way and their neighbours, then only probes


def test_gives_up_on_an_endpoint_that_stays_dead(tmp_path: Path) -> None:
    async def behave(_index: int) -> None:
        raise Dropped("m at http://127.0.0.1:9 let no connection be made.")

    model = open_model(tmp_path, TalkingEndpoint(behave), LimitSettings(concurrency=10))

    async def scenario() -> tuple[list[object], float]:
        return await answers(model, TEXTS[:50]), now()

    replies, ended = run_fast(scenario())
    assert all(isinstance(reply, ModelUnavailable) for reply in replies)
    assert any("http://127.0.0.1:9 let no connection be made. Is it running" in str(reply) for reply in replies)
    assert 6 < ended < 12  # it never answered, so its address may be wrong
    assert model.limiter.snapshot().paused


def test_prepares_few_requests_ahead(tmp_path: Path) -> None:
    prepared = 0

    class Watched(TalkingEndpoint):
        def payload(self, request):  # type: ignore[no-untyped-def]
            nonlocal prepared
            prepared += 1
            assert prepared - len(self.asked) <= 12
            return super().payload(request)

    endpoint = Watched(lambda _: asyncio.sleep(1))
    run_fast(answers(open_model(tmp_path, endpoint, LimitSettings(concurrency=10)), TEXTS))
    assert endpoint.peak == 10
