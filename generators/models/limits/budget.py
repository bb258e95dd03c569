"""Bounds in dollars and tokens, and the sums of the journal -> whether one more call may be made."""

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pydantic import Field

from interplay.generators.models.journal.journal_file import Spender, SpentSum
from interplay.generators.models.limits.prices import Price, Prices
from interplay.schemas.errors import BudgetExceeded
from interplay.schemas.json.record import Record
from interplay.schemas.records.chat import ModelRole
from interplay.schemas.records.dialogue import Usage


class Bound(Record):
    """How much may be spent; None sets no bound."""

    dollars: float | None = Field(None, ge=0, description="Dollars at most; needs the prices of all models that play.")
    tokens: int | None = Field(None, ge=0, description="Tokens at most, prompts and answers together.")


class BudgetSettings(Bound):
    """The bounds of a run as a whole, and of single roles."""

    roles: dict[ModelRole, Bound] = Field(default_factory=dict, description="The same for single roles.")


class Spent(Record):
    """What was spent; `dollars` is None if the price of any call is unknown."""

    calls: int = 0
    tokens: int = 0
    dollars: float | None = 0.0


@dataclass(slots=True)
class Reservation:
    """What a call in progress may cost at most; released when the journal holds its real cost."""

    role: str
    tokens: int
    dollars: float


class Budget:
    """Keeps a run within its bounds; no call is made that might exceed them.

    What was spent is always read from the journal, which also holds the costs of killed runs and of other processes.
    """

    def __init__(
        self,
        settings: BudgetSettings,
        prices: Prices,
        spent: Callable[[], Mapping[Spender, SpentSum]],
        share: float = 1.0,
    ) -> None:
        """Use the bounds of `settings`; `spent` returns the journal's sums, `share` is this process's share of reservations."""
        self._bounds: list[tuple[str, Bound]] = [("", settings), *settings.roles.items()]
        self.bounded = any(bound.dollars is not None or bound.tokens is not None for _, bound in self._bounds)
        self._prices = prices
        self._spent = spent
        self._share = share
        self._reserved: dict[str, Reservation] = {scope: Reservation(scope, 0, 0.0) for scope in ("", *settings.roles)}
        self._under_way: Counter[str] = Counter()
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._exceeded: dict[str, str] = {}
        self._seen: Mapping[Spender, SpentSum] | None = None
        self._totals: dict[str, Spent] = {}

    def price(self, base_url: str, model: str) -> Price | None:
        """Return a model's price; None if it is unknown and no budget in dollars needs it.

        Raises:
            ConfigError: a budget in dollars is set, and the price is unknown.
        """
        if any(bound.dollars is not None for _, bound in self._bounds):
            return self._prices.require(base_url, model)
        return self._prices.find(base_url, model)

    async def reserve(self, role: str, usage: Usage, price: Price | None) -> Reservation:
        """Reserve what a call may cost; wait while it would fit only if calls in progress cost less than reserved.

        Raises:
            BudgetExceeded: it does not fit.
        """
        wanted = Reservation(role, usage.prompt + usage.completion, price.cost(usage) if price else 0.0)
        while self.bounded:
            scope = self._too_small(wanted)
            if scope is None:
                break
            if scope in self._exceeded or not self._under_way[scope]:
                raise self._exceed(scope)
            future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(future)
            await future
        self._add(wanted, 1)
        return wanted

    def settle(self, reservation: Reservation, usage: Usage, price: Price | None) -> None:
        """Replace a reservation's estimate by the real cost, until the journal holds it."""
        self._add(reservation, -1)
        reservation.tokens = usage.prompt + usage.completion
        reservation.dollars = price.cost(usage) if price else 0.0
        self._add(reservation, 1)

    def require_room(self, role: str) -> None:
        """Check once more before sending, since other calls may have cost more than was reserved for them.

        Raises:
            BudgetExceeded: costs and reservations exceed a bound.
        """
        scope = self._too_small(Reservation(role, 0, 0.0)) if self.bounded else None
        if scope is not None:
            raise self._exceed(scope)

    def release(self, reservation: Reservation) -> None:
        """Release a reservation: the journal holds the real cost by now, or there is none."""
        self._add(reservation, -1)
        while self._waiting:
            future = self._waiting.popleft()
            if not future.done():
                future.set_result(None)

    def spent(self, role: str = "") -> Spent:
        """Return what was spent so far, in total or for one role."""
        sums = self._spent()
        if sums is not self._seen:
            self._seen, self._totals = sums, self._totalled(sums)
        return self._totals.get(role, Spent())

    def _add(self, reservation: Reservation, sign: int) -> None:
        if not self.bounded:
            return
        for scope in ("", reservation.role) if reservation.role in self._reserved else ("",):
            held = self._reserved[scope]
            held.tokens += sign * reservation.tokens
            held.dollars += sign * reservation.dollars
            self._under_way[scope] += sign

    def _too_small(self, wanted: Reservation) -> str | None:
        """Return the scope (empty, or a role) whose bound a call would exceed; None if there is none."""
        for scope, bound in self._bounds:
            if scope not in ("", wanted.role):
                continue
            spent, held = self.spent(scope), self._reserved[scope]
            tokens, dollars = held.tokens + wanted.tokens, held.dollars + wanted.dollars
            if scope in self._exceeded or _exceeds(bound.tokens, spent.tokens, tokens / self._share):
                return scope
            if _exceeds(bound.dollars, spent.dollars or 0.0, dollars / self._share):
                return scope
        return None

    def _exceed(self, scope: str) -> BudgetExceeded:
        bound = dict(self._bounds)[scope]
        spent = self.spent(scope)
        limits = [f"${bound.dollars:g}"] if bound.dollars is not None else []
        limits += [f"{bound.tokens} tokens"] if bound.tokens is not None else []
        paid = f"${spent.dollars:.4f} and " if spent.dollars is not None else ""
        self._exceeded[scope] = scope
        return BudgetExceeded(
            f"The budget{f' of the role {scope}' if scope else ''} ({' and '.join(limits)}) does not allow another call: "
            f"{paid}{spent.tokens} tokens are spent, and the next call might exceed it. All answers are kept; run "
            "again with a larger budget to go on."
        )

    def _totalled(self, sums: Mapping[Spender, SpentSum]) -> dict[str, Spent]:
        totals: dict[str, Spent] = {}
        for payer, paid in sums.items():
            dollars = self._dollars(payer, paid)
            for scope in ("", payer.role):
                before = totals.get(scope, Spent())
                totals[scope] = Spent(
                    calls=before.calls + paid.calls,
                    tokens=before.tokens + paid.prompt + paid.completion,
                    dollars=None if before.dollars is None or dollars is None else before.dollars + dollars,
                )
        return totals

    def _dollars(self, payer: Spender, paid: SpentSum) -> float | None:
        price = self._prices.find(payer.endpoint, payer.model)
        usage = Usage(prompt=paid.prompt, cached=paid.cached, cache_written=paid.written, completion=paid.completion)
        return price.cost(usage, payer.batch) if price else None


def _exceeds(bound: float | None, spent: float, wanted: float) -> bool:
    return bound is not None and spent + wanted > bound * (1 + 1e-9)
