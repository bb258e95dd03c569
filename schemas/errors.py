"""Everything that interplay raises on purpose.

InterplayError
  ConfigError            a setting, argument or workspace is wrong: names file, key and what was expected
  ImportFailure          a source of tools cannot be read at all: names file and JSON pointer
  ModelError             a model stayed silent, refused, or could not be parsed after one repair
    ModelUnavailable     an endpoint did not answer after retries; the shard is kept and resumable
  Misunderstood          a player by rules cannot make out what a model says, even after asking again
  BudgetExceeded         the run's budget is spent; it stops cleanly and can be resumed
  EnvironmentFailure     an environment itself broke (a failing tool call is a `ToolResult.error`, not this)
  StoreError             shard files, the dataset store or an export could not be read or written
    NoSuchRecord         no record, or several, have what was asked for
    StoreInUse           another process works in the workspace, or has its store open
    StoreUnreachable     an object store does not answer; what was made is kept, and brought there by the next run

Bad data never raises: it is recorded as a `Verdict`.
"""


class InterplayError(Exception):
    """The root of all errors that the command line shows in one line, with exit code 1."""


class ConfigError(InterplayError):
    """A setting, argument or workspace is wrong."""


class ImportFailure(InterplayError):
    """A source of tools cannot be read at all; a single bad tool is reported instead."""


class ModelError(InterplayError):
    """A model stayed silent, refused, or answered something unparsable after one repair."""


class ModelUnavailable(ModelError):
    """A model endpoint did not answer after retries."""


class Misunderstood(InterplayError):
    """A player by rules cannot make out what a model says to it; this ends the dialogue, and nothing else."""


class BudgetExceeded(InterplayError):
    """The budget of the run is spent."""


class EnvironmentFailure(InterplayError):
    """An environment broke; not a tool error."""


class StoreError(InterplayError):
    """Shard files, the dataset store or an export could not be read or written."""


class NoSuchRecord(StoreError):
    """No record has the id that was asked for, or several have one that begins so."""


class StoreUnreachable(StoreError):
    """An object store that holds a workspace does not answer."""


class StoreInUse(StoreError):
    """Another process works in the workspace, or has its store open."""


class StoreOutdated(StoreError):
    """A store is of an older version; what it holds has to be loaded anew."""


def first_line(error: BaseException) -> str:
    """Return what an error of a library says, without the lines that it says of itself; its kind where it says nothing."""
    return str(error).splitlines()[0] if str(error) else type(error).__name__
