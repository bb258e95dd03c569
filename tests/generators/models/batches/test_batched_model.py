"""Dialogues in waves over the real SDKs, against a server whose batches expire, fail in part, hang and write nonsense."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.generators.models.batches.desks import FAST, HALF, Desk, expected, open_at
from tests.generators.models.wires import KEY, MOOD, WIRES, question
from tests.model_server.answers import Answer, Ask
from tests.model_server.server import ModelServer, Settings, read_fault

from interplay.generators.models.client.structured_output import OutputInvalid, complete_structured
from interplay.generators.models.journal.journal_file import Spender
from interplay.generators.models.journal.journal_report import batches, counts
from interplay.generators.models.limits.budget import BudgetSettings
from interplay.generators.models.limits.prices import Prices
from interplay.generators.models.transport.transport_errors import Rejected
from interplay.schemas.errors import BudgetExceeded, ConfigError, ModelUnavailable
from interplay.schemas.records.chat import Sampling

wires = pytest.mark.parametrize("wire", WIRES)

PERSISTENT = FAST.model_copy(update={"attempts": 30})
"""Asks often enough for chance never to fail a question: which ones fail depends on the server's port."""


def run(coroutine: Any) -> Any:
    return asyncio.run(asyncio.wait_for(coroutine, 20))


def sizes(server: ModelServer) -> list[int]:
    return [len(batch.items) for batch in server.batches.batches.values()]


def nothing_is_paid_twice(server: ModelServer) -> None:
    assert set(server.seen.answered.values()) == {1}


