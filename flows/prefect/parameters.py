"""What a flow is given -> the same, checked before anything runs, with errors of one line."""

from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Annotated, Any, ParamSpec, TypeVar

from pydantic import Field, ValidationError, validate_call

from interplay.schemas.errors import ConfigError

P = ParamSpec("P")
R = TypeVar("R")

Count = Annotated[int, Field(ge=1)]
Workers = Annotated[int, Field(ge=1, le=256)]
Name = Annotated[str, Field(min_length=1, max_length=4096)]


def checked(function: Callable[P, Coroutine[Any, Any, R]]) -> Callable[P, Coroutine[Any, Any, R]]:
    """Check the parameters of a flow by their types; Prefect would do so too, and tell it in a page of text.

    Raises:
        ConfigError: when it is called, where a parameter does not fit.
    """

    @wraps(function)
    def plain(*args: P.args, **kwargs: P.kwargs) -> Coroutine[Any, Any, R]:
        return function(*args, **kwargs)

    begin = validate_call(plain)

    @wraps(function)
    async def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            begun = begin(*args, **kwargs)
        except ValidationError as error:
            first = error.errors()[0]
            where = "/".join(map(str, first["loc"]))
            raise ConfigError(f"{where}: {first['msg']} (found {first['input']!r:.60}).") from None
        return await begun

    return call
