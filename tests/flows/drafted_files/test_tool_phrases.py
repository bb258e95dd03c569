import asyncio
from pathlib import Path

import pytest
import yaml

from interplay.flows.drafted_files.tool_phrases import PhrasedToolset, phrases_for, saved_phrases
from interplay.flows.settings.config import RunConfig
from interplay.flows.worlds.assembly import open_world
from interplay.schemas.errors import ConfigError

SHOP = Path(__file__).parents[3] / "docs" / "examples" / "shop.yaml"


def made(tmp_path: Path, toolset: str) -> PhrasedToolset:
    return asyncio.run(phrases_for(RunConfig(toolset=(toolset,)), tmp_path / "journal.sqlite"))


def test_without_a_model_they_are_derived(tmp_path: Path) -> None:
    found = {item.tool: item for item in made(tmp_path, f"openapi:{SHOP}").tools}
    assert {item.by for item in found.values()} <= {"rules", "author"}
    assert found["cancelOrder"].phrases.wishes[0] == "cancel an order"


def test_a_domain_has_its_own(tmp_path: Path) -> None:
    assert {item.by for item in made(tmp_path, "domain:clinic").tools} == {"author"}


def test_saved_ones_are_read_again_and_leave_the_file_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("# kept\nnouns: {}\ntools:\n  getOrder: {summary: Get it}   # mine\n")
    text = saved_phrases(file, made(tmp_path, f"openapi:{SHOP}"))
    assert "# kept" in text
    assert "# mine" in text
    read = yaml.safe_load(text)["tools"]
    assert read["cancelOrder"]["phrases"]["wishes"][0] == "cancel an order"
    assert read["getOrder"] == {"summary": "Get it"}
    file.write_text(text)
    again = {item.tool: item.by for item in made(tmp_path, f"openapi:{SHOP}?overrides={file}").tools}
    assert again["cancelOrder"] == "author"


def test_rows_of_a_model_are_saved_beside_phrases_and_read_again(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("resources:\n  customer: {noun: client}\n")
    told = PhrasedToolset(
        made(tmp_path, f"openapi:{SHOP}").tools, {"product": ({"name": "Carrom Board"},), "customer": ()}
    )
    file.write_text(saved_phrases(file, told))
    read = yaml.safe_load(file.read_text())["resources"]
    assert read == {"product": {"examples": [{"name": "Carrom Board"}]}, "customer": {"noun": "client"}}
    world = open_world([f"openapi:{SHOP}?overrides={file}"])
    assert "Carrom Board" in {row["name"] for row in world.environment.state()["product"].values()}


def test_tools_in_one_line_are_left_to_their_author(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("tools: {getOrder: {summary: Get it}}\n")
    with pytest.raises(ConfigError, match="one a line"):
        saved_phrases(file, made(tmp_path, f"openapi:{SHOP}"))
