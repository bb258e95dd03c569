"""The sessions of a server: limited in number, dropped when abandoned; each is used by one request at a time."""

import asyncio
import secrets
import time
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from interplay.flows.gym.catalogue import Catalogue, GymTask
from interplay.flows.gym.session import Session, open_session
from interplay.flows.settings.gym_settings import GymSettings
from interplay.schemas.errors import InterplayError
from interplay.schemas.records.verdict import Reward


class UnknownSession(InterplayError):
    """No session has this name: it was closed, abandoned, or opened before the server was started."""


class TooManySessions(InterplayError):
    """No further session may be opened."""


RECENT = 50
"""Closed sessions that are kept to be looked at."""


@dataclass(frozen=True)
class ClosedSession:
    """A session that was closed; `number` is its place among all sessions opened."""

    number: int
    session: Session
    reward: Reward


@dataclass
class _Entry:
    session: Session
    used: float
    number: int
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


@dataclass
class OpenSessions:
    """Opens, finds and closes sessions; `clock` returns seconds, by which abandoned sessions are dropped."""

    catalogue: Catalogue
    settings: GymSettings
    clock: Callable[[], float] = time.monotonic
    opened: int = 0
    closed: int = 0
    abandoned: int = 0
    rewards: float = 0.0
    tried: Counter[str] = field(default_factory=Counter)
    solved: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    recent: deque[ClosedSession] = field(default_factory=lambda: deque(maxlen=RECENT))
    _entries: OrderedDict[str, _Entry] = field(default_factory=OrderedDict)

    def __len__(self) -> int:
        self._forget()
        return len(self._entries)

    async def open(self, task: GymTask, seed: int = 0) -> tuple[str, Session]:
        """Open a task, and return the session with its name, which cannot be guessed.

        Raises:
            TooManySessions: the limit is reached.
        """
        self._forget()
        if len(self._entries) >= self.settings.sessions:
            raise TooManySessions(
                f"{len(self._entries)} sessions are open, and no more may be (gym: sessions). Close some, and try again."
            )
        name = secrets.token_urlsafe(16)
        session = await open_session(self.catalogue, task, seed)
        self.opened += 1
        self._entries[name] = _Entry(session, self.clock(), self.opened)
        return name, session

    @asynccontextmanager
    async def use(self, name: str) -> AsyncIterator[Session]:
        """Give exclusive use of a session.

        Raises:
            UnknownSession: there is none of this name.
        """
        self._forget()
        entry = self._entries.get(name)
        if entry is None:
            raise UnknownSession(_UNKNOWN)
        async with entry.lock:
            if name not in self._entries:
                raise UnknownSession(_UNKNOWN)
            try:
                yield entry.session
            finally:
                entry.used = self.clock()
                if name in self._entries:
                    self._entries.move_to_end(name)

    async def close(self, name: str) -> Reward:
        """Close a session, and return its reward.

        Raises:
            UnknownSession: there is none of this name.
        """
        async with self.use(name) as session:
            reward = await session.close()
            self.recent.appendleft(ClosedSession(self._entries[name].number, session, reward))
            del self._entries[name]
        self.closed += 1
        self.rewards += reward.reward
        self.tried[reward.task] += reward.standing == "judged"
        self.solved[reward.task] += reward.reward == 1
        lacking = [part for part, found in reward.parts.items() if found.score < 1]
        self.failures.update([reward.standing] if reward.standing != "judged" else lacking)
        return reward

    def pass_rates(self) -> dict[str, tuple[float, int]]:
        """Return, for each task judged here, the share of its sessions with the full reward, and their number."""
        return {task: (self.solved[task] / count, count) for task, count in self.tried.items() if count}

    def under_way(self) -> Iterator[tuple[int, Session, float]]:
        """Yield the open sessions with their numbers and the seconds since they were last used, the latest used first."""
        self._forget()
        now = self.clock()
        for entry in reversed(self._entries.values()):
            yield entry.number, entry.session, now - entry.used

    def _forget(self) -> None:
        """Drop abandoned sessions; the entries are in the order of their last use."""
        now = self.clock()
        while self._entries:
            name, entry = next(iter(self._entries.items()))
            if now - entry.used <= self.settings.abandoned_after or entry.lock.locked():
                return
            del self._entries[name]
            self.abandoned += 1


_UNKNOWN = (
    "No session has this name: it was closed, abandoned, or opened before the server was started. "
    "Open the task again, or let `verify` judge a transcript of it."
)
