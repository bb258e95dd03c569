"""The versions of the files that people keep: older ones are brought up to date, newer ones are refused.

    {"format": 2, "run": "a08d...", "config": {...}}      a workspace's run.json
    version: 1                                            a configuration or overrides file, where it says so

A file without a version is of version 1. To change a format, add a function to its `steps`: it takes the content of the
version before and returns that of the next. The dataset store has none: it is made anew.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from interplay.schemas.errors import ConfigError

Step = Callable[[dict[str, Any]], dict[str, Any]]


@dataclass(frozen=True)
class Format:
    """What people call a kind of file, the key of its version, and the steps from each version to the next."""

    name: str
    key: str = "version"
    steps: tuple[Step, ...] = ()

    @property
    def version(self) -> int:
        """The version that this program writes."""
        return len(self.steps) + 1

    def current(self, content: Mapping[str, Any], where: str) -> dict[str, Any]:
        """Return the content of a file as the present version has it, without the key of the version.

        Raises:
            ConfigError: the version is newer than this program, or none at all.
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
    """Return the content of a file of which only the version is new."""
    return content


WORKSPACE = Format("workspace", key="format", steps=(unchanged,))  # 2: it says its version
CONFIGURATION = Format("configuration")
OVERRIDES = Format("file of overrides")
DEPLOYMENT = Format("deployment")
