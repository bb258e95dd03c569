"""Calls that handle several rows of a collection at once."""

import pytest
from tests.generators.environments.inline import TEXT, call, operation, row, sandbox

from interplay.generators.environments.sandbox.sandbox import Sandbox

pytestmark = pytest.mark.anyio

AUTHOR = {**row(name=TEXT), "title": "Author"}
IDS = {"type": "array", "items": TEXT}
KEYS = {"type": "array", "items": {"type": "object", "properties": {"id": TEXT}, "required": ["id"]}}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def blog(given: dict[str, object], path: str = "/authors/batch/{}") -> Sandbox:
    listed = {"type": "object", "properties": {"results": {"type": "array", "items": AUTHOR}}}
    return sandbox(
        operation("listAuthors", "GET", "/authors", listed),
        operation("getAuthor", "GET", "/authors/{authorId}", AUTHOR),
        operation("readAuthors", "POST", path.format("read"), listed, inputs=given),
        operation("deleteAuthors", "POST", path.format("delete"), None, inputs=given),
    )


@pytest.mark.parametrize(("given", "as_object"), [(IDS, False), (KEYS, True)], ids=["ids", "objects"])
@pytest.mark.parametrize("path", ["/authors/batch/{}", "/authors/{}-multiple"])
async def test_the_rows_that_a_list_names_are_shown_and_deleted(
    given: dict[str, object], as_object: bool, path: str
) -> None:
    opened = blog(given, path)
    first, second, *_ = [author["id"] for author in (await call(opened, "listAuthors")).value["results"]]
    inputs = [{"id": name} if as_object else name for name in (second, first)]
    shown = (await call(opened, "readAuthors", inputs=inputs)).value["results"]
    assert {author["id"] for author in shown} == {first, second}
    await call(opened, "deleteAuthors", inputs=inputs)
    assert [(await call(opened, "getAuthor", authorId=name)).error is None for name in (first, second)] == [
        False,
        False,
    ]


async def test_an_action_on_several_rows_changes_each_of_them() -> None:
    deal = {**row(amount=TEXT, archived={"type": "boolean"}), "title": "Deal"}
    listed = {"type": "object", "properties": {"results": {"type": "array", "items": deal}}}
    opened = sandbox(
        operation("listDeals", "GET", "/deals", listed),
        operation("getDeal", "GET", "/deals/{dealId}", deal),
        operation("archiveDeals", "POST", "/deals/batch/archive", None, inputs=KEYS, fields=IDS),
    )
    names = [deal["id"] for deal in (await call(opened, "listDeals")).value["results"]][:2]
    await call(opened, "archiveDeals", inputs=[{"id": name} for name in names], fields=["amount"])
    assert [(await call(opened, "getDeal", dealId=name)).value["archived"] for name in names] == [True, True]
