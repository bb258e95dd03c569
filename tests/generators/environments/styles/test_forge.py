"""A forge of code: owners that are organisations, rows told apart by names, labels that issues take from their repository."""

from pathlib import Path
from typing import Any

import pytest

from interplay.flows.worlds.assembly import open_part
from interplay.flows.worlds.tool_sources import import_source
from interplay.generators.environments.sandbox.sandbox import Sandbox
from interplay.schemas.records.dialogue import ToolCall

pytestmark = pytest.mark.anyio

SPEC = Path(__file__).parent / "forge.yaml"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def opened() -> Sandbox:
    environment = open_part(import_source(f"openapi:{SPEC}")).environment
    assert isinstance(environment, Sandbox)
    return environment


async def answer(opened: Sandbox, tool: str, /, **arguments: Any) -> Any:
    result = await opened.call(ToolCall(id="call00001", name=tool, arguments=arguments))
    return result.value if result.error is None else result.error


async def places(opened: Sandbox) -> list[dict[str, Any]]:
    """Return where the repositories are."""
    orgs = [org["login"] for org in await answer(opened, "orgs_list")]
    found = [(org, await answer(opened, "repos_list-for-org", org=org)) for org in orgs]
    return [{"owner": org, "repo": repo["name"]} for org, repos in found for repo in repos]


async def test_the_owner_of_a_repository_is_the_organisation_that_it_shows(opened: Sandbox) -> None:
    orgs = {org["login"]: org["id"] for org in await answer(opened, "orgs_list")}
    for place in await places(opened):
        repo = await answer(opened, "repos_get", **place)
        assert repo["full_name"] == f"{place['owner']}/{place['repo']}"
        assert (repo["owner"]["login"], repo["owner"]["id"]) == (place["owner"], orgs[place["owner"]])
        assert repo["owner"].get("type", "Organization") == "Organization"
    made = await answer(opened, "repos_create-in-org", org=next(iter(orgs)), name="fresh")
    assert made["full_name"] == f"{next(iter(orgs))}/fresh"
    assert await answer(opened, "repos_get", owner=next(iter(orgs)), repo="fresh") == made
    assert "404" in await answer(opened, "repos_get", owner="nobody", repo="fresh")


async def test_labels_of_an_issue_come_from_its_repository(opened: Sandbox) -> None:
    here, there = (await places(opened))[:2]
    for name in ("urgent-fix", "later"):
        await answer(opened, "issues_create-label", **here, name=name)
    await answer(opened, "issues_create-label", **there, name="elsewhere")
    issue = {**here, "issue_number": (await answer(opened, "issues_list-for-repo", **here))[0]["number"]}
    before = await answer(opened, "issues_list-labels-on-issue", **issue)
    added = await answer(opened, "issues_add-labels", **issue, labels=["later"])
    assert added == [*before, await answer(opened, "issues_get-label", **here, name="later")]
    assert (await answer(opened, "issues_get", **issue))["labels"] == added
    assert "404" in await answer(opened, "issues_add-labels", **issue, labels=["elsewhere"])
    changed = await answer(opened, "issues_set-labels", **issue, labels=["urgent-fix", "later"])
    assert [label["name"] for label in changed] == ["urgent-fix", "later"]
    left = await answer(opened, "issues_remove-label", **issue, name="later")
    assert [label["name"] for label in left] == ["urgent-fix"]
    assert "404" in await answer(opened, "issues_remove-label", **issue, name="later")
    await answer(opened, "issues_remove-all-labels", **issue)
    assert await answer(opened, "issues_list-labels-on-issue", **issue) == []
    assert (await answer(opened, "issues_get-label", **here, name="later"))["name"] == "later"


async def test_people_are_named_by_their_logins(opened: Sandbox) -> None:
    here = (await places(opened))[0]
    who = (await answer(opened, "users_list"))[3]
    made = await answer(opened, "issues_create", **here, title="Broken link", assignees=[who["login"]])
    assert [(item["login"], item["id"]) for item in made["assignees"]] == [(who["login"], who["id"])]
    assert "404" in await answer(opened, "issues_create", **here, title="Broken link", assignees=["nobody"])
    assert made in await answer(opened, "issues_list-for-repo", **here, assignee=who["login"])


async def test_all_asks_for_every_state(opened: Sandbox) -> None:
    here = (await places(opened))[0]
    every = await answer(opened, "issues_list-for-repo", **here)
    assert every == await answer(opened, "issues_list-for-repo", **here, state="all")
