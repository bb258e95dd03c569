"""What foreign code draws by chance during a call -> the same draws whenever the call is made in the same state.

    {"id": uuid4().hex, "code": randint(1, 9)}      the same id and code when the call is made again to check a record

The global generator of `random` and `os.urandom`, which uuid4 and secrets rest on, are led by the seed in the thread that
makes the call; other threads draw as ever. Generators that the code made itself are part of its state.
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
    """Let what runs inside, in this thread, draw what `seed` decides."""
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
