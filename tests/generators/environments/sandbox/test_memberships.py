"""Rows put among those of another row and taken out: they stay, and lists of the other row show or leave them out."""

from typing import Any

import pytest
from tests.generators.environments.inline import TEXT, call, operation, row, sandbox

from interplay.generators.environments.sandbox.sandbox import Sandbox

pytestmark = pytest.mark.anyio

TAG, CONTACT = row(name=TEXT), row(email=TEXT)
TAGS, CONTACTS = {"type": "array", "items": TAG}, {"type": "array", "items": CONTACT}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def opened() -> Sandbox:
    return sandbox(
        operation("listTags", "GET", "/tags", TAGS),
        operation("getTag", "GET", "/tags/{tagId}", TAG),
        operation("deleteTag", "DELETE", "/tags/{tagId}", None),
        operation("listContacts", "GET", "/contacts", CONTACTS),
        operation("getContact", "GET", "/contacts/{contactId}", CONTACT),
        operation("listTagsOfContact", "GET", "/contacts/{contactId}/tags", TAGS),
        operation("attachTag", "POST", "/contacts/{contactId}/tags", TAG, id=TEXT),
        operation("detachTag", "DELETE", "/contacts/{contactId}/tags/{tagId}", TAG),
    )


async def value(opened: Sandbox, tool: str, **arguments: Any) -> Any:
    result = await call(opened, tool, **arguments)
    return result.value if result.error is None else result.error


async def test_what_is_put_there_is_shown_there_and_what_is_taken_out_stays_elsewhere(opened: Sandbox) -> None:
    contact = (await value(opened, "listContacts"))[0]["id"]
    own = [tag["id"] for tag in await value(opened, "listTagsOfContact", contactId=contact)]
    tag = next(tag["id"] for tag in await value(opened, "listTags") if tag["id"] not in own)
    assert "404" in await value(opened, "detachTag", contactId=contact, tagId=tag)
    assert (await value(opened, "attachTag", contactId=contact, id=tag))["id"] == tag
    assert tag in [item["id"] for item in await value(opened, "listTagsOfContact", contactId=contact)]
    assert (await value(opened, "detachTag", contactId=contact, tagId=tag))["id"] == tag
    assert tag not in [item["id"] for item in await value(opened, "listTagsOfContact", contactId=contact)]
    assert (await value(opened, "getTag", tagId=tag))["id"] == tag


async def test_nothing_is_made_of_an_identity_that_no_row_has(opened: Sandbox) -> None:
    contact = (await value(opened, "listContacts"))[0]["id"]
    before = len(await value(opened, "listTags"))
    assert "404" in await value(opened, "attachTag", contactId=contact, id="nowhere")
    assert len(await value(opened, "listTags")) == before


async def test_what_is_made_by_its_name_below_a_row_is_new() -> None:
    repo = {"type": "object", "properties": {"name": TEXT, "owner": {"type": "object", "properties": {"login": TEXT}}}}
    opened = sandbox(
        operation("listOrgs", "GET", "/orgs", {"type": "array", "items": row(login=TEXT)}),
        operation("getOrg", "GET", "/orgs/{orgId}", row(login=TEXT)),
        operation("getRepo", "GET", "/repos/{name}", repo),
        operation("createRepo", "POST", "/orgs/{orgId}/repos", repo, name=TEXT),
    )
    org = (await value(opened, "listOrgs"))[0]["id"]
    assert (await value(opened, "createRepo", orgId=org, name="fresh"))["name"] == "fresh"
