"""An environment with one object of tools per side -> those objects, and the environment's policy.

    def get_environment(db=None) -> Shop:          environment.tools         the assistant's tools
        return Shop(ShopTools(db), PhoneTools())   environment.user_tools    the user's tools
                                                   environment.sync_tools()  synchronises both, after each call
                                                   environment.policy        or get_policy()

Such an environment is an object, or the result of a module's `get_environment()` or of any named function.
Source: tau2-bench, environment/environment.py and domains/*/environment.py.
"""

import inspect
from collections.abc import Callable
from types import ModuleType
from typing import Any

from interplay.generators.importers.python.decorators import mark_of
from interplay.schemas.errors import ConfigError
from interplay.schemas.records.tool import Requestor

FACTORY = "get_environment"
_PLACES: dict[Requestor, str] = {"assistant": "tools", "user": "user_tools"}
_TELLING = ("user_tools", "sync_tools", "policy", "get_policy")
_NO_KITS = (str, bytes, int, float, list, tuple, set, frozenset, dict, type, ModuleType)
_PLAIN = (*_NO_KITS, None, *(kind.__name__ for kind in _NO_KITS), "None")


def factory_of(target: object) -> Callable[..., Any] | None:
    """Return the function that makes the environment: the target itself, or a module's `get_environment`; else None."""
    made = getattr(target, FACTORY, None) if isinstance(target, ModuleType) else target
    if not inspect.isfunction(made) or made.__annotations__.get("return") in _PLAIN:
        return None
    needed = [each for each in inspect.signature(made).parameters.values() if each.default is each.empty]
    return None if any(each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD) for each in needed) else made


def environment_of(target: object) -> object | None:
    """Return the environment with two sides that `target` is or makes; else None.

    Raises:
        ConfigError: the function that makes it fails.
    """
    factory = factory_of(target)
    if factory is None:
        return target if tool_holders(target) else None
    try:
        made: object = factory()
    except Exception as error:
        raise ConfigError(f"{factory.__name__}() fails: {type(error).__name__}: {error}") from error
    return made if tool_holders(made) else None


def tool_holders(environment: object) -> dict[Requestor, object]:
    """Return the objects that hold the tools, by requestor; empty if the object is no such environment."""
    if isinstance(environment, _NO_KITS) or not any(hasattr(environment, name) for name in _TELLING):
        return {}
    if any(mark_of(member) is not None for kind in type(environment).__mro__ for member in vars(kind).values()):
        return {}  # its own methods are the tools
    held: dict[Requestor, Any] = {whose: getattr(environment, place, None) for whose, place in _PLACES.items()}
    found = {whose: kit for whose, kit in held.items() if kit is not None}
    plain = (
        held for held in found.values() if isinstance(held, _NO_KITS) or callable(held) or not hasattr(held, "__dict__")
    )
    return found if "assistant" in found and not any(True for _ in plain) else {}


def policy_of(environment: object) -> str:
    """Return the policy text of an environment; empty if it has none."""
    policy = getattr(environment, "policy", None)
    if not isinstance(policy, str) and callable(getattr(environment, "get_policy", None)):
        policy = environment.get_policy()  # type: ignore[attr-defined]
    return policy if isinstance(policy, str) else ""
