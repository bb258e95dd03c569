"""Rows with attributes and relationships behave as flat rows do."""

from typing import Any

import pytest
from tests.generators.environments.styles.jsonapi import newsroom

from interplay.generators.environments.sandbox.sandbox import Sandbox
from interplay.schemas.records.dialogue import ToolCall

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def answer(opened: Sandbox, tool: str, /, **arguments: Any) -> Any:
    result = await opened.call(ToolCall(id="call00001", name=tool, arguments=arguments))
    return result.value if result.error is None else result.error


async def test_lists_are_filtered_sorted_and_paged_by_attributes_and_relationships() -> None:
    opened = Sandbox(newsroom(), seed=7)
    every = (await answer(opened, "listArticles"))["data"]
    drafts = (await answer(opened, "listArticles", **{"filter[status]": "draft"}))["data"]
    assert drafts == [row for row in every if row["attributes"]["status"] == "draft"]
    newest = [row["attributes"]["created"] for row in (await answer(opened, "listArticles", sort="-created"))["data"]]
    assert newest == sorted(newest, reverse=True)
    author = every[0]["relationships"]["author"]["data"]["id"]
    written = (await answer(opened, "listArticles", **{"filter[author]": author}))["data"]
    assert {row["relationships"]["author"]["data"]["id"] for row in written} == {author}
    assert (await answer(opened, "listArticles", **{"page[number]": 2, "page[size]": 3}))["data"] == every[3:6]


async def test_relationships_hold_rows_that_exist() -> None:
    opened = Sandbox(newsroom(), seed=7)
    people, tags = opened.state()["person"], opened.state()["tag"]
    for row in opened.state()["article"].values():
        assert row["relationships"]["author"]["data"]["id"] in people
        assert {item["id"] for item in row["relationships"]["tags"]["data"]} <= tags.keys()
    author = {"data": {"type": "people", "id": "nobody"}}
    data = {"type": "articles", "attributes": {"title": "News"}, "relationships": {"author": author}}
    assert "404" in await answer(opened, "createArticle", data=data)


async def test_what_is_made_begins_as_a_draft_and_its_status_moves_with_actions() -> None:
    opened = Sandbox(newsroom(), seed=7)
    made = (await answer(opened, "createArticle", data={"type": "articles", "attributes": {"title": "News"}}))["data"]
    assert made["attributes"]["status"] == "draft"
    assert (await answer(opened, "publishArticle", id=made["id"]))["data"]["attributes"]["status"] == "published"
    data = {"type": "articles", "id": made["id"], "attributes": {"title": "Old news"}}
    changed = (await answer(opened, "updateArticle", id=made["id"], data=data))["data"]
    assert changed["attributes"] == {**made["attributes"], "title": "Old news", "status": "published"}
    assert (await answer(opened, "getArticle", id=made["id"]))["data"] == changed


async def test_one_of_the_people_is_a_person() -> None:
    opened = Sandbox(newsroom(), seed=7)
    assert await answer(opened, "getPerson", id="0") == "404 Not Found: there is no person '0'."
