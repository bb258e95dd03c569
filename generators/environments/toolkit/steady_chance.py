"""The random draws of foreign code during a call -> the same ones whenever the call is made in the same state.

    {"id": uuid4().hex, "code": randint(1, 9)}      the same id and code when the call is repeated to check a record

The global generator of `random` and `os.urandom`, on which uuid4 and secrets are based, are seeded in the calling thread; other
threads are unaffected. Generators that the code made itself are part of its state.
"""

import contextlib
import os
import random
import threading
from collections.abc import Callable, Iterator
from random import Random

_SECRET: Callable[[int], bytes] = os.urandom


@contextlib.contextmanager
def steady_chance(seed: str) -> Iterator[None]:
    """Let `seed` determine all random draws of this thread inside the context."""
    caller, drawn = threading.get_ident(), Random(seed)

    def draw(size: int, /) -> bytes:
        return drawn.randbytes(size) if threading.get_ident() == caller else _SECRET(size)

    before, secret, other = random.getstate(), os.urandom, vars(random)["_urandom"]
    random.seed(seed)
    os.urandom = vars(random)["_urandom"] = draw
    try:
        yield
    finally:
        os.urandom, vars(random)["_urandom"] = secret, other
        random.setstate(before)
