"""The base class of wrappers: passes everything but calls on to the inner environment."""

from collections.abc import Mapping
from typing import Any

from interplay.schemas.json.canonical import Change
from interplay.schemas.protocols import Environment
from interplay.schemas.records.tool import ResourceModel, Toolset


class WrappedEnvironment:
    """Passes everything but calls on to the inner environment; see `Environment`."""

    def __init__(self, environment: Environment) -> None:
        self._inner = environment

    @property
    def toolset(self) -> Toolset:
        """The tools of the environment."""
        return self._inner.toolset

    @property
    def resources(self) -> ResourceModel:
        """The resources of the environment."""
        return self._inner.resources

    def state(self) -> Mapping[str, Mapping[str, Any]]:
        """Return the live state; see `Environment.state`."""
        return self._inner.state()

    def snapshot(self) -> Any:
        """Return a token for the state."""
        return self._inner.snapshot()

    def restore(self, snapshot: Any) -> None:
        """Restore a state."""
        self._inner.restore(snapshot)

    def digest(self) -> str:
        """Return the digest of the state."""
        return self._inner.digest()

    def changes(self) -> tuple[Change, ...]:
        """Return what differs from the opening state."""
        return self._inner.changes()
