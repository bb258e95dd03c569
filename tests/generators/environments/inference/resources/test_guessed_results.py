"""What a tool answers of whose results nothing is said, by its name and its summary."""

from interplay.generators.environments.inference.resources.guessed_results import guessed_result
from interplay.schemas.records.tool import Source, Tool


def tool(name: str, summary: str = "") -> Tool:
    return Tool(
        name=name, original_name=name, summary=summary, description=summary, effect="read",
        parameters={"type": "object", "properties": {}}, source=Source(file="bank"),
    )  # fmt: skip


def test_a_balance_is_money_and_no_person() -> None:
    assert set((guessed_result(tool("get_account_balance")) or {})["properties"]) == {"balance", "currency"}


def test_a_list_is_several_whatever_the_name_says() -> None:
    assert (guessed_result(tool("get_account", "Returns a list of all the accounts")) or {})["type"] == "array"
    assert (guessed_result(tool("get_account", "Returns an account")) or {})["type"] == "object"


def test_whose_things_are_listed_says_nothing_of_what_they_are() -> None:
    listed = guessed_result(tool("list_alerts", "List alerts for the authenticated user")) or {}
    assert "text" in listed["items"]["properties"]
    assert "full_name" not in listed["items"]["properties"]
    people = guessed_result(tool("get_all", "A list of members of the team")) or {}
    assert "full_name" in people["items"]["properties"]
