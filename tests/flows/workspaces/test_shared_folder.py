"""Who holds a shared folder: one process at a time, even where others come, or the store fails, at a bad moment."""

import json
import threading
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from interplay.flows.workspaces import shared_folder
from interplay.flows.workspaces.shared_folder import SharedFolder
from interplay.schemas.errors import StoreInUse, StoreUnreachable

FIRST = "holders/000001.json"


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"file://{tmp_path}/there"


class Overtaken(SharedFolder):
    """A folder that others take and leave again before this process, which looked earlier, gets to it."""

    def create(self, name: str, content: bytes) -> bool:
        SharedFolder(self.url).create("holders/000002.json", b'{"holder": "b", "beat": 0, "done": false}')
        return super().create(name, content)


def test_who_was_overtaken_between_looking_and_taking_does_not_hold_it(url: str) -> None:
    held = False
    with pytest.raises(StoreInUse, match="was taken by another one at this moment"), Overtaken(url).held("a"):
        held = True
    assert not held
    assert "holders/000002.json" in SharedFolder(url).sizes("holders")


@dataclass(frozen=True)
class Beating(SharedFolder):
    """A folder whose heartbeats can be followed: the first of them is slow, or fails."""

    fails: bool = False
    begun: threading.Event = field(default_factory=threading.Event)
    again: threading.Event = field(default_factory=threading.Event)
    let_go: threading.Event = field(default_factory=threading.Event)

    def write(self, name: str, content: bytes) -> None:
        note = json.loads(content)
        if note["done"]:
            super().write(name, content)
            self.let_go.set()
            return
        if note["beat"] > 1:
            self.again.set()
        elif self.fails:
            raise StoreUnreachable("Connection reset by peer")
        else:
            self.begun.set()
            self.let_go.wait(0.3)
        super().write(name, content)


def test_a_slow_heartbeat_does_not_undo_that_the_folder_was_let_go(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_folder, "BEAT", 0.001)
    folder = Beating(url)
    with folder.held("a"):
        assert folder.begun.wait(60)
    assert json.loads(folder.read(FIRST) or b"")["done"]
    with SharedFolder(url).held("b"):  # at once
        assert json.loads(folder.read("holders/000002.json") or b"")["holder"] == "b"


def test_a_heartbeat_that_fails_is_followed_by_others(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_folder, "BEAT", 0.001)
    folder = Beating(url, fails=True)
    with folder.held("a"):
        assert folder.again.wait(10)
