"""An author's settings of a live server -> how it is started, reset and waited for.

before_start   "createdb --template=full notes"     run before each start
first_calls    [{"tool": "load_scenario", "arguments": {"name": "monday"}}]     made after each start
set_up         ("load_scenario",)     tools used only for set-up, which are never offered
reset          "clear_all"            the tool that resets the server without a fresh start
"""

import shlex
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from interplay.generators.importers.mcp.connection import CALL_TIMEOUT, FRESH, START_TIMEOUT
from interplay.schemas.errors import ConfigError, EnvironmentFailure
from interplay.schemas.json.record import Record
from interplay.schemas.plain_file import at_home, plain_text

SAID = 300
"""Characters of a command's error output that messages quote."""


class FirstCall(Record):
    """A call that is made after each start."""

    tool: str = Field(min_length=1, description="Its name.")
    arguments: dict[str, Any] = Field(default_factory=dict, description="What it is given.")


class ServerSettings(Record):
    """How a server is started, reset and waited for; times are in seconds."""

    before_start: str = Field("", description="A command that is run before each start.")
    first_calls: tuple[FirstCall, ...] = Field((), description="Calls that are made after each start.")
    set_up: tuple[str, ...] = Field((), description="Tools that set the server up, which nobody is offered.")
    reset: str = Field("", description="The tool that brings back what the server began with.")
    start_timeout: float = Field(START_TIMEOUT, gt=0, le=3600, description="Seconds that a start may take.")
    call_timeout: float = Field(CALL_TIMEOUT, gt=0, le=3600, description="Seconds that a call may take.")

    def prepare(self, folder: str = "") -> None:
        """Run the `before_start` command; `folder` replaces `{fresh}` in it.

        Raises:
            EnvironmentFailure: it fails, or takes longer than `start_timeout`.
        """
        if not self.before_start:
            return
        words = [word.replace(FRESH, folder) for word in shlex.split(self.before_start)]
        try:
            subprocess.run(words, check=True, capture_output=True, timeout=self.start_timeout, stdin=subprocess.DEVNULL)
        except subprocess.CalledProcessError as error:
            said = " ".join(error.stderr.decode(errors="replace").split())[-SAID:]
            raise EnvironmentFailure(f"before_start: {words[0]} ended with {error.returncode}: {said}") from error
        except subprocess.TimeoutExpired as error:
            raise EnvironmentFailure(f"before_start: {words[0]} took over {self.start_timeout:g} s") from error
        except OSError as error:
            raise EnvironmentFailure(f"before_start: {words[0]}: {error.strerror}") from error


def settings_of(options: Mapping[str, str], where: str) -> ServerSettings:
    """Read settings from the options of a specification; `first_calls` is a JSON list, or a path to a file with one.

    Raises:
        ConfigError: a value is of the wrong kind, or the file cannot be read.
    """
    given: dict[str, Any] = dict(options)
    if "set_up" in given:
        given["set_up"] = tuple(filter(None, given["set_up"].split(",")))
    calls = given.pop("first_calls", "")
    try:
        text = calls if not calls or calls.lstrip().startswith("[") else plain_text(at_home(Path(calls)))
        listed = ServerSettings.model_validate_json(f'{{"first_calls": {text or "[]"}}}')
        shlex.split(given.get("before_start", ""))
        return ServerSettings.model_validate({**given, "first_calls": listed.first_calls})
    except OSError as error:
        raise ConfigError(f"{where}: first_calls: {calls}: cannot be read ({error.strerror}).") from error
    except ValidationError as error:
        wrong = error.errors()[0]
        raise ConfigError(f"{where}: {'/'.join(map(str, wrong['loc']))}: {wrong['msg']}.") from error
    except ValueError as error:
        raise ConfigError(f"{where}: before_start: {error}.") from error
