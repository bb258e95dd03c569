import io
import threading

import pytest

from interplay.flows.console import progress_display
from interplay.flows.console.progress_display import run_display
from interplay.flows.runs.committer import RunProgress
from interplay.generators.models.limits.limit_settings import LimitSnapshot


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def made() -> RunProgress:
    told = RunProgress(40)
    told.accepted, told.tried, told.made = 3, 5, 5
    told.rejected_by_issue = {"ungrounded_argument": 2}
    figures = {"in_flight": 7, "limit": 16, "waiting": 1, "waiting_on_rate_limit": 0, "requests": 20, "answers": 13}
    rest = {"rate": None, "paused": False, "pause_reason": "", "prompt_tokens": 0, "completion_tokens": 0, "errors": {}}
    told.models = (LimitSnapshot.model_validate({"name": "m", **figures, **rest}),)
    return told


def test_a_terminal_has_a_bar(made: RunProgress, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", terminal := Terminal())
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("TERM", "xterm")
    with run_display() as tell:
        tell(made)
    assert "3/40" in terminal.getvalue()
    assert "rejected (ungrounded_argument 2)" in terminal.getvalue()
    assert "m 7/16 in flight" in terminal.getvalue()


def test_a_file_has_a_line_now_and_then(made: RunProgress, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", written := io.StringIO())
    monkeypatch.setattr(progress_display, "SECONDS_BETWEEN_LINES", 0.0)
    with run_display() as tell:
        tell(made)
    assert written.getvalue().startswith("3 of 40 accepted after 5 tries (ungrounded_argument 2)")
    assert "m 7/16 in flight, 20 requests, 13 answers" in written.getvalue()


def test_a_line_is_not_told_again_at_once(made: RunProgress, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", written := io.StringIO())
    with run_display() as tell:
        tell(made)
    assert written.getvalue() == ""


def test_a_line_is_told_also_while_a_tool_takes_long(made: RunProgress, monkeypatch: pytest.MonkeyPatch) -> None:
    class Written(io.StringIO):
        """What tells when something was written."""

        def write(self, text: str) -> int:
            told.set()
            return super().write(text)

    told = threading.Event()
    monkeypatch.setattr("sys.stderr", written := Written())
    with run_display() as tell:
        tell(made)
        made.makes(range(50))
        monkeypatch.setattr(progress_display, "SECONDS_BETWEEN_LINES", 0.0)
        monkeypatch.setattr("sys.stderr", io.StringIO())  # as a tool that is called has it
        assert told.wait(30)
    assert "indices 0 to 49 made for " in written.getvalue()
