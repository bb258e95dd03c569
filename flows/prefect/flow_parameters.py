"""The parameters of a flow -> the same, checked before anything runs, with one-line errors."""

from collections.abc import Callable, Coroutine
from functools import lru_cache, wraps
from inspect import signature
from typing import Annotated, Any, ParamSpec, TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import Field, ValidationError, validate_call

from interplay.flows.settings import MOST_RECORDS
from interplay.outputs.exporters.export_settings import is_url
from interplay.schemas.errors import ConfigError

P = ParamSpec("P")
R = TypeVar("R")

Count = Annotated[int, Field(ge=1, le=MOST_RECORDS)]
ShardNumber = Annotated[int, Field(ge=0, le=MOST_RECORDS)]
Workers = Annotated[int, Field(ge=1, le=256)]
Name = Annotated[str, Field(min_length=1, max_length=4096)]


def require_fit(
    *,
    workspace: str,
    records: int | None,
    add: int | None,
    export: str | None,
    to: object,
    runner: str | None,
    scheduler: str | None,
) -> None:
    """Check that the parameters of `generate_dataset` fit together, when it is deployed and when it runs.

    Raises:
        ConfigError: two of them contradict each other, or one needs another.
    """
    if add is not None and records is not None:
        raise ConfigError(
            "records and add: name one of them, what the workspace is to hold or what is added to it. A deployment that adds "
            "has `add`: run the one called -once, or set add to null."
        )
    if to is not None and export is None:
        raise ConfigError("to: is where an export goes, and none is asked for. Name its format: export: openai")
    if export is not None:
        require_folder(workspace, to)
    if scheduler is not None and runner != "dask":
        raise ConfigError("scheduler: is for Dask alone. Name it as the runner: runner: dask")


def require_folder(workspace: str, to: object) -> None:
    """Check that an export of a workspace to `to`, or into the workspace, goes to a folder.

    Raises:
        ConfigError: it goes to a URL.
    """
    if to is not None and is_url(to):
        raise ConfigError(f"to: {to}: exports are written to folders. Name one, and copy it from there.")
    if to is None and is_url(workspace):
        raise ConfigError(
            f"to: {workspace} is no folder, and exports are written to folders. Name one: to: /data/exported"
        )


def zone_of(name: str) -> ZoneInfo:
    """Return a time zone by name.

    Raises:
        ConfigError: there is none of that name.
    """
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ConfigError(f"timezone {name!r}: there is no such zone. Name one such as Europe/Vienna.") from error


@lru_cache
def _validated(function: Callable[P, R]) -> Callable[P, R]:
    """Return a synchronous function that validates its arguments by their types and then calls `function`."""

    @wraps(function)
    def plain(*args: P.args, **kwargs: P.kwargs) -> R:  # not async: arguments are validated before the coroutine runs
        return function(*args, **kwargs)

    validated: Callable[P, R] = validate_call(plain)
    return validated


def checked(function: Callable[P, Coroutine[Any, Any, R]]) -> Callable[P, Coroutine[Any, Any, R]]:
    """Validate the parameters of a flow by their types; Prefect's own validation reports errors in a page of text.

    The returned function can be pickled, as Prefect does to send flows to other processes.

    Raises:
        ConfigError: on a call with a parameter that does not fit.
    """

    @wraps(function)
    async def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            begun = _validated(function)(*args, **kwargs)
        except ValidationError as error:
            first, names = error.errors()[0], list(signature(function).parameters)
            place, *inner = first["loc"]  # Prefect passes parameters by position
            where = "/".join(map(str, (names[place] if isinstance(place, int) else place, *inner)))
            raise ConfigError(f"{where}: {first['msg']} (found {first['input']!r:.60}).") from None
        result: R = await begun
        return result

    return call
