import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.flows.command_line import Answer, interplay
from tests.generators.environments.shop import shop_file

Run = Callable[..., Answer]


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """The command line, run in a folder with a shop."""
    monkeypatch.chdir(tmp_path)
    shop_file(tmp_path)
    return lambda *arguments: interplay(monkeypatch, capsys, *arguments)


def answer_of(answer: Answer) -> Any:
    assert answer.code == 0, answer.err
    return json.loads(answer.out)


def test_the_list_names_the_file_of_overrides_and_what_was_left_out(command: Run, tmp_path: Path) -> None:
    (tmp_path / "shop.interplay.yaml").write_text("exclude: [pingOrder]")
    shown = command("import", "--toolset", "openapi:shop.yaml", "--without", "effect:write")
    assert shown.code == 1
    assert "'pingOrder' fits no tool" in shown.err
    shown = command("import", "--toolset", "openapi:shop.yaml", "--without", "cancel*")
    assert "overrides: shop.interplay.yaml" in shown.out
    assert "left out on purpose: 2" in shown.out
    assert "cancelOrder" not in shown.out.replace("cancel*", "")


def test_explains(command: Run) -> None:
    shown = command("import", "--toolset", "openapi:shop.yaml", "--explain")
    assert "order  identified by id (a field of the row that a read shows), 9 rows" in shown.out
    assert "delete  cancelOrder  DELETE /orders/{id}: a row by its identity, deleted" in shown.out
    accounts = answer_of(command("import", "--toolset", "openapi:shop.yaml", "--explain", "--json"))
    assert [item["name"] for item in accounts[0]["resources"]] == ["customer", "order"]
    one = command("import", "--toolset", "openapi:shop.yaml", "--resource", "order")
    assert "getCustomer" not in one.out
    assert "Did you mean order?" in command("import", "--toolset", "openapi:shop.yaml", "--resource", "ordr").err


def test_writes_overrides_beside_the_source_and_never_over_them(command: Run, tmp_path: Path) -> None:
    written = answer_of(command("import", "--toolset", "openapi:shop.yaml", "--write-overrides", "--json"))
    assert written == {"written": ["shop.interplay.yaml"]}
    (tmp_path / "shop.interplay.yaml").write_text("name: mine")
    refused = command("import", "--toolset", "openapi:shop.yaml", "--write-overrides")
    assert (refused.code, "is there already" in refused.err) == (1, True)
    assert command("import", "--toolset", "openapi:shop.yaml", "--write-overrides", "--force").code == 0
    assert "resources:" in (tmp_path / "shop.interplay.yaml").read_text()


def test_tells_what_changed_since(command: Run, tmp_path: Path) -> None:
    assert command("import", "--toolset", "openapi:shop.yaml", "--save", "shop.json").code == 0
    same = command("import", "--toolset", "openapi:shop.yaml", "--since", "shop.json")
    assert (same.code, "0 added, 0 changed, 0 removed, 0 renamed, 7 unchanged" in same.out) == (0, True)
    text = (tmp_path / "shop.yaml").read_text()
    (tmp_path / "shop.yaml").write_text(
        text.replace("summary: getOrder.", "summary: Show an order").replace("pingOrder", "pongOrder")
    )
    changed = command("import", "--toolset", "openapi:shop.yaml", "--since", "shop.json", "--json")
    assert changed.code == 3
    found = json.loads(changed.out)
    assert [item["name"] for item in found["changed"]] == ["getOrder"]
    assert [(item["before"], item["name"]) for item in found["renamed"]] == [("pingOrder", "pongOrder")]
    assert command("import", "--toolset", "openapi:shop.yaml", "--since", "none.json").code == 1


def test_a_run_is_refused_with_what_changed(command: Run, tmp_path: Path) -> None:
    (tmp_path / "interplay.yaml").write_text(
        "toolset: 'openapi:shop.yaml?overrides=mine.yaml'\nshard_size: 4\nrecords: 2"
    )
    (tmp_path / "mine.yaml").write_text("resources: {order: {rows: 6}}")
    assert command("run", "--workspace", "made").code == 0
    (tmp_path / "mine.yaml").write_text("resources: {order: {rows: 7}}")
    assert "overrides:mine.yaml" in command("run", "--workspace", "made").err
    (tmp_path / "mine.yaml").write_text("exclude: [pingOrder]\nresources: {order: {rows: 6}}")
    assert "removed pingOrder" in command("run", "--workspace", "made").err
    (tmp_path / "mine.yaml").write_text("resources: {order: {rows: 6}}  # as before")
    assert command("run", "--workspace", "made", "--records", "3").code == 0


def test_an_option_that_no_source_knows_is_refused(command: Run) -> None:
    refused = command("import", "--toolset", "openapi:shop.yaml?onyl=x")
    assert (refused.code, "expected overrides=, only=, without= or observations=" in refused.err) == (1, True)


def test_explains_what_calls_contradict_unless_told_not_to_run_any(command: Run, tmp_path: Path) -> None:
    (tmp_path / "shop.interplay.yaml").write_text(
        "tools: {getOrder: {operation: read, resource: customer, target: id}}"
    )
    asked = ("import", "--toolset", "openapi:shop.yaml", "--explain")
    doubts = [doubt for doubt in answer_of(command(*asked, "--json"))[0]["doubts"] if doubt["kind"]]
    (doubt,) = [doubt for doubt in doubts if doubt["kind"] == "listed_not_readable"]
    assert doubt["about"] == "listOrders, getOrder"
    assert doubt["calls"][0]["name"] == "listOrders"
    shown = " ".join(command(*asked).out.split())
    assert "listOrders, getOrder listed not readable: expected the listed" in shown
    assert "in doubt, since" not in command(*asked, "--no-run").out


def test_a_file_of_overrides_in_which_all_is_commented_out_changes_nothing(command: Run, tmp_path: Path) -> None:
    (tmp_path / "small.yaml").write_text("shard_size: 4\n")
    run = ("run", "small.yaml", "--toolset", "openapi:shop.yaml", "--records", "1")
    assert command(*run).code == 0
    assert command("import", "--toolset", "openapi:shop.yaml", "--write-overrides").code == 0
    assert (tmp_path / "shop.interplay.yaml").is_file()
    assert command(*run).code == 0
    (tmp_path / "shop.interplay.yaml").write_text("policy: Be brief.")
    assert "have changed since" in command(*run).err


SUPPORT = """
from interplay.generators.importers.python.importer import tool

class Support:
    def __init__(self):
        self.lines = {"L1": {"line_id": "L1", "roaming": False}}

    @tool(effect="write")
    def enable_roaming(self, line_id: str) -> str:
        "Enable roaming for a line."
        self.lines[line_id]["roaming"] = True
        return "Done."
"""


def test_a_module_of_one_class_with_tools_needs_no_name_for_it(command: Run, tmp_path: Path) -> None:
    (tmp_path / "only_support.py").write_text(SUPPORT)
    told = answer_of(command("import", "--toolset", "python:only_support", "--json"))
    assert "enable_roaming" in json.dumps(told)
    (tmp_path / "two_supports.py").write_text(SUPPORT + SUPPORT.replace("class Support", "class Sales"))
    assert "python:two_supports:NAME: Support, Sales" in command("import", "--toolset", "python:two_supports").err
