"""Settings and other things of which there is one: GET, PUT and DELETE meet; and what takes all children of a row."""

import pytest
from tests.generators.environments.inline import TEXT, call, operation, row, sandbox

pytestmark = pytest.mark.anyio

NUMBER = {"type": "number"}
LIMITS = {"type": "object", "properties": {"min": NUMBER, "max": NUMBER}}
SITE = operation("getSite", "GET", "/sites/{siteId}", row(name=TEXT))


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def test_settings_deep_below_a_row_are_set_shown_and_cleared() -> None:
    path = "/sites/{siteId}/database/compute/settings"
    opened = sandbox(
        SITE,
        operation("getLimits", "GET", path, LIMITS),
        operation("setLimits", "PUT", path, LIMITS, min=NUMBER, max=NUMBER),
        operation("clearLimits", "DELETE", path, None),
    )
    first, second = list(opened.state()["site"])[:2]
    other = (await call(opened, "getLimits", siteId=second)).value
    await call(opened, "setLimits", siteId=first, min=2.5)
    assert (await call(opened, "getLimits", siteId=first)).value["min"] == 2.5
    assert (await call(opened, "getLimits", siteId=second)).value == other
    assert (await call(opened, "clearLimits", siteId=first)).error is None
    assert "404" in str((await call(opened, "getLimits", siteId=first)).error)
    assert (await call(opened, "setLimits", siteId=first, min=7.5)).error is None
    assert (await call(opened, "getLimits", siteId=first)).value["min"] == 7.5


async def test_settings_of_all_are_one_row_although_other_settings_have_rows_of_their_own() -> None:
    opened = sandbox(
        SITE,
        operation("getRule", "GET", "/sites/{siteId}/config/{configId}", row(text=TEXT)),
        operation("getSiteConfig", "GET", "/sites/{siteId}/settings/config", LIMITS),
        operation("setSiteConfig", "PATCH", "/sites/{siteId}/settings/config", None, max=NUMBER),
        operation("getCredentials", "GET", "/metrics/credentials", {"type": "object", "properties": {"user": TEXT}}),
        operation("setCredentials", "PUT", "/metrics/credentials", None, user=TEXT),
    )
    site = next(iter(opened.state()["site"]))
    await call(opened, "setSiteConfig", siteId=site, max=9.5)
    assert (await call(opened, "getSiteConfig", siteId=site)).value["max"] == 9.5
    await call(opened, "setCredentials", user="ada")
    assert (await call(opened, "getCredentials")).value == {"user": "ada"}


async def test_a_deletion_by_query_is_no_deletion_of_the_one_thing() -> None:
    followed = {"type": "object", "properties": {"ids": {"type": "array", "items": TEXT}}}
    opened = sandbox(
        operation("getFollowing", "GET", "/following", followed),
        operation("unfollow", "DELETE", "/following", None, query_ids=TEXT),
    )
    await call(opened, "unfollow", ids="a,b")
    assert (await call(opened, "getFollowing")).error is None


async def test_the_own_row_is_one_of_its_kind_and_gone_once_deleted() -> None:
    registry = row(region=TEXT)
    opened = sandbox(
        operation("getRegistry", "GET", "/registry", registry),
        operation("deleteRegistry", "DELETE", "/registry", None),
        operation("getRegistryByName", "GET", "/registry/{registry_id}", registry),
    )
    own = (await call(opened, "getRegistry")).value
    assert (await call(opened, "getRegistryByName", registry_id=own["id"])).value == own
    assert (await call(opened, "deleteRegistry")).error is None
    assert (await call(opened, "getRegistry")).error is not None


async def test_all_children_of_a_row_are_deleted_and_no_others() -> None:
    for path in ("/customers/{customerId}/addresses", "/customers/{customerId}/book/addresses"):
        address = row(street=TEXT)
        opened = sandbox(
            operation("getCustomer", "GET", "/customers/{customerId}", row(name=TEXT)),
            operation("listAddresses", "GET", path, {"type": "array", "items": address}),
            operation("addAddress", "POST", path, address, street=TEXT),
            operation("deleteAddresses", "DELETE", path, None),
        )
        first, second = list(opened.state()["customer"])[:2]
        assert (await call(opened, "addAddress", customerId=first, street="Long Lane 3")).error is None
        assert (await call(opened, "addAddress", customerId=second, street="High Street 9")).error is None
        assert (await call(opened, "deleteAddresses", customerId=first)).error is None
        assert (await call(opened, "listAddresses", customerId=first)).value == []
        assert (await call(opened, "listAddresses", customerId=second)).value


async def test_the_one_thing_of_a_row_that_is_also_found_by_itself_is_the_same() -> None:
    summary = {"type": "object", "properties": {"modelId": TEXT, "stars": TEXT}, "required": ["modelId"]}
    opened = sandbox(
        operation("listArticles", "GET", "/articles", {"type": "array", "items": row(name=TEXT)}),
        operation("getArticle", "GET", "/articles/{articleId}", row(name=TEXT)),
        operation("getSummary", "GET", "/articles/{articleId}/review-summary", summary),
        operation("listSummaries", "GET", "/article-review-summaries", {"type": "array", "items": summary}),
        operation("findSummary", "GET", "/article-review-summaries/{modelId}", summary),
    )
    for key in opened.state()["article"]:
        shown = (await call(opened, "getSummary", articleId=key)).value
        assert (await call(opened, "findSummary", modelId=shown["modelId"])).value == shown
