"""A function -> its calls of the clock, and of chance where it waits for something: their results differ each time.

          def create(self, item): return {"id": uuid.uuid4().hex, "at": time.time()}     ->    ("time.time",)
    async def create(self, item): return {"id": uuid.uuid4().hex, "at": time.time()}     ->    ("time.time", "uuid.uuid4")

Records are checked by making their calls again, so a tool that answers differently each time fails that check. What is drawn
by chance is led during a call (see environments/toolkit/steady_chance), but not while others run beside it.
"""

import dis
import inspect
from types import ModuleType
from typing import Any

_SOURCES = {
    "random": "random randint randrange choice choices sample shuffle uniform gauss normalvariate getrandbits randbytes",
    "secrets": "token_hex token_urlsafe token_bytes randbelow choice randbits",
    "uuid": "uuid1 uuid4",
    "time": "time time_ns monotonic perf_counter ctime localtime gmtime",
    "datetime": "now today utcnow",
    "os": "urandom",
}
_CLOCK = ("time.", "datetime.", "uuid.uuid1")
_ASKED = {name: frozenset(listed.split()) for name, listed in _SOURCES.items()}


def nondeterministic_calls(function: Any) -> tuple[str, ...]:
    """Return the names of what `function` itself calls, sorted; what it calls in turn is not looked into."""
    code = getattr(function, "__code__", None)
    if code is None:
        return ()
    held = getattr(function, "__globals__", {})
    found, owner = set(), ""
    for step in dis.get_instructions(code):
        name = step.argval if isinstance(step.argval, str) else ""
        if step.opname == "LOAD_GLOBAL":
            owner = _owner(held.get(name))
            if owner and name in _ASKED[owner] and not isinstance(held[name], (ModuleType, type)):
                found.add(f"{owner}.{name}")
        elif step.opname in ("LOAD_ATTR", "LOAD_METHOD") and owner and name in _ASKED[owner]:
            found.add(f"{owner}.{name}")
        elif step.opname not in ("LOAD_ATTR", "LOAD_METHOD", "CACHE", "PUSH_NULL", "PRECALL"):
            owner = ""
    waits = inspect.iscoroutinefunction(function)
    return tuple(sorted(name for name in found if waits or name.startswith(_CLOCK)))


def _owner(value: Any) -> str:
    """Return which source a module, or something taken from it, belongs to."""
    name = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", "")
    if getattr(value, "__self__", None) is not None and type(value.__self__).__module__ == "random":
        name = "random"
    return name if name in _ASKED else ""