@wires
def test_a_wave_is_one_turn_of_all_dialogues(wire: str, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with ModelServer() as server, open_at(wire, server, tmp_path) as desk:
            assert await desk.play() == expected()
            assert sizes(server) == [5, 5, 5]
            shown = desk.model.snapshot()
            assert (shown.batches, shown.questions, shown.answers, shown.oddities) == (3, 15, 15, {})
            assert (shown.collected, shown.under_way, shown.in_batches) == (0, 0, 0)
            assert (shown.waves, shown.ended, shown.resumed, shown.again) == (3, 3, 0, 0)
            assert server.batches.files == {}, "what is in the journal is not left in the account"

    run(scenario())


@wires
def test_the_same_dialogues_again_ask_nothing(wire: str, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with ModelServer() as server:
            for _ in range(2):
                async with open_at(wire, server, tmp_path) as desk:
                    assert await desk.play() == expected()
            assert sizes(server) == [5, 5, 5]

    run(scenario())


@wires
def test_batches_are_split_by_requests_and_by_bytes(wire: str, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with ModelServer(Settings(batch_limit=2, batch_bytes=10_000)) as server:
            two = FAST.model_copy(update={"requests": 2})
            async with open_at(wire, server, tmp_path / "a", settings=two) as desk:
                assert await desk.play(turns=1) == expected(turns=1)
            assert sizes(server) == [2, 2, 1]
            small = FAST.model_copy(update={"bytes": 500})
            server.reset(Settings(batch_bytes=500 + len('{"requests":[]}')))
            async with open_at(wire, server, tmp_path / "b", settings=small) as desk:
                assert await desk.play(turns=1) == expected(turns=1)
            assert sizes(server)[3:] in ([1] * 5, [2, 2, 1], [3, 2])

    run(scenario())


@wires
def test_a_question_larger_than_a_batch_costs_only_itself(wire: str, tmp_path: Path) -> None:
    async def scenario() -> None:
        small = FAST.model_copy(update={"bytes": 2000})
        async with ModelServer() as server, open_at(wire, server, tmp_path, settings=small) as desk:
            asked = (desk.model.complete(question("a" * 3000)), desk.model.complete(question("b")))
            large, other = await asyncio.gather(*asked, return_exceptions=True)
            assert isinstance(large, Rejected)
            assert other.content == "You said: b"

    run(scenario())


@wires
@pytest.mark.parametrize("fault", ["batch_expired", "batch_failed"])
def test_what_is_finished_is_kept_and_only_the_rest_is_asked_again(wire: str, fault: str, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with ModelServer(Settings(**{fault: 0.4})) as server:
            async with open_at(wire, server, tmp_path, settings=PERSISTENT) as desk:
                assert await desk.play(20) == expected(20)
                shown = desk.model.snapshot()
                assert shown.answers == 60
                assert shown.questions == 60 + shown.again
                assert [row.answered for row in batches(desk.journal.path)] == [
                    sum(kind == "succeeded" for kind, _ in batch.results.values())
                    for batch in server.batches.batches.values()
                ]
            nothing_is_paid_twice(server)
            asked = [custom_id for batch in server.batches.batches.values() for custom_id, _, _ in batch.items]
            answered = [
                custom_id
                for batch in server.batches.batches.values()
                for custom_id, (kind, _) in batch.results.items()
                if kind == "succeeded"
            ]
            assert len(answered) == len(set(answered)) == 60
            assert len(asked) > 70
            assert max(sizes(server)) == 20, "what is left over goes with the next turn of the others"

    run(scenario())


@wires
def test_an_answer_that_is_not_as_asked_for_counts_as_failed(wire: str, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with ModelServer(script=lambda _: Answer(text="no JSON")) as server:
            async with open_at(wire, server, tmp_path) as desk:
                with pytest.raises(OutputInvalid):
                    await complete_structured(desk.model, question(output=MOOD))
                assert desk.model.snapshot().oddities == {"invalid": 2}
            assert [(count.outcome, count.answers) for count in counts(desk.journal.path)] == [("failed", 2)]

    run(scenario())


def test_a_file_that_cannot_be_deleted_costs_nothing(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with ModelServer(Settings(faults=(read_fault("403@4,5!/files"),))) as server:
            async with open_at("chat", server, tmp_path) as desk:
                assert await desk.play(2, 1) == expected(2, 1)
                assert desk.model.snapshot().oddities == {"undeleted": 2}
            assert len(server.batches.files) == 2

    run(scenario())


@wires
def test_gives_a_question_up_after_so_many_batches(wire: str, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with ModelServer(Settings(batch_failed=1.0)) as server, open_at(wire, server, tmp_path) as desk:
            for answer in await desk.play(2, 1):
                assert isinstance(answer, ModelUnavailable)
                assert "5 batches" in str(answer)
            assert sizes(server) == [2] * 5

    run(scenario())


@wires
def test_a_question_that_is_refused_is_not_asked_again_and_costs_no_other(wire: str, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with ModelServer(Settings(batch_rejected=0.5)) as server, open_at(wire, server, tmp_path) as desk:
            answers = await desk.play(20, 1)
            refused = [answer for answer in answers if isinstance(answer, Rejected)]
            assert 0 < len(refused) < 20
            assert all("not to be asked" in str(error) and error.status == 400 for error in refused)
            assert [given for given in answers if isinstance(given, list)] == [
                told for told, given in zip(expected(20, 1), answers, strict=True) if isinstance(given, list)
            ]
            assert sizes(server) == [20]

    run(scenario())


@wires
def test_results_of_any_form_are_counted_and_nothing_else(wire: str, tmp_path: Path) -> None:
    async def scenario() -> None:
        settings = FAST.model_copy(update={"longest": 1_000_000})
        async with (
            ModelServer(Settings(batch_junk=True)) as server,
            open_at(wire, server, tmp_path, settings=settings) as desk,
        ):
            assert await desk.play(turns=1) == expected(turns=1)
            assert desk.journal.sums[Spender("assistant", "m", desk.model.endpoint.base_url, True)].calls == 5
            odd = desk.model.snapshot().oddities
            assert (odd["twice"], odd["too_long"], odd["unknown_id"]) == (5, 2, 2)
            assert odd["unreadable"] == 14

    run(scenario())


@wires
def test_a_batch_that_never_ends_is_cancelled_and_what_it_finished_is_kept(wire: str, tmp_path: Path) -> None:
    async def scenario() -> None:
        short = FAST.model_copy(update={"deadline": 0.2})
        async with (
            ModelServer(Settings(batch_stuck=0.4)) as server,
            open_at(wire, server, tmp_path, settings=short) as desk,
        ):
            answers = await desk.play(20, 1)
            lost = [answer for answer in answers if isinstance(answer, ModelUnavailable)]
            assert 0 < len(lost) < 20
            assert all("was cancelled" in str(error) for error in lost)
            assert desk.model.snapshot().answers == 20 - len(lost)
            assert sizes(server) == [20]
            server.reset(Settings())
            assert await desk.play(20, 1) == expected(20, 1)
            assert sizes(server) == [20, len(lost)]

    run(scenario())


@wires
def test_a_batch_that_cannot_even_be_cancelled_holds_nobody_up(wire: str, tmp_path: Path) -> None:
    async def scenario() -> None:
        short = FAST.model_copy(update={"deadline": 0.1, "ending": 0.1})
        faults = (read_fault("409!cancel"),)
        async with (
            ModelServer(Settings(batch_polls=10**6, faults=faults)) as server,
            open_at(wire, server, tmp_path, settings=short.model_copy(update={"patience": 0.1})) as desk,
        ):
            assert all(isinstance(answer, ModelUnavailable) for answer in await desk.play(3, 1))

    run(scenario())


def test_fewer_are_sent_at_once_where_too_much_is_under_way(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with ModelServer(Settings(batch_crowded=3)) as server, open_at("chat", server, tmp_path) as desk:
            assert await desk.play(10, 1) == expected(10, 1)
            assert sizes(server)[:3] == [10, 5, 5]
            assert all(size <= 3 for size in sizes(server)[3:])
            nothing_is_paid_twice(server)

    run(scenario())


@wires
def test_a_batch_is_not_made_twice_when_its_creation_is_not_heard_of(wire: str, tmp_path: Path) -> None:
    path = "messages/batches" if wire == "messages" else "v1/batches"
    place = 1  # the first errand is the upload, or the look at the newest batch

    async def scenario() -> None:
        async with (
            ModelServer(Settings(faults=(read_fault(f"half@{place}!{path}"),))) as server,
            open_at(wire, server, tmp_path) as desk,
        ):
            assert await desk.play(turns=1) == expected(turns=1)
            assert sizes(server) == [5]
            assert desk.model.snapshot().oddities == {"dropped": 1}
            nothing_is_paid_twice(server)

    run(scenario())


@wires
@pytest.mark.parametrize("kind", ["429=5ms", "500", "drop", "html", "bad_json", "json_array"])
def test_errands_that_fail_are_run_again(wire: str, kind: str, tmp_path: Path) -> None:
    async def scenario() -> None:
        faults = (read_fault(f"{kind}:0.3!/v1"),)
        async with (
            ModelServer(Settings(faults=faults, seed=3)) as server,
            open_at(wire, server, tmp_path) as desk,
        ):
            assert await desk.play() == expected()
            nothing_is_paid_twice(server)

    run(scenario())


@wires
def test_a_provider_that_is_gone_is_not_waited_for_longer_than_there_is_patience(wire: str, tmp_path: Path) -> None:
    async def scenario() -> None:
        short = FAST.model_copy(update={"patience": 0.2})
        async with (
            ModelServer(Settings(faults=(read_fault("503!/v1"),))) as server,
            open_at(wire, server, tmp_path, settings=short) as desk,
        ):
            for answer in await desk.play(2, 1):
                assert isinstance(answer, ModelUnavailable)
                assert "Nothing is lost" in str(answer)
            assert desk.model.snapshot().under_way == 0

    run(scenario())


@wires
def test_a_wrong_key_says_what_to_do(wire: str, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with ModelServer(Settings(key="another")) as server, open_at(wire, server, tmp_path) as desk:
            (answer,) = await desk.play(1, 1)
            assert isinstance(answer, Rejected)
            assert "api_key_env" in str(answer)
            assert KEY not in str(answer)

    run(scenario())


@wires
def test_costs_what_batches_cost(wire: str, tmp_path: Path) -> None:
    def script(_: Ask) -> Answer:
        return Answer(text="ok", prompt_tokens=1_000_000, completion_tokens=100_000)

    async def scenario() -> None:
        async with ModelServer(script=script) as server:
            budget = BudgetSettings(dollars=4)
            async with open_at(wire, server, tmp_path, budget=budget) as desk:
                assert [len(answers) for answers in await desk.play(4, 1)] == [1] * 4
                assert desk.budget.spent().dollars == pytest.approx(4 * 1.0)  # half of 1 + 10 / 10
                with pytest.raises(BudgetExceeded):
                    await desk.model.complete(question("one more"))
            assert sizes(server) == [4]

    run(scenario())


def test_no_more_is_in_a_wave_than_the_budget_allows(tmp_path: Path) -> None:
    async def scenario() -> None:
        budget = BudgetSettings(tokens=1000)
        async with ModelServer() as server, open_at("chat", server, tmp_path, budget=budget) as desk:
            answers = await desk.play(60, 1)
            exceeded = sum(isinstance(answer, BudgetExceeded) for answer in answers)
            assert 0 < exceeded < 60
            assert sum(sizes(server)) == 60 - exceeded == desk.budget.spent().calls
            assert desk.budget.spent().tokens <= 1000

    run(scenario())


def test_refuses_a_budget_in_dollars_where_the_price_is_unknown(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with ModelServer() as server:
            with pytest.raises(ConfigError, match="price of m"):
                async with open_at("chat", server, tmp_path, budget=BudgetSettings(dollars=1), prices=Prices(())):
                    pass
            assert HALF.find(server.openai_url, "m") is not None

    run(scenario())


def test_the_same_question_of_many_is_asked_once(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with ModelServer() as server, open_at("chat", server, tmp_path) as desk:
            same = question("same", sampling=Sampling(max_tokens=5))
            replies = await asyncio.gather(*(desk.model.complete(same) for _ in range(20)))
            assert {reply.content for reply in replies} == {"You said: same"}
            assert sizes(server) == [1]

    run(scenario())


def test_who_stops_waiting_is_left_out_and_gives_its_money_back(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with ModelServer() as server, open_at("chat", server, tmp_path) as desk:
            async with desk.waves.dialogue():
                talk = asyncio.ensure_future(desk.talk(1, 1))
                await asyncio.sleep(0.05)
                assert desk.model.snapshot().collected == 1
                talk.cancel()
                await asyncio.wait((talk,))
            assert desk.model.snapshot().collected == 0
            assert held(desk) == 0
            assert sizes(server) == []

    run(scenario())


def held(desk: Desk) -> int:
    return desk.budget._under_way[""]


@wires
def test_no_key_gets_anywhere(wire: str, tmp_path: Path) -> None:
    def script(ask: Ask) -> Answer:
        return Answer(text=f"You said: {ask.text}, and your key is {KEY}")

    async def scenario() -> None:
        faults = (read_fault("echo_key:0.2!/v1"),)
        settings = Settings(faults=faults, batch_failed=0.2, seed=5)
        async with (
            ModelServer(settings, script) as server,
            open_at(wire, server, tmp_path, settings=PERSISTENT) as desk,
        ):
            answers = await desk.play()
            assert all("[key]" in text for texts in answers for text in texts)
            assert held(desk) == 0
            found = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
            assert len(found) > 10_000
            assert KEY.encode() not in found

    run(scenario())
