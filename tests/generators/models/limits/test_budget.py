import asyncio
import sqlite3
from pathlib import Path

import pytest
from tests.generators.models.clock import run_fast
from tests.generators.models.endpoints import TalkingEndpoint, answers, open_model, question

from interplay.generators.models.limits.budget import Bound, Budget, BudgetSettings
from interplay.generators.models.limits.limit_settings import LimitSettings
from interplay.generators.models.limits.prices import Price, Prices, load_prices
from interplay.schemas.errors import BudgetExceeded, ConfigError
from interplay.schemas.records.chat import Sampling
from interplay.schemas.records.dialogue import Usage

TEXTS = [f"question {number}" for number in range(300)]
SHORT = Sampling(max_tokens=5)


def exceeded(replies: list[object]) -> int:
    return sum(isinstance(reply, BudgetExceeded) for reply in replies)


def test_stops_before_the_call_that_might_exceed_the_tokens(tmp_path: Path) -> None:
    endpoint = TalkingEndpoint(lambda _: asyncio.sleep(0.1))
    model = open_model(tmp_path, endpoint, LimitSettings(concurrency=10), budget=BudgetSettings(tokens=1000))
    replies = run_fast(answers(model, TEXTS, sampling=SHORT))
    spent = model.budget.spent()
    assert 900 < spent.tokens <= 1000
    assert spent.calls == len(endpoint.asked) == 300 - exceeded(replies)


def test_stops_at_the_dollars(tmp_path: Path) -> None:
    endpoint = TalkingEndpoint(usage=Usage(prompt=1_000_000, completion=100_000))
    model = open_model(tmp_path, endpoint, LimitSettings(concurrency=1), budget=BudgetSettings(dollars=10))
    replies = run_fast(answers(model, TEXTS[:20], sampling=SHORT))
    assert model.budget.spent().dollars == pytest.approx(10)  # the last call reaches it: its cost was not foreseen
    assert exceeded(replies) == 15
    assert len(endpoint.asked) == 5


def test_bounds_each_role(tmp_path: Path) -> None:
    budget = BudgetSettings(roles={"user": Bound(tokens=100)})
    model = open_model(tmp_path, TalkingEndpoint(), budget=budget)
    assert exceeded(run_fast(answers(model, TEXTS, role="user", sampling=SHORT))) > 280
    assert exceeded(run_fast(answers(model, TEXTS[:50], role="assistant", sampling=SHORT))) == 0


def test_remembers_what_earlier_runs_spent_and_pays_nothing_for_kept_answers(tmp_path: Path) -> None:
    run_fast(answers(open_model(tmp_path, TalkingEndpoint()), TEXTS[:50], sampling=SHORT))
    model = open_model(tmp_path, TalkingEndpoint(), budget=BudgetSettings(tokens=750))
    assert model.budget.spent().tokens == 750
    assert exceeded(run_fast(answers(model, TEXTS[:50], sampling=SHORT))) == 0
    with pytest.raises(BudgetExceeded, match=r"call: \$\d+\.\d{4} and 750 tokens are spent"):
        run_fast(model.complete(question("one more", sampling=SHORT)))


def test_refuses_a_budget_in_dollars_for_a_model_of_unknown_price(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"price of echo at http://.* is unknown"):
        open_model(tmp_path, TalkingEndpoint(), budget=BudgetSettings(dollars=1), prices=Prices(()))
    model = open_model(tmp_path, TalkingEndpoint(), prices=Prices(()))
    run_fast(model.complete(question("hello")))
    assert model.budget.spent().dollars is None


@pytest.mark.parametrize("price", [".inf", ".nan", "1e999", "-1", "cheap"])
def test_a_price_is_a_number_that_can_be_paid(tmp_path: Path, price: str) -> None:
    own = tmp_path / "prices.yaml"
    own.write_text(f"date: 2026-11-01\nprices: [{{model: tiny, input: 1, output: {price}}}]\n")
    with pytest.raises(ConfigError, match="/prices/0/output"):
        load_prices(own)


def test_finds_the_prices_of_snapshots_but_not_of_namesakes_elsewhere() -> None:
    prices = load_prices()
    home = "https://api.openai.com/v1"
    assert prices.require(home, "gpt-4o-mini-2024-07-18") == prices.require(home, "gpt-4o-mini")
    assert prices.require(home, "gpt-4o-2024-05-13").input == 5
    assert prices.find(home, "gpt-4o-mini-audio-preview") is None
    assert prices.find("http://localhost:8000/v1", "gpt-4o-mini") is None
    assert prices.require("https://api.anthropic.com", "claude-3-5-haiku-20241022").output == 4


