"""A row belongs to what its path says, and to nothing else."""

import pytest
from tests.generators.environments.inline import TEXT, call, operation, row, sandbox

from interplay.generators.environments.sandbox.sandbox import Sandbox

pytestmark = pytest.mark.anyio

NUMBER = {"type": "integer"}
REPO = row(name=TEXT, owner={"type": "object", "properties": {"login": TEXT}, "required": ["login"]})
ISSUE = {"type": "object", "properties": {"number": NUMBER, "title": TEXT}, "required": ["number"]}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def forge() -> Sandbox:
    below = "/repos/{owner}/{repo}/issues"
    return sandbox(
        operation("getRepo", "GET", "/repos/{owner}/{repo}", REPO),
        operation("deleteRepo", "DELETE", "/repos/{owner}/{repo}", None),
        operation("listIssues", "GET", below, {"type": "array", "items": ISSUE}),
        operation("createIssue", "POST", below, ISSUE, title=TEXT),
        operation("getIssue", "GET", f"{below}/{{number}}", ISSUE),
    )


async def test_a_row_is_not_found_under_another_owner() -> None:
    opened = forge()
    for key, held in opened.state()["repo"].items():
        owner = held["_parents"]["owner"]
        assert (await call(opened, "getRepo", owner=owner, repo=key)).error is None
        other = next(name for name in opened.state()["owner"] if name != owner)
        assert "404" in str((await call(opened, "getRepo", owner=other, repo=key)).error)
        assert "404" in str((await call(opened, "getRepo", owner="nobody", repo=key)).error)


async def test_a_row_shows_the_owner_that_its_path_names() -> None:
    opened = forge()
    key, held = next(iter(opened.state()["repo"].items()))
    owner = held["_parents"]["owner"]
    assert (await call(opened, "getRepo", owner=owner, repo=key)).value["owner"]["login"] == owner


async def test_what_lies_below_is_reached_through_all_its_owners_only() -> None:
    opened = forge()
    key, held = next(iter(opened.state()["repo"].items()))
    owner = held["_parents"]["owner"]
    made = (await call(opened, "createIssue", owner=owner, repo=key, title="Leak")).value
    where = {"repo": key, "number": str(made["number"])}
    assert (await call(opened, "getIssue", owner=owner, **where)).value["title"] == "Leak"
    listed = (await call(opened, "listIssues", owner=owner, repo=key)).value
    assert made in listed
    other = next(name for name in opened.state()["owner"] if name != owner)
    assert "404" in str((await call(opened, "getIssue", owner=other, **where)).error)
    assert (await call(opened, "deleteRepo", owner=owner, repo=key)).error is None
    assert "404" in str((await call(opened, "getIssue", owner=owner, **where)).error)


async def test_the_answer_to_which_variant_is_wanted_owns_nothing() -> None:
    opened = sandbox(operation("getPage", "GET", "/pages/{lang}/{page}", row(title=TEXT)))
    assert set(opened.state()) == {"page"}


async def test_what_only_paths_name_is_known_by_its_rows_and_nothing_else_is() -> None:
    item = row(label=TEXT)
    opened = sandbox(
        operation("listItems", "GET", "/vaults/{vault_id}/items", {"type": "array", "items": item}),
        operation("addItem", "POST", "/vaults/{vault_id}/items", item, label=TEXT),
    )
    vault, other = list(opened.state()["vault"])[:2]
    assert (await call(opened, "listItems", vault_id="nowhere")).error is not None
    assert (await call(opened, "addItem", vault_id="nowhere", label="x")).error is not None
    made = (await call(opened, "addItem", vault_id=vault, label="Spare key")).value
    assert made in (await call(opened, "listItems", vault_id=vault)).value
    assert made not in (await call(opened, "listItems", vault_id=other)).value


async def test_a_put_of_a_collection_without_an_answer_replaces_the_rows_of_its_owner() -> None:
    author = row(name=TEXT)
    given = {"type": "object", "properties": {"id": TEXT, "name": TEXT}}
    opened = sandbox(
        operation("getPaper", "GET", "/papers/{paperId}", row(title=TEXT)),
        operation("listAuthors", "GET", "/papers/{paperId}/authors", {"type": "array", "items": author}),
        operation("putAuthors", "PUT", "/papers/{paperId}/authors", None, authors={"type": "array", "items": given}),
    )
    first, second = list(opened.state()["paper"])[:2]
    held = (await call(opened, "listAuthors", paperId=first)).value
    others = (await call(opened, "listAuthors", paperId=second)).value
    kept = {**held[0], "name": "Ada"}
    assert (await call(opened, "putAuthors", paperId=first, authors=[kept, {"name": "Bo"}])).error is None
    shown = (await call(opened, "listAuthors", paperId=first)).value
    assert (shown[0], shown[1]["name"], len(shown)) == (kept, "Bo", 2)
    assert (await call(opened, "listAuthors", paperId=second)).value == others


async def test_what_lies_below_a_row_lies_within_what_that_row_lies_within() -> None:
    pet = row(name=TEXT)
    opened = sandbox(
        operation("listShops", "GET", "/shops", {"type": "array", "items": row(name=TEXT)}),
        operation("getShop", "GET", "/shops/{shopId}", row(name=TEXT)),
        operation("listPets", "GET", "/shops/{shopId}/pets", {"type": "array", "items": pet}),
        operation("getPet", "GET", "/pets/{petId}", pet),
        operation("listVisits", "GET", "/shops/{shopId}/pets/{petId}/visits", {"type": "array", "items": row()}),
        operation("getVisit", "GET", "/shops/{shopId}/pets/{petId}/visits/{visitId}", row()),
    )
    state = opened.state()
    assert "shop" in next(iter(state["visit"].values()))["_parents"]
    for key, held in state["visit"].items():
        above = held["_parents"]
        assert above["shop"] == state["pet"][above["pet"]]["_parents"]["shop"]
        got = await call(opened, "getVisit", shopId=above["shop"], petId=above["pet"], visitId=key)
        assert got.error is None
