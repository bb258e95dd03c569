"""All exceptions that interplay raises on purpose.

InterplayError
  ConfigError            a setting, argument or workspace is wrong: names file, key and what was expected
  ImportFailure          a source of tools cannot be read at all: names file and JSON pointer
  ModelError             a model stayed silent, refused, or could not be parsed after one repair
    ModelUnavailable     an endpoint did not answer after retries; the shard is kept and resumable
  Misunderstood          a rule-based player cannot make out what a model says, even after asking again
  BudgetExceeded         the run's budget is spent; it stops cleanly and can be resumed
  EnvironmentFailure     an environment itself broke (a failing tool call is a `ToolResult.error`, not this)
  StoreError             shard files, the dataset store or an export could not be read or written
    NoSuchRecord         no record, or more than one, matches what was asked for
    StoreInUse           another process works in the workspace, or has its store open
    StoreUnreachable     an object store does not answer; what was made is kept, and uploaded by the next run
    StoreOutdated        a store has an older version; its contents have to be loaded again from the shards

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
    """A rule-based player cannot make out what a model says to it; this ends the dialogue only."""


class BudgetExceeded(InterplayError):
    """The budget of the run is spent."""


class EnvironmentFailure(InterplayError):
    """An environment itself broke; a failing tool call is an error result instead."""


class StoreError(InterplayError):
    """Shard files, the dataset store or an export could not be read or written."""


class NoSuchRecord(StoreError):
    """No record has the id or id prefix asked for, or several do."""


class StoreUnreachable(StoreError):
    """An object store that holds a workspace does not answer."""


class StoreInUse(StoreError):
    """Another process works in the workspace, or has its store open."""


class StoreOutdated(StoreError):
    """A store has an older version; its contents have to be loaded again from the shards."""


def first_line(error: BaseException) -> str:
    """Return the first line of a library's error message; the exception's class name if the message is empty."""
    return str(error).splitlines()[0] if str(error) else type(error).__name__
