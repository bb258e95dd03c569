"""Versions of the file formats that users keep: older files are upgraded, newer ones refused.

    {"format": 2, "run": "a08d...", "config": {...}}      a workspace's run.json
    version: 1                                            a configuration or overrides file, where it states one

A file without a version has version 1. To change a format, append a function to its `steps` that turns the content of the
previous version into that of the next. The dataset store has no steps: it is rebuilt from the shards.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from interplay.schemas.errors import ConfigError

Step = Callable[[dict[str, Any]], dict[str, Any]]


@dataclass(frozen=True)
class Format:
    """A file format: what people call it, the key of its version, and the upgrade steps from version to version."""

    name: str
    key: str = "version"
    steps: tuple[Step, ...] = ()

    @property
    def version(self) -> int:
        """The version that this program writes."""
        return len(self.steps) + 1

    def current(self, content: Mapping[str, Any], where: str) -> dict[str, Any]:
        """Return the content of a file upgraded to the current version, without the version key.

        `where` names the file in error messages.

        Raises:
            ConfigError: the version is newer than this program knows, or not a valid version.
        """
        known = {key: value for key, value in content.items() if key != self.key}
        version = content.get(self.key, 1)
        if type(version) is not int or version < 1:
            raise ConfigError(
                f"{where}: /{self.key}: expected a number from 1 to {self.version} (found {version!r:.60})."
            )
        if version > self.version:
            raise ConfigError(
                f"{where}: this {self.name} is of version {version}, this interplay knows versions up to {self.version}. "
                "Use a newer one: pip install --upgrade interplay"
            )
        for step in self.steps[version - 1 :]:
            known = step(known)
        return known


def unchanged(content: dict[str, Any]) -> dict[str, Any]:
    """An upgrade step that changes nothing but the version."""
    return content


WORKSPACE = Format("workspace", key="format", steps=(unchanged,))  # version 2: the file states its version
CONFIGURATION = Format("configuration")
OVERRIDES = Format("file of overrides")
DEPLOYMENT = Format("deployment")