def test_counts_cached_tokens_and_batches_at_their_own_price() -> None:
    price = load_prices().require("https://api.openai.com/v1", "gpt-4.1")
    usage = Usage(prompt=1_000_000, cached=500_000, completion=1_000_000)
    assert price.cost(usage) == pytest.approx(1 + 0.25 + 8)
    assert price.cost(usage, batch=True) == pytest.approx(9.25 / 2)


def test_takes_a_users_prices_first(tmp_path: Path) -> None:
    own = tmp_path / "prices.yaml"
    own.write_text("date: 2026-01-01\nprices:\n  - {model: gpt-4o, input: 1, output: 2}\n")
    assert load_prices(own).require("https://api.openai.com/v1", "gpt-4o").output == 2
    own.write_text("date: 2026-01-01\nprices:\n  - {model: gpt-4o, input: -1, output: 2}\n")
    with pytest.raises(ConfigError, match="/prices/0/input"):
        load_prices(own)


def test_counts_what_is_put_into_a_cache_at_its_own_price_and_sets_that_aside(tmp_path: Path) -> None:
    price = load_prices().require("https://api.anthropic.com", "claude-sonnet-4")
    usage = Usage(prompt=1_000_000, cached=200_000, cache_written=300_000)
    assert price.cost(usage) == pytest.approx(0.5 * 3 + 0.2 * 0.3 + 0.3 * 3.75)
    dear = Prices((Price(model="*", input=1, cache_write=100, output=0),))
    endpoint = TalkingEndpoint(usage=Usage(prompt=1_000_000, cache_written=500_000))
    model = open_model(
        tmp_path, endpoint, LimitSettings(concurrency=1), budget=BudgetSettings(dollars=100), prices=dear
    )
    assert exceeded(run_fast(answers(model, TEXTS[:20], sampling=SHORT))) == 18
    assert model.budget.spent().dollars == pytest.approx(2 * 50.5)


def test_reads_a_journal_of_before_there_was_a_column_for_caches(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "journal.sqlite")
    columns = "role TEXT, model TEXT, endpoint TEXT, batch INTEGER, calls, prompt, cached, completion"
    connection.execute(f"CREATE TABLE sums ({columns}, PRIMARY KEY (role, model, endpoint, batch)) WITHOUT ROWID")
    connection.execute("INSERT INTO sums VALUES ('user', 'echo', 'http://echo.test/v1', 0, 1, 7, 0, 2)")
    connection.commit()
    model = open_model(tmp_path, TalkingEndpoint())
    run_fast(answers(model, TEXTS[:2], role="user"))
    assert model.budget.spent("user").tokens == 9 + 2 * 15


@pytest.mark.parametrize(("share", "calls"), [(1.0, 4), (0.5, 2), (0.25, 1)])
def test_each_process_sets_aside_its_share_of_what_is_left(share: float, calls: int) -> None:
    budget = Budget(BudgetSettings(tokens=1_000), Prices(()), dict, share)

    async def reserved() -> int:
        for number in range(9):
            try:
                await asyncio.wait_for(budget.reserve("user", Usage(prompt=250), None), 0.05)
            except TimeoutError:
                return number
        return 9

    assert asyncio.run(reserved()) == calls


def test_sets_aside_what_an_answer_may_cost_too() -> None:
    async def scenario() -> None:
        budget = Budget(BudgetSettings(tokens=100), Prices(()), dict)
        held = await budget.reserve("user", Usage(prompt=40, completion=40), None)
        waiting = asyncio.ensure_future(budget.reserve("user", Usage(prompt=40), None))
        await asyncio.sleep(1)
        assert not waiting.done()
        budget.release(held)
        await waiting

    run_fast(scenario())


def test_once_too_much_is_spent_nobody_waits_and_nothing_smaller_goes_out() -> None:
    async def scenario() -> None:
        budget = Budget(BudgetSettings(tokens=100), Prices(()), dict)
        held = await budget.reserve("user", Usage(prompt=50), None)
        budget.settle(held, Usage(prompt=150), None)
        with pytest.raises(BudgetExceeded):
            budget.require_room("user")
        with pytest.raises(BudgetExceeded):
            await asyncio.wait_for(budget.reserve("user", Usage(prompt=1), None), 1)
        budget.release(held)
        with pytest.raises(BudgetExceeded):
            await budget.reserve("user", Usage(prompt=1), None)

    run_fast(scenario())


@pytest.mark.parametrize("bound", [BudgetSettings(dollars=10), BudgetSettings(tokens=10_000_000)])
def test_a_process_sets_aside_no_more_than_its_share(bound: BudgetSettings) -> None:
    price = Price(model="m", input=1, output=1)

    async def reserve(share: float) -> None:
        budget = Budget(bound, Prices((price,)), dict, share)
        await budget.reserve("user", Usage(prompt=6_000_000), price)

    run_fast(reserve(1.0))
    with pytest.raises(BudgetExceeded):
        run_fast(reserve(0.5))
