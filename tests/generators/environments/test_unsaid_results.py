"""Lists of tools that say nothing of results: what reads answers like what it is about, what writes is remembered."""

import pytest
from tests.generators.environments.inline import TEXT, call

from interplay.generators.environments.resources import infer_plan
from interplay.generators.environments.sandbox import Sandbox
from interplay.schemas.tools import Source, Tool, Toolset

pytestmark = pytest.mark.anyio
NUMBER = {"type": "number"}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def tool(name: str, effect: str = "read", /, **arguments: object) -> Tool:
    """Return a tool as servers list it: no output schema, no path."""
    return Tool(
        name=name,
        original_name=name,
        summary=name.replace("_", " "),
        parameters={"type": "object", "properties": arguments},
        effect=effect,  # type: ignore[arg-type]
        source=Source(file="tools.json"),
    )


async def answer(made: Tool, **arguments: object) -> object:
    return (await call(Sandbox(Toolset(name="inline", tools=(made,)), seed=7), made.name, **arguments)).value


async def test_a_search_finds_rows_like_what_it_is_about() -> None:
    users = await answer(tool("search_users", q=TEXT), q="Ada")
    assert isinstance(users, list)
    assert [set(user) for user in users] == [{"id", "full_name", "email"}] * len(users)
    assert isinstance(await answer(tool("workflows-list")), list)


async def test_one_answer_repeats_what_it_was_asked_for() -> None:
    assert set(await answer(tool("get_weather_forecast"))) == {"conditions", "temperature", "wind_speed"}  # type: ignore[call-overload]
    found = await answer(tool("maps_geocode", address=TEXT), address="3 Mill Street")
    assert isinstance(found, dict)
    assert (found["address"], set(found)) == ("3 Mill Street", {"address", "latitude", "longitude"})
    again = await answer(tool("maps_geocode", address=TEXT), address="3 Mill Street")
    assert found == again != await answer(tool("maps_geocode", address=TEXT), address="4 Mill Street")


async def test_what_writes_says_no_more_than_that_it_did() -> None:
    assert await answer(tool("push_files", "write")) == {"success": True}


def test_an_identity_may_be_called_more_than_id_and_be_a_number() -> None:
    tools = (
        tool("stories-search", name=TEXT),
        tool("stories-get-by-id", storyPublicId=NUMBER),
        tool("stories-update", "write", storyPublicId=NUMBER, name=TEXT),
    )
    plan = infer_plan(Toolset(name="inline", tools=tools))
    assert [(item.resource, item.target) for item in plan.tools.values()][1:] == [("story", "storyPublicId")] * 2


def test_a_merge_request_is_a_thing() -> None:
    made = tool("update_merge_request", "write", merge_request_iid=TEXT, title=TEXT)
    planned = infer_plan(Toolset(name="inline", tools=(made,))).tools[made.name]
    assert (planned.resource, planned.target) == ("merge_request", "merge_request_iid")
