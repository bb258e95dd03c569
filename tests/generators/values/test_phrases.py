"""How people ask for what a tool does."""

import pytest

from interplay.generators.values.phrases import intents_of, plural, topic_of
from interplay.schemas.tools import Source, Tool


def tool(name: str, summary: str = "", phrases: tuple[str, ...] = ()) -> Tool:
    return Tool(name=name, original_name=name, summary=summary, parameters={}, source=Source(file="x"), phrases=phrases)


@pytest.mark.parametrize(
    ("name", "summary", "phrase"),
    [
        ("getProjects", "Retrieves all project tasks.", "get all project tasks"),
        ("createTask", "Allows you to create a task", "create a task"),
        ("getPetById", "Find pet by ID", "find a pet"),
        ("x", "Returns a **list** of [cards](http://e.org)", "get a list of cards"),
        ("createComment", "Create comment", "create a comment"),
        ("deletePet", "deletes a single pet based on the ID supplied", "delete a pet"),
        ("list_guild_templates", "", "see guild templates"),
        ("get_lobby", "", "get a lobby"),
        ("updateUser", "Update user resource", "update a user"),
        ("boards-add", "This endpoint can be used to archive a board.", "archive a board"),
    ],
)
def test_makes_a_request_of_a_summary_or_a_name(name: str, summary: str, phrase: str) -> None:
    assert phrase in intents_of(tool(name, summary))


def test_prefers_the_phrases_that_a_tool_brings() -> None:
    assert intents_of(tool("a", "Get it.", ("see my file",))) == ("see my file",)


def test_names_the_topic_of_a_tool() -> None:
    assert topic_of("list_specialties") == "specialties"
    assert topic_of("retrieve-a-page") == "page"


@pytest.mark.parametrize(("noun", "many"), [("city", "cities"), ("box", "boxes"), ("day", "days"), ("pet", "pets")])
def test_makes_plurals(noun: str, many: str) -> None:
    assert plural(noun) == many
