"""Tools that bear the name of their service before what they do."""

import json
from pathlib import Path

import pytest

from interplay.flows.worlds.assembly import open_world
from interplay.generators.importers.definitions.importer import import_tool_json
from interplay.generators.importers.documents.tool_effects import effect_of_name, effect_of_request
from interplay.generators.phrases.intents import intents_of
from interplay.schemas.records.tool import Tool

TEXT = {"type": "string"}


def imported(folder: Path, *tools: tuple[str, str, tuple[str, ...]]) -> dict[str, Tool]:
    listed = [
        {
            "name": name,
            "description": told,
            "inputSchema": {"type": "object", "properties": dict.fromkeys(needed, TEXT), "required": needed},
        }
        for name, told, needed in tools
    ]
    path = folder / "tools.json"
    path.write_text(json.dumps({"tools": listed}), encoding="utf-8")
    return {tool.name: tool for tool in import_tool_json(path).toolset.tools}


FLATS = (
    ("homely_search", "Search for Homely flats with various filters", ("location",)),
    ("homely_flat_details", "Get detailed information about a flat", ("id",)),
)


def test_lose_it_where_it_names_no_thing(tmp_path: Path) -> None:
    maps = [(f"maps_{name}", "API", ("city",)) for name in ("weather", "distance", "text_search", "direction_driving")]
    tools = imported(tmp_path, *maps)
    assert [tool.original_name for tool in tools.values()] == [
        "weather",
        "distance",
        "text_search",
        "direction_driving",
    ]
    assert intents_of(tools["maps_direction_driving"])[0] == "get driving directions"
    assert {tool.effect for tool in tools.values()} == {"read"}


@pytest.mark.parametrize(
    "names",
    [
        ("issue_create", "issue_list", "issue_add_comment"),
        ("get_user", "get_order", "get_item"),
        ("file_read", "file_write", "file_move"),
    ],
)
def test_keep_what_they_act_on(tmp_path: Path, names: tuple[str, ...]) -> None:
    tools = imported(tmp_path, *((name, "Does it", ("issue_id",)) for name in names))
    assert [tool.original_name for tool in tools.values()] == list(names)


def test_a_search_is_for_what_its_description_says(tmp_path: Path) -> None:
    imported(tmp_path, *FLATS)
    world = open_world([f"json:{tmp_path / 'tools.json'}"])
    roles = {role.tool: (role.operation, role.resource) for role in world.environment.resources.roles}
    assert roles["homely_search"] == ("list", "flat")
    assert roles["homely_flat_details"] == ("read", "flat")


@pytest.mark.parametrize(
    ("told", "effect"),
    [("查询指定城市的天气", "read"), ("创建一个新的订单", "write"), ("Obtiene el saldo de la cuenta", "read"), ("Crea una reserva", "write"),
     ("Liefert alle Termine", "read"), ("Löscht den Termin und gibt ihn zurück", "write"), ("", "write")],
)  # fmt: skip
def test_descriptions_in_other_languages_tell_what_only_reads(told: str, effect: str) -> None:
    assert effect_of_name("konto", told) == effect


def test_a_word_of_the_name_is_a_verb_where_a_thing_follows_it(tmp_path: Path) -> None:
    tools = imported(
        tmp_path,
        ("optimize_trip", "Optimizes an existing trip", ("trip_id",)),
        ("weather", "Weather for a city", ("city",)),
    )
    assert intents_of(tools["optimize_trip"])[0] == "optimize a trip"
    assert intents_of(tools["weather"])[0].startswith("see")


@pytest.mark.parametrize(
    ("name", "effect"),
    [("checkIn", "write"), ("check_out_guest", "write"), ("check_guest_in", "write"), ("check_stock", "read")],
)
def test_whoever_checks_in_changes_something(name: str, effect: str) -> None:
    assert effect_of_name(name) == effect
    assert effect_of_request("POST", f"/things/{{id}}/{name}", name, "")[0] == effect
