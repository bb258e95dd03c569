"""What people expect of an API is what the sandbox does: links, nested rows, pages."""

from typing import Any

import pytest
from tests.generators.environments.inline import TEXT, call, operation, row, sandbox

from interplay.generators.environments.sandbox.sandbox import Sandbox

pytestmark = pytest.mark.anyio

USER, PROJECT = row(name=TEXT, email=TEXT), row(title=TEXT)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def listed(of: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": of}


def members() -> Sandbox:
    return sandbox(
        operation("listUsers", "GET", "/users", listed(USER)),
        operation("getUser", "GET", "/users/{userId}", USER),
        operation("deleteUser", "DELETE", "/users/{userId}", None),
        operation("listProjects", "GET", "/projects", listed(PROJECT)),
        operation("getProject", "GET", "/projects/{projectId}", PROJECT),
        operation("deleteProject", "DELETE", "/projects/{projectId}", None),
        operation("listMembers", "GET", "/projects/{projectId}/members", listed(USER)),
        operation("putMember", "PUT", "/projects/{projectId}/members/{userId}", None),
        operation("removeMember", "DELETE", "/projects/{projectId}/members/{userId}", None),
    )


async def names(opened: Sandbox, project: str) -> list[str]:
    result = await call(opened, "listMembers", projectId=project)
    return [item["id"] for item in result.value]


async def test_a_member_put_into_a_project_is_listed_there_and_can_be_removed_once() -> None:
    opened = members()
    projects = list(opened.state()["project"])
    users = list(opened.state()["user"])
    for project in projects[:2]:
        before = await names(opened, project)
        missing = next(user for user in users if user not in before)
        assert (await call(opened, "putMember", projectId=project, userId=missing)).error is None
        assert set(await names(opened, project)) == {*before, missing}
        assert (await call(opened, "removeMember", projectId=project, userId=missing)).error is None
        assert await names(opened, project) == before
        again = await call(opened, "removeMember", projectId=project, userId=missing)
        assert "404" in str(again.error)


async def test_one_user_can_be_a_member_of_several_projects() -> None:
    opened = members()
    user = next(iter(opened.state()["user"]))
    for project in opened.state()["project"]:
        assert (await call(opened, "putMember", projectId=project, userId=user)).error is None
    for project in opened.state()["project"]:
        assert user in await names(opened, project)


async def test_members_are_users_and_an_unknown_one_cannot_join() -> None:
    opened = members()
    project = next(iter(opened.state()["project"]))
    assert set(await names(opened, project)) <= set(opened.state()["user"])
    refused = await call(opened, "putMember", projectId=project, userId="nobody")
    assert "404" in str(refused.error)


async def test_a_deleted_user_is_a_member_of_nothing() -> None:
    opened = members()
    project = next(iter(opened.state()["project"]))
    user = (await names(opened, project))[0]
    assert (await call(opened, "deleteUser", userId=user)).error is None
    assert user not in await names(opened, project)


async def test_a_row_is_found_below_its_own_parents_only_and_goes_with_them() -> None:
    task = row(name=TEXT)
    opened = sandbox(
        operation("listProjects", "GET", "/projects", listed(PROJECT)),
        operation("getProject", "GET", "/projects/{projectId}", PROJECT),
        operation("deleteProject", "DELETE", "/projects/{projectId}", None),
        operation("listLists", "GET", "/projects/{projectId}/lists", listed(row(name=TEXT))),
        operation("getList", "GET", "/projects/{projectId}/lists/{listId}", row(name=TEXT)),
        operation("listTasks", "GET", "/projects/{projectId}/lists/{listId}/tasks", listed(task)),
        operation("getTask", "GET", "/projects/{projectId}/lists/{listId}/tasks/{taskId}", task),
    )
    key, held = next(iter(opened.state()["task"].items()))
    parents = held["_parents"]
    other = next(name for name in opened.state()["project"] if name != parents["project"])
    where = {"listId": parents["list"], "taskId": key}
    assert (await call(opened, "getTask", projectId=parents["project"], **where)).error is None
    assert "404" in str((await call(opened, "getTask", projectId=other, **where)).error)
    assert (await call(opened, "deleteProject", projectId=parents["project"])).error is None
    assert key not in opened.state()["task"]


async def test_pages_follow_each_other_and_the_last_one_names_none() -> None:
    shown = {
        "type": "object",
        "properties": {
            "data": listed(PROJECT),
            "has_more": {"type": "boolean"},
            "next_cursor": {"type": ["string", "null"]},
            "total_count": {"type": "integer"},
        },
        "required": ["data", "has_more", "next_cursor"],
    }
    opened = sandbox(
        operation("listProjects", "GET", "/projects", shown, query_limit={"type": "integer"}, query_cursor=TEXT),
        operation("getProject", "GET", "/projects/{projectId}", PROJECT),
    )
    seen: list[str] = []
    more: dict[str, Any] = {}
    for _ in range(20):
        page = (await call(opened, "listProjects", limit=4, **more)).value
        seen += [item["id"] for item in page["data"]]
        assert page["total_count"] == len(opened.state()["project"])
        assert page["has_more"] is (page["next_cursor"] is not None)
        if not page["has_more"]:
            break
        more = {"cursor": page["next_cursor"]}
    assert seen == list(opened.state()["project"])


@pytest.mark.parametrize(
    ("method", "verb", "field", "schema", "expected"),
    [
        ("POST", "cancel", "status", {"enum": ["OPEN", "CANCELED"]}, "CANCELED"),
        ("POST", "cancel", "state", {"enum": ["open", "cancelled"]}, "cancelled"),
        ("POST", "archive", "archived", {"type": "boolean"}, True),
        ("POST", "unarchive", "is_archived", {"type": "boolean"}, False),
        ("POST", "close", "closed", {"type": "boolean"}, True),
        ("POST", "reopen", "closed", {"type": "boolean"}, False),
        ("PUT", "star", "starred", {"type": "boolean"}, True),
        ("DELETE", "star", "starred", {"type": "boolean"}, False),
        ("POST", "unpin", "pinned", {"type": "boolean"}, False),
        ("POST", "pause", "status", {"enum": ["running", "paused"]}, "paused"),
        ("POST", "resume", "status", {"enum": ["running", "paused"]}, "running"),
        ("POST", "approve", "status", {"enum": ["pending", "approved"]}, "approved"),
        ("PUT", "publish", "status", {"enum": ["draft", "published"]}, "published"),
    ],
)
async def test_a_verb_leads_to_the_status_that_it_names(
    method: str, verb: str, field: str, schema: dict[str, Any], expected: Any
) -> None:
    order = row(name=TEXT, **{field: schema})
    opened = sandbox(
        operation("listOrders", "GET", "/orders", listed(order)),
        operation("getOrder", "GET", "/orders/{orderId}", order),
        operation(f"{verb}Order", method, f"/orders/{{orderId}}/{verb}", None),
    )
    for key in list(opened.state()["order"]):
        assert (await call(opened, f"{verb}Order", orderId=key)).error is None
        assert (await call(opened, "getOrder", orderId=key)).value[field] == expected
