"""Paths that people give: a home that is not there, and files that never end."""

from pathlib import Path

import pytest

from interplay.schemas import plain_file
from interplay.schemas.plain_file import at_home, plain_text


def test_a_home_that_is_not_known_stays_as_it_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert at_home(Path("~/records")) == tmp_path / "records"
    assert at_home(Path("~nobody-of-that-name/records")) == Path("~nobody-of-that-name/records")


def test_only_files_that_end_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "text").write_text("grüß", encoding="utf-8")
    assert plain_text(tmp_path / "text") == "grüß"
    with pytest.raises(OSError, match="a pipe or a device"):
        plain_text(Path("/dev/zero"))
    monkeypatch.setattr(plain_file, "MOST_BYTES", 3)
    with pytest.raises(OSError, match="it is larger than"):
        plain_text(tmp_path / "text")
