"""A workspace of tools that are somebody's code -> continued by the same code alone."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from interplay.flows.runs.run import run
from interplay.flows.runs.stages import open_generator
from interplay.flows.settings.config import RunConfig
from interplay.flows.workspaces.run_files import write_record
from interplay.flows.workspaces.workspace import Workspace
from interplay.schemas.errors import ConfigError

TOOLS = """
from {name}_rows import ROWS

class Depot:
    def __init__(self):
        self.items = dict(ROWS)
    def list_items(self) -> list[dict]:
        "List all items."
        return list(self.items.values())
    def get_item(self, item_id: str) -> dict:
        "Show an item."
        return self.items[item_id]
"""
ROWS = "ROWS = {f'I{k}': {'item_id': f'I{k}', 'label': label} for k, label in enumerate(['bolt', 'nut', 'rivet'])}\n"


def test_a_run_whose_code_was_edited_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    name, place = "edited", Workspace(tmp_path / "w")
    texts = {name: TOOLS.format(name=name), f"{name}_rows": ROWS}
    for module, text in texts.items():
        (tmp_path / f"{module}.py").write_text(text)
    config = RunConfig(toolset=(f"python:{name}:Depot",), records=1, shard_size=2)
    asyncio.run(run(place, config, lambda _: None))
    assert place.existing_run().code.keys() == {name, f"{name}_rows"}

    asks: dict[str, Callable[[], Coroutine[Any, Any, object]]] = {
        name: lambda: run(place, config, lambda _: None, records=4),
        f"{name}_rows": lambda: open_generator(place),
    }
    for module, text in texts.items():
        (tmp_path / f"{module}.py").write_text(f"{text}# another code\n")
        told = rf"code of its tools has changed since \({module}\).*Bring the code back"
        with pytest.raises(ConfigError, match=told):
            asyncio.run(asks[module]())
        (tmp_path / f"{module}.py").write_text(text)

    before = place.existing_run().model_copy(update={"code": {}})  # an earlier version noted none
    write_record(place.run_file, before, indent=2)
    asyncio.run(run(place, config, lambda _: None, records=2))
    assert place.existing_run().code.keys() == {name, f"{name}_rows"}
